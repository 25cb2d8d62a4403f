//! Characters at the ends of a rope: kept within its reach, and what they pull.
//!
//! A character moves itself, and knows nothing of the rope. After it has moved it is taken back by what it is too far, along the rope, and
//! its velocity loses what leads out. Until the next tick it goes straight on where the rope would lead it around: the direction of its velocity is turned with
//! that of the rope, so that it swings as fast as before. Only taking away what leads out would brake a swing, the more the fewer ticks there are.

use super::VerletRope2D;
use super::body::{RopeBody, instance};
use crate::complain::Callee;
use crate::convert::{vec2, vector2};
use crate::world::lock;
use godot::classes::{CharacterBody2D, Node2D, PhysicsServer2D, RigidBody2D};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{End, Leash, Pin};

/// The mean of what holding takes is taken over this time, in seconds, as that of the tension is.
const MEAN_TIME: f32 = 1.0 / 60.0;
/// Less than this, in px, is within reach.
const TOLERANCE: f32 = 1e-3;
/// How often a character that is stopped on its way back slides on.
const SLIDES: usize = 4;
/// A character on the floor is taken back along it, by at most so many times what it is too far, and what it has walked. More would be a jerk;
/// it is lifted then.
const FLOOR_SLIDE: f32 = 3.0;
/// A rope that leads so straight up from a floor does not hold along it, as a part.
const STEEP: f32 = 1e-3;
/// What hangs still, slower than this in px/s and within so many px of where it was, is put there to the last bit: then the rope can sleep.
const STILL_SPEED: f32 = 1.0;
const STILL_WAY: f32 = 0.02;
/// The longest time for which a velocity is limited, in seconds.
const LONGEST_DELTA: f64 = 10.0;
/// Turned by more than this cosine between ticks, it is not the same swing.
const SAME_SWING: f32 = 0.5;

/// What a rope knows of the character at an end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// The character that holds the end, or below which the node is that does.
    character: Option<InstanceId>,
    /// Away from what it hung from in the last tick, if it pulled.
    outward: Option<Vector2>,
    /// Where it held the end after the last tick.
    place: Option<Vector2>,
    /// What the rope hangs from (its point and its holder's key), and where that was.
    anchor: Option<((usize, u64), Vector2)>,
    /// How fast that moved in the last tick, in px/s.
    flow: Vector2,
    /// The force with which it was held, in kg px/s2, along the rope.
    force: Vector2,
}

/// The characters at both ends.
#[derive(Debug)]
pub struct Characters {
    /// They are kept within reach.
    pub enabled: bool,
    ends: [Held; 2],
}

impl Default for Characters {
    fn default() -> Self {
        Characters { enabled: true, ends: [Held::default(); 2] }
    }
}

/// A character while it is held.
struct Puppet {
    character: Gd<CharacterBody2D>,
    /// Where it holds the end, global.
    at: Vector2,
    /// Unit vector out of the floor on which it stands.
    floor: Option<Vector2>,
    /// Something stopped it on its way back.
    blocked: bool,
}

impl Puppet {
    /// Moves it; the normal of what stopped it.
    fn shift(&mut self, motion: Vector2) -> Option<Vector2> {
        if !motion.is_finite() || !self.character.is_instance_valid() || !self.character.is_inside_tree() {
            return None;
        }
        let before = self.character.get_global_position();
        let collision = self.character.move_and_collide(motion);
        if !self.character.is_instance_valid() {
            return None;
        }
        self.at += self.character.get_global_position() - before;
        collision.map(|collision| collision.get_normal())
    }

    /// Brings it to within `free` px of `from`, along what it stands on or what stops it. `walked` px may be taken back along the floor.
    fn pull(&mut self, from: Vector2, free: f32, walked: f32) {
        self.blocked = false;
        let mut surface = self.floor;
        for _ in 0..SLIDES {
            let arm = from - self.at;
            let excess = arm.length() - free;
            if excess <= TOLERANCE {
                return;
            }
            let most = if self.blocked { f32::INFINITY } else { FLOOR_SLIDE * excess + walked };
            let slide = surface.and_then(|normal| along_surface(arm, normal, free));
            let motion = match slide.filter(|slide| slide.length() <= most) {
                Some(slide) => slide,
                None if self.blocked => return,
                // It is lifted off the floor.
                None => arm.normalized_or_zero() * excess,
            };
            if let Some(normal) = self.shift(motion) {
                // Not by what it slides on.
                self.blocked |= surface.is_none_or(|on| on.dot(normal) < 0.9);
                surface = Some(normal);
            }
        }
    }

