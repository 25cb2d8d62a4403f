//! What a user may do to single points. Indices must be in range; positions and vectors finite.

use super::Rope;
use crate::substeps::INNER_STEP;
use glam::Vec2;

impl Rope {
    /// Puts point `i` at a global position, as near as its pins let it; the others follow, and all keep their velocities.
    pub fn set_position(&mut self, i: usize, position: Vec2) {
        self.fresh = false;
        self.collision.contacts.lose();
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

    /// Changes the velocity of all free points by `impulse` (kg px/s) over the mass of the whole.
    pub fn apply_central_impulse(&mut self, impulse: Vec2) {
        let change = impulse / (self.settings.mass + self.settings.end_mass);
        self.change_velocities(|_, _| change);
    }

    /// Pushes all free points within `radius` px of `center` (global) away from it: by their part of `strength` (kg px/s, for the whole rope) at the
    /// center, by nothing at the radius.
    pub fn apply_radial_impulse(&mut self, center: Vec2, strength: f32, radius: f32) {
        let center = self.frame.to_local(center);
        let change = strength / (self.settings.mass + self.settings.end_mass);
        self.change_velocities(|rope, i| {
            let away = rope.points.position(i) - center;
            let near = 1.0 - away.length() / radius.max(f32::MIN_POSITIVE);
            away.normalize_or_zero() * change * near.max(0.0)
        });
    }

    fn change_velocities(&mut self, change: impl Fn(&Rope, usize) -> Vec2) {
        for i in 0..self.points.len() {
            let change = change(self, i);
            if change != Vec2::ZERO && change.is_finite() {
                self.set_velocity(i, self.velocity(i) + change);
            }
        }
    }

    /// Pushes point `i` with `force` (kg px/s2) during the next tick.
    pub fn apply_force(&mut self, i: usize, force: Vec2) {
        self.forces.resize(self.points.len(), Vec2::ZERO);
        self.forces[i] += force;
        self.wake();
    }

    /// Forgets the forces of the next tick.
    pub fn drop_forces(&mut self) {
        self.forces.clear();
    }

    /// The point nearest to a global position and at most `max_distance` px from it.
    pub fn closest_point(&self, to: Vec2, max_distance: f32) -> Option<usize> {
        self.closest_of(0..self.points.len(), to, max_distance)
    }

    /// The same among those that nothing holds.
    pub fn closest_free_point(&self, to: Vec2, max_distance: f32) -> Option<usize> {
        self.closest_of((0..self.points.len()).filter(|&i| !self.is_pinned(i)), to, max_distance)
    }

    fn closest_of(&self, points: impl Iterator<Item = usize>, to: Vec2, max_distance: f32) -> Option<usize> {
        let to = self.frame.to_local(to);
        let distance = |i: &usize| self.points.position(*i).distance_squared(to);
        let nearest = points.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest).sqrt() <= max_distance).then_some(nearest)
    }
}
