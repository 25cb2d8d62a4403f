//! Being thrown back from what moves: rigid bodies, and other soft ones.
//!
//! What strikes a soft body dents it, and is thrown back as it comes into shape again, but for what is lost in it. When they part, and are slower than bounce says, they are given the rest: each pushes
//! at the other, so momentum is kept. A body that lies on something is as heavy as that.

use super::SoftBody;
use super::pile::Pile;
use super::rows::Other;
use crate::contact::Contact;
use crate::island::Rigid;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A slower approach than this in px/s does not bounce.
const SOFTEST: f32 = 12.0;
/// A rigid body comes back to these parts of the height from which it fell, without any bounce and with all of it; a slow one, for which this is the half speed in px/s, to less.
const LEAST: f32 = 0.2;
const MOST: f32 = 0.95;
const LIVELY: f32 = 100.0;
/// What was to be thrown back by now, so many seconds after it should have left, is.
const LATE: f32 = 0.03;
/// What has not left after so many seconds stays.
const LASTS: f32 = 0.6;
/// What pushes so far against another is supported by it: the cosine between them.
const SUPPORTS: f32 = 0.3;

/// What has struck a body, and not left it yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Blow {
    /// Its key.
    pub key: u64,
    /// When it pressed hardest: where to it was, as a unit vector; where it touched, beside the middle; and how hard. And how fast it came in px/s.
    normal: Vec2,
    hardest: f32,
    arm: Vec2,
    speed: f32,
    bounce: f32,
    /// It is a rigid body.
    heavy: bool,
    /// How long ago, and after what time it turned round, in seconds; negative: not yet.
    age: f32,
    turned: f32,
}

impl Blow {
    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        self.normal.is_finite()
            && self.arm.is_finite()
            && [self.speed, self.bounce, self.age, self.turned, self.hardest].iter().all(|number| number.is_finite())
    }

    /// The same without what tells it from others, which differs between runs.
    pub fn anonymous(&self) -> Blow {
        Blow { key: 0, ..*self }
    }

    /// Takes down when it turned round.
    fn turn(&mut self, leaves: Vec2) {
        if self.turned < 0.0 && leaves.dot(self.normal) >= 0.0 {
            self.turned = self.age;
        }
    }

    /// By how much they part too slowly, in px/s, if they do so with the velocity `leaves`; None: they do not part.
    fn missing(&self, leaves: Vec2, pressing: bool) -> Option<f32> {
        let along = leaves.dot(self.normal);
        if pressing {
            // It is damped so much that it does not bring that back by itself.
            let late = self.turned >= 0.0 && self.age > 2.0 * self.turned + LATE;
            let missing = (MOST * self.bounce).sqrt() * self.speed - along;
            return (late && missing > 0.0).then_some(missing);
        }
        // By the height to which it comes.
        let least = LEAST * self.speed / (self.speed + LIVELY);
        let height = if self.heavy { least + (MOST - least) * self.bounce } else { MOST * self.bounce };
        (along > 0.0).then(|| (height.sqrt() * self.speed - along).max(0.0))
    }
}

/// What presses at a body now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    key: u64,
    /// Of all contacts together, towards the body.
    push: Vec2,
    /// Their places, relative to the body's frame, times how hard each pushes; and how hard they push in all.
    places: Vec2,
    sum: f32,
    bounce: f32,
}

impl Pile {
    /// Throws back what parts in a substep of `h` seconds.
    pub(super) fn rebound(&mut self, bodies: &mut [&mut SoftBody], rigids: &mut [Rigid], h: f32) {
        let mut presses = std::mem::take(&mut self.presses);
        for index in 0..bodies.len() {
            if !bodies[index].room.awake {
                continue;
            }
            presses.clear();
            bodies[index].press_rigids(rigids, &mut presses);
            for &pair in &self.of[self.first[index]..self.first[index + 1]] {
                // Each pair belongs to its first body.
                let pair = &self.pairs[pair];
                let push = pair.force;
                if pair.bodies[0] == index && pair.bounce > 0.0 && push != Vec2::ZERO {
                    let (places, sum) = (pair.place, 1.0);
                    presses.push(Press { key: bodies[pair.bodies[1]].key, push, places, sum, bounce: pair.bounce });
                }
            }
            if presses.is_empty() && bodies[index].collision.blows.is_empty() {
                continue;
            }
            self.strike(index, bodies, rigids, &presses, h);
        }
        self.presses = presses;
    }