    fn velocity(&self) -> Option<Vector2> {
        Some(self.character.is_instance_valid().then(|| self.character.get_velocity())?).filter(|v| v.is_finite())
    }

    fn set_velocity(&mut self, velocity: Vector2) {
        if self.character.is_instance_valid() && velocity.is_finite() {
            self.character.set_velocity(velocity);
        }
    }

    /// How fast a velocity leads along `outward`: on a floor only what leads along that counts.
    fn speed(&self, velocity: Vector2, outward: Vector2) -> f32 {
        match self.along_floor(outward) {
            Some((along, part)) => velocity.dot(along) * part,
            None => velocity.dot(outward),
        }
    }

    /// A velocity that is slower by `speed` px/s along `outward`. On a floor it loses what leads along that, and does not leave it: a slope is left
    /// by what leads straight on.
    fn slowed(&self, velocity: Vector2, outward: Vector2, speed: f32) -> Vector2 {
        match self.along_floor(outward) {
            Some((along, part)) => {
                let normal = self.floor.unwrap_or(Vector2::UP);
                velocity - along * (speed / part) - normal * velocity.dot(normal).max(0.0)
            }
            None => velocity - outward * speed,
        }
    }

    /// The direction of the floor, and what part of it leads along `outward`.
    fn along_floor(&self, outward: Vector2) -> Option<(Vector2, f32)> {
        let along = self.floor?.orthogonal();
        let part = along.dot(outward);
        (part.abs() > STEEP).then_some((along, part))
    }
}

/// How a velocity is limited.
struct Most {
    /// It may lead outward so fast, in px/s.
    outward: f32,
    /// The part of what is faster that the character loses; what it hangs from gains the rest.
    part: f32,
}

/// A rigid body from which a character hangs.
struct Weight {
    body: Gd<RigidBody2D>,
    /// Where it is pulled, global.
    at: Vector2,
    /// What it sets against being pulled, inverse: 1/kg.
    inv_mass: f32,
}

impl Weight {
    fn of(body: Gd<RigidBody2D>, at: Vector2, along: Vector2) -> Weight {
        let state = PhysicsServer2D::singleton().body_get_direct_state(body.get_rid());
        let inv_mass = state.map_or(0.0, |state| {
            let arm = at - body.get_global_position() - state.get_center_of_mass();
            state.get_inverse_mass() + arm.cross(along).powi(2) * state.get_inverse_inertia()
        });
        Weight { body, at, inv_mass: if inv_mass.is_finite() { inv_mass.max(0.0) } else { 0.0 } }
    }

    /// The part of a change of their relative velocity that the character takes.
    fn share(&self, character: f32) -> f32 {
        1.0 / (1.0 + character * self.inv_mass)
    }

    fn pull(mut self, impulse: Vector2) {
        if self.inv_mass > 0.0 && impulse != Vector2::ZERO && impulse.is_finite() && self.body.is_instance_valid() {
            let place = self.at - self.body.get_global_position();
            self.body.apply_impulse_ex(impulse).position(place).done();
        }
    }
}

/// The way along a surface to within `free` px of what is at `arm`; None: it leads nowhere there.
fn along_surface(arm: Vector2, normal: Vector2, free: f32) -> Option<Vector2> {
    let along = normal.orthogonal();
    let middle = arm.dot(along);
    let off = arm.dot(normal);
    let half = free * free - off * off;
    (half >= 0.0).then(|| along * (middle - half.sqrt().min(middle.abs()) * middle.signum()))
}

impl RopeBody {
    /// Looks for characters at the ends.
    pub(super) fn find_characters(&self, node: &Gd<Node2D>) {
        let holders = {
            let rope = lock(&self.rope);
            End::BOTH.map(|end| rope.pins().iter().find(|pin| pin.point == rope.end_point(end)).copied())
        };
        let characters = &mut *lock(&self.characters);
        let mut any = false;
        for (held, pin) in characters.ends.iter_mut().zip(holders) {
            let found = pin.and_then(|pin| character_of(&pin, node));
            if found != held.character || !characters.enabled {
                *held = Held { character: found, ..Held::default() };
            }
            any |= found.is_some();
        }
        self.flags.leashed.store(any && characters.enabled, Relaxed);
    }

