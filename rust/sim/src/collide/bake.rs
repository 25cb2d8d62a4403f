//! Outlines as convex pieces.
//!
//! What is stretched evenly stays a circle or a capsule. What is not becomes a polygon, since the distance from an ellipse has no closed
//! form. Its corners lie a little outside of the ellipse and the middles of its faces a little inside, so that it is as large on the average.

use super::{Convex, Outline};
use crate::bounds::Bounds;
use glam::{DVec2, Vec2};
use std::f32::consts::PI;

/// How unevenly a circle may be stretched, as a part, to stay one.
const UNEVEN: f32 = 1e-4;
/// How far the polygon for an ellipse may be off, in px.
const ERROR: f32 = 0.1;
/// The fewest corners of such a polygon.
const FEWEST: f32 = 12.0;
/// The most: in an ellipse of 1000 px it is 0.4 px off then.
const MOST: f32 = 96.0;
/// What is narrower in px is a line, what is shorter a point.
const HAIR: f32 = 1e-5;
/// The same as a part of the coordinates: twice what an `f32` tells apart.
const HAIR_PART: f32 = 2.4e-7;
/// What is farther away in px is in no world.
const FARTHEST: f32 = 1e12;

/// The pieces of an outline stretched by a matrix with the columns `x` and `y`; none if nothing is left of it.
pub fn pieces(outline: &Outline, x: Vec2, y: Vec2) -> Vec<Convex> {
    let turn = |point: Vec2| x * point.x + y * point.y;
    let piece = match outline {
        Outline::Circle { radius } => round(*radius, 0.0, x, y),
        Outline::Capsule { radius, half_line } => round(*radius, half_line.max(0.0), x, y),
        Outline::Rectangle { half } => {
            let corners = [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)];
            polygon(corners.map(|corner| turn(corner * *half)).to_vec())
        }
        Outline::Polygon(corners) => polygon(corners.iter().copied().map(turn).collect()),
        Outline::HalfPlane { normal, distance } => half_plane(*normal, *distance, x, y),
        Outline::Lines(lines) => {
            return lines.iter().filter_map(|ends| line(turn(ends[0]), turn(ends[1]), 0.0)).collect();
        }
    };
    piece.into_iter().collect()
}

/// All that is within a radius of an upright line.
fn round(radius: f32, half_line: f32, x: Vec2, y: Vec2) -> Option<Convex> {
    // What is NaN is none either.
    if !(radius >= 0.0 && half_line >= 0.0) {
        return None;
    }
    let (across, along) = (x.length(), y.length());
    let scale = 0.5 * (across + along);
    let even = (across - along).abs() <= UNEVEN * scale && x.dot(y).abs() <= UNEVEN * scale * scale;
    if !even {
        return polygon(rounded(radius, half_line, x, y));
    }
    let radius = radius * scale;
    let end = y * half_line;
    if radius <= HAIR {
        return line(-end, end, 0.0);
    }
    if !is_in_world(&[end, Vec2::splat(radius)]) {
        return None;
    }
    line(-end, end, radius).or_else(|| Some(Convex::circle(Vec2::ZERO, radius)))
}

/// Corners around a stretched capsule or circle.
fn rounded(radius: f32, half_line: f32, x: Vec2, y: Vec2) -> Vec<Vec2> {
    let squares = x.length_squared() + y.length_squared();
    let twice_area = 2.0 * x.perp_dot(y);
    // The matrix's largest singular value is the most by which it stretches anything.
    let stretch = (0.5 * (squares + (squares * squares - twice_area * twice_area).max(0.0).sqrt())).sqrt();
    // A face between two corners that are twice the angle h apart is on the average as far away as the circle, if the corners are farther
    // by h² / 3 of the radius. That is also by how much it is off at most.
    let half_count = 0.5 * (PI / (3.0 * ERROR / (radius * stretch)).sqrt()).clamp(FEWEST, MOST);
    let half_count = half_count.ceil() as usize;
    let step = PI / half_count as f32;
    let outer = radius * (1.0 + (0.5 * step).powi(2) / 3.0);
    let half = |direction: f32| {
        (0..=half_count).map(move |i| {
            // The straight sides begin on the circle itself.
            let at_side = half_line > 0.0 && (i == 0 || i == half_count);
            let radius = if at_side { radius } else { outer };
            let local = direction * (Vec2::from_angle(step * i as f32) * radius + Vec2::new(0.0, half_line));
            x * local.x + y * local.y
        })
    };
    half(1.0).chain(half(-1.0)).collect()
}

