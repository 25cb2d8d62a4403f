//! Where a wind blows.
//!
//! At its edge a region fades out inwards, so that a body that crosses the edge is not struck: over [`EDGE`] px, less in narrow ones. Outside
//! there is nothing.

use crate::bounds::Bounds;
use crate::collide::Outline;
use crate::frame::Pose;
use glam::Vec2;

/// Over how many px a region fades out.
const EDGE: f32 = 32.0;
/// The same at most, as a part of the way from the edge to the middle.
const EDGE_SHARE: f32 = 0.25;
/// What is narrower in px holds nothing.
const FLAT: f32 = 1e-3;

/// Where a wind blows, in global px.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Region {
    /// Everywhere.
    #[default]
    Everywhere,
    /// In a circle.
    Circle {
        /// Its middle.
        middle: Vec2,
        /// Its radius.
        radius: f32,
    },
    /// In any of these; nowhere if there are none.
    Shapes(Vec<Shape>),
}

impl Region {
    /// How much of the wind blows at a global position: 0 outside, 1 in the middle.
    pub fn share(&self, position: Vec2) -> f32 {
        match self {
            Region::Everywhere => 1.0,
            Region::Circle { middle, radius } => fade(radius - position.distance(*middle), edge(*radius)),
            Region::Shapes(shapes) => shapes.iter().map(|shape| shape.share(position)).fold(0.0, f32::max),
        }
    }

    /// Whether it may blow in a box.
    pub fn overlaps(&self, bounds: &Bounds) -> bool {
        match self {
            Region::Everywhere => true,
            Region::Circle { middle, radius } => {
                bounds.overlaps(&Bounds::around(*middle, Vec2::splat(*radius)))
                    && middle.clamp(bounds.min, bounds.max).distance_squared(*middle) <= radius * radius
            }
            Region::Shapes(shapes) => shapes.iter().any(|shape| shape.bounds.overlaps(bounds)),
        }
    }
}

/// A form where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    form: Form,
    bounds: Bounds,
    /// Over how many px it fades out.
    edge: f32,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// Global corners around which it turns to the right, with y down.
    Polygon(Vec<Vec2>),
    /// All within `radius` of a local upright line; of length 0 in a circle.
    Round {
        pose: Pose,
        radius: f32,
        half_line: f32,
    },
    HalfPlane {
        normal: Vec2,
        distance: f32,
    },
}

