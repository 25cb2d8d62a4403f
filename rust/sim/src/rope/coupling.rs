//! Holding on to rigid bodies that yield: ends and pins on them, and contacts with them.
//!
//! A point that is tied to a rigid body is held by it where that will be, but while a substep is solved it is a load: as heavy as the body is there, along
//! the pull. What the solution moves it by, the body is given. A contact yields likewise ([`Contact::give`]).

use super::{Pin, Rope};
use crate::collide::Colliders;
use crate::contact::Contact;
use crate::contact::near::{Carried, Carrier};
use crate::island::Rigid;
use crate::points::Points;
use glam::Vec2;

/// How fast, in px/s, a body is brought to the rope that is out of its reach, as one that is kept behind a wall and let go.
const FETCHED: f32 = 600.0;
/// How much of the way to a fair part of a body is gone in a substep.
const FAIRER: f32 = 0.3;
/// The least part of a body.
const LEAST_PART: f32 = 0.01;

/// A hold on a rigid body.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// The body's key, and its index among those of this tick.
    key: u64,
    rigid: usize,
    /// The point that is tied to it; None: all contacts with it.
    point: Option<usize>,
    /// Where the tie was, beside the centre of mass, at the beginning of the tick.
    arm: Vec2,
    /// How far the point is from there.
    lag: Vec2,
    /// What part of the body it holds.
    part: f32,
    /// How hard it pulled in this substep.
    load: f32,
    /// How heavy it is for the tied point, inverse: 1/kg.
    inv_mass: f32,
    /// How many contacts it stands for; 0: it does not hold.
    count: u32,
    /// It is still there in this tick.
    there: bool,
}

/// What a rope needs to hold on to rigid bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupling {
    /// The keys of the holders that yield, sorted.
    yielding: Vec<u64>,
    holds: Vec<Hold>,
    /// The parts of the rope between pins that do not yield.
    spans: Vec<(usize, usize)>,
    /// The mass of the heaviest that hangs on it, in kg.
    pub heaviest: f32,
}

impl Rope {
    /// The holders with these keys are rigid bodies that it pulls at, as far as the tick brings them; all others hold it whatever it does.
    pub fn set_yielding(&mut self, mut keys: Vec<u64>) {
        keys.sort_unstable();
        keys.dedup();
        if keys != self.coupling.yielding {
            self.coupling.yielding = keys;
            self.wake();
        }
    }

    /// Whether a pin's holder may yield.
    pub(super) fn is_yielding(&self, pin: &Pin) -> bool {
        pin.holder.is_some_and(|holder| self.coupling.yielding.binary_search(&holder.key).is_ok())
    }

    /// Whether point `i` is tied to a rigid body that yields.
    pub(super) fn is_tied_to_rigid(&self, i: usize) -> bool {
        self.coupling.holds.iter().any(|hold| hold.point == Some(i))
    }

    /// Whether it holds on to any rigid body.
    pub(super) fn is_coupled(&self) -> bool {
        !self.coupling.holds.is_empty()
    }

    /// Finds out, at the beginning of a tick, on what it holds.
    pub(super) fn couple(&mut self, colliders: Option<&Colliders>, rigids: &[Rigid]) {
        if rigids.is_empty() && self.coupling.holds.is_empty() {
            return;
        }
        let find = |key: u64| {
            let index = rigids.binary_search_by_key(&key, |rigid| rigid.key).ok();
            index.filter(|&index| rigids[index].inv_mass > 0.0)
        };
        let mut coupling = std::mem::take(&mut self.coupling);
        coupling.holds.iter_mut().for_each(|hold| hold.there = false);
        coupling.heaviest = 0.0;
        for pin in &self.pins {
            let Some(holder) = pin.holder.filter(|holder| coupling.yielding.binary_search(&holder.key).is_ok()) else {
                continue;
            };
            let Some(index) = find(holder.key) else { continue };
            let place = self.pin_target(pin);
            let arm = place - self.frame.to_local(rigids[index].center);
            let lag = self.points.position(pin.point) - place;
            let hold = coupling.hold(holder.key, Some(pin.point));
            (hold.rigid, hold.arm, hold.lag, hold.there) = (index, arm, lag, true);
            coupling.heaviest = coupling.heaviest.max(1.0 / rigids[index].inv_mass);
        }
        let nearby = &mut self.collision.nearby;
        nearby.carriers.clear();
        if let Some(colliders) = colliders.filter(|_| self.settings.collision.push_bodies) {
            for near in &mut nearby.pieces {
                let collider = &colliders.all()[near.collider];
                let Some(index) = find(collider.key.body) else { continue };
                let hold = coupling.hold(collider.key.body, None);
                (hold.rigid, hold.there) = (index, true);
                near.still = false;
                near.carrier = Some(nearby.carriers.len());
                let arm = collider.from.origin - rigids[index].center;
                let center = self.frame.to_local(rigids[index].center);
                let carried = Carried { center, arm, angle: collider.from.angle };
                nearby.carriers.push(Carrier { rigid: index, carried, begin: Default::default(), end: Default::default() });
            }
        }
        coupling.holds.retain(|hold| hold.there);
        let mut spans = std::mem::take(&mut coupling.spans);
        self.coupling = coupling;
        self.fill_spans(&mut spans, |pin| !self.is_tied_to_rigid(pin.point));
        self.coupling.spans = spans;
        self.weigh();
    }

