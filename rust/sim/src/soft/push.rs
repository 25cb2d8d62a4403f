//! Solving for contacts, and for hands.
//!
//! A push at a point moves all others too: by the column of the inverse of the [system](super::system), and by turning the body as a whole. The latter is what the system
//! resists though nothing does: with `r` beside the middle, `rho = r - A^-1 M r` is the part of a rotation that it does not let happen. It is exactly what a push lacks in angular
//! momentum, so a push `p` at `r_c` adds the way `perp(rho_i) (rho_c x p) / sum(m_i r_i . rho_i)`. In a very soft body that is nothing, in a very stiff one
//! it is the rotation of a rigid body.
//!
//! How the pushes move each other's places is a small dense matrix. Each push is then found in turn, again and again: not negative along the normal, along the surface
//! within the cone of friction (projected Gauss-Seidel), beginning with those of the last substep.

use super::SoftBody;
use super::collide::Collision;
use crate::collide::Colliders;
use crate::contact::Contact;
use crate::contact::meet::Span;
use crate::integrate::Step;
use crate::rope::Grip;
use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

/// The most rounds, and the change in px that ends them.
const MOST_ROUNDS: usize = 60;
const FINE: f64 = 1e-4;
/// A contact that is deeper than this after a solution, in px, asks for another.
const TOO_DEEP: f32 = 0.05;
/// A hand that pulls with so much of its force slips.
const HOLDS: f32 = 0.99;
/// A contact of which less than this part is carried by free points gives way to nothing.
const LEAST_SHARE: f64 = 0.25;
/// Farther away in px than anything gets in a substep.
const FAR: f64 = 1e9;
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

/// A contact, or a hand, in the small system.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The rows of its points, and how much of it each carries.
    rows: [usize; 2],
    shares: [f64; 2],
    /// The part of a rotation that the system resists, at its place; and where that is beside the middle.
    rho: DVec2,
    arm: DVec2,
    normal: DVec2,
    /// How far it is from where it is wanted: along the normal (negative: too deep), and along the surface.
    gap: f64,
    slip: f64,
    friction: f64,
    /// It may also hold back.
    holds: bool,
    /// The point that a hand holds.
    point: usize,
    /// The most force of a hand, in kg px; negative: it is no hand.
    hand: f64,
    /// The push that has been applied, and what is found besides.
    push: DVec2,
    more: DVec2,
    /// How far its place is moved by what is found.
    moved: DVec2,
}

/// The rooms for all that. Kept from substep to substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushes {
    rows: Vec<Row>,
    gives: Vec<f64>,
    /// `rho` of every point, and the inertia that belongs to it.
    rho: Vec<DVec2>,
    inertia: f64,
    /// Where every point is beside the middle, by row; nowhere if more than one is held.
    arms: Vec<DVec2>,
    /// What it weighs against turning if it may not, and what is left of that when the system has yielded.
    locked: [f64; 2],
    way: Vec<DVec2>,
    /// What was found for hands before.
    held: Vec<DVec2>,
    /// How hard hands pulled in the last solution, by their points, in kg px/s2.
    hands: Vec<(usize, f32)>,
    /// The pushes of the last substep along the normals, by the contacts' ids, in kg px/s2.
    remembered: Vec<(u64, f32)>,
}

impl Pushes {
    /// Forgets what pushed.
    pub fn forget(&mut self) {
        self.rows.clear();
        self.remembered.clear();
        self.hands.clear();
    }

    /// Fills the matrix of how pushes move each other's places.
    fn couple(&mut self, gives: impl Fn(usize, usize) -> f64) {
        let count = self.rows.len();
        self.gives.clear();
        self.gives.resize(count * count, 0.0);
        for c in 0..count {
            for d in c..count {
                let (one, other) = (&self.rows[c], &self.rows[d]);
                let mut sum = 0.0;
                for (i, share) in one.rows.into_iter().zip(one.shares) {
                    for (j, other) in other.rows.into_iter().zip(other.shares) {
                        if share != 0.0 && other != 0.0 {
                            sum += share * other * gives(i, j);
                        }
                    }
                }
                self.gives[c * count + d] = sum;
                self.gives[d * count + c] = sum;
            }
        }
    }

