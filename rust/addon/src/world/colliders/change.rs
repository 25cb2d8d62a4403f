//! What changed near sleeping bodies.

use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Material, RigidPose, Shape};

/// The places in which a fast body is looked for in advance are so many px apart, and not more than so many.
const GHOST_GAP: f32 = 8.0;
const MOST_GHOSTS: f32 = 16.0;

/// A shape that moved, came, went, or changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key of its body.
    pub body: u64,
    pub layers: u32,
    pub shape: Arc<Shape>,
    pub pose: RigidPose,
    /// How far it will go in a tick if it moves on.
    pub ahead: Vec2,
}

impl Change {
    /// A box around it and where it will be.
    pub fn bounds(&self) -> Bounds {
        self.on_its_way(0.0, 1.0).bounds()
    }

    /// The places on its way in the next tick, if it is fast: what sleeps there has to wake before it is there.
    pub fn ghosts(&self) -> impl Iterator<Item = Collider> {
        let count = (self.ahead.length() / GHOST_GAP).ceil().min(MOST_GHOSTS);
        (1..=count as u32).map(move |i| self.on_its_way(i as f32 / count, i as f32 / count))
    }

    /// Moving between two parts of its way in the next tick.
    fn on_its_way(&self, from: f32, to: f32) -> Collider {
        let [from, to] = [from, to].map(|part| RigidPose { origin: self.pose.origin + part * self.ahead, ..self.pose });
        Collider {
            key: ColliderKey { body: self.body, ..ColliderKey::default() },
            shape: Arc::clone(&self.shape),
            from,
            to,
            layers: self.layers,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        }
    }
}
