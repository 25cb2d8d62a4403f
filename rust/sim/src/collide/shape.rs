//! Shapes as convex pieces with a radius.

use super::bake::pieces;
use super::tree::Tree;
use super::{Convex, Outline};
use crate::bounds::Bounds;
use crate::hash::StateHash;
use glam::Vec2;

/// The convex pieces of a form, in a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pieces: Vec<Convex>,
    tree: Tree,
    reach: f32,
    hash: u64,
}

impl Shape {
    /// A form stretched by a matrix with the columns `x` and `y`; None if nothing is left of it. A polygon that is not convex is filled up to
    /// its hull; what is pressed flat becomes a line.
    pub fn new(outline: &Outline, x: Vec2, y: Vec2) -> Option<Shape> {
        let pieces = pieces(outline, x, y);
        if pieces.is_empty() {
            return None;
        }
        let tree = Tree::new(pieces.iter().map(Convex::bounds));
        let is_endless = pieces.iter().any(|piece| piece.corners.is_empty());
        let farthest = if is_endless { f32::INFINITY } else { 0.0 };
        let reach =
            pieces.iter().flat_map(|piece| &piece.corners).map(|corner| corner.length()).fold(farthest, f32::max);
        let hash = hash(&pieces);
        Some(Shape { pieces, tree, reach, hash })
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Convex] {
        &self.pieces
    }

    /// The least box around it.
    pub fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// Calls `visit` with the index of each piece whose box overlaps `bounds`, in an order that is always the same.
    pub fn pieces_in(&self, bounds: &Bounds, visit: impl FnMut(usize)) {
        self.tree.visit(bounds, visit);
    }

    /// How far its farthest corner is from the origin, infinite in a half plane. The radius around the corners is not in it.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// A hash of its form: that of an equal shape is equal.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

fn hash(pieces: &[Convex]) -> u64 {
    let mut hash = StateHash::default();
    for piece in pieces {
        hash.add(piece.corners.len() as u64);
        for vector in piece.corners.iter().chain(&piece.normals) {
            hash.add_f32(vector.x);
            hash.add_f32(vector.y);
        }
        hash.add_slice(&piece.offsets);
        hash.add_f32(piece.radius);
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_forms_have_equal_hashes_and_others_do_not() {
        let rectangle = |width| Shape::new(&Outline::Rectangle { half: Vec2::new(width, 2.0) }, Vec2::X, Vec2::Y);
        let [a, b, c] = [5.0, 5.0, 5.000_001].map(|width| rectangle(width).expect("a rectangle"));
        assert!(a == b && a.hash() == b.hash());
        assert!(a != c && a.hash() != c.hash());
    }

    #[test]
    fn the_reach_is_that_of_the_farthest_corner() {
        let form = Outline::Rectangle { half: Vec2::new(3.0, 4.0) };
        let shape = Shape::new(&form, Vec2::X, Vec2::Y).expect("a rectangle");
        assert_eq!((shape.reach(), shape.bounds()), (5.0, Bounds::around(Vec2::ZERO, Vec2::new(3.0, 4.0))));
        let circle = Shape::new(&Outline::Circle { radius: 3.0 }, Vec2::X, Vec2::Y).expect("a circle");
        assert_eq!((circle.reach(), circle.bounds()), (0.0, Bounds::around(Vec2::ZERO, Vec2::splat(3.0))));
    }
}
