//! Shapes where they are in a tick.

use super::Shape;
use crate::bounds::Bounds;
use glam::Vec2;
use std::sync::Arc;

/// A place and a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidPose {
    /// Global px.
    pub origin: Vec2,
    /// Radians.
    pub angle: f32,
}

/// Of what a surface is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Friction as the engine counts it: a rough material's is negative.
    pub friction: f32,
    /// Bounce as the engine counts it: an absorbent material's is negative.
    pub bounce: f32,
}

impl Default for Material {
    fn default() -> Self {
        Material { friction: 1.0, bounce: 0.0 }
    }
}

impl Material {
    /// Friction and bounce between two surfaces, combined as the engine does: the smaller friction, the sum of the bounces. A rough one's
    /// friction wins, and an absorbent one's bounce is subtracted.
    pub fn with(&self, other: &Material) -> (f32, f32) {
        (self.friction.min(other.friction).abs(), (self.bounce + other.bounce).clamp(0.0, 1.0))
    }
}

/// What tells a collider from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderKey {
    /// Its body: an instance id, or another number for bodies without a node.
    pub body: u64,
    /// Its body in the physics server, where several have the same instance id (the parts of a tile map).
    pub part: u64,
    /// The index of its shape.
    pub shape: u32,
}

/// A shape of a body, where it is and moves in a tick.
#[derive(Clone, Debug)]
pub struct Collider {
    /// What it is.
    pub key: ColliderKey,
    /// Its form, scaled and mirrored as it is.
    pub shape: Arc<Shape>,
    /// Where it was at the beginning of the tick.
    pub from: RigidPose,
    /// Where it is at the end, not more than half a turn farther.
    pub to: RigidPose,
    /// The layers on which it is.
    pub layers: u32,
    /// Its surface.
    pub material: Material,
    /// How its surface moves besides, as a conveyor's: velocity in px/s, and rad/s around its origin.
    pub surface_velocity: (Vec2, f32),
    /// If it is met from one side only: the direction from which, a unit vector local to the shape.
    pub one_way: Option<Vec2>,
}

impl Collider {
    /// A box around all its way in the tick, in global px.
    pub fn bounds(&self) -> Bounds {
        todo!()
    }
}

/// All colliders of a tick.
#[derive(Clone, Debug, Default)]
pub struct Colliders {
    all: Vec<Collider>,
}

impl Colliders {
    /// These, in this order: it decides how results are rounded.
    pub fn set(&mut self, _all: impl IntoIterator<Item = Collider>) {
        todo!()
    }

    /// All.
    pub fn all(&self) -> &[Collider] {
        &self.all
    }

    /// Puts into `found` the indices of those on a layer of `mask` whose bounds overlap `bounds`, in ascending order.
    pub fn near(&self, _bounds: &Bounds, _mask: u32, _found: &mut Vec<u32>) {
        todo!()
    }

    /// A hash of all that there is in a box, on a layer of `mask`: it differs if anything came, went, moved, or changed its form.
    pub fn signature(&self, _bounds: &Bounds, _mask: u32) -> u64 {
        todo!()
    }
}
