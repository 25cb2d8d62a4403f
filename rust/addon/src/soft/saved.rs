//! Saving the state of a soft body and going on from one.

use super::SoftBody2D;
use crate::convert::{key, pose};
use crate::world::{Body, Holder, Shown, lock};
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::soft::SoftBody;

impl SoftBody2D {
    pub(super) fn save_state(&self) -> PackedByteArray {
        // The paths first: nothing is locked when the engine is asked.
        let nodes: Vec<InstanceId> = lock(&self.body.holders).iter().map(|holder| holder.node).collect();
        let inside = self.base().is_inside_tree();
        let named: Vec<(u64, String)> = nodes
            .into_iter()
            .filter(|_| inside)
            .filter_map(|id| {
                let node = Gd::<Node2D>::try_from_instance_id(id).ok().filter(|node| node.is_inside_tree())?;
                Some((key(id), self.base().get_path_to(&node).to_string()))
            })
            .collect();
        let name = |key: u64| named.iter().find(|(named, _)| *named == key).map(|(_, path)| path.clone());
        PackedByteArray::from(self.core().save(name).as_slice())
    }

    pub(super) fn load_state(&mut self, bytes: &PackedByteArray) -> bool {
        let mut found = Vec::new();
        let inside = self.base().is_inside_tree();
        let loaded = SoftBody::load(bytes.as_slice(), |path| {
            let path = NodePath::from(path);
            let node = self.base().get_node_or_null(&path).filter(|_| inside)?.try_cast::<Node2D>().ok()?;
            let transform = node.is_inside_tree().then(|| node.get_global_transform())?;
            let id = node.instance_id();
            found.push(Holder { node: id, shown: Shown::at(transform), yields: false });
            Some((key(id), pose(transform)))
        });
        let Some(core) = loaded else { return false };
        self.unmeshed.set(false);
        self.body.flags.held.store(!found.is_empty(), Relaxed);
        self.body.flags.placed.store(false, Relaxed);
        self.body.flags.resumed.store(false, Relaxed);
        *lock(&self.body.holders) = found;
        *lock(&self.body.core) = core;
        self.mesh_changed();
        self.follow_lead();
        self.body.flags.unsorted.store(true, Relaxed);
        if inside {
            // A state does not hold them; what slept among them sleeps on.
            let slept = lock(&self.body.core).is_sleeping();
            self.body.sort_exceptions(&self.to_gd().upcast());
            let mut core = lock(&self.body.core);
            if slept && !core.is_sleeping() {
                core.sleep();
            }
        }
        if self.body.flags.leads.load(Relaxed) {
            let (body, node) = (Arc::clone(&self.body), self.to_gd().upcast());
            let _guard = self.base_mut();
            body.lead(node);
        }
        self.body.snap(self.transform_now());
        self.changed();
        true
    }
}
