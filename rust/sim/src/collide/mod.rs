//! What bodies collide with: the shapes of the world, and where they are touched.
//!
//! - [`outline`]: a form as the engine has it
//! - [`shape`]: the same as convex pieces with a radius, and their distances
//! - [`collider`]: a shape where it is and moves in a tick, and all of them in a grid

pub mod collider;
pub mod outline;
pub mod shape;

pub use collider::{Collider, ColliderKey, Colliders, Material, RigidPose};
pub use outline::Outline;
pub use shape::{Convex, Feature, Hit, Nearest, Shape};
