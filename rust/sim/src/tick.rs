//! What the world is in a tick.

use glam::Vec2;

/// What a body is told of the world for a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Simulated time of the tick in seconds.
    pub delta: f32,
    /// Gravity where the body is, in px/s2.
    pub gravity: Vec2,
}
