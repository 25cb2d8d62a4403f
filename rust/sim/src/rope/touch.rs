//! What a user may do to single points. Indices must be in range; positions and vectors finite.

use super::Rope;
use crate::substeps::INNER_STEP;
use glam::Vec2;

impl Rope {
    /// Puts point `i` at a global position, as near as its pins let it; the others follow, and all keep their velocities.
    pub fn set_position(&mut self, i: usize, position: Vec2) {
        self.fresh = false;
        let local = self.frame.to_local(position);
        self.points.set_position(i, local);
        // First the others towards the point, then all towards the pins.
        let inv_mass = std::mem::replace(&mut self.points.inv_mass[i], 0.0);
        let spans = std::mem::take(&mut self.spans);
        for &(first, last) in &spans {
            if (first..=last).contains(&i) {
                self.spans.extend([(first, i), (i, last)]);
            }
        }
        self.settle();
        self.points.inv_mass[i] = inv_mass;
        self.spans = spans;
        self.settle();
        self.tick_start.copy(&self.points.x, &self.points.y);
        self.wake();
    }

    /// Sets the velocity of point `i` in px/s; a held one keeps its holder's.
    pub fn set_velocity(&mut self, i: usize, velocity: Vec2) {
        if self.is_pinned(i) {
            return;
        }
        self.fresh = false;
        if self.h_before <= 0.0 {
            self.h_before = INNER_STEP;
        }
        self.points.set_way(i, velocity * self.h_before);
        self.wake();
    }

    /// Changes the velocity of point `i` by `impulse` (kg px/s) over its mass.
    pub fn apply_impulse(&mut self, i: usize, impulse: Vec2) {
        let velocity = self.velocity(i) + impulse * self.points.inv_mass[i];
        self.set_velocity(i, velocity);
    }

    /// Pushes point `i` with `force` (kg px/s2) during the next tick.
    pub fn apply_force(&mut self, i: usize, force: Vec2) {
        self.forces.resize(self.points.len(), Vec2::ZERO);
        self.forces[i] += force;
        self.wake();
    }

    /// The point nearest to a global position and at most `max_distance` px from it.
    pub fn closest_point(&self, to: Vec2, max_distance: f32) -> Option<usize> {
        let to = self.frame.to_local(to);
        let distance = |i: &usize| self.points.position(*i).distance_squared(to);
        let nearest = (0..self.points.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest).sqrt() <= max_distance).then_some(nearest)
    }
}
