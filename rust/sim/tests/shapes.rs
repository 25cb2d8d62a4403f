//! Shapes, compared with what they are by definition.
//!
//! The reference knows nothing of convex pieces: it looks for the nearest place on the outline's curves in `f64`, by samples that are refined,
//! and whether a point is inside where the outline is not stretched.

use glam::DVec2;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Convex, Material, Outline, RigidPose, Shape};

/// Random numbers, the same in each run (SplitMix64: G. L. Steele, D. Lea, C. H. Flood 2014).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * ((self.next() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// As often between 1 and 2 as between 10 and 20.
    fn size(&mut self, least: f32, most: f32) -> f32 {
        self.between(least.ln(), most.ln()).exp()
    }

    fn vector(&mut self, most: f32) -> Vec2 {
        Vec2::new(self.between(-most, most), self.between(-most, most))
    }

    fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.between(-3.2, 3.2))
    }

    fn pick(&mut self, points: &[DVec2]) -> DVec2 {
        points[self.below(points.len())]
    }
}

/// What an outline is by definition.
struct Reference {
    outline: Outline,
    x: DVec2,
    y: DVec2,
    curves: Vec<Curve>,
}

enum Curve {
    Segment(DVec2, DVec2),
    /// A line without ends.
    Line(DVec2, DVec2),
    /// Places of a stretched circle at some angles, and what they are sampled from.
    Arc {
        middle: DVec2,
        radius: f64,
        from: f64,
        to: f64,
    },
}

const SAMPLES: usize = 128;

