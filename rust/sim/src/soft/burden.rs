//! What a soft body carries.
//!
//! A body that nothing rests on is as firm and as damped as its settings say. What rests on it makes it firmer, so that it is dented and not flattened, however heavy that is; and damps it
//! more, since the same wobble of what is heavier dies down slower. So stacks and piles come to rest like a single body.

use super::SoftBody;
use glam::Vec2;

/// The strain to which what it carries brings it at most, about.
const MOST_STRAIN: f32 = 0.25;
/// How much firmer it gets at most.
const FIRMEST: f32 = 1000.0;
/// In how many seconds a load is taken up, and forgotten: what bounces on it comes back.
const TAKES_UP: f32 = 0.15;
const FORGETS: f32 = 0.6;
/// Loads that differ by less than this part are the same: the matrix would have to be made anew.
const STEPS: f32 = 1.25;
/// What is slower than this in px/s, root mean square, comes to a halt. A fourth of that many times gravity at most, at half the speed: what leans farther than that falls.
const SLOW: f32 = 3.0;
const MOST_HALT: f32 = 0.4;
/// What presses with another force by this part of it presses otherwise.
const OTHER: f32 = 0.5;
/// A load below this part of its own weight is none.
const LEAST: f32 = 0.25;

/// What pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    World,
    Rigid,
    Soft,
}

/// What presses at a body in a tick, in kg px/s2.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Squeeze {
    /// All pushes, by how hard they are, and as vectors; and those of rigid and of soft bodies.
    pub sum: f32,
    pub vector: Vec2,
    pub rigid: f32,
    pub soft: f32,
}

impl Squeeze {
    /// Adds a push.
    pub fn add(&mut self, push: Vec2, by: By) {
        let strength = push.length();
        self.sum += strength;
        self.vector += push;
        match by {
            By::World => (),
            By::Rigid => self.rigid += strength,
            By::Soft => self.soft += strength,
        }
    }

    /// The same for a time that is so many times as long.
    pub fn mean(&self, count: u32) -> Squeeze {
        let per = 1.0 / count as f32;
        Squeeze { sum: self.sum * per, vector: self.vector * per, rigid: self.rigid * per, soft: self.soft * per }
    }

    /// What the body carries: pushes that cancel each other press it.
    fn load(&self) -> f32 {
        (0.5 * (self.sum - self.vector.length())).clamp(0.0, self.rigid + self.soft)
    }
}

/// Whether something presses otherwise `now` than it did `then`: by more than half of that and `least` besides, or not any more if it pressed by more than `left`. All in kg px/s2.
pub(crate) fn presses_otherwise(now: Vec2, then: Vec2, least: f32, left: f32) -> bool {
    (now == Vec2::ZERO && then.length() > left) || now.distance(then) > OTHER * then.length() + least
}

/// By how much a load makes a material firmer, and more damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hardened {
    pub stiffness: f32,
    pub damping: f32,
}

impl SoftBody {
    /// What leans on other bodies and hardly moves comes to a halt: a stack would bend more and more, as any soft column does, and topple at last; and a heavy crate would tremble.
    pub(super) fn come_to_a_halt(&mut self, h: f32) {
        if !self.room.leans {
            return;
        }
        let count = self.points.len() as f32;
        let speed =
            ((0..self.points.len()).map(|i| self.points.way(i).length_squared()).sum::<f32>() / count).sqrt() / h;
        if speed < SLOW {
            let halts = MOST_HALT * self.gravity.length() / SLOW;
            let kept = (-halts * (1.0 - speed / SLOW) * h).exp();
            (0..self.points.len()).for_each(|i| self.points.set_way(i, self.points.way(i) * kept));
        }
    }

    /// Takes up what pressed at it in a tick of `time` seconds; nothing carries more than `most` (kg px/s2).
    pub(super) fn take_up(&mut self, squeeze: &Squeeze, most: f32, time: f32) {
        let now = squeeze.load().min(most);
        let now = if now.is_finite() { now } else { 0.0 };
        let soft = squeeze.soft / (squeeze.rigid + squeeze.soft).max(f32::MIN_POSITIVE);
        let rate = |now: f32, before: f32| 1.0 - (-time / if now > before { TAKES_UP } else { FORGETS }).exp();
        self.load += (now - self.load) * rate(now, self.load);
        self.soft_load += (soft * now - self.soft_load) * rate(soft * now, self.soft_load);
        let least = LEAST * self.material.mass() * self.gravity.length();
        let (load, known) = (if self.load > least { self.load } else { 0.0 }, self.borne);
        if load > known * STEPS || load < known / STEPS {
            (self.borne, self.soft_borne) = (load, self.soft_load.min(load));
            self.systems.outdate();
        }
    }

    /// Its weight in kg px/s2.
    pub(super) fn weight(&self) -> f32 {
        self.material.mass() * self.gravity.length() * self.settings.gravity_scale.abs()
    }

    /// What a body of its size and weight needs not to be crushed by itself and what it carries, in kg/s2.
    pub(super) fn burden(&self) -> f32 {
        let gravity = self.gravity.length() * self.settings.gravity_scale.abs();
        (self.material.mass_with_loads() * gravity + self.borne) / self.width()
    }

    /// The side of a square of its area, in px.
    fn width(&self) -> f32 {
        self.rest_area().max(f32::MIN_POSITIVE).sqrt()
    }

    /// How its load hardens it.
    pub(super) fn hardened(&self) -> Hardened {
        if self.borne <= 0.0 {
            return Hardened { stiffness: 1.0, damping: 1.0 };
        }
        let strain = self.borne / (self.width() * self.settings.stiffness.max(f32::MIN_POSITIVE));
        let stiffness = (1.0 + (strain / MOST_STRAIN).powi(2)).sqrt().min(FIRMEST);
        // A load of one piece swings with the root of what it weighs; a pile of bodies as slowly as it is high.
        let weight = (self.material.mass() * self.gravity.length()).max(f32::MIN_POSITIVE);
        let heavier = (1.0 + self.borne / weight) * (1.0 + self.soft_borne / weight);
        Hardened { stiffness, damping: (stiffness * heavier).sqrt().min(FIRMEST) }
    }
}
