//! Shapes as convex pieces with a radius.

use super::Outline;
use crate::bounds::Bounds;
use glam::Vec2;

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
    /// Whether the polygon has an inside.
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
    /// The surface's point that is nearest to `point`.
    pub fn nearest(&self, _point: Vec2) -> Nearest {
        todo!()
    }

    /// Where a disc of `radius` that moves straight `from` to `to` first touches; None if it does not, or touches or overlaps
    /// already where it begins and moves away.
    pub fn cast(&self, _from: Vec2, _to: Vec2, _radius: f32) -> Option<Hit> {
        todo!()
    }

    /// The least box around it.
    pub fn bounds(&self) -> Bounds {
        todo!()
    }
}

/// The convex pieces of a form, in a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pieces: Vec<Convex>,
}

impl Shape {
    /// A form stretched by a matrix with the columns `x` and `y`; None if nothing is left of it.
    pub fn new(_outline: &Outline, _x: Vec2, _y: Vec2) -> Option<Shape> {
        todo!()
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Convex] {
        &self.pieces
    }

    /// The least box around it.
    pub fn bounds(&self) -> Bounds {
        todo!()
    }

    /// Calls `visit` with the index of each piece whose box overlaps `bounds`, in ascending order or any that is always the same.
    pub fn pieces_in(&self, _bounds: &Bounds, _visit: impl FnMut(usize)) {
        todo!()
    }
}