impl Reference {
    fn new(outline: &Outline, x: Vec2, y: Vec2) -> Reference {
        let (x, y) = (x.as_dvec2(), y.as_dvec2());
        let turn = |local: DVec2| x * local.x + y * local.y;
        let ring = |corners: &[DVec2]| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(a, b)| Curve::Segment(turn(*a), turn(*b))).collect::<Vec<_>>()
        };
        let curves = match outline {
            Outline::Circle { radius } => {
                vec![Curve::Arc { middle: DVec2::ZERO, radius: f64::from(*radius), from: 0.0, to: TAU }]
            }
            Outline::Rectangle { half } => {
                let half = half.as_dvec2();
                ring(&[-half, DVec2::new(half.x, -half.y), half, DVec2::new(-half.x, half.y)])
            }
            Outline::Capsule { radius, half_line } => {
                let (radius, end) = (f64::from(*radius), DVec2::new(0.0, f64::from(*half_line)));
                let side = DVec2::new(radius, 0.0);
                vec![
                    Curve::Segment(turn(side - end), turn(side + end)),
                    Curve::Segment(turn(-side - end), turn(-side + end)),
                    Curve::Arc { middle: end, radius, from: 0.0, to: PI },
                    Curve::Arc { middle: -end, radius, from: -PI, to: 0.0 },
                ]
            }
            Outline::Polygon(corners) => ring(&corners.iter().map(|corner| corner.as_dvec2()).collect::<Vec<_>>()),
            Outline::HalfPlane { normal, distance } => {
                let normal = normal.as_dvec2();
                vec![Curve::Line(turn(normal * f64::from(*distance)), turn(normal.perp()))]
            }
            Outline::Lines(lines) => {
                lines.iter().map(|[a, b]| Curve::Segment(turn(a.as_dvec2()), turn(b.as_dvec2()))).collect()
            }
        };
        Reference { outline: outline.clone(), x, y, curves }
    }

    fn turn(&self, local: DVec2) -> DVec2 {
        self.x * local.x + self.y * local.y
    }

    fn unturn(&self, point: DVec2) -> DVec2 {
        DVec2::new(point.perp_dot(self.y), self.x.perp_dot(point)) / self.x.perp_dot(self.y)
    }

    fn place(&self, middle: DVec2, radius: f64, angle: f64) -> DVec2 {
        self.turn(middle + DVec2::from_angle(angle) * radius)
    }

    /// How far a point is from the outline, negative inside.
    fn signed(&self, point: DVec2) -> f64 {
        let distance = self.curves.iter().map(|curve| self.distance(curve, point)).fold(f64::INFINITY, f64::min);
        if self.holds(self.unturn(point)) { -distance } else { distance }
    }

    fn distance(&self, curve: &Curve, point: DVec2) -> f64 {
        match *curve {
            Curve::Segment(a, b) => {
                let part = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                if part.is_nan() { point.distance(a) } else { point.distance(a + (b - a) * part) }
            }
            Curve::Line(a, along) => along.normalize().perp_dot(point - a).abs(),
            Curve::Arc { middle, radius, from, to } => {
                let at = |part: f64| self.place(middle, radius, from + (to - from) * part).distance(point);
                let step = 1.0 / SAMPLES as f64;
                let samples: Vec<f64> = (0..=SAMPLES).map(|i| at(i as f64 * step)).collect();
                let mut least = f64::INFINITY;
                for (i, &sample) in samples.iter().enumerate() {
                    let before = samples[i.saturating_sub(1)];
                    let after = samples[(i + 1).min(SAMPLES)];
                    if sample <= before && sample <= after {
                        // Thirds: the distance has one minimum between the neighbours.
                        let (mut low, mut high) = ((i as f64 - 1.0) * step, (i as f64 + 1.0) * step);
                        (low, high) = (low.max(0.0), high.min(1.0));
                        for _ in 0..50 {
                            let third = (high - low) / 3.0;
                            if at(low + third) < at(high - third) { high -= third } else { low += third }
                        }
                        least = least.min(at(0.5 * (low + high)));
                    }
                }
                least
            }
        }
    }

    /// Whether a point is inside where the outline is not stretched.
    fn holds(&self, p: DVec2) -> bool {
        match &self.outline {
            Outline::Circle { radius } => p.length() < f64::from(*radius),
            Outline::Rectangle { half } => p.x.abs() < f64::from(half.x) && p.y.abs() < f64::from(half.y),
            Outline::Capsule { radius, half_line } => {
                let beyond = (p.y.abs() - f64::from(*half_line)).max(0.0);
                p.x.hypot(beyond) < f64::from(*radius)
            }
            Outline::Polygon(corners) => {
                let mut inside = false;
                for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                    let (a, b) = (a.as_dvec2(), b.as_dvec2());
                    if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                        inside = !inside;
                    }
                }
                inside
            }
            Outline::HalfPlane { normal, distance } => normal.as_dvec2().dot(p) < f64::from(*distance),
            Outline::Lines(_) => false,
        }
    }

    /// Points on the outline, among them all corners.
    fn points(&self) -> Vec<DVec2> {
        let mut points = Vec::new();
        for curve in &self.curves {
            match *curve {
                Curve::Segment(a, b) => points.extend([a, a.lerp(b, 0.3), b]),
                Curve::Line(a, along) => points.extend([a, a + along * 100.0, a - along * 700.0]),
                Curve::Arc { middle, radius, from, to } => {
                    points.extend((0..7).map(|i| self.place(middle, radius, from + (to - from) * f64::from(i) / 7.0)));
                }
            }
        }
        points
    }

    /// Where a disc first touches that begins outside, by steps that are not longer than it is far, or half of `accuracy`.
    fn march(&self, from: DVec2, to: DVec2, radius: f64, accuracy: f64) -> Option<f64> {
        let length = from.distance(to);
        let mut way = 0.0;
        loop {
            let before = self.signed(from.lerp(to, way / length)) - radius;
            if before < 1e-9 {
                return Some(way / length);
            }
            if way >= length {
                return None;
            }
            way = (way + before.max(0.5 * accuracy)).min(length);
        }
    }
}

/// A convex polygon: points on an ellipse far or near, in either direction.
fn convex_corners(dice: &mut Dice) -> Vec<Vec2> {
    let count = 3 + dice.below(8);
    let middle = if dice.once_in(4) { dice.vector(20_000.0) } else { dice.vector(50.0) };
    let thin = if dice.once_in(4) { 0.001 } else { 1.0 };
    let (width, height) = (dice.size(1.0, 300.0), thin * dice.size(1.0, 300.0));
    let start = dice.between(0.0, 6.0);
    let parts: Vec<f32> = (0..count).map(|_| dice.between(0.2, 1.0)).collect();
    let sum: f32 = parts.iter().sum();
    let mut angle = start;
    let mut corners: Vec<Vec2> = parts
        .iter()
        .map(|part| {
            angle += std::f32::consts::TAU * part / sum;
            middle + Vec2::from_angle(angle) * Vec2::new(width, height)
        })
        .collect();
    if dice.once_in(2) {
        corners.reverse();
    }
    corners
}

