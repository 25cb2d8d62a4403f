//! What a rope collides with.

use super::Rope;
use crate::bounds::Bounds;
use crate::collide::{ColliderKey, Colliders};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A body that a rope touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// What is touched.
    pub key: ColliderKey,
    /// The point that is touched, or the nearer one of the touched piece.
    pub point: usize,
    /// Where, in global px.
    pub position: Vec2,
    /// Unit vector out of the body.
    pub normal: Vec2,
    /// With what impulse the rope struck it in this tick, in kg px/s; 0: it only lies on it, or slides.
    pub impulse: f32,
}

/// Everything that decides what a rope collides with and how.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionSettings {
    /// The layers with which it collides; 0: with nothing.
    pub mask: u32,
    /// How far its surface is from its middle line, in local px.
    pub radius: f32,
    /// Friction as the engine counts it: a rough material's is negative.
    pub friction: f32,
    /// Bounce as the engine counts it: an absorbent material's is negative.
    pub bounce: f32,
    /// Whether it collides with itself.
    pub with_itself: bool,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        CollisionSettings { mask: 1, radius: 2.0, friction: 1.0, bounce: 0.0, with_itself: false }
    }
}

/// The greatest collision radius in local px, friction and bounce either way.
pub const MOST_RADIUS: f32 = 1000.0;
/// See [`MOST_RADIUS`].
pub const MOST_FRICTION: f32 = 100.0;

impl CollisionSettings {
    /// The same with every number brought into its range; what is not a number is taken from `fallback`.
    pub(super) fn clamped(self, fallback: &CollisionSettings) -> CollisionSettings {
        let number = |value: f32, other: f32| if value.is_finite() { value } else { other };
        CollisionSettings {
            radius: number(self.radius, fallback.radius).clamp(0.0, MOST_RADIUS),
            friction: number(self.friction, fallback.friction).clamp(-MOST_FRICTION, MOST_FRICTION),
            bounce: number(self.bounce, fallback.bounce).clamp(-1.0, 1.0),
            ..self
        }
    }
}

impl Rope {
    /// A box around all that it may touch in a tick of `delta` seconds, in global px.
    pub fn reach(&self, _delta: f32) -> Bounds {
        Bounds::of([])
    }

    /// The bodies with these keys ([`ColliderKey::body`]) are let through.
    pub fn set_exceptions(&mut self, _bodies: Vec<u64>) {}

    /// The bodies that it touched at the end of the last tick, each once, in ascending order; with where it was touched hardest.
    pub fn touches(&self) -> &[Touch] {
        &[]
    }

    /// Wakes it if anything in its reach has changed since it fell asleep.
    pub fn notice_colliders(&mut self, _colliders: &Colliders) {}
}
