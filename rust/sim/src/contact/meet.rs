//! Where a body touches colliders in a substep.
//!
//! Everything is looked at in the frame of the collider, in which it stands still: a point's way in it leads from where the point was, seen
//! from where the collider was, to where the point is, seen from where the collider is.

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
#[derive(Clone, Copy, Debug)]
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
    seen_from: Vec<Vec2>,
    seen_to: Vec<Vec2>,
}

/// A collider's piece in a substep, and where the points are for it.
struct View<'a> {
    collider: &'a Collider,
    convex: &'a Convex,
    near: &'a Near,
    index: usize,
    begin: Turn,
    end: Turn,
    surface: Vec2,
    surface_turn: f32,
    span: Span,
    skin: Skin,
    friction: f32,
    bounce: f32,
}

impl Contacts {
    /// Takes down all contacts of a chain of points, which have moved from `start` to where they are in this substep.
    pub fn meet(&mut self, points: &Points, nearby: &Nearby, colliders: &Colliders, frame: &Frame, span: Span, skin: Skin) {
        self.list.clear();
        for (index, near) in nearby.pieces.iter().enumerate() {
            let collider = &colliders.all()[near.collider];
            let (friction, bounce) = collider.material.with(&skin.material);
            let view = View {
                collider,
                convex: convex(colliders, near),
                near,
                index,
                begin: pose_at(collider, frame, span.from),
                end: pose_at(collider, frame, span.to),
                surface: collider.surface_velocity.0,
                surface_turn: collider.surface_velocity.1,
                span,
                skin,
                friction,
                bounce,
            };
            self.look(points);
            for i in 0..points.len() {
                let seen = |x: f32, y: f32, turn: &Turn| turn.unpoint(Vec2::new(x, y));
                self.seen_to[i] = seen(points.x[i], points.y[i], &view.end);
                self.seen_from[i] = seen(points.start_x[i], points.start_y[i], &view.begin);
            }
            let begin = self.list.len();
            let (from, to) = (&self.seen_from[..], &self.seen_to[..]);
            for i in 0..points.len() {
                if points.inv_mass[i] > 0.0 {
                    self.list.extend(view.point(i, from[i], to[i]));
                }
            }
            for &corner in &nearby.corners[near.corners.clone()] {
                for k in 0..points.len() - 1 {
                    if points.inv_mass[k] + points.inv_mass[k + 1] > 0.0 {
                        let contact = view.piece(k, corner, [from[k], from[k + 1]], [to[k], to[k + 1]]);
                        self.list.extend(contact);
                    }
                }
            }
            for contact in &mut self.list[begin..] {
                view.finish(contact, points);
            }
        }
        if !self.list.is_sorted_by_key(order) {
            self.list.sort_by_key(order);
        }
        self.list.dedup_by(|one, other| is_same(one, other));
        self.recall();
    }

    /// Makes room for so many points.
    fn look(&mut self, points: &Points) {
        self.seen_from.resize(points.len(), Vec2::ZERO);
        self.seen_to.resize(points.len(), Vec2::ZERO);
    }

    /// What lasts from the last substep goes on as it was.
    fn recall(&mut self) {
        let mut cursor = 0;
        let memory = &self.memory;
        for contact in &mut self.list {
            let (before, after) = memory.split_at(cursor);
            let mut rest = after.iter().chain(before);
            let Some(place) = rest.position(|memory| memory.id == contact.id) else { continue };
            cursor = (cursor + place) % memory.len();
            contact.lasting = true;
            contact.active = true;
            contact.drag = memory[cursor].drag;
        }
    }

    /// Remembers what takes part; `factor` is what a step adds to a position for an acceleration of 1.
    pub fn remember(&mut self, factor: f32) {
        self.memory.clear();
        let active = self.list.iter().filter(|contact| contact.active && contact.push > 0.0);
        self.memory.extend(active.map(|contact| Memory { id: contact.id, drag: contact.drag / factor }));
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

impl View<'_> {
    /// How a point touches that was at `from` and is at `to`.
    fn point(&self, i: usize, from: Vec2, to: Vec2) -> Option<Contact> {
        let wide = Vec2::splat(self.skin.radius + MARGIN);
        let bounds = &self.near.bounds;
        if !((from.max(to) + wide).cmpge(bounds.min).all() && (from.min(to) - wide).cmple(bounds.max).all()) {
            return None;
        }
        let radius = self.skin.radius;
        let thickness = radius + self.convex.radius;
        let fast = from.distance_squared(to) > (TRACED * thickness).powi(2);
        let hit = if fast { self.convex.cast(from, to, radius) } else { None };
        let (normal, local) = match hit {
            Some(hit) => {
                let at = from.lerp(to, hit.part);
                // Where it began too deep it is let out from there.
                let begun = self.convex.nearest(from).distance - radius;
                let deep = if hit.part <= 0.0 { begun.min(0.0) } else { 0.0 };
                (hit.normal, Obstacle::Face { normal: hit.normal, offset: hit.normal.dot(at) - deep })
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
                    Feature::Corner(corner) => Obstacle::Corner { corner: self.convex.corners[corner], radius: thickness },
                };
                (normal, obstacle)
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
        Some(self.contact(i, false, 0.0, self.outside(local), begun, self.near.id.wrapping_add(i as u64)))
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
        let id = self.near.id.wrapping_mul(31).wrapping_add(((index as u64 + 1) << 32) + k as u64);
        Some(self.contact(k, true, part.clamp(0.0, 1.0), obstacle, begun, id))
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
            Obstacle::Beside { corner, side, radius } => Obstacle::Beside { corner: self.end.point(corner), side, radius },
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
            approach: 0.0,
            near: self.index,
            id,
        }
    }

    /// Takes down what follows from where the points are.
    fn finish(&self, contact: &mut Contact, points: &Points) {
        contact.measure(&points.x, &points.y);
        let place = contact.at(|i| points.position(i)) - contact.normal * self.skin.radius;
        contact.drift = place - self.begin.point(self.end.unpoint(place));
        let arm = place - self.end.origin;
        contact.drift += (self.surface + arm.perp() * self.surface_turn) * self.span.h;
        let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
        let way = contact.at(|i| points.position(i) - start(i));
        contact.approach = (contact.drift - way).dot(contact.normal).max(0.0);
        contact.active = contact.gap < 0.0;
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
