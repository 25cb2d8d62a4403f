//! The node in the tree: entering, moving, being placed and shown; and how its methods reach the body.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::complain::Callee;
use crate::contacts;
use crate::convert::pose;
use crate::offscreen::{self, OffscreenMode};
use crate::world::{self, Body, lock};
use godot::classes::Engine;
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, MutexGuard};
use supple_sim::soft::{SoftBody, SoftSettings};

impl SoftBody2D {
    /// The body, brought to where its node is if that was moved.
    pub(super) fn core(&self) -> MutexGuard<'_, SoftBody> {
        self.mesh_if_needed();
        // Other threads may not ask the engine where a node is.
        if is_main_thread() && self.base().is_inside_tree() {
            self.body.catch_up(|| self.base().get_global_transform());
        }
        lock(&self.body.core)
    }

    /// Brings it to where its node is.
    pub fn catch_up(&self) {
        drop(self.core());
    }

    /// What the world step knows of it.
    pub fn shared_body(&self) -> Arc<SharedSoft> {
        Arc::clone(&self.body)
    }

    pub(super) fn settings(&self) -> SoftSettings {
        *lock(&self.body.core).settings()
    }

    pub(super) fn set(&mut self, change: impl FnOnce(&mut SoftSettings)) {
        let mut core = lock(&self.body.core);
        let mut settings = *core.settings();
        change(&mut settings);
        core.set_settings(settings);
        drop(core);
        self.follow_lead();
        self.changed();
    }

    pub(super) fn callee(&self, member: &'static str) -> Callee {
        Callee::new(self.to_gd().upcast(), member)
    }

    /// Takes down whether it moves its node.
    pub(super) fn follow_lead(&self) {
        self.body.follow_lead();
    }

    /// Where its node is.
    pub(super) fn transform_now(&self) -> Transform2D {
        if self.base().is_inside_tree() { self.base().get_global_transform() } else { self.base().get_transform() }
    }

    /// Whether the world step simulates it, when nothing pauses it.
    pub(super) fn joined(&self) -> bool {
        self.body.flags.joined.load(Relaxed)
    }

    /// The body changed: the world step looks at it even if it sleeps.
    pub(super) fn touch(&mut self) {
        self.body.flags.touched.store(true, Relaxed);
        if !self.joined() {
            self.redraw();
        }
    }

    /// Something that the editor shows changed too.
    pub(super) fn changed(&mut self) {
        self.body.flags.touched.store(true, Relaxed);
        self.redraw();
        if self.base().is_inside_tree() && Engine::singleton().is_editor_hint() {
            self.base_mut().update_configuration_warnings();
        }
    }

    /// Lays the body out anew where its node is, held as the properties say.
    pub(super) fn lay_out(&mut self) {
        self.mesh_if_needed();
        let transform = self.transform_now();
        self.body.snap(transform);
        let mesh = lock(&self.body.core).mesh().clone();
        let points = self.points_to_pin(&mesh);
        let mut core = lock(&self.body.core);
        let holders: Vec<u64> = core.pins().iter().filter_map(|pin| pin.holder).map(|holder| holder.key).collect();
        holders.into_iter().for_each(|key| core.let_go(key));
        core.pin_at_rest(&points);
        core.place_at(pose(transform));
        drop(core);
        self.follow_lead();
    }

    /// What it shows has changed.
    pub(super) fn redraw(&mut self) {
        self.body.flags.dirty.store(true, Relaxed);
        // Nobody else asks for a frame, or draws, when nothing moves.
        let flags = &self.body.flags;
        let idle = [&flags.paused, &flags.away, &flags.still].iter().any(|flag| flag.load(Relaxed));
        if !self.joined() || idle || lock(&self.body.core).is_sleeping() {
            self.redraw_node();
        }
    }

    /// Its canvas item has to be drawn anew.
    pub(super) fn redraw_node(&mut self) {
        if !self.base().is_inside_tree() {
            return;
        }
        if is_main_thread() {
            self.base_mut().queue_redraw();
        } else {
            self.base_mut().call_deferred("queue_redraw", &[]);
        }
    }

    pub(super) fn shown_or_hidden(&mut self) {
        self.body.flags.hidden.store(!self.base().is_visible_in_tree(), Relaxed);
    }

    /// A moved node whose interpolation is reset was placed. The engine itself resets the interpolation of nodes that enter the tree,
    /// are paused or go on, and of all nodes when interpolation is switched on: then they have not moved, or say so next.
    pub(super) fn interpolation_reset(&mut self) {
        if pose(self.base().get_global_transform()) != *lock(&self.body.core).pose() {
            self.body.flags.placed.store(true, Relaxed);
            self.touch();
        }
    }

    pub(super) fn paused(&mut self, paused: bool) {
        self.body.flags.placed.store(false, Relaxed);
        self.body.flags.paused.store(paused, Relaxed);
        self.touch();
        self.redraw();
        // It has no more frames of its own.
        self.deform_child();
    }

    pub(super) fn enter(&mut self) {
        self.base_mut().set_notify_transform(true);
        self.read_child();
        self.mesh_if_needed();
        let paused = !self.base().can_process();
        self.body.flags.paused.store(paused, Relaxed);
        self.shown_or_hidden();
        self.body.flags.placed.store(false, Relaxed);
        let still = Engine::singleton().is_editor_hint() && !self.preview_in_editor;
        self.body.flags.still.store(still, Relaxed);
        self.body.flags.unsorted.store(true, Relaxed);
        // Asleep it may touch something of which nobody was told here.
        self.body.flags.reports.store(true, Relaxed);
        self.follow_layer();
        self.join();
        self.watch_mouse();
        self.watch_pointer();
        self.redraw();
    }

    pub(super) fn join(&mut self) {
        self.body.flags.joined.store(true, Relaxed);
        world::join(self.to_gd().upcast(), self.body.clone());
    }

    pub(super) fn exit(&mut self) {
        self.give_child_back();
        self.body.flags.joined.store(false, Relaxed);
        self.body.flags.away.store(false, Relaxed);
        world::leave(self.to_gd().instance_id());
        self.body.withdraw();
        self.leave_contacts();
    }

    /// Tells what the last tick has brought. Nothing is borrowed: handlers may do anything.
    pub fn report(this: Gd<Self>) {
        let body = Arc::clone(&this.bind().body);
        let node: Gd<Node2D> = this.upcast();
        contacts::report(&node, &body.contacts, body.touched_keys());
        let impacts = std::mem::take(&mut *lock(&body.impacts));
        let soft = node.clone().cast::<SoftBody2D>();
        for touch in impacts {
            if !node.is_instance_valid() {
                return;
            }
            contacts::report_impact(&node, &touch);
        }
        if node.is_instance_valid() {
            Self::report_presses(&soft, &body);
        }
    }

    /// Sees to it that the mouse can grab it, if it may.
    pub(super) fn watch_mouse(&self) {
        let wanted = self.body.flags.grabbable.load(Relaxed) && self.base().is_inside_tree();
        if wanted && !Engine::singleton().is_editor_hint() {
            world::watch_viewport(&self.to_gd().upcast());
        }
    }

    /// Sees to it that the mouse is noticed over it, if it may.
    pub(super) fn watch_pointer(&self) {
        if self.body.flags.pickable.load(Relaxed) && self.base().is_inside_tree() {
            world::watch_mouse_over(&self.to_gd().upcast());
        }
    }

    /// The node's global transform changed since the last tick or frame.
    pub(super) fn moved(&mut self) {
        self.body.flags.touched.store(true, Relaxed);
        self.body.flags.dirty.store(true, Relaxed);
        self.body.notice(self.base().get_global_transform());
    }

    /// The editor simulates it, or not any more.
    pub(super) fn change_preview(&mut self, preview: bool) {
        self.body.flags.still.store(!preview, Relaxed);
        if preview {
            self.touch();
        } else {
            self.lay_out();
            self.redraw();
        }
    }

    /// Lets the renderer tell when the body leaves all screens, or comes back, if that matters. `fence` is a box around it, in the node's own
    /// coordinates.
    pub(super) fn mind_the_screen(&mut self, item: Rid, fence: Rect2) {
        let pauses = self.offscreen == OffscreenMode::Pause && !Engine::singleton().is_editor_hint();
        if pauses {
            let body: Arc<dyn Body> = self.body.clone();
            offscreen::watch(item, &body, fence);
        } else if self.minds_screen {
            offscreen::unwatch(item, self.body.as_ref());
        }
        self.minds_screen = pauses;
    }
}
