//! What a body can touch in a tick.

use crate::bounds::Bounds;
use crate::collide::{Collider, Colliders, Convex};
use crate::frame::Frame;
use crate::hash::StateHash;
use crate::island::{Motion, Rigid};
use crate::points::Points;
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// A pose without scale, relative to a body's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// Where.
    pub origin: Vec2,
    /// Image of the local x axis.
    pub x: Vec2,
}

impl Turn {
    /// A place and an angle.
    pub fn new(origin: Vec2, angle: f32) -> Turn {
        Turn { origin, x: Vec2::from_angle(angle) }
    }

    /// A local direction as it is outside.
    pub fn turn(&self, local: Vec2) -> Vec2 {
        self.x.rotate(local)
    }

    /// The inverse of [`Turn::turn`].
    pub fn unturn(&self, direction: Vec2) -> Vec2 {
        Vec2::new(self.x.dot(direction), self.x.perp_dot(direction))
    }

    /// A local point as it is outside.
    pub fn point(&self, local: Vec2) -> Vec2 {
        self.origin + self.turn(local)
    }

    /// The inverse of [`Turn::point`].
    pub fn unpoint(&self, point: Vec2) -> Vec2 {
        self.unturn(point - self.origin)
    }
}

/// A convex piece of a collider that a body can touch in a tick.
#[derive(Clone, Debug)]
pub struct Near {
    /// The collider's index in [`Colliders::all`].
    pub collider: usize,
    /// The index of the piece in its shape.
    pub piece: usize,
    /// The corners that the body can touch, as a range of [`Nearby::corners`].
    pub corners: std::ops::Range<usize>,
    /// The piece's box, local to the collider.
    pub bounds: Bounds,
    /// What tells it from others, the same in every tick.
    pub id: u64,
    /// Points that do not touch it, as ranges of [`Nearby::spared`].
    pub spared: std::ops::Range<usize>,
    /// It stands still, and so does its surface.
    pub still: bool,
    /// Its body may move by itself, or does so now.
    pub yields: bool,
    /// A hash of its collider: with what is the same in the last tick contacts last.
    pub hash: u64,
    /// The index in [`Nearby::carriers`], if it belongs to a rigid body that yields.
    pub carrier: Option<usize>,
}

/// A collider on a rigid body that yields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carried {
    /// The body's centre of mass at the beginning of the tick, relative to the frame of who touches it.
    pub center: Vec2,
    /// The collider's origin beside that, then.
    pub arm: Vec2,
    /// Its angle then.
    pub angle: f32,
}

impl Carried {
    /// Where it is when its body has moved.
    pub fn at(&self, motion: &Motion) -> Turn {
        Turn::new(self.center + motion.carry(self.arm), self.angle + motion.turned)
    }
}

/// A rigid body that yields, and carries a collider.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carrier {
    /// Its index among those of the tick.
    pub rigid: usize,
    /// The collider.
    pub carried: Carried,
    /// Where the collider is at the beginning of the substep, and at its end.
    pub begin: Turn,
    /// See `begin`.
    pub end: Turn,
}

impl Carrier {
    /// The rigid body with this index that yields, and a collider on it, as seen from a frame.
    pub fn new(index: usize, rigid: &Rigid, collider: &Collider, frame: &Frame) -> Carrier {
        let carried = Carried {
            center: frame.to_local(rigid.center),
            arm: collider.from.origin - rigid.center,
            angle: collider.from.angle,
        };
        Carrier { rigid: index, carried, ..Carrier::default() }
    }
}

/// All that a body can touch in a tick. The rooms are kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    /// The pieces.
    pub pieces: Vec<Near>,
    /// Indices of corners.
    pub corners: Vec<usize>,
    /// Points from the first to the last of each pair.
    pub spared: Vec<(usize, usize)>,
    /// The rigid bodies that yield, for each of their pieces.
    pub carriers: Vec<Carrier>,
    found: Vec<u32>,
    before: Vec<Near>,
}

