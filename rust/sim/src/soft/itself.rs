//! A soft body that collides with itself: parts of its outline that are folded onto each other.
//!
//! The outline is a closed chain, and is kept apart as one ([`crate::contact::itself`]). While triangles are inside out it goes through itself, or it would
//! never get back into shape.

use super::SoftBody;
use crate::contact::itself::Itself;
use crate::contact::meet::MARGIN;
use crate::points::Points;
use glam::Vec2;

/// How often its parts are pushed apart in a substep.
const TURNS: usize = 4;

/// Parts that are nearer at rest than this multiple of the thickness do not meet.
const NEAR_AT_REST: f32 = 1.1;

/// What a body needs to meet itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Folds {
    itself: Itself,
    /// The outline, and its first point once more.
    ring: Points,
    /// By how much each is moved, and its way changed.
    changes: Vec<(usize, Vec2, Vec2)>,
}

impl SoftBody {
    /// Finds the parts of it that may touch each other in a tick.
    pub(super) fn look_at_itself(&mut self, delta: f32) {
        if !self.settings.collision.with_itself {
            return self.folds.itself.clear();
        }
        self.fill_ring();
        let thickness = 2.0 * self.surface_radius();
        let speed = if self.h_before > 0.0 { self.points.longest_way() / self.h_before } else { 0.0 };
        let outline = &self.mesh.outline;
        let at = |k: usize| self.points.position(outline[k % outline.len()] as usize);
        let length = |k: usize| at(k).distance(at(k + 1));
        let longest = (0..outline.len()).map(length).fold(0.0, f32::max);
        let way = (delta * (speed + self.gravity.length() * delta)).min(2.0 * longest) + MARGIN;
        // Pieces that must touch because they are so short do not meet.
        let apart = 1 + (2.0 * thickness / self.room.spacing().max(1e-3)).ceil() as usize;
        self.folds.itself.find(&self.folds.ring, longest, thickness, way, apart);
        // What is as near at rest cannot be kept apart.
        let rest = |k: u32| self.rest[outline[k as usize % outline.len()] as usize];
        self.folds.itself.leave_out(NEAR_AT_REST * thickness, rest);
    }

    /// Brings the ring to where the outline is.
    fn fill_ring(&mut self) {
        let (outline, points, ring) = (&self.mesh.outline, &self.points, &mut self.folds.ring);
        ring.resize(outline.len() + 1);
        for (k, &i) in outline.iter().chain(outline.first()).enumerate() {
            let i = i as usize;
            ring.set_position(k, points.position(i));
            ring.set_way(k, points.way(i));
            (ring.start_x[k], ring.start_y[k]) = (points.start_x[i], points.start_y[i]);
            ring.inv_mass[k] = points.inv_mass[i];
        }
    }

    /// Pushes parts of it apart in a substep.
    pub(super) fn unfold(&mut self) {
        if !self.settings.collision.with_itself || self.inside_out > 0 {
            return;
        }
        self.fill_ring();
        let thickness = 2.0 * self.surface_radius();
        let friction = self.settings.collision.friction.abs();
        let Folds { itself, ring, changes } = &mut self.folds;
        itself.meet(ring, thickness);
        if itself.is_empty() {
            return;
        }
        for _ in 0..TURNS {
            itself.push_apart(ring, friction);
        }
        itself.calm(ring);
        // What both copies of the first point were moved by adds up.
        let outline = &self.mesh.outline;
        changes.clear();
        for (k, &i) in outline.iter().chain(outline.first()).enumerate() {
            let i = i as usize;
            changes.push((i, ring.position(k) - self.points.position(i), ring.way(k) - self.points.way(i)));
        }
        for &(i, moved, way) in changes.iter() {
            self.points.set_position(i, self.points.position(i) + moved);
            self.points.set_way(i, self.points.way(i) + way);
        }
    }
}
