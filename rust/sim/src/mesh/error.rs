//! Why an outline gives no mesh, and where.

use glam::Vec2;
use std::fmt::{Display, Formatter, Result};

/// Why an outline gives no mesh. `at` is where, local px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshError {
    /// Fewer than three different points.
    TooFewPoints {
        /// The first point, or the origin if there is none.
        at: Vec2,
    },
    /// A coordinate is infinite or no number.
    NotFinite {
        /// Which point of the outline.
        index: usize,
        /// The point, with 0 for what is not finite.
        at: Vec2,
    },
    /// A point is farther than [`MOST_REACH`](super::MOST_REACH) from the origin.
    TooFar {
        /// Which point of the outline.
        index: usize,
        /// The point.
        at: Vec2,
    },
    /// All points are closer together than [`LEAST_SIZE`](super::LEAST_SIZE).
    TooSmall {
        /// The middle.
        at: Vec2,
    },
    /// All points are on a line, or nearly.
    NoArea {
        /// The middle.
        at: Vec2,
    },
    /// The outline crosses or touches itself.
    SelfCrossing {
        /// Where it does.
        at: Vec2,
    },
    /// The outline has more corners than a mesh may have points, and they cannot be left out.
    TooDetailed {
        /// The middle.
        at: Vec2,
    },
}

impl MeshError {
    /// Where the outline is at fault, local px.
    pub fn at(&self) -> Vec2 {
        match *self {
            MeshError::TooFewPoints { at }
            | MeshError::NotFinite { at, .. }
            | MeshError::TooFar { at, .. }
            | MeshError::TooSmall { at }
            | MeshError::NoArea { at }
            | MeshError::SelfCrossing { at }
            | MeshError::TooDetailed { at } => at,
        }
    }
}

impl Display for MeshError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let at = self.at();
        let (x, y) = (short(at.x), short(at.y));
        match self {
            MeshError::TooFewPoints { .. } => write!(f, "the outline has fewer than three different points"),
            MeshError::NotFinite { index, .. } => write!(f, "point {index} of the outline is not a finite number"),
            MeshError::TooFar { index, .. } => write!(f, "point {index} of the outline is too far out, at ({x}, {y})"),
            MeshError::TooSmall { .. } => write!(f, "the outline is too small to be seen, at ({x}, {y})"),
            MeshError::NoArea { .. } => write!(f, "the outline encloses no area, at ({x}, {y})"),
            MeshError::SelfCrossing { .. } => write!(f, "the outline crosses or touches itself at ({x}, {y})"),
            MeshError::TooDetailed { .. } => write!(f, "the outline has too many corners, around ({x}, {y})"),
        }
    }
}

impl std::error::Error for MeshError {}

/// A coordinate, to a hundredth.
fn short(coordinate: f32) -> f64 {
    // Adding 0 turns -0 into 0.
    (f64::from(coordinate) * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_in_words_where_it_is() {
        let error = MeshError::SelfCrossing { at: Vec2::new(12.0, 30.126) };
        assert_eq!(error.to_string(), "the outline crosses or touches itself at (12, 30.13)");
        let error = MeshError::NotFinite { index: 3, at: Vec2::ZERO };
        assert_eq!(error.to_string(), "point 3 of the outline is not a finite number");
        assert_eq!(
            MeshError::NoArea { at: Vec2::new(-0.001, 1.0) }.to_string(),
            "the outline encloses no area, at (0, 1)"
        );
    }
}
