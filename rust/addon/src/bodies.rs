//! All kinds of nodes with bodies.

use crate::rope::VerletRope2D;
use crate::world::Body;
use godot::classes::Node;
use godot::prelude::*;
use std::sync::Arc;

/// The body of a node, brought to where the node is now if it has not been simulated yet; None: it has none.
pub fn body_of(node: &Gd<Node>) -> Option<Arc<dyn Body>> {
    let rope = node.clone().try_cast::<VerletRope2D>().ok()?;
    let rope = rope.bind();
    rope.catch_up();
    Some(rope.shared_body())
}