fn outline(dice: &mut Dice, kind: usize) -> Outline {
    match kind {
        0 => Outline::Circle { radius: dice.size(0.5, 500.0) },
        1 => Outline::Rectangle { half: Vec2::new(dice.size(0.005, 500.0), dice.size(0.005, 500.0)) },
        2 => Outline::Capsule { radius: dice.size(0.5, 100.0), half_line: dice.size(0.01, 300.0) },
        3 => Outline::Polygon(convex_corners(dice)),
        4 => Outline::HalfPlane { normal: dice.direction(), distance: dice.between(-500.0, 500.0) },
        _ => {
            let start = dice.vector(100.0);
            let count = 1 + dice.below(4);
            Outline::Lines((0..count).map(|_| [start + dice.vector(100.0), start + dice.vector(100.0)]).collect())
        }
    }
}

const KINDS: usize = 6;

/// Columns of a matrix that turns, mirrors, and stretches, half of the time evenly.
fn columns(dice: &mut Dice) -> (Vec2, Vec2) {
    let angle = dice.between(-3.2, 3.2);
    let mirror = if dice.once_in(2) { -1.0 } else { 1.0 };
    let across = dice.size(0.1, 10.0);
    let (along, skew) = if dice.once_in(2) { (across, 0.0) } else { (dice.size(0.1, 10.0), dice.between(-1.0, 1.0)) };
    (Vec2::from_angle(angle) * across, Vec2::from_angle(angle + skew).perp() * along * mirror)
}

/// How far a shape may be off: the rounding of `f32`s, and the polygon that stands for a circle stretched unevenly.
fn tolerance(reference: &Reference, at: DVec2) -> f64 {
    let (width, stretch) = match &reference.outline {
        Outline::Circle { radius } | Outline::Capsule { radius, .. } => (f64::from(*radius), stretch(reference)),
        _ => (0.0, (1.0, 1.0)),
    };
    let is_even = stretch.1 / stretch.0 < 1.0 + 1e-4;
    let polygon = if width > 0.0 && !is_even { (width * stretch.1 * 3.75e-4).max(0.105) } else { 0.0 };
    let farthest = reference.points().iter().map(|point| point.length()).fold(at.length(), f64::max);
    polygon + 1e-6 * farthest + 1e-4 * width * stretch.1 * f64::from(u8::from(is_even)) + 2e-5
}

/// The least and the most by which a matrix stretches.
fn stretch(reference: &Reference) -> (f64, f64) {
    let lengths = (0..720).map(|i| reference.turn(DVec2::from_angle(f64::from(i) / 720.0 * PI)).length());
    lengths.fold((f64::INFINITY, 0.0), |(least, most), length| (length.min(least), length.max(most)))
}

fn nearest(shape: &Shape, point: Vec2) -> (f32, Vec2) {
    let each =
        shape.pieces().iter().map(|piece| piece.nearest(point)).map(|nearest| (nearest.distance, nearest.normal));
    each.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a shape has pieces")
}

/// A point near the outline or some of its size away.
fn point_near(dice: &mut Dice, reference: &Reference) -> Vec2 {
    let points = reference.points();
    let on = dice.pick(&points).as_vec2();
    match dice.below(4) {
        0 => on,
        1 => on + dice.vector(1.0),
        2 => on + dice.vector(30.0),
        _ => on.lerp(dice.pick(&points).as_vec2(), dice.between(-1.0, 2.0)) + dice.vector(0.1),
    }
}

