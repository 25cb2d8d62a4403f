//! Laying a rope out at rest, and reshaping a moving one.

use super::{BendRest, End, Grip, Pin, Rope, RopeSettings, Solver};
use crate::bending::rest_bends;
use crate::catenary;
use crate::contact::meet::Span;
use crate::substeps::{FINEST_STEP, INNER_STEP, Substeps};
use glam::Vec2;
use std::f32::consts::PI;

/// Cosine of the angle to gravity below which a rope counts as laid out upwards.
const UPRIGHT: f32 = -0.9999;
/// By what angle such a rope is tilted, in radians.
const TILT: f32 = 0.01;
/// Held points nearer to each other than this, in px on a node of scale 1, make a loop in which the resistance to bending shows.
const NARROW: f32 = 60.0;
/// For how many substeps such a loop is let open before it is shown, and how much of its motion it keeps in each.
const OPENING_STEPS: usize = 240;
const OPENING_KEEPS: f32 = 0.97;
/// The most steps of points that opening may take: some milliseconds.
const OPENING_COST: usize = 50_000;
/// The most stretch of a link that a change of shape keeps.
const MOST_STRETCH: f32 = 4.0;
/// By how many link lengths the pull of a load may move a point of the rope in the finest step, and by how much a swing pulls harder than the
/// weight.
const FASTEST_WAVE: f32 = 0.2;
const SWINGING: f32 = 1.5;
/// The most inertia for the sake of a hand; a stronger one is as good as firm.
const MOST_FOR_HANDS: f32 = 20.0;
/// How far a straight rope is bent before it is moved, in px, and at most as a part of a link's length.
const HAIR: f32 = 0.1;
const HAIR_OF_LINK: f32 = 0.02;

impl Rope {
    /// Lays it out at rest as its settings say, held at its ends only.
    pub fn reset(&mut self) {
        self.pins.clear();
        self.forces.clear();
        self.rebuild(None);
    }

    /// Lays it out at rest as its settings say, held where it was but for what differs from the settings `before`.
    pub(super) fn rebuild(&mut self, before: Option<&RopeSettings>) {
        if self.lengths.is_empty() {
            self.resize(self.settings.resolved_segments() as usize + 1);
        }
        self.hold_ends(before);
        self.lay();
    }

    /// Moves it by `shift` global px as it is, with its velocities.
    pub fn translate(&mut self, shift: Vec2) {
        // What is measured anew after a rounding may differ in the last bit.
        self.solver.forget();
        self.collision.contacts.lose();
        self.points.shift(shift);
        self.tick_start.x.iter_mut().for_each(|x| *x += shift.x);
        self.tick_start.y.iter_mut().for_each(|y| *y += shift.y);
    }

    /// Mirrors it with what holds it, when that has been mirrored since the last tick: a character that turns round by a negative scale. Left
    /// in the world it would whip through what it hangs on.
    pub(super) fn mirror(&mut self) {
        let holder = self.pins.iter().find(|pin| pin.grip == Grip::Firm).and_then(|pin| pin.holder);
        let now = holder.map_or((0, self.pose), |holder| (holder.key, holder.pose));
        let before = self.held_before.replace(now);
        let Some((_, old)) = before.filter(|&(key, _)| key == now.0 && !self.fresh) else { return };
        let new = now.1;
        let (Some(was), Some(is)) = (old.is_mirrored(), new.is_mirrored()) else { return };
        if was == is {
            return;
        }
        let (from, to) = (self.frame.to_local(old.origin), self.frame.to_local(new.origin));
        for i in 0..self.points.len() {
            let mirrored = |way: Vec2| {
                let image = new.turn(old.unturn(way));
                // Turning round is no scaling.
                image.normalize_or_zero() * way.length()
            };
            let (place, way) = (mirrored(self.points.position(i) - from), mirrored(self.points.way(i)));
            self.points.set_position(i, to + place);
            self.points.set_way(i, way);
        }
        self.settle();
        self.tick_start.copy(&self.points.x, &self.points.y);
    }

    /// Direction of gravity as this rope feels it.
    pub(super) fn down(&self) -> Vec2 {
        self.gravity * if self.settings.gravity_scale < 0.0 { -1.0 } else { 1.0 }
    }

    /// Local direction from the start to the end.
    pub(super) fn local_direction(&self) -> Vec2 {
        self.settings.end_position.try_normalize().unwrap_or(Vec2::Y)
    }

    /// What the node's pose makes of a local px along the rope.
    fn pose_scale(&self) -> f32 {
        self.pose.turn(self.local_direction()).length()
    }

