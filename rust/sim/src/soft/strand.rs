//! Where a rope and a soft body touch.
//!
//! A point of the rope touches a side or a corner of the outline, and a corner of the outline touches a piece of the
//! rope between two of its points. A rope has no outside: a point that is inside of
//! the body comes out over the side over which it came in, or over which it has come out before.

use super::SoftBody;
use super::response::Place;
use super::rows::{Other, Row};
use super::sides::{MARGIN, NONE, SOFTEST_STRIKE, Sides, TOO_DEEP, left_deep};
use crate::bounds::Bounds;
use crate::collide::ColliderKey;
use crate::integrate::Step;
use crate::rope::{Rope, Touch};
use glam::Vec2;

/// How far beyond the end of a side, as a part of it, a point may come in.
const BEYOND: f32 = 0.01;
/// A piece that goes away from a corner more steeply than by this sine does not touch it.
const STEEPEST: f32 = 0.3;
/// A place on a rope: a part of one point and a part of the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    pub points: [u32; 2],
    /// 0 if it does not give way.
    pub shares: [f32; 2],
}

/// How the points of a rope answer to pushes in a substep: freely. Their links are brought to their lengths in the
/// next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    inv_mass: Vec<f32>,
    moved: Vec<Vec2>,
}

impl Reply {
    /// Begins a substep.
    pub fn begin(&mut self, rope: &Rope) {
        self.inv_mass.clone_from(&rope.strand_points().inv_mass);
        self.moved.clear();
        self.moved.resize(self.inv_mass.len(), Vec2::ZERO);
    }

    /// How far a push of 1 moves a place.
    pub fn give(&self, place: &Stretch) -> f32 {
        (0..2).map(|k| place.shares[k].powi(2) * self.inv_mass[place.points[k] as usize]).sum()
    }

    /// How far a place is moved by what was found.
    pub fn moved(&self, place: &Stretch) -> Vec2 {
        (0..2).map(|k| self.moved[place.points[k] as usize] * place.shares[k]).sum()
    }

    /// Pushes at a place.
    pub fn push(&mut self, place: &Stretch, push: Vec2) {
        for (&point, share) in place.points.iter().zip(place.shares) {
            self.moved[point as usize] += push * (share * self.inv_mass[point as usize]);
        }
    }

    /// Moves the rope by what was found, and forgets it.
    pub fn apply(&mut self, rope: &mut Rope) {
        for (i, moved) in self.moved.iter_mut().enumerate() {
            rope.shove_point(i, std::mem::take(moved));
        }
        rope.end_shoves();
    }
}

impl Stretch {
    /// Whether it moves when it is pushed at.
    pub fn gives(&self) -> bool {
        self.shares != [0.0; 2]
    }
}

/// Who has the point that touches something of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// A point of the rope touches a side of the body.
    #[default]
    Rope,
    /// A corner of the body touches a piece of the rope.
    Body,
}

/// A place where they touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contact {
    by: By,
    /// The point of its owner, and the first point of what it touches; those of the body as numbers of its skin.
    point: u32,
    side: u32,
    /// The place on the side or piece, 0 to 1.
    part: f32,
    /// It touches the side's end, and not between.
    corner: bool,
    /// How deep it is left for now.
    allowed: f32,
    /// How fast they came together in this substep, in px.
    approach: f32,
    /// It touched in the last substep too.
    lasting: bool,
    pub row: Row,
}

/// What is remembered of a [`Contact`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Caught {
    by: By,
    point: u32,
    side: u32,
    /// In kg px/s2.
    push: f32,
    drag: f32,
}

/// A rope and a soft body that may touch in a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Meeting {
    /// The rope, as the number of a strand, and the body.
    pub strand: usize,
    pub body: usize,
    /// The key of the rope.
    pub key: u64,
    /// Whether the rope and the body give way.
    yields: [bool; 2],
    friction: f32,
    /// How many points the rope has.
    count: usize,
    /// What touches in this substep.
    pub list: Vec<Contact>,
    /// What did in the last one, in order.
    memory: Vec<Caught>,
    /// How it presses at the body at the end of the tick, in kg px/s2.
    pub force: Vec2,
    /// The hardest strike in this tick, and how fast it was in px/s.
    hardest: Option<Contact>,
    speed: f32,
    sides: Sides,
    near: Vec<u32>,
}

