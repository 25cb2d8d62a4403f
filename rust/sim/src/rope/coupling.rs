//! Holding on to rigid bodies that yield: ends and pins on them, and contacts with them.
//!
//! A point that is tied to a rigid body is held by it where that will be, but while a substep is solved it is a load: as heavy as the body is there, along
//! the pull. How hard the links pull at it then is brought in line with all others that hold on to the body ([`Grips`]); where the solution is none that says how it would change, what
//! it moves the point by is what the body is given. A contact yields likewise ([`Contact::give`]).

use super::{Pin, Rope, Solver};
use crate::collide::Colliders;
use crate::contact::Contact;
use crate::contact::near::Carrier;
use crate::island::{Grip, Grips, Rigid};
use crate::points::Points;
use glam::{Vec2, Vec3};

/// How fast, in px/s, a body is brought to the rope that is out of its reach, as one that is kept behind a wall and let go.
const FETCHED: f32 = 600.0;

/// The friction of knots, as a part of the pull: as that of a pin of 0.6 px in a ring, 200 px above the load.
const KNOTS: f32 = 0.003;
/// A rope counts as stretched from this part of its length on; how fast, in px/s, it throws back what falls into it; what is lighter than the rope by this
/// factor is thrown by it.
const STRAIGHT: f32 = 0.95;
const REBOUND: f32 = 30.0;
const LIGHT: f32 = 2.0;
/// What is too long comes back in so many seconds.
const COMES_BACK: f32 = 1.0 / 200.0;
/// How far in px a contact may give way otherwise than was thought.
const UNEVEN: f32 = 0.02;
/// The least that a contact gives way, as a part of what it would give by itself.
const LEAST_GIVE: f32 = 0.1;

