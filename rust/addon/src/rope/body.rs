//! What a rope's node shares with the world step.

use crate::convert::pose;
use crate::world::{Body, Flags, Holder, lock};
use godot::builtin::Transform2D;
use std::sync::{Mutex, MutexGuard};
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings, Tick};

/// A rope behind a mutex, and what drawing it between ticks needs.
pub struct RopeBody {
    pub rope: Mutex<Rope>,
    pub flags: Flags,
    pub holders: Mutex<Vec<Holder>>,
    /// The node's global transform at the last two ticks.
    transforms: Mutex<[Transform2D; 2]>,
}

impl Default for RopeBody {
    fn default() -> Self {
        RopeBody {
            rope: Mutex::new(Rope::new(RopeSettings::default(), Pose::IDENTITY)),
            flags: Flags::default(),
            holders: Mutex::default(),
            transforms: Mutex::new([Transform2D::IDENTITY; 2]),
        }
    }
}

impl RopeBody {
    /// Draws from here on without a way from where the node was before.
    pub fn snap(&self, transform: Transform2D) {
        *lock(&self.transforms) = [transform; 2];
    }

    /// The node's global transform at the tick before the last one.
    pub fn transform_before(&self) -> Transform2D {
        lock(&self.transforms)[0]
    }
}

impl Body for RopeBody {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn set_pose(&self, transform: Transform2D) {
        let mut transforms = lock(&self.transforms);
        *transforms = [transforms[1], transform];
        lock(&self.rope).set_pose(pose(transform));
    }

    fn carry_to(&self, transform: Transform2D) {
        self.snap(transform);
        lock(&self.rope).carry_to(pose(transform));
    }

    fn holders(&self) -> MutexGuard<'_, Vec<Holder>> {
        lock(&self.holders)
    }

    fn set_holder_pose(&self, point: usize, pose: Option<Pose>) {
        let mut rope = lock(&self.rope);
        match pose {
            Some(pose) => rope.set_holder_pose(point, pose),
            None => rope.unpin(point),
        }
    }

    fn step(&self, tick: &Tick) {
        lock(&self.rope).step(tick);
    }

    fn is_sleeping(&self) -> bool {
        lock(&self.rope).is_sleeping()
    }

    fn cost(&self) -> usize {
        lock(&self.rope).cost()
    }
}