    /// How far the place of row `c` is moved by a push at that of row `d`.
    fn way(&self, c: usize, d: usize, push: DVec2) -> DVec2 {
        let (one, other) = (&self.rows[c], &self.rows[d]);
        let way = push * self.gives[c * self.rows.len() + d];
        let [inertia, yields] = self.locked;
        if inertia > 0.0 {
            // No push turns it, and nothing that follows from one.
            let torque = other.arm.perp_dot(push) / inertia;
            let turned = (other.arm - other.rho).perp_dot(push) / inertia - torque * yields / inertia;
            return way - one.arm.perp() * turned - (one.arm - one.rho).perp() * torque;
        }
        let turned = if self.inertia > 0.0 { other.rho.perp_dot(push) / self.inertia } else { 0.0 };
        way + one.rho.perp() * turned
    }

    /// Adds to what is found for row `d`.
    fn add(&mut self, d: usize, push: DVec2) {
        self.rows[d].more += push;
        for c in 0..self.rows.len() {
            let way = self.way(c, d, push);
            self.rows[c].moved += way;
        }
    }

    /// How far a push along `direction` moves its own place along it.
    fn own(&self, c: usize, direction: DVec2) -> f64 {
        self.way(c, c, direction).dot(direction).max(f64::MIN_POSITIVE)
    }

    /// Finds the pushes.
    fn solve(&mut self) {
        for _ in 0..MOST_ROUNDS {
            let mut most = 0.0f64;
            for c in 0..self.rows.len() {
                let row = self.rows[c];
                if row.shares == [0.0; 2] {
                    continue;
                }
                let total = row.push + row.more;
                let change = if row.hand >= 0.0 {
                    let off = DVec2::new(row.gap, row.slip) - row.moved;
                    let own = self.own(c, DVec2::X).max(self.own(c, DVec2::Y));
                    let wanted = total + off / own;
                    let wanted = if row.hand > 0.0 { wanted.clamp_length_max(row.hand) } else { wanted };
                    wanted - total
                } else {
                    let tangent = row.normal.perp();
                    let (push, drag) = (total.dot(row.normal), total.dot(tangent));
                    let own = self.own(c, row.normal);
                    let push_wanted = push - (row.gap + row.moved.dot(row.normal)) / own;
                    let push_wanted = if row.holds { push_wanted } else { push_wanted.max(0.0) };
                    let own = self.own(c, tangent);
                    let most = row.friction * push_wanted;
                    let drag_wanted = (drag - (row.slip + row.moved.dot(tangent)) / own).max(-most).min(most);
                    row.normal * (push_wanted - push) + tangent * (drag_wanted - drag)
                };
                if change != DVec2::ZERO {
                    most = most.max(change.length() * self.gives[c * self.rows.len() + c]);
                    self.add(c, change);
                }
            }
            if most < FINE {
                break;
            }
        }
    }
}

impl SoftBody {
    /// Whether a hand holds it.
    pub(super) fn has_hands(&self) -> bool {
        self.pins.iter().any(|pin| pin.grip != Grip::Firm)
    }

    /// Whether a pin is a hand that holds its point without slipping.
    pub(super) fn holds_firmly(&self, index: usize) -> bool {
        let pin = &self.pins[index];
        let Grip::Hand(force) = pin.grip else { return false };
        let pulls = &self.collision.pushes.hands;
        let pull = pulls.iter().find(|(point, _)| *point == pin.point).map_or(0.0, |(_, pull)| *pull);
        force <= 0.0 || pull < HOLDS * force
    }

    /// Begins to solve for the contacts of a substep.
    pub(super) fn begin_pushes(&mut self, step: &Step) {
        self.collision.contacts.use_forces(step.acceleration_factor());
        self.learn_rotation();
    }

