//! Constrained Delaunay triangulation of a loop and the points in it.
//!
//! The crate `spade` decides with exact predicates, so a loop that crosses or touches itself or an inner point is always noticed.

use glam::Vec2;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Triangles over a loop that turns right and points inside it: indices first into the loop, then into the inner points. None if the loop
/// crosses or touches itself, or if a point is on it or there twice.
pub(super) fn triangulate(corners: &[Vec2], inside: &[Vec2]) -> Option<Vec<[u32; 3]>> {
    let points = || corners.iter().chain(inside);
    let vertices = points().map(|point| Point2::new(number(point.x), number(point.y))).collect();
    let mut all =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(vertices, Vec::new(), |_| ()).ok()?;
    // It keeps one of equal points.
    if all.num_vertices() != points().count() {
        return None;
    }

    let mut is_inside = vec![false; all.num_all_faces()];
    let mut open = Vec::new();
    let mut boundary = Vec::with_capacity(corners.len());
    for from in 0..corners.len() {
        let to = (from + 1) % corners.len();
        let added = all.try_add_constraint(FixedVertexHandle::from_index(from), FixedVertexHandle::from_index(to));
        // None: another edge is in the way. Several: a point is.
        let &[edge] = &added[..] else { return None };
        boundary.push(edge);
    }
    for edge in boundary {
        if let Some(face) = all.directed_edge(edge).face().as_inner()
            && !is_inside[face.index()]
        {
            is_inside[face.index()] = true;
            open.push(face.fix());
        }
    }
    while let Some(face) = open.pop() {
        for edge in all.face(face).adjacent_edges() {
            if edge.is_constraint_edge() {
                continue;
            }
            if let Some(next) = edge.rev().face().as_inner()
                && !is_inside[next.index()]
            {
                is_inside[next.index()] = true;
                open.push(next.fix());
            }
        }
    }
    let triangles = all.inner_faces().filter(|face| is_inside[face.index()]);
    Some(triangles.map(|face| face.vertices().map(|vertex| vertex.index() as u32)).collect())
}

/// A coordinate in double precision; the least numbers, which `spade` refuses, are 0.
fn number(coordinate: f32) -> f64 {
    if coordinate.is_normal() { f64::from(coordinate) } else { 0.0 }
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
        let triangles = triangulate(&notched, &[]).expect("a simple loop");
        assert_eq!(triangles.len(), 3);
        let twice = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|index| notched[index as usize]);
            (b - a).perp_dot(c - a)
        };
        assert!(triangles.iter().all(|triangle| twice(triangle) > 0.0));
        assert_eq!(triangles.iter().map(twice).sum::<f32>(), 2.0 * 60.0);
        assert_eq!(triangulate(&notched, &[Vec2::new(5.0, 1.0)]).expect("a simple loop").len(), 5);
    }

    #[test]
    fn what_crosses_has_no_triangles() {
        let bow = corners(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&bow, &[]), None);
        let touching = corners(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 0.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&touching, &[]), None);
        let square = corners(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]);
        assert_eq!(triangulate(&square, &[Vec2::new(5.0, 0.0)]), None);
        assert_eq!(triangulate(&square, &[Vec2::splat(5.0); 2]), None);
    }
}