fn half_plane(normal: Vec2, distance: f32, x: Vec2, y: Vec2) -> Option<Convex> {
    let determinant = x.perp_dot(y);
    let out = Vec2::new(y.y * normal.x - x.y * normal.y, x.x * normal.y - y.x * normal.x) / determinant;
    // Very short and very long ones have no exact length.
    let out = (out / out.abs().max_element()).try_normalize()?;
    let on_line = normal * (distance / normal.length_squared());
    let offset = out.dot(x * on_line.x + y * on_line.y);
    (offset.abs() <= FARTHEST).then(|| Convex::half_plane(out, offset))
}

/// All that is within a radius of a line.
fn line(a: Vec2, b: Vec2, radius: f32) -> Option<Convex> {
    let is_line = is_in_world(&[a, b]) && a.distance(b) > hair(&[a, b]);
    is_line.then(|| Convex::polygon(vec![a, b], radius))
}

/// The convex hull of points; a line if it is flat.
fn polygon(points: Vec<Vec2>) -> Option<Convex> {
    let first = *points.first()?;
    if !is_in_world(&points) {
        return None;
    }
    let a = farthest(&points, first);
    let b = farthest(&points, a);
    let hair = hair(&points);
    let along = (b - a).try_normalize()?;
    let (least, most) = points.iter().fold((0.0f32, 0.0f32), |(least, most), point| {
        let aside = along.perp_dot(*point - a);
        (least.min(aside), most.max(aside))
    });
    if most - least <= hair {
        return line(a, b, 0.0);
    }
    Some(Convex::polygon(without_hairs(hull(points), hair), 0.0))
}

/// Below which length two points are one.
fn hair(points: &[Vec2]) -> f32 {
    let Bounds { min, max } = Bounds::of(points.iter().copied());
    HAIR.max(HAIR_PART * min.abs().max(max.abs()).max_element())
}

fn is_in_world(points: &[Vec2]) -> bool {
    // What is NaN is not.
    points.iter().all(|point| point.abs().cmple(Vec2::splat(FARTHEST)).all())
}

fn farthest(points: &[Vec2], from: Vec2) -> Vec2 {
    points.iter().copied().max_by(|a, b| a.distance(from).total_cmp(&b.distance(from))).unwrap_or(from)
}

/// The corners of the convex hull, turning to the right with y down (A. M. Andrew 1979).
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    // Products of differences of `f32`s are exact as `f64`s, or nearly so.
    let turns_right = |a: Vec2, b: Vec2, c: Vec2| {
        let [a, b, c] = [a, b, c].map(Vec2::as_dvec2);
        DVec2::perp_dot(b - a, c - b) > 0.0
    };
    let half = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut half: Vec<Vec2> = Vec::new();
        for point in points {
            while half.len() > 1 && !turns_right(half[half.len() - 2], half[half.len() - 1], point) {
                half.pop();
            }
            half.push(point);
        }
        // The last one is the first of the other half.
        half.pop();
        half
    };
    let mut corners = half(&mut points.iter().copied());
    corners.append(&mut half(&mut points.iter().rev().copied()));
    corners
}

