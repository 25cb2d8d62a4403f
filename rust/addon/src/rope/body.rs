//! What a rope's node shares with the world step.

use super::draw::Look;
use crate::convert::pose;
use crate::world::{Body, Flags, Holder, Shown, lock, monitors};
use godot::classes::{Node2D, RenderingServer};
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard};
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings};
use supple_sim::tick::Tick;

/// A box that is in every picture.
const EVERYWHERE: Rect2 = Rect2 { position: Vector2::new(-1e9, -1e9), size: Vector2::new(2e9, 2e9) };

/// A rope behind a mutex, and what drawing it between ticks needs.
pub struct RopeBody {
    // Whoever locks several of these does it in the order look, holders, rope.
    pub rope: Mutex<Rope>,
    pub flags: Flags,
    pub holders: Mutex<Vec<Holder>>,
    pub look: Mutex<Look>,
    shown: Mutex<Shown>,
}

impl Default for RopeBody {
    fn default() -> Self {
        RopeBody {
            rope: Mutex::new(Rope::new(RopeSettings::default(), Pose::IDENTITY)),
            flags: Flags::default(),
            holders: Mutex::default(),
            look: Mutex::default(),
            shown: Mutex::new(Shown::at(Transform2D::IDENTITY)),
        }
    }
}

impl RopeBody {
    /// Draws from here on without a way from where the node was before.
    pub fn snap(&self, transform: Transform2D) {
        *lock(&self.shown) = Shown::at(transform);
    }

    /// Brings a rope to where its node is if the next tick would do it without pulling: one that was not simulated yet or for a
    /// while, or whose node was placed.
    pub fn catch_up(&self, transform: impl Fn() -> Transform2D) {
        if self.flags.placed.swap(false, Relaxed) {
            self.place_at(transform());
        } else if self.flags.resumed.load(Relaxed) || self.flags.paused.load(Relaxed) || lock(&self.rope).is_fresh() {
            let transform = transform();
            if *lock(&self.rope).pose() != pose(transform) {
                self.carry_to(transform);
            }
        }
    }

    /// The engine says that the node is here.
    pub fn notice(&self, transform: Transform2D) {
        lock(&self.shown).noticed = transform;
    }

    /// Whether a frame may show it between two ticks: a paused one has stopped at the last.
    pub fn is_between_ticks(&self, node: &Gd<Node2D>) -> bool {
        !self.flags.paused.load(Relaxed) && node.is_physics_interpolated_and_enabled()
    }

    /// The node's global transform at the beginning of the last tick.
    pub fn transform_before(&self) -> Transform2D {
        lock(&self.shown).before
    }
}

/// A node as the core knows it.
pub fn key(node: InstanceId) -> u64 {
    node.to_i64() as u64
}

impl Body for RopeBody {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn set_pose(&self, transform: Transform2D) {
        let mut shown = lock(&self.shown);
        shown.before = shown.noticed;
        drop(shown);
        lock(&self.rope).set_pose(pose(transform));
    }

    fn carry_to(&self, transform: Transform2D) {
        self.snap(transform);
        lock(&self.rope).carry_to(pose(transform));
    }

    fn place_at(&self, transform: Transform2D) {
        self.snap(transform);
        let mut rope = lock(&self.rope);
        // The engine also resets the interpolation of nodes that stay where they are, as when it is switched on.
        if *rope.pose() != pose(transform) {
            rope.place_at(pose(transform));
        }
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Holder>> {
        lock(&self.holders)
    }

    fn set_holder_pose(&self, node: InstanceId, pose: Option<Pose>) -> bool {
        let mut rope = lock(&self.rope);
        match pose {
            Some(pose) => rope.set_holder_pose(key(node), pose),
            None => {
                rope.release(key(node));
                false
            }
        }
    }

    fn wake(&self) {
        lock(&self.rope).wake();
    }

    fn draw(&self, node: &mut Gd<Node2D>, interpolates: bool) {
        let interpolated = interpolates && self.is_between_ticks(node);
        let changed = self.update_mesh(node.get_global_transform(), interpolated);
        if changed {
            // The node's commands come anew with the next frame; until then nothing of it may be culled.
            lock(&self.look).unfenced = true;
            let mut server = RenderingServer::singleton();
            server.canvas_item_set_custom_rect_ex(node.get_canvas_item(), true).rect(EVERYWHERE).done();
        }
        if changed || lock(&self.look).debug {
            node.queue_redraw();
        }
    }

    fn step(&self, tick: &Tick) {
        let mut rope = lock(&self.rope);
        let (followed, recoveries) = (rope.report().followed, rope.recoveries());
        rope.step(tick);
        if (rope.report().followed, rope.recoveries()) != (followed, recoveries) {
            monitors::count_trouble(rope.report().followed - followed, rope.recoveries() - recoveries);
            self.flags.recovered.fetch_or(rope.recoveries() != recoveries, Relaxed);
        }
    }

    fn is_sleeping(&self) -> bool {
        lock(&self.rope).is_sleeping()
    }

    fn cost(&self) -> usize {
        lock(&self.rope).cost()
    }
}
