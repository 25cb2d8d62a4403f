//! Where a body touches colliders in a substep.
//!
//! Everything is looked at in the frame of the collider, in which it stands still: a point's way in it leads from where the point was, seen
//! from where the collider was, to where the point is, seen from where the collider is.

mod piece;

use super::near::{Near, Nearby, Turn, convex, pose_at};
use super::{Contact, Memory, Obstacle};
use crate::collide::{Collider, Colliders, Convex, Feature, Nearest};
use crate::frame::Frame;
use crate::points::Points;
use glam::Vec2;

/// How much farther away in px than it touches a contact is taken down: solving may move the points there.
pub const MARGIN: f32 = 1.5;
/// Ways longer than this part of the thickness are traced.
const TRACED: f32 = 0.9;
/// What begins deeper than this in px has not got there in this substep.
const DEEP: f32 = 0.1;
/// How far in px it is pushed out in a substep then.
const PUSHED_OUT: f32 = 1.0;
/// The same for a rigid body that yields.
const PUSHED_APART: f32 = 0.05;
/// A point that was this much below a one-way surface, in px, has come from below.
const BELOW: f32 = 0.5;
/// A contact that the solution has brought about is too deep from here on, in px.
const TOO_DEEP: f32 = 0.1;
/// So many points beside one that is let into something are let into it too.
const LET_IN: usize = 2;
/// Surfaces face each other if the cosine of the angle between their normals is below this.
const FACING: f32 = -0.98;
/// The range of a contact that is not kept.
const NOWHERE: [f32; 2] = [0.0; 2];
/// A one-way surface is met on faces that lean no farther than the cosine says.
pub const ONE_WAY: f32 = 0.2;

/// The substep in which contacts are sought.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The parts of the tick at which it begins and ends.
    pub from: f32,
    /// See `from`.
    pub to: f32,
    /// Its time in seconds.
    pub h: f32,
}

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skin {
    /// How thick, in px.
    pub radius: f32,
    /// Friction as the engine counts it.
    pub material: crate::collide::Material,
}

/// All contacts of a body. The rooms are kept from substep to substep.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The contacts, each point's and each piece's together, in the order of the points.
    pub list: Vec<Contact>,
    /// What was there in the last substep.
    pub memory: Vec<Memory>,
    /// For each near piece and point: whether the contact of the last substep lasts.
    lasts: Vec<bool>,
    /// The skin of the last look.
    skin: Option<Skin>,
    /// Near pieces into which the points from one to another are let.
    let_in: Vec<(usize, usize, usize)>,
    /// How many of the pieces between points collide, from the first on; None: all.
    pub pieces: Option<usize>,
    /// A point that is another one once more, at the end of a ring: its pieces collide, it does not.
    pub copy: Option<usize>,
}

/// A collider's piece in a substep, and where the points are for it.
struct View<'a> {
    collider: &'a Collider,
    convex: &'a Convex,
    near: &'a Near,
    index: usize,
    begin: Turn,
    end: Turn,
    span: Span,
    skin: Skin,
    friction: f32,
    bounce: f32,
    /// What touches is a ring, and no chain.
    ring: bool,
}

impl Contacts {
    /// Takes down all contacts of a chain of points, which have moved from `start` to where they are in this substep.
    pub fn meet(
        &mut self,
        points: &Points,
        nearby: &Nearby,
        colliders: &Colliders,
        frame: &Frame,
        span: Span,
        skin: Skin,
    ) {
        if self.skin.replace(skin) != Some(skin) {
            // What lasts would keep the old friction.
            self.lose();
        }
        self.keep(points, nearby, skin);
        let count = points.len();
        let pieces = self.pieces.unwrap_or(count);
        let (copy, ring) = (self.copy, self.copy.is_some());
        let kept = self.list.len();
        for (index, near) in nearby.pieces.iter().enumerate() {
            let lasts = &self.lasts[index * count..(index + 1) * count];
            if near.corners.is_empty() && !lasts.contains(&false) {
                continue;
            }
            let view = View { ring, ..View::new(nearby, index, colliders, frame, span, skin) };
            view.look(points, nearby, |i| lasts[i] || copy == Some(i), pieces, &mut self.list);
        }
        if self.list.len() > kept {
            self.recall(kept);
            if !self.list.is_sorted_by_key(order) {
                self.list.sort_by_key(order);
            }
            self.list.dedup_by(|one, other| is_same(one, other));
        }
        self.ease(nearby);
    }

