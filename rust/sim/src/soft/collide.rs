//! What a soft body touches.
//!
//! Contacts are sought for its skin: the points of its outline in order, the first of them once more at the end, and then all others, which have no pieces between
//! them. They are solved for by [`super::push`].

use super::SoftBody;
use super::meeting::Met;
use super::push::Pushes;
use super::rebound::Blow;
use super::response::Response;
use crate::bounds::Bounds;
use crate::collide::{Colliders, Material};
use crate::contact::meet::{Contacts, MARGIN, ONE_WAY, Skin, Span};
use crate::contact::near::{Near, Nearby, convex, pose_at};
use crate::contact::{Contact, Memory};
use crate::hash::StateHash;
use crate::integrate::Step;
use crate::points::Points;
use crate::rope::Touch;
use crate::tick::Tick;
use glam::Vec2;

/// A thinner skin in px would let points through by rounding.
const THINNEST: f32 = 0.25;
/// What may move a point within a tick besides its velocity and gravity, in px.
const UNFORESEEN: f32 = 16.0;
/// What is so deep in something on both sides, in px, for so many seconds, cannot get out; the sides face each other if the cosine between their
/// normals is below this.
const STRADDLES: f32 = 2.0;
const FOR_GOOD: f32 = 0.3;
const FACING: f32 = -0.3;
/// The most contacts that are solved for at once.
const MOST_CONTACTS: usize = 192;
/// What is less than this in a body, in px, is clear of it.
const CLEAR: f32 = 0.1;
/// A slower approach than this in px/s is no strike.
const SOFTEST_STRIKE: f32 = 12.0;
/// How often a hand slides from one surface to another in a substep, and how far off them it stays, in px.
const SLIDES: usize = 3;
const OFF: f32 = 0.01;
/// How often contacts that the solution has brought about may ask for another.
const LOOKS: usize = 3;

/// What a body needs for its contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Collision {
    /// Bodies that are let through, sorted.
    exceptions: Vec<u64>,
    pub nearby: Nearby,
    pub contacts: Contacts,
    pub pushes: Pushes,
    pub response: Response,
    /// The points as contacts see them, and which points of the body they are.
    pub skin: Points,
    pub skin_points: Vec<u32>,
    pub touches: Vec<Touch>,
    noted: Vec<Touch>,
    /// Pieces of colliders across which it lies, by their ids, and for how many seconds.
    straddled: Vec<(u64, f32)>,
    /// Those that are let through until it is clear of them.
    hopeless: Vec<u64>,
    /// Things that move and have got inside of it, by the ids of their pieces: they are let through until they are out.
    inside: Vec<u64>,
    /// Pieces of colliders that do not touch it around a place, and how far around.
    spared: Vec<(usize, Vec2, f32)>,
    /// What it touched when it fell asleep; None: that is still to be seen. And whether it touched anything.
    pub asleep_among: Option<u64>,
    pub asleep_on: bool,
    /// What it touched of other soft bodies at the end of the last tick.
    pub met: Vec<Met>,
    /// The others, by their keys, and how they press at it, in kg px/s2.
    pub leans_on: Vec<(u64, Vec2)>,
    /// The rigid bodies that it touched then, by their keys.
    pub pushed: Vec<u64>,
    /// What has struck it and not left it.
    pub blows: Vec<Blow>,
    /// Other soft bodies that it is in, by their keys, and for how many seconds.
    pub tangled: Vec<(u64, f32)>,
}

impl Collision {
    /// What is let through, and what it lies across, for a state.
    pub fn given_up(&self) -> (&[(u64, f32)], &[u64], &[u64]) {
        (&self.straddled, &self.hopeless, &self.inside)
    }

    /// Goes on with that.
    pub fn give_up_again(&mut self, straddled: Vec<(u64, f32)>, hopeless: Vec<u64>, inside: Vec<u64>) {
        (self.straddled, self.hopeless, self.inside) = (straddled, hopeless, inside);
    }

    /// Whether it goes through the body with a key.
    pub fn lets_through(&self, body: u64) -> bool {
        self.exceptions.binary_search(&body).is_ok()
    }

    /// Whether it lies across anything.
    pub fn lies_across(&self) -> bool {
        !(self.straddled.is_empty() && self.hopeless.is_empty())
    }

    /// What lasts from substep to substep.
    pub fn memory(&self) -> &[Memory] {
        &self.contacts.memory
    }