impl Shape {
    /// A form carried by `pose`; None if nothing is in it, as in lines.
    pub fn new(outline: &Outline, pose: Pose) -> Option<Shape> {
        let scale = pose.x.perp_dot(pose.y).abs().sqrt();
        if !pose.is_finite() || scale.is_nan() || scale < f32::MIN_POSITIVE {
            return None;
        }
        match outline {
            Outline::Circle { radius } => Shape::round(pose, *radius, 0.0),
            Outline::Capsule { radius, half_line } => Shape::round(pose, *radius, half_line.max(0.0)),
            Outline::Rectangle { half } => {
                let corners = [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)];
                Shape::polygon(corners.map(|corner| pose.origin + pose.turn(corner * *half)).to_vec())
            }
            Outline::Polygon(corners) => {
                Shape::polygon(corners.iter().map(|&corner| pose.origin + pose.turn(corner)).collect())
            }
            Outline::HalfPlane { normal, distance } => {
                let out = gradient(&pose, *normal).try_normalize()?;
                let on_line = pose.origin + pose.turn(*normal * *distance);
                let form = Form::HalfPlane { normal: out, distance: out.dot(on_line) };
                Some(Shape { form, bounds: Bounds::EVERYWHERE, edge: EDGE })
            }
            Outline::Lines(_) => None,
        }
    }

    fn round(pose: Pose, radius: f32, half_line: f32) -> Option<Shape> {
        let narrow = radius * pose.x.length().min(pose.y.length());
        // What is NaN is none either.
        if !(narrow > FLAT && half_line.is_finite() && radius.is_finite()) {
            return None;
        }
        let reach = Vec2::new(pose.x.x.hypot(pose.y.x), pose.x.y.hypot(pose.y.y)) * radius;
        let bounds = Bounds::around(pose.origin, reach + (pose.y * half_line).abs());
        Some(Shape { form: Form::Round { pose, radius, half_line }, bounds, edge: edge(narrow) })
    }

    fn polygon(mut corners: Vec<Vec2>) -> Option<Shape> {
        let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
        let first = *corners.first()?;
        let area: f32 = sides().map(|(a, b)| 0.5 * (*a - first).perp_dot(*b - first)).sum();
        let around: f32 = sides().map(|(a, b)| a.distance(*b)).sum();
        // That of a polygon around a circle; of others at most half of the true one.
        let inner_radius = 2.0 * area.abs() / around;
        if !(inner_radius > FLAT && around.is_finite()) {
            return None;
        }
        if area < 0.0 {
            corners.reverse();
        }
        let bounds = Bounds::of(corners.iter().copied());
        Some(Shape { form: Form::Polygon(corners), bounds, edge: edge(inner_radius) })
    }

    /// How much of the wind blows at a global position.
    fn share(&self, position: Vec2) -> f32 {
        fade(self.depth(position), self.edge)
    }

    /// How deep a global position is inside, in px; not positive outside.
    fn depth(&self, position: Vec2) -> f32 {
        match &self.form {
            Form::Polygon(corners) => {
                let depth = |(a, b): (&Vec2, &Vec2)| {
                    let side = *b - *a;
                    let length = side.length();
                    if length > 0.0 { side.perp_dot(position - *a) / length } else { f32::INFINITY }
                };
                corners.iter().zip(corners.iter().cycle().skip(1)).map(depth).fold(f32::INFINITY, f32::min)
            }
            Form::Round { pose, radius, half_line } => {
                let local = pose.unturn(position - pose.origin);
                let off = local - Vec2::new(0.0, local.y.clamp(-half_line, *half_line));
                let distance = off.length();
                // A local px along `off` is so many global ones; in the middle any will do.
                let steepness = if distance > 0.0 { gradient(pose, off / distance).length() } else { 0.0 };
                let steepness = if steepness > 0.0 { steepness } else { 1.0 / pose.x.length().max(pose.y.length()) };
                (radius - distance) / steepness
            }
            Form::HalfPlane { normal, distance } => distance - normal.dot(position),
        }
    }
}

/// The global gradient of what grows by 1 a local px along `local`.
fn gradient(pose: &Pose, local: Vec2) -> Vec2 {
    let determinant = pose.x.perp_dot(pose.y);
    Vec2::new(pose.y.y * local.x - pose.x.y * local.y, pose.x.x * local.y - pose.y.x * local.x) / determinant
}

/// Over how many px a region fades out that is so wide from edge to middle.
fn edge(inner_radius: f32) -> f32 {
    EDGE.min(EDGE_SHARE * inner_radius)
}

