//! Where moving discs touch convex pieces.
//!
//! A disc touches a piece where its middle touches the piece with the disc's radius added all around. That is a polygon of offset faces with
//! rounded corners. Whoever comes from outside crosses the lines of all offset faces that he is before; where he crosses the last one, he
//! either is on its face, or beyond one of its ends: then only the circle around this end can still be in his way.

use super::{Convex, Feature};
use glam::Vec2;

/// How near a touch is beyond the end of a face, as a part of all lengths involved: several times the rounding of an `f32`, so that no point
/// slips between a face and the next.
const SLACK: f32 = 1e-6;

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