    /// Goes on with what was saved.
    pub fn recall(&mut self, memory: Vec<Memory>) {
        self.contacts.memory = memory;
    }
}

impl SoftBody {
    /// A box around all that it may touch in a tick of `delta` seconds, in global px.
    pub fn reach(&self, delta: f32) -> Bounds {
        let mut bounds = self.bounds();
        for pin in &self.pins {
            let target = self.frame.to_global(self.held_at(pin));
            bounds = Bounds { min: bounds.min.min(target), max: bounds.max.max(target) };
        }
        // What is squeezed may spring back at once.
        let middle = self.middle();
        let Bounds { min, max } = self.room.rest_bounds();
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        let whole = corners.map(|corner| self.frame.to_global(middle + self.turn.rotate(corner)));
        bounds = bounds.with(&Bounds::of(whole));
        let speed = if self.h_before > 0.0 { self.points.longest_way() / self.h_before } else { 0.0 };
        let gravity = self.gravity.length() * self.settings.gravity_scale.abs();
        let pushed = |(i, force): (usize, &Vec2)| force.length() * self.points.inv_mass[i];
        let push = self.forces.iter().enumerate().map(pushed).fold(0.0, f32::max);
        let way = delta * (speed + (gravity + push) * delta);
        let more = Vec2::splat(way + self.surface_radius() + MARGIN + UNFORESEEN);
        Bounds { min: bounds.min - more, max: bounds.max + more }
    }

    /// How far its surface is from its outline, in global px.
    pub fn surface_radius(&self) -> f32 {
        let scale = self.laid.x.perp_dot(self.laid.y).abs().sqrt();
        (self.settings.collision.radius * scale).max(THINNEST)
    }

    /// How thick its skin is, and of what made.
    pub(super) fn skin(&self) -> Skin {
        let collision = &self.settings.collision;
        let material = Material { friction: collision.friction, bounce: collision.bounce };
        Skin { radius: self.surface_radius(), material }
    }

    /// The bodies with these keys ([`crate::collide::ColliderKey::body`]) are let through.
    pub fn set_exceptions(&mut self, mut bodies: Vec<u64>) {
        bodies.sort_unstable();
        bodies.dedup();
        if bodies != self.collision.exceptions {
            self.collision.exceptions = bodies;
            self.wake();
        }
    }

    /// The same, without waking it: others meet it otherwise.
    pub fn set_exceptions_quietly(&mut self, mut bodies: Vec<u64>) {
        bodies.sort_unstable();
        bodies.dedup();
        self.collision.exceptions = bodies;
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
        let gone = self.collision.asleep_on && now == nothing();
        if *self.collision.asleep_among.get_or_insert(now) != now || gone {
            self.wake();
        }
    }

    /// Takes down what is near for a tick.
    pub(super) fn look_around(&mut self, tick: &Tick) {
        self.collision.touches.clear();
        let mask = self.settings.collision.mask;
        let Some(colliders) = tick.colliders.filter(|_| mask != 0) else {
            return self.collision.nearby.clear();
        };
        let reach = self.reach(tick.delta);
        let Collision { nearby, contacts, exceptions, .. } = &mut self.collision;
        if !nearby.gather(colliders, &reach, mask, exceptions) {
            contacts.lose();
        }
        self.let_through(colliders);
        self.let_inside(colliders);
        self.spare(colliders);
    }

    /// Lets through what moves by itself and has its middle inside of the body: from inside it would stretch it for ever.
    fn let_inside(&mut self, colliders: &Colliders) {
        let mut inside = std::mem::take(&mut self.collision.inside);
        let before = !inside.is_empty();
        let pieces = &self.collision.nearby.pieces;
        inside.retain(|id| pieces.iter().any(|near| near.id == *id && self.is_in(near, colliders)));
        for near in pieces.iter().filter(|near| near.yields && near.bounds != Bounds::EVERYWHERE) {
            let turn = pose_at(&colliders.all()[near.collider], &self.frame, 0.0);
            let middle = turn.point(0.5 * (near.bounds.min + near.bounds.max));
            if self.contains(self.frame.to_global(middle)) && !inside.contains(&near.id) {
                inside.push(near.id);
            }
        }
        if !inside.is_empty() {
            self.collision.nearby.pieces.retain(|near| !inside.contains(&near.id));
        }
        if before || !inside.is_empty() {
            // The pieces have other numbers now.
            self.collision.contacts.lose();
        }
        self.collision.inside = inside;
    }

