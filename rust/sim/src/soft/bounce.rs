//! Being thrown back.
//!
//! A soft body does not leave a surface when its first point touches it. So bounce belongs to the whole: what it struck is remembered, and how fast; and when the place where it is pressed
//! turns round, it is given the rest of the speed with which it is to leave.

use super::SoftBody;
use super::collide::Collision;
use crate::contact::Contact;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A slower approach than this in px/s does not bounce.
const SOFTEST_BOUNCE: f32 = 12.0;

/// What a body has struck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Strike {
    /// How fast it came, in px/s; and what moved as a whole beside what it struck, in kg px2/s2.
    speed: f32,
    energy: f32,
    /// It has been thrown back.
    thrown: bool,
}

impl Strike {
    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        self.speed.is_finite() && self.energy.is_finite()
    }
}

/// How a body moves as a whole in a substep, in px and rad, and what it weighs against turning; 0 if it may not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    mean: Vec2,
    spin: f32,
    inertia: f32,
}

impl SoftBody {
    /// How it moves as a whole in this substep.
    pub(super) fn motion(&self) -> Motion {
        let (middle, mean) = (self.middle(), self.mean_way());
        let (mut turning, mut inertia) = (0.0, 0.0);
        if !self.settings.lock_rotation {
            for (i, &mass) in self.material.masses().iter().enumerate() {
                let off = self.points.position(i) - middle;
                turning += mass * off.perp_dot(self.points.way(i) - mean);
                inertia += mass * off.length_squared();
            }
        }
        Motion { mean, spin: if inertia > 0.0 { turning / inertia } else { 0.0 }, inertia }
    }

    /// The energy of that beside what drifts, in kg px2.
    fn energy(&self, motion: &Motion, drift: Vec2) -> f32 {
        let Motion { mean, spin, inertia } = *motion;
        0.5 * (self.material.mass() * (mean - drift).length_squared() + inertia * spin * spin)
    }

    /// Throws it back from what it has struck, as bounce says.
    ///
    /// A soft body does not leave a surface when its first point touches it. So what it struck is remembered, and how fast; and when the place where it is pressed
    /// turns round, it is given the rest of the speed with which it is to leave.
    pub(super) fn bounce(&mut self, h: f32) {
        let Collision { contacts, nearby, skin_points, .. } = &self.collision;
        // What gives way is thrown back itself.
        let stands = |contact: &&Contact| nearby.carrier_of(contact.near).is_none();
        let active = |contact: &&Contact| contact.active && contact.push > 0.0;
        let pressed = || contacts.list.iter().filter(stands).filter(active);
        // Where it is pressed, and how, all contacts together.
        let (mut push, mut place, mut drift, mut bounce) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, 0.0f32);
        let mut sum = 0.0;
        for contact in pressed() {
            push += contact.normal * contact.push;
            place += contact.at(|k| self.points.position(skin_points[k] as usize)) * contact.push;
            drift += contact.drift * contact.push;
            bounce = bounce.max(contact.bounce);
            sum += contact.push;
        }
        let Some(normal) = push.try_normalize().filter(|_| sum > 0.0) else {
            self.strike = None;
            return;
        };
        let Some(before) = self.room.came.filter(|_| bounce > 0.0) else { return };
        let (place, drift) = (place / sum, drift / sum);
        let middle = self.middle();
        let arm = place - middle;
        let motion = self.motion();
        let at_place = |motion: &Motion| (motion.mean + arm.perp() * motion.spin - drift).dot(normal) / h;
        let came = -at_place(&before);
        let fastest = self.strike.map_or(0.0, |strike| strike.speed);
        // Below the softest it rests.
        if came > SOFTEST_BOUNCE.max(fastest) && self.strike.is_none_or(|strike| !strike.thrown) {
            let energy = self.energy(&before, drift) / (h * h);
            let most = self.strike.map_or(energy, |strike| energy.max(strike.energy));
            self.strike = Some(Strike { speed: came, energy: most, thrown: false });
        }
        let leaves = at_place(&motion);
        if leaves < 0.0 {
            return;
        }
        let energy = self.energy(&motion, drift) / (h * h);
        let Motion { inertia, .. } = motion;
        let Some(strike) = self.strike.as_mut().filter(|strike| !strike.thrown) else { return };
        strike.thrown = true;
        let missing = bounce * strike.speed - leaves;
        if missing <= 0.0 {
            return;
        }
        let lever = arm.perp_dot(normal);
        let give = 1.0 / self.material.mass() + if inertia > 0.0 { lever * lever / inertia } else { 0.0 };
        // It does not leave with more than it came with: what its parts have besides comes on top.
        let left = (strike.energy - energy).max(0.0);
        let most = ((leaves * leaves + 2.0 * give * left).sqrt() - leaves) / give;
        let impulse = (missing / give).min(most) * h;
        let turn = if inertia > 0.0 { lever * impulse / inertia } else { 0.0 };
        let shift = normal * (impulse / self.material.mass());
        self.change_ways(shift, turn, middle);
    }

    /// Moves all free points farther by `shift` px in this substep, and by turning the body by `spin` rad about its `middle`; they keep their places.
    pub(super) fn change_ways(&mut self, shift: Vec2, spin: f32, middle: Vec2) {
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] > 0.0 {
                let off = self.points.position(i) - middle;
                self.points.set_way(i, self.points.way(i) + shift + off.perp() * spin);
            }
        }
    }
}