/// Both as they are now, relative to the frame of the body.
struct View<'a> {
    rope: &'a Rope,
    body: &'a SoftBody,
    /// What is to be added to the rope's places.
    shift: Vec2,
    thickness: f32,
    /// How many sides the outline has.
    count: usize,
    bounds: Bounds,
}

impl<'a> View<'a> {
    fn new(rope: &'a Rope, body: &'a SoftBody) -> View<'a> {
        let shift = (rope.strand_origin().as_dvec2() - body.frame.origin().as_dvec2()).as_vec2();
        View {
            rope,
            body,
            shift,
            thickness: rope.surface_radius() + body.surface_radius(),
            count: body.mesh.outline.len(),
            bounds: body.room.skin_bounds.unwrap_or(Bounds::EVERYWHERE),
        }
    }

    fn rope(&self, i: usize) -> Vec2 {
        self.rope.strand_points().position(i) + self.shift
    }

    fn rope_start(&self, i: usize) -> Vec2 {
        let points = self.rope.strand_points();
        Vec2::new(points.start_x[i], points.start_y[i]) + self.shift
    }

    fn skin(&self, k: usize) -> Vec2 {
        self.body.collision.skin.position(k)
    }

    fn skin_start(&self, k: usize) -> Vec2 {
        let skin = &self.body.collision.skin;
        Vec2::new(skin.start_x[k], skin.start_y[k])
    }

    /// Out of the body at a side; as long as the side.
    fn out_of(&self, side: usize) -> Vec2 {
        -(self.skin(side + 1) - self.skin(side)).perp() * self.body.orientation()
    }

    /// Out of the body at a corner.
    fn out_at(&self, k: usize) -> Vec2 {
        let before = if k == 0 { self.count - 1 } else { k - 1 };
        (-(self.skin(k + 1) - self.skin(before)).perp() * self.body.orientation()).normalize_or_zero()
    }

    /// Whether a place is inside of the outline.
    fn contains(&self, at: Vec2) -> bool {
        let crosses = |k: &usize| {
            let (from, to) = (self.skin(*k) - at, self.skin(k + 1) - at);
            (from.y > 0.0) != (to.y > 0.0) && (from.perp_dot(to) > 0.0) == (to.y > from.y)
        };
        (0..self.count).filter(crosses).count() % 2 == 1
    }

    /// Where the rope's and the body's place of a contact are, and where they were at the start of the substep.
    fn places(&self, contact: &Contact) -> [Vec2; 4] {
        let (i, k, part) = (contact.point as usize, contact.side as usize, contact.part);
        match contact.by {
            By::Rope => [
                self.rope(i),
                self.skin(k).lerp(self.skin(k + 1), part),
                self.rope_start(i),
                self.skin_start(k).lerp(self.skin_start(k + 1), part),
            ],
            By::Body => [
                self.rope(k).lerp(self.rope(k + 1), part),
                self.skin(i),
                self.rope_start(k).lerp(self.rope_start(k + 1), part),
                self.skin_start(i),
            ],
        }
    }

    /// Over which side a point of the rope has come in in this substep.
    fn entry(&self, i: usize) -> Option<usize> {
        let (from, to) = (self.rope_start(i), self.rope(i));
        let sign = self.body.orientation();
        let mut first: Option<(f32, usize)> = None;
        for k in 0..self.count {
            let (a, b) = (self.skin_start(k), self.skin_start(k + 1));
            let (c, d) = (self.skin(k), self.skin(k + 1));
            let before = -(b - a).perp_dot(from - a) * sign;
            let after = -(d - c).perp_dot(to - c) * sign;
            // Outside, and then inside of the side's line.
            if before > 0.0 || after <= 0.0 {
                continue;
            }
            let when = before / (before - after);
            let (start, end, at) = (a.lerp(c, when), b.lerp(d, when), from.lerp(to, when));
            let along = end - start;
            let part = (at - start).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
            let hits = (-BEYOND..=1.0 + BEYOND).contains(&part);
            if hits && first.is_none_or(|(earliest, _)| when < earliest) {
                first = Some((when, k));
            }
        }
        first.map(|(_, side)| side)
    }
}

