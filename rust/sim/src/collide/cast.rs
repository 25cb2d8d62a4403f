//! Where moving discs touch convex pieces.
//!
//! A disc touches a piece where its middle touches the piece with the disc's radius added all around. That is a polygon of offset faces with
//! rounded corners. Whoever comes from outside crosses the lines of all offset faces that he is before; where he crosses the last one, he
//! either is on its face, or beyond one of its ends: then only the circle around this end can still be in his way.

use super::{Convex, Feature};
use glam::Vec2;

/// How near a touch is beyond the end of a face, as a part of all lengths involved: several times the rounding of an `f32`, so that no point
/// slips between a face and the next.
const SLACK: f32 = 2.5e-7;

/// Where a moving disc first touches a convex piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The part of its way that it has gone, 0 to 1.
    pub part: f32,
    /// Unit vector out of the piece there.
    pub normal: Vec2,
    /// What is touched.
    pub feature: Feature,
}

impl Convex {
    /// Where a disc of `radius` that moves straight `from` to `to` first touches; None if it does not, or touches or overlaps
    /// already where it begins and moves away or along. If it moves deeper, it is hit where it begins.
    pub fn cast(&self, from: Vec2, to: Vec2, radius: f32) -> Option<Hit> {
        let motion = to - from;
        let radius = radius + self.radius;
        if !motion.is_finite() || radius.is_nan() {
            return None;
        }
        let start = self.nearest_of_polygon(from);
        if start.distance <= radius {
            let deeper = motion.dot(start.normal) < 0.0;
            return deeper.then_some(Hit { part: 0.0, normal: start.normal, feature: start.feature });
        }

        let mut last = None;
        let mut part = 0.0;
        for (face, normal) in self.normals.iter().enumerate() {
            let before = self.face_distance(face, from) - radius;
            if before <= 0.0 {
                continue;
            }
            let approach = -normal.dot(motion);
            if before > approach {
                return None;
            }
            if last.is_none() || before / approach > part {
                last = Some(face);
                part = before / approach;
            }
        }

        let Some(face) = last else {
            return match start.feature {
                Feature::Corner(corner) => self.cast_on_corner(corner, from, motion, radius),
                Feature::Face(_) => None,
            };
        };
        let hit = Hit { part, normal: self.normals[face], feature: Feature::Face(face) };
        if self.is_on_face(face, from, motion * part) {
            return Some(hit);
        }
        let nearest = self.nearest_of_polygon(from + motion * part);
        let slack = SLACK * (from.abs() + self.corners[face].abs() + motion.abs()).element_sum();
        match nearest.feature {
            // The circle around a corner may be but a point.
            Feature::Corner(corner) => self
                .cast_on_corner(corner, from, motion, radius)
                .or_else(|| (nearest.distance <= slack).then_some(Hit { feature: nearest.feature, ..hit })),
            Feature::Face(_) if nearest.distance > radius + slack => None,
            // Of faces that are nearly in line, rounding may have made the wrong one the last.
            feature if motion.dot(nearest.normal) < 0.0 => Some(Hit { part, normal: nearest.normal, feature }),
            // One so thin that rounding leads to its other side.
            Feature::Face(_) => Some(hit),
        }
    }

    /// Whether the place `way` from `from` is over a face, and not beyond its ends.
    fn is_on_face(&self, face: usize, from: Vec2, way: Vec2) -> bool {
        let Some(&corner) = self.corners.get(face) else {
            return true;
        };
        let normal = self.normals[face];
        let along = normal.perp_dot((from - corner) + way);
        along >= 0.0 && along <= normal.perp_dot(self.corners[self.after(face)] - corner)
    }

