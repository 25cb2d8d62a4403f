//! How a soft body moves as a whole.

use super::SoftBody;
use crate::frame::Pose;
use crate::points::Points;
use crate::substeps::INNER_STEP;
use glam::Vec2;

/// A floor may be steeper than said by so much, in radians: the engine allows this too.
const STEEPER: f32 = 0.01;

impl SoftBody {
    /// Mass of the whole in kg.
    pub fn mass(&self) -> f32 {
        self.material.mass()
    }

    /// The centre of mass in global px.
    pub fn center(&self) -> Vec2 {
        self.frame.to_global(self.middle())
    }

    /// The centre of mass, relative to the frame.
    pub(super) fn middle(&self) -> Vec2 {
        self.mean(|i| self.points.position(i))
    }

    pub(super) fn mean_way(&self) -> Vec2 {
        self.mean(|i| self.points.way(i))
    }

    /// The mean of what the points have, by their masses.
    fn mean(&self, value: impl Fn(usize) -> Vec2) -> Vec2 {
        let masses = self.material.own_masses();
        let (mut sum, mut mass) = (Vec2::ZERO, 0.0);
        for (i, &m) in masses.iter().enumerate() {
            sum += value(i) * m;
            mass += m;
        }
        sum / mass
    }

    /// Takes down how it is turned: the rotation that brings the rest shape nearest to the points. Where there is none, as in a body turned inside
    /// out, it stays as it was.
    pub(super) fn orient(&mut self) {
        self.turn = self.orientation_of(|points, i| points.position(i));
    }

    /// The same for where the points were at the start of the substep.
    pub(super) fn orient_start(&mut self) {
        self.turn = self.orientation_of(|points, i| Vec2::new(points.start_x[i], points.start_y[i]));
    }

    pub(super) fn orientation_of(&self, at: impl Fn(&Points, usize) -> Vec2) -> Vec2 {
        let middle = self.mean(|i| at(&self.points, i));
        let mut sum = Vec2::ZERO;
        for (i, &mass) in self.material.own_masses().iter().enumerate() {
            let (rest, now) = (self.rest[i], at(&self.points, i) - middle);
            sum += Vec2::new(rest.dot(now), rest.perp_dot(now)) * mass;
        }
        sum.try_normalize().unwrap_or(self.turn)
    }

    /// Where its node is to be: its rest shape there is nearest to the points.
    pub fn rigid_pose(&self) -> Pose {
        let turn = self.turn;
        let origin = self.frame.to_global(self.middle() + turn.rotate(self.origin));
        Pose { origin, x: turn.rotate(self.laid.x), y: turn.rotate(self.laid.y) }
    }

    /// By what angle it is turned since it was laid out.
    pub fn turned(&self) -> f32 {
        self.turn.to_angle()
    }

    /// Velocity of the centre of mass in px/s.
    pub fn linear_velocity(&self) -> Vec2 {
        if self.h_before > 0.0 { self.mean_way() / self.h_before } else { Vec2::ZERO }
    }

    /// Sets it; the points go on swinging around it.
    pub fn set_linear_velocity(&mut self, velocity: Vec2) {
        let change = velocity - self.linear_velocity();
        self.change_velocities(|_, _| change);
    }

    /// How fast it turns as a whole, in rad/s.
    pub fn angular_velocity(&self) -> f32 {
        if self.h_before <= 0.0 {
            return 0.0;
        }
        let (middle, mean) = (self.middle(), self.mean_way());
        let (mut momentum, mut inertia) = (0.0, 0.0);
        for (i, &mass) in self.material.own_masses().iter().enumerate() {
            let arm = self.points.position(i) - middle;
            momentum += mass * arm.perp_dot(self.points.way(i) - mean);
            inertia += mass * arm.length_squared();
        }
        if inertia > 0.0 { momentum / inertia / self.h_before } else { 0.0 }
    }

    /// Sets it.
    pub fn set_angular_velocity(&mut self, velocity: f32) {
        let change = velocity - self.angular_velocity();
        let middle = self.middle();
        self.change_velocities(|body, i| (body.points.position(i) - middle).perp() * change);
    }

    /// Its length in the direction in which it is squeezed most, as a part of that at rest: the lesser singular value of the linear map that brings the rest shape
    /// nearest to the points. Negative while it is turned inside out.
    pub fn squash(&self) -> f32 {
        let middle = self.middle();
        // Columns of the moments of the points with the rest shape, and of that with itself.
        let (mut x, mut y, mut xx, mut xy, mut yy) = (Vec2::ZERO, Vec2::ZERO, 0.0, 0.0, 0.0);
        for (i, (rest, &mass)) in self.rest.iter().zip(self.material.own_masses()).enumerate() {
            let at = (self.points.position(i) - middle) * mass;
            x += at * rest.x;
            y += at * rest.y;
            xx += mass * rest.x * rest.x;
            xy += mass * rest.x * rest.y;
            yy += mass * rest.y * rest.y;
        }
        let area = xx * yy - xy * xy;
        if area <= f32::MIN_POSITIVE {
            return 1.0;
        }
        let (x, y) = ((x * yy - y * xy) / area, (y * xx - x * xy) / area);
        // As in complex numbers: the map is `q -> a q + b conj(q)`.
        let a = 0.5 * Vec2::new(x.x + y.y, x.y - y.x);
        let b = 0.5 * Vec2::new(x.x - y.y, x.y + y.x);
        a.length() - b.length()
    }

    /// Whether it lies on something that is not steeper than `max_angle`, in radians.
    pub fn is_on_floor(&self, max_angle: f32) -> bool {
        self.upright >= (max_angle + STEEPER).cos()
    }

    /// Takes down, at the end of a tick, how upright the most level thing is on which it lies.
    pub(super) fn note_floor(&mut self) {
        let up = -self.gravity.try_normalize().unwrap_or(Vec2::Y);
        let touched = self.collision.contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0);
        let others = self.collision.leans_on.iter().map(|(_, force)| force.normalize_or_zero());
        self.upright =
            touched.map(|contact| contact.normal).chain(others).map(|normal| normal.dot(up)).fold(-1.0, f32::max);
    }

    /// Whether another soft body with this key presses at it.
    pub fn leans_on(&self, key: u64) -> bool {
        self.collision.leans_on.iter().any(|(other, _)| *other == key)
    }

    /// Changes the velocities of all free points, in px/s.
    pub(super) fn change_velocities(&mut self, change: impl Fn(&SoftBody, usize) -> Vec2) {
        if self.h_before <= 0.0 {
            self.h_before = INNER_STEP;
        }
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] <= 0.0 {
                continue;
            }
            let change = change(self, i);
            if change.is_finite() {
                let way = self.points.way(i) + change * self.h_before;
                self.points.set_way(i, way);
            }
        }
        self.wake();
    }
}
