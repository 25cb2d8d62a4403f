//! The node in the tree: entering, moving, being placed and shown; and how its methods reach the rope.

use super::VerletRope2D;
use super::body::{Event, RopeBody};
use super::look::DrawMode;
use crate::complain::Callee;
use crate::contacts;
use crate::convert::{key, pose};
use crate::offscreen::{self, OffscreenMode};
use crate::world::{self, Body, lock};
use godot::classes::{Engine, RenderingServer};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, MutexGuard};
use supple_sim::rope::{Rope, RopeSettings, Sample};

impl VerletRope2D {
    /// The rope, brought to where its node is if it was placed, or not simulated, since the last tick.
    pub(super) fn rope(&self) -> MutexGuard<'_, Rope> {
        // Other threads may not ask the engine where a node is.
        if is_main_thread() && self.base().is_inside_tree() {
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
        callee.index("point_index", index, count, "points")
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
        let flags = &self.body.flags;
        let idle = [&flags.paused, &flags.away, &flags.still].iter().any(|flag| flag.load(Relaxed));
        if !self.joined() || idle || self.body.flags.paused.load(Relaxed) || lock(&self.body.rope).is_sleeping() {
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
        let still = Engine::singleton().is_editor_hint() && !self.preview_in_editor;
        self.body.flags.still.store(still, Relaxed);
        self.body.flags.unsorted.store(true, Relaxed);
        // Asleep it may touch something of which nobody was told here.
        self.body.flags.reports.store(true, Relaxed);
        self.join();
        self.watch_mouse();
        self.redraw();
    }

    pub(super) fn join(&mut self) {
        self.body.flags.joined.store(true, Relaxed);
        lock(&self.body.rope).set_key(key(self.to_gd().instance_id()));
        world::join(self.to_gd().upcast(), self.body.clone());
    }

    /// Tells what the last tick has brought. Nothing is borrowed: handlers may do anything.
    pub fn report(mut this: Gd<Self>) {
        let body = Arc::clone(&this.bind().body);
        if body.flags.untied.swap(false, Relaxed) {
            this.bind_mut().tie_missing();
        }
        contacts::report(&this.clone().upcast(), &body.collision, body.touched_keys());
        let events = std::mem::take(&mut *lock(&body.events));
        for event in events {
            if !this.is_instance_valid() {
                return;
            }
            match event {
                Event::Impact(touch) => contacts::report_impact(&this.clone().upcast(), &touch),
                Event::Torn(link) => super::parts::tear(this.clone(), link),
                Event::Detached(end, node) => {
                    // It may have been tied to another since.
                    if this.bind().ties[end as usize].node == Some(node) {
                        this.bind_mut().forget_tie(end);
                    }
                    this.signals().detached().emit(end as i64);
                }
            }
        }
        if this.is_instance_valid() {
            super::blades::report(&this, &body);
        }
    }

    /// The place `offset` px along the rope, or an error.
    pub(super) fn sample(&self, member: &'static str, offset: f64) -> Option<Sample> {
        if offset.is_nan() {
            self.callee(member).complain("offset is not a number");
            return None;
        }
        Some(self.rope().sample(offset as f32))
    }

    /// Brings it to where its node is, if the next tick would do that.
    pub fn catch_up(&self) {
        drop(self.rope());
    }

    /// What the world step knows of it.
    pub fn shared_body(&self) -> Arc<RopeBody> {
        Arc::clone(&self.body)
    }

    /// Sees to it that the mouse can grab it, if it may.
    pub(super) fn watch_mouse(&self) {
        let wanted = self.body.flags.grabbable.load(Relaxed) && self.base().is_inside_tree();
        if wanted && !Engine::singleton().is_editor_hint() {
            world::watch_viewport(&self.to_gd().upcast());
        }
    }

    /// Whether each link is shown by a picture of its own.
    pub(super) fn shows_links(&self) -> bool {
        self.draw_mode == DrawMode::Segments
    }

    pub(super) fn exit(&mut self) {
        self.body.flags.joined.store(false, Relaxed);
        self.body.flags.away.store(false, Relaxed);
        self.body.wake_bodies();
        self.rope().unload();
        world::leave(self.to_gd().instance_id());
        self.body.withdraw();
        self.leave_contacts();
    }

    /// The node's global transform changed since the last tick or frame.
    pub(super) fn moved(&mut self) {
        self.body.flags.touched.store(true, Relaxed);
        let transform = self.base().get_global_transform();
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
        self.mind_the_screen(item);
    }

    /// Lets the renderer tell when the rope leaves all screens, or comes back, if that matters.
    fn mind_the_screen(&mut self, item: Rid) {
        let pauses = self.offscreen == OffscreenMode::Pause && !Engine::singleton().is_editor_hint();
        if pauses {
            let fence = lock(&self.body.look).fence();
            let body: Arc<dyn Body> = self.body.clone();
            offscreen::watch(item, &body, fence);
        } else if self.minds_screen {
            offscreen::unwatch(item, self.body.as_ref());
        }
        self.minds_screen = pauses;
    }
}
