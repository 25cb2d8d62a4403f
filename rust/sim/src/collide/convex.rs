//! Convex pieces with a radius, and how far points are from them.
//!
//! The distance from a convex polygon is never less than that from the line through any of its faces. So the face whose line is farthest
//! decides: either the point's projection is on it, or one of its two ends is the nearest (E. G. Gilbert, D. W. Johnson, S. S. Keerthi 1988
//! look for the same by descent; with the few faces of a shape a loop is faster).
//!
//! Distances are counted from corners, not from the origin: far from it, the difference to a near corner is exact.

use crate::bounds::Bounds;
use glam::Vec2;

/// The normal where any would do.
const UP: Vec2 = Vec2::NEG_Y;
/// A square of a length in px of which the root is exact.
const SHORT: f32 = 1e-30;

/// A convex polygon and all that is within a radius of it. A circle has one corner, a line two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convex {
    /// Corners, around which it turns to the right, with y down. None in a half plane.
    pub corners: Vec<Vec2>,
    /// Unit vector out of the face from each corner to the next. A line has two, a half plane one, a circle none.
    pub normals: Vec<Vec2>,
    /// How far each face is from the origin, along its normal.
    pub offsets: Vec<f32>,
    /// What is added all around.
    pub radius: f32,
    /// Whether it has an inside: all but lines without a radius.
    pub solid: bool,
}

/// The part of a convex piece that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The face from the corner with this index to the next.
    Face(usize),
    /// The corner with this index.
    Corner(usize),
}

/// How far a point is from a convex piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Distance from the surface (with the radius); negative inside.
    pub distance: f32,
    /// Unit vector out of the piece, along which the point leaves it on the shortest way.
    pub normal: Vec2,
    /// What is nearest.
    pub feature: Feature,
}

impl Convex {
    /// A circle around `middle`.
    pub(super) fn circle(middle: Vec2, radius: f32) -> Convex {
        Convex { corners: vec![middle], radius, solid: true, ..Convex::default() }
    }

    /// All that is within `radius` of a polygon with these corners, around which it turns to the right and of which no two neighbours
    /// coincide. Two of them make a line.
    pub(super) fn polygon(corners: Vec<Vec2>, radius: f32) -> Convex {
        let next = corners.iter().cycle().skip(1);
        let normals: Vec<Vec2> =
            corners.iter().zip(next).map(|(a, b)| -(*b - *a).perp().try_normalize().unwrap_or(-UP.perp())).collect();
        let offsets = normals.iter().zip(&corners).map(|(normal, corner)| normal.dot(*corner)).collect();
        let solid = corners.len() > 2 || radius > 0.0;
        Convex { corners, normals, offsets, radius, solid }
    }

    /// All that is behind a line at `offset` from the origin.
    pub(super) fn half_plane(normal: Vec2, offset: f32) -> Convex {
        Convex { normals: vec![normal], offsets: vec![offset], solid: true, ..Convex::default() }
    }

    /// The surface's point that is nearest to `point`. On a line itself any of its two normals is as good.
    pub fn nearest(&self, point: Vec2) -> Nearest {
        let mut nearest = self.nearest_of_polygon(point);
        nearest.distance -= self.radius;
        nearest
    }

    /// The same without the radius.
    pub(super) fn nearest_of_polygon(&self, point: Vec2) -> Nearest {
        let (face, distance) = match self.corners.len() {
            0 => {
                let normal = self.normals.first().copied().unwrap_or(UP);
                return Nearest { distance: self.face_distance(0, point), normal, feature: Feature::Face(0) };
            }
            1 => return self.nearest_of_corner(0, point, UP),
            2 => {
                let distance = self.face_distance(0, point);
                (usize::from(distance < 0.0), distance.abs())
            }
            _ => self.farthest_face(point),
        };
        if distance < 0.0 {
            return Nearest { distance, normal: self.normals[face], feature: Feature::Face(face) };
        }
        self.nearest_from_face(face, distance, point)
    }

    /// The nearest to a point outside, `distance` before the line through `face`, the farthest one or almost so.
    fn nearest_from_face(&self, mut face: usize, mut distance: f32, point: Vec2) -> Nearest {
        for _ in 0..self.corners.len() {
            let normal = self.normals[face];
            let next = self.after(face);
            let (corner, other, forward) = if normal.perp_dot(point - self.corners[face]) < 0.0 {
                (face, self.before(face), -1.0)
            } else if normal.perp_dot(point - self.corners[next]) > 0.0 {
                (next, next, 1.0)
            } else {
                return Nearest { distance, normal, feature: Feature::Face(face) };
            };
            // Of faces that are nearly in line, rounding may have made the wrong one the farthest: then the point is before its neighbour.
            let beyond = forward * self.normals[other].perp_dot(point - self.corners[corner]);
            if beyond <= 0.0 {
                return self.nearest_of_corner(corner, point, normal);
            }
            face = other;
            distance = self.face_distance(face, point);
        }
        self.nearest_of_corner(face, point, self.normals[face])
    }

    /// The face whose line is farthest outwards as seen from `point`, and how far `point` is before it.
    fn farthest_face(&self, point: Vec2) -> (usize, f32) {
        let mut farthest = (0, f32::NEG_INFINITY);
        for (face, (corner, normal)) in self.corners.iter().zip(&self.normals).enumerate() {
            let distance = normal.dot(point - *corner);
            if distance > farthest.1 {
                farthest = (face, distance);
            }
        }
        farthest
    }