    /// Takes down the part of a rotation that the system resists, about the middle or the one point that is held.
    fn learn_rotation(&mut self) {
        let mut held = (0..self.points.len()).filter(|&i| self.points.inv_mass[i] <= 0.0);
        let pivot = held.next();
        let more = held.next().is_some();
        let count = self.points.len();
        let pushes = &mut self.collision.pushes;
        pushes.inertia = 0.0;
        pushes.locked = [0.0; 2];
        pushes.arms.clear();
        pushes.arms.resize(count, DVec2::ZERO);
        pushes.rho.clear();
        pushes.rho.resize(count, DVec2::ZERO);
        if more {
            return;
        }
        let points = &self.points;
        let at = |i: usize| points.position(i).as_dvec2();
        let center = pivot.map_or_else(|| self.weighted(at), at);
        let masses = self.material.masses();
        let rho = &mut self.collision.pushes.rho;
        let free = |i: usize| points.inv_mass[i] > 0.0;
        let rows = self.systems.now().rows();
        for i in (0..count).filter(|&i| free(i)) {
            rho[rows[i] as usize] = (at(i) - center) * f64::from(masses[i]);
        }
        self.systems.now().solve(rho);
        let arms = &mut self.collision.pushes.arms;
        let (mut inertia, mut full) = (0.0, 0.0);
        for i in 0..count {
            let row = rows[i] as usize;
            arms[row] = if free(i) { at(i) - center } else { DVec2::ZERO };
            rho[row] = arms[row] - rho[row];
            inertia += f64::from(masses[i]) * arms[row].dot(rho[row]);
            full += f64::from(masses[i]) * arms[row].length_squared();
        }
        let pushes = &mut self.collision.pushes;
        if self.settings.lock_rotation {
            pushes.locked = [full, full - inertia];
        } else {
            pushes.inertia = inertia;
        }
    }

    /// Finds what pushes at it, and moves it by that. The `first` time in a substep with what pushed in the last one.
    pub(super) fn push(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>, first: bool) {
        self.fill_rows(step, span, colliders, first);
        let pushes = &mut self.collision.pushes;
        if pushes.rows.is_empty() {
            return;
        }
        let carried = |row: &Row| row.rows.into_iter().zip(row.shares).filter(|(_, share)| *share != 0.0);
        self.systems.now_mut().learn(pushes.rows.iter().flat_map(|row| carried(row).map(|(i, _)| i)));
        pushes.couple(|i, j| self.systems.now().gives(i, j));
        if first {
            for c in 0..pushes.rows.len() {
                // What pushed in the last substep is where to begin.
                let push = std::mem::take(&mut pushes.rows[c].push);
                if push != DVec2::ZERO {
                    pushes.add(c, push);
                }
            }
        }
        pushes.solve();
        self.apply(false);
        let Collision { pushes, contacts, .. } = &mut self.collision;
        for (row, contact) in pushes.rows.iter_mut().zip(&mut contacts.list) {
            row.push += row.more;
            contact.push = row.push.dot(row.normal) as f32;
            contact.drag = row.push.dot(row.normal.perp()) as f32;
            contact.active = contact.push > 0.0;
        }
        let known = contacts.list.len();
        pushes.hands.clear();
        let factor = step.acceleration_factor();
        for row in &mut pushes.rows[known..] {
            row.push += row.more;
            pushes.hands.push((row.point, (row.push.length() / f64::from(factor)) as f32));
        }
    }