    /// Where a point that begins outside first touches the circle around a corner.
    fn cast_on_corner(&self, corner: usize, from: Vec2, motion: Vec2, radius: f32) -> Option<Hit> {
        let length = motion.length();
        let direction = motion.try_normalize()?;
        let off = from - self.corners[corner];
        let ahead = -direction.dot(off);
        let aside = direction.perp_dot(off);
        if ahead <= 0.0 || aside.abs() > radius {
            return None;
        }
        let half_chord = ((radius - aside) * (radius + aside)).sqrt();
        let way = (ahead - half_chord).max(0.0);
        if way > length {
            return None;
        }
        let normal = (direction.perp() * aside - direction * half_chord).try_normalize().unwrap_or(-direction);
        Some(Hit { part: way / length, normal, feature: Feature::Corner(corner) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Convex {
        Convex::polygon(
            vec![Vec2::new(-5.0, -2.0), Vec2::new(5.0, -2.0), Vec2::new(5.0, 2.0), Vec2::new(-5.0, 2.0)],
            0.0,
        )
    }

    fn cast(piece: &Convex, from: (f32, f32), to: (f32, f32), radius: f32) -> Option<(f32, Vec2, Feature)> {
        piece.cast(from.into(), to.into(), radius).map(|hit| (hit.part, hit.normal, hit.feature))
    }

    #[test]
    fn a_disc_touches_a_face_at_its_radius() {
        assert_eq!(cast(&square(), (-16.0, 1.0), (4.0, 1.0), 1.0), Some((0.5, Vec2::NEG_X, Feature::Face(3))));
        assert_eq!(cast(&square(), (-16.0, 1.0), (-6.5, 1.0), 1.0), None);
        assert_eq!(cast(&square(), (-16.0, 3.5), (4.0, 3.5), 1.0), None);
    }

    #[test]
    fn a_disc_touches_a_corner_later_than_the_line_of_the_face() {
        let (part, normal, feature) = cast(&square(), (-18.0, -6.0), (2.0, -6.0), 5.0).expect("a touch");
        assert_eq!(feature, Feature::Corner(0));
        assert!((part - 0.5).abs() < 1e-6 && normal.distance(Vec2::new(-0.6, -0.8)) < 1e-6);
        // Past the corner, though through where both offset faces would meet.
        assert_eq!(cast(&square(), (-10.0, -2.0), (-5.0, -7.0), 2.0), None);
    }

    #[test]
    fn a_disc_that_begins_beside_a_corner_touches_it() {
        // Behind the lines of both offset faces, but outside of the circle.
        let (part, _, feature) = cast(&square(), (-6.0, -3.0), (4.0, 7.0), 1.2).expect("a touch");
        assert_eq!(feature, Feature::Corner(0));
        assert!((part * 200f32.sqrt() - (2f32.sqrt() - 1.2)).abs() < 1e-5);
    }

    #[test]
    fn a_line_is_met_from_both_sides_and_at_its_ends() {
        let line = Convex::polygon(vec![Vec2::ZERO, Vec2::new(10.0, 0.0)], 0.0);
        assert_eq!(cast(&line, (4.0, -4.0), (4.0, 4.0), 0.0), Some((0.5, Vec2::NEG_Y, Feature::Face(0))));
        assert_eq!(cast(&line, (4.0, 4.0), (4.0, -4.0), 1.0), Some((0.375, Vec2::Y, Feature::Face(1))));
        assert_eq!(cast(&line, (20.0, 0.0), (0.0, 0.0), 1.0), Some((0.45, Vec2::X, Feature::Corner(1))));
        assert_eq!(cast(&line, (10.1, -4.0), (10.1, 4.0), 0.0), None);
    }

    #[test]
    fn a_half_plane_stops_all() {
        let ground = Convex::half_plane(Vec2::NEG_Y, -100.0);
        assert_eq!(cast(&ground, (1e5, 0.0), (1e5, 1e6), 20.0), Some((8e-5, Vec2::NEG_Y, Feature::Face(0))));
        assert_eq!(cast(&ground, (0.0, 0.0), (1e6, 0.0), 20.0), None);
    }

    #[test]
    fn in_touch_only_what_moves_deeper_is_hit() {
        let deeper = Some((0.0, Vec2::NEG_Y, Feature::Face(0)));
        assert_eq!(cast(&square(), (0.0, -2.5), (0.0, 500.0), 1.0), deeper);
        assert_eq!(cast(&square(), (0.0, -3.0), (0.0, -2.9), 1.0), deeper);
        assert_eq!(cast(&square(), (0.0, -2.5), (9.0, -2.5), 1.0), None);
        assert_eq!(cast(&square(), (0.0, -2.5), (0.0, -9.0), 1.0), None);
        assert_eq!(cast(&square(), (0.0, -2.5), (0.0, -2.5), 1.0), None);
    }
}