    /// Spares what is near to a pin that is held inside of something: it cannot get out of it.
    fn spare(&mut self, colliders: &Colliders) {
        self.collision.spared.clear();
        let radius = self.surface_radius();
        for pin in &self.pins {
            let at = self.points.position(pin.point);
            for (index, near) in self.collision.nearby.pieces.iter().enumerate() {
                let turn = pose_at(&colliders.all()[near.collider], &self.frame, 0.0);
                let depth = radius - convex(colliders, near).nearest(turn.unpoint(at)).distance;
                if depth > 0.0 && self.points.inv_mass[pin.point] <= 0.0 {
                    self.collision.spared.push((index, at, depth + self.room.spacing()));
                }
            }
        }
    }

    /// Goes on letting through what is let through, until the body is clear of it.
    fn let_through(&mut self, colliders: &Colliders) {
        if self.collision.hopeless.is_empty() {
            return;
        }
        let mut hopeless = std::mem::take(&mut self.collision.hopeless);
        let pieces = &self.collision.nearby.pieces;
        hopeless.retain(|id| pieces.iter().any(|near| near.id == *id && self.is_in(near, colliders)));
        self.collision.hopeless = hopeless;
    }

    /// Whether a piece of a collider and the body lie in each other.
    fn is_in(&self, near: &Near, colliders: &Colliders) -> bool {
        let turn = pose_at(&colliders.all()[near.collider], &self.frame, 0.0);
        let piece = convex(colliders, near);
        let radius = self.surface_radius() - CLEAR;
        self.pierces(near, colliders, 0.0)
            || (0..self.points.len()).any(|i| piece.nearest(turn.unpoint(self.points.position(i))).distance < radius)
            || piece.corners.iter().any(|&corner| self.contains(self.frame.to_global(turn.point(corner))))
    }

    /// Notices, after a tick of `time` seconds, when it lies right across something, and is pushed out on both sides: it will never come out. It is let through
    /// then, to the side of its middle.
    pub(super) fn give_up(&mut self, time: f32, colliders: Option<&Colliders>) {
        let mut across: Vec<u64> = Vec::new();
        if let Some(colliders) = colliders {
            self.find_pierced(colliders, &mut across);
        }
        let Collision { contacts, nearby, straddled, hopeless, .. } = &mut self.collision;
        let is_deep = |contact: &&Contact| contact.active && contact.push > 0.0 && contact.allowed > STRADDLES;
        let deep = || contacts.list.iter().filter(is_deep);
        for contact in deep() {
            let faces = |other: &Contact| other.near == contact.near && other.normal.dot(contact.normal) < FACING;
            if deep().any(faces) {
                across.push(nearby.pieces[contact.near].id);
            }
        }
        across.sort_unstable();
        across.dedup();
        straddled.retain(|(id, _)| across.contains(id));
        for id in across {
            match straddled.iter_mut().find(|(other, _)| *other == id) {
                Some((_, seconds)) => *seconds += time,
                None => straddled.push((id, 0.0)),
            }
        }
        hopeless.extend(straddled.extract_if(.., |(_, seconds)| *seconds > FOR_GOOD).map(|(id, _)| id));
        hopeless.sort_unstable();
        hopeless.dedup();
    }

    /// Finds pieces of colliders through which a link goes right across.
    fn find_pierced(&self, colliders: &Colliders, across: &mut Vec<u64>) {
        let pieces = &self.collision.nearby.pieces;
        let pierced = pieces.iter().filter(|near| colliders.all()[near.collider].one_way.is_none());
        across.extend(pierced.filter(|near| self.pierces(near, colliders, 1.0)).map(|near| near.id));
    }

