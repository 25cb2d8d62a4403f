//! What a rope collides with.

use super::{Rope, Solver};
use crate::bounds::Bounds;
use crate::chain::touching;
use crate::collide::{ColliderKey, Colliders, Material};
use crate::contact::Contact;
use crate::contact::itself::Itself;
use crate::contact::meet::{Contacts, MARGIN, Skin, Span};
use crate::contact::near::{Near, Nearby, convex, pose_at};
use crate::contact::surface::impact;
use crate::hash::StateHash;
use crate::integrate::Step;
use crate::island::Rigid;
use crate::points::Points;
use crate::tick::Tick;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A body that a rope touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// What is touched.
    pub key: ColliderKey,
    /// The point that is touched, or the nearer one of the touched piece.
    pub point: usize,
    /// Where, in global px.
    pub position: Vec2,
    /// Unit vector out of the body.
    pub normal: Vec2,
    /// With what impulse the rope struck it in this tick, in kg px/s; 0: it only lies on it, or slides.
    pub impulse: f32,
}

/// Everything that decides what a rope collides with and how.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionSettings {
    /// The layers on which it is there for others; 0: it is not.
    pub layer: u32,
    /// What a character weighs that stands on it, in kg.
    pub character_mass: f32,
    /// The layers with which it collides; 0: with nothing.
    pub mask: u32,
    /// How far its surface is from its middle line, in local px.
    pub radius: f32,
    /// Friction as the engine counts it: a rough material's is negative.
    pub friction: f32,
    /// Bounce as the engine counts it: an absorbent material's is negative.
    pub bounce: f32,
    /// Whether it collides with itself.
    pub with_itself: bool,
    /// Whether it pushes the rigid bodies that it touches, or only gives way to them.
    pub push_bodies: bool,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        CollisionSettings {
            layer: 0,
            character_mass: 50.0,
            mask: 1,
            radius: 2.0,
            friction: 1.0,
            bounce: 0.0,
            with_itself: false,
            push_bodies: true,
        }
    }
}

/// The greatest collision radius in local px, friction and bounce either way.
pub const MOST_RADIUS: f32 = 1000.0;
/// What a character weighs at most, in kg.
pub const MOST_CHARACTER_MASS: f32 = 100_000.0;
/// See [`MOST_RADIUS`].
pub const MOST_FRICTION: f32 = 100.0;
/// A thinner skin in px would let points through by rounding.
const THINNEST: f32 = 0.25;
/// What may move a point within a tick besides its velocity and gravity, in px.
const UNFORESEEN: f32 = 16.0;
/// A contact pushes a straight rope along itself if the cosine between them is more than this.
const ENDWAYS: f32 = 0.1;
/// How often friction may ask for another solution of a substep.
const RUBS: usize = 2;

/// What lies on something and is slower than this in px/s needs no fine steps.
const CALM_SPEED: f32 = 12.0;
/// A link that is longer than this multiple of its length is stretched by something that the rope cannot get round.
const MOST_STRAIN: f32 = 1.03;
/// The same for things that stand, and for how many seconds it has to be so.
const MOST_STRAIN_OF_STANDING: f32 = 1.1;
const FOR_GOOD: f32 = 0.3;
/// For how many seconds something is let through at least.
const LEAST_TIME_THROUGH: f32 = 0.3;
/// How often a hand slides from one surface to another in a substep, and how far off them it stays, in px.
const SLIDES: usize = 3;
const OFF: f32 = 0.01;
/// How often contacts that the solution has brought about may ask for another.
const LOOKS: usize = 3;
/// How often a substep is solved anew because rigid bodies give way otherwise than was thought.
const LEARNS: usize = 4;
/// How often it is pushed off itself and solved in a substep.
const TURNS: usize = 8;