    /// Brings the characters at its ends within reach; true if one was moved. Nothing may be locked or borrowed.
    pub(super) fn hold_characters(&self, node: &Gd<Node2D>, delta: f32, pass: u32) -> bool {
        if !(delta > 0.0 && delta.is_finite()) {
            return false;
        }
        let mut puppets = End::BOTH.map(|end| self.puppet(end, node));
        if pass == 0 {
            let rest = (-delta / MEAN_TIME).exp();
            let resumed = self.flags.resumed.load(Relaxed);
            for (held, puppet) in lock(&self.characters).ends.iter_mut().zip(&puppets) {
                held.force *= rest;
                if resumed || puppet.is_none() {
                    // What was then is over.
                    *held = Held { character: held.character, ..Held::default() };
                }
            }
        }
        if let [Some(one), Some(other)] = &mut puppets
            && !is_at_or_above(&one.character, &other.character)
            && !is_at_or_above(&other.character, &one.character)
            && lock(&self.rope).anchor(End::End).is_some_and(|anchor| anchor.point == 0)
        {
            return self.hold_pair(one, other, delta, pass);
        }
        let mut moved = false;
        for (end, puppet) in End::BOTH.into_iter().zip(&mut puppets) {
            moved |= puppet.as_mut().is_some_and(|puppet| self.hold_one(end, puppet, node, delta, pass));
        }
        moved
    }

    /// The character at an end, if it can be moved.
    fn puppet(&self, end: End, node: &Gd<Node2D>) -> Option<Puppet> {
        let Held { character, place, .. } = lock(&self.characters).ends[end as usize];
        let id = character?;
        let Ok(character) = Gd::<CharacterBody2D>::try_from_instance_id(id) else {
            self.flags.unsorted.store(true, Relaxed);
            return None;
        };
        if !character.is_inside_tree() || !character.can_process() {
            return None;
        }
        // A server on a thread of its own may not have a new one in its space yet, until it is asked.
        if place.is_none() && !PhysicsServer2D::singleton().body_get_space(character.get_rid()).is_valid() {
            return None;
        }
        let pin = {
            let rope = lock(&self.rope);
            rope.pins().iter().find(|pin| pin.point == rope.end_point(end)).copied()?
        };
        let at = place_of(&pin, node).filter(|at| at.is_finite())?;
        let floor = character.is_on_floor().then(|| character.get_floor_normal()).filter(|normal| normal.is_finite());
        Some(Puppet { character, at, floor, blocked: false })
    }

    /// What holds an end back that wants to be at `at`.
    fn leash(&self, end: End, anchor: &Pin, hold: Vector2, at: Vector2, delta: f32) -> Leash {
        lock(&self.rope).leash(end, anchor, vec2(hold), vec2(at), delta)
    }

