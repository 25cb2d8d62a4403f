//! Saving the state of a rope and going on from one.

use super::VerletRope2D;
use super::body::{instance, key};
use super::kinds::AttachMode;
use super::ties::Tie;
use crate::convert::{pose, vector2};
use crate::world::{Holder, Shown, lock};
use godot::classes::RigidBody2D;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{End, Rope};

impl VerletRope2D {
    pub(super) fn save_state(&self) -> PackedByteArray {
        // The paths first: nothing is locked when the engine is asked.
        let nodes: Vec<InstanceId> = lock(&self.body.holders).iter().map(|holder| holder.node).collect();
        let inside = self.base().is_inside_tree();
        let named = nodes.into_iter().filter(|_| inside).filter_map(|id| {
            let node = Gd::<Node2D>::try_from_instance_id(id).ok().filter(|node| node.is_inside_tree())?;
            Some((key(id), self.base().get_path_to(&node).to_string()))
        });
        let named: Vec<(u64, String)> = named.collect();
        let name = |key: u64| named.iter().find(|(named, _)| *named == key).map(|(_, path)| path.clone());
        PackedByteArray::from(self.rope().save(name).as_slice())
    }

    /// Brings what an end is tied to in line with a saved rope. What it carries stays.
    fn tie_as_saved(&mut self, end: End, saved: Option<(supple_sim::rope::Holder, supple_sim::Vec2)>) {
        let node = saved.and_then(|(holder, _)| instance(holder.key));
        match (saved, node.and_then(|node| Gd::<Node2D>::try_from_instance_id(node).ok())) {
            (Some((_, offset)), Some(node)) => {
                self.untie(end);
                let path = self.base().get_path_to(&node);
                let tie = &mut self.ties[end as usize];
                let mode = if tie.mode == AttachMode::RopeCarriesNode { AttachMode::Auto } else { tie.mode };
                *tie = Tie { path, mode, offset: vector2(offset), node: Some(node.instance_id()) };
            }
            _ if self.is_held_by_tie(end) => self.forget_tie(end),
            _ => (),
        }
    }

    pub(super) fn load_state(&mut self, bytes: &PackedByteArray) -> bool {
        let mut found = Vec::new();
        let inside = self.base().is_inside_tree();
        let rope = Rope::load(bytes.as_slice(), |path| {
            let path = NodePath::from(path);
            let node = self.base().get_node_or_null(&path).filter(|_| inside)?.try_cast::<Node2D>().ok()?;
            let transform = node.is_inside_tree().then(|| node.get_global_transform())?;
            let id = node.instance_id();
            // One that did not yield before was held by the mode of an end, which is not in the state.
            let holds = |tie: &Tie| tie.node == Some(id) && tie.mode != AttachMode::Auto;
            let yields = !self.ties.iter().any(holds) && node.try_cast::<RigidBody2D>().is_ok();
            found.push(Holder { node: id, shown: Shown::at(transform), yields });
            Some((key(id), pose(transform)))
        });
        let Some(rope) = rope else { return false };
        for end in End::BOTH {
            self.tie_as_saved(end, rope.attachment(end));
        }
        self.body.flags.held.store(!found.is_empty(), Relaxed);
        self.body.flags.placed.store(false, Relaxed);
        *lock(&self.body.holders) = found;
        *lock(&self.body.rope) = rope;
        self.body.sort_holders();
        self.follow_saved_radius();
        self.follow_layer();
        self.body.flags.unsorted.store(true, Relaxed);
        if inside {
            // A state does not hold them; what slept among them sleeps on.
            let slept = self.rope().is_sleeping();
            self.body.find_exceptions(&self.to_gd().upcast());
            let mut rope = self.rope();
            if slept && !rope.is_sleeping() {
                rope.sleep();
            }
        }
        self.body.snap(if inside { self.base().get_global_transform() } else { self.base().get_transform() });
        self.changed();
        true
    }
}
