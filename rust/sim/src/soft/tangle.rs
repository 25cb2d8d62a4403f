//! Two soft bodies that are in each other.
//!
//! Contacts keep bodies apart at their surfaces, and know nothing of the whole: two that were crushed through each other hold each other by their lobes for good, and what is deep in another
//! body comes out only slowly. So those that are in each other for a while, deep or so that they cross, are pushed apart as wholes until their outlines are clear of each other; of their contacts only those count that help.
//! Meanwhile they come into shape again.
//!
//! Outlines may overlap a little wherever bodies are pressed together. Then each overlap lies between two crossings, from one to the other along either outline; where they cross, it does not.

use super::SoftBody;
use super::meeting::{Pair, View};
use super::pile::Pile;
use crate::bounds::Bounds;
use glam::Vec2;
use smallvec::SmallVec;

/// What has been in each other for so many seconds is pushed apart.
const PATIENCE: f32 = 0.25;
/// What is deeper than this in px is looked at; and what is so deep is in the other body, crossing or not.
const LOOKED_AT: f32 = 0.5;
const DEEP: f32 = 6.0;
/// How fast they are pushed apart: so many times their overlap in a second, but within this, in px/s; and how much faster in a second they get by that at most, in px/s2.
const RATE: f32 = 6.0;
const SLOWEST: f32 = 40.0;
const FASTEST: f32 = 300.0;
const HARDEST: f32 = 10_000.0;
/// They are pushed in one direction for so many seconds; and harder each time, so many times at most.
const TRIES: f32 = 1.0;
const MOST_TRIES: usize = 7;

/// Where two outlines cross.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// The sides, and the places on them, of the first and the second outline.
    at: [f32; 2],
    /// Whether each goes into the other body here.
    enters: [bool; 2],
}

type Crossings = SmallVec<[Crossing; 16]>;

impl Pair {
    /// Whether they are pushed apart.
    pub fn is_parted(&self) -> bool {
        self.tangled >= PATIENCE
    }

    /// Takes down, after a tick of `time` seconds, whether they are in each other; whether they have just begun to be pushed apart.
    pub fn note_tangle(&mut self, all: &[&mut SoftBody], time: f32) -> bool {
        let deepest = self.list.iter().map(|touching| touching.allowed).fold(0.0, f32::max);
        if self.tangled <= 0.0 && deepest < LOOKED_AT {
            return false;
        }
        let parted = self.is_parted();
        let views = self.views(all);
        let crossings = crossings(&views);
        let within = crossings.is_empty() && (0..2).any(|which| self.contains(&views[which], views[1 - which].at(0)));
        let still = within || if parted { !crossings.is_empty() } else { deepest > DEEP || cross(&crossings) };
        self.tangled = if still { self.tangled + time } else { 0.0 };
        self.is_parted() && !parted
    }

    /// How many directions have been tried.
    fn tried(&self) -> usize {
        ((self.tangled - PATIENCE) / TRIES).max(0.0) as usize
    }

    /// The direction in which the second is to go, and how far.
    pub fn way_out(&self, all: &[&mut SoftBody]) -> (Vec2, f32) {
        let [one, other] = self.bodies.map(|index| &*all[index]);
        way_out(one, other, self.tried())
    }

    /// Whether a place is inside of a body's outline.
    fn contains(&mut self, view: &View, at: Vec2) -> bool {
        view.bounds.contains(at) && self.sides.look(view.body, at - view.shift)
    }
}

/// All places where two outlines cross.
fn crossings(views: &[View; 2]) -> Crossings {
    let mut found = Crossings::new();
    let [one, other] = views;
    let common = Bounds { min: one.bounds.min.max(other.bounds.min), max: one.bounds.max.min(other.bounds.max) };
    if common.min.x > common.max.x || common.min.y > common.max.y {
        return found;
    }
    let reaches = |view: &View, side: usize| Bounds::of([view.at(side), view.at(side + 1)]).overlaps(&common);
    let sides: SmallVec<[usize; 64]> = (0..other.count).filter(|&side| reaches(other, side)).collect();
    for mine in (0..one.count).filter(|&side| reaches(one, side)) {
        let (from, way) = (one.at(mine), one.at(mine + 1) - one.at(mine));
        for &side in &sides {
            let (start, along) = (other.at(side), other.at(side + 1) - other.at(side));
            let turn = way.perp_dot(along);
            let (part, place) = ((start - from).perp_dot(along) / turn, (start - from).perp_dot(way) / turn);
            // Nothing is within this if they are parallel.
            if (0.0..1.0).contains(&part) && (0.0..1.0).contains(&place) {
                let enters = [way.dot(other.out_of(side)) < 0.0, along.dot(one.out_of(mine)) < 0.0];
                found.push(Crossing { at: [mine as f32 + part, side as f32 + place], enters });
            }
        }
    }
    found.sort_unstable_by(|a, b| a.at[0].total_cmp(&b.at[0]));
    found
}