/// What a rope needs for its contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Collision {
    /// Bodies that are let through, sorted.
    exceptions: Vec<u64>,
    pub nearby: Nearby,
    pub contacts: Contacts,
    itself: Itself,
    /// Pieces of colliders that are let through, by their ids, and for how many seconds at least: the rope could not get out of their way.
    hopeless: Vec<(u64, f32)>,
    /// For how many seconds something has stretched the rope.
    strained: f32,
    pub touches: Vec<Touch>,
    /// Its points that touched something in the last tick, and the sum of the normals there, if somebody wants to know or it sleeps.
    pub pegs: Vec<(usize, Vec2)>,
    /// The hardest of the impulses whose sum each touch tells.
    pub hardest: Vec<f32>,
    /// The soft bodies that it touches.
    pub strand: super::strand::Strand,
    /// The points before contacts and lengths, and before solving.
    predicted: Points,
    before: Points,
    /// What it touched when it fell asleep; None: that is still to be seen.
    asleep_among: Option<u64>,
}

impl CollisionSettings {
    /// The same with every number brought into its range; what is not a number is taken from `fallback`.
    pub(crate) fn clamped(self, fallback: &CollisionSettings) -> CollisionSettings {
        let number = |value: f32, other: f32| if value.is_finite() { value } else { other };
        CollisionSettings {
            radius: number(self.radius, fallback.radius).clamp(0.0, MOST_RADIUS),
            friction: number(self.friction, fallback.friction).clamp(-MOST_FRICTION, MOST_FRICTION),
            bounce: number(self.bounce, fallback.bounce).clamp(-1.0, 1.0),
            character_mass: number(self.character_mass, fallback.character_mass).clamp(0.0, MOST_CHARACTER_MASS),
            ..self
        }
    }
}

impl Rope {
    /// A box around all that it may touch in a tick of `delta` seconds, in global px.
    pub fn reach(&self, delta: f32) -> Bounds {
        let mut bounds = self.bounds();
        for pin in &self.pins {
            let target = self.frame.to_global(self.pin_target(pin));
            bounds = Bounds { min: bounds.min.min(target), max: bounds.max.max(target) };
        }
        let speed = if self.h_before > 0.0 { self.points.longest_way() / self.h_before } else { 0.0 };
        let gravity = self.gravity.length() * self.settings.gravity_scale.abs();
        let pushed = |(i, force): (usize, &Vec2)| force.length() * self.points.inv_mass[i];
        let push = self.forces.iter().enumerate().map(pushed).fold(0.0, f32::max);
        let mut way = delta * (speed + (gravity + push) * delta);
        if self.fresh {
            // It may be laid elsewhere.
            way += self.target_length;
        }
        let more = Vec2::splat(way + self.skin().radius + MARGIN + UNFORESEEN);
        Bounds { min: bounds.min - more, max: bounds.max + more }
    }

    /// The bodies with these keys ([`ColliderKey::body`]) are let through.
    pub fn set_exceptions(&mut self, mut bodies: Vec<u64>) {
        bodies.sort_unstable();
        bodies.dedup();
        if bodies != self.collision.exceptions {
            self.collision.exceptions = bodies;
            self.wake();
        }
    }

    /// The same for bodies that it does not touch, or that go on touching it in another way: it sleeps on.
    pub fn set_exceptions_quietly(&mut self, bodies: Vec<u64>) {
        let rest = (self.sleeping, self.rest_time);
        self.set_exceptions(bodies);
        (self.sleeping, self.rest_time) = rest;
    }

    /// The bodies that it touched at the end of the last tick, or struck in it, each once, in ascending order; with where it was touched
    /// hardest.
    pub fn touches(&self) -> &[Touch] {
        &self.collision.touches
    }

    /// Wakes it if anything that it touches has changed since it fell asleep, or something has come.
    pub fn notice_colliders(&mut self, colliders: &Colliders) {
        if !self.sleeping || self.settings.collision.mask == 0 {
            return;
        }
        let now = self.surroundings(colliders);
        if *self.collision.asleep_among.get_or_insert(now) != now {
            self.wake();
        }
    }

    /// Whether it touches anything, or nearly.
    pub(super) fn is_touching(&self) -> bool {
        !self.collision.contacts.list.is_empty()
    }

