//! Where a body touches colliders in a substep.
//!
//! Everything is looked at in the frame of the collider, in which it stands still: a point's way in it leads from where the point was, seen
//! from where the collider was, to where the point is, seen from where the collider is.

use super::near::{Near, Nearby, Turn, convex, pose_at};
use super::{Contact, Memory, Obstacle};
use crate::bounds::Bounds;
use crate::collide::{Collider, Colliders, Convex, Feature, Nearest};
use crate::frame::Frame;
use crate::points::Points;
use glam::Vec2;

/// How much farther away in px than it touches a contact is taken down: solving may move the points there.
pub const MARGIN: f32 = 1.5;
/// Ways longer than this part of the thickness are traced.
const TRACED: f32 = 0.9;
/// Nearer to the end of a piece in px it is the point that touches.
const AT_END: f32 = 0.3;
/// A corner juts out towards a piece if both its faces lean away from it by at least this sine. Less is a face, which points touch.
const JUTS: f32 = 0.003;
/// What begins deeper than this in px has not got there in this substep.
const DEEP: f32 = 0.1;
/// How far in px it is pushed out in a substep then.
const PUSHED_OUT: f32 = 1.0;
/// A point that was this much below a one-way surface, in px, has come from below.
const BELOW: f32 = 0.5;
/// A contact that the solution has brought about is too deep from here on, in px.
const TOO_DEEP: f32 = 0.1;
/// Surfaces face each other if the cosine of the angle between their normals is below this.
const FACING: f32 = -0.98;
/// A one-way surface is met on faces that lean no farther than the cosine says.
const ONE_WAY: f32 = 0.2;

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
        let kept = self.list.len();
        for (index, near) in nearby.pieces.iter().enumerate() {
            let lasts = &self.lasts[index * count..(index + 1) * count];
            let begin = self.list.len();
            if lasts.contains(&false) {
                let view = View::new(near, index, colliders, frame, span, skin);
                let spared = |i: usize| nearby.spared[near.spared.clone()].iter().any(|&(a, b)| (a..=b).contains(&i));
                for (i, lasts) in lasts.iter().enumerate() {
                    if !lasts && points.inv_mass[i] > 0.0 && !spared(i) {
                        self.list.extend(view.point(i, view.seen(points, i)));
                    }
                }
                view.finish(&mut self.list[begin..], points);
            }
            if !near.corners.is_empty() {
                let begin = self.list.len();
                let view = View::new(near, index, colliders, frame, span, skin);
                let spared = |i: usize| nearby.spared[near.spared.clone()].iter().any(|&(a, b)| (a..=b).contains(&i));
                let mut first = view.seen(points, 0);
                for k in 0..count - 1 {
                    let second = view.seen(points, k + 1);
                    if points.inv_mass[k] + points.inv_mass[k + 1] > 0.0 && !spared(k) && !spared(k + 1) {
                        let corners = &nearby.corners[near.corners.clone()];
                        view.beside(k, corners, [first[0], second[0]], [first[1], second[1]], &mut self.list);
                    }
                    first = second;
                }
                view.finish(&mut self.list[begin..], points);
            }
        }
        if self.list.len() > kept {
            self.recall(kept);
            if !self.list.is_sorted_by_key(order) {
                self.list.sort_by_key(order);
            }
            self.list.dedup_by(|one, other| is_same(one, other));
        }
        self.ease();
    }

    /// Lets what has no room be squeezed: where surfaces face each other nearer than the rope is thick, it is in the middle between them.
    fn ease(&mut self) {
        let faces = |one: &Contact, other: &Contact| one.normal.dot(other.normal) < FACING;
        for i in 0..self.list.len() {
            let contact = self.list[i];
            let facing = |point: usize| {
                let from = self.list.partition_point(|other| other.point < point);
                let others = self.list[from..].iter().take_while(move |other| other.point == point && !other.between);
                others.filter(|other| faces(&contact, other)).map(|other| other.gap).reduce(f32::min)
            };
            // What lies on a surface under a corner leaves all the room to the corner.
            let (room, share) = if !contact.between {
                (facing(contact.point), 0.5)
            } else {
                let ends = facing(contact.point).zip(facing(contact.point + 1));
                (ends.map(|(first, second)| first + (second - first) * contact.part), 1.0)
            };
            let missing = -(contact.gap + room.unwrap_or(f32::INFINITY));
            if missing > 0.0 {
                self.list[i].squeezed = share * missing;
            }
        }
        for contact in self.list.iter_mut().filter(|contact| contact.squeezed > 0.0) {
            contact.allowed += contact.squeezed;
            contact.gap += contact.squeezed;
            contact.active |= contact.lasting;
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
        self.list.iter_mut().for_each(|contact| contact.missed = false);
        for (index, near) in nearby.pieces.iter().enumerate() {
            let view = View::new(near, index, colliders, frame, span, skin);
            let spared = |i: usize| nearby.spared[near.spared.clone()].iter().any(|&(a, b)| (a..=b).contains(&i));
            let begin = self.list.len();
            let mut first = view.seen(points, 0);
            for k in 0..points.len() {
                if points.inv_mass[k] > 0.0 && !spared(k) {
                    self.list.extend(view.point(k, first));
                }
                if k + 1 == points.len() {
                    break;
                }
                let second = view.seen(points, k + 1);
                if points.inv_mass[k] + points.inv_mass[k + 1] > 0.0 && !spared(k) && !spared(k + 1) {
                    let corners = &nearby.corners[near.corners.clone()];
                    view.beside(k, corners, [first[0], second[0]], [first[1], second[1]], &mut self.list);
                }
                first = second;
            }
            view.finish(&mut self.list[begin..], points);
        }
        let (old, new) = self.list.split_at(known);
        let keep: Vec<Contact> = new
            .iter()
            .filter(|contact| {
                contact.gap < -TOO_DEEP && old.iter().all(|other| other.id != contact.id || !other.active)
            })
            .map(|contact| Contact { missed: true, active: true, ..*contact })
            .collect();
        self.list.truncate(known);
        self.list.retain(|contact| keep.iter().all(|other| other.id != contact.id));
        self.list.extend(&keep);
        self.list.sort_by_key(order);
        keep.len()
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
            let way = points.position(i) - Vec2::new(points.start_x[i], points.start_y[i]);
            contact.room -= normal.perp_dot(way).abs();
            let far = (TRACED * skin.radius).powi(2);
            if contact.room <= 0.0 || way.length_squared() > far {
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

/// The order of a chain: a point's contacts, then those of the piece after it.
fn order(contact: &Contact) -> (usize, bool) {
    (contact.point, contact.between)
}

/// Whether two neighbours in the list say the same: tiles side by side share corners.
fn is_same(one: &Contact, other: &Contact) -> bool {
    let place = |contact: &Contact| match contact.obstacle {
        Obstacle::Face { .. } => None,
        Obstacle::Corner { corner, radius } | Obstacle::Beside { corner, radius, .. } => Some((corner, radius)),
    };
    let close = |a: (Vec2, f32), b: (Vec2, f32)| a.0.distance_squared(b.0) < 1e-3 && (a.1 - b.1).abs() < 1e-3;
    order(one) == order(other)
        && one.normal.dot(other.normal) > 0.999
        && match (place(one), place(other)) {
            (Some(a), Some(b)) => close(a, b),
            (None, None) => (one.gap - other.gap).abs() < 1e-3,
            _ => false,
        }
}

impl<'a> View<'a> {
    fn new(near: &'a Near, index: usize, colliders: &'a Colliders, frame: &Frame, span: Span, skin: Skin) -> View<'a> {
        let collider = &colliders.all()[near.collider];
        let (friction, bounce) = collider.material.with(&skin.material);
        let end = pose_at(collider, frame, span.to);
        View {
            collider,
            convex: convex(colliders, near),
            near,
            index,
            begin: if near.still { end } else { pose_at(collider, frame, span.from) },
            end,
            span,
            skin,
            friction,
            bounce,
        }
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
        let (normal, local, room) = match hit {
            Some(hit) => {
                let at = from.lerp(to, hit.part);
                // Where it began too deep it is let out from there.
                let begun = self.convex.nearest(from).distance - radius;
                let deep = if hit.part <= 0.0 { begun.min(0.0) } else { 0.0 };
                (hit.normal, Obstacle::Face { normal: hit.normal, offset: hit.normal.dot(at) - deep }, 0.0)
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
                let room = if let Feature::Face(face) = nearest.feature { self.room(&obstacle, face, to) } else { 0.0 };
                (normal, obstacle, room)
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
        Some(Contact { room, ..contact })
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

    /// How the piece between two points touches any of the `corners`. The contacts are put into `list`.
    fn beside(&self, k: usize, corners: &[usize], from: [Vec2; 2], to: [Vec2; 2], list: &mut Vec<Contact>) {
        if self.near.bounds.overlaps(&Bounds::of(from))
            && let Some((corner, depth)) = self.way_out(from)
        {
            list.push(self.pierced(k, corner, depth, to));
        } else {
            list.extend(corners.iter().filter_map(|&corner| self.piece(k, corner, from, to)));
        }
    }

    /// The corner over which a piece gets out on the shortest way that lies right across, and how far beyond the piece it is; negative on the
    /// left, with y down. None if it does not lie across. A way that is longer than the piece is none: it would be dragged along a wall.
    fn way_out(&self, [first, second]: [Vec2; 2]) -> Option<(usize, f32)> {
        let corners = &self.convex.corners;
        if corners.len() < 2 || !self.convex.solid || self.collider.one_way.is_some() {
            return None;
        }
        let length = first.distance(second);
        let along = (second - first).try_normalize()?;
        let aside = |corner: Vec2| along.perp_dot(corner - first);
        let part = |corner: Vec2| along.dot(corner - first);
        let (mut left, mut right) = ((0, 0.0f32), (0, 0.0f32));
        let mut before = corners[corners.len() - 1];
        for (index, &corner) in corners.iter().enumerate() {
            let (one, other) = (aside(before), aside(corner));
            if one * other < 0.0 {
                // Where a face crosses the line of the piece: an end that is inside comes out by itself.
                let at = part(before.lerp(corner, one / (one - other)));
                if !(0.0..=length).contains(&at) {
                    return None;
                }
            }
            if other < left.1 {
                left = (index, other);
            }
            if other > right.1 {
                right = (index, other);
            }
            before = corner;
        }
        let out = if -left.1 < right.1 { left } else { right };
        let across = left.1 < -f32::EPSILON * length && right.1 > f32::EPSILON * length;
        (across && out.1.abs() <= length && (0.0..=length).contains(&part(corners[out.0]))).then_some(out)
    }

    /// How a piece that lies right across is let out over a corner, which at the start was by `depth` beyond it.
    fn pierced(&self, k: usize, index: usize, depth: f32, to: [Vec2; 2]) -> Contact {
        let corner = self.convex.corners[index];
        let radius = self.skin.radius + self.convex.radius;
        let line = to[1] - to[0];
        let part = (corner - to[0]).dot(line) / line.length_squared().max(f32::MIN_POSITIVE);
        let obstacle = self.outside(Obstacle::Beside { corner, side: -depth.signum(), radius });
        let id = self.piece_id(k, index);
        self.contact(k, true, part.clamp(0.0, 1.0), obstacle, -depth.abs() - radius, id)
    }

    /// What tells the contact of a piece with a corner from others.
    fn piece_id(&self, k: usize, index: usize) -> u64 {
        self.near.id.wrapping_mul(31).wrapping_add(((index as u64 + 1) << 32) + k as u64)
    }

    /// How the piece between two points touches a corner.
    fn piece(&self, k: usize, index: usize, from: [Vec2; 2], to: [Vec2; 2]) -> Option<Contact> {
        let corner = self.convex.corners[index];
        let radius = self.skin.radius + self.convex.radius;
        let wide = Vec2::splat(radius + MARGIN);
        let (least, most) = (to[0].min(to[1]), to[0].max(to[1]));
        let (least, most) = (least.min(from[0]).min(from[1]) - wide, most.max(from[0]).max(from[1]) + wide);
        if !(corner.cmpge(least).all() && corner.cmple(most).all()) {
            return None;
        }
        let line = to[1] - to[0];
        let length = line.length();
        if length < f32::MIN_POSITIVE {
            return None;
        }
        let along = line / length;
        let part = (corner - to[0]).dot(along) / length;
        let aside = along.perp_dot(corner - to[0]);
        let before = from[1] - from[0];
        let aside_before = before.perp_dot(corner - from[0]) / before.length().max(f32::MIN_POSITIVE);
        let part_before = (corner - from[0]).dot(before) / before.length_squared().max(f32::MIN_POSITIVE);
        let crossed = aside * aside_before < 0.0 && crosses(corner, from, to);
        let ends = AT_END / length;
        if !crossed && !(ends..=1.0 - ends).contains(&part) {
            return None;
        }
        let side = if crossed { aside_before.signum() } else { aside.signum() };
        let gap = aside * side - radius;
        if gap > MARGIN {
            return None;
        }
        let normal = along.perp() * -side;
        if !crossed && !self.juts(index, normal, to) {
            return None;
        }
        // Where the corner was not beside the piece it has come there along it.
        let begun = if (0.0..=1.0).contains(&part_before) { aside_before * side - radius } else { gap.max(-DEEP) };
        if !self.lets_meet(normal, begun) {
            return None;
        }
        let obstacle = self.outside(Obstacle::Beside { corner, side, radius });
        Some(self.contact(k, true, part.clamp(0.0, 1.0), obstacle, begun, self.piece_id(k, index)))
    }

    /// Whether a corner juts out along `normal` towards a piece: nothing else is farther out. Beside a face that is parallel to the piece
    /// it does if the face ends within the piece; otherwise an end of the piece lies on the face.
    fn juts(&self, index: usize, normal: Vec2, [first, second]: [Vec2; 2]) -> bool {
        let corners = &self.convex.corners;
        let count = corners.len();
        let leans = |other: usize| {
            let face = corners[other] - corners[index];
            let (away, much) = (normal.dot(face), JUTS * face.length());
            let within = || {
                let line = second - first;
                (0.0..=line.length_squared()).contains(&(corners[other] - first).dot(line))
            };
            away <= -much || (away <= much && within())
        };
        count == 1 || (leans((index + 1) % count) && leans((index + count - 1) % count))
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
        Contact {
            point,
            between,
            obstacle,
            part,
            normal: Vec2::ZERO,
            gap: 0.0,
            allowed: if begun < -DEEP { (-begun - PUSHED_OUT).max(0.0) } else { 0.0 },
            drift: Vec2::ZERO,
            friction: self.friction,
            bounce: self.bounce,
            push: 0.0,
            drag: 0.0,
            active: false,
            lasting: false,
            missed: false,
            squeezed: 0.0,
            approach: 0.0,
            room: 0.0,
            near: self.index,
            id,
        }
    }

    /// How far a point at `to` may slide before it leaves a face.
    fn room(&self, obstacle: &Obstacle, face: usize, to: Vec2) -> f32 {
        let corners = &self.convex.corners;
        match obstacle {
            Obstacle::Face { normal, .. } if !corners.is_empty() => {
                let along = normal.perp();
                let (before, after) = (corners[face], corners[(face + 1) % corners.len()]);
                (to - before).dot(along).abs().min((after - to).dot(along).abs())
            }
            Obstacle::Face { .. } => f32::INFINITY,
            _ => 0.0,
        }
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

/// Whether a piece that moves evenly passes over a corner.
fn crosses(corner: Vec2, from: [Vec2; 2], to: [Vec2; 2]) -> bool {
    // (a + u t) x (b + v t) = 0, with the ends a and b as seen from the corner.
    let (a, b) = (from[0] - corner, from[1] - corner);
    let (u, v) = (to[0] - from[0], to[1] - from[1]);
    let constant = a.perp_dot(b);
    let linear = a.perp_dot(v) + u.perp_dot(b);
    let square = u.perp_dot(v);
    let within = |t: f32| {
        let (a, b) = (a + u * t, b + v * t);
        (0.0..=1.0).contains(&t) && a.dot(b) <= 0.0
    };
    if square.abs() <= 1e-9 * linear.abs() {
        return linear != 0.0 && within(-constant / linear);
    }
    let root = linear * linear - 4.0 * square * constant;
    if root < 0.0 {
        return false;
    }
    // The stable form: no difference of nearly equal numbers.
    let q = -0.5 * (linear + root.sqrt().copysign(linear));
    within(q / square) || (q != 0.0 && within(constant / q))
}
