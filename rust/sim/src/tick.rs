//! What the world is in a tick.

use crate::collide::Colliders;
use crate::wind::Wind;
use glam::Vec2;

/// Godot's default gravity in px/s2.
pub const DEFAULT_GRAVITY: f32 = 980.0;

/// What a body is told of the world for a tick.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// Simulated time of the tick in seconds.
    pub delta: f32,
    /// Gravity where the body is, in px/s2.
    pub gravity: Vec2,
    /// How many seconds the world has been simulated.
    pub time: f64,
    /// All winds of the world.
    pub winds: &'a [Wind],
    /// What bodies may collide with; None: there is nothing.
    pub colliders: Option<&'a Colliders>,
}

impl Tick<'_> {
    /// A tick in still air.
    pub const fn still(delta: f32, gravity: Vec2) -> Tick<'static> {
        Tick { delta, gravity, time: 0.0, winds: &[], colliders: None }
    }
}
