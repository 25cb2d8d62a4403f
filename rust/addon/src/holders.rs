//! Nodes that hold points of a body: how a method is told of one.

use crate::complain::Callee;
use godot::classes::Node2D;
use godot::prelude::*;

/// The node at `path` from `node`, and where it is, or an error; `Ok(None)` where the path is empty.
#[allow(clippy::result_unit_err)]
pub fn find(callee: &Callee, node: &Gd<Node2D>, path: &GString) -> Result<Option<(Gd<Node2D>, Transform2D)>, ()> {
    if path.is_empty() {
        return Ok(None);
    }
    if !node.is_inside_tree() {
        callee.complain(format_args!("attachment_path \"{path}\" leads nowhere while this node is not in the tree"));
        return Err(());
    }
    let found = node.get_node_or_null(&NodePath::from(path)).and_then(|node| node.try_cast::<Node2D>().ok());
    let Some(holder) = found.filter(|node| node.is_inside_tree()) else {
        callee.complain(format_args!("attachment_path \"{path}\" leads to no Node2D in the tree"));
        return Err(());
    };
    let transform = holder.get_global_transform();
    if !transform.is_finite() {
        callee.complain(format_args!("the node at attachment_path is at {transform}, which is not finite"));
        return Err(());
    }
    Ok(Some((holder, transform)))
}
