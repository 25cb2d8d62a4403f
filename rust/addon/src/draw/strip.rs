//! A strip of triangles along a line, as wide as a brush.
//!
//! Two corners a point, on the bisector of the two directions that meet there (a miter). At a sharp fold the bisector
//! would run far out; it is cut off at twice the half width.

use godot::builtin::Vector2;

/// The longest miter in half widths.
const MOST_MITER: f32 = 2.0;

/// Fills `corners` (two for each of `line`, left then right) for a strip of `width`.
pub fn corners(line: &[Vector2], width: f32, corners: &mut Vec<Vector2>) {
    corners.clear();
    let half = 0.5 * width;
    let mut before = Vector2::ZERO;
    for (i, &point) in line.iter().enumerate() {
        // Coincident points go on in the last direction.
        let after = line.get(i + 1).map_or(before, |&next| direction(next - point, before));
        let sum = if i == 0 { after + after } else { before + after };
        let length = sum.length();
        // Half the sum is as long as the cosine of half the bend.
        let (along, miter) = if length > 1e-3 { (sum / length, 2.0 / length) } else { (after, 1.0) };
        let side = Vector2::new(along.y, -along.x) * (half * miter.min(MOST_MITER));
        corners.extend([point + side, point - side]);
        before = after;
    }
}

/// Texture coordinates of a strip over `count` evenly spaced points: x along it, y across, 0 to 1.
pub fn uvs(count: usize) -> impl Iterator<Item = Vector2> {
    let last = count.saturating_sub(1).max(1) as f32;
    (0..count).flat_map(move |i| [0.0, 1.0].map(|y| Vector2::new(i as f32 / last, y)))
}

fn direction(way: Vector2, fallback: Vector2) -> Vector2 {
    let length = way.length();
    if length > 1e-6 { way / length } else { fallback }
}