    /// How fast the fastest place is at which it is tied to a rigid body, in px/s.
    pub(super) fn fastest_tie(&self, rigids: &[Rigid]) -> f32 {
        let speed = |hold: &Hold| {
            let rigid = &rigids[hold.rigid];
            (rigid.velocity + hold.arm.perp() * rigid.spin).length()
        };
        self.coupling.holds.iter().filter(|hold| hold.point.is_some()).map(speed).fold(0.0, f32::max)
    }

    /// Brings the tied points to where the bodies will be at the end of the substep of `h` seconds, with `left` substeps to go.
    pub(super) fn move_ties(&mut self, left: u32, h: f32, rigids: &mut [Rigid]) {
        for index in 0..self.coupling.holds.len() {
            let hold = self.coupling.holds[index];
            let Some(point) = hold.point else { continue };
            let rigid = &mut rigids[hold.rigid];
            let place = self.frame.to_local(rigid.center) + rigid.now.carry(hold.arm);
            let mut closed = hold.lag / left as f32;
            if !self.is_within_reach(point, place) {
                closed = closed.clamp_length_max(FETCHED * h);
            }
            let lag = hold.lag - closed;
            let hold = &mut self.coupling.holds[index];
            (hold.lag, hold.count, hold.load) = (lag, 1, 0.0);
            rigid.hold(hold.part);
            let start = self.points.position(point) - self.points.way(point);
            self.points.set_position(point, place + lag);
            self.points.set_way(point, place + lag - start);
        }
    }

    /// Whether the rope reaches from what holds it beside point `i` to `place`.
    fn is_within_reach(&self, i: usize, place: Vec2) -> bool {
        let index = self.pins.partition_point(|pin| pin.point < i);
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        beside.filter_map(|index| self.pins.get(index)).all(|pin| {
            let reach: f32 = self.lengths[pin.point.min(i)..pin.point.max(i)].iter().sum();
            self.points.position(pin.point).distance_squared(place) <= reach * reach
        })
    }

    /// Takes down how the bodies that it may touch move in this substep.
    pub(super) fn carry_nearby(&mut self, rigids: &[Rigid]) {
        for carrier in &mut self.collision.nearby.carriers {
            let rigid = &rigids[carrier.rigid];
            carrier.begin = carrier.carried.at(&rigid.start);
            carrier.end = carrier.carried.at(&rigid.now);
        }
    }

    /// Says on which bodies its contacts hold in this substep.
    pub(super) fn hold_contacts(&mut self, rigids: &mut [Rigid]) {
        if self.collision.nearby.carriers.is_empty() {
            return;
        }
        let Rope { collision, coupling, .. } = self;
        for hold in coupling.holds.iter_mut().filter(|hold| hold.point.is_none()) {
            let touches = |contact: &&Contact| {
                let carrier = collision.nearby.carrier_of(contact.near);
                contact.active && carrier.is_some_and(|carrier| carrier.rigid == hold.rigid)
            };
            hold.count = collision.contacts.list.iter().filter(touches).count() as u32;
            hold.load = 0.0;
            if hold.count > 0 {
                rigids[hold.rigid].hold(hold.part);
            }
        }
    }

    /// Makes the tied points as heavy as what they are tied to, for solving; the spans go through them then.
    pub(super) fn load_ties(&mut self, rigids: &[Rigid]) {
        for index in 0..self.coupling.holds.len() {
            let hold = self.coupling.holds[index];
            let Some(point) = hold.point else { continue };
            let rigid = &rigids[hold.rigid];
            let arm = Vec2::from_angle(rigid.now.turned).rotate(hold.arm);
            let at = self.points.position(point);
            let mut towards = Vec2::ZERO;
            if point > 0 {
                towards += (self.points.position(point - 1) - at).normalize_or_zero();
            }
            if point + 1 < self.points.len() {
                towards += (self.points.position(point + 1) - at).normalize_or_zero();
            }
            let inv_mass = match towards.try_normalize() {
                Some(direction) => rigid.inv_mass_at(arm, direction),
                None => rigid.inv_mass + 0.5 * arm.length_squared() * rigid.inv_inertia,
            };
            self.coupling.holds[index].inv_mass = inv_mass * rigid.split(hold.part);
        }
        self.coupling.let_ties(&mut self.points);
        std::mem::swap(&mut self.spans, &mut self.coupling.spans);
    }

    /// The opposite of [`Rope::load_ties`].
    pub(super) fn unload_ties(&mut self) {
        self.coupling.hold_ties(&mut self.points);
        std::mem::swap(&mut self.spans, &mut self.coupling.spans);
    }