/// A hold on a rigid body.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// The body's key, and its index among those of this tick.
    key: u64,
    rigid: usize,
    /// The point that is tied to it; None: all contacts with it.
    point: Option<usize>,
    /// Where it is tied to the body, local to it, and where that was, beside the centre of mass, at the beginning of the tick.
    offset: Vec2,
    arm: Vec2,
    /// How far the point is from there.
    lag: Vec2,
    /// How heavy the body is for the tied point, in kg, and the inverse of that and the point's own mass.
    body_mass: f32,
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
    /// How fast the pull turns what hangs on it by its lever, as the square of a frequency in 1/s2.
    pub turning: f32,
    /// The lengths of the links, while others stand in for them.
    lengths: Vec<f32>,
    /// How far it was wound in this substep, in px.
    pub reeled: f32,
    grips: Grips,
    /// How hard the links of the grips pulled when the rope was solved by itself.
    alone: Vec<f64>,
    /// How much longer they would have to be to pull harder, for the pulls of all: a matrix.
    stiff: Vec<f64>,
    /// What was wanted of each.
    longer: Vec<f32>,
    pushes: Vec<f32>,
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

    /// Holds on to nothing, until it finds out anew.
    pub(super) fn let_rigids_go(&mut self) {
        if self.coupling.holds.is_empty() {
            return;
        }
        self.coupling.holds.clear();
        self.coupling.grips.clear();
        (self.coupling.heaviest, self.coupling.turning) = (0.0, 0.0);
        self.solver.want_responses(std::iter::empty());
        self.collision.nearby.forget_carriers();
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
        (coupling.heaviest, coupling.turning) = (0.0, 0.0);
        for pin in &self.pins {
            let Some(holder) = pin.holder.filter(|holder| coupling.yielding.binary_search(&holder.key).is_ok()) else {
                continue;
            };
            let Some(index) = find(holder.key) else { continue };
            let place = self.pin_target(pin);
            let arm = place - self.frame.to_local(rigids[index].center);
            let lag = self.points.position(pin.point) - place;
            let hold = coupling.hold(holder.key, Some(pin.point));
            (hold.rigid, hold.offset, hold.arm, hold.lag, hold.there) = (index, pin.offset, arm, lag, true);
            coupling.heaviest = coupling.heaviest.max(1.0 / rigids[index].inv_mass);
            let pull = self.pull_beside(pin.point);
            coupling.turning = coupling.turning.max(2.0 * pull * arm.length() * rigids[index].inv_inertia);
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
                nearby.carriers.push(Carrier::new(index, &rigids[index], collider, &self.frame));
            }
        }
        self.drop_rigid(&mut coupling.holds);
        coupling.holds.retain(|hold| hold.there);
        // In the order of the points, those of contacts last.
        coupling.holds.sort_unstable_by_key(|hold| (hold.point.is_none(), hold.point, hold.key));
        coupling.grips.clear();
        if coupling.holds.iter().all(|hold| hold.point.is_none()) {
            self.solver.want_responses(std::iter::empty());
        }
        self.coupling = coupling;
        self.find_spans();
        self.weigh();
    }

    /// Two ties on the same body, and nothing else holds the rope: it goes with the body. What it would pull at one end it would pull back at the other.
    fn drop_rigid(&self, holds: &mut [Hold]) {
        if self.pins.len() > 2 {
            return;
        }
        for i in 1..holds.len() {
            let (before, rest) = holds.split_at_mut(i);
            let one = &mut rest[0];
            let Some(point) = one.point.filter(|_| one.there) else { continue };
            for other in before.iter_mut().filter(|other| other.there && other.rigid == one.rigid) {
                if other.point.is_some_and(|other| other != point) {
                    (one.there, other.there) = (false, false);
                }
            }
        }
    }

    /// Finds the parts between pins that do not yield.
    fn find_spans(&mut self) {
        let mut spans = std::mem::take(&mut self.coupling.spans);
        self.fill_spans(&mut spans, |pin| !self.is_tied_to_rigid(pin.point));
        self.coupling.spans = spans;
    }

    /// It was wound within a tick: its points have other numbers.
    pub(super) fn renumber_ties(&mut self) {
        if self.coupling.holds.is_empty() {
            return;
        }
        let mut holds = std::mem::take(&mut self.coupling.holds);
        let mut taken = 0;
        holds.retain_mut(|hold| {
            let Some(point) = &mut hold.point else { return true };
            // Ties are in the order of the pins.
            let ties = |pin: &Pin| pin.offset == hold.offset && pin.holder.is_some_and(|holder| holder.key == hold.key);
            let next = self.pins.iter().skip(taken).position(ties);
            let Some(index) = next.map(|next| taken + next) else { return false };
            taken = index + 1;
            *point = self.pins[index].point;
            true
        });
        self.coupling.holds = holds;
        self.find_spans();
    }

    /// How hard the links beside point `i` pull, in kg px/s2.
    fn pull_beside(&self, i: usize) -> f32 {
        let links = [i.checked_sub(1), Some(i)].into_iter().flatten();
        links.filter_map(|link| self.tension.get(link)).fold(0.0, |most, pull| pull.abs().max(most))
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
            let own = self.own_mass(point);
            let rigid = &mut rigids[hold.rigid];
            let place = self.frame.to_local(rigid.center) + rigid.now.carry(hold.arm);
            let mut closed = hold.lag / left as f32;
            if !self.is_within_reach(point, place) {
                closed = closed.clamp_length_max(FETCHED * h);
            }
            let lag = hold.lag - closed;
            let hold = &mut self.coupling.holds[index];
            (hold.lag, hold.count) = (lag, 1);
            rigid.hold();
            let arm = rigid.lever(hold.arm);
            rigid.load(arm, own);
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
            if hold.count > 0 {
                rigids[hold.rigid].hold();
            }
        }
    }

    /// Lets links that are too long at the beginning of a substep of `h` seconds be so a little longer. What a tick left stretched, as where the engine stopped a body, must not come
    /// back at once: at a finer step than before it would be a blow.
    fn give_length(&mut self, h: f32) {
        let Rope { points, lengths, coupling, .. } = self;
        let part = (h / COMES_BACK).min(1.0);
        coupling.lengths.clear();
        let stretched = |k: usize| {
            let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
            let excess = start(k).distance(start(k + 1)) - lengths[k];
            if excess > 0.0 { lengths[k] + excess - (part * excess).min(FETCHED * h) } else { lengths[k] }
        };
        coupling.lengths.extend((0..lengths.len()).map(stretched));
        std::mem::swap(&mut self.lengths, &mut self.coupling.lengths);
    }

    /// Makes the tied points as heavy as what they are tied to, for solving; the spans go through them then.
    pub(super) fn load_ties(&mut self, h: f32, rigids: &[Rigid]) {
        self.give_length(h);
        for index in 0..self.coupling.holds.len() {
            let hold = self.coupling.holds[index];
            let Some(point) = hold.point else { continue };
            let rigid = &rigids[hold.rigid];
            let arm = rigid.lever(hold.arm);
            let at = self.points.position(point);
            let mut towards = Vec2::ZERO;
            if point > 0 {
                towards += (self.points.position(point - 1) - at).normalize_or_zero();
            }
            if point + 1 < self.points.len() {
                towards += (self.points.position(point + 1) - at).normalize_or_zero();
            }
            let direction = towards.normalize_or(Vec2::NEG_Y);
            let own = self.own_mass(point);
            let hold = &mut self.coupling.holds[index];
            hold.body_mass = 1.0 / (rigid.inv_mass_at(arm, direction) * rigid.holds() as f32);
            // The rope's own mass there goes along.
            hold.inv_mass = 1.0 / (hold.body_mass + own);
        }
        self.solver.want_responses(links_of(&self.coupling.holds, self.lengths.len()).map(|(_, link)| link));
        self.coupling.let_ties(&mut self.points);
        std::mem::swap(&mut self.spans, &mut self.coupling.spans);
    }

    /// The opposite of [`Rope::load_ties`].
    pub(super) fn unload_ties(&mut self) {
        std::mem::swap(&mut self.lengths, &mut self.coupling.lengths);
        self.coupling.hold_ties(&mut self.points);
        std::mem::swap(&mut self.spans, &mut self.coupling.spans);
    }

    /// Says how far the contacts give way.
    pub(super) fn soften_contacts(&mut self, rigids: &[Rigid]) {
        self.soften(rigids, |_| true);
    }

    /// The same for those that were missed.
    pub(super) fn soften_missed(&mut self, rigids: &[Rigid]) {
        self.soften(rigids, |contact| contact.missed);
    }

    fn soften(&mut self, rigids: &[Rigid], which: impl Fn(&Contact) -> bool) {
        let Rope { collision, coupling, points, .. } = self;
        if collision.nearby.carriers.is_empty() {
            return;
        }
        for contact in collision.contacts.list.iter_mut().filter(|contact| which(contact)) {
            let Some(carrier) = collision.nearby.carrier_of(contact.near) else { continue };
            let of = |hold: &&Hold| hold.point.is_none() && hold.rigid == carrier.rigid;
            let Some(hold) = coupling.holds.iter().find(of) else { continue };
            let rigid = &rigids[carrier.rigid];
            let arm = lever_of(contact, points, carrier, rigid);
            let split = (rigid.holds().max(1) * hold.count.max(1)) as f32;
            contact.give = [contact.normal, contact.tangent()].map(|along| split * rigid.inv_mass_at(arm, along));
        }
    }

    /// Pulls at the bodies to which it is tied, or says how it would.
    pub(super) fn pull_ties(&mut self, rigids: &mut [Rigid]) {
        self.coupling.grips.clear();
        if self.settings.solver == Solver::Direct && self.solver.has_responses() && !self.is_tangled() {
            return self.grip(rigids);
        }
        for hold in &self.coupling.holds {
            let Some(point) = hold.point else { continue };
            let rigid = &mut rigids[hold.rigid];
            let arm = rigid.lever(hold.arm);
            let place = self.frame.to_local(rigid.center) + rigid.now.moved + arm + hold.lag;
            rigid.pull(arm, (self.points.position(point) - place) * hold.body_mass);
        }
    }

    /// Says how it pulls at the bodies to which it is tied, and how that changes when they give way.
    fn grip(&mut self, rigids: &[Rigid]) {
        let Rope { coupling, solver, lengths, .. } = self;
        let Coupling { holds, grips, alone, stiff, .. } = coupling;
        alone.clear();
        let links = lengths.len();
        for (hold, link) in links_of(holds, links) {
            let rigid = &rigids[hold.rigid];
            let arm = rigid.lever(hold.arm);
            let towards = if hold.point == Some(link) { 1.0 } else { -1.0 };
            let direction = solver.direction(link) * towards;
            let row = Vec3::new(direction.x, direction.y, arm.perp_dot(direction));
            let pull = f64::from(solver.pulls()[link]);
            alone.push(pull);
            grips.list.push(Grip::new(hold.rigid, row, pull));
        }
        let count = alone.len();
        stiff.clear();
        let response = |of: usize, to: usize| f64::from(solver.response(of, to));
        stiff.extend(
            (0..count * count).map(|k| 0.5 * (response(k / count, k % count) + response(k % count, k / count))),
        );
        if !invert(stiff, count) {
            // It answers to nothing: it pulls as it does.
            stiff.fill(0.0);
        }
        grips.soft.extend_from_slice(stiff);
        for (i, (one, _)) in links_of(holds, links).enumerate() {
            grips.list[i].excess = (0..count).map(|j| stiff[i * count + j] * alone[j]).sum();
            for (j, (other, _)) in links_of(holds, links).enumerate().filter(|(_, (other, _))| other.point == one.point)
            {
                let along = grips.list[i].row.truncate().dot(grips.list[j].row.truncate());
                grips.soft[i * count + j] -= f64::from(other.inv_mass * along);
            }
        }
        // Rounding must not make it pull by itself.
        for i in 0..count {
            grips.soft[i * count + i] = grips.soft[i * count + i].max(0.0);
        }
        for (i, j) in (0..count).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let most = (grips.soft[i * count + i] * grips.soft[j * count + j]).sqrt();
            let soft = grips.soft[i * count + j].clamp(-most, most);
            (grips.soft[i * count + j], grips.soft[j * count + i]) = (soft, soft);
        }
    }

    pub(super) fn grips_mut(&mut self) -> &mut Grips {
        &mut self.coupling.grips
    }

    /// Lets it pull as its grips do now.
    pub(super) fn correct_ties(&mut self, rigids: &mut [Rigid]) {
        let Rope { coupling, solver, collision, points, .. } = self;
        let Coupling { grips, alone, stiff, longer, pushes, .. } = coupling;
        let count = grips.list.len();
        if grips.list.iter().zip(&*alone).all(|(grip, alone)| grip.pull == *alone) {
            return;
        }
        longer.clear();
        let more = |j: usize| grips.list[j].pull - alone[j];
        longer.extend((0..count).map(|i| (0..count).map(|j| stiff[i * count + j] * more(j)).sum::<f64>() as f32));
        let contacts = &mut collision.contacts.list;
        pushes.clear();
        pushes.extend(contacts.iter().map(|contact| contact.push));
        solver.correct(points, contacts, longer);
        for (contact, before) in contacts.iter().zip(pushes).filter(|(contact, _)| contact.give[0] > 0.0) {
            let Some(carrier) = collision.nearby.carrier_of(contact.near) else { continue };
            let rigid = &mut rigids[carrier.rigid];
            let arm = lever_of(contact, points, carrier, rigid);
            rigid.pull(arm, contact.normal * (*before - contact.push));
        }
    }

    /// Learns from a solution how far the contacts really give way: a body is pushed by all of them, and not by each as much. False if it is known well
    /// enough.
    pub(super) fn learn_gives(&mut self, rigids: &[Rigid]) -> bool {
        let Rope { collision, coupling, points, .. } = self;
        if collision.nearby.carriers.is_empty() {
            return false;
        }
        let mut changed = false;
        for hold in coupling.holds.iter_mut().filter(|hold| hold.point.is_none() && hold.count > 0) {
            let rigid = &rigids[hold.rigid];
            let center = self.frame.to_local(rigid.center) + rigid.now.moved;
            let carries = |contact: &Contact| {
                let carrier = collision.nearby.carrier_of(contact.near);
                contact.active && carrier.is_some_and(|carrier| carrier.rigid == hold.rigid)
            };
            let (mut pull, mut twist) = (Vec2::ZERO, 0.0);
            for contact in collision.contacts.list.iter().filter(|contact| carries(contact)) {
                let impulse = -(contact.normal * contact.push.max(0.0) + contact.tangent() * contact.drag);
                pull += impulse;
                twist += (contact.at(|i| points.position(i)) - center).perp_dot(impulse);
            }
            let (moved, turned) = rigid.way(pull, twist);
            for contact in collision.contacts.list.iter_mut().filter(|contact| carries(contact) && contact.push > 0.0) {
                let arm = contact.at(|i| points.position(i)) - center;
                let gone = -contact.normal.dot(moved + arm.perp() * turned) * rigid.holds() as f32;
                if (gone - contact.push * contact.give[0]).abs() > UNEVEN {
                    let alone = rigid.inv_mass_at(arm, contact.normal);
                    let most = alone * (rigid.holds() * hold.count) as f32;
                    contact.give[0] = (gone / contact.push).clamp(LEAST_GIVE * alone, most);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether the world holds it anywhere.
    pub(super) fn is_anchored(&self) -> bool {
        self.pins.iter().any(|pin| !self.is_tied_to_rigid(pin.point))
    }

    /// Knots rub: what hangs swings its last pixels to rest. The force is a small part of the pull, across the rope, against the motion of its ends to each other.
    pub(super) fn rub_knots(&mut self, rigids: &mut [Rigid]) {
        let last = self.points.len() - 1;
        let ends = [(0, 0), (last, last - 1)].map(|(point, link)| {
            let hold = self.coupling.holds.iter().find(|hold| hold.point == Some(point));
            let tie = hold.map(|hold| {
                let rigid = &rigids[hold.rigid];
                let arm = rigid.lever(hold.arm);
                (hold.rigid, arm, rigid.now.carry(hold.arm) - rigid.start.carry(hold.arm))
            });
            (tie, self.points.way(point), self.solver.pulls()[link], self.points.inv_mass[point])
        });
        // Bodies that turn about each other in the air have nothing against which to rub.
        let anchored = |end: usize| ends[end].0.is_none_or(|(rigid, ..)| rigids[rigid].anchored);
        let held = |end: usize| ends[end].0.is_some() || ends[end].3 <= 0.0;
        if !(held(0) && held(1) && anchored(0) && anchored(1)) {
            return;
        }
        let way = |end: usize| ends[end].0.map_or(ends[end].1, |(_, _, way)| way);
        let line = (self.points.position(last) - self.points.position(0)).normalize_or_zero();
        let across = line.perp() * line.perp_dot(way(1) - way(0));
        let Some(direction) = across.try_normalize() else { return };
        let give = |end: usize| {
            ends[end].0.map_or(0.0, |(rigid, arm, _): (usize, Vec2, Vec2)| rigids[rigid].inv_mass_at(arm, direction))
        };
        let gives = (give(0) + give(1)).max(f32::MIN_POSITIVE);
        let stops = 0.5 * across.length() / gives;
        // A rope heavier than its load waves, and does not swing.
        let knots = KNOTS / (1.0 + gives * self.settings.mass);
        let rub = direction * (knots * ends[0].2.min(ends[1].2)).clamp(0.0, stops);
        for (end, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some((rigid, arm, _)) = ends[end].0 {
                rigids[rigid].pull(arm, rub * sign);
            }
        }
    }

    /// What falls into a rope is stopped, and not thrown back: a chain of stiff links keeps all its energy, and lashes; a rope does not. Stretched between a pin
    /// and a body it gives this no more speed towards the pin than it is wound with, and a little.
    pub(super) fn stop_rebounds(&mut self, h: f32, reeled: f32, rigids: &mut [Rigid]) {
        let last = self.points.len() - 1;
        let [hold] = self.coupling.holds[..] else { return };
        let Some(point) = hold.point.filter(|&point| point == 0 || point == last) else { return };
        let other = last - point;
        if self.pins.len() != 2 || self.points.inv_mass[other] > 0.0 || self.is_touching() {
            return;
        }
        let rigid = &mut rigids[hold.rigid];
        let arm = rigid.lever(hold.arm);
        let line = self.points.position(other) - self.points.position(point);
        let reach: f32 = self.lengths.iter().sum();
        let Some(direction) = line.try_normalize().filter(|_| line.length() > STRAIGHT * reach) else { return };
        let inv_mass = rigid.inv_mass_at(arm, direction);
        if inv_mass * self.settings.mass > LIGHT {
            return;
        }
        let foreseen = rigid.now.carry(hold.arm) - rigid.start.carry(hold.arm) - self.points.way(other);
        let (moved, turned) = rigid.pulled_way();
        let before = foreseen.dot(direction);
        let after = before + (moved + arm.perp() * turned).dot(direction);
        let most = before.max(REBOUND * h + reeled.max(0.0));
        if after > most {
            rigid.pull(arm, direction * ((most - after) / inv_mass));
        }
    }

    /// Pushes at the bodies that it touches.
    pub(super) fn push_bodies(&mut self, rigids: &mut [Rigid]) {
        let Rope { collision, points, .. } = self;
        if collision.nearby.carriers.is_empty() {
            return;
        }
        // One that was to leave slower than it would have pulls.
        for contact in collision.contacts.list.iter().filter(|contact| contact.active && contact.push != 0.0) {
            let Some(carrier) = collision.nearby.carrier_of(contact.near) else { continue };
            let rigid = &mut rigids[carrier.rigid];
            let arm = lever_of(contact, points, carrier, rigid);
            rigid.pull(arm, -(contact.normal * contact.push + contact.tangent() * contact.drag));
        }
    }

    /// The bodies have moved: goes with them.
    pub(super) fn follow_ties(&mut self, rigids: &[Rigid]) {
        for index in 0..self.coupling.holds.len() {
            let hold = self.coupling.holds[index];
            let rigid = &rigids[hold.rigid];
            let Hold { point: Some(point), arm, lag, .. } = hold else { continue };
            let place = self.frame.to_local(rigid.center) + rigid.now.carry(arm) + lag;
            let start = Vec2::new(self.points.start_x[point], self.points.start_y[point]);
            self.points.set_position(point, place);
            self.points.set_way(point, place - start);
            self.solver.forget();
        }
    }

    /// Calls `visit` with the key of each rigid body that yields and that it touched when it was simulated last.
    pub fn for_each_pushed(&self, visit: &mut dyn FnMut(u64)) {
        let touching = self.coupling.holds.iter().filter(|hold| hold.point.is_none() && hold.count > 0);
        touching.for_each(|hold| visit(hold.key));
    }

    /// Whether anything on which it holds is awake.
    pub(super) fn holds_what_is_awake(&self, rigids: &[Rigid]) -> bool {
        self.coupling.holds.iter().any(|hold| hold.count > 0 && !rigids[hold.rigid].sleeping)
    }
}

/// Where a contact pushes a body that carries what is touched, beside its centre of mass.
fn lever_of(contact: &Contact, points: &Points, carrier: &Carrier, rigid: &Rigid) -> Vec2 {
    contact.at(|i| points.position(i)) - carrier.carried.center - rigid.now.moved
}

/// The links at the points that are tied, with what ties them.
fn links_of(holds: &[Hold], links: usize) -> impl Iterator<Item = (&Hold, usize)> {
    holds.iter().flat_map(move |hold| {
        let point = hold.point;
        let before = point.and_then(|point| point.checked_sub(1));
        let after = point.filter(|&point| point < links);
        [before, after].into_iter().flatten().map(move |link| (hold, link))
    })
}

/// Inverts a matrix of `count` rows in its place (Gauss and Jordan); false if it has no inverse.
fn invert(matrix: &mut [f64], count: usize) -> bool {
    // Symmetric and positive but for rounding: the pivots are on the diagonal.
    for k in 0..count {
        let pivot = matrix[k * count + k];
        if !(pivot.abs() > f64::MIN_POSITIVE && pivot.is_finite()) {
            return false;
        }
        matrix[k * count + k] = 1.0;
        (0..count).for_each(|j| matrix[k * count + j] /= pivot);
        for i in (0..count).filter(|&i| i != k) {
            let factor = std::mem::replace(&mut matrix[i * count + k], 0.0);
            (0..count).for_each(|j| matrix[i * count + j] -= factor * matrix[k * count + j]);
        }
    }
    true
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
                offset: Vec2::ZERO,
                arm: Vec2::ZERO,
                lag: Vec2::ZERO,
                body_mass: 0.0,
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
