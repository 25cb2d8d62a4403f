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
//! - `picture`: the engine's textures as plain data
//! - `skin`: the triangles of a body, and a smooth outline
//! - `shine`: its highlight
//! - `mesh`: what the renderer is given

pub mod brush;
pub mod mesh;
pub mod picture;
pub mod plates;
pub mod ribs;
pub mod shine;
pub mod skin;
pub mod strip;

use godot::builtin::Transform2D;

/// The square of a scale below which a transform has no direction.
const FLAT: f32 = 1e-20;

/// A transform between two ticks as the engine shows it; the later one where it is not between (flat or mirrored on the
/// way), which is what the engine falls back to.
pub fn blend(before: Transform2D, now: Transform2D, fraction: f32) -> Transform2D {
    let turned = |t: &Transform2D| t.a.length_squared() > FLAT && t.b.length_squared() > FLAT && t.is_finite();
    if fraction >= 1.0 || before == now || !turned(&before) || !turned(&now) {
        return now;
    }
    before.interpolate_with(&now, fraction)
}