    /// Says how far the contacts give way.
    pub(super) fn soften_contacts(&mut self, rigids: &[Rigid]) {
        let Rope { collision, coupling, points, .. } = self;
        if collision.nearby.carriers.is_empty() {
            return;
        }
        for contact in &mut collision.contacts.list {
            let Some(carrier) = collision.nearby.carrier_of(contact.near) else { continue };
            let of = |hold: &&Hold| hold.point.is_none() && hold.rigid == carrier.rigid;
            let Some(hold) = coupling.holds.iter().find(of) else { continue };
            let rigid = &rigids[carrier.rigid];
            let arm = contact.at(|i| points.position(i)) - carrier.carried.center - rigid.now.moved;
            let split = rigid.split(hold.part) * hold.count.max(1) as f32;
            contact.give = [contact.normal, contact.tangent()].map(|along| split * rigid.inv_mass_at(arm, along));
        }
    }

    /// Pulls at the bodies to which it is tied. `before` are the ways of the points before solving; `factor` is what a step adds to a
    /// position for an acceleration of 1.
    pub(super) fn pull_ties(&mut self, factor: f32, rigids: &mut [Rigid]) {
        for index in 0..self.coupling.holds.len() {
            let hold = self.coupling.holds[index];
            let Some(point) = hold.point else { continue };
            let rigid = &mut rigids[hold.rigid];
            let arm = Vec2::from_angle(rigid.now.turned).rotate(hold.arm);
            let place = self.frame.to_local(rigid.center) + rigid.now.moved + arm + hold.lag;
            let moved = self.points.position(point) - place;
            let pull = moved / hold.inv_mass.max(f32::MIN_POSITIVE);
            let weight = self.gravity * (self.settings.gravity_scale * self.mass_at(point) * factor);
            rigid.pull(arm, pull + weight);
            self.coupling.holds[index].load = pull.length();
            rigid.weigh(pull.length());
        }
    }

    /// Pushes at the bodies that it touches.
    pub(super) fn push_bodies(&mut self, rigids: &mut [Rigid]) {
        let Rope { collision, coupling, points, .. } = self;
        if collision.nearby.carriers.is_empty() {
            return;
        }
        for contact in collision.contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            let Some(carrier) = collision.nearby.carrier_of(contact.near) else { continue };
            let of = |hold: &&mut Hold| hold.point.is_none() && hold.rigid == carrier.rigid;
            let Some(hold) = coupling.holds.iter_mut().find(of) else { continue };
            let rigid = &mut rigids[carrier.rigid];
            let arm = contact.at(|i| points.position(i)) - carrier.carried.center - rigid.now.moved;
            let impulse = contact.normal * contact.push + contact.tangent() * contact.drag;
            rigid.pull(arm, -impulse);
            hold.load += impulse.length();
        }
        for hold in coupling.holds.iter().filter(|hold| hold.point.is_none() && hold.count > 0) {
            rigids[hold.rigid].weigh(hold.load);
        }
    }

    /// The bodies have moved: goes with them, and holds fairer parts of them.
    pub(super) fn follow_ties(&mut self, rigids: &[Rigid]) {
        for index in 0..self.coupling.holds.len() {
            let hold = &mut self.coupling.holds[index];
            let rigid = &rigids[hold.rigid];
            if hold.count > 0 {
                hold.part += FAIRER * (rigid.fair_part(hold.load) - hold.part);
                hold.part = hold.part.max(LEAST_PART);
            }
            let Hold { point: Some(point), arm, lag, .. } = *hold else { continue };
            let place = self.frame.to_local(rigid.center) + rigid.now.carry(arm) + lag;
            let start = Vec2::new(self.points.start_x[point], self.points.start_y[point]);
            self.points.set_position(point, place);
            self.points.set_way(point, place - start);
            self.solver.forget();
        }
    }

    /// Whether anything on which it holds is awake.
    pub(super) fn holds_what_is_awake(&self, rigids: &[Rigid]) -> bool {
        self.coupling.holds.iter().any(|hold| hold.count > 0 && !rigids[hold.rigid].sleeping)
    }
}

impl Coupling {
    /// Makes the tied points as heavy as what they are tied to.
    pub fn let_ties(&self, points: &mut Points) {
        for hold in &self.holds {
            if let Some(point) = hold.point {
                points.inv_mass[point] = hold.inv_mass;
            }
        }
    }

    /// Holds the tied points.
    pub fn hold_ties(&self, points: &mut Points) {
        for hold in &self.holds {
            if let Some(point) = hold.point {
                points.inv_mass[point] = 0.0;
            }
        }
    }

    /// The hold on a body, by a point or by contacts.
    fn hold(&mut self, key: u64, point: Option<usize>) -> &mut Hold {
        let index = self.holds.iter().position(|hold| hold.key == key && hold.point == point).unwrap_or_else(|| {
            let hold = Hold {
                key,
                rigid: 0,
                point,
                arm: Vec2::ZERO,
                lag: Vec2::ZERO,
                part: 1.0,
                load: 0.0,
                inv_mass: 0.0,
                count: 0,
                there: true,
            };
            self.holds.push(hold);
            self.holds.len() - 1
        });
        &mut self.holds[index]
    }
}