/// Leaves out corners that are no farther than a hair from a line between their neighbours.
fn without_hairs(corners: Vec<Vec2>, hair: f32) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::with_capacity(corners.len());
    for (i, &corner) in corners.iter().enumerate() {
        let before = kept.last().or(corners.last()).copied().unwrap_or(corner);
        let after = if i + 1 < corners.len() { corners[i + 1] } else { kept.first().copied().unwrap_or(corner) };
        let side = after - before;
        let part = (side.dot(corner - before) / side.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let left = kept.len() + corners.len() - i;
        if left <= 3 || corner.distance(before + side * part) > hair {
            kept.push(corner);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: (Vec2, Vec2) = (Vec2::new(0.0, 2.0), Vec2::new(-2.0, 0.0));

    fn baked(outline: Outline, x: Vec2, y: Vec2) -> Convex {
        let pieces = pieces(&outline, x, y);
        assert_eq!(pieces.len(), 1, "{outline:?}");
        pieces.into_iter().next().expect("one piece")
    }

    /// Whether it turns to the right at each corner.
    fn is_convex(corners: &[Vec2]) -> bool {
        let count = corners.len();
        (0..count).all(|i| {
            let [a, b, c] = [0, 1, 2].map(|next| corners[(i + next) % count]);
            (b - a).perp_dot(c - b) > 0.0
        })
    }

    #[test]
    fn evenly_stretched_circles_and_capsules_stay_round() {
        let circle = baked(Outline::Circle { radius: 5.0 }, TURN.0, TURN.1);
        assert_eq!((circle.corners, circle.radius), (vec![Vec2::ZERO], 10.0));
        let capsule = Outline::Capsule { radius: 5.0, half_line: 3.0 };
        let capsule = baked(capsule, TURN.0, -TURN.1);
        assert_eq!((capsule.corners, capsule.radius), (vec![Vec2::new(-6.0, 0.0), Vec2::new(6.0, 0.0)], 10.0));
        assert!(capsule.solid);
        let short = baked(Outline::Capsule { radius: 5.0, half_line: 0.0 }, TURN.0, TURN.1);
        assert_eq!((short.corners.len(), short.radius), (1, 10.0));
    }

    #[test]
    fn unevenly_stretched_ones_become_polygons_of_the_same_size() {
        for radius in [1.0, 20.0, 300.0] {
            let ellipse = baked(Outline::Circle { radius }, Vec2::X * 2.0, Vec2::Y);
            let count = ellipse.corners.len();
            assert!((FEWEST as usize..=MOST as usize).contains(&count) && is_convex(&ellipse.corners), "{count}");
            let next = ellipse.corners.iter().cycle().skip(1);
            let area: f32 = ellipse.corners.iter().zip(next).map(|(a, b)| 0.5 * a.perp_dot(*b)).sum();
            assert!((area / (2.0 * PI * radius * radius) - 1.0).abs() < 2e-3, "{radius}: {area}");
        }
        let capsule = baked(Outline::Capsule { radius: 10.0, half_line: 30.0 }, Vec2::X * 0.5, Vec2::Y);
        assert_eq!(capsule.nearest(Vec2::new(9.0, 0.0)).distance, 4.0);
        assert!((capsule.nearest(Vec2::new(0.0, 43.0)).distance - 3.0).abs() < ERROR);
    }

    #[test]
    fn polygons_turn_to_the_right_whichever_way_they_are_given() {
        let corners = vec![Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(12.0, 6.0), Vec2::new(0.0, 8.0)];
        for mirror in [Vec2::X, Vec2::NEG_X] {
            for order in [corners.clone(), corners.iter().copied().rev().collect()] {
                let polygon = baked(Outline::Polygon(order), mirror, Vec2::Y);
                assert!(polygon.corners.len() == 4 && polygon.solid && is_convex(&polygon.corners));
            }
        }
    }

    #[test]
    fn doubled_and_straight_corners_are_left_out_and_dents_are_filled() {
        let square =
            [(0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 9.0), (0.0, 10.0), (1e-7, 5.0)];
        let polygon = baked(Outline::Polygon(square.map(Vec2::from).to_vec()), Vec2::X, Vec2::Y);
        let expected = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        assert_eq!(polygon.corners, expected.map(Vec2::from));
    }

    #[test]
    fn what_is_pressed_flat_is_a_line_and_what_is_short_is_nothing() {
        let outlines = [
            Outline::Circle { radius: 5.0 },
            Outline::Rectangle { half: Vec2::new(5.0, 3.0) },
            Outline::Capsule { radius: 5.0, half_line: 3.0 },
            Outline::Polygon(vec![Vec2::new(-5.0, 1.0), Vec2::new(5.0, 0.0), Vec2::new(0.0, 7.0)]),
        ];
        for outline in outlines {
            let flat = baked(outline.clone(), Vec2::X, Vec2::ZERO);
            assert!(flat.corners.len() == 2 && !flat.solid && flat.radius == 0.0, "{flat:?}");
            let size = flat.bounds().max - flat.bounds().min;
            assert!((size.x - 10.0).abs() < 0.2 && size.y == 0.0, "{size}");
            assert_eq!(pieces(&outline, Vec2::ZERO, Vec2::ZERO), vec![]);
        }
        assert_eq!(pieces(&Outline::Circle { radius: 0.0 }, Vec2::X, Vec2::Y), vec![]);
        let lines = Outline::Lines(vec![[Vec2::ONE; 2], [Vec2::ZERO, Vec2::X], [Vec2::NAN, Vec2::X]]);
        assert_eq!(baked(lines, Vec2::X, Vec2::Y).corners, vec![Vec2::ZERO, Vec2::X]);
    }

    #[test]
    fn thin_rectangles_are_solid() {
        for half in [1.0, 0.005] {
            let thin = baked(Outline::Rectangle { half: Vec2::new(200.0, half) }, Vec2::X, Vec2::Y);
            assert!(thin.corners.len() == 4 && thin.solid);
            assert_eq!(thin.nearest(Vec2::ZERO).distance, -half);
        }
    }

    #[test]
    fn the_normal_of_a_half_plane_stays_upright_on_its_line() {
        let outline = Outline::HalfPlane { normal: Vec2::new(0.6, -0.8), distance: 10.0 };
        let (x, y) = (Vec2::new(2.0, 1.0), Vec2::new(0.5, -1.5));
        let plane = baked(outline, x, y);
        for along in [-50.0, 0.0, 70.0] {
            let local = Vec2::new(0.6, -0.8) * 10.0 + Vec2::new(0.8, 0.6) * along;
            assert!(plane.nearest(x * local.x + y * local.y).distance.abs() < 1e-4);
        }
        assert!(plane.nearest(x * 60.0 - y * 80.0).distance > 0.0 && plane.solid);
    }
}