    /// Whether a link goes right across a piece of a collider when the part `t` of the tick has gone by.
    fn pierces(&self, near: &Near, colliders: &Colliders, t: f32) -> bool {
        let turn = pose_at(&colliders.all()[near.collider], &self.frame, t);
        let piece = convex(colliders, near);
        if !piece.solid || near.bounds == Bounds::EVERYWHERE {
            return false;
        }
        let Bounds { min, max } = Bounds::of((0..self.points.len()).map(|i| self.points.position(i)));
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        if !Bounds::of(corners.map(|corner| turn.unpoint(corner))).overlaps(&near.bounds) {
            return false;
        }
        let at = |i: u32| turn.unpoint(self.points.position(i as usize));
        self.mesh.links.iter().any(|link| {
            let (from, to) = (at(link.a), at(link.b));
            if !Bounds::of([from, to]).overlaps(&near.bounds) {
                return false;
            }
            let length = from.distance(to);
            let in_it = |from: Vec2, to: Vec2| piece.cast(from, to, 0.0).map(|hit| hit.part * length);
            match (in_it(from, to), in_it(to, from)) {
                (Some(one), Some(other)) => one > 0.0 && other > 0.0 && length - one - other > 2.0 * STRADDLES,
                _ => false,
            }
        })
    }

    /// Where a hand gets that wants to go from one place to another: it stops at what the body collides with, and slides along it.
    pub(super) fn slide_hand(&self, from: Vec2, to: Vec2, t: f32, colliders: &Colliders) -> Vec2 {
        let radius = self.surface_radius();
        let (mut at, mut goal) = (from, to);
        for _ in 0..SLIDES {
            let mut first: Option<(f32, Vec2)> = None;
            for near in &self.collision.nearby.pieces {
                let collider = &colliders.all()[near.collider];
                let turn = pose_at(collider, &self.frame, t);
                let hit = convex(colliders, near).cast(turn.unpoint(at), turn.unpoint(goal), radius);
                if let Some(hit) = hit.filter(|hit| first.is_none_or(|(part, _)| hit.part < part)) {
                    let normal = turn.turn(hit.normal);
                    if collider.one_way.is_none_or(|up| turn.turn(up).dot(normal) > ONE_WAY) {
                        first = Some((hit.part, normal));
                    }
                }
            }
            let Some((part, normal)) = first else { return goal };
            at = at.lerp(goal, part);
            let left = goal - at;
            goal = at + left - normal * left.dot(normal).min(0.0) + normal * OFF;
        }
        at
    }

    /// Brings the skin to where the points are.
    pub(super) fn fill_skin(&mut self) {
        let count = self.points.len();
        let Collision { skin, skin_points, contacts, .. } = &mut self.collision;
        if skin_points.len() != count + 1 {
            skin_points.clear();
            let outline = &self.mesh.outline;
            skin_points.extend(outline.iter().chain(outline.first()));
            let mut inside = vec![true; count];
            outline.iter().for_each(|&i| inside[i as usize] = false);
            skin_points.extend((0..count as u32).filter(|&i| inside[i as usize]));
            skin.resize(skin_points.len());
        }
        contacts.pieces = Some(if self.settings.precise { self.mesh.outline.len() } else { 0 });
        let points = &self.points;
        for (k, &i) in skin_points.iter().enumerate() {
            let i = i as usize;
            (skin.x[k], skin.y[k]) = (points.x[i], points.y[i]);
            (skin.start_x[k], skin.start_y[k]) = (points.start_x[i], points.start_y[i]);
            skin.inv_mass[k] = points.inv_mass[i];
        }
        // The first point has been there already.
        contacts.copy = Some(self.mesh.outline.len());
        self.room.skin_bounds = Some(Bounds::of((0..self.mesh.outline.len()).map(|k| skin.position(k))));
    }

    /// Keeps it out of what it touches in a substep, and where hands hold it, by itself.
    pub(super) fn touch(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>) {
        self.begin_touch(step, span, colliders, false);
        if !self.room.touches {
            return;
        }
        for look in 0..=LOOKS {
            self.push(step, span, colliders, look == 0);
            if look == LOOKS || !self.look_again(span, colliders) {
                break;
            }
        }
        self.end_touch(step, span, colliders);
    }

