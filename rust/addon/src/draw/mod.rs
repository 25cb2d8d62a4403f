//! Triangles from points.
//!
//! A body's picture is a mesh that its canvas item shows. While the body moves only the mesh's vertices are replaced, once a
//! drawn frame and whatever the node's own commands are: the node is not redrawn, what a user's script draws on it stays.
//! Against submitting triangles in every redraw this saves the engine a deferred call, a notification, a signal and new
//! buffers on the graphics card for each body and frame.

pub mod mesh;
pub mod strip;