    /// The length that it is to have, in local px.
    pub(super) fn wanted_length(&self) -> f32 {
        let ends = self.end_target(End::Start).zip(self.end_target(End::End));
        match ends {
            Some((start, end)) if self.settings.length == 0.0 => {
                let apart = start.distance(end) / self.pose_scale().max(f32::MIN_POSITIVE);
                (apart * (1.0 + self.settings.slack)).clamp(super::LEAST_LENGTH, super::MOST_LENGTH)
            }
            _ => self.settings.resolved_length(),
        }
    }

    /// A local length in global px: the pose of the node stretches and shrinks it.
    pub(super) fn global_length(&self, local: f32, links: usize) -> f32 {
        let least = super::LEAST_LINK * links as f32;
        (local * self.pose_scale()).clamp(least, 100.0 * super::MOST_LENGTH)
    }

    /// Gives every link the same length, so that together they have `length` local px.
    fn set_links(&mut self, length: f32) {
        let links = self.lengths.len();
        self.target_length = self.global_length(length, links);
        self.pitch = self.target_length / links as f32;
        self.lengths.fill(self.pitch);
        self.scale = self.target_length / length;
        if self.settings.segments == 0 && links == 2 {
            // It may be wound out: then its links have to be those of a long one.
            self.pitch = self.pitch.max(self.settings.segment_length * self.scale);
            self.share(self.target_length);
        }
        self.missing = [(0.0, 0); 2];
    }

    /// Makes room for `links` links and as many points and one; pins and reels keep their places along it.
    fn set_link_count(&mut self, links: usize) {
        let before = self.lengths.len();
        if links == before {
            return;
        }
        self.resize(links + 1);
        self.move_pins_along(before, links);
        self.pins_changed();
    }

    /// Takes down how the direction in which it is laid lies on what holds its start.
    pub(super) fn aim(&mut self) {
        let holder = self.find_pin(0).ok().and_then(|index| self.pins[index].holder);
        let straight = self.pose.turn(self.local_direction());
        self.start_aim = holder.map(|holder| (holder.key, holder.pose.unturn(straight)));
    }

    fn resize(&mut self, count: usize) {
        self.points.resize(count);
        self.collision.contacts.forget();
        self.air.calm_down();
        self.lengths.resize(count - 1, 1.0);
        self.tension.resize(count - 1, 0.0);
        self.tick_start.resize(count);
        self.scratch.resize(count);
        self.solver.reserve(count - 1);
        if !self.forces.is_empty() {
            self.forces.resize(count, Vec2::ZERO);
        }
    }

    /// Puts every point at rest at the present pose; pins keep their holders and offsets.
    pub(super) fn lay(&mut self) {
        if let Some(shift) = self.frame.follow(self.pose.origin) {
            self.translate(shift);
        }
        let length = self.wanted_length();
        self.set_link_count(self.settings.segments_of(length) as usize);
        self.set_links(length);
        self.weigh();
        let links = self.lengths.len();
        let link = self.pitch;
        let down = self.down();
        let firm = self.pins.iter().filter(|pin| pin.grip == Grip::Firm);
        let targets: Vec<(usize, Vec2)> = firm.map(|pin| (pin.point, self.pin_target(pin))).collect();
        let straight = self.pose.turn(self.local_direction()).try_normalize().unwrap_or(Vec2::Y);
        match (targets.first(), targets.last()) {
            (Some(&(first, head)), Some(&(last, tail))) => {
                for pair in targets.windows(2) {
                    let ((i, from), (j, to)) = (pair[0], pair[1]);
                    let points = &mut self.points;
                    catenary::hang(from, to, link * (j - i) as f32, j - i, down, |k, p| points.place(i + k, p));
                }
                for i in last..=links {
                    self.points.place(i, tail + self.loose_direction(last) * link * (i - last) as f32);
                }
                for i in 0..first {
                    self.points.place(i, head + self.loose_direction(first) * link * (first - i) as f32);
                }
                self.points.place(first, head);
            }
            _ => {
                let start = self.frame.to_local(self.pose.origin);
                (0..=links).for_each(|i| self.points.place(i, start + straight * link * i as f32));
            }
        }
        self.aim();
        self.unbalance(straight);
        // The curve's arcs are a little longer than its chords.
        self.solve_exactly();
        self.rest_bends = if self.settings.bend_rest == BendRest::Laid { rest_bends(&self.points) } else { Vec::new() };
        let narrow = |pair: &[(usize, Vec2)]| (pair[1].1 - pair[0].1).length() < NARROW * self.scale;
        if self.settings.solver == Solver::Direct && targets.windows(2).any(narrow) {
            self.open();
        }
        self.points.stop();
        self.tension.fill(0.0);
        self.tick_start.copy(&self.points.x, &self.points.y);
        self.pose_before = self.pose;
        self.h_before = 0.0;
        self.passes_due = 0.0;
        self.laid_gravity = self.gravity;
        self.driven = false;
        self.calm = false;
        self.solver.reset();
        self.forget_contacts();
        self.fresh = true;
        self.wake();
    }