    fn hold_one(&self, end: End, puppet: &mut Puppet, node: &Gd<Node2D>, delta: f32, pass: u32) -> bool {
        let Some(anchor) = lock(&self.rope).anchor(end) else { return false };
        // What moves along with it does not hold it.
        let carrier = match anchor.holder {
            None => Some(node.clone()),
            Some(holder) => instance(holder.key).and_then(node_of),
        };
        if carrier.is_some_and(|carrier| is_at_or_above(&puppet.character, &carrier)) {
            return false;
        }
        let Some(hold) = place_of(&anchor, node).filter(|hold| hold.is_finite()) else { return false };
        let before = lock(&self.characters).ends[end as usize];
        let leash = self.leash(end, &anchor, hold, puppet.at, delta);
        let from = vector2(leash.from);
        let excess = leash.excess(vec2(puppet.at));
        let mut now = before;
        let name = (anchor.point, anchor.holder.map_or(0, |holder| holder.key));
        let flow = match before.anchor {
            Some((other, place)) if other == name && pass == 0 => (hold - place) / delta,
            Some(_) if pass > 0 => before.flow,
            _ => Vector2::ZERO,
        };
        (now.anchor, now.flow) = (Some((name, hold)), flow);
        let moved = excess > TOLERANCE;
        if moved {
            let walked = before.place.map_or(0.0, |place| place.distance_to(puppet.at)).min(100.0);
            puppet.pull(from, leash.free.max(0.0), walked);
            let outward = (puppet.at - from).normalized_or_zero();
            // What has only just begun to move may have been put there.
            let slower = if before.flow.length() < flow.length() { before.flow } else { flow };
            // What holds the other end feels the pull along the rope there, and gives way along it.
            let far = anchor.point == lock(&self.rope).end_point(end.other());
            let around = leash.corner && far;
            let inward = if around { self.direction_at(end.other(), hold, puppet.at, delta) } else { outward };
            let flow = if leash.corner { outward * slower.dot(inward) } else { slower };
            let out = self.wound_out(end, &anchor, delta);
            let body = self.body_at(end.other(), &anchor).map(|body| Weight::of(body, hold, inward));
            let mass = self.character_mass();
            let most = Most { outward: out, part: body.as_ref().map_or(1.0, |body| body.share(mass)) };
            let taken = self.brake_one(puppet, outward, before.outward.filter(|_| pass == 0), flow, most);
            if let Some(body) = body {
                body.pull(inward * (taken * mass));
            }
            now.force -= outward * (taken * self.pull_of(delta));
            now.outward = Some(outward);
            self.let_rest(puppet, &before);
        } else if pass == 0 && excess < -STILL_WAY {
            now.outward = None;
        }
        now.place = Some(puppet.at);
        lock(&self.characters).ends[end as usize] = now;
        moved
    }

    /// Along which the rope leads from an end at `at` to the other one, which a character holds at `hold`.
    fn direction_at(&self, end: End, at: Vector2, hold: Vector2, delta: f32) -> Vector2 {
        let mut rope = lock(&self.rope);
        let anchor = rope.anchor(end);
        let from = anchor.map(|anchor| rope.leash(end, &anchor, vec2(hold), vec2(at), delta).from);
        from.map_or(Vector2::ZERO, |from| (vector2(from) - at).normalized_or_zero())
    }

    /// How fast an end may leave because the rope is wound out, in px/s.
    fn wound_out(&self, end: End, anchor: &Pin, delta: f32) -> f32 {
        (lock(&self.rope).wound_from(end, anchor.point, delta) / delta).max(0.0)
    }

    /// The rigid body that holds the other end, if it gives way.
    fn body_at(&self, end: End, anchor: &Pin) -> Option<Gd<RigidBody2D>> {
        if anchor.point != lock(&self.rope).end_point(end) {
            return None;
        }
        let id = instance(anchor.holder?.key)?;
        let yields = lock(&self.holders).iter().any(|holder| holder.node == id && holder.yields);
        let node = node_of(id).filter(|_| yields)?;
        node.try_cast::<RigidBody2D>().ok().filter(|body| !body.is_freeze_enabled())
    }

    /// Takes from a character's velocity, relative to what it hangs from, its part of what is faster outward than it may be; how much that was.
    fn brake_one(
        &self,
        puppet: &mut Puppet,
        outward: Vector2,
        before: Option<Vector2>,
        flow: Vector2,
        most: Most,
    ) -> f32 {
        let Some(velocity) = puppet.velocity() else { return 0.0 };
        let relative = velocity - flow;
        if puppet.floor.is_some() {
            let speed = (puppet.speed(relative, outward) - most.outward) * most.part;
            if speed <= 0.0 {
                return 0.0;
            }
            puppet.set_velocity(puppet.slowed(velocity, outward, speed));
            return speed;
        }
        let turned = match before.filter(|before| before.dot(outward) > SAME_SWING) {
            Some(before) => relative.rotated(before.angle_to(outward)),
            None => relative,
        };
        let speed = (turned.dot(outward) - most.outward) * most.part;
        if speed <= 0.0 {
            return 0.0;
        }
        let kept = turned - outward * speed + flow;
        puppet.set_velocity(kept);
        (velocity - kept).dot(outward).max(0.0)
    }

