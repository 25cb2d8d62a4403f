//! The engine's numbers and the core's.

use godot::builtin::{Transform2D, Vector2};
use supple_sim::Vec2;
use supple_sim::frame::Pose;

/// A vector of the core.
pub fn vec2(v: Vector2) -> Vec2 {
    Vec2::new(v.x, v.y)
}

/// A vector of the engine.
pub fn vector2(v: Vec2) -> Vector2 {
    Vector2::new(v.x, v.y)
}

/// A node's transform as a pose.
pub fn pose(t: Transform2D) -> Pose {
    Pose { origin: vec2(t.origin), x: vec2(t.a), y: vec2(t.b) }
}
