//! What is known of a rigid body from tick to tick.
//!
//! The engine moves its bodies by semi-implicit Euler: `v += a dt; x += v dt`. That is leapfrog with the tick as its step: the velocity that it tells is the
//! mean of the last tick. A rigid body is predicted so, and in a tick that nothing pulls at it ends where the engine will have it. What was pulled at it becomes
//! one impulse, such that the engine takes it just where it was solved to be. A pull that changes within the tick leaves it
//! another velocity at the end than in the mean; the difference is kept for the next tick, or a load that swings would lose it.
//!
//! What else the engine does to a body, as to one that stands on a floor, is not known before. It is taken to be what it was in the last tick, as far as it was the
//! same in the one before: a crate at rest is predicted to stay.

use super::Rigid;
use crate::substeps::INNER_STEP;
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// What the engine does to a body in px/s2 beyond gravity is a blow if it is more than this, and not expected to last.
const BLOW: f32 = 4000.0;
/// The same in rad/s2.
const TWIST: f32 = 200.0;
/// And so many times what it was given in the last tick: a light crate under something heavy is held by the floor.
const HELD: f32 = 1.5;
/// A body that is farther than this in px or rad from where it was to be was stopped or put there.
const OFF: f32 = 0.2;
const TURNED_OFF: f32 = 0.01;
/// Velocities that differ by less in px/s, rad/s are the same.
const SAME: f32 = 0.5;
const SAME_SPIN: f32 = 0.02;
/// The most that a body is given in a tick in px/s, rad/s, besides twice what it has.
const MOST_PUSH: f32 = 6000.0;
const MOST_TURN: f32 = 60.0;
/// What is slower in px/s, rad/s does not wake a body that sleeps.
const STILL: f32 = 1.0;
const STILL_SPIN: f32 = 0.05;

/// A rigid body as the engine has it at the beginning of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// See [`Rigid::key`].
    pub key: u64,
    /// Centre of mass in global px.
    pub center: Vec2,
    /// Angle in radians.
    pub angle: f32,
    /// Velocity of the centre of mass in px/s.
    pub velocity: Vec2,
    /// Angular velocity in rad/s.
    pub spin: f32,
    /// What the engine will add to the velocity by gravity, damping and constant forces, in px/s2.
    pub acceleration: Vec2,
    /// The same for the angular velocity, in rad/s2.
    pub spin_acceleration: f32,
    /// See [`Rigid::inv_mass`].
    pub inv_mass: f32,
    /// See [`Rigid::inv_inertia`].
    pub inv_inertia: f32,
    /// The engine has put it to sleep.
    pub sleeping: bool,
    /// It has just come into the world.
    pub new: bool,
}

impl Seen {
    /// Whether every number in it is finite.
    pub fn is_sound(&self) -> bool {
        let numbers = [self.angle, self.spin, self.spin_acceleration, self.inv_mass, self.inv_inertia];
        numbers.iter().all(|number| number.is_finite())
            && [self.center, self.velocity, self.acceleration].iter().all(|vector| vector.is_finite())
            && self.inv_mass > 0.0
            && self.inv_inertia >= 0.0
    }
}

/// One coordinate, or one vector, of what was left of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Left<V> {
    /// Where it was.
    at: V,
    /// Where it was to be in the next tick.
    expected: V,
    /// With what velocity the engine went on.
    velocity: V,
    /// What the engine was to add to that in a second.
    acceleration: V,
    /// What it was given, as an acceleration.
    given: V,
    /// How much faster it was at the end of the tick than in the mean.
    gain: V,
    /// What else the engine did in the tick before, and what of it is expected to last.
    residue: V,
    lasting: V,
}

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Track {
    linear: Left<Vec2>,
    angular: Left<f32>,
    /// The last substep in seconds; 0: none is known.
    h: f32,
    /// Something is known.
    known: bool,
}

/// What a body gets at the end of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse {
    /// Through the centre of mass, in kg px/s.
    pub linear: Vec2,
    /// Around it, in kg px2/s.
    pub angular: f32,
}