#[test]
fn distances_are_those_of_the_definition() {
    let mut dice = Dice(1);
    for case in 0..25_000 {
        let form = outline(&mut dice, case % KINDS);
        let (x, y) = columns(&mut dice);
        let shape = Shape::new(&form, x, y).expect("something is left of it");
        let reference = Reference::new(&form, x, y);
        for _ in 0..4 {
            let point = point_near(&mut dice, &reference);
            let (distance, normal) = nearest(&shape, point);
            let expected = reference.signed(point.as_dvec2());
            let tolerance = tolerance(&reference, point.as_dvec2());
            assert!(
                (f64::from(distance) - expected).abs() <= tolerance,
                "{case}: {distance} instead of {expected} at {point}, {form:?} {x} {y}"
            );
            assert!((normal.length() - 1.0).abs() < 1e-5, "{case}: {normal}");
            let on = point.as_dvec2() - normal.as_dvec2() * f64::from(distance);
            let off = reference.signed(on).abs();
            assert!(off <= 2.0 * tolerance, "{case}: {normal} at {point} leads {off} off, {form:?} {x} {y}");
        }
    }
}

#[test]
fn casts_touch_where_marching_does() {
    let mut dice = Dice(2);
    let mut hits = 0;
    for case in 0..20_000 {
        let form = outline(&mut dice, case % KINDS);
        let (x, y) = columns(&mut dice);
        let shape = Shape::new(&form, x, y).expect("something is left of it");
        let reference = Reference::new(&form, x, y);
        let points = reference.points();
        let middle = dice.pick(&points).as_vec2();
        let radius = if dice.once_in(3) { 0.0 } else { dice.size(0.1, 30.0) };
        let from = middle + dice.vector(100.0);
        let to = if dice.once_in(2) { middle.lerp(from, dice.between(-1.0, 0.5)) } else { middle + dice.vector(100.0) };
        let (start, end) = (from.as_dvec2(), to.as_dvec2());
        let tolerance = tolerance(&reference, start).max(tolerance(&reference, end));
        let wide = f64::from(radius);
        if reference.signed(start) < wide + 2.0 * tolerance {
            continue;
        }
        let hit = shape.pieces().iter().filter_map(|piece| piece.cast(from, to, radius));
        let hit = hit.min_by(|a, b| a.part.total_cmp(&b.part));
        // A wider disc touches not later, a narrower one not earlier.
        let earliest = reference.march(start, end, wide + tolerance, tolerance);
        let latest = reference.march(start, end, wide - tolerance, tolerance);
        let about = format!("{case}: {hit:?} {from} {to} {radius} {form:?} {x} {y}");
        let Some(hit) = hit else {
            assert_eq!(latest, None, "{about}");
            continue;
        };
        hits += 1;
        let part = f64::from(hit.part);
        let step = 1e-4 + 0.5 * tolerance / start.distance(end);
        assert!(earliest.is_some_and(|earliest| earliest <= part + step), "{earliest:?}, {about}");
        assert!(latest.is_none_or(|latest| latest >= part - step), "{latest:?}, {about}");
        // Along its normal, what is touched is as far as the radius.
        let touched = start.lerp(end, part) - hit.normal.as_dvec2() * wide;
        let slack = 2.0 * tolerance + 1e-5 * start.distance(end);
        assert!(reference.signed(touched).abs() <= slack, "{about}");
        assert!(hit.normal.dot(to - from) <= 1e-3 * from.distance(to), "{about}");
    }
    assert!(hits > 5000, "{hits}");
}

/// The middle of some of a polygon's or a line's corners, each with another weight.
fn point_inside(dice: &mut Dice, piece: &Convex) -> Vec2 {
    let (sum, weights) = piece.corners.iter().fold((Vec2::ZERO, 0.0), |(sum, weights), corner| {
        let weight = dice.between(0.01, 1.0);
        (sum + *corner * weight, weights + weight)
    });
    sum / weights
}