    /// Two characters hold each other: both give way by half, and what one cannot, the other does.
    fn hold_pair(&self, one: &mut Puppet, other: &mut Puppet, delta: f32, pass: u32) -> bool {
        let Some(anchor) = lock(&self.rope).anchor(End::End) else { return false };
        let Some(back) = lock(&self.rope).anchor(End::Start) else { return false };
        let before = lock(&self.characters).ends;
        let leash = self.leash(End::End, &anchor, one.at, other.at, delta);
        let whole = leash.excess(vec2(other.at));
        let moved = whole > TOLERANCE;
        let mut now = before;
        if moved {
            let walked = [(0, &*one), (1, &*other)].map(|(i, puppet)| {
                before[i].place.map_or(0.0, |place: Vector2| place.distance_to(puppet.at)).min(100.0)
            });
            let middle = self.leash(End::Start, &back, other.at, one.at, delta);
            one.pull(vector2(middle.from), (middle.free + 0.5 * whole).max(0.0), walked[0]);
            let first_blocked = one.blocked;
            let rest = self.leash(End::End, &anchor, one.at, other.at, delta);
            other.pull(vector2(rest.from), rest.free.max(0.0), walked[1]);
            let second_blocked = other.blocked;
            let last = self.leash(End::Start, &back, other.at, one.at, delta);
            if last.excess(vec2(one.at)) > TOLERANCE {
                one.pull(vector2(last.from), last.free.max(0.0), walked[0]);
            }
            let outward =
                [one.at - vector2(last.from), other.at - vector2(rest.from)].map(|arm| arm.normalized_or_zero());
            let shares = match (first_blocked || one.blocked, second_blocked) {
                (true, false) => [0.0, 1.0],
                (false, true) => [1.0, 0.0],
                _ => [0.5, 0.5],
            };
            let out = self.wound_out(End::End, &anchor, delta);
            if let (Some(first), Some(second)) = (one.velocity(), other.velocity()) {
                let (mut first, mut second) = (first, second);
                // As one swings around the other, or both around their middle.
                if let (Some(then), true) = (before[1].outward, pass == 0 && !rest.corner && other.floor.is_none())
                    && then.dot(outward[1]) > SAME_SWING
                {
                    let apart = second - first;
                    let turn = apart.rotated(then.angle_to(outward[1])) - apart;
                    (first, second) = (first - turn * shares[0], second + turn * shares[1]);
                }
                let speed = one.speed(first, outward[0]) + other.speed(second, outward[1]) - out;
                if speed > 0.0 {
                    one.set_velocity(one.slowed(first, outward[0], speed * shares[0]));
                    other.set_velocity(other.slowed(second, outward[1], speed * shares[1]));
                    let pull = speed * self.pull_of(delta) * shares[0].max(shares[1]);
                    now[0].force -= outward[0] * pull;
                    now[1].force -= outward[1] * pull;
                }
            }
            (now[0].outward, now[1].outward) = (Some(outward[0]), Some(outward[1]));
        } else if pass == 0 && whole < -STILL_WAY {
            (now[0].outward, now[1].outward) = (None, None);
        }
        (now[0].place, now[1].place) = (Some(one.at), Some(other.at));
        lock(&self.characters).ends = now;
        moved
    }

    /// What hangs still stays where it is to the last bit.
    fn let_rest(&self, puppet: &mut Puppet, before: &Held) {
        let Some(place) = before.place else { return };
        let way = place - puppet.at;
        let slow = puppet.velocity().is_some_and(|velocity| velocity.length() < STILL_SPEED);
        if slow && way != Vector2::ZERO && way.length() < STILL_WAY {
            let position = puppet.character.get_global_position() + way;
            puppet.character.set_global_position(position);
            puppet.at = place;
        }
    }

    /// What a character weighs, in kg.
    fn character_mass(&self) -> f32 {
        lock(&self.rope).settings().collision.character_mass
    }

    /// The force that takes 1 px/s from a character in a tick, as it goes into the mean.
    fn pull_of(&self, delta: f32) -> f32 {
        self.character_mass() / delta * (1.0 - (-delta / MEAN_TIME).exp())
    }

