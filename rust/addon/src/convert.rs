//! The engine's numbers and the core's.

use godot::builtin::{Callable, Transform2D, Variant, Vector2};
use godot::obj::InstanceId;
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

/// A function that the engine may call, from any thread where nodes may live on any.
pub fn callable<R: godot::meta::ToGodot>(
    name: &'static str,
    mut function: impl FnMut(&[&Variant]) -> R + Send + Sync + 'static,
) -> Callable {
    #[cfg(feature = "threads")]
    return Callable::from_sync_fn(name, move |arguments| function(arguments));
    #[cfg(not(feature = "threads"))]
    return Callable::from_fn(name, move |arguments| function(arguments));
}

/// A node as the core knows it.
pub fn key(node: InstanceId) -> u64 {
    node.to_i64() as u64
}

/// The node of a key; None: it is no node's.
pub fn instance(key: u64) -> Option<InstanceId> {
    i64::try_from(key).ok().and_then(InstanceId::try_from_i64)
}
