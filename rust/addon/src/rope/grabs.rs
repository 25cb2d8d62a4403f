//! Hands that hold a rope: of the player, or of a script.

use super::VerletRope2D;
use super::body::RopeBody;
use crate::convert::vec2;
use crate::hands::{self, key, new_handle};
use crate::world::lock;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use supple_sim::frame::Pose;
use supple_sim::rope::{Grip, Holder};

impl RopeBody {
    /// Grabs the free point nearest to `position` and at most `radius` px away; its handle.
    pub fn grab(&self, position: Vector2, radius: f32) -> Option<i64> {
        let mut rope = lock(&self.rope);
        let free = rope.closest_free_point(vec2(position), radius)?;
        let handle = new_handle();
        let offset = rope.position(free) - vec2(position);
        let force = lock(&self.hand).force;
        rope.seize(free, Holder { key: key(handle), pose: Pose::at(vec2(position)) }, offset, Grip::Hand(force));
        drop(rope);
        self.flags.touched.store(true, Relaxed);
        Some(handle)
    }

    /// Moves a hand; false if it holds nothing.
    pub fn drag(&self, handle: i64, position: Vector2) -> bool {
        self.flags.touched.store(true, Relaxed);
        if lock(&self.rope).set_holder_pose(key(handle), Pose::at(vec2(position))) {
            return true;
        }
        self.living_heirs().iter().any(|heir| heir.drag(handle, position))
    }

    /// Lets go.
    pub fn let_go(&self, handle: i64) {
        self.flags.touched.store(true, Relaxed);
        lock(&self.rope).let_go(key(handle));
        self.living_heirs().iter().for_each(|heir| heir.let_go(handle));
    }

    /// The ropes that were cut from this one, as far as they are still there.
    fn living_heirs(&self) -> Vec<Arc<RopeBody>> {
        let mut heirs = lock(&self.heirs);
        heirs.retain(|heir| heir.strong_count() > 0);
        heirs.iter().filter_map(Weak::upgrade).collect()
    }
}

impl VerletRope2D {
    pub(super) fn grab_at(&mut self, position: Vector2, radius: f64) -> i64 {
        let callee = self.callee("grab()");
        let Some(radius) = hands::radius(&callee, radius) else { return -1 };
        let Some(position) = callee.place("position", position) else { return -1 };
        drop(self.rope());
        let handle = self.body.grab(position, radius);
        self.touch();
        handle.unwrap_or(-1)
    }

    pub(super) fn drag_to(&mut self, handle: i64, position: Vector2) {
        let callee = self.callee("drag()");
        let Some(position) = callee.place("position", position) else { return };
        if !self.body.drag(handle, position) {
            hands::holds_nothing(&callee, handle);
        }
        self.touch();
    }
}
