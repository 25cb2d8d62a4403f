//! What a soft body touches.

use super::SoftBody;
use crate::bounds::Bounds;
use crate::collide::Colliders;
use crate::contact::Memory;
use crate::contact::meet::{Contacts, MARGIN};
use crate::contact::near::Nearby;
use crate::rope::Touch;
use glam::Vec2;

/// A thinner skin in px would let points through by rounding.
const THINNEST: f32 = 0.25;
/// What may move a point within a tick besides its velocity and gravity, in px.
const UNFORESEEN: f32 = 16.0;

/// What a body needs for its contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Collision {
    /// Bodies that are let through, sorted.
    exceptions: Vec<u64>,
    pub nearby: Nearby,
    pub contacts: Contacts,
    pub touches: Vec<Touch>,
    /// What it touched when it fell asleep; None: that is still to be seen.
    pub asleep_among: Option<u64>,
}

impl Collision {
    /// What lasts from substep to substep.
    pub fn memory(&self) -> &[Memory] {
        &self.contacts.memory
    }

    /// Goes on with what was saved.
    pub fn recall(&mut self, memory: Vec<Memory>) {
        self.contacts.memory = memory;
    }
}

impl SoftBody {
    /// A box around all that it may touch in a tick of `delta` seconds, in global px.
    pub fn reach(&self, delta: f32) -> Bounds {
        let mut bounds = self.bounds();
        for pin in &self.pins {
            let target = self.frame.to_global(self.held_at(pin));
            bounds = Bounds { min: bounds.min.min(target), max: bounds.max.max(target) };
        }
        let speed = if self.h_before > 0.0 { self.points.longest_way() / self.h_before } else { 0.0 };
        let gravity = self.gravity.length() * self.settings.gravity_scale.abs();
        let pushed = |(i, force): (usize, &Vec2)| force.length() * self.points.inv_mass[i];
        let push = self.forces.iter().enumerate().map(pushed).fold(0.0, f32::max);
        let way = delta * (speed + (gravity + push) * delta);
        let more = Vec2::splat(way + self.surface_radius() + MARGIN + UNFORESEEN);
        Bounds { min: bounds.min - more, max: bounds.max + more }
    }

    /// How far its surface is from its outline, in global px.
    pub fn surface_radius(&self) -> f32 {
        let scale = self.laid.x.perp_dot(self.laid.y).abs().sqrt();
        (self.settings.collision.radius * scale).max(THINNEST)
    }

    /// The bodies with these keys ([`crate::collide::ColliderKey::body`]) are let through.
    pub fn set_exceptions(&mut self, mut bodies: Vec<u64>) {
        bodies.sort_unstable();
        bodies.dedup();
        if bodies != self.collision.exceptions {
            self.collision.exceptions = bodies;
            self.wake();
        }
    }

    /// The bodies that it touched at the end of the last tick, or struck in it, each once, in ascending order; with where it was touched
    /// hardest.
    pub fn touches(&self) -> &[Touch] {
        &self.collision.touches
    }

    /// Wakes it if anything that it touches has changed since it fell asleep, or something has come.
    pub fn notice_colliders(&mut self, _colliders: &Colliders) {}
}