impl Nearby {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.corners.clear();
        self.spared.clear();
        self.carriers.clear();
    }

    /// Takes all that yields as if it did not.
    pub fn forget_carriers(&mut self) {
        if !self.carriers.is_empty() {
            self.carriers.clear();
            self.pieces.iter_mut().for_each(|near| near.carrier = None);
        }
    }

    /// Takes down how all that yields moves in this substep.
    pub fn carry(&mut self, rigids: &[Rigid]) {
        for carrier in &mut self.carriers {
            let rigid = &rigids[carrier.rigid];
            carrier.begin = carrier.carried.at(&rigid.start);
            carrier.end = carrier.carried.at(&rigid.now);
        }
    }

    /// The rigid body that carries a piece, if it yields.
    pub fn carrier_of(&self, piece: usize) -> Option<&Carrier> {
        self.carriers.get(self.pieces[piece].carrier?)
    }

    /// Spares the points near to a held one that is held inside of something: they cannot get out of it. The rope beyond collides as anywhere.
    pub fn spare(&mut self, colliders: &Colliders, frame: &Frame, points: &Points, pitch: f32, radius: f32) {
        let held = |i: &usize| points.inv_mass[*i] <= 0.0;
        for near in &mut self.pieces {
            let turn = pose_at(&colliders.all()[near.collider], frame, 0.0);
            let piece = convex(colliders, near);
            let begin = self.spared.len();
            for i in (0..points.len()).filter(held) {
                let distance = piece.nearest(turn.unpoint(points.position(i))).distance;
                let needed = (radius - distance) / pitch;
                // Outside, as many as cannot get away from the surface; inside one more, or it would stick straight out.
                let links = if distance < 0.0 { needed.ceil() } else { needed.floor() };
                if links >= 1.0 {
                    let links = links.min(points.len() as f32) as usize;
                    self.spared.push((i.saturating_sub(links), i + links));
                }
            }
            near.spared = begin..self.spared.len();
        }
    }

    /// Whether a point does not touch a piece because it is too near to a point that is held inside of it.
    pub fn spares(&self, near: &Near, point: usize) -> bool {
        self.spared[near.spared.clone()].iter().any(|&(first, last)| (first..=last).contains(&point))
    }

    /// Takes down what there is on layers of `mask` within `reach` (global px), but for the bodies of `exceptions` (sorted). True if it is
    /// the same as before, all of it standing still.
    pub fn gather(&mut self, colliders: &Colliders, reach: &Bounds, mask: u32, exceptions: &[u64]) -> bool {
        std::mem::swap(&mut self.pieces, &mut self.before);
        self.clear();
        let mut found = std::mem::take(&mut self.found);
        colliders.near(reach, mask, &mut found);
        for &index in &found {
            let collider = &colliders.all()[index as usize];
            if exceptions.binary_search(&collider.key.body).is_err() {
                self.add(collider, index as usize, colliders.hash(index as usize), reach);
            }
        }
        self.found = found;
        let same = |(one, other): (&Near, &Near)| {
            one.still && other.still && (one.id, one.piece, one.hash) == (other.id, other.piece, other.hash)
        };
        self.pieces.len() == self.before.len() && self.pieces.iter().zip(&self.before).all(same)
    }

    fn add(&mut self, collider: &Collider, index: usize, hash: u64, reach: &Bounds) {
        // The reach as the collider sees it on all its way.
        let seen = |angle: f32, origin: Vec2| {
            let turn = Turn::new(origin, angle);
            let corners =
                [reach.min, Vec2::new(reach.max.x, reach.min.y), reach.max, Vec2::new(reach.min.x, reach.max.y)];
            Bounds::of(corners.map(|corner| turn.unpoint(corner)))
        };
        let (from, to) = (seen(collider.from.angle, collider.from.origin), seen(collider.to.angle, collider.to.origin));
        let mut local = Bounds { min: from.min.min(to.min), max: from.max.max(to.max) };
        // In between, a turning collider sees more than at both ends: the sagitta of the arc.
        let angle = turned(collider).abs();
        if angle > 0.0 {
            let radius = [local.min, local.max].iter().map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
            let arc = 1.5 * radius * (1.0 - (0.5 * angle).cos());
            // What turns while it moves does not see the reach come straight.
            let motion = collider.to.origin.distance(collider.from.origin);
            let more = Vec2::splat(arc + 0.25 * angle * motion);
            local = Bounds { min: local.min - more, max: local.max + more };
        }
        let Nearby { pieces, corners, .. } = self;
        let shape = &collider.shape;
        let still = collider.from == collider.to && collider.surface_velocity == (Vec2::ZERO, 0.0);
        shape.pieces_in(&local, |piece| {
            let convex = &shape.pieces()[piece];
            let begin = corners.len();
            let wide = Vec2::splat(convex.radius);
            let within =
                |corner: Vec2| (corner + wide).cmpge(local.min).all() && (corner - wide).cmple(local.max).all();
            corners.extend((0..convex.corners.len()).filter(|&i| within(convex.corners[i])));
            let mut id = StateHash::default();
            for number in [collider.key.body, collider.key.part, u64::from(collider.key.shape), piece as u64] {
                id.add(number);
            }
            let (corners, id) = (begin..corners.len(), id.finish());
            pieces.push(Near {
                collider: index,
                piece,
                corners,
                bounds: convex.bounds(),
                id,
                spared: 0..0,
                still,
                yields: collider.yields || !still,
                hash,
                carrier: None,
            });
        });
    }
}

