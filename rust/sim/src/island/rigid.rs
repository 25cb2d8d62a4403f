//! A rigid body of the engine's, as those see it that hang on it or touch it.

use glam::Vec2;

/// How a rigid body has moved since the beginning of a tick. Small numbers: they stay exact far from the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// By how many px its centre of mass.
    pub moved: Vec2,
    /// By what angle in radians.
    pub turned: f32,
}

impl Motion {
    /// Where a place is now that was `arm` beside the centre of mass at the beginning, relative to where that was then.
    pub fn carry(&self, arm: Vec2) -> Vec2 {
        self.moved + Vec2::from_angle(self.turned).rotate(arm)
    }
}

/// A rigid body in a tick.
///
/// It is predicted with its velocity and what accelerates it, is pulled at in every substep, and what it was given in all is one impulse at the
/// end of the tick ([`Rigid::impulse`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rigid {
    /// What tells it from others: [`crate::collide::ColliderKey::body`], and the key of [`crate::rope::Holder`].
    pub key: u64,
    /// Its centre of mass at the beginning of the tick, in global px.
    pub center: Vec2,
    /// Velocity of the centre of mass in px/s: as it is (`h_before` 0), or the mean of the last substep.
    pub velocity: Vec2,
    /// Angular velocity in rad/s, likewise.
    pub spin: f32,
    /// What accelerates it besides what is simulated here, in px/s2: gravity, and what else the engine does to it.
    pub acceleration: Vec2,
    /// The same for its rotation, in rad/s2.
    pub spin_acceleration: f32,
    /// Inverse mass in 1/kg; 0: nothing moves it.
    pub inv_mass: f32,
    /// Inverse moment of inertia in 1/(kg px2); 0: nothing turns it.
    pub inv_inertia: f32,
    /// The engine has put it to sleep.
    pub sleeping: bool,
    /// The last substep in seconds.
    pub h_before: f32,
    /// At the beginning of the substep, and now.
    pub start: Motion,
    /// See `start`.
    pub now: Motion,
    /// What pulls at it in this substep, in kg px, and turns it, in kg px2.
    pull: Vec2,
    twist: f32,
    /// How much of it those hold that hold it, in parts of any size.
    parts: f32,
    /// How hard they pull in all, and how many they are.
    load: f32,
    holds: u32,
}

impl Rigid {
    /// Begins a tick.
    pub fn begin(&mut self) {
        (self.start, self.now) = (Motion::default(), Motion::default());
        self.begin_hold();
        self.load = 0.0;
        self.holds = 0;
    }

    /// Predicts it to the end of a substep.
    pub(super) fn advance(&mut self, h: f32) {
        let factor = 0.5 * h * (h + self.h_before);
        self.start = self.now;
        self.now.moved += self.velocity * h + self.acceleration * factor;
        self.now.turned += self.spin * h + self.spin_acceleration * factor;
        self.begin_hold();
    }

    fn begin_hold(&mut self) {
        (self.pull, self.twist, self.parts) = (Vec2::ZERO, 0.0, 0.0);
    }

    /// Says that something holds on to it in this substep, as a part of all.
    pub fn hold(&mut self, part: f32) {
        self.parts += part;
    }

    /// How many times as light it is for somebody who holds a part of it. Each has a copy of it with a part of its mass; what they all give their copies
    /// the body gets (R. Tonge, F. Benevolenski, A. Voroshilov 2012).
    pub fn split(&self, part: f32) -> f32 {
        (self.parts / part).max(1.0)
    }

    /// What it sets against being pulled along `direction` at a place `arm` beside its centre of mass, inverse: 1/kg.
    pub fn inv_mass_at(&self, arm: Vec2, direction: Vec2) -> f32 {
        let lever = arm.perp_dot(direction);
        self.inv_mass + lever * lever * self.inv_inertia
    }

    /// Pulls at it with an impulse in kg px at a place `arm` beside its centre of mass.
    pub fn pull(&mut self, arm: Vec2, impulse: Vec2) {
        self.pull += impulse;
        self.twist += arm.perp_dot(impulse);
    }

    /// Says how hard somebody pulls who holds on to it.
    pub fn weigh(&mut self, load: f32) {
        self.load += load;
        self.holds += 1;
    }

    /// What part of it somebody should hold who pulls as hard as `load`: as much as of the whole load; a little more evenly, so that those stay
    /// even who have nothing to tell them apart.
    pub fn fair_part(&self, load: f32) -> f32 {
        let even = 1.0 / self.holds.max(1) as f32;
        if self.load > 0.0 { EVEN * even + (1.0 - EVEN) * load / self.load } else { even }
    }

    /// Moves it by what pulls at it, and ends the substep.
    pub(super) fn follow(&mut self, h: f32) {
        self.now.moved += self.pull * self.inv_mass;
        self.now.turned += self.twist * self.inv_inertia;
        self.velocity = (self.now.moved - self.start.moved) / h;
        self.spin = (self.now.turned - self.start.turned) / h;
        self.h_before = h;
    }

    /// Forgets the loads of the substep before.
    pub(super) fn forget_loads(&mut self) {
        (self.load, self.holds) = (0.0, 0);
    }
}

/// How much of the parts is even.
const EVEN: f32 = 0.1;
