//! A tree of boxes that never change.
//!
//! Halved at the middle of its longer side again and again. The nodes lie in the order in which they are visited, and each knows where to go on
//! if it is passed over, so a search needs no stack.

use crate::bounds::Bounds;
use glam::Vec2;

/// How many boxes are looked at one by one.
const LEAF: usize = 4;

/// Boxes in a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The boxes with their indices, in the order of the leaves.
    boxes: Vec<(Bounds, u32)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    /// A box around all that is in it.
    bounds: Bounds,
    /// The node after all that are in it.
    next: u32,
    /// The first of its boxes and the one after its last; empty but in leaves.
    boxes: [u32; 2],
}

impl Tree {
    /// A tree of these boxes.
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Tree {
        let boxes: Vec<_> = boxes.into_iter().zip(0..).collect();
        let mut tree = Tree { nodes: Vec::new(), boxes };
        if !tree.boxes.is_empty() {
            tree.add(0, tree.boxes.len());
        }
        tree
    }

    /// Adds a node of some of the boxes, and all that are in it.
    fn add(&mut self, from: usize, to: usize) {
        let bounds = around(&self.boxes[from..to]);
        let node = self.nodes.len();
        let is_leaf = to - from <= LEAF;
        let boxes = if is_leaf { [from as u32, to as u32] } else { [0, 0] };
        self.nodes.push(Node { bounds, next: 0, boxes });
        if !is_leaf {
            let size = bounds.max - bounds.min;
            let middle = |bounds: &Bounds| {
                let sum = bounds.min + bounds.max;
                if size.x > size.y { sum.x } else { sum.y }
            };
            let half = (to - from) / 2;
            self.boxes[from..to]
                .select_nth_unstable_by(half, |a, b| middle(&a.0).total_cmp(&middle(&b.0)).then(a.1.cmp(&b.1)));
            self.add(from, from + half);
            self.add(from + half, to);
        }
        self.nodes[node].next = self.nodes.len() as u32;
    }

    /// A box around all.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(around(&[]), |root| root.bounds)
    }

    /// Calls `visit` with the index of each box that overlaps `bounds`, always in the same order.
    pub fn visit(&self, bounds: &Bounds, mut visit: impl FnMut(usize)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(bounds) {
                at = node.next as usize;
                continue;
            }
            for (each, index) in &self.boxes[node.boxes[0] as usize..node.boxes[1] as usize] {
                if each.overlaps(bounds) {
                    visit(*index as usize);
                }
            }
            at += 1;
        }
    }
}

fn around(boxes: &[(Bounds, u32)]) -> Bounds {
    let empty = Bounds { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };
    boxes.iter().fold(empty, |all, (each, _)| all.with(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_tree_finds_nothing() {
        Tree::default().visit(&Bounds::EVERYWHERE, |_| panic!("it is empty"));
        assert_eq!(Tree::new([]), Tree::default());
    }

    #[test]
    fn equal_and_endless_boxes_are_found_once() {
        let tree = Tree::new((0..100).map(|i| if i % 9 == 0 { Bounds::EVERYWHERE } else { Bounds::of([Vec2::ONE]) }));
        let mut found = Vec::new();
        tree.visit(&Bounds::of([Vec2::ONE]), |index| found.push(index));
        found.sort_unstable();
        assert_eq!(found, (0..100).collect::<Vec<_>>());
        let mut count = 0;
        tree.visit(&Bounds::of([Vec2::ZERO]), |_| count += 1);
        assert_eq!(count, 12);
    }
}