impl Meeting {
    /// Makes it a rope and a body that may touch, by their numbers; false if neither gives way.
    pub fn begin(&mut self, strand: usize, rope: &Rope, awake: bool, body: usize, soft: &SoftBody) -> bool {
        (self.strand, self.body, self.key) = (strand, body, rope.strand_key());
        let (ropes, softs) = (rope.strand_settings(), &soft.settings.collision);
        let meets = ropes.mask & softs.layer != 0;
        let pushes = softs.mask & ropes.layer != 0 || (meets && ropes.push_bodies);
        self.yields = [awake && meets, soft.room.awake && pushes];
        self.friction = rope.strand_material().with(&soft.skin().material).0;
        self.list.clear();
        self.memory.clear();
        self.memory.extend(rope.recall_met(soft.key));
        self.count = rope.point_count();
        (self.hardest, self.speed) = (None, 0.0);
        self.yields != [false; 2]
    }

    /// Finds what touches in a substep.
    pub fn find(&mut self, rope: &Rope, body: &SoftBody, step: &Step) {
        self.list.clear();
        let view = View::new(rope, body);
        let near = view.bounds.grown(view.thickness + MARGIN);
        if rope.point_count() != self.count {
            // It was wound: its points have other numbers.
            self.memory.clear();
            self.count = rope.point_count();
        }
        self.near.clear();
        for i in 0..self.count - 1 {
            let way = Bounds::of([view.rope(i), view.rope(i + 1), view.rope_start(i), view.rope_start(i + 1)]);
            if way.overlaps(&near) {
                self.near.push(i as u32);
            }
        }
        if self.near.is_empty() {
            return;
        }
        let mut next = 0;
        for index in 0..self.near.len() {
            let piece = self.near[index] as usize;
            for i in piece.max(next)..piece + 2 {
                self.look_from_point(&view, i, &near, step);
            }
            next = piece + 2;
        }
        self.look_from_corners(&view, step);
    }

    fn recall(&self, by: By, point: usize) -> Option<Caught> {
        let place = self.memory.binary_search_by_key(&(by, point as u32), |met| (met.by, met.point)).ok()?;
        Some(self.memory[place])
    }

    /// Finds what a point of the rope touches.
    fn look_from_point(&mut self, view: &View, i: usize, near: &Bounds, step: &Step) {
        let at = view.rope(i);
        let start = view.rope_start(i);
        if !Bounds::of([at, start]).overlaps(near) {
            return;
        }
        let before = self.recall(By::Rope, i);
        let Some((side, inside)) = self.side_of(view, i, before.map_or(NONE, |met| met.side)) else { return };
        let part = self.sides.parts[side];
        let corner = !inside && (part <= 0.0 || part >= 1.0);
        let contact = Contact { by: By::Rope, point: i as u32, side: side as u32, part, corner, ..Contact::default() };
        self.take_down(contact, before, view, step);
    }

    /// The side of the body that a point of the rope touches, and whether the point is beyond it. `before` is the one
    /// that it touched last.
    fn side_of(&mut self, view: &View, i: usize, before: u32) -> Option<(usize, bool)> {
        let (at, sides) = (view.rope(i), &mut self.sides);
        if sides.look(view.body, at) {
            let last = if before == NONE { None } else { sides.nearest(|side| sides.are_beside(side, before)) };
            let side = last.or_else(|| view.entry(i)).or_else(|| sides.nearest(|_| true))?;
            return Some((side, true));
        }
        // What has gone all the way through a corner or a thin part in a substep has come in all the same.
        let gone = at.distance_squared(view.rope_start(i)) > view.thickness * view.thickness;
        if gone
            && before == NONE
            && let Some(side) = view.entry(i)
        {
            return Some((side, true));
        }
        let side = sides.nearest(|_| true)?;
        (sides.distances[side] <= (view.thickness + MARGIN).powi(2)).then_some((side, false))
    }