    /// Makes the rows anew: contacts in their order, then hands.
    fn fill_rows(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>, first: bool) {
        let factor = step.acceleration_factor();
        let Collision { pushes, contacts, skin, skin_points, .. } = &mut self.collision;
        pushes.held.clear();
        pushes.held.extend(pushes.rows.iter().filter(|row| row.hand >= 0.0).map(|row| row.push));
        pushes.rows.clear();
        let mut cursor = 0;
        for contact in &mut contacts.list {
            contact.measure(&skin.x, &skin.y);
            if first {
                contact.push = 0.0;
                let (before, after) = pushes.remembered.split_at(cursor.min(pushes.remembered.len()));
                let mut rest = after.iter().chain(before);
                if let Some(place) = rest.position(|(id, _)| *id == contact.id) {
                    cursor = (cursor + place) % pushes.remembered.len();
                    contact.push = pushes.remembered[cursor].1 * factor;
                }
            } else if contact.missed {
                (contact.push, contact.drag) = (0.0, 0.0);
            }
            let second = if contact.between { contact.point + 1 } else { contact.point };
            let points = [contact.point, second].map(|k| skin_points[k] as usize);
            let rows = points.map(|i| self.systems.now().row(i));
            let free = |k: usize| if self.points.inv_mass[points[k]] > 0.0 { 1.0 } else { 0.0 };
            let [one, two] = contact.shares();
            let shares =
                if contact.between { [f64::from(one) * free(0), f64::from(two) * free(1)] } else { [1.0, 0.0] };
            let start = |i: usize| Vec2::new(skin.start_x[i], skin.start_y[i]);
            let way = contact.at(|i| skin.position(i) - start(i));
            // What is held does not give way: a push at it would be without bounds.
            let inert = shares[0] + shares[1] < LEAST_SHARE;
            let shares = if inert { [0.0; 2] } else { shares };
            if inert {
                (contact.push, contact.drag) = (0.0, 0.0);
            }
            let shared = |of: &[DVec2]| of[rows[0]] * shares[0] + of[rows[1]] * shares[1];
            let (rho, arm) = (shared(&pushes.rho), shared(&pushes.arms));
            pushes.rows.push(Row {
                rows,
                shares,
                rho,
                arm,
                normal: contact.normal.as_dvec2(),
                gap: if inert { FAR } else { f64::from(contact.gap) },
                slip: f64::from((way - contact.drift).dot(contact.tangent())),
                friction: f64::from(contact.friction),
                holds: false,
                point: 0,
                hand: -1.0,
                push: (contact.normal * contact.push + contact.tangent() * contact.drag).as_dvec2(),
                more: DVec2::ZERO,
                moved: DVec2::ZERO,
            });
        }
        let hands = self.pins.iter().filter_map(|pin| match pin.grip {
            Grip::Hand(force) if self.points.inv_mass[pin.point] > 0.0 => Some((pin, force)),
            _ => None,
        });
        for (index, (pin, force)) in hands.enumerate() {
            // A part of the way in each of the substeps that are left.
            let start = Vec2::new(self.points.start_x[pin.point], self.points.start_y[pin.point]);
            let target = start + (self.held_at(pin) - start) / self.room.left.max(1) as f32;
            let target = colliders.map_or(target, |colliders| self.slide_hand(start, target, span.to, colliders));
            let off = (target - self.points.position(pin.point)).as_dvec2();
            let row = self.systems.now().row(pin.point);
            self.collision.pushes.rows.push(Row {
                rows: [row; 2],
                shares: [1.0, 0.0],
                rho: self.collision.pushes.rho[row],
                arm: self.collision.pushes.arms[row],
                normal: DVec2::X,
                gap: off.x,
                slip: off.y,
                friction: 0.0,
                holds: true,
                point: pin.point,
                hand: f64::from(force * factor),
                push: if first {
                    DVec2::ZERO
                } else {
                    self.collision.pushes.held.get(index).copied().unwrap_or_default()
                },
                more: DVec2::ZERO,
                moved: DVec2::ZERO,
            });
        }
    }

