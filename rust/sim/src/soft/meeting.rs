//! Where two soft bodies touch.
//!
//! A point of the outline of one touches a side or a corner of the outline of the other. What is inside of the other comes out where it looks at it: over the nearest side that faces the point's own
//! outside, and over the same side as before or one beside it, however thin both are squeezed.

use super::SoftBody;
use super::response::Place;
use super::rows::{Other, Row};
use super::sides::{MARGIN, NONE, SOFTEST_STRIKE, Sides, TOO_DEEP, left_deep};
use crate::bounds::Bounds;
use crate::collide::ColliderKey;
use crate::integrate::Step;
use crate::rope::Touch;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A point that looks away from a side by more than this cosine is on the far side of its own body.
const LOOKS_AWAY: f32 = 0.5;
/// What pushes at least by this cosine in the direction in which two are pushed apart helps.
const HELPS: f32 = 0.3;
/// A point of one body that touches a side of the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touching {
    /// Which of the two has the point.
    pub owner: usize,
    /// The point, and the first one of the side, as numbers of the skins.
    point: u32,
    side: u32,
    /// The place on the side, 0 to 1.
    part: f32,
    /// It touches the side's end, and not between.
    corner: bool,
    /// How deep it is left for now.
    pub allowed: f32,
    /// How fast they came together in this substep, in px.
    approach: f32,
    /// It touched in the last substep too.
    lasting: bool,
    pub row: Row,
}

/// What is remembered of a [`Touching`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Met {
    /// The key of the other body.
    pub other: u64,
    point: u32,
    side: u32,
    /// In kg px/s2.
    push: f32,
    drag: f32,
}

impl Met {
    /// The same without what tells it from others, which differs between runs.
    pub fn anonymous(&self) -> Met {
        Met { other: 0, ..*self }
    }

    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        self.push.is_finite() && self.drag.is_finite()
    }
}

/// Two bodies that may touch in a tick, by their indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    pub bodies: [usize; 2],
    /// Whether each gives way to the other.
    pub yields: [bool; 2],
    friction: f32,
    /// See [`crate::collide::Material`].
    pub bounce: f32,
    /// What touches in this substep.
    pub list: Vec<Touching>,
    /// What did in the last one: by its owner.
    memory: [Vec<Met>; 2],
    /// How the second presses at the first in this substep, in kg px/s2; and the keys.
    pub force: Vec2,
    /// About where, relative to the frame of the first.
    pub place: Vec2,
    /// The hardest strike in this tick, and how fast it was in px/s.
    hardest: Option<Touching>,
    speed: f32,
    keys: [u64; 2],
    pub sides: Sides,
    /// For how many seconds they have been in each other.
    pub tangled: f32,
    /// In which direction the second is to go while they are pushed apart.
    out: Option<Vec2>,
}

/// The skin of a body as the other one sees it.
pub(super) struct View<'a> {
    pub body: &'a SoftBody,
    /// What is to be added to its places.
    pub shift: Vec2,
    radius: f32,
    pub count: usize,
    pub bounds: Bounds,
}

