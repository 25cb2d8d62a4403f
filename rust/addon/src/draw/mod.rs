//! Triangles from points.
//!
//! A body's picture is a mesh that its canvas item shows. While the body moves only the mesh's vertices are replaced, once a
//! drawn frame and whatever the node's own commands are: the node is not redrawn, what a user's script draws on it stays.
//! Against submitting triangles in every redraw this saves the engine a deferred call, a notification, a signal and new
//! buffers on the graphics card for each body and frame.
//!
//! - `brush`: width, colours and pictures as plain data
//! - `ribs`: where a strip's cross-sections are along the line, and how they look: laid out when that changes
//! - `strip`: the cross-sections put in place, every frame
//! - `plates`: instead of a strip a picture on each link
//! - `mesh`: what the renderer is given

pub mod brush;
pub mod mesh;
pub mod plates;
pub mod ribs;
pub mod strip;