    /// Moves all points by what was found, or changes their ways only.
    fn apply(&mut self, ways_only: bool) {
        let count = self.points.len();
        let Pushes { rows, rho, inertia, arms, locked: [locked, _], way, .. } = &mut self.collision.pushes;
        let (inertia, locked) = (*inertia, *locked);
        way.clear();
        way.resize(count, DVec2::ZERO);
        let (mut twist, mut torque) = (0.0, 0.0);
        for row in rows.iter() {
            for (i, share) in row.rows.into_iter().zip(row.shares) {
                way[i] += row.more * share;
            }
            twist += row.rho.perp_dot(row.more);
            torque += row.arm.perp_dot(row.more);
        }
        let (system, masses) = (self.systems.now(), self.material.masses());
        if locked > 0.0 {
            for (i, &mass) in masses.iter().enumerate() {
                let row = system.row(i);
                way[row] -= arms[row].perp() * (f64::from(mass) * torque / locked);
            }
        }
        system.solve(way);
        let turned = |(i, &mass): (usize, &f32)| f64::from(mass) * arms[system.row(i)].perp_dot(way[system.row(i)]);
        let back = if locked > 0.0 { masses.iter().enumerate().map(turned).sum::<f64>() / locked } else { 0.0 };
        let turn = if inertia > 0.0 { twist / inertia } else { 0.0 };
        for i in 0..count {
            if self.points.inv_mass[i] <= 0.0 {
                continue;
            }
            let row = system.row(i);
            let mut way = way[row] + rho[row].perp() * turn;
            if locked > 0.0 {
                way -= arms[row].perp() * back;
            }
            let way = way.as_vec2();
            if !way.is_finite() {
                continue;
            }
            if ways_only {
                self.points.set_way(i, self.points.way(i) + way);
            } else {
                self.points.move_to(i, self.points.position(i) + way);
            }
        }
    }

    /// Whether what was found has left a contact too deep: corners turn their normals.
    pub(super) fn is_pushed_wrongly(&mut self) -> bool {
        let Collision { contacts, skin, .. } = &mut self.collision;
        let mut wrong = false;
        for contact in &mut contacts.list {
            contact.measure(&skin.x, &skin.y);
            wrong |= contact.gap < -TOO_DEEP;
        }
        wrong
    }

    /// Takes the speed at which what was let out of the deep leaves it: it was put there.
    pub(super) fn calm(&mut self) {
        let opened = self.room.opened;
        let is_deep = |contact: &Contact| contact.active && contact.push > 0.0 && (opened || contact.allowed > 0.0);
        if !self.collision.contacts.list.iter().any(is_deep) {
            return;
        }
        let Collision { pushes, contacts, skin_points, .. } = &mut self.collision;
        // Hands go where they go.
        pushes.rows.truncate(contacts.list.len());
        for (row, contact) in pushes.rows.iter_mut().zip(&contacts.list) {
            let way = contact.at(|k| self.points.way(skin_points[k] as usize));
            let leaves = (way - contact.drift).dot(contact.normal);
            (row.more, row.moved, row.slip, row.friction) = (DVec2::ZERO, DVec2::ZERO, 0.0, 0.0);
            let pushes = contact.active && contact.push > 0.0;
            row.gap = if pushes { f64::from(leaves) } else { FAR };
            row.holds = is_deep(contact) && leaves > 0.0;
            row.push = DVec2::ZERO;
        }
        let count = pushes.rows.len();
        if count * count != pushes.gives.len() {
            pushes.couple(|i, j| self.systems.now().gives(i, j));
        }
        pushes.solve();
        self.apply(true);
    }

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
        let Collision { contacts, skin_points, .. } = &self.collision;
        let pressed = || contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0);
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
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] <= 0.0 {
                continue;
            }
            let off = self.points.position(i) - middle;
            self.points.set_way(i, self.points.way(i) + shift + off.perp() * turn);
        }
    }

    /// Remembers what pushes.
    pub(super) fn end_pushes(&mut self, step: &Step) {
        let factor = step.acceleration_factor();
        let Collision { pushes, contacts, .. } = &mut self.collision;
        pushes.remembered.clear();
        let pushing = contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0);
        pushes.remembered.extend(pushing.map(|contact| (contact.id, contact.push / factor)));
        contacts.remember(factor);
    }

    /// What is remembered of pushes, for a state.
    pub(super) fn remembered_pushes(&self) -> &[(u64, f32)] {
        &self.collision.pushes.remembered
    }

    /// Goes on with what was saved.
    pub(super) fn recall_pushes(&mut self, pushes: Vec<(u64, f32)>) {
        self.collision.pushes.remembered = pushes;
    }
}