    /// Whether all of it lies on something and hardly moves. What hangs over an edge would be shaken by steps that change.
    pub(super) fn lies_calmly(&self) -> bool {
        let list = &self.collision.contacts.list;
        let lies = |contact: &&Contact| contact.active && contact.push > 0.0 && !contact.between;
        list.len() >= self.points.len()
            && self.points.longest_way() < CALM_SPEED * self.h_before
            && list.iter().filter(lies).count() >= self.points.len()
    }

    /// Whether it is being let out of something in which it was too deep, and has come farther than `way` px in this tick: it has no speed.
    pub(super) fn comes_out(&self, way: f32) -> bool {
        let moved = |i: usize| {
            let start = Vec2::new(self.tick_start.x[i], self.tick_start.y[i]);
            self.points.position(i).distance_squared(start) > way * way
        };
        let is_deep = |contact: &Contact| contact.active && contact.allowed > 0.0;
        self.collision.contacts.list.iter().any(is_deep) && (0..self.points.len()).any(moved)
    }

    /// Whether it lies on itself.
    pub(super) fn is_tangled(&self) -> bool {
        !self.collision.itself.is_empty()
    }

    /// Does not meet itself until it looks around again.
    pub(super) fn forget_itself(&mut self) {
        self.collision.itself.clear();
    }

    /// Whether it goes through the body with a key.
    pub(crate) fn lets_through(&self, body: u64) -> bool {
        self.collision.exceptions.binary_search(&body).is_ok()
    }

    /// Whether there is anything that it may touch in this tick.
    pub(super) fn sees_anything(&self) -> bool {
        !self.collision.nearby.pieces.is_empty()
    }

    /// What it may touch in this tick.
    pub(super) fn nearby(&self) -> &Nearby {
        &self.collision.nearby
    }

    /// How far its surface is from its middle line, in global px.
    pub fn surface_radius(&self) -> f32 {
        self.skin().radius
    }

    /// How thick it is, and of what made.
    pub(super) fn skin(&self) -> Skin {
        let collision = &self.settings.collision;
        let scale = self.pose.x.perp_dot(self.pose.y).abs().sqrt();
        let material = Material { friction: collision.friction, bounce: collision.bounce };
        Skin { radius: (collision.radius * scale).max(THINNEST), material }
    }

    /// What a point of it would meet first on a straight way, when the part `t` of the tick has gone by: after what part of the way, and the
    /// normal there.
    pub(super) fn first_hit(&self, from: Vec2, to: Vec2, t: f32, colliders: &Colliders) -> Option<(f32, Vec2)> {
        let radius = self.skin().radius;
        let mut first: Option<(f32, Vec2)> = None;
        for near in &self.nearby().pieces {
            let collider = &colliders.all()[near.collider];
            let turn = pose_at(collider, &self.frame, t);
            let hit = convex(colliders, near).cast(turn.unpoint(from), turn.unpoint(to), radius);
            if let Some(hit) = hit.filter(|hit| first.is_none_or(|(part, _)| hit.part < part)) {
                let normal = turn.turn(hit.normal);
                if collider.one_way.is_none_or(|up| turn.turn(up).dot(normal) > 0.5) {
                    first = Some((hit.part, normal));
                }
            }
        }
        first
    }

    /// Where a hand gets that wants to go from one place to another: it stops at what the rope collides with, and slides along it.
    pub(super) fn slide_hand(&self, from: Vec2, to: Vec2, t: f32, colliders: Option<&Colliders>) -> Vec2 {
        let Some(colliders) = colliders else { return to };
        let (mut at, mut goal) = (from, to);
        for _ in 0..SLIDES {
            let Some((part, normal)) = self.first_hit(at, goal, t, colliders) else {
                return goal;
            };
            at = at.lerp(goal, part);
            let left = goal - at;
            goal = at + left - normal * left.dot(normal).min(0.0) + normal * OFF;
        }
        at
    }