    /// Finds what it touches in a substep; with `meets` it may touch other soft bodies besides.
    pub(super) fn begin_touch(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>, meets: bool) {
        let colliders = colliders.filter(|_| !self.collision.nearby.pieces.is_empty());
        let alone = !meets && !self.has_hands();
        if colliders.is_none() {
            self.collision.contacts.forget();
            if alone {
                self.strike = None;
                self.pressed.clear();
            }
        }
        self.room.touches = self.room.awake && !(colliders.is_none() && alone);
        if meets || (self.room.touches && colliders.is_some()) {
            self.fill_skin();
        }
        if !self.room.touches {
            return;
        }
        let skin = self.skin();
        if let Some(colliders) = colliders {
            let Collision { nearby, contacts, skin: points, .. } = &mut self.collision;
            contacts.meet(points, nearby, colliders, &self.frame, span, skin);
        }
        self.come_out(colliders, span);
        self.keep_deepest();
        if self.collision.contacts.list.is_empty() && alone {
            self.collision.contacts.remember(step.acceleration_factor());
            self.strike = None;
            self.pressed.clear();
            self.room.touches = false;
            return;
        }
        let bounces = self.collision.contacts.list.iter().any(|contact| contact.bounce > 0.0);
        self.room.came = bounces.then(|| self.motion());
        self.begin_pushes(step);
    }

    /// Whether the solution asks for another.
    pub(super) fn look_again(&mut self, span: Span, colliders: Option<&Colliders>) -> bool {
        let colliders = colliders.filter(|_| !self.collision.nearby.pieces.is_empty());
        let Some(colliders) = colliders else { return false };
        self.fill_skin();
        let skin = self.skin();
        let Collision { nearby, contacts, skin: points, .. } = &mut self.collision;
        let missed = contacts.meet_missed(points, nearby, colliders, &self.frame, span, skin);
        // What comes next counts on the contacts that were solved for.
        if missed == 0 && !self.is_pushed_wrongly() {
            return false;
        }
        self.come_out(Some(colliders), span);
        self.keep_deepest();
        true
    }

    /// All that pushes at it is found.
    pub(super) fn end_touch(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>) {
        if !self.room.touches {
            return;
        }
        self.calm();
        self.bounce(step.h);
        self.end_pushes(step);
        self.note_pressed();
        if let Some(colliders) = colliders.filter(|_| !self.collision.nearby.pieces.is_empty()) {
            self.note_touches(colliders, span, step.h);
        }
    }

    /// How deep it is in anything now, in px.
    pub(super) fn depth(&mut self, span: Span, colliders: Option<&Colliders>) -> f32 {
        let Some(colliders) = colliders else { return 0.0 };
        self.fill_skin();
        let skin = self.skin();
        let Collision { nearby, contacts, skin: points, .. } = &mut self.collision;
        contacts.meet_missed(points, nearby, colliders, &self.frame, span, skin);
        contacts.list.iter_mut().fold(0.0, |most, contact| {
            contact.measure(&points.x, &points.y);
            most.max(-contact.gap)
        })
    }

    /// Of what it lies across it comes out on the side where its middle is.
    fn come_out(&mut self, colliders: Option<&Colliders>, span: Span) {
        let Some(colliders) = colliders.filter(|_| !self.collision.hopeless.is_empty()) else { return };
        let (skin, middle) = (self.skin(), self.middle());
        let Collision { contacts, nearby, hopeless, skin: points, .. } = &mut self.collision;
        for (index, near) in nearby.pieces.iter().enumerate() {
            if hopeless.contains(&near.id) && !convex(colliders, near).normals.is_empty() {
                contacts.meet_behind(points, nearby, index, colliders, &self.frame, span, skin, middle);
            }
        }
    }

    /// Keeps as many contacts as can be solved for, the deepest, and none that are spared.
    fn keep_deepest(&mut self) {
        let Collision { contacts, spared, skin, .. } = &mut self.collision;
        let list = &mut contacts.list;
        if !spared.is_empty() {
            list.retain(|contact| {
                let place = contact.at(|k| skin.position(k));
                let is = |(near, at, reach): &(usize, Vec2, f32)| *near == contact.near && at.distance(place) < *reach;
                !spared.iter().any(is)
            });
        }
        if list.len() <= MOST_CONTACTS {
            return;
        }
        let mut deepest: Vec<usize> = (0..list.len()).collect();
        deepest.sort_by(|&one, &other| list[one].gap.total_cmp(&list[other].gap));
        let mut keeps = vec![false; list.len()];
        deepest[..MOST_CONTACTS].iter().for_each(|&index| keeps[index] = true);
        let mut keeps = keeps.into_iter();
        list.retain(|_| keeps.next() == Some(true));
    }