    /// The direction in which it is laid from the held point `held` to a free end: as it is set from the start, down from others.
    pub(super) fn loose_direction(&self, held: usize) -> Vec2 {
        let straight = self.pose.turn(self.local_direction()).try_normalize().unwrap_or(Vec2::Y);
        if held == 0 { straight } else { self.down().try_normalize().unwrap_or(straight) }
    }

    /// Lets a narrow loop open: the catenary does not know that a rope resists bending.
    fn open(&mut self) {
        let forces = std::mem::take(&mut self.forces);
        self.longest_move = 0.0;
        let plan = Substeps { count: 1, h: INNER_STEP };
        for _ in 0..OPENING_STEPS.min(OPENING_COST / self.points.len()) {
            self.substep(&plan, Span { from: 0.0, to: 1.0, h: plan.h }, None);
            for way in self.points.way_x.iter_mut().chain(&mut self.points.way_y) {
                *way *= OPENING_KEEPS;
            }
        }
        self.forces = forces;
    }

    /// Tilts a rope that was laid out exactly upwards: it would stand on its end for ever.
    fn unbalance(&mut self, straight: Vec2) {
        if self.pins.len() == 1 && straight.dot(self.down().normalize_or_zero()) < UPRIGHT {
            let aside = self.lengths.iter().sum::<f32>() * TILT;
            let root = self.pins[0].point as f32 / self.lengths.len() as f32;
            self.bow(straight, |part| aside * (part - root));
        }
    }

    /// Bends a rope that is exactly straight by a hair, in waves. Pushed along itself, as when its holder comes down on it, it would
    /// go like a rod; no real rope is so straight that it does not give way.
    pub(super) fn unstraighten(&mut self) {
        let last = self.points.len() - 1;
        let start = self.points.position(0);
        let Some(line) = (self.points.position(last) - start).try_normalize() else { return };
        let straight = |i: usize| (self.points.position(i) - start).perp_dot(line).abs() < 0.2 * HAIR;
        if (0..=last).all(straight) {
            let hair = HAIR.min(HAIR_OF_LINK * self.lengths[0]);
            let waves = |part: f32| [3.0, 8.0, 21.0].map(|waves| (waves * PI * part).sin()).iter().sum::<f32>();
            self.bow(line, |part| hair * waves(part));
        }
    }

