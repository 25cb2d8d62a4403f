//! Where something that cuts sweeps over a rope.
//!
//! Seen from the blade, a link sweeps a quadrangle within a tick. It is cut if that and the blade have a point in common: so nothing is fast enough to
//! miss it. What turns far is looked at in parts of the tick.

use super::Rope;
use crate::bounds::Bounds;
use crate::collide::{Collider, Convex};
use crate::contact::near::pose_at;
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// A blade turns at most by this in a part of a tick, in radians: then its ends are no more than a pixel in 200 off the straight way.
const TURN: f32 = 0.2;
/// The most parts of a tick.
const MOST_PARTS: f32 = 32.0;
/// What is so near to the surface of the rope touches it, in px: a body that the rope lies against is as near as that.
const NEAR: f32 = 0.25;
/// Where on a link it is touched is looked for at so many places and times.
const PLACES: usize = 16;
const TIMES: usize = 4;

/// The corners of what a link sweeps: its two points before, and after.
type Sweep = [Vec2; 4];

impl Rope {
    /// The first stretch of links, from link `after` on, over which a blade went in the last tick: where it is to be cut, as a link and the part of
    /// its length, and the link behind the stretch.
    pub fn swept(&self, blade: &Collider, after: usize) -> Option<((usize, f32), usize)> {
        let links = self.lengths.len();
        let bounds = blade.bounds();
        let origin = self.frame.origin();
        let local = Bounds { min: bounds.min - origin, max: bounds.max - origin };
        let touched = |k: usize| self.swept_part(blade, &local, k);
        let first = (after..links).find(|&k| touched(k).is_some())?;
        let end = (first..links).find(|&k| touched(k).is_none()).unwrap_or(links);
        let middle = first + (end - first) / 2;
        Some(((middle, touched(middle).unwrap_or(0.5)), end))
    }

    /// A box around all its way in the last tick, in global px.
    pub fn way_bounds(&self) -> Bounds {
        let start = (0..self.points.len()).map(|i| self.frame.to_global(self.start(i)));
        self.bounds().with(&Bounds::of(start))
    }

    /// What is so near to its middle line touches it, in px.
    pub fn reach_of_skin(&self) -> f32 {
        self.skin().radius + NEAR
    }

    fn start(&self, i: usize) -> Vec2 {
        Vec2::new(self.tick_start.x[i], self.tick_start.y[i])
    }

    /// The part of a link's length at which a blade went over it in the last tick. `bounds` is the box of the blade's way, relative to the frame.
    fn swept_part(&self, blade: &Collider, bounds: &Bounds, k: usize) -> Option<f32> {
        let radius = self.reach_of_skin();
        let points = [self.start(k), self.start(k + 1), self.points.position(k), self.points.position(k + 1)];
        let around = Bounds::of(points);
        let around = Bounds { min: around.min - radius, max: around.max + radius };
        if !around.overlaps(bounds) {
            return None;
        }
        let turn = (blade.to.angle - blade.from.angle + PI).rem_euclid(TAU) - PI;
        let parts = (turn.abs() / TURN).ceil().clamp(1.0, MOST_PARTS);
        let seen = |t: f32| {
            let pose = pose_at(blade, &self.frame, t);
            [0, 1].map(|i| pose.unpoint(points[i].lerp(points[i + 2], t)))
        };
        (0..parts as usize).rev().find_map(|part| {
            let [a, b] = seen(part as f32 / parts);
            let [c, d] = seen((part as f32 + 1.0) / parts);
            touch(blade, &[a, b, c, d], radius)
        })
    }
}

/// The part of a link's length at which it touches any piece of a blade on its way.
fn touch(blade: &Collider, sweep: &Sweep, radius: f32) -> Option<f32> {
    let bounds = Bounds::of(*sweep);
    let mut found = None;
    blade.shape.pieces_in(&Bounds { min: bounds.min - radius, max: bounds.max + radius }, |piece| {
        let piece = &blade.shape.pieces()[piece];
        if found.is_none() && touches(piece, sweep, radius) {
            found = Some(part(piece, sweep, radius));
        }
    });
    found
}

fn touches(piece: &Convex, [a, b, c, d]: &Sweep, radius: f32) -> bool {
    let sides = [(c, d), (a, b), (a, c), (b, d), (a, d)];
    let inside = |corner: &Vec2| is_in_triangle(*corner, [*a, *b, *d]) || is_in_triangle(*corner, [*a, *d, *c]);
    sides.into_iter().any(|(from, to)| is_near(piece, *from, *to, radius)) || piece.corners.iter().any(inside)
}