    /// Takes down what is near for a tick.
    pub(super) fn look_around(&mut self, tick: &Tick) {
        self.clear_touches();
        let mask = self.settings.collision.mask;
        match tick.colliders.filter(|_| mask != 0) {
            Some(colliders) => {
                let (reach, radius) = (self.reach(tick.delta), self.skin().radius);
                let Collision { nearby, contacts, exceptions, .. } = &mut self.collision;
                let same = nearby.gather(colliders, &reach, mask, exceptions);
                if !same {
                    contacts.lose();
                }
                nearby.spare(colliders, &self.frame, &self.points, self.pitch, radius);
                self.let_through(colliders, tick.delta);
            }
            None => self.collision.nearby.clear(),
        }
        if self.settings.collision.with_itself {
            self.look_at_itself(tick.delta);
        } else {
            self.collision.itself.clear();
        }
    }

    /// Does without what is let through, until the rope is clear of it.
    fn let_through(&mut self, colliders: &Colliders, time: f32) {
        if self.collision.hopeless.is_empty() {
            return;
        }
        let mut hopeless = std::mem::take(&mut self.collision.hopeless);
        let pieces = &self.collision.nearby.pieces;
        hopeless.retain_mut(|(id, left)| {
            *left -= time;
            *left > 0.0 || pieces.iter().any(|near| near.id == *id && self.goes_through(near, colliders))
        });
        let spared = |near: &Near| hopeless.iter().any(|(id, _)| *id == near.id);
        self.collision.nearby.pieces.retain(|near| !spared(near));
        self.collision.contacts.lose();
        self.collision.hopeless = hopeless;
    }

    /// Notices, after a tick of `time` seconds, when what the rope touches stretches it: it is held so that it cannot get out of the way, and nothing
    /// that moves is stopped by it. It lets that through then, at once; and what stands after a while, if something pulls it there.
    pub(super) fn give_up(&mut self, time: f32, colliders: Option<&Colliders>) {
        let Some(colliders) = colliders else { return };
        let longest =
            if self.settings.solver == Solver::Direct && self.is_touching() { self.longest_link() } else { None };
        let Some((link, strain)) = longest.filter(|&(_, strain)| strain > MOST_STRAIN) else {
            self.collision.strained = 0.0;
            return;
        };
        self.collision.strained += time;
        let for_good = strain > MOST_STRAIN_OF_STANDING && self.collision.strained >= FOR_GOOD;
        // The nearest contacts on both sides are those that stretch it.
        let pushes = |contact: &&Contact| contact.active && contact.push > 0.0;
        let list = &self.collision.contacts.list;
        let before = list.iter().rev().filter(pushes).find(|contact| contact.point <= link);
        let after = list.iter().filter(pushes).find(|contact| contact.point >= link);
        let stretching = [before, after].into_iter().flatten().map(|contact| &self.nearby().pieces[contact.near]);
        // What moves is gone through rather than what stands, and what is pierced already rather than what is not.
        // A rigid body that yields is pushed out of the way instead.
        let moves = |near: &Near| near.yields && near.carrier.is_none();
        let rank = |near: &Near| match (moves(near), for_good && self.goes_through(near, colliders)) {
            (true, _) => 3,
            (_, true) => 2,
            _ => u8::from(for_good),
        };
        let ranks: Vec<(u64, u8)> = stretching.map(|near| (near.id, rank(near))).collect();
        let highest = ranks.iter().map(|&(_, rank)| rank).max().unwrap_or(0);
        for (id, _) in ranks.into_iter().filter(|&(_, rank)| rank > 0 && rank == highest) {
            self.collision.hopeless.retain(|(other, _)| *other != id);
            self.collision.hopeless.push((id, LEAST_TIME_THROUGH));
        }
        if highest > 0 {
            // It comes back into shape at once, and is not thrown by that.
            self.settle();
        }
    }