    /// The velocity with which what is at an end stays within reach for `delta` seconds.
    fn limit(&self, end: End, node: Option<&Gd<Node2D>>, velocity: Vector2, delta: f32) -> Vector2 {
        let (pin, anchor) = {
            let rope = lock(&self.rope);
            let pin = rope.pins().iter().find(|pin| pin.point == rope.end_point(end)).copied();
            let Some(anchor) = rope.anchor(end) else { return velocity };
            (pin, anchor)
        };
        let place = |pin: &Pin| match node {
            Some(node) => place_of(pin, node),
            None => None,
        };
        let mut rope = lock(&self.rope);
        let here = |rope: &supple_sim::rope::Rope, point: usize| vector2(rope.position(point));
        let at = pin.as_ref().and_then(place).unwrap_or_else(|| here(&rope, rope.end_point(end)));
        let hold = place(&anchor).unwrap_or_else(|| here(&rope, anchor.point));
        if !at.is_finite() || !hold.is_finite() {
            return velocity;
        }
        let limited = vector2(rope.limit(end, &anchor, vec2(hold), vec2(at), vec2(velocity), delta));
        if limited.is_finite() { limited } else { velocity }
    }

    /// With what force the rope pulls at what is at an end, in kg px/s2.
    fn end_force(&self, end: End) -> Vector2 {
        let held = lock(&self.characters).ends[end as usize];
        if held.outward.is_some() {
            // A rope that is held straight has no tension of its own.
            return held.force;
        }
        let rope = lock(&self.rope);
        let last = rope.lengths().len();
        let (link, from, to) = match end {
            End::Start => (0, 0, 1),
            End::End => (last - 1, last, last - 1),
        };
        let direction = (rope.position(to) - rope.position(from)).normalize_or_zero();
        vector2(direction * rope.tension(link)) + held.force
    }
}

impl VerletRope2D {
    pub(super) fn change_hold_characters(&mut self, hold: bool) {
        lock(&self.body.characters).enabled = hold;
        self.body.flags.unsorted.store(true, Relaxed);
        self.rope().wake();
        self.touch();
    }

    pub(super) fn limited_velocity(&self, end: i64, velocity: Vector2, delta: f64) -> Vector2 {
        let callee = self.callee("limit_velocity()");
        let Some(end) = end_of(&callee, end) else { return velocity };
        if callee.place("velocity", velocity).is_none() {
            return velocity;
        }
        if !(delta > 0.0 && delta <= LONGEST_DELTA) {
            callee.complain(format_args!("delta {delta} is not more than 0 and at most {LONGEST_DELTA}"));
            return velocity;
        }
        let inside = is_main_thread() && self.base().is_inside_tree();
        let node = inside.then(|| self.to_gd().upcast::<Node2D>());
        drop(self.rope());
        self.body.limit(end, node.as_ref(), velocity, delta as f32)
    }

    pub(super) fn force_at(&self, end: i64) -> Vector2 {
        let end = end_of(&self.callee("get_end_force()"), end);
        end.map_or(Vector2::ZERO, |end| self.body.end_force(end))
    }
}

fn end_of(callee: &Callee, end: i64) -> Option<End> {
    match end {
        0 => Some(End::Start),
        1 => Some(End::End),
        _ => {
            callee.complain(format_args!("end {end} is neither 0, the start, nor 1, the end"));
            None
        }
    }
}

fn node_of(id: InstanceId) -> Option<Gd<Node2D>> {
    Gd::<Node2D>::try_from_instance_id(id).ok()
}

/// The character that holds a point, or below which the node is that does.
fn character_of(pin: &Pin, node: &Gd<Node2D>) -> Option<InstanceId> {
    let holder = match pin.holder {
        None => node.clone(),
        Some(holder) => node_of(instance(holder.key)?)?,
    };
    let mut next = Some(holder.upcast::<Node>());
    while let Some(node) = next {
        next = node.get_parent();
        if let Ok(character) = node.try_cast::<CharacterBody2D>() {
            return Some(character.instance_id());
        }
    }
    None
}

/// Whether moving a character moves a node.
fn is_at_or_above<T: Inherits<Node>>(character: &Gd<CharacterBody2D>, node: &Gd<T>) -> bool {
    let node: Gd<Node> = node.clone().upcast();
    character.instance_id() == node.instance_id() || character.is_ancestor_of(&node)
}

/// Where a pin holds its point now, global.
fn place_of(pin: &Pin, node: &Gd<Node2D>) -> Option<Vector2> {
    let offset = vector2(pin.offset);
    let Some(holder) = pin.holder else { return Some(node.get_global_transform() * offset) };
    match instance(holder.key).and_then(node_of).filter(|node| node.is_inside_tree()) {
        Some(node) => Some(node.get_global_transform() * offset),
        None => Some(vector2(holder.pose.origin + holder.pose.turn(pin.offset))),
    }
}
