//! Points along a loop, and in a hexagonal pattern inside it.

use super::{distance_to_segment, edges};
use crate::bounds::Bounds;
use glam::{DVec2, Vec2};

/// An edge may be this much longer than the spacing before it is divided: else one hardly longer would get halves.
pub(super) const SLACK: f64 = 1.1;

/// Inner points keep this part of the spacing from the loop: the height of an even triangle is 0.87, and beside a divided edge a point
/// nearer than half the spacing makes flat ones.
const CLEARANCE: f64 = 0.6;

/// The loop with its edges divided so that none is much longer than the spacing.
pub(super) fn divided(corners: &[Vec2], spacing: f64) -> Vec<Vec2> {
    let mut points = Vec::with_capacity(corners.len());
    for (a, b) in edges(corners) {
        let parts = parts(a, b, spacing);
        points.extend((0..parts).map(|part| a.as_dvec2().lerp(b.as_dvec2(), part as f64 / parts as f64).as_vec2()));
    }
    points
}

/// How many points [`divided`] gives.
pub(super) fn divided_count(corners: &[Vec2], spacing: f64) -> usize {
    edges(corners).fold(0, |count: usize, (a, b)| count.saturating_add(parts(a, b, spacing)))
}

fn parts(a: Vec2, b: Vec2, spacing: f64) -> usize {
    (a.as_dvec2().distance(b.as_dvec2()) / (spacing * SLACK)).ceil().max(1.0) as usize
}

/// Points of a hexagonal pattern, mirrored about the middle of the loop's box, that are inside the loop and not too near it.
pub(super) fn inner_points(corners: &[Vec2], spacing: f64) -> Vec<Vec2> {
    let Bounds { min, max } = Bounds::of(corners.iter().copied());
    let (min, max) = (min.as_dvec2(), max.as_dvec2());
    let middle = (min + max) / 2.0;
    let row_height = spacing * 0.75f64.sqrt();
    let rows = ((max.y - middle.y) / row_height) as i64;
    let clearance = CLEARANCE * spacing;
    let mut points = Vec::new();
    let mut crossings: Vec<f64> = Vec::new();
    let mut near: Vec<(DVec2, DVec2)> = Vec::new();
    for row in -rows..=rows {
        let y = middle.y + row as f64 * row_height;
        crossings.clear();
        near.clear();
        for (a, b) in edges(corners) {
            let (a, b) = (a.as_dvec2(), b.as_dvec2());
            if a.y.min(b.y) < y + clearance && a.y.max(b.y) > y - clearance {
                near.push((a, b));
            }
            if (a.y <= y) != (b.y <= y) {
                crossings.push(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
            }
        }
        crossings.sort_unstable_by(f64::total_cmp);
        let shift = if row.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
        for pair in crossings.chunks_exact(2) {
            let column = |x: f64| (x - middle.x) / spacing - shift;
            for column in column(pair[0]).ceil() as i64..=column(pair[1]).floor() as i64 {
                let point = DVec2::new(middle.x + (column as f64 + shift) * spacing, y);
                if near.iter().all(|&(a, b)| distance_to_segment(point, a, b) >= clearance) {
                    points.push(point.as_vec2());
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_divided_evenly_and_keeps_its_corners() {
        let triangle = [Vec2::ZERO, Vec2::new(30.0, 0.0), Vec2::new(0.0, 10.5)];
        let points = divided(&triangle, 10.0);
        assert_eq!(points.len(), 3 + 3 + 1);
        assert_eq!(divided_count(&triangle, 10.0), points.len());
        assert_eq!(points[..4], [Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(20.0, 0.0), Vec2::new(30.0, 0.0)]);
    }

    #[test]
    fn inner_points_fill_both_arms_of_a_u() {
        let u = [
            (0.0, 0.0),
            (30.0, 0.0),
            (30.0, 70.0),
            (60.0, 70.0),
            (60.0, 0.0),
            (90.0, 0.0),
            (90.0, 100.0),
            (0.0, 100.0),
        ];
        let points = inner_points(&u.map(|(x, y)| Vec2::new(x, y)), 8.0);
        assert!(points.iter().any(|point| point.y < 60.0 && point.x < 30.0));
        assert!(points.iter().any(|point| point.y < 60.0 && point.x > 60.0));
        assert!(points.iter().all(|point| point.y > 70.0 || !(25.2..64.8).contains(&point.x)));
        let mirrored =
            |point: &Vec2| points.iter().any(|other| (*other - Vec2::new(90.0 - point.x, point.y)).length() < 1e-3);
        assert!(points.iter().all(mirrored));
    }
}