    /// The link that is stretched most, and how long it is as a multiple of its length.
    fn longest_link(&self) -> Option<(usize, f32)> {
        let strain = |k: usize| self.points.position(k).distance(self.points.position(k + 1)) / self.lengths[k];
        let all = (0..self.lengths.len()).map(|k| (k, strain(k)));
        all.reduce(|one, other| if other.1 > one.1 { other } else { one })
    }

    /// Finds the pieces of it that may touch each other in a tick.
    fn look_at_itself(&mut self, delta: f32) {
        let thickness = 2.0 * self.skin().radius;
        let speed = if self.h_before > 0.0 { self.points.longest_way() / self.h_before } else { 0.0 };
        let gravity = self.gravity.length() * self.settings.gravity_scale.abs();
        let way = (delta * (speed + gravity * delta)).min(2.0 * self.pitch) + MARGIN;
        // Pieces that must touch because they are so short do not meet.
        let apart = 1 + (2.0 * thickness / self.pitch).ceil() as usize;
        let longest = self.lengths.iter().copied().fold(self.pitch, f32::max);
        self.collision.itself.find(&self.points, longest, thickness, way, apart);
    }

    /// Takes down what it touches in a substep.
    fn meet(&mut self, colliders: &Colliders, span: Span) {
        let skin = self.skin();
        let Collision { nearby, contacts, .. } = &mut self.collision;
        contacts.meet(&self.points, nearby, colliders, &self.frame, span, skin);
    }

    /// Takes down what it touches in a substep, itself included.
    pub(super) fn meet_all(&mut self, span: Span, colliders: Option<&Colliders>) {
        let thickness = 2.0 * self.skin().radius;
        self.collision.itself.meet(&self.points, thickness);
        match colliders.filter(|_| self.sees_anything()) {
            Some(colliders) => {
                self.meet(colliders, span);
                if self.is_struck_endways() {
                    self.unstraighten();
                }
            }
            None => self.collision.contacts.forget(),
        }
    }

    /// Gives the links their lengths and keeps everything out of what it collides with, and pulls at what it holds on to.
    pub(super) fn settle_substep(
        &mut self,
        step: &Step,
        span: Span,
        colliders: Option<&Colliders>,
        rigids: &mut [Rigid],
    ) {
        let coupled = self.is_coupled();
        if coupled {
            self.load_ties(step.h, rigids);
        }
        match colliders.filter(|_| self.sees_anything()) {
            Some(colliders) => self.settle_touching(step, span, colliders, rigids),
            None => {
                self.solver.end_substep();
                self.solve_apart(step);
            }
        }
        if coupled {
            self.pull_ties(rigids);
            self.unload_ties();
        }
    }

    fn settle_touching(&mut self, step: &Step, span: Span, colliders: &Colliders, rigids: &mut [Rigid]) {
        let factor = step.acceleration_factor();
        self.collision.contacts.use_forces(factor);
        self.collision.predicted.copy_from(&self.points);
        self.soften_contacts(rigids);
        let mut learns = LEARNS;
        for look in 0..=LOOKS {
            self.rub_and_solve(step);
            while learns > 0 && !self.solver.is_pinched() && self.learn_gives(rigids) {
                learns -= 1;
                self.points.copy_from(&self.collision.predicted);
                self.solver.forget();
                self.rub_and_solve(step);
            }
            let missed = self.miss(colliders, span);
            if missed == 0 {
                break;
            }
            // There are contacts of which the solution knows nothing.
            self.solver.spoil_responses();
            if look > 0 && self.solver.is_pinched() {
                break;
            }
            self.soften_missed(rigids);
            if look == LOOKS {
                self.hold_back(missed);
                break;
            }
            self.points.copy_from(&self.collision.predicted);
            self.solver.forget();
        }
        self.collision.contacts.bounce(&mut self.points, step.h);
        self.push_bodies(rigids);
        self.collision.contacts.remember(factor);
        self.solver.end_substep();
        self.watch_pegs();
        self.note_touches(colliders, span, step.h);
    }

