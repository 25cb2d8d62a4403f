//! Solving for contacts, and for hands.
//!
//! What touches, and every hand, is a [row](super::rows); they are solved for by how the body [responds](super::response): by itself here, or together with others
//! ([`super::pile`]).

use super::SoftBody;
use super::collide::Collision;
use super::response::Place;
use super::rows::{self, Field, Other, Row};
use crate::collide::Colliders;
use crate::contact::Contact;
use crate::contact::meet::Span;
use crate::integrate::Step;
use crate::island::Rigid;
use crate::rope::Grip;
use glam::Vec2;

/// The most rounds of a body by itself.
const MOST_ROUNDS: usize = 60;
/// How often a body comes out by itself of what it was pushed into by others.
const MOST_ALONE: usize = 3;
/// A contact that is deeper than this after a solution, in px, asks for another.
const TOO_DEEP: f32 = 0.05;
/// A hand that pulls with so much of its force slips.
const HOLDS: f32 = 0.99;
/// A contact of which less than this part is carried by free points gives way to nothing.
const LEAST_SHARE: f32 = 0.25;
/// Farther away in px than anything gets in a substep.
const FAR: f32 = 1e9;

/// The pushes of a body. Kept from substep to substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushes {
    /// Contacts in their order, then hands.
    pub rows: Vec<Row>,
    /// What was found for hands before.
    held: Vec<Vec2>,
    /// How hard hands pulled in the last solution, by their points, in kg px/s2.
    hands: Vec<(usize, f32)>,
    /// The pushes of the last substep along the normals, by the contacts' ids, in kg px/s2.
    pub remembered: Vec<(u64, f32)>,
}

impl Pushes {
    /// Forgets what pushed.
    pub fn forget(&mut self) {
        self.rows.clear();
        self.remembered.clear();
        self.hands.clear();
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

    /// Finds what pushes at it by itself, and moves it by that. The `first` time in a substep with what pushed in the last one.
    pub(super) fn push(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>, first: bool) {
        self.fill_rows(step, span, colliders, first, &[]);
        if self.collision.pushes.rows.is_empty() {
            return;
        }
        self.respond(std::iter::empty());
        let Collision { pushes, response, .. } = &mut self.collision;
        let field = &mut Field::alone(response);
        pushes.rows.iter_mut().for_each(|row| row.begin(field, first));
        rows::solve(&mut pushes.rows, field, MOST_ROUNDS);
        let most = rows::farthest(pushes.rows.iter());
        self.take_pushes(step, most);
    }

    /// Comes out of what moves for nobody, after it was solved for with others.
    pub(super) fn come_out_alone(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>) {
        self.room.spares = true;
        for _ in 0..MOST_ALONE {
            if !self.room.wrong {
                break;
            }
            self.push(step, span, colliders, false);
            self.room.wrong = self.look_again(span, colliders);
        }
        self.room.spares = false;
    }

    /// Learns how the places of its rows move each other, and these.
    pub(super) fn respond<'a>(&mut self, others: impl Iterator<Item = &'a Place>) {
        let Collision { pushes, response, .. } = &mut self.collision;
        response.begin(self.points.len());
        pushes.rows.iter().for_each(|row| response.add(&row.place));
        others.for_each(|place| response.add(place));
        response.fill(self.systems.now_mut());
    }

    /// Moves it by what was found, not farther than `most` px, and tells contacts and hands.
    pub(super) fn take_pushes(&mut self, step: &Step, most: f32) {
        self.apply_pushes(false, most);
        let Collision { pushes, contacts, .. } = &mut self.collision;
        for (row, contact) in pushes.rows.iter_mut().zip(&mut contacts.list) {
            row.push += row.more;
            contact.push = row.push.dot(row.normal);
            contact.drag = row.push.dot(row.normal.perp());
            contact.active = contact.push > 0.0;
        }
        let known = contacts.list.len();
        pushes.hands.clear();
        let factor = step.acceleration_factor();
        for row in &mut pushes.rows[known..] {
            row.push += row.more;
            pushes.hands.push((row.place.points[0] as usize, row.push.length() / factor));
        }
    }