#[test]
fn no_point_slips_through_however_thin_or_fast() {
    let mut dice = Dice(3);
    for case in 0..30_000 {
        let form = outline(&mut dice, [1, 3, 5][case % 3]);
        let (x, y) = columns(&mut dice);
        let shape = Shape::new(&form, x, y).expect("something is left of it");
        for piece in shape.pieces() {
            let through = point_inside(&mut dice, piece);
            let from = through + dice.direction() * dice.size(1.0, 3000.0);
            let motion = 2.0 * (through - from);
            // Along a line there is nothing to be hit, and in far ones no `f32` may be inside.
            let is_along = piece.corners.len() == 2 && piece.normals[0].dot(motion).abs() < 1e-2 * motion.length();
            if piece.nearest(from).distance <= 0.0 || is_along || through.length() > 2000.0 {
                continue;
            }
            let hit = piece.cast(from, from + motion, 0.0);
            assert!(hit.is_some_and(|hit| hit.part < 0.51), "{case}: {hit:?} {from} {through} {piece:?}");
            // Nor does a disc, and it comes earlier.
            let radius = dice.size(0.01, 10.0);
            let wide = piece.cast(from, from + motion, radius);
            let part = wide.map(|hit| hit.part);
            assert!(part <= hit.map(|hit| hit.part + 1e-5) && wide.is_some(), "{case}: {wide:?} {hit:?} {radius}");
        }
    }
}

#[test]
fn a_chain_of_lines_has_no_gaps_at_its_joints() {
    let mut dice = Dice(4);
    for _ in 0..2000 {
        let points: Vec<Vec2> = (0..40).map(|i| Vec2::new(20.0 * i as f32 - 400.0, dice.between(0.0, 15.0))).collect();
        let form = Outline::Lines(points.windows(2).map(|ends| [ends[0], ends[1]]).collect());
        let shape = Shape::new(&form, Vec2::X, Vec2::Y).expect("lines");
        let joint = points[1 + dice.below(38)];
        let from = joint + Vec2::new(dice.between(-30.0, 30.0), -100.0);
        let to = joint + (joint - from);
        let hit = shape.pieces().iter().filter_map(|piece| piece.cast(from, to, 0.0)).map(|hit| hit.part);
        assert!((hit.fold(1.0, f32::min) - 0.5).abs() < 1e-2);
    }
}

#[test]
fn what_begins_in_touch_is_hit_only_if_it_moves_deeper() {
    let mut dice = Dice(5);
    for case in 0..30_000 {
        let form = outline(&mut dice, case % KINDS);
        let (x, y) = columns(&mut dice);
        let shape = Shape::new(&form, x, y).expect("something is left of it");
        let reference = Reference::new(&form, x, y);
        let from = point_near(&mut dice, &reference);
        let radius = dice.size(0.1, 50.0);
        let motion = dice.direction() * dice.size(0.01, 3000.0);
        for piece in shape.pieces() {
            let nearest = piece.nearest(from);
            // Within rounding of touching both is right.
            if nearest.distance > radius - 1e-3 * (1.0 + from.length()) {
                continue;
            }
            let hit = piece.cast(from, from + motion, radius);
            let deeper = nearest.normal.dot((from + motion) - from) < 0.0;
            assert_eq!(hit.map(|hit| (hit.part, hit.normal)), deeper.then_some((0.0, nearest.normal)), "{case}");
        }
    }
}

#[test]
fn pieces_in_a_box_are_those_whose_boxes_overlap_it() {
    let mut dice = Dice(6);
    for count in [1, 2, 5, 100, 10_000] {
        let lines = (0..count).map(|_| {
            let start = dice.vector(3000.0);
            [start, start + dice.vector(20.0)]
        });
        let shape = Shape::new(&Outline::Lines(lines.collect()), Vec2::X, Vec2::Y).expect("lines");
        assert_eq!(shape.pieces().len(), count);
        for _ in 0..300 {
            let half = dice.size(1.0, 3000.0);
            let area = Bounds::around(dice.vector(3000.0), Vec2::new(half, 0.5 * half));
            let mut found = Vec::new();
            shape.pieces_in(&area, |piece| found.push(piece));
            found.sort_unstable();
            let overlap = |piece: &usize| shape.pieces()[*piece].bounds().overlaps(&area);
            assert_eq!(found, (0..count).filter(overlap).collect::<Vec<_>>());
        }
    }
}