    /// Whether something new pushes it along itself: what stands exactly straight on something would be a rod. What lies straight would hop.
    fn is_struck_endways(&self) -> bool {
        let line = self.points.position(self.points.len() - 1) - self.points.position(0);
        let most = ENDWAYS * line.length();
        let strikes = |contact: &Contact| contact.active && !contact.lasting && contact.normal.dot(line).abs() > most;
        self.collision.contacts.list.iter().any(strikes)
    }

    /// Solves a substep with the friction of the contacts.
    fn rub_and_solve(&mut self, step: &Step) {
        if self.collision.contacts.list.is_empty() {
            return self.solve_apart(step);
        }
        self.collision.contacts.drag(&mut self.points);
        for rub in 0..=RUBS {
            self.collision.before.copy_from(&self.points);
            self.solve_apart(step);
            if rub == RUBS || self.solver.is_pinched() {
                break;
            }
            let Collision { before, contacts, .. } = &mut self.collision;
            std::mem::swap(&mut self.points, before);
            if !contacts.rub(&mut self.points, [&before.x, &before.y]) {
                std::mem::swap(&mut self.points, before);
                break;
            }
        }
    }

    /// Takes down the contacts that the solution has brought about, and that could not be foreseen; how many there are.
    fn miss(&mut self, colliders: &Colliders, span: Span) -> usize {
        let skin = self.skin();
        let Collision { nearby, contacts, predicted, .. } = &mut self.collision;
        let far = |(a, b): (&f32, &f32)| (a - b).abs() > 0.5 * MARGIN;
        let moved = |now: &[f32], then: &[f32]| now.iter().zip(then).any(far);
        if !moved(&self.points.x, &predicted.x) && !moved(&self.points.y, &predicted.y) {
            return 0;
        }
        // What is tied to a body does not collide.
        self.coupling.hold_ties(&mut self.points);
        let missed = contacts.meet_missed(&self.points, nearby, colliders, &self.frame, span, skin);
        self.coupling.let_ties(&mut self.points);
        missed
    }

    /// Leaves points where they were on the surfaces that they have gone through all the same: the last contacts that were found.
    fn hold_back(&mut self, missed: usize) {
        let Collision { contacts, .. } = &mut self.collision;
        let passed = contacts.list.iter().filter(|contact| contact.missed);
        for contact in passed.take(missed) {
            for i in [contact.point, contact.point + 1].into_iter().take(1 + usize::from(contact.between)) {
                if self.points.inv_mass[i] > 0.0 {
                    let start = Vec2::new(self.points.start_x[i], self.points.start_y[i]);
                    self.points.set_position(i, start + contact.drift);
                    self.points.set_way(i, contact.drift);
                }
            }
        }
        self.solver.forget();
    }

    /// Gives the links their lengths, and keeps it off itself if it meets itself: in turns, since what touches is anywhere along it.
    fn solve_apart(&mut self, step: &Step) {
        if self.collision.itself.is_empty() {
            return self.solve(step);
        }
        let friction = self.settings.collision.friction.abs();
        for _ in 0..if self.solver.is_pinched() { 1 } else { TURNS } {
            self.collision.itself.push_apart(&mut self.points, friction);
            self.solve(step);
        }
        self.collision.itself.calm(&mut self.points);
    }

    /// Gives the links their lengths by whatever solver is set.
    fn solve(&mut self, step: &Step) {
        match self.settings.solver {
            Solver::Direct => self.solve_with_hands(step),
            Solver::Relaxation => self.relax(step),
        }
    }

    /// Solves for the lengths of all links, and the contacts, with all pins held.
    pub(super) fn solve_all_spans(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        self.solve_spans(&spans);
        self.spans = spans;
    }

    /// Solves for the lengths of the links of `spans`, and the contacts.
    pub(super) fn solve_spans(&mut self, spans: &[(usize, usize)]) {
        let contacts = &mut self.collision.contacts.list;
        if contacts.is_empty() {
            self.solver.solve(&mut self.points, &self.lengths, spans);
        } else {
            self.solver.solve_touching(&mut self.points, &self.lengths, spans, contacts);
        }
    }

