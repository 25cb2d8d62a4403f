//! A rigid body of the engine's, as those see it that hang on it or touch it.

use glam::{DMat3, DVec3, Vec2};

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
    /// The world holds something of its island.
    pub anchored: bool,
    /// The last substep in seconds.
    pub h_before: f32,
    /// At the beginning of the substep, and now.
    pub start: Motion,
    /// See `start`.
    pub now: Motion,
    /// What pulls at it in this substep, in kg px, and turns it, in kg px2.
    pub(super) pull: Vec2,
    pub(super) twist: f32,
    /// How many hold on to it.
    pub(super) holds: u32,
    /// What it sets against being moved and turned, with what rides on it, inverse.
    pub(super) inverse: DMat3,
    pub(super) matrix: DMat3,
    /// How it moves for what is being tried.
    pub(super) answer: DVec3,
}

/// The inertia of what nothing turns, as a multiple of its mass.
const UNTURNED: f64 = 1e18;

impl Rigid {
    /// Begins a tick.
    pub fn begin(&mut self) {
        (self.start, self.now) = (Motion::default(), Motion::default());
        self.let_go();
    }

    /// Predicts it to the end of a substep.
    pub(super) fn advance(&mut self, h: f32) {
        let factor = 0.5 * h * (h + self.h_before);
        self.start = self.now;
        self.now.moved += self.velocity * h + self.acceleration * factor;
        self.now.turned += self.spin * h + self.spin_acceleration * factor;
        self.let_go();
    }

    fn let_go(&mut self) {
        (self.pull, self.twist, self.holds) = (Vec2::ZERO, 0.0, 0);
        let mass = 1.0 / f64::from(self.inv_mass.max(f32::MIN_POSITIVE));
        let inertia = if self.inv_inertia > 0.0 { 1.0 / f64::from(self.inv_inertia) } else { UNTURNED * mass };
        self.matrix = DMat3::from_diagonal(DVec3::new(mass, mass, inertia));
    }

    /// Lets a mass ride on it at a place `arm` beside the centre of mass, in this substep.
    pub fn load(&mut self, arm: Vec2, mass: f32) {
        let (x, y, mass) = (f64::from(arm.x), f64::from(arm.y), f64::from(mass));
        let (along_x, along_y) = (DVec3::new(1.0, 0.0, -y), DVec3::new(0.0, 1.0, x));
        for along in [along_x, along_y] {
            let row = along * mass;
            self.matrix += DMat3::from_cols(along * row.x, along * row.y, along * row.z);
        }
    }

    /// All that rides on it is told.
    pub(super) fn settle(&mut self) {
        self.inverse = if self.inv_mass > 0.0 { self.matrix.inverse() } else { DMat3::ZERO };
    }

    /// By how many px its centre of mass moves, and by what angle it turns, by an impulse in kg px and a twist in kg px2.
    pub fn way(&self, impulse: Vec2, twist: f32) -> (Vec2, f32) {
        let way = self.respond(impulse.extend(twist).as_dvec3()).as_vec3();
        (way.truncate(), way.z)
    }

    /// How it will be moved, and turned, by what has pulled at it in this substep.
    pub fn pulled_way(&self) -> (Vec2, f32) {
        self.way(self.pull, self.twist)
    }

    /// How it moves, and turns, by an impulse and a twist.
    pub(super) fn respond(&self, impulse: DVec3) -> DVec3 {
        self.inverse * impulse
    }

    /// Says that something holds on to it in this substep.
    pub fn hold(&mut self) {
        self.holds += 1;
    }

    /// How many hold on to it in this substep.
    pub fn holds(&self) -> u32 {
        self.holds
    }

    /// Where a place pulls at it in this substep that was `arm` beside the centre of mass at the beginning of the tick. As it is turned at the beginning of the substep: where it will be it
    /// would be fed with energy.
    pub fn lever(&self, arm: Vec2) -> Vec2 {
        Vec2::from_angle(self.start.turned).rotate(arm)
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

    /// Pulls at it with an impulse in kg px through its centre of mass, and a twist in kg px2 around it.
    pub fn push(&mut self, impulse: Vec2, twist: f32) {
        self.pull += impulse;
        self.twist += twist;
    }

    /// Moves it by what pulls at it, and ends the substep.
    pub(super) fn follow(&mut self, h: f32) {
        let (moved, turned) = self.way(self.pull, self.twist);
        // A rope that is broken must not break all others of its island.
        let (moved, turned) = if moved.is_finite() && turned.is_finite() { (moved, turned) } else { (Vec2::ZERO, 0.0) };
        self.now.moved += moved;
        self.now.turned += turned;
        self.velocity = (self.now.moved - self.start.moved) / h;
        self.spin = (self.now.turned - self.start.turned) / h;
        self.h_before = h;
    }
}