fn collider(dice: &mut Dice, index: usize) -> Collider {
    let form = if dice.once_in(50) { outline(dice, 4) } else { outline(dice, [0, 1, 2, 3, 5][index % 5]) };
    let (x, y) = columns(dice);
    let from = RigidPose { origin: dice.vector(3000.0), angle: dice.between(-3.0, 3.0) };
    let to = match dice.below(3) {
        0 => from,
        1 => RigidPose { origin: from.origin + dice.vector(50.0), angle: from.angle },
        _ => RigidPose { origin: from.origin + dice.vector(50.0), angle: from.angle + dice.between(-3.1, 3.1) },
    };
    Collider {
        key: ColliderKey { body: index as u64, ..ColliderKey::default() },
        shape: Arc::new(Shape::new(&form, x, y).expect("something is left of it")),
        from,
        to,
        layers: 1 << dice.below(4),
        material: Material::default(),
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }
}

#[test]
fn a_colliders_box_is_around_all_its_way() {
    let mut dice = Dice(7);
    for case in 0..3000 {
        let collider = collider(&mut dice, case);
        let bounds = collider.bounds();
        for i in 0..=20 {
            let part = i as f32 / 20.0;
            let origin = collider.from.origin.lerp(collider.to.origin, part);
            let turn = Vec2::from_angle(collider.from.angle + (collider.to.angle - collider.from.angle) * part);
            for piece in collider.shape.pieces() {
                for corner in &piece.corners {
                    let at = origin + turn.rotate(*corner);
                    let slack = 1e-6 * (at.length() + corner.length()) + 1e-4;
                    let around = Bounds::around(at, Vec2::splat(piece.radius - slack));
                    assert_eq!(bounds.with(&around), bounds, "{case}: {at} at {part}");
                }
            }
        }
    }
}

#[test]
fn colliders_near_are_those_whose_boxes_overlap() {
    let mut dice = Dice(8);
    let mut colliders = Colliders::default();
    let mut found = vec![7];
    for count in [0, 5, 16, 17, 60, 3, 500, 2000, 100] {
        let all: Vec<Collider> = (0..count).map(|i| collider(&mut dice, i)).collect();
        colliders.set(all.clone());
        let boxes: Vec<Bounds> = all.iter().map(Collider::bounds).collect();
        for _ in 0..300 {
            let area = if dice.once_in(20) {
                Bounds::EVERYWHERE
            } else {
                Bounds::around(dice.vector(3500.0), Vec2::new(dice.size(1.0, 3000.0), dice.size(1.0, 3000.0)))
            };
            let mask = dice.below(16) as u32;
            colliders.near(&area, mask, &mut found);
            let expected =
                (0..count as u32).filter(|&i| all[i as usize].layers & mask != 0 && boxes[i as usize].overlaps(&area));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }
}

#[test]
fn nothing_senseless_breaks_anything() {
    let mut dice = Dice(9);
    let odd =
        [0.0, -0.0, 1.0, -1.0, 1e-30, 1e-6, 1e6, -1e15, 1e38, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.0, -0.5];
    for _ in 0..50_000 {
        let mut number = || if dice.once_in(3) { odd[dice.below(odd.len())] } else { dice.between(-10.0, 10.0) };
        let mut vector = || Vec2::new(number(), number());
        let (x, y, from, to, a, b) = (vector(), vector(), vector(), vector(), vector(), vector());
        let forms = [
            Outline::Circle { radius: a.x },
            Outline::Rectangle { half: a },
            Outline::Capsule { radius: a.x, half_line: a.y },
            Outline::Polygon(vec![a, b, vector(), vector(), vector()]),
            Outline::HalfPlane { normal: a, distance: b.x },
            Outline::Lines(vec![[a, b], [vector(), vector()]]),
        ];
        for form in forms {
            let Some(shape) = Shape::new(&form, x, y) else { continue };
            for piece in shape.pieces() {
                assert!(piece.corners.iter().chain(&piece.normals).all(|vector| vector.is_finite()), "{piece:?}");
                assert!(piece.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5), "{piece:?}");
                let normal = piece.nearest(from).normal;
                assert!((normal.length() - 1.0).abs() < 1e-5, "{normal} {from} {piece:?}");
                if let Some(hit) = piece.cast(from, to, a.y.abs()) {
                    assert!((0.0..=1.0).contains(&hit.part) && (hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
                }
            }
        }
    }
}