    fn strike(&self, index: usize, bodies: &mut [&mut SoftBody], rigids: &mut [Rigid], presses: &[Press], h: f32) {
        let mut blows = std::mem::take(&mut bodies[index].collision.blows);
        let soft_of = |bodies: &[&mut SoftBody], key: u64| {
            let pairs = self.of[self.first[index]..self.first[index + 1]].iter().map(|&pair| self.pairs[pair].bodies);
            pairs.map(|[one, other]| if one == index { other } else { one }).find(|&other| bodies[other].key == key)
        };
        for press in presses {
            let Some(normal) = (-press.push).try_normalize() else { continue };
            let came = bodies[index].base_way() / h;
            let rigid = rigid_of(rigids, press.key);
            let other = match rigid {
                Some(rigid) => rigids[rigid].velocity,
                None => soft_of(bodies, press.key).map_or(came, |soft| bodies[soft].base_way() / h),
            };
            let speed = (came - other).dot(normal);
            let arm = press.places / press.sum.max(f32::MIN_POSITIVE) - bodies[index].middle();
            let hardest = press.push.length();
            let blow = Blow {
                key: press.key,
                normal,
                arm,
                hardest,
                speed,
                bounce: press.bounce,
                heavy: rigid.is_some(),
                age: 0.0,
                turned: -1.0,
            };
            match blows.iter_mut().find(|blow| blow.key == press.key) {
                Some(known) => {
                    if speed > known.speed {
                        (known.speed, known.age, known.turned) = (speed, 0.0, -1.0);
                    }
                    known.bounce = known.bounce.max(press.bounce);
                    if hardest > known.hardest {
                        (known.normal, known.arm, known.hardest) = (normal, arm, hardest);
                    }
                }
                None if speed > SOFTEST => blows.push(blow),
                None => (),
            }
        }
        blows.retain_mut(|blow| {
            blow.age += h;
            let pressing = presses.iter().any(|press| press.key == blow.key);
            let mine = bodies[index].base_way() / h;
            let give = bodies[index].give_along(blow.normal);
            if let Some(rigid) = rigid_of(rigids, blow.key) {
                let rigid = &mut rigids[rigid];
                let leaves = rigid.velocity - mine;
                blow.turn(leaves);
                let Some(missing) = blow.missing(leaves, pressing) else { return blow.age < LASTS };
                let impulse = blow.normal * (missing * h / (give + rigid.inv_mass).max(f32::MIN_POSITIVE));
                let place = bodies[index].center() + blow.arm;
                rigid.push(impulse, (place - rigid.center - rigid.now.moved).perp_dot(impulse));
                bodies[index].kick(-impulse, place);
            } else if let Some(soft) = soft_of(bodies, blow.key) {
                let leaves = bodies[soft].base_way() / h - mine;
                blow.turn(leaves);
                let Some(missing) = blow.missing(leaves, pressing) else { return blow.age < LASTS };
                let give = give + bodies[soft].give_along(-blow.normal);
                if give > 0.0 {
                    let impulse = blow.normal * (missing * h / give);
                    let place = bodies[index].center() + blow.arm;
                    bodies[index].kick(-impulse, place);
                    bodies[soft].kick(impulse, place);
                }
            }
            false
        });
        bodies[index].collision.blows = blows;
    }
}

/// The index of the rigid body with a key.
fn rigid_of(rigids: &[Rigid], key: u64) -> Option<usize> {
    rigids.binary_search_by_key(&key, |rigid| rigid.key).ok()
}

impl SoftBody {
    /// Adds how rigid bodies press at it that throw back.
    fn press_rigids(&self, rigids: &[Rigid], presses: &mut Vec<Press>) {
        if !self.room.touches {
            return;
        }
        for (row, contact) in self.collision.pushes.rows.iter().zip(&self.collision.contacts.list) {
            let Other::Rigid { rigid, .. } = row.other else { continue };
            if row.push.dot(row.normal) <= 0.0 {
                continue;
            }
            let key = rigids[rigid].key;
            let (skin, sum) = (&self.collision.skin, row.push.dot(row.normal));
            let places = contact.at(|k| skin.position(k)) * sum;
            let press = Press { key, push: row.push, places, sum, bounce: contact.bounce };
            match presses.iter_mut().find(|press| press.key == key) {
                Some(known) => {
                    (known.push, known.places) = (known.push + press.push, known.places + press.places);
                    (known.sum, known.bounce) = (known.sum + press.sum, known.bounce.max(press.bounce));
                }
                None => presses.push(press),
            }
        }
    }

    /// How far a push of 1 moves the whole of it against `normal`: not at all if it is held or lies on something there.
    fn give_along(&self, normal: Vec2) -> f32 {
        let lies = |contact: &&Contact| contact.active && contact.push > 0.0 && contact.normal.dot(normal) > SUPPORTS;
        let supported = self.room.touches && self.collision.contacts.list.iter().any(|contact| lies(&contact));
        if supported || self.sleeping || !self.pins.is_empty() { 0.0 } else { 1.0 / self.mass() }
    }

    /// How what carries it moves: what holds it, or on what it lies; otherwise it as a whole.
    fn base_way(&self) -> Vec2 {
        let held = self.pins.iter().map(|pin| self.points.way(pin.point));
        let lies = self.collision.contacts.list.iter().filter(|contact| self.room.touches && contact.push > 0.0);
        let stands = |contact: &&Contact| self.collision.nearby.carrier_of(contact.near).is_none();
        let drifts = lies.filter(|contact| contact.active).filter(stands).map(|contact| contact.drift);
        let (sum, count) = held.chain(drifts).fold((Vec2::ZERO, 0), |(sum, count), way| (sum + way, count + 1));
        if count > 0 { sum / count as f32 } else { self.mean_way() }
    }

    /// Changes the ways of all free points by an impulse in kg px at a global place: moves and turns it as a whole.
    fn kick(&mut self, impulse: Vec2, place: Vec2) {
        let middle = self.middle();
        let arm = self.frame.to_local(place) - middle;
        let held = self.settings.lock_rotation || !self.pins.is_empty();
        let inertia = |(i, mass): (usize, &f32)| mass * (self.points.position(i) - middle).length_squared();
        let inertia: f32 = self.material.masses().iter().enumerate().map(inertia).sum();
        let spin = if held || inertia <= 0.0 { 0.0 } else { arm.perp_dot(impulse) / inertia };
        self.change_ways(impulse / self.mass(), spin, middle);
    }
}