    /// Lets what has no room be squeezed: where surfaces face each other nearer than the rope is thick, it is in the middle between them.
    /// What is squeezed between something that moves by itself and something that stands is let into what moves.
    fn ease(&mut self, nearby: &Nearby) {
        self.let_in.clear();
        // Nothing is squeezed where each point touches one thing.
        if !self.list.windows(2).any(|pair| pair[0].point == pair[1].point) {
            return;
        }
        for i in 0..self.list.len() {
            let contact = self.list[i];
            let yields = nearby.pieces[contact.near].yields;
            let facing = |point: usize| {
                let from = self.list.partition_point(|other| other.point < point);
                let others = self.list[from..].iter().take_while(move |other| other.point == point && !other.between);
                let faces = |other: &&Contact| contact.normal.dot(other.normal) < FACING;
                others
                    .filter(faces)
                    .map(|other| (other.gap, !nearby.pieces[other.near].yields))
                    .reduce(|one, other| (one.0.min(other.0), one.1 || other.1))
            };
            // What lies on a surface under a corner leaves all the room to the corner.
            let (room, share) = if !contact.between {
                (facing(contact.point), 0.5)
            } else {
                let ends = facing(contact.point).zip(facing(contact.point + 1));
                (ends.map(|(one, two)| (one.0 + (two.0 - one.0) * contact.part, one.1 || two.1)), 1.0)
            };
            let Some((room, stands)) = room else { continue };
            let missing = -(contact.gap + room);
            if missing <= 0.0 {
                continue;
            }
            self.list[i].squeezed = share * missing;
            if yields && stands {
                let (first, last) = (contact.point.saturating_sub(LET_IN), contact.point + LET_IN);
                match self.let_in.iter_mut().find(|(near, ..)| *near == contact.near) {
                    Some(range) => *range = (range.0, range.1.min(first), range.2.max(last)),
                    None => self.let_in.push((contact.near, first, last)),
                }
            }
        }
        let Contacts { list, let_in, .. } = self;
        if !let_in.is_empty() {
            list.retain(|contact| !is_let_in(let_in, contact));
            return;
        }
        for contact in list.iter_mut().filter(|contact| contact.squeezed > 0.0) {
            contact.allowed += contact.squeezed;
            contact.gap += contact.squeezed;
        }
    }

    /// Takes down the contacts of a solution that are not in the list: solving has moved points there. How many are too deep; they are in the list
    /// from then on, in order, and active.
    pub fn meet_missed(
        &mut self,
        points: &Points,
        nearby: &Nearby,
        colliders: &Colliders,
        frame: &Frame,
        span: Span,
        skin: Skin,
    ) -> usize {
        let known = self.list.len();
        let pieces = self.pieces.unwrap_or(points.len());
        let (copy, ring) = (self.copy, self.copy.is_some());
        self.list.iter_mut().for_each(|contact| contact.missed = false);
        for index in 0..nearby.pieces.len() {
            let view = View { ring, ..View::new(nearby, index, colliders, frame, span, skin) };
            view.look(points, nearby, |i| copy == Some(i), pieces, &mut self.list);
        }
        let (old, new) = self.list.split_at(known);
        let keep: Vec<Contact> = new
            .iter()
            .filter(|contact| {
                contact.gap < -TOO_DEEP
                    && !is_let_in(&self.let_in, contact)
                    && old.iter().all(|other| other.id != contact.id || !other.active)
            })
            .map(|contact| Contact { missed: true, active: true, ..*contact })
            .collect();
        self.list.truncate(known);
        self.list.retain(|contact| keep.iter().all(|other| other.id != contact.id));
        self.list.extend(&keep);
        self.list.sort_by_key(order);
        keep.len()
    }