    /// Finds which corners of the body touch pieces of the rope.
    fn look_from_corners(&mut self, view: &View, step: &Step) {
        let reach = view.thickness + MARGIN;
        let parts = self.near.iter().map(|&i| i as usize);
        let bounds = Bounds::of(parts.flat_map(|i| [view.rope(i), view.rope(i + 1)])).grown(reach);
        for k in (0..view.count).filter(|&k| bounds.contains(view.skin(k))) {
            let Some((piece, part)) = self.piece_at(view, k, reach) else { continue };
            let before = self.recall(By::Body, k);
            let (by, point, side) = (By::Body, k as u32, piece as u32);
            self.take_down(Contact { by, point, side, part, ..Contact::default() }, before, view, step);
        }
    }

    /// The piece of the rope that a corner of the body touches, and the place on it.
    fn piece_at(&self, view: &View, k: usize, reach: f32) -> Option<(usize, f32)> {
        let (at, out) = (view.skin(k), view.out_at(k));
        let mut nearest: Option<(f32, usize, f32)> = None;
        for &piece in &self.near {
            let piece = piece as usize;
            let (from, to) = (view.rope(piece), view.rope(piece + 1));
            let along = to - from;
            let length = along.length();
            let part = (at - from).dot(along) / (length * length).max(f32::MIN_POSITIVE);
            if !(part > 0.0 && part < 1.0) || along.perp_dot(out).abs() < STEEPEST * length {
                continue;
            }
            let on = from + along * part;
            let (off, distance) = (on - at, on.distance(at));
            let beyond = off.dot(out) < 0.0;
            let most = if beyond { length.max(reach) } else { reach };
            if distance > most || nearest.is_some_and(|(least, ..)| distance >= least) {
                continue;
            }
            if !beyond || view.contains(on) {
                nearest = Some((distance, piece, part));
            }
        }
        nearest.map(|(_, piece, part)| (piece, part))
    }

    /// Makes a row of a contact.
    fn take_down(&mut self, mut contact: Contact, before: Option<Caught>, view: &View, step: &Step) {
        contact.measure(view);
        let row = &mut contact.row;
        if row.normal == Vec2::ZERO || !row.gap.is_finite() {
            return;
        }
        let [rope, body, rope_start, body_start] = view.places(&Contact { row: Row::default(), ..contact });
        let begun = (body_start - rope_start).dot(row.normal) - view.thickness;
        contact.allowed = left_deep(begun);
        let way = (body - body_start) - (rope - rope_start);
        contact.approach = (-way.dot(row.normal)).max(0.0);
        contact.lasting = before.is_some();
        row.gap += contact.allowed;
        row.slip = way.dot(row.normal.perp());
        row.friction = self.friction;
        if let Some(met) = before {
            row.push = (row.normal * met.push + row.normal.perp() * met.drag) * step.acceleration_factor();
        }
        let (i, k) = (contact.point as usize, contact.side as usize);
        let (ropes, softs) = match contact.by {
            By::Rope => ([(i, 1.0), (i, 0.0)], [(k, 1.0 - contact.part), (k + 1, contact.part)]),
            By::Body => ([(k, 1.0 - contact.part), (k + 1, contact.part)], [(i, 1.0), (i, 0.0)]),
        };
        let rope_free = |i: usize| self.yields[0] && view.rope.strand_points().inv_mass[i] > 0.0;
        let point = |k: usize| view.body.collision.skin_points[k];
        let soft_free = |k: usize| self.yields[1] && view.body.points.inv_mass[point(k) as usize] > 0.0;
        row.body = self.body;
        row.place =
            Place::new(softs.map(|(k, _)| point(k)), softs.map(|(k, share)| if soft_free(k) { share } else { 0.0 }));
        let place = Stretch {
            points: ropes.map(|(i, _)| i as u32),
            shares: ropes.map(|(i, share)| if rope_free(i) { share } else { 0.0 }),
        };
        row.other = Other::Strand { strand: self.strand, place };
        if row.gives() {
            self.list.push(contact);
        }
    }

