//! What a user may do to points of a soft body, and to the whole.

use super::SoftBody2D;
use crate::complain::Callee;
use crate::convert::{pose, vec2};
use crate::world::lock;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::rope::MOST_FORCE;
use supple_sim::soft::SoftBody;

/// The fastest that a user may let a body turn, in rad/s either way.
pub const MOST_SPIN: f32 = 10_000.0;

impl SoftBody2D {
    /// The index of a point, or an error.
    pub(super) fn index(&self, callee: &Callee, index: i64) -> Option<usize> {
        // Nothing is locked when the error is printed: a logger may be a script.
        let count = self.core().point_count();
        callee.index("point_index", index, count, "points")
    }

    pub(super) fn put_point(&mut self, index: i64, position: Vector2) {
        let callee = self.callee("set_point_position()");
        let Some(i) = self.index(&callee, index) else { return };
        if self.core().is_pinned(i) {
            return callee.complain(format_args!("point_index {i} is pinned, move it with set_pin_position()"));
        }
        let Some(position) = callee.place("position", position) else { return };
        self.core().set_position(i, vec2(position));
        self.touch();
    }

    pub(super) fn closest_index(&self, to: Vector2, max_distance: f32) -> i64 {
        let callee = self.callee("get_closest_point_index()");
        if max_distance.is_nan() || max_distance < 0.0 {
            callee.complain(format_args!("max_distance {max_distance} is not 0 or more"));
            return -1;
        }
        let Some(to) = callee.finite("to_point", to) else { return -1 };
        self.core().closest_point(vec2(to), max_distance).map_or(-1, |i| i as i64)
    }

    /// Does something to a point with a vector.
    pub(super) fn push_point(
        &mut self,
        method: &'static str,
        argument: &str,
        index: i64,
        vector: Vector2,
        push: impl FnOnce(&mut SoftBody, usize, Vec2),
    ) {
        let callee = self.callee(method);
        let Some(i) = self.index(&callee, index) else { return };
        let Some(vector) = callee.place(argument, vector) else { return };
        push(&mut self.core(), i, vec2(vector));
        self.touch();
    }

    pub(super) fn push_at(&mut self, impulse: Vector2, position: Vector2) {
        let callee = self.callee("apply_impulse()");
        let Some((impulse, position)) = callee.place("impulse", impulse).zip(callee.place("position", position)) else {
            return;
        };
        self.core().apply_impulse_at(vec2(impulse), vec2(position));
        self.touch();
    }

    pub(super) fn push_all(&mut self, impulse: Vector2) {
        let Some(impulse) = self.callee("apply_central_impulse()").place("impulse", impulse) else { return };
        self.core().apply_central_impulse(vec2(impulse));
        self.touch();
    }

    pub(super) fn blast(&mut self, center: Vector2, strength: f64, radius: f64) {
        let callee = self.callee("apply_radial_impulse()");
        let Some(center) = callee.place("center", center) else { return };
        let strength = callee.sane("strength", strength, -MOST_FORCE..=MOST_FORCE);
        let Some((strength, radius)) = strength.zip(callee.sane("radius", radius, 0.0..=MOST_FORCE)) else { return };
        self.core().apply_radial_impulse(vec2(center), strength, radius);
        self.touch();
    }

    /// Puts the node, and the body, elsewhere.
    pub(super) fn put(&mut self, transform: Transform2D, keep_velocity: bool) {
        if !transform.is_finite() {
            return self.callee("teleport()").complain(format_args!("transform {transform} is not finite"));
        }
        // Where the body is now goes with its node.
        drop(self.core());
        let mut transform = transform;
        if self.base().is_inside_tree() {
            self.base_mut().set_global_transform(transform);
            transform = self.base().get_global_transform();
        } else {
            self.base_mut().set_transform(transform);
        }
        self.body.flags.placed.store(false, Relaxed);
        self.body.snap(transform);
        let mut core = lock(&self.body.core);
        if keep_velocity {
            core.carry_to(pose(transform));
        } else {
            core.place_at(pose(transform));
        }
        drop(core);
        self.touch();
        self.redraw();
    }
}
