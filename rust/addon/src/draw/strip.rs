//! A strip of triangles along a line, as wide as a brush.
//!
//! Two corners a point, on the bisector of the two directions that meet there (a miter). At a sharp fold the bisector
//! would run far out; it is cut off at twice the half width.

use godot::builtin::{PackedInt32Array, PackedVector2Array, Vector2};

/// The longest miter in half widths.
const MOST_MITER: f32 = 2.0;

/// Fills `corners` (two for each of `line`, left then right) for a strip of `width`.
pub fn corners(line: &[Vector2], width: f32, corners: &mut PackedVector2Array) {
    let count = line.len();
    if corners.len() != 2 * count {
        corners.resize(2 * count);
    }
    let corners = corners.as_mut_slice();
    let half = 0.5 * width;
    let mut before = Vector2::ZERO;
    for i in 0..count {
        // Coincident points go on in the last direction.
        let after = if i + 1 < count { direction(line[i + 1] - line[i], before) } else { before };
        let before_or_first = if i == 0 { after } else { before };
        let sum = before_or_first + after;
        let length = sum.length();
        // Half the sum is as long as the cosine of half the bend.
        let (along, miter) = if length > 1e-3 { (sum / length, 2.0 / length) } else { (after, 1.0) };
        let side = Vector2::new(along.y, -along.x) * (half * miter.min(MOST_MITER));
        corners[2 * i] = line[i] + side;
        corners[2 * i + 1] = line[i] - side;
        before = after;
    }
}

/// The triangles of a strip over `count` points, as indices of corners.
pub fn indices(count: usize) -> PackedInt32Array {
    let quads = count.saturating_sub(1) as i32;
    (0..quads).flat_map(|k| [0, 1, 2, 1, 3, 2].map(|corner| 2 * k + corner)).collect()
}

/// Texture coordinates of a strip over `count` evenly spaced points: x along it, y across, 0 to 1.
pub fn uvs(count: usize) -> PackedVector2Array {
    let last = count.saturating_sub(1).max(1) as f32;
    (0..count).flat_map(|i| [0.0, 1.0].map(|y| Vector2::new(i as f32 / last, y))).collect()
}

fn direction(way: Vector2, fallback: Vector2) -> Vector2 {
    let length = way.length();
    if length > 1e-6 { way / length } else { fallback }
}
