//! Laying a rope out among colliders.
//!
//! The curve in which a rope hangs knows nothing of what is in its way. A rope that would be laid through something is laid along its
//! straight line instead, in little folds, or else in an arch; or on what it meets from its held end on. Then it is let fall until it lies: so
//! it begins draped, as one would see it in the editor and expect.

use super::{Grip, Rope};
use crate::catenary;
use crate::collide::Colliders;
use crate::contact::meet::Span;
use crate::contact::near::{Near, convex, pose_at};
use crate::substeps::{INNER_STEP, Substeps};
use glam::Vec2;

/// For how many substeps it falls at most, and how much of its motion it keeps in each.
const STEPS: usize = 240;
const KEEPS: f32 = 0.97;
/// It lies when no point goes farther in a substep, in px. What has only just begun to fall goes farther.
const LIES: f32 = 0.004;
/// The most steps of points: some milliseconds.
const COST: usize = 20_000;
/// How far from a surface in px it is laid.
const OFF: f32 = 0.05;

impl Rope {
    /// Lays a rope anew that has been laid through something.
    pub(super) fn drape(&mut self, colliders: Option<&Colliders>) {
        let Some(colliders) = colliders.filter(|_| self.sees_anything()) else { return };
        if !self.is_pierced(colliders) {
            return;
        }
        let held = |pin: &&super::Pin| pin.grip == Grip::Firm;
        let held: Vec<usize> = self.pins.iter().filter(held).map(|pin| pin.point).collect();
        let laid = self.points.clone();
        match held[..] {
            [] | [_] => self.lay_along(held.first().copied().unwrap_or(0), colliders),
            _ => {
                held.windows(2).for_each(|pair| self.fold(pair[0], pair[1]));
                if self.is_pierced(colliders) {
                    held.windows(2).for_each(|pair| self.arch(pair[0], pair[1]));
                }
                if self.is_pierced(colliders) {
                    self.points = laid;
                    return;
                }
            }
        }
        self.settle();
        self.fall(colliders);
    }

    /// Whether it goes through anything.
    fn is_pierced(&self, colliders: &Colliders) -> bool {
        // What is met from one side only may be behind.
        let solid = |near: &&Near| colliders.all()[near.collider].one_way.is_none();
        self.nearby().pieces.iter().filter(solid).any(|near| self.goes_through(near, colliders))
    }

    /// Whether it goes through a piece of a collider.
    pub(super) fn goes_through(&self, near: &Near, colliders: &Colliders) -> bool {
        let turn = pose_at(&colliders.all()[near.collider], &self.frame, 0.0);
        let piece = convex(colliders, near);
        let is_free = |i: usize| self.points.inv_mass[i] > 0.0 && !self.nearby().spares(near, i);
        (0..self.lengths.len()).any(|k| {
            let ends = [k, k + 1].map(|i| turn.unpoint(self.points.position(i)));
            let inside = |i: usize| is_free(k + i) && piece.nearest(ends[i]).distance < 0.0;
            inside(0) || inside(1) || (is_free(k) && is_free(k + 1) && piece.cast(ends[0], ends[1], 0.0).is_some())
        })
    }

    /// Lays it straight between two points, in folds where it is longer.
    fn fold(&mut self, first: usize, last: usize) {
        let (from, to) = (self.points.position(first), self.points.position(last));
        let way = to - from;
        let reach: f32 = self.lengths[first..last].iter().sum();
        let part = (way.length() / reach).min(1.0);
        let aside = way.normalize_or(Vec2::X).perp() * (1.0 - part * part).sqrt();
        let mut gone = 0.0;
        for i in first + 1..last {
            gone += self.lengths[i - 1];
            // The held ends are in the middle of the folds.
            let side = if (i - first) % 2 == 1 { 0.5 } else { -0.5 };
            self.points.place(i, from + way * (gone / reach) + aside * (side * self.lengths[i - 1]));
        }
    }

    /// Lays it in an arch between two points: as it would hang upwards.
    fn arch(&mut self, first: usize, last: usize) {
        let (from, to) = (self.points.position(first), self.points.position(last));
        let reach: f32 = self.lengths[first..last].iter().sum();
        let (up, points) = (-self.down(), &mut self.points);
        catenary::hang(from, to, reach, last - first, up, |k, place| points.place(first + k, place));
    }

    /// Lays it from a point on in its direction, and along what is in the way.
    fn lay_along(&mut self, root: usize, colliders: &Colliders) {
        let last = self.lengths.len();
        let after = (root + 1..=last).map(|i| (i - 1, i, i - 1));
        let before = (0..root).rev().map(|i| (i + 1, i, i));
        let mut side = 1.0;
        for (from, i, link) in after.chain(before) {
            let at = self.points.position(from);
            let straight = self.loose_direction(root);
            let place = self.next_place(at, straight, self.lengths[link], &mut side, colliders);
            self.points.place(i, place);
        }
    }

    /// Where a link from `at` ends that is to go in a direction: there, or along what is in the way, rather to the same `side` as the
    /// one before.
    fn next_place(&self, at: Vec2, direction: Vec2, length: f32, side: &mut f32, colliders: &Colliders) -> Vec2 {
        let Some(normal) = self.in_the_way(at, at + direction * length, colliders) else {
            return at + direction * length;
        };
        for _ in 0..2 {
            let mut along = normal.perp() * *side;
            // Round the corners between two surfaces.
            for _ in 0..4 {
                let place = at + along * length + normal * OFF;
                match self.in_the_way(at, place, colliders) {
                    None => return place,
                    Some(other) => along = (along - other * along.dot(other)).normalize_or(other.perp() * *side),
                }
            }
            *side = -*side;
        }
        at + normal * length
    }

    /// The normal of what is first in the way between two places.
    fn in_the_way(&self, from: Vec2, to: Vec2, colliders: &Colliders) -> Option<Vec2> {
        self.first_hit(from, to, 0.0, colliders).map(|(_, normal)| normal)
    }

    /// Lets it fall until it lies.
    fn fall(&mut self, colliders: &Colliders) {
        let forces = std::mem::take(&mut self.forces);
        let plan = Substeps { count: 1, h: INNER_STEP };
        // What moves in this tick stands still until then.
        let span = Span { from: 0.0, to: 0.0, h: INNER_STEP };
        for _ in 0..STEPS.min(COST / self.points.len()) {
            self.substep(&plan, span, Some(colliders));
            for way in self.points.way_x.iter_mut().chain(&mut self.points.way_y) {
                *way *= KEEPS;
            }
            if self.points.longest_way() < LIES {
                break;
            }
        }
        self.forces = forces;
        self.clear_touches();
        self.points.stop();
        self.h_before = 0.0;
        self.passes_due = 0.0;
        self.solver.reset();
        self.tension.fill(0.0);
    }
}
