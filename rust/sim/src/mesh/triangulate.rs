//! Constrained Delaunay triangulation of a loop and the points in it.
//!
//! The crate `spade` decides with exact predicates (J. R. Shewchuk 1997), so a loop that crosses or touches itself anywhere is always
//! noticed, in about n log n steps.

use glam::{DVec2, Vec2};
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Triangles over a loop that turns right and points inside it: indices first into the loop, then into the inner points, which must be
/// strictly inside. Where the loop crosses or touches itself, the place.
pub(super) fn triangulate(corners: &[Vec2], inside: &[Vec2]) -> Result<Vec<[u32; 3]>, Vec2> {
    let points: Vec<Vec2> = corners.iter().chain(inside).copied().collect();
    if let Some(at) = first_twice(&points) {
        return Err(at);
    }
    let vertices = points.iter().map(|point| Point2::new(number(point.x), number(point.y))).collect();
    // An error is a coordinate out of range, or a point that the triangulation dropped: neither occurs with finite, different points.
    let broken = Err(corners.first().copied().unwrap_or_default());
    let Ok(mut all) = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(vertices, Vec::new(), |_| ())
    else {
        return broken;
    };
    if all.num_vertices() != points.len() {
        return broken;
    }

    let mut is_inside = vec![false; all.num_all_faces()];
    let mut open = Vec::new();
    let mut boundary = Vec::with_capacity(corners.len());
    for from in 0..corners.len() {
        let to = (from + 1) % corners.len();
        let added = all.try_add_constraint(FixedVertexHandle::from_index(from), FixedVertexHandle::from_index(to));
        // None: another edge is in the way. Several: a point is.
        let &[edge] = &added[..] else { return Err(crossing_of(corners, from)) };
        boundary.push(edge);
    }
    for edge in boundary {
        if let Some(face) = all.directed_edge(edge).face().as_inner() {
            if !is_inside[face.index()] {
                is_inside[face.index()] = true;
                open.push(face.fix());
            }
        }
    }
    while let Some(face) = open.pop() {
        for edge in all.face(face).adjacent_edges() {
            if edge.is_constraint_edge() {
                continue;
            }
            if let Some(next) = edge.rev().face().as_inner() {
                if !is_inside[next.index()] {
                    is_inside[next.index()] = true;
                    open.push(next.fix());
                }
            }
        }
    }
    let triangles = all.inner_faces().filter(|face| is_inside[face.index()]);
    Ok(triangles.map(|face| face.vertices().map(|vertex| vertex.index() as u32)).collect())
}

/// A coordinate in double precision; the least numbers, which `spade` refuses, are 0.
fn number(coordinate: f32) -> f64 {
    if coordinate.is_normal() { f64::from(coordinate) } else { 0.0 }
}

/// A place where two points are.
fn first_twice(points: &[Vec2]) -> Option<Vec2> {
    let mut sorted: Vec<[f64; 2]> = points.iter().map(|point| [number(point.x), number(point.y)]).collect();
    sorted.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1])?;
    Some(Vec2::new(twice[0][0] as f32, twice[0][1] as f32))
}

/// Where edge `index` of a loop first meets another one.
fn crossing_of(corners: &[Vec2], index: usize) -> Vec2 {
    let count = corners.len();
    let corner = |index: usize| corners[index % count].as_dvec2();
    let (a, b) = (corner(index), corner(index + 1));
    let along = b - a;
    let mut nearest = f64::INFINITY;
    for other in 0..count {
        if other == index {
            continue;
        }
        let (c, d) = (corner(other), corner(other + 1));
        let across = along.perp_dot(d - c);
        let is_neighbour = (other + 1) % count == index || other == (index + 1) % count;
        // Two that cross.
        if !is_neighbour && across != 0.0 {
            let part = (c - a).perp_dot(d - c) / across;
            let other_part = (c - a).perp_dot(along) / across;
            if (0.0..=1.0).contains(&part) && (0.0..=1.0).contains(&other_part) {
                nearest = nearest.min(part);
            }
        }
        // A corner on the edge.
        if other != (index + 1) % count {
            let part = (c - a).dot(along) / along.length_squared();
            if along.perp_dot(c - a) == 0.0 && (0.0..=1.0).contains(&part) {
                nearest = nearest.min(part);
            }
        }
    }
    let place: DVec2 = if nearest.is_finite() { a + along * nearest } else { (a + b) / 2.0 };
    place.as_vec2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(list: &[(f32, f32)]) -> Vec<Vec2> {
        list.iter().map(|&(x, y)| Vec2::new(x, y)).collect()
    }

    #[test]
    fn triangles_cover_the_loop_and_turn_right() {
        let notched = corners(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 2.0), (0.0, 10.0)]);
        let triangles = triangulate(&notched, &[]).unwrap();
        assert_eq!(triangles.len(), 3);
        let twice = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|index| notched[index as usize]);
            (b - a).perp_dot(c - a)
        };
        assert!(triangles.iter().all(|triangle| twice(triangle) > 0.0));
        assert_eq!(triangles.iter().map(twice).sum::<f32>(), 2.0 * 60.0);
        assert_eq!(triangulate(&notched, &[Vec2::new(5.0, 1.0)]).unwrap().len(), 5);
    }

    #[test]
    fn crossings_and_touches_are_found_where_they_are() {
        let bow = corners(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&bow, &[]), Err(Vec2::splat(5.0)));
        let touching = corners(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 0.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&touching, &[]), Err(Vec2::new(5.0, 0.0)));
        let spike = corners(&[(0.0, 0.0), (20.0, 0.0), (10.0, 0.0), (10.0, 10.0)]);
        assert_eq!(triangulate(&spike, &[]), Err(Vec2::new(10.0, 0.0)));
        let pinched = corners(&[(0.0, 0.0), (5.0, 5.0), (10.0, 0.0), (10.0, 10.0), (5.0, 5.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&pinched, &[]), Err(Vec2::splat(5.0)));
    }
}