    /// Passes of relaxation, each followed by pushing out what is too deep.
    pub(super) fn relax_touching(&mut self, passes: u32) {
        let contacts = &mut self.collision.contacts.list;
        let pulls = self.solver.pulls_mut();
        pulls.fill(0.0);
        for contact in &mut *contacts {
            contact.push = 0.0;
        }
        for _ in 0..passes {
            crate::relax::pass(&mut self.points, &self.lengths, pulls);
            touching::push_out(&mut self.points, contacts);
        }
    }

    /// Forgets which bodies it has touched.
    pub(super) fn clear_touches(&mut self) {
        self.collision.touches.clear();
        self.collision.hardest.clear();
    }

    /// Takes down which bodies it touches.
    fn note_touches(&mut self, colliders: &Colliders, span: Span, h: f32) {
        let Collision { contacts, nearby, touches, hardest, .. } = &mut self.collision;
        for contact in contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            let impulse = impact(contact, &self.points.inv_mass, h);
            // What only lies on something is told of at the end of the tick.
            if impulse <= 0.0 && span.to < 1.0 {
                continue;
            }
            let key = colliders.all()[nearby.pieces[contact.near].collider].key;
            let touch = touch(contact, key, impulse, &self.points, self.frame.origin());
            match touches.binary_search_by_key(&key.body, |touch| touch.key.body) {
                Ok(place) => {
                    let sum = touches[place].impulse + impulse;
                    if impulse > hardest[place] {
                        (touches[place], hardest[place]) = (touch, impulse);
                    }
                    touches[place].impulse = sum;
                }
                Err(place) => {
                    touches.insert(place, touch);
                    hardest.insert(place, impulse);
                }
            }
        }
    }

    /// What it touches, where and how that is: a hash that differs if anything of it changes. What is nearer than
    /// [`MARGIN`] counts as touched.
    fn surroundings(&mut self, colliders: &Colliders) -> u64 {
        let (skin, bounds) = (self.skin(), self.bounds());
        let more = Vec2::splat(skin.radius + MARGIN);
        let reach = Bounds { min: bounds.min - more, max: bounds.max + more };
        let Collision { nearby, contacts, exceptions, .. } = &mut self.collision;
        nearby.gather(colliders, &reach, self.settings.collision.mask, exceptions);
        let mut hash = StateHash::default();
        if nearby.pieces.is_empty() {
            return hash.finish();
        }
        let memory = std::mem::take(&mut contacts.memory);
        contacts.lose();
        contacts.meet(&self.points, nearby, colliders, &self.frame, Span { from: 0.0, to: 1.0, h: 0.0 }, skin);
        let mut touched: Vec<usize> =
            contacts.list.iter().map(|contact| nearby.pieces[contact.near].collider).collect();
        contacts.list.clear();
        contacts.memory = memory;
        touched.sort_unstable();
        touched.dedup();
        for collider in touched {
            hash.add(colliders.hash(collider));
        }
        hash.finish()
    }

    /// It falls asleep: among what is seen at once, if it is known, or by the next [`Rope::notice_colliders`].
    pub(super) fn note_surroundings(&mut self, colliders: Option<&Colliders>) {
        let mask = self.settings.collision.mask;
        self.collision.asleep_among = colliders.filter(|_| mask != 0).map(|colliders| self.surroundings(colliders));
    }

    /// It was laid out: it touches nothing yet.
    pub(super) fn forget_contacts(&mut self) {
        self.collision.contacts.forget();
        self.collision.pegs.clear();
        self.collision.strand.forget();
        self.clear_touches();
        self.collision.hopeless.clear();
        self.collision.strained = 0.0;
    }
}

fn touch(contact: &Contact, key: ColliderKey, impulse: f32, points: &Points, origin: Vec2) -> Touch {
    Touch {
        key,
        point: contact.point + usize::from(contact.part > 0.5),
        position: origin + contact.at(|i| points.position(i)),
        normal: contact.normal,
        impulse,
    }
}