    /// Takes a near piece as if everything behind that face of it was solid which looks towards `middle`: what lies across the piece comes out there. The piece
    /// has to have faces.
    #[allow(clippy::too_many_arguments)]
    pub fn meet_behind(
        &mut self,
        points: &Points,
        nearby: &Nearby,
        index: usize,
        colliders: &Colliders,
        frame: &Frame,
        span: Span,
        skin: Skin,
        middle: Vec2,
    ) {
        let before: Vec<Contact> = self.list.extract_if(.., |contact| contact.near == index).collect();
        let known = self.list.len();
        let view = View::new(nearby, index, colliders, frame, span, skin);
        view.behind(points, middle, self.copy, &mut self.list);
        // What has been found for them goes on.
        for contact in &mut self.list[known..] {
            if let Some(same) = before.iter().find(|same| same.id == contact.id && !same.missed) {
                (contact.push, contact.drag) = (same.push, same.drag);
                contact.active |= same.active;
            }
        }
        self.list.sort_by_key(order);
    }

    /// Forgets all.
    pub fn forget(&mut self) {
        self.list.clear();
        self.memory.clear();
    }

    /// Says that the colliders of the contacts are not those of the last substep any more.
    pub fn lose(&mut self) {
        self.list.clear();
    }

    /// Keeps what lasts from the last substep: points that lie on faces that stand still, and have not slid off them. Only these need not
    /// be sought again.
    fn keep(&mut self, points: &Points, nearby: &Nearby, skin: Skin) {
        let count = points.len();
        self.lasts.clear();
        self.lasts.resize(nearby.pieces.len() * count, false);
        let lasts = &mut self.lasts;
        self.list.retain_mut(|contact| {
            let Obstacle::Face { normal, offset } = contact.obstacle else { return false };
            if !(contact.active && contact.push > 0.0 && contact.allowed == 0.0 && nearby.pieces[contact.near].still) {
                return false;
            }
            let i = contact.point;
            let near = &nearby.pieces[contact.near];
            if points.inv_mass[i] <= 0.0 || nearby.spares(near, i) {
                return false;
            }
            let way = points.position(i) - Vec2::new(points.start_x[i], points.start_y[i]);
            let along = normal.perp_dot(points.position(i));
            let far = (TRACED * skin.radius).powi(2);
            if !(contact.range[0] < along && along < contact.range[1]) || way.length_squared() > far {
                return false;
            }
            lasts[contact.near * count + i] = true;
            contact.gap = normal.dot(points.position(i)) - offset;
            contact.approach = (-way.dot(normal)).max(0.0);
            contact.lasting = true;
            true
        });
    }

    /// What lasts from the last substep goes on as it was, from the contact `from` on.
    fn recall(&mut self, from: usize) {
        let mut cursor = 0;
        let memory = &self.memory;
        for contact in &mut self.list[from..] {
            let (before, after) = memory.split_at(cursor);
            let mut rest = after.iter().chain(before);
            let Some(place) = rest.position(|memory| memory.id == contact.id) else { continue };
            cursor = (cursor + place) % memory.len();
            contact.lasting = true;
            contact.active = true;
            contact.drag = memory[cursor].drag;
        }
    }

    /// Remembers what takes part; `factor` is what a step adds to a position for an acceleration of 1. From then on the drags are forces.
    pub fn remember(&mut self, factor: f32) {
        self.memory.clear();
        for contact in self.list.iter_mut().filter(|contact| contact.active && contact.push > 0.0) {
            contact.drag /= factor;
            self.memory.push(Memory { id: contact.id, drag: contact.drag });
        }
    }
}

/// Whether a contact is with something into which its point is let.
fn is_let_in(let_in: &[(usize, usize, usize)], contact: &Contact) -> bool {
    let_in.iter().any(|&(near, first, last)| contact.near == near && (first..=last).contains(&contact.point))
}

/// The order of a chain: a point's contacts, then those of the piece after it. It does not depend on what was kept.
fn order(contact: &Contact) -> (usize, bool, usize) {
    (contact.point, contact.between, contact.near)
}