impl<'a> View<'a> {
    fn new(body: &'a SoftBody, shift: Vec2) -> View<'a> {
        let skin = &body.collision.skin;
        let count = body.mesh.outline.len();
        let Bounds { min, max } = body.skin_bounds();
        let bounds = Bounds { min: min + shift, max: max + shift };
        debug_assert!(skin.len() > count);
        View { body, shift, radius: body.surface_radius(), count, bounds }
    }

    pub fn at(&self, k: usize) -> Vec2 {
        self.body.collision.skin.position(k) + self.shift
    }

    fn start(&self, k: usize) -> Vec2 {
        let skin = &self.body.collision.skin;
        Vec2::new(skin.start_x[k], skin.start_y[k]) + self.shift
    }

    /// A place on a side.
    fn on(&self, side: usize, part: f32) -> Vec2 {
        self.at(side).lerp(self.at(side + 1), part)
    }

    /// Where that was at the start of the substep.
    fn started(&self, side: usize, part: f32) -> Vec2 {
        self.start(side).lerp(self.start(side + 1), part)
    }

    /// Out of the body at a side; as long as the side.
    pub fn out_of(&self, side: usize) -> Vec2 {
        -(self.at(side + 1) - self.at(side)).perp() * self.body.orientation()
    }

    /// Out of the body at a point.
    fn out_at(&self, k: usize) -> Vec2 {
        let before = if k == 0 { self.count - 1 } else { k - 1 };
        (-(self.at(k + 1) - self.at(before)).perp() * self.body.orientation()).normalize_or_zero()
    }

    /// The point as a number of the body's points, and 1 if it is free.
    fn carries(&self, k: usize) -> (u32, f32) {
        let point = self.body.collision.skin_points[k];
        (point, if self.body.points.inv_mass[point as usize] > 0.0 { 1.0 } else { 0.0 })
    }
}

impl Pair {
    /// Makes it two bodies that may touch, by their indices.
    pub fn begin(&mut self, bodies: [usize; 2], all: &[&mut SoftBody]) {
        let [one, other] = bodies.map(|index| &*all[index]);
        self.bodies = bodies;
        self.keys = [one.key, other.key];
        self.yields = [one.gives_way_to(other), other.gives_way_to(one)];
        (self.friction, self.bounce) = one.surface().with(&other.surface());
        self.list.clear();
        (self.hardest, self.speed) = (None, 0.0);
        let known = one.collision.tangled.iter().find(|(key, _)| *key == other.key);
        self.tangled = known.map_or(0.0, |(_, seconds)| *seconds);
        for (memory, (owner, partner)) in self.memory.iter_mut().zip([(one, other), (other, one)]) {
            memory.clear();
            memory.extend(owner.collision.met.iter().filter(|met| met.other == partner.key));
        }
    }

    /// Both are asleep, or neither gives way.
    pub fn is_idle(&self) -> bool {
        self.yields == [false; 2]
    }

    /// Both, relative to the frame of the first.
    pub fn views<'a>(&self, all: &'a [&mut SoftBody]) -> [View<'a>; 2] {
        let [one, other] = self.bodies.map(|index| &*all[index]);
        let shift = (other.frame.origin().as_dvec2() - one.frame.origin().as_dvec2()).as_vec2();
        [View::new(one, Vec2::ZERO), View::new(other, shift)]
    }

    /// Finds what touches in a substep.
    pub fn find(&mut self, all: &[&mut SoftBody], step: &Step) {
        self.list.clear();
        self.out = self.is_parted().then(|| self.way_out(all).0);
        let views = self.views(all);
        let reach = views[0].radius + views[1].radius + MARGIN;
        if !views[0].bounds.grown(reach).overlaps(&views[1].bounds) {
            return;
        }
        for owner in 0..2 {
            self.look(owner, &views[owner], &views[1 - owner], step);
        }
    }

    /// Finds which points of one body touch the other.
    fn look(&mut self, owner: usize, mine: &View, other: &View, step: &Step) {
        let thickness = mine.radius + other.radius;
        let near = other.bounds.grown(thickness + MARGIN);
        for k in 0..mine.count {
            let at = mine.at(k);
            if !near.contains(at) || mine.carries(k).1 == 0.0 {
                continue;
            }
            let memory = &self.memory[owner];
            let before = memory.binary_search_by_key(&(k as u32), |met| met.point).ok().map(|place| memory[place]);
            let side = before.map_or(NONE, |met| met.side);
            let found = nearest(other, at, mine.out_at(k), thickness + MARGIN, side, &mut self.sides);
            let Some((side, part, inside)) = found else { continue };
            let corner = !inside && (part <= 0.0 || part >= 1.0);
            let mut touching =
                Touching { owner, point: k as u32, side: side as u32, part, corner, ..Touching::default() };
            touching.measure(mine, other);
            // Of those that are pushed apart only what helps counts.
            let out = self.out.map(|out| if owner == 1 { out } else { -out });
            if touching.row.normal == Vec2::ZERO || out.is_some_and(|out| touching.row.normal.dot(out) < HELPS) {
                continue;
            }
            let begun = (mine.start(k) - other.started(side, part)).dot(touching.row.normal) - thickness;
            touching.allowed = left_deep(begun);
            let way = touching.way(mine, other);
            let row = &mut touching.row;
            touching.approach = (-way.dot(row.normal)).max(0.0);
            touching.lasting = before.is_some();
            row.gap += touching.allowed;
            row.slip = way.dot(row.normal.perp());
            row.friction = self.friction;
            if let Some(met) = before {
                let factor = step.acceleration_factor();
                row.push = (row.normal * met.push + row.normal.perp() * met.drag) * factor;
            }
            let gives = |which: usize, share: f32| if self.yields[which] { share } else { 0.0 };
            let (point, share) = mine.carries(k);
            row.body = self.bodies[owner];
            row.place = Place::new([point; 2], [gives(owner, share), 0.0]);
            let ends = [side, side + 1].map(|k| other.carries(k));
            let shares = [gives(1 - owner, (1.0 - part) * ends[0].1), gives(1 - owner, part * ends[1].1)];
            row.other = Other::Soft { body: self.bodies[1 - owner], place: Place::new(ends.map(|end| end.0), shares) };
            if row.gives() {
                self.list.push(touching);
            }
        }
    }

