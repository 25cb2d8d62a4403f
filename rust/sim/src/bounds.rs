//! Boxes along the axes, to tell early what cannot touch.

use glam::Vec2;

/// A box along the axes. [`Bounds::EVERYWHERE`] holds all points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner with the least coordinates.
    pub min: Vec2,
    /// The corner with the greatest coordinates.
    pub max: Vec2,
}

impl Bounds {
    /// The whole plane.
    pub const EVERYWHERE: Bounds = Bounds { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };

    /// The box of a middle and half its size.
    pub fn around(middle: Vec2, half: Vec2) -> Bounds {
        Bounds { min: middle - half, max: middle + half }
    }

    /// The least box that holds all `points`; one that overlaps nothing if there are none.
    pub fn of(points: impl IntoIterator<Item = Vec2>) -> Bounds {
        let empty = Bounds { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };
        points.into_iter().fold(empty, |all, point| Bounds { min: all.min.min(point), max: all.max.max(point) })
    }

    /// The least box around both.
    pub fn with(&self, other: &Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box that is larger by so much on each side.
    pub fn grown(&self, more: f32) -> Bounds {
        Bounds { min: self.min - more, max: self.max + more }
    }

    /// Whether a point is in it.
    pub fn contains(&self, point: Vec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether both have a point in common.
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_overlap_where_they_have_a_point_in_common() {
        let one = Bounds::of([Vec2::ZERO, Vec2::new(2.0, 3.0), Vec2::ONE]);
        assert_eq!(one, Bounds::around(Vec2::new(1.0, 1.5), Vec2::new(1.0, 1.5)));
        assert!(one.overlaps(&Bounds::around(Vec2::new(3.0, 0.0), Vec2::ONE)));
        assert!(!one.overlaps(&Bounds::around(Vec2::new(3.5, 0.0), Vec2::ONE)));
        assert!(one.overlaps(&Bounds::EVERYWHERE));
        assert!(!Bounds::of([]).overlaps(&one));
    }
}
