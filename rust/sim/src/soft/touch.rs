//! What a user may do to single points. Indices must be in range; positions and vectors finite.

use super::SoftBody;
use crate::substeps::INNER_STEP;
use glam::Vec2;

impl SoftBody {
    /// Puts point `i` at a global position, with the velocity that it has.
    pub fn set_position(&mut self, i: usize, position: Vec2) {
        self.fresh = false;
        let local = self.frame.to_local(position);
        self.points.set_position(i, local);
        self.points.begin();
        (self.start_x[i], self.start_y[i]) = (local.x, local.y);
        self.collision.contacts.lose();
        self.wake();
    }

    /// Sets the velocity of point `i` in px/s; a held one keeps its holder's.
    pub fn set_velocity(&mut self, i: usize, velocity: Vec2) {
        if self.points.inv_mass[i] <= 0.0 {
            return;
        }
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

    /// Changes the velocity of all of it by `impulse` (kg px/s) over its mass, and turns it if the impulse acts at a global position beside its centre.
    pub fn apply_impulse_at(&mut self, impulse: Vec2, position: Vec2) {
        let middle = self.middle();
        let arm = self.frame.to_local(position) - middle;
        let masses = self.material.own_masses();
        let inertia: f32 =
            masses.iter().enumerate().map(|(i, mass)| mass * (self.points.position(i) - middle).length_squared()).sum();
        let change = impulse / self.material.mass();
        let spin = if inertia > 0.0 { arm.perp_dot(impulse) / inertia } else { 0.0 };
        self.change_velocities(|body, i| change + (body.points.position(i) - middle).perp() * spin);
    }

    /// Changes the velocity of all free points by `impulse` (kg px/s) over the mass of the whole.
    pub fn apply_central_impulse(&mut self, impulse: Vec2) {
        let change = impulse / self.material.mass();
        self.change_velocities(|_, _| change);
    }

    /// Pushes all free points within `radius` px of `center` (global) away from it: by their part of `strength` (kg px/s, for the whole body) at
    /// the center, by nothing at the radius.
    pub fn apply_radial_impulse(&mut self, center: Vec2, strength: f32, radius: f32) {
        let center = self.frame.to_local(center);
        let change = strength / self.material.mass();
        self.change_velocities(|body, i| {
            let away = body.points.position(i) - center;
            let near = 1.0 - away.length() / radius.max(f32::MIN_POSITIVE);
            away.normalize_or_zero() * change * near.max(0.0)
        });
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

    /// Whether a global position is inside of its outline.
    pub fn contains(&self, position: Vec2) -> bool {
        let to = self.frame.to_local(position);
        let outline = &self.mesh.outline;
        let mut inside = false;
        let mut before = self.points.position(outline[outline.len() - 1] as usize);
        for &i in outline {
            let at = self.points.position(i as usize);
            if (at.y > to.y) != (before.y > to.y)
                && to.x < before.x + (at.x - before.x) * (to.y - before.y) / (at.y - before.y)
            {
                inside = !inside;
            }
            before = at;
        }
        inside
    }
}