/// Whether any overlap does not lie between two crossings.
fn cross(crossings: &[Crossing]) -> bool {
    let count = crossings.len();
    if count == 0 {
        return false;
    }
    let mut around: SmallVec<[usize; 16]> = (0..count).collect();
    around.sort_unstable_by(|&a, &b| crossings[a].at[1].total_cmp(&crossings[b].at[1]));
    let place = |index: usize| around.iter().position(|&other| other == index).unwrap_or(0);
    (0..count).filter(|&index| crossings[index].enters[0]).any(|index| {
        let out = (index + 1) % count;
        // The second outline goes into the first body where that comes out, one way or the other.
        let step = if crossings[out].enters[1] { 1 } else { count - 1 };
        around[(place(out) + step) % count] != index
    })
}

impl Pile {
    /// Pushes those apart that are in each other, in a substep of `h` seconds.
    pub(super) fn push_apart(&mut self, bodies: &mut [&mut SoftBody], h: f32) {
        for pair in self.pairs.iter().filter(|pair| pair.is_parted()) {
            let gives = [0, 1].map(|which| {
                let body = &bodies[pair.bodies[which]];
                if pair.yields[which] && body.room.awake && body.pins.is_empty() { 1.0 / body.mass() } else { 0.0 }
            });
            let give = gives[0] + gives[1];
            if give <= 0.0 {
                continue;
            }
            let (out, overlap) = pair.way_out(bodies);
            let most = HARDEST * (1 + pair.tried().min(MOST_TRIES)) as f32;
            let way = |which: usize| bodies[pair.bodies[which]].mean_way();
            let apart = (way(1) - way(0)).dot(out) / h;
            let wanted = (RATE * overlap).clamp(SLOWEST, FASTEST);
            let impulse = out * ((wanted - apart).clamp(0.0, most * h) * h / give);
            for (which, side) in [-1.0, 1.0].into_iter().enumerate().filter(|&(which, _)| gives[which] > 0.0) {
                let body = &mut *bodies[pair.bodies[which]];
                body.change_ways(impulse * (side * gives[which]), 0.0, Vec2::ZERO);
            }
        }
    }
}

/// The direction in which the second body is to go to get out of the first one, and how far: along a side of the box of one of them, as they are at rest, first that along which they overlap
/// least, and another one when so many have been tried.
fn way_out(one: &SoftBody, other: &SoftBody, tried: usize) -> (Vec2, f32) {
    let boxes = [one, other].map(|body| {
        let Bounds { min, max } = body.room.rest_bounds();
        let middle = body.frame.to_global(body.middle() + body.turn.rotate(0.5 * (min + max)));
        (middle, 0.5 * (max - min), body.turn)
    });
    let off = boxes[1].0 - boxes[0].0;
    let half =
        |half: Vec2, turn: Vec2, along: Vec2| half.x * turn.dot(along).abs() + half.y * turn.perp_dot(along).abs();
    let mut ways = [Vec2::X, Vec2::Y, Vec2::X, Vec2::Y].map(|way| (way, 0.0));
    for ((along, overlap), turned) in ways.iter_mut().zip([0, 0, 1, 1]) {
        *along = along.rotate(boxes[turned].2);
        let reach: f32 = boxes.iter().map(|(_, size, turn)| half(*size, *turn, *along)).sum();
        *overlap = reach - off.dot(*along).abs();
        *along *= if off.dot(*along) < 0.0 { -1.0 } else { 1.0 };
    }
    ways.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    ways[tried % ways.len()]
}