impl Track {
    /// How a body will move in a tick of `delta` seconds.
    pub fn predict(&mut self, seen: &Seen, delta: f32) -> Rigid {
        let (mut velocity, mut spin) = (seen.velocity, seen.spin);
        if self.known && !seen.sleeping {
            let coarse = 8.0 * f32::EPSILON * seen.center.abs().max_element() / delta;
            let (line, turn) = (&mut self.linear, &mut self.angular);
            // A script may have set the velocity since; where it is tells what the engine did.
            let went = (seen.center - line.at) / delta;
            let after = if went.distance(seen.velocity) < SAME + coarse { seen.velocity } else { went };
            let residue = (after - line.velocity) / delta - line.acceleration;
            let residue = if residue.length() < BLOW + HELD * line.given.length() + coarse / delta {
                residue
            } else {
                Vec2::ZERO
            };
            line.lasting = shared(line.residue, residue);
            line.residue = residue;
            let went = turned(turn.at, seen.angle) / delta;
            let after = if (went - seen.spin).abs() < SAME_SPIN { seen.spin } else { went };
            let residue = (after - turn.velocity) / delta - turn.acceleration;
            let residue = if residue.abs() < TWIST + HELD * turn.given.abs() { residue } else { 0.0 };
            turn.lasting = if residue * turn.residue > 0.0 { least(residue, turn.residue) } else { 0.0 };
            turn.residue = residue;
            let there = seen.center.distance(line.expected) < OFF + coarse * delta
                && turned(turn.expected, seen.angle).abs() < TURNED_OFF;
            if there {
                velocity += line.gain;
                spin += turn.gain;
            }
        }
        if seen.sleeping && !self.known {
            // Something holds it, or it would not sleep.
            self.linear.lasting = -seen.acceleration;
            self.angular.lasting = -seen.spin_acceleration;
        }
        let acceleration = seen.acceleration + self.linear.lasting;
        let spin_acceleration = seen.spin_acceleration + self.angular.lasting;
        if seen.sleeping || (seen.new && velocity == Vec2::ZERO && spin == 0.0) {
            // It does not move at all: neither did it half a tick ago.
            let h = if self.h > 0.0 { self.h.min(delta) } else { INNER_STEP.min(delta) };
            velocity = acceleration * (-0.5 * (delta - h));
            spin = spin_acceleration * (-0.5 * (delta - h));
        }
        Rigid {
            key: seen.key,
            center: seen.center,
            velocity,
            spin,
            acceleration,
            spin_acceleration,
            inv_mass: seen.inv_mass,
            inv_inertia: seen.inv_inertia,
            sleeping: seen.sleeping,
            h_before: delta,
            ..Rigid::default()
        }
    }

    /// What a body is to be given after a tick of `delta` seconds; None: nothing.
    pub fn impulse(&mut self, seen: &Seen, rigid: &Rigid, delta: f32) -> Option<Impulse> {
        self.h = rigid.h_before;
        let (mean, mean_spin) = (rigid.now.moved / delta, rigid.now.turned / delta);
        let pushed = mean - seen.velocity - rigid.acceleration * delta;
        let turned = mean_spin - seen.spin - rigid.spin_acceleration * delta;
        let finite = pushed.is_finite() && turned.is_finite();
        // Whatever went wrong, it is not fed.
        let pushed = pushed.clamp_length_max(MOST_PUSH + 2.0 * seen.velocity.length());
        let most = MOST_TURN + 2.0 * seen.spin.abs();
        let turned = turned.clamp(-most, most);
        let still = seen.sleeping && mean.length() < STILL && mean_spin.abs() < STILL_SPIN;
        if !finite || still || seen.inv_mass <= 0.0 {
            self.known &= finite;
            if !self.known && !still {
                *self = Track::default();
            }
            return None;
        }
        let rest = 0.5 * (delta - rigid.h_before);
        let line = &mut self.linear;
        line.at = seen.center;
        line.expected = seen.center + rigid.now.moved;
        line.velocity = seen.velocity + pushed;
        line.acceleration = seen.acceleration;
        line.given = pushed / delta;
        line.gain = rigid.velocity - mean - rigid.acceleration * rest;
        let turn = &mut self.angular;
        turn.at = seen.angle;
        turn.expected = seen.angle + rigid.now.turned;
        turn.velocity = seen.spin + turned;
        turn.acceleration = seen.spin_acceleration;
        turn.given = turned / delta;
        turn.gain = rigid.spin - mean_spin - rigid.spin_acceleration * rest;
        self.known = true;
        let angular = if seen.inv_inertia > 0.0 { turned / seen.inv_inertia } else { 0.0 };
        Some(Impulse { linear: pushed / seen.inv_mass, angular })
    }
}

/// What two vectors have in common.
fn shared(one: Vec2, other: Vec2) -> Vec2 {
    let dot = one.dot(other);
    if dot <= 0.0 {
        return Vec2::ZERO;
    }
    let along = one / one.length().max(f32::MIN_POSITIVE);
    along * least(one.length(), other.dot(along))
}

/// The smaller one of two numbers of the same sign.
fn least(one: f32, other: f32) -> f32 {
    if one.abs() < other.abs() { one } else { other }
}

/// By what angle something has turned on the shorter way.
fn turned(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}