    /// Makes the rows anew: contacts in their order, then hands. Those of `rigids` that it touches give way.
    pub(super) fn fill_rows(
        &mut self,
        step: &Step,
        span: Span,
        colliders: Option<&Colliders>,
        first: bool,
        rigids: &[Rigid],
    ) {
        let factor = step.acceleration_factor();
        let Collision { pushes, contacts, nearby, skin, skin_points, .. } = &mut self.collision;
        pushes.held.clear();
        pushes.held.extend(pushes.rows.iter().filter(|row| row.hand.is_some()).map(|row| row.push));
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
            let points = [contact.point, second].map(|k| skin_points[k]);
            let free = |k: usize| if self.points.inv_mass[points[k] as usize] > 0.0 { 1.0 } else { 0.0 };
            let [one, two] = contact.shares();
            let shares = if contact.between { [one * free(0), two * free(1)] } else { [1.0, 0.0] };
            let start = |i: usize| Vec2::new(skin.start_x[i], skin.start_y[i]);
            let way = contact.at(|i| skin.position(i) - start(i));
            let carrier = nearby.carrier_of(contact.near);
            // What gives way was solved for with the others; otherwise it is as if it stood.
            let given_up = carrier.is_some() && rigids.is_empty() && self.room.spares;
            let carrier = carrier.filter(|_| !rigids.is_empty());
            let other = carrier.map_or(Other::Still, |carrier| {
                let center = carrier.carried.center + rigids[carrier.rigid].now.moved;
                Other::Rigid { rigid: carrier.rigid, arm: contact.at(|i| skin.position(i)) - center }
            });
            // What is held does not give way: a push at it would be without bounds.
            let inert = given_up || shares[0] + shares[1] < LEAST_SHARE;
            let shares = if inert { [0.0; 2] } else { shares };
            let still = inert && matches!(other, Other::Still);
            if still && !given_up {
                (contact.push, contact.drag) = (0.0, 0.0);
            }
            pushes.rows.push(Row {
                place: Place::new(points, shares),
                other,
                normal: contact.normal,
                gap: if still { FAR } else { contact.gap },
                slip: (way - contact.drift).dot(contact.tangent()),
                friction: contact.friction,
                push: contact.normal * contact.push + contact.tangent() * contact.drag,
                ..Row::default()
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
            let off = target - self.points.position(pin.point);
            let found = self.collision.pushes.held.get(index).copied().unwrap_or_default();
            self.collision.pushes.rows.push(Row {
                place: Place::new([pin.point as u32; 2], [1.0, 0.0]),
                normal: Vec2::X,
                gap: off.x,
                slip: off.y,
                hand: Some(force * factor),
                push: if first { Vec2::ZERO } else { found },
                ..Row::default()
            });
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
        let Collision { pushes, contacts, response, skin_points, .. } = &mut self.collision;
        // Hands go where they go.
        pushes.rows.truncate(contacts.list.len());
        for (row, contact) in pushes.rows.iter_mut().zip(&contacts.list) {
            let way = contact.at(|k| self.points.way(skin_points[k] as usize));
            let leaves = (way - contact.drift).dot(contact.normal);
            (row.push, row.more, row.slip, row.friction) = (Vec2::ZERO, Vec2::ZERO, 0.0, 0.0);
            // What gives way is not put anywhere.
            let pushes = contact.active && contact.push > 0.0 && matches!(row.other, Other::Still);
            row.gap = if pushes { leaves } else { FAR };
            row.holds = pushes && is_deep(contact) && leaves > 0.0;
            (row.body, row.other) = (0, Other::Still);
        }
        response.forget();
        let field = &mut Field::alone(response);
        pushes.rows.iter_mut().for_each(|row| row.resolve(field));
        rows::solve(&mut pushes.rows, field, MOST_ROUNDS);
        self.apply_pushes(true, f32::INFINITY);
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