/// Whether two neighbours in the list say the same: tiles side by side share corners.
fn is_same(one: &Contact, other: &Contact) -> bool {
    let place = |contact: &Contact| match contact.obstacle {
        Obstacle::Face { .. } => None,
        Obstacle::Corner { corner, radius } | Obstacle::Beside { corner, radius, .. } => Some((corner, radius)),
    };
    let close = |a: (Vec2, f32), b: (Vec2, f32)| a.0.distance_squared(b.0) < 1e-3 && (a.1 - b.1).abs() < 1e-3;
    (one.point, one.between) == (other.point, other.between)
        && one.normal.dot(other.normal) > 0.999
        && match (place(one), place(other)) {
            (Some(a), Some(b)) => close(a, b),
            (None, None) => (one.gap - other.gap).abs() < 1e-3,
            _ => false,
        }
}

impl<'a> View<'a> {
    fn new(
        nearby: &'a Nearby,
        index: usize,
        colliders: &'a Colliders,
        frame: &Frame,
        span: Span,
        skin: Skin,
    ) -> View<'a> {
        let near = &nearby.pieces[index];
        let collider = &colliders.all()[near.collider];
        let (friction, bounce) = collider.material.with(&skin.material);
        let carrier = nearby.carrier_of(index);
        let end = carrier.map_or_else(|| pose_at(collider, frame, span.to), |carrier| carrier.end);
        let begin = match carrier {
            Some(carrier) => carrier.begin,
            None if near.still => end,
            None => pose_at(collider, frame, span.from),
        };
        View {
            collider,
            convex: convex(colliders, near),
            near,
            index,
            begin,
            end,
            span,
            skin,
            friction,
            bounce,
            ring: false,
        }
    }

    /// Adds to `list` how all points but those that are `known`, and the first `pieces` touch.
    fn look(
        &self,
        points: &Points,
        nearby: &Nearby,
        known: impl Fn(usize) -> bool,
        pieces: usize,
        list: &mut Vec<Contact>,
    ) {
        let begin = list.len();
        let spared = |i: usize| nearby.spares(self.near, i);
        let corners = &nearby.corners[self.near.corners.clone()];
        let last = points.len() - 1;
        let mut here = self.seen(points, 0);
        for i in 0..=last {
            if !known(i) && points.inv_mass[i] > 0.0 && !spared(i) {
                list.extend(self.point(i, here));
            }
            if i == last {
                break;
            }
            let next = self.seen(points, i + 1);
            let is_free = points.inv_mass[i] + points.inv_mass[i + 1] > 0.0;
            if i < pieces && !corners.is_empty() && is_free && !spared(i) && !spared(i + 1) {
                self.beside(i, corners, [here[0], next[0]], [here[1], next[1]], list);
            }
            here = next;
        }
        self.finish(&mut list[begin..], points);
    }

    /// See [`Contacts::meet_behind`].
    fn behind(&self, points: &Points, middle: Vec2, copy: Option<usize>, list: &mut Vec<Contact>) {
        let middle = self.end.unpoint(middle);
        let faces = 0..self.convex.normals.len();
        let distance = |face: usize, at: Vec2| self.convex.normals[face].dot(at) - self.convex.offsets[face];
        let Some(face) = faces.max_by(|&a, &b| distance(a, middle).total_cmp(&distance(b, middle))) else { return };
        let thickness = self.skin.radius + self.convex.radius;
        let normal = self.convex.normals[face];
        let range = self.range(face, normal);
        let begin = list.len();
        for i in (0..points.len()).filter(|&i| points.inv_mass[i] > 0.0 && copy != Some(i)) {
            let [from, to] = self.seen(points, i);
            let along = self.end.turn(normal).perp_dot(self.end.point(to));
            let gap = distance(face, to) - thickness;
            if gap > MARGIN || !(range[0] - thickness..=range[1] + thickness).contains(&along) {
                continue;
            }
            let local = Obstacle::Face { normal, offset: self.convex.offsets[face] + thickness };
            let begun = distance(face, from) - thickness;
            list.push(self.contact(i, false, 0.0, self.outside(local), begun, self.near.id.wrapping_add(i as u64)));
        }
        self.finish(&mut list[begin..], points);
    }

    /// Where a point was at the start of the substep, and is at its end, as the collider sees it.
    fn seen(&self, points: &Points, i: usize) -> [Vec2; 2] {
        let start = Vec2::new(points.start_x[i], points.start_y[i]);
        [self.begin.unpoint(start), self.end.unpoint(points.position(i))]
    }

    /// How a point touches that was at `from` and is at `to`.
    fn point(&self, i: usize, [from, to]: [Vec2; 2]) -> Option<Contact> {
        let wide = Vec2::splat(self.skin.radius + MARGIN);
        let bounds = &self.near.bounds;
        if !((from.max(to) + wide).cmpge(bounds.min).all() && (from.min(to) - wide).cmple(bounds.max).all()) {
            return None;
        }
        let radius = self.skin.radius;
        let thickness = radius + self.convex.radius;
        let fast = from.distance_squared(to) > (TRACED * thickness).powi(2);
        let hit = if fast { self.convex.cast(from, to, radius) } else { None };
        let (normal, local, range) = match hit {
            Some(hit) => {
                let at = from.lerp(to, hit.part);
                // Where it began too deep it is let out from there.
                let begun = self.convex.nearest(from).distance - radius;
                let deep = if hit.part <= 0.0 { begun.min(0.0) } else { 0.0 };
                (hit.normal, Obstacle::Face { normal: hit.normal, offset: hit.normal.dot(at) - deep }, NOWHERE)
            }
            None => {
                let mut nearest = self.convex.nearest(to);
                if !self.convex.solid {
                    self.keep_side(&mut nearest, from, to);
                }
                if nearest.distance - radius > MARGIN {
                    return None;
                }
                let normal = nearest.normal;
                let obstacle = match nearest.feature {
                    Feature::Face(face) => {
                        let offset = self.convex.normals[face].dot(normal) * self.convex.offsets[face];
                        Obstacle::Face { normal, offset: offset + thickness }
                    }
                    Feature::Corner(corner) => {
                        Obstacle::Corner { corner: self.convex.corners[corner], radius: thickness }
                    }
                };
                let range = if let Feature::Face(face) = nearest.feature { self.range(face, normal) } else { NOWHERE };
                (normal, obstacle, range)
            }
        };
        let begun = match local {
            Obstacle::Face { offset, .. } => normal.dot(from) - offset,
            Obstacle::Corner { corner, radius } | Obstacle::Beside { corner, radius, .. } => {
                from.distance(corner) - radius
            }
        };
        if !self.lets_meet(normal, begun) {
            return None;
        }
        let contact = self.contact(i, false, 0.0, self.outside(local), begun, self.near.id.wrapping_add(i as u64));
        Some(Contact { range, ..contact })
    }

    /// A line has two sides; a point stays on that where it was.
    fn keep_side(&self, nearest: &mut Nearest, from: Vec2, to: Vec2) {
        let Feature::Face(face) = nearest.feature else { return };
        let side = |point: Vec2| self.convex.normals[face].dot(point) - self.convex.offsets[face];
        if side(from) * side(to) < 0.0 && self.convex.nearest(from).feature != Feature::Corner(0) {
            nearest.normal = self.convex.normals[face] * side(from).signum();
            nearest.distance = -side(to).abs() - self.convex.radius;
        }
    }

    /// Whether a one-way surface is met from the side from which it is met at all. `begun` is how far away it was at the start.
    fn lets_meet(&self, normal: Vec2, begun: f32) -> bool {
        self.collider.one_way.is_none_or(|up| normal.dot(up) > ONE_WAY && begun > -BELOW)
    }

    /// What is touched, as seen from outside at the end of the substep.
    fn outside(&self, local: Obstacle) -> Obstacle {
        match local {
            Obstacle::Face { normal, offset } => {
                let normal = self.end.turn(normal);
                Obstacle::Face { normal, offset: offset + normal.dot(self.end.origin) }
            }
            Obstacle::Corner { corner, radius } => Obstacle::Corner { corner: self.end.point(corner), radius },
            Obstacle::Beside { corner, side, radius } => {
                Obstacle::Beside { corner: self.end.point(corner), side, radius }
            }
        }
    }

    fn contact(&self, point: usize, between: bool, part: f32, obstacle: Obstacle, begun: f32, id: u64) -> Contact {
        // What yields would be thrown.
        let (deep, pushed_out) = if self.near.carrier.is_some() { (0.0, PUSHED_APART) } else { (DEEP, PUSHED_OUT) };
        Contact {
            point,
            between,
            obstacle,
            part,
            normal: Vec2::ZERO,
            gap: 0.0,
            allowed: if begun < -deep { (-begun - pushed_out).max(0.0) } else { 0.0 },
            drift: Vec2::ZERO,
            friction: self.friction,
            bounce: self.bounce,
            push: 0.0,
            drag: 0.0,
            give: [0.0; 2],
            active: false,
            lasting: false,
            missed: false,
            squeezed: 0.0,
            approach: 0.0,
            range: NOWHERE,
            near: self.index,
            id,
        }
    }

    /// From where to where a face with a local normal goes, see [`Contact::range`].
    fn range(&self, face: usize, normal: Vec2) -> [f32; 2] {
        let corners = &self.convex.corners;
        if corners.is_empty() {
            return [f32::NEG_INFINITY, f32::INFINITY];
        }
        let normal = self.end.turn(normal);
        let along = |corner: usize| normal.perp_dot(self.end.point(corners[corner % corners.len()]));
        let (one, other) = (along(face), along(face + 1));
        [one.min(other), one.max(other)]
    }

    /// Takes down what follows from where the points are.
    fn finish(&self, contacts: &mut [Contact], points: &Points) {
        for contact in contacts {
            contact.measure(&points.x, &points.y);
            if !self.near.still {
                let place = contact.at(|i| points.position(i)) - contact.normal * self.skin.radius;
                contact.drift = place - self.begin.point(self.end.unpoint(place));
                let (surface, turn) = self.collider.surface_velocity;
                contact.drift += (surface + (place - self.end.origin).perp() * turn) * self.span.h;
            }
            let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
            let way = contact.at(|i| points.position(i) - start(i));
            contact.approach = (contact.drift - way).dot(contact.normal).max(0.0);
            contact.active = contact.gap < 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::collide::{ColliderKey, Material, Outline, RigidPose, Shape};
    use std::sync::Arc;

    const SKIN: Skin = Skin { radius: 2.0, material: Material { friction: 1.0, bounce: 0.0 } };
    const SPAN: Span = Span { from: 0.0, to: 1.0, h: 1.0 / 240.0 };

    fn polygon(body: u64, corners: &[(f32, f32)]) -> Collider {
        let outline = Outline::Polygon(corners.iter().copied().map(Vec2::from).collect());
        Collider {
            key: ColliderKey { body, ..ColliderKey::default() },
            shape: Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a polygon")),
            from: RigidPose::default(),
            to: RigidPose::default(),
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        }
    }

    fn gathered(all: Vec<Collider>) -> (Colliders, Nearby) {
        let (mut colliders, mut nearby) = (Colliders::default(), Nearby::default());
        colliders.set(all);
        nearby.gather(&colliders, &Bounds::around(Vec2::ZERO, Vec2::splat(500.0)), 1, &[]);
        (colliders, nearby)
    }

    fn chain(places: &[(f32, f32)]) -> Points {
        let mut points = Points::default();
        points.resize(places.len());
        points.inv_mass.fill(1.0);
        places.iter().enumerate().for_each(|(i, &place)| points.place(i, place.into()));
        points.begin();
        points
    }

    #[test]
    fn kept_contacts_are_those_that_would_be_found_anew() {
        // Two tiles and a slope, over which a chain slides: it leaves faces and comes to others.
        let tiles = [
            polygon(1, &[(-60.0, 0.0), (0.0, 0.0), (0.0, 30.0), (-60.0, 30.0)]),
            polygon(2, &[(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0)]),
            polygon(3, &[(40.0, 0.0), (90.0, 20.0), (40.0, 30.0)]),
        ];
        let (colliders, nearby) = gathered(tiles.to_vec());
        let places: Vec<(f32, f32)> = (0..8).map(|i| (10.0 * i as f32 - 50.3, -2.0)).collect();
        let (mut points, mut contacts) = (chain(&places), Contacts::default());
        let mut kept = 0;
        for _ in 0..300 {
            points.begin();
            for i in 0..points.len() {
                points.set_position(i, points.position(i) + Vec2::new(0.19, 0.02));
            }
            let mut fresh = Contacts { memory: contacts.memory.clone(), ..Contacts::default() };
            contacts.meet(&points, &nearby, &colliders, &Frame::default(), SPAN, SKIN);
            fresh.meet(&points, &nearby, &colliders, &Frame::default(), SPAN, SKIN);
            kept += contacts.lasts.iter().filter(|&&lasts| lasts).count();
            assert_eq!(contacts.list.len(), fresh.list.len(), "{:?} {:?}", contacts.list, fresh.list);
            for (one, other) in contacts.list.iter().zip(&fresh.list) {
                assert!((one.gap - other.gap).abs() < 1e-5, "{one:?}, {other:?}");
                // What is solved for anew, and what has just been compared.
                let same = Contact { push: other.push, gap: other.gap, ..*one };
                assert_eq!(same, *other);
            }
            for contact in contacts.list.iter_mut().filter(|contact| contact.gap < 0.0) {
                let i = contact.point;
                points.set_position(i, points.position(i) - contact.normal * contact.gap);
                (contact.push, contact.drag) = (1.0, 0.25);
            }
            contacts.remember(1.0);
        }
        assert!(kept > 500, "{kept}");
    }

    #[test]
    fn a_piece_that_lies_across_is_let_out_over_the_nearer_corner() {
        let (colliders, nearby) = gathered(vec![polygon(1, &[(0.0, -5.0), (40.0, 60.0), (-40.0, 60.0)])]);
        let mut contacts = Contacts::default();
        let points = chain(&[(-80.0, 0.0), (80.0, 0.0)]);
        contacts.meet(&points, &nearby, &colliders, &Frame::default(), SPAN, SKIN);
        let [contact] = contacts.list[..] else { panic!("{:?}", contacts.list) };
        assert_eq!((contact.normal, contact.between, contact.active), (Vec2::NEG_Y, true, true));
        // By a pixel in this substep: it is 5 px and its radius too deep.
        assert!((contact.gap + PUSHED_OUT).abs() < 1e-5 && (contact.allowed - 6.0).abs() < 1e-5, "{contact:?}");
    }

    #[test]
    fn a_piece_is_not_dragged_along_a_wall_that_it_pierces() {
        let (colliders, nearby) =
            gathered(vec![polygon(1, &[(-200.0, -1.0), (200.0, -1.0), (200.0, 1.0), (-200.0, 1.0)])]);
        let mut contacts = Contacts::default();
        contacts.meet(&chain(&[(0.0, -8.0), (0.0, 8.0)]), &nearby, &colliders, &Frame::default(), SPAN, SKIN);
        assert!(contacts.list.iter().all(|contact| !contact.between), "{:?}", contacts.list);
    }

    #[test]
    fn what_is_met_from_one_side_only_lets_pieces_through_from_below() {
        let platform = polygon(1, &[(-3.0, 0.0), (3.0, 0.0), (3.0, 10.0), (-3.0, 10.0)]);
        let (colliders, nearby) = gathered(vec![Collider { one_way: Some(Vec2::NEG_Y), ..platform }]);
        let mut contacts = Contacts::default();
        for y in [11.0, 5.0, 2.0] {
            contacts.meet(&chain(&[(-20.0, y), (20.0, y)]), &nearby, &colliders, &Frame::default(), SPAN, SKIN);
            assert!(contacts.list.is_empty(), "{y}: {:?}", contacts.list);
        }
        contacts.meet(&chain(&[(-20.0, -2.1), (20.0, -2.1)]), &nearby, &colliders, &Frame::default(), SPAN, SKIN);
        assert_eq!(contacts.list.len(), 2, "{:?}", contacts.list);
    }
}