    /// Takes down which points are pressed against something.
    fn note_pressed(&mut self) {
        let Collision { contacts, skin_points, .. } = &self.collision;
        self.pressed.clear();
        for contact in contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            self.pressed.push(skin_points[contact.point]);
            if contact.between {
                self.pressed.push(skin_points[contact.point + 1]);
            }
        }
    }

    /// Forgets what it has touched and struck, and how it was.
    pub(super) fn forget_all(&mut self) {
        let Collision {
            contacts,
            pushes,
            touches,
            straddled,
            hopeless,
            inside,
            met,
            leans_on,
            pushed,
            blows,
            tangled,
            ..
        } = &mut self.collision;
        met.clear();
        leans_on.clear();
        pushed.clear();
        blows.clear();
        tangled.clear();
        contacts.forget();
        pushes.forget();
        touches.clear();
        straddled.clear();
        hopeless.clear();
        inside.clear();
        self.collision.skin_points.clear();
        (self.strike, self.upright) = (None, -1.0);
        (self.inside_out, self.untwists, self.rest_time, self.unwatched) = (0, false, 0.0, 0.0);
        self.pressed.clear();
    }

    /// Takes down that it touches another soft body, or has struck it.
    pub(super) fn note_touch(&mut self, touch: Touch) {
        let touches = &mut self.collision.touches;
        match touches.binary_search_by_key(&touch.key.body, |other| other.key.body) {
            Ok(place) if touch.impulse > touches[place].impulse => touches[place] = touch,
            Ok(_) => (),
            Err(place) => touches.insert(place, touch),
        }
    }

    /// Takes down which bodies it touches.
    fn note_touches(&mut self, colliders: &Colliders, span: Span, h: f32) {
        let mass = self.material.mass();
        let mut noted = std::mem::take(&mut self.collision.noted);
        let Collision { contacts, nearby, skin, skin_points, .. } = &mut self.collision;
        for contact in contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            let strikes = !contact.lasting && contact.approach > SOFTEST_STRIKE * h;
            // All of the body comes to a halt on what its surface strikes, little by little.
            let impulse = if strikes { mass * (1.0 + contact.bounce) * contact.approach / h } else { 0.0 };
            // What only lies on something is told of at the end of the tick.
            if impulse <= 0.0 && span.to < 1.0 {
                continue;
            }
            let key = colliders.all()[nearby.pieces[contact.near].collider].key;
            let touch = Touch {
                key,
                point: skin_points[contact.point + usize::from(contact.part > 0.5)] as usize,
                position: self.frame.origin() + contact.at(|i| skin.position(i)),
                normal: contact.normal,
                impulse,
            };
            noted.push(touch);
        }
        noted.drain(..).for_each(|touch| self.note_touch(touch));
        self.collision.noted = noted;
    }

    /// What it touches, where and how that is: a hash that differs if anything of it changes. What is nearer than
    /// [`MARGIN`] counts as touched.
    fn surroundings(&mut self, colliders: &Colliders) -> u64 {
        let (skin, bounds) = (self.skin(), self.bounds());
        let more = Vec2::splat(skin.radius + MARGIN);
        let reach = Bounds { min: bounds.min - more, max: bounds.max + more };
        self.fill_skin();
        let Collision { nearby, contacts, exceptions, skin: points, .. } = &mut self.collision;
        nearby.gather(colliders, &reach, self.settings.collision.mask, exceptions);
        let mut hash = StateHash::default();
        if nearby.pieces.is_empty() {
            return hash.finish();
        }
        let memory = std::mem::take(&mut contacts.memory);
        contacts.lose();
        contacts.meet(points, nearby, colliders, &self.frame, Span { from: 0.0, to: 1.0, h: 0.0 }, skin);
        let collider = |contact: &Contact| nearby.pieces[contact.near].collider;
        let mut touched: Vec<usize> = contacts.list.iter().map(collider).collect();
        contacts.list.clear();
        contacts.memory = memory;
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().for_each(|collider| hash.add(colliders.hash(collider)));
        hash.finish()
    }

    /// It falls asleep: among what is seen at once, if it is known, or by the next [`SoftBody::notice_colliders`].
    pub(super) fn note_surroundings(&mut self, colliders: Option<&Colliders>) {
        let mask = self.settings.collision.mask;
        self.collision.asleep_among = colliders.filter(|_| mask != 0).map(|colliders| self.surroundings(colliders));
        self.collision.asleep_on = self.collision.asleep_among.is_some_and(|around| around != nothing());
    }
}

/// The surroundings where there is nothing.
fn nothing() -> u64 {
    StateHash::default().finish()
}