    /// Measures after a solution; whether one is too deep. What was found is what has been applied.
    pub fn measure(&mut self, all: &[&mut SoftBody]) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let views = self.views(all);
        let mut wrong = false;
        for touching in &mut self.list {
            let (mine, other) = (&views[touching.owner], &views[1 - touching.owner]);
            touching.row.push += std::mem::take(&mut touching.row.more);
            touching.measure(mine, other);
            touching.row.gap += touching.allowed;
            touching.row.slip = touching.way(mine, other).dot(touching.row.normal.perp());
            wrong |= touching.row.gap < -TOO_DEEP;
        }
        wrong
    }

    /// Remembers what pushes, at the end of a substep.
    pub fn remember(&mut self, all: &[&mut SoftBody], step: &Step) {
        let factor = step.acceleration_factor();
        self.memory.iter_mut().for_each(Vec::clear);
        (self.force, self.place) = (Vec2::ZERO, Vec2::ZERO);
        let mut sum = 0.0;
        let both = self.bodies.map(|index| &*all[index]);
        for index in 0..self.list.len() {
            let touching = &mut self.list[index];
            let row = &mut touching.row;
            row.push += std::mem::take(&mut row.more);
            let push = row.push.dot(row.normal);
            if push <= 0.0 {
                continue;
            }
            let drag = row.push.dot(row.normal.perp()) / factor;
            let other = self.keys[1 - touching.owner];
            let met = Met { other, point: touching.point, side: touching.side, push: push / factor, drag };
            self.memory[touching.owner].push(met);
            self.force += touching.pushes() / factor;
            let owner = both[touching.owner];
            let shift = owner.frame.origin() - both[0].frame.origin();
            self.place += (owner.collision.skin.position(touching.point as usize) + shift) * push;
            sum += push;
            let speed = if touching.lasting { 0.0 } else { touching.approach / step.h };
            if speed > self.speed {
                (self.speed, self.hardest) = (speed, Some(self.list[index]));
            }
        }
        self.place /= sum.max(f32::MIN_POSITIVE);
    }

    /// The key of the other body, and how it presses at this one, in kg px/s2.
    pub fn force_on(&self, body: usize) -> (u64, Vec2) {
        if body == self.bodies[0] { (self.keys[1], self.force) } else { (self.keys[0], -self.force) }
    }

    /// What the first and the second body are to be told of each other after a tick; None: they do not touch.
    pub fn touches(&self, all: &[&mut SoftBody]) -> Option<[Touch; 2]> {
        let pushes = |touching: &&Touching| touching.row.push.dot(touching.row.normal) > 0.0;
        let touching = self.hardest.as_ref().or_else(|| self.list.iter().find(pushes))?;
        let [one, other] = self.bodies.map(|index| &*all[index]);
        let inv_mass = |which: usize| {
            let mass = all[self.bodies[which]].mass();
            if self.yields[which] { 1.0 / mass } else { 0.0 }
        };
        let impulse = (1.0 + self.bounce) * self.speed / (inv_mass(0) + inv_mass(1)).max(f32::MIN_POSITIVE);
        let impulse = if self.speed > SOFTEST_STRIKE { impulse } else { 0.0 };
        let mine = [one, other][touching.owner].collision.skin_points[touching.point as usize] as usize;
        let side = [other, one][touching.owner];
        let theirs = side.collision.skin_points[touching.side as usize + usize::from(touching.part > 0.5)] as usize;
        let position = [one, other][touching.owner].position(mine);
        Some([0, 1].map(|which| {
            let owns = which == touching.owner;
            let key = ColliderKey { body: self.keys[1 - which], ..ColliderKey::default() };
            let normal = if owns { touching.row.normal } else { -touching.row.normal };
            Touch { key, point: if owns { mine } else { theirs }, position, normal, impulse }
        }))
    }

    /// Whether anything pushes.
    pub fn is_touching(&self) -> bool {
        self.memory.iter().any(|memory| !memory.is_empty())
    }

    /// What pushes, by its owner.
    pub fn memory(&self) -> &[Vec<Met>; 2] {
        &self.memory
    }
}