/// By what angle a collider turns in the tick.
fn turned(collider: &Collider) -> f32 {
    let angle = collider.to.angle - collider.from.angle;
    (angle + PI).rem_euclid(TAU) - PI
}

/// Where a collider is when the part `t` of the tick has gone by, relative to `frame`.
pub fn pose_at(collider: &Collider, frame: &Frame, t: f32) -> Turn {
    let (from, to) = (frame.to_local(collider.from.origin), frame.to_local(collider.to.origin));
    if t >= 1.0 {
        return Turn::new(to, collider.to.angle);
    }
    Turn::new(from.lerp(to, t), collider.from.angle + turned(collider) * t)
}

/// The piece itself.
pub fn convex<'a>(colliders: &'a Colliders, near: &Near) -> &'a Convex {
    &colliders.all()[near.collider].shape.pieces()[near.piece]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::{ColliderKey, Material, Outline, RigidPose, Shape};
    use std::sync::Arc;

    fn block(body: u64, half: Vec2, from: RigidPose, to: RigidPose) -> Collider {
        let shape = Shape::new(&Outline::Rectangle { half }, Vec2::X, Vec2::Y).expect("a rectangle");
        Collider {
            key: ColliderKey { body, ..ColliderKey::default() },
            shape: Arc::new(shape),
            from,
            to,
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        }
    }

    fn pose(x: f32, y: f32, angle: f32) -> RigidPose {
        RigidPose { origin: Vec2::new(x, y), angle }
    }

    #[test]
    fn a_turn_is_undone_by_its_inverse() {
        let turn = Turn::new(Vec2::new(5.0, -3.0), 0.5 * PI);
        let close = |a: Vec2, b: Vec2| assert!(a.distance(b) < 1e-5, "{a}, {b}");
        close(turn.turn(Vec2::X), Vec2::Y);
        close(turn.point(Vec2::new(2.0, 1.0)), Vec2::new(4.0, -1.0));
        close(turn.unturn(turn.turn(Vec2::new(0.3, 0.7))), Vec2::new(0.3, 0.7));
        close(turn.unpoint(turn.point(Vec2::new(7.0, 8.0))), Vec2::new(7.0, 8.0));
    }

    #[test]
    fn what_turns_goes_the_shorter_way() {
        // From 3.1 to -3.1 rad it is 0.08 rad farther on, not a turn back.
        let turning = block(1, Vec2::ONE, pose(0.0, 0.0, 3.1), pose(10.0, 0.0, -3.1));
        let half_way = pose_at(&turning, &Frame::default(), 0.5);
        assert!(half_way.origin.distance(Vec2::new(5.0, 0.0)) < 1e-5);
        assert!(half_way.x.distance(Vec2::NEG_X) < 1e-5, "{half_way:?}");
        assert_eq!(pose_at(&turning, &Frame::default(), 1.0), Turn::new(Vec2::new(10.0, 0.0), -3.1));
    }

    #[test]
    fn gathering_finds_all_that_a_turning_collider_reaches() {
        // A beam of 200 px turns by nearly a right angle in a tick: the box is far from where it begins and ends.
        let mut colliders = Colliders::default();
        colliders.set([block(1, Vec2::new(100.0, 2.0), pose(0.0, 0.0, 0.0), pose(0.0, 0.0, 1.5))]);
        let mut nearby = Nearby::default();
        for part in 0..=20 {
            let end = pose_at(&colliders.all()[0], &Frame::default(), part as f32 / 20.0).point(Vec2::new(98.0, 0.0));
            let reach = Bounds::around(end, Vec2::splat(4.0));
            nearby.gather(&colliders, &reach, 1, &[]);
            assert_eq!(nearby.pieces.len(), 1, "part {part}");
            let corners = &nearby.corners[nearby.pieces[0].corners.clone()];
            assert!(corners.contains(&1) && corners.contains(&2), "part {part}: {corners:?}");
        }
        nearby.gather(&colliders, &Bounds::around(Vec2::new(-90.0, 90.0), Vec2::splat(4.0)), 1, &[]);
        assert!(nearby.pieces.is_empty());
    }

    #[test]
    fn gathering_tells_whether_all_is_as_before() {
        let (mut colliders, mut nearby) = (Colliders::default(), Nearby::default());
        let reach = Bounds::around(Vec2::ZERO, Vec2::splat(50.0));
        let (here, there) = (pose(0.0, 0.0, 0.0), pose(0.0, 1.0, 0.0));
        let floor = |from, to| block(1, Vec2::new(40.0, 5.0), from, to);
        let mut gather = |all: Vec<Collider>, exceptions: &[u64]| {
            colliders.set(all);
            nearby.gather(&colliders, &reach, 1, exceptions)
        };
        assert!(!gather(vec![floor(here, here)], &[]));
        assert!(gather(vec![floor(here, here)], &[]));
        assert!(!gather(vec![floor(here, there)], &[]), "it moves");
        assert!(!gather(vec![floor(there, there)], &[]), "it stands elsewhere, and moved before");
        assert!(gather(vec![floor(there, there)], &[]));
        let far = block(2, Vec2::ONE, pose(500.0, 0.0, 0.0), pose(500.0, 0.0, 0.0));
        assert!(gather(vec![floor(there, there), far.clone()], &[]), "what is far off does not count");
        assert!(!gather(vec![floor(there, there), far], &[1]), "it is let through");
        assert!(!gather(vec![Collider { surface_velocity: (Vec2::X, 0.0), ..floor(here, here) }], &[]));
        assert!(
            !gather(vec![Collider { surface_velocity: (Vec2::X, 0.0), ..floor(here, here) }], &[]),
            "its surface moves"
        );
    }

    #[test]
    fn beside_a_pin_that_is_held_inside_points_are_spared() {
        let mut colliders = Colliders::default();
        let still = pose(0.0, 0.0, 0.0);
        colliders.set([block(1, Vec2::new(15.0, 15.0), still, still), block(2, Vec2::ONE, still, still)]);
        let mut points = Points::default();
        points.resize(8);
        points.inv_mass.fill(1.0);
        (0..8).for_each(|i| points.place(i, Vec2::new(10.0 * i as f32, 3.0)));
        let mut nearby = Nearby::default();
        let mut spared = |points: &Points| {
            nearby.gather(&colliders, &Bounds::around(Vec2::ZERO, Vec2::splat(100.0)), 1, &[]);
            nearby.spare(&colliders, &Frame::default(), points, 10.0, 2.0);
            let of = |near: &Near| nearby.spared[near.spared.clone()].to_vec();
            nearby.pieces.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(spared(&points), [vec![], vec![]], "nothing is held");
        points.inv_mass[0] = 0.0;
        // 12 px and the radius are two links.
        assert_eq!(spared(&points), [vec![(0, 2)], vec![]]);
    }
}