/// Whether a line is within `radius` of a piece.
fn is_near(piece: &Convex, a: Vec2, b: Vec2, radius: f32) -> bool {
    let line = b - a;
    let off = |corner: Vec2| {
        let t = ((corner - a).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (a + line * t).distance(corner)
    };
    let crosses = |i: usize| {
        let (c, d) = (piece.corners[i], piece.corners[(i + 1) % piece.corners.len()]);
        let sides = |from: Vec2, to: Vec2, one: Vec2, other: Vec2| {
            (to - from).perp_dot(one - from) * (to - from).perp_dot(other - from) < 0.0
        };
        sides(a, b, c, d) && sides(c, d, a, b)
    };
    piece.nearest(a).distance.min(piece.nearest(b).distance) <= radius
        || piece.corners.iter().any(|corner| off(*corner) <= radius + piece.radius)
        || (piece.corners.len() > 1 && (0..piece.corners.len()).any(crosses))
}

/// Where along a link a piece touches it: the middle of that at the last moment at which it does.
fn part(piece: &Convex, [a, b, c, d]: &Sweep, radius: f32) -> f32 {
    for time in (0..=TIMES).rev() {
        let t = time as f32 / TIMES as f32;
        let (from, to) = (a.lerp(*c, t), b.lerp(*d, t));
        let place = |i: &usize| *i as f32 / PLACES as f32;
        let near = |i: &usize| piece.nearest(from.lerp(to, place(i))).distance <= radius;
        if let Some(first) = (0..=PLACES).find(near) {
            let last = (first..=PLACES).rev().find(near).unwrap_or(first);
            return 0.5 * (place(&first) + place(&last));
        }
    }
    // It was passed between two moments.
    let middle = piece.corners.iter().sum::<Vec2>() / piece.corners.len().max(1) as f32;
    let (from, to) = (a.midpoint(*c), b.midpoint(*d));
    let line = to - from;
    ((middle - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
}

fn is_in_triangle(point: Vec2, [a, b, c]: [Vec2; 3]) -> bool {
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(point - from));
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::{ColliderKey, Material, Outline, RigidPose, Shape};
    use crate::frame::Pose;
    use crate::rope::RopeSettings;
    use std::sync::Arc;

    fn blade(outline: Outline, from: (f32, f32, f32), to: (f32, f32, f32)) -> Collider {
        let shape = Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape");
        let pose = |(x, y, angle)| RigidPose { origin: Vec2::new(x, y), angle };
        Collider {
            key: ColliderKey::default(),
            shape: Arc::new(shape),
            from: pose(from),
            to: pose(to),
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: true,
            one_way: None,
        }
    }

    /// It hangs from (0, 0) to (0, 200), in links of 10 px.
    fn rope() -> Rope {
        let settings = RopeSettings { end_position: Vec2::new(0.0, 200.0), ..RopeSettings::default() };
        Rope::new(settings, Pose::IDENTITY)
    }

    #[test]
    fn a_blade_of_any_form_and_speed_cuts_once_where_it_passes() {
        let forms = [
            Outline::Circle { radius: 3.0 },
            Outline::Rectangle { half: Vec2::new(20.0, 1.0) },
            Outline::Polygon(vec![Vec2::new(-4.0, 0.0), Vec2::new(4.0, 0.0)]),
            Outline::Polygon(vec![Vec2::new(0.0, -4.0), Vec2::new(0.0, 4.0)]),
        ];
        for form in forms {
            for way in [5.0, 33.0, 67.0, 300.0] {
                let passes = blade(form.clone(), (-0.6 * way, 75.0, 0.0), (0.4 * way, 75.0, 0.0));
                let ((link, part), end) = rope().swept(&passes, 0).expect("it is cut");
                let place = 10.0 * (link as f32 + part);
                assert!((place - 75.0).abs() < 6.0, "{form:?} {way}: {place}");
                assert_eq!(rope().swept(&passes, end), None, "once");
            }
        }
    }

    #[test]
    fn what_passes_by_cuts_nothing() {
        let ball = Outline::Circle { radius: 3.0 };
        assert_eq!(rope().swept(&blade(ball.clone(), (-50.0, 206.0, 0.0), (50.0, 206.0, 0.0)), 0), None);
        assert_eq!(rope().swept(&blade(ball.clone(), (6.0, 0.0, 0.0), (6.0, 200.0, 0.0)), 0), None);
        assert!(rope().swept(&blade(ball, (5.0, 0.0, 0.0), (5.0, 200.0, 0.0)), 0).is_some());
    }

    #[test]
    fn a_sword_that_turns_far_in_a_tick_cuts_on_its_arc_only() {
        // It turns around (-60, 100) by a right angle, and reaches 80 px.
        let sword = Outline::Polygon(vec![Vec2::ZERO, Vec2::new(80.0, 0.0)]);
        let swing = blade(sword.clone(), (-60.0, 100.0, -0.8), (-60.0, 100.0, 0.8));
        let ((link, _), end) = rope().swept(&swing, 0).expect("it is cut");
        assert!((6..14).contains(&link) && end < 17, "{link} {end}");
        assert_eq!(rope().swept(&blade(sword, (-85.0, 100.0, -0.8), (-85.0, 100.0, 0.8)), 0), None, "too short");
    }

    #[test]
    fn a_half_plane_cuts_where_it_reaches() {
        let water = Outline::HalfPlane { normal: Vec2::NEG_Y, distance: -150.0 };
        let ((link, _), end) = rope().swept(&blade(water, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0).expect("it is cut");
        assert!(link >= 14 && end == 20);
    }
}