/// All that touches.
pub(super) fn rows(pairs: &mut [Pair]) -> impl DoubleEndedIterator<Item = &mut Row> {
    pairs.iter_mut().flat_map(|pair| &mut pair.list).map(|touching| &mut touching.row)
}

impl Touching {
    /// How it pushes at the first of the two, in kg px.
    pub fn pushes(&self) -> Vec2 {
        if self.owner == 0 { self.row.push } else { -self.row.push }
    }

    /// How the point has gone beside the side in this substep, in px.
    fn way(&self, mine: &View, other: &View) -> Vec2 {
        let (k, side) = (self.point as usize, self.side as usize);
        (mine.at(k) - mine.start(k)) - (other.on(side, self.part) - other.started(side, self.part))
    }

    /// Takes down how near they are, and where to.
    fn measure(&mut self, mine: &View, other: &View) {
        let (at, side) = (mine.at(self.point as usize), self.side as usize);
        let (from, to) = (other.at(side), other.at(side + 1));
        let thickness = mine.radius + other.radius;
        let off = at - from.lerp(to, self.part);
        let row = &mut self.row;
        if self.corner {
            let distance = off.length();
            row.normal = if distance > f32::MIN_POSITIVE { off / distance } else { row.normal };
            row.gap = distance - thickness;
        } else {
            row.normal = other.out_of(side).normalize_or_zero();
            row.gap = off.dot(row.normal) - thickness;
        }
    }
}

/// The side of a body that a place touches whose body is on the other side of `out`: its number, the place on it, and whether it is beyond it. `before` is the side that it touched
/// last.
fn nearest(body: &View, at: Vec2, out: Vec2, reach: f32, before: u32, sides: &mut Sides) -> Option<(usize, f32, bool)> {
    let skin = &body.body.collision.skin;
    let at = at - body.shift;
    let inside = sides.look(body.body, at);
    if !inside {
        let side = sides.nearest(|_| true)?;
        if sides.distances[side] > reach * reach {
            return None;
        }
        let off = at - skin.position(side).lerp(skin.position(side + 1), sides.parts[side]);
        let looks_away = off.dot(out) > LOOKS_AWAY * off.length();
        return (!looks_away).then_some((side, sides.parts[side], false));
    }
    let (x, y, out) = (&skin.x, &skin.y, out * body.body.orientation());
    let faces = |side: usize| (x[side + 1] - x[side]) * out.y - (y[side + 1] - y[side]) * out.x > 0.0;
    let same = |side: usize| sides.are_beside(side, before) && faces(side);
    let last = if before == NONE { None } else { sides.nearest(same) };
    let side = last.or_else(|| sides.nearest(faces)).or_else(|| sides.nearest(|_| true))?;
    Some((side, sides.parts[side], true))
}

impl SoftBody {
    /// A box around its skin, relative to its frame.
    fn skin_bounds(&self) -> Bounds {
        self.room.skin_bounds.unwrap_or(Bounds::EVERYWHERE)
    }

    /// Of what its surface is made.
    fn surface(&self) -> crate::collide::Material {
        self.skin().material
    }

    /// Whether it collides with another body at all.
    pub(super) fn meets(&self, other: &SoftBody) -> bool {
        let (mine, theirs) = (&self.settings.collision, &other.settings.collision);
        let excepted = |body: &SoftBody, key: u64| body.collision.lets_through(key);
        (mine.mask & theirs.layer != 0 || theirs.mask & mine.layer != 0)
            && !excepted(self, other.key)
            && !excepted(other, self.key)
    }

    /// Whether another body moves it.
    fn gives_way_to(&self, other: &SoftBody) -> bool {
        !self.sleeping && self.settings.collision.mask & other.settings.collision.layer != 0
    }
}
