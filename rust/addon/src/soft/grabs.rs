//! Hands that hold a soft body: of the player, or of a script.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::convert::vec2;
use crate::hands::{self, key, new_handle};
use crate::world::lock;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::frame::Pose;
use supple_sim::rope::{Grip, Holder};
use supple_sim::soft::SoftBody;

impl SharedSoft {
    /// How far a global position is from where the player may grab the body: 0 inside of its outline; None: too far, or not at all.
    pub(super) fn distance_to_grab(&self, position: Vector2) -> Option<f32> {
        if !self.flags.grabbable.load(Relaxed) {
            return None;
        }
        let radius = lock(&self.hand).radius;
        let core = lock(&self.core);
        let position = vec2(position);
        core.closest_free_point(position, f32::INFINITY)?;
        let distance = if core.contains(position) { 0.0 } else { distance_to_outline(&core, position) };
        (distance <= radius).then_some(distance)
    }

    /// Whether a global position is on the body, or its skin.
    pub(super) fn covers(&self, position: Vector2) -> bool {
        let core = lock(&self.core);
        let (position, radius) = (vec2(position), core.surface_radius());
        let around = core.bounds();
        let near = position.cmpge(around.min - radius).all() && position.cmple(around.max + radius).all();
        near && (core.contains(position) || distance_to_outline(&core, position) <= radius)
    }

    /// Grabs the free point nearest to `position` and at most `radius` px away; its handle. The point keeps its place beside the hand.
    pub(super) fn take_hold(&self, position: Vector2, radius: f32) -> Option<i64> {
        let mut core = lock(&self.core);
        let position = vec2(position);
        let free = core.closest_free_point(position, radius)?;
        let handle = new_handle();
        let offset = core.position(free) - position;
        let force = lock(&self.hand).force;
        core.seize(free, Holder { key: key(handle), pose: Pose::at(position) }, offset, Grip::Hand(force));
        drop(core);
        self.flags.touched.store(true, Relaxed);
        Some(handle)
    }

    /// Moves a hand; false if it holds nothing.
    pub(super) fn move_hand(&self, handle: i64, position: Vector2) -> bool {
        self.flags.touched.store(true, Relaxed);
        lock(&self.core).set_holder_pose(key(handle), Pose::at(vec2(position)))
    }

    /// Lets go.
    pub(super) fn let_go_of(&self, handle: i64) {
        self.flags.touched.store(true, Relaxed);
        lock(&self.core).let_go(key(handle));
    }
}

/// How far a global position is from the outline, in px.
fn distance_to_outline(core: &SoftBody, position: Vec2) -> f32 {
    let outline = &core.mesh().outline;
    let Some(&last) = outline.last() else { return f32::INFINITY };
    let mut before = core.position(last as usize);
    let mut least = f32::INFINITY;
    for &i in outline {
        let at = core.position(i as usize);
        let way = at - before;
        let part = ((position - before).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        least = least.min((before + way * part).distance_squared(position));
        before = at;
    }
    least.sqrt()
}

impl SoftBody2D {
    pub(super) fn grab_at(&mut self, position: Vector2, radius: f64) -> i64 {
        let callee = self.callee("grab()");
        let Some(radius) = hands::radius(&callee, radius) else { return -1 };
        let Some(position) = callee.place("position", position) else { return -1 };
        drop(self.core());
        let handle = self.body.take_hold(position, radius);
        self.touch();
        handle.unwrap_or(-1)
    }

    pub(super) fn drag_to(&mut self, handle: i64, position: Vector2) {
        let callee = self.callee("drag()");
        let Some(position) = callee.place("position", position) else { return };
        if !self.body.move_hand(handle, position) {
            hands::holds_nothing(&callee, handle);
        }
        self.touch();
    }
}