    /// Measures after a solution; whether one is too deep. What was found is what has been applied.
    pub fn measure(&mut self, rope: &Rope, body: &SoftBody) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let view = View::new(rope, body);
        let mut wrong = false;
        for contact in &mut self.list {
            contact.row.push += std::mem::take(&mut contact.row.more);
            contact.measure(&view);
            contact.row.gap += contact.allowed;
            let [rope, body, rope_start, body_start] = view.places(contact);
            let way = (body - body_start) - (rope - rope_start);
            contact.row.slip = way.dot(contact.row.normal.perp());
            wrong |= contact.row.gap < -TOO_DEEP;
        }
        wrong
    }

    /// Remembers what pushes, at the end of a substep.
    pub fn remember(&mut self, step: &Step) {
        let factor = step.acceleration_factor();
        self.memory.clear();
        let (mut force, mut fastest) = (Vec2::ZERO, self.speed);
        let mut hardest = None;
        for contact in &mut self.list {
            let row = &mut contact.row;
            row.push += std::mem::take(&mut row.more);
            let push = row.push.dot(row.normal);
            if push.is_nan() || push <= 0.0 {
                continue;
            }
            force += row.push;
            let (push, drag) = (push / factor, row.push.dot(row.normal.perp()) / factor);
            self.memory.push(Caught { by: contact.by, point: contact.point, side: contact.side, push, drag });
            let speed = if contact.lasting { 0.0 } else { contact.approach / step.h };
            if speed > fastest {
                (fastest, hardest) = (speed, Some(*contact));
            }
        }
        self.memory.sort_unstable_by_key(|met| (met.by, met.point));
        self.force = force / factor;
        if hardest.is_some() {
            (self.speed, self.hardest) = (fastest, hardest);
        }
    }

    /// What was remembered last.
    pub fn memory(&self) -> &[Caught] {
        &self.memory
    }

    /// What the rope and the body are to be told of each other after a tick; None: they do not touch.
    pub fn touches(&self, rope: &Rope, body: &SoftBody) -> Option<[Touch; 2]> {
        let pushes = |contact: &&Contact| contact.row.push.dot(contact.row.normal) > 0.0;
        let contact = self.hardest.as_ref().or_else(|| self.list.iter().find(pushes))?;
        let mass = [rope.strand_mass(), body.mass()];
        let inv_mass: f32 = (0..2).map(|k| if self.yields[k] { 1.0 / mass[k] } else { 0.0 }).sum();
        let impulse = if self.speed > SOFTEST_STRIKE { self.speed / inv_mass.max(f32::MIN_POSITIVE) } else { 0.0 };
        let (i, k) = (contact.point as usize, contact.side as usize + usize::from(contact.part > 0.5));
        let (mine, theirs) = if contact.by == By::Rope { (i, k) } else { (k, i) };
        let mine = mine.min(rope.point_count() - 1);
        let position = rope.position(mine);
        let key = |body: u64| ColliderKey { body, ..ColliderKey::default() };
        let normal = contact.row.normal;
        let soft_point = body.collision.skin_points[theirs] as usize;
        Some([
            Touch { key: key(body.key), point: mine, position, normal: -normal, impulse },
            Touch { key: key(rope.strand_key()), point: soft_point, position, normal, impulse },
        ])
    }
}

impl Contact {
    /// Takes down how near they are, and where to.
    fn measure(&mut self, view: &View) {
        let [rope, body, ..] = view.places(self);
        let off = body - rope;
        let (side, known) = (self.side as usize, self.row.normal);
        let distance = off.length();
        let row = &mut self.row;
        if self.corner {
            row.normal = if distance > f32::MIN_POSITIVE { off / distance } else { row.normal };
            row.gap = distance - view.thickness;
            return;
        }
        row.normal = match self.by {
            By::Rope => -view.out_of(side).normalize_or_zero(),
            By::Body => {
                let across = (view.rope(side + 1) - view.rope(side)).perp().normalize_or_zero();
                let towards = if known == Vec2::ZERO { -view.out_at(self.point as usize) } else { known };
                if across.dot(towards) < 0.0 { -across } else { across }
            }
        };
        row.gap = off.dot(row.normal) - view.thickness;
    }
}