/// From 0 at the edge to 1 at the depth `edge`, smoothly.
fn fade(depth: f32, edge: f32) -> f32 {
    // What is NaN is outside.
    if depth > 0.0 {
        let part = (depth / edge).min(1.0);
        part * part * (3.0 - 2.0 * part)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outlines() -> Vec<Outline> {
        vec![
            Outline::Circle { radius: 40.0 },
            Outline::Rectangle { half: Vec2::new(50.0, 20.0) },
            Outline::Capsule { radius: 25.0, half_line: 30.0 },
            Outline::Polygon(vec![
                Vec2::new(-40.0, -10.0),
                Vec2::new(0.0, -50.0),
                Vec2::new(60.0, 0.0),
                Vec2::new(10.0, 45.0),
            ]),
            Outline::HalfPlane { normal: Vec2::new(0.6, -0.8), distance: 12.0 },
        ]
    }

    /// Whether a local point is inside, by the definition of the form.
    fn holds(outline: &Outline, p: Vec2) -> bool {
        match outline {
            Outline::Circle { radius } => p.length() < *radius,
            Outline::Rectangle { half } => p.x.abs() < half.x && p.y.abs() < half.y,
            Outline::Capsule { radius, half_line } => {
                let steps = 2000;
                (0..=steps).any(|i| {
                    let y = (i as f32 / steps as f32 * 2.0 - 1.0) * half_line;
                    p.distance(Vec2::new(0.0, y)) < *radius
                })
            }
            Outline::Polygon(corners) => {
                // Crossings of a ray.
                let mut inside = false;
                for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                    if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                        inside = !inside;
                    }
                }
                inside
            }
            Outline::HalfPlane { normal, distance } => normal.dot(p) < *distance,
            Outline::Lines(_) => false,
        }
    }

    proptest! {
        #[test]
        fn a_shape_holds_what_is_in_it_under_any_pose(
            form in 0usize..5, angle in -4.0f32..4.0, skew in -0.5f32..0.5, x in 0.3f32..3.0, y in 0.3f32..3.0, mirrored: bool,
            px in -150.0f32..150.0, py in -150.0f32..150.0,
        ) {
            let outline = &outlines()[form];
            let x = if mirrored { -x } else { x };
            let pose = Pose {
                origin: Vec2::new(300.0, -200.0), x: Vec2::from_angle(angle) * x, y: Vec2::from_angle(angle + skew).perp() * y,
            };
            let local = Vec2::new(px, py);
            // Not within a hair of the edge.
            let near = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|d| holds(outline, local + d * 0.05));
            prop_assume!(near.iter().all(|&held| held == near[0]));
            let global = pose.origin + pose.turn(local);
            let shape = Shape::new(outline, pose).expect("it holds something");
            let region = Region::Shapes(vec![shape.clone()]);
            prop_assert_eq!(region.share(global) > 0.0, holds(outline, local));
            prop_assert!((0.0..=1.0).contains(&region.share(global)));
            if holds(outline, local) {
                prop_assert!(region.overlaps(&Bounds::of([global])));
            }
        }

        #[test]
        fn nothing_jumps_at_an_edge(form in 0usize..5, angle in -4.0f32..4.0, px in -150.0f32..150.0, py in -150.0f32..150.0) {
            let pose = Pose { origin: Vec2::ZERO, x: Vec2::from_angle(angle) * 2.0, y: Vec2::from_angle(angle).perp() * -1.5 };
            let region = Region::Shapes(Shape::new(&outlines()[form], pose).into_iter().collect());
            let at = Vec2::new(px, py);
            let change = (region.share(at + Vec2::new(0.1, 0.1)) - region.share(at)).abs();
            // The narrowest edge here is 7 px.
            prop_assert!(change < 0.06, "{}", change);
        }
    }

    #[test]
    fn a_circle_blows_fully_in_its_middle_and_fades_at_its_edge() {
        let circle = Region::Circle { middle: Vec2::new(100.0, 0.0), radius: 200.0 };
        assert_eq!(circle.share(Vec2::new(100.0, 160.0)), 1.0);
        assert!((circle.share(Vec2::new(100.0, 184.0)) - 0.5).abs() < 1e-4);
        assert_eq!(circle.share(Vec2::new(100.0, 200.1)), 0.0);
        assert!(circle.overlaps(&Bounds::around(Vec2::new(300.0, 0.0), Vec2::splat(1.0))));
        assert!(!circle.overlaps(&Bounds::around(Vec2::new(290.0, 190.0), Vec2::splat(1.0))));
        let small = Region::Circle { middle: Vec2::ZERO, radius: 4.0 };
        assert_eq!(small.share(Vec2::new(2.9, 0.0)), 1.0);
    }

    #[test]
    fn flat_and_senseless_shapes_hold_nothing() {
        let flat = Pose { origin: Vec2::ZERO, x: Vec2::X, y: Vec2::X };
        for outline in outlines() {
            assert_eq!(Shape::new(&outline, flat), None);
            assert_eq!(Shape::new(&outline, Pose { x: Vec2::NAN, ..Pose::IDENTITY }), None);
        }
        let senseless = [
            Outline::Circle { radius: 0.0 },
            Outline::Circle { radius: f32::NAN },
            Outline::Rectangle { half: Vec2::new(0.0, 5.0) },
            Outline::Polygon(vec![]),
            Outline::Polygon(vec![Vec2::ZERO, Vec2::X]),
            Outline::Polygon(vec![Vec2::ONE; 5]),
            Outline::Polygon(vec![Vec2::NAN; 5]),
            Outline::Lines(vec![[Vec2::ZERO, Vec2::X]]),
        ];
        for outline in senseless {
            assert_eq!(Shape::new(&outline, Pose::IDENTITY), None, "{outline:?}");
        }
        assert_eq!(Region::Shapes(vec![]).share(Vec2::ZERO), 0.0);
        assert!(!Region::Shapes(vec![]).overlaps(&Bounds::EVERYWHERE));
    }
}
