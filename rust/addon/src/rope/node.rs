//! The node in the tree: entering, moving, being placed and shown; and how its methods reach the rope.

use super::VerletRope2D;
use crate::complain::Callee;
use crate::convert::pose;
use crate::world::{self, Body, lock};
use godot::classes::{Engine, RenderingServer};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{Rope, RopeSettings};

impl VerletRope2D {
    /// The rope, brought to where its node is if it was placed, or not simulated, since the last tick.
    pub(super) fn rope(&self) -> MutexGuard<'_, Rope> {
        if self.base().is_inside_tree() {
            self.body.catch_up(|| self.base().get_global_transform());
        }
        lock(&self.body.rope)
    }

    pub(super) fn settings(&self) -> RopeSettings {
        *lock(&self.body.rope).settings()
    }

    pub(super) fn set(&mut self, change: impl FnOnce(&mut RopeSettings)) {
        let mut rope = self.rope();
        let mut settings = *rope.settings();
        change(&mut settings);
        rope.set_settings(settings);
        drop(rope);
        self.changed();
    }

    pub(super) fn callee(&self, member: &'static str) -> Callee {
        Callee::new(self.to_gd().upcast(), member)
    }

    /// The index of a point, or an error.
    pub(super) fn index(&self, callee: &Callee, index: i64) -> Option<usize> {
        // Nothing is locked when the error is printed: a logger may be a script.
        let count = self.rope().point_count();
        callee.index("point_index", index, count)
    }

    /// The index of a point that nothing holds, or an error.
    pub(super) fn free_point(&self, callee: &Callee, index: i64) -> Option<usize> {
        let i = self.index(callee, index)?;
        if self.rope().is_pinned(i) {
            callee.complain(format_args!("point_index {i} is pinned, move it with set_pin_position()"));
            return None;
        }
        Some(i)
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

    /// Lays the rope out anew where its node is, held at its ends only.
    pub(super) fn lay_out(&mut self) {
        lock(&self.body.holders).clear();
        self.body.flags.held.store(false, Relaxed);
        let inside = self.base().is_inside_tree();
        let transform = if inside { self.base().get_global_transform() } else { self.base().get_transform() };
        self.body.snap(transform);
        let mut rope = lock(&self.body.rope);
        rope.set_pose(pose(transform));
        rope.reset();
    }

    /// What it shows has changed.
    pub(super) fn redraw(&mut self) {
        self.body.flags.dirty.store(true, Relaxed);
        // Nobody else asks for a frame, or draws, when nothing moves.
        if !self.joined() || self.body.flags.paused.load(Relaxed) || lock(&self.body.rope).is_sleeping() {
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
        if pose(self.base().get_global_transform()) != *lock(&self.body.rope).pose() {
            self.body.flags.placed.store(true, Relaxed);
            self.touch();
        }
    }

    pub(super) fn paused(&mut self, paused: bool) {
        self.body.flags.placed.store(false, Relaxed);
        self.body.flags.paused.store(paused, Relaxed);
        self.touch();
        self.redraw();
    }

    pub(super) fn enter(&mut self) {
        self.base_mut().set_notify_transform(true);
        let paused = !self.base().can_process();
        self.body.flags.paused.store(paused, Relaxed);
        self.shown_or_hidden();
        self.body.flags.placed.store(false, Relaxed);
        if self.preview_in_editor || !Engine::singleton().is_editor_hint() {
            self.join();
        } else {
            let transform = self.base().get_global_transform();
            self.body.carry_to(transform);
        }
        self.redraw();
    }

    pub(super) fn join(&mut self) {
        self.body.flags.joined.store(true, Relaxed);
        world::join(self.to_gd().upcast(), self.body.clone());
    }

    pub(super) fn exit(&mut self) {
        self.body.flags.joined.store(false, Relaxed);
        world::leave(self.to_gd().instance_id());
    }

    /// The node's global transform changed since the last tick or frame.
    pub(super) fn moved(&mut self) {
        self.body.flags.touched.store(true, Relaxed);
        let transform = self.base().get_global_transform();
        if !self.joined() {
            self.body.carry_to(transform);
            self.redraw();
            return;
        }
        self.body.notice(transform);
        if lock(&self.body.look).drawn_at != transform {
            self.body.flags.dirty.store(true, Relaxed);
        }
    }

    /// Shows the mesh: the engine has thrown away all commands of this canvas item.
    pub(super) fn draw(&mut self) {
        let interpolated = self.joined() && self.body.is_between_ticks(&self.to_gd().upcast());
        let style = self.style();
        let debug = self.is_debugged();
        let item = self.base().get_canvas_item();
        {
            let look = &mut *lock(&self.body.look);
            look.set_style(style);
            look.debug = debug;
            if std::mem::take(&mut look.unfenced) {
                RenderingServer::singleton().canvas_item_set_custom_rect(item, false);
            }
        }
        self.body.update_mesh(self.base().get_global_transform(), interpolated);
        let repeats = lock(&self.body.look).add_to(item, self.tint());
        self.repeat_texture(repeats);
        if debug {
            self.body.draw_debug(item);
        }
    }
}
