//! Forms as the engine has them.

use glam::Vec2;

/// A form, local to what carries it.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle around the origin.
    Circle {
        /// Its radius.
        radius: f32,
    },
    /// A rectangle around the origin.
    Rectangle {
        /// Half its width and height.
        half: Vec2,
    },
    /// An upright line around the origin, and all that is within a radius of it.
    Capsule {
        /// Its radius.
        radius: f32,
        /// Half the length of the line.
        half_line: f32,
    },
    /// A convex polygon, in either direction.
    Polygon(Vec<Vec2>),
    /// All that is below a line, as seen along its normal.
    HalfPlane {
        /// Unit vector out of it.
        normal: Vec2,
        /// How far the line is from the origin, along the normal.
        distance: f32,
    },
    /// Lines without an inside; both of their sides are met.
    Lines(Vec<[Vec2; 2]>),
}