    /// Moves free points aside from `line` by `shape` px of their part of the length, without changing velocities.
    fn bow(&mut self, line: Vec2, shape: impl Fn(f32) -> f32) {
        let aside = line.perp();
        let links = self.lengths.len() as f32;
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] > 0.0 {
                self.points.set_position(i, self.points.position(i) + aside * shape(i as f32 / links));
            }
        }
        self.solver.forget();
    }

    /// Gives a moving rope the number and length of links that its settings say: it keeps its course and its velocities.
    pub(super) fn reshape(&mut self) {
        let old_links = self.lengths.len();
        let old_rest: Vec<f32> = std::iter::once(0.0)
            .chain(self.lengths.iter().scan(0.0, |sum, length| {
                *sum += length;
                Some(*sum)
            }))
            .collect();
        let old: Vec<(Vec2, Vec2)> = (0..=old_links).map(|i| (self.points.position(i), self.points.way(i))).collect();
        let length = self.reshaped_length();
        let links = self.settings.segments_of(length) as usize;
        let old_length: f32 = self.lengths.iter().sum();
        self.set_link_count(links);
        self.set_links(length);
        self.tension.fill(0.0);
        self.rest_bends.clear();
        let link = self.pitch;
        // A relaxed rope stays as stretched as it was.
        let relaxed = self.settings.solver == Solver::Relaxation;
        let rest = old_length / links as f32;
        let stretch = |way: Vec2| if relaxed { (way.length() / rest).min(MOST_STRETCH) } else { 1.0 };
        let sampled = |i: usize| {
            let along = i as f32 / links as f32 * old_length;
            let k = old_rest.partition_point(|&rest| rest <= along).clamp(1, old_links) - 1;
            let t = ((along - old_rest[k]) / (old_rest[k + 1] - old_rest[k])).min(1.0);
            (old[k].0.lerp(old[k + 1].0, t), old[k].1.lerp(old[k + 1].1, t))
        };
        // Each link keeps its direction, beginning at the first held point, or at the start.
        let root = self.pins.first().map_or(0, |pin| pin.point);
        let (at, way) = sampled(root);
        self.points.set_position(root, at);
        self.points.set_way(root, way);
        let after = (root + 1..=links).map(|i| (i - 1, i));
        let before = (0..root).rev().map(|i| (i + 1, i));
        for (neighbour, i) in after.chain(before) {
            let (here, way) = sampled(i);
            let step = here - sampled(neighbour).0;
            let link = step.try_normalize().unwrap_or(Vec2::Y) * link * stretch(step);
            self.points.set_position(i, self.points.position(neighbour) + link);
            self.points.set_way(i, way);
        }
        self.pins_changed();
        self.put_pins();
        self.settle();
        self.tick_start.copy(&self.points.x, &self.points.y);
    }

    /// Brings the links back to their lengths after points were put elsewhere, without changing velocities. Relaxation has no
    /// exact lengths to go back to; its passes take care of them.
    pub(super) fn settle(&mut self) {
        self.solver.forget();
        if self.settings.solver == Solver::Direct {
            self.solve_exactly();
        }
    }

    fn solve_exactly(&mut self) {
        self.scratch.copy(&self.points.way_x, &self.points.way_y);
        // It is no motion: nothing is on its way.
        self.points.stop();
        self.solver.settle(&mut self.points, &self.lengths, &self.spans);
        self.points.way_x.copy_from_slice(&self.scratch.x);
        self.points.way_y.copy_from_slice(&self.scratch.y);
    }

    /// The length that a moving rope gets when its shape is set anew: what was measured between its ends stays.
    pub(super) fn reshaped_length(&self) -> f32 {
        if self.settings.length > 0.0 { self.settings.length } else { self.target_length / self.scale }
    }

    /// Mass of point `i` in kg, without what hangs on it. Half a link's mass at each of its ends makes the pull at any height the
    /// weight below it; the classic rope has equal points.
    pub(super) fn own_mass(&self, i: usize) -> f32 {
        let links = self.lengths.len();
        match self.settings.solver {
            Solver::Direct => {
                let before = if i > 0 { self.lengths[i - 1] } else { 0.0 };
                let after = if i < links { self.lengths[i] } else { 0.0 };
                0.5 * (before + after) * self.settings.mass / self.mass_length
            }
            Solver::Relaxation => self.settings.mass / (links + 1) as f32,
        }
    }

    /// Mass of point `i` in kg, with what hangs on it and stands on it.
    pub(super) fn mass_at(&self, i: usize) -> f32 {
        let hangs = if i + 1 == self.points.len() { self.settings.end_mass } else { 0.0 };
        self.own_mass(i) + hangs + self.loads.at(i)
    }

    /// What point `i` sets against being moved, in kg.
    pub(super) fn inert_mass(&self, i: usize) -> f32 {
        self.mass_at(i) + self.own_mass(i) * (self.inertia - 1.0)
    }

    /// By how much the rope is more inert than its mass says. A heavy load makes waves across a light rope so fast that no step follows
    /// them, and they would grow. Its own weight, and so every tension at rest, stays what it is.
    fn needed_inertia(&self) -> f32 {
        if self.settings.solver == Solver::Relaxation {
            return 1.0;
        }
        let firm = |pin: &&Pin| pin.grip == Grip::Firm;
        let held = self.pins.last().filter(firm).is_some_and(|pin| pin.point + 1 == self.points.len());
        let load = if held { 0.0 } else { self.settings.end_mass };
        let load = load.max(self.coupling.heaviest);
        let hanging = load * self.gravity.length() * self.settings.gravity_scale.abs();
        let weight = (hanging + self.pull_of_loads()) * SWINGING;
        let hands = self.pins.iter().map(|pin| if let Grip::Hand(force) = pin.grip { force } else { 0.0 });
        let h = if self.settings.substeps > 0 { self.h_before.max(FINEST_STEP) } else { FINEST_STEP };
        let link_mass = self.settings.mass * self.pitch / self.mass_length;
        let needed = |pull: f32| pull * h * h / (FASTEST_WAVE * self.pitch * link_mass);
        needed(weight).max(needed(hands.fold(0.0, f32::max)).min(MOST_FOR_HANDS)).max(1.0)
    }

    /// Distributes the mass over the points.
    pub(super) fn weigh(&mut self) {
        if self.loads.is_out_of_step(self.points.len()) {
            self.spread_loads();
        }
        self.mass_length = self.lengths.iter().sum();
        self.inertia = self.needed_inertia();
        let last = self.points.len() - 1;
        for i in 0..=last {
            self.points.inv_mass[i] = 1.0 / self.inert_mass(i);
        }
        for pin in &self.pins {
            self.points.inv_mass[pin.point] = 0.0;
        }
    }
}
