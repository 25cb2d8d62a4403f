//! What bodies collide with: the shapes of the world, and where they are touched.
//!
//! - [`outline`]: a form as the engine has it
//! - [`convex`]: a convex piece with a radius, and how far points are from it
//! - [`cast`]: where a moving disc touches such a piece
//! - [`shape`]: a form as convex pieces, in a tree
//! - [`collider`]: a shape where it is and moves in a tick
//! - [`colliders`]: all of a tick, in a grid

mod bake;
pub mod cast;
pub mod collider;
pub mod colliders;
pub mod convex;
mod grid;
pub mod outline;
pub mod shape;
mod tree;

pub use cast::Hit;
pub use collider::{Collider, ColliderKey, Material, RigidPose};
pub use colliders::Colliders;
pub use convex::{Convex, Feature, Nearest};
pub use grid::Grid;
pub use outline::Outline;
pub use shape::Shape;