    /// How far a point is before the line through a face.
    pub(super) fn face_distance(&self, face: usize, point: Vec2) -> f32 {
        match (self.corners.get(face), self.normals.get(face)) {
            (Some(corner), Some(normal)) => normal.dot(point - *corner),
            (None, Some(normal)) => normal.dot(point) - self.offsets[face],
            _ => f32::INFINITY,
        }
    }

    /// The corner at the end of a face.
    pub(super) fn after(&self, face: usize) -> usize {
        if face + 1 < self.corners.len() { face + 1 } else { 0 }
    }

    /// The face that ends where a face begins.
    fn before(&self, face: usize) -> usize {
        if face > 0 { face - 1 } else { self.corners.len() - 1 }
    }

    fn nearest_of_corner(&self, corner: usize, point: Vec2, otherwise: Vec2) -> Nearest {
        let off = point - self.corners[corner];
        let squared = off.length_squared();
        let distance = squared.sqrt();
        let normal = if squared > SHORT && squared.is_finite() { off / distance } else { otherwise };
        Nearest { distance, normal, feature: Feature::Corner(corner) }
    }

    /// The least box around it.
    pub fn bounds(&self) -> Bounds {
        if self.corners.is_empty() {
            return Bounds::EVERYWHERE;
        }
        let Bounds { min, max } = Bounds::of(self.corners.iter().copied());
        Bounds { min: min - self.radius, max: max + self.radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::{Outline, Shape};

    fn square() -> Convex {
        Convex::polygon(
            vec![Vec2::new(-5.0, -2.0), Vec2::new(5.0, -2.0), Vec2::new(5.0, 2.0), Vec2::new(-5.0, 2.0)],
            0.0,
        )
    }

    fn nearest(piece: &Convex, x: f32, y: f32) -> (f32, Vec2, Feature) {
        let nearest = piece.nearest(Vec2::new(x, y));
        (nearest.distance, nearest.normal, nearest.feature)
    }

    #[test]
    fn a_box_is_left_through_its_nearest_face() {
        assert_eq!(nearest(&square(), 6.0, 1.0), (1.0, Vec2::X, Feature::Face(1)));
        assert_eq!(nearest(&square(), 0.0, 1.5), (-0.5, Vec2::Y, Feature::Face(2)));
        assert_eq!(nearest(&square(), -8.0, -6.0), (5.0, Vec2::new(-0.6, -0.8), Feature::Corner(0)));
        assert_eq!(nearest(&square(), -8.0, 6.0), (5.0, Vec2::new(-0.6, 0.8), Feature::Corner(3)));
    }

    #[test]
    fn a_radius_is_added_all_around() {
        let round = Convex { radius: 1.0, ..square() };
        assert_eq!(nearest(&round, 6.0, 1.0).0, 0.0);
        assert_eq!(nearest(&round, -8.0, -6.0).0, 4.0);
        assert_eq!(round.bounds(), Bounds::around(Vec2::ZERO, Vec2::new(6.0, 3.0)));
    }

    #[test]
    fn a_circle_is_left_upwards_from_its_middle() {
        let circle = Convex::circle(Vec2::new(10.0, 0.0), 3.0);
        assert_eq!(nearest(&circle, 15.0, 0.0), (2.0, Vec2::X, Feature::Corner(0)));
        assert_eq!(nearest(&circle, 10.0, 0.0), (-3.0, UP, Feature::Corner(0)));
    }

    #[test]
    fn a_line_has_two_sides_and_two_ends() {
        let line = Convex::polygon(vec![Vec2::ZERO, Vec2::new(10.0, 0.0)], 0.0);
        assert!(!line.solid);
        assert_eq!(nearest(&line, 4.0, -3.0), (3.0, Vec2::NEG_Y, Feature::Face(0)));
        assert_eq!(nearest(&line, 4.0, 3.0), (3.0, Vec2::Y, Feature::Face(1)));
        assert_eq!(nearest(&line, 13.0, 0.0), (3.0, Vec2::X, Feature::Corner(1)));
        assert_eq!(nearest(&line, -3.0, 4.0), (5.0, Vec2::new(-0.6, 0.8), Feature::Corner(0)));
    }

    #[test]
    fn a_half_plane_is_everywhere() {
        let ground = Convex::half_plane(Vec2::NEG_Y, -100.0);
        assert_eq!(nearest(&ground, 1e6, 90.0), (10.0, Vec2::NEG_Y, Feature::Face(0)));
        assert_eq!(nearest(&ground, -1e6, 130.0).0, -30.0);
        assert_eq!(ground.bounds(), Bounds::EVERYWHERE);
    }

    #[test]
    fn on_a_corner_itself_the_normal_leads_out() {
        for corner in square().corners {
            let Nearest { distance, normal, .. } = square().nearest(corner);
            assert_eq!(distance, 0.0);
            assert!(square().nearest(corner + normal).distance > 0.9);
        }
    }

    #[test]
    fn the_farthest_of_faces_nearly_in_line_may_be_the_wrong_one() {
        // Its faces are 0.0001 px apart. Rounding took another than the nearest, and so a corner 0.5 px away.
        let corners =
            [(-6.771023, -22.114279), (-27.198666, -22.115791), (-44.289585, -22.113268), (-19.588928, -22.113245)];
        let outline = Outline::Polygon(corners.map(Vec2::from).to_vec());
        let sliver = Shape::new(&outline, Vec2::new(2.3747947, 4.437099), Vec2::new(0.11025561, 0.0386581));
        let nearest = sliver.expect("a polygon").pieces()[0].nearest(Vec2::new(-48.40971, -88.61269));
        assert!((nearest.distance - 0.8795).abs() < 1e-3, "{nearest:?}");
    }
}
