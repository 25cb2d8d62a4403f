//! All kinds of nodes with bodies.

use crate::rope::VerletRope2D;
use crate::soft::SoftBody2D;
use crate::world::Body;
use godot::classes::Node;
use godot::prelude::*;
use std::sync::Arc;

/// The body of a node, brought to where the node is now if it has not been simulated yet; None: it has none.
pub fn body_of(node: &Gd<Node>) -> Option<Arc<dyn Body>> {
    if let Ok(rope) = node.clone().try_cast::<VerletRope2D>() {
        let rope = rope.bind();
        rope.catch_up();
        return Some(rope.shared_body());
    }
    let soft = node.clone().try_cast::<SoftBody2D>().ok()?;
    let soft = soft.bind();
    soft.catch_up();
    Some(soft.shared_body())
}
