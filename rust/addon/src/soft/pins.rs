//! Which points of a soft body its node holds, and others.

use super::SoftBody2D;
use super::kinds::PinMode;
use crate::convert::{key, pose, vec2};
use crate::holders;
use crate::world::{Holder, Shown, lock};
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{Sides, SoftBody};

/// The bits of the sides.
const TOP: i64 = 1;
const RIGHT: i64 = 2;
const BOTTOM: i64 = 4;
const LEFT: i64 = 8;
/// Every n-th point, this n at most.
const MOST_INTERVAL: u32 = 100_000;

impl SoftBody2D {
    /// The points that the node is to hold, in ascending order.
    pub(super) fn points_to_pin(&self, mesh: &Mesh) -> Vec<usize> {
        match self.pin_mode {
            PinMode::None => Vec::new(),
            PinMode::Sides => {
                let has = |side| self.pin_sides & side != 0;
                Sides { top: has(TOP), right: has(RIGHT), bottom: has(BOTTOM), left: has(LEFT) }.points(mesh)
            }
            PinMode::TopEvery => {
                let mut top = Sides { top: true, ..Sides::default() }.points(mesh);
                top.sort_by(|&one, &other| mesh.points[one].x.total_cmp(&mesh.points[other].x));
                let mut held: Vec<usize> = top.into_iter().step_by(self.pin_interval.max(1) as usize).collect();
                held.sort_unstable();
                held
            }
            PinMode::Corners => corners(mesh),
            PinMode::Custom => {
                let wanted = self.pinned_points.as_slice().iter().filter_map(|&i| usize::try_from(i).ok());
                let mut held: Vec<usize> = wanted.filter(|&i| i < mesh.points.len()).collect();
                held.sort_unstable();
                held.dedup();
                held
            }
        }
    }

    /// Lets the node hold the points that the properties say.
    pub(super) fn repin(&mut self) {
        if !self.unmeshed.get() {
            let mesh = lock(&self.body.core).mesh().clone();
            let points = self.points_to_pin(&mesh);
            lock(&self.body.core).pin_at_rest(&points);
        }
        self.follow_lead();
        self.changed();
    }

    pub(super) fn change_pin_sides(&mut self, sides: i64) {
        let all = TOP | RIGHT | BOTTOM | LEFT;
        if sides & !all != 0 {
            let callee = self.callee("pin_sides");
            callee.complain(format_args!("{sides} has flags that are no side, they are 1 to {LEFT}"));
        }
        self.pin_sides = sides & all;
        self.repin();
    }

    pub(super) fn change_pin_interval(&mut self, interval: i64) {
        self.pin_interval = i64::from(self.callee("pin_interval").count(interval, 1..=MOST_INTERVAL));
        self.repin();
    }

    /// Holds a point where it is, or lets it go.
    pub(super) fn pin_point(&mut self, index: i64, pinned: bool, path: &GString) {
        let callee = self.callee("set_point_pinned()");
        let Some(i) = self.index(&callee, index) else { return };
        let path = if pinned { path.clone() } else { GString::new() };
        let Ok(holder) = holders::find(&callee, &self.to_gd().upcast(), &path) else { return };
        // Both under the lock of the holders: the world step takes away those that hold nothing.
        let mut holders = lock(&self.body.holders);
        let holder = holder.map(|(node, transform)| {
            let id = node.instance_id();
            if !holders.iter().any(|holder| holder.node == id) {
                holders.push(Holder { node: id, shown: Shown::at(transform), yields: false });
            }
            self.body.flags.held.store(true, Relaxed);
            supple_sim::rope::Holder { key: key(id), pose: pose(transform) }
        });
        let mut core = lock(&self.body.core);
        if pinned {
            if holder.is_none() && core.is_led() {
                self.notice_own_pose(&mut core);
            }
            core.pin(i, holder);
        } else {
            core.unpin(i);
        }
        drop((core, holders));
        self.body.flags.unsorted.store(true, Relaxed);
        self.follow_lead();
        self.changed();
    }

    /// The node may have moved since the last tick.
    fn notice_own_pose(&self, core: &mut SoftBody) {
        if self.base().is_inside_tree() {
            core.set_pose(pose(self.base().get_global_transform()));
        }
    }

    /// Moves the place where a point is held.
    pub(super) fn move_pin(&mut self, index: i64, position: Vector2) {
        let callee = self.callee("set_pin_position()");
        let Some(i) = self.index(&callee, index) else { return };
        let Some(position) = callee.place("position", position) else { return };
        if !self.core().is_pinned(i) {
            return callee.complain(format_args!("point_index {i} is not pinned, call set_point_pinned() first"));
        }
        // Whoever holds it may have moved since the last tick.
        let holders: Vec<_> = lock(&self.body.holders).iter().map(|holder| holder.node).collect();
        let mut core = self.core();
        match core.pins().iter().find(|pin| pin.point == i).and_then(|pin| pin.holder) {
            None => self.notice_own_pose(&mut core),
            Some(holder) => {
                let node = holders.into_iter().find(|&id| key(id) == holder.key);
                if let Some(node) = node.and_then(|id| Gd::<Node2D>::try_from_instance_id(id).ok()) {
                    core.set_holder_pose(holder.key, pose(node.get_global_transform()));
                }
            }
        }
        core.set_pin_position(i, vec2(position));
        drop(core);
        self.touch();
    }
}

/// The points of the outline that are nearest to the corners of its box, in ascending order.
fn corners(mesh: &Mesh) -> Vec<usize> {
    let outline = || mesh.outline.iter().map(|&i| i as usize);
    let bounds = Bounds::of(outline().map(|i| mesh.points[i]));
    let places = [bounds.min, Vec2::new(bounds.max.x, bounds.min.y), bounds.max, Vec2::new(bounds.min.x, bounds.max.y)];
    let nearest = |corner: Vec2| {
        let distance = |i: &usize| mesh.points[*i].distance_squared(corner);
        outline().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    };
    let mut found: Vec<usize> = places.into_iter().filter_map(nearest).collect();
    found.sort_unstable();
    found.dedup();
    found
}
