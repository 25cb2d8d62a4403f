//! The sides of a body's outline, and what is near to them: for whatever touches it in the pile.

use super::SoftBody;
use glam::Vec2;

/// How much farther away in px than it touches a contact is taken down: solving may move the points there.
pub const MARGIN: f32 = 0.5;
/// A contact that is deeper than this after a solution, in px, asks for another.
pub const TOO_DEEP: f32 = 0.1;
/// A slower approach than this in px/s is no strike.
pub const SOFTEST_STRIKE: f32 = 12.0;
/// The side of what touched none.
pub const NONE: u32 = u32::MAX;
/// What has begun too deep comes out by so many px in a substep, or by this part of its depth: it leaves with no more speed than that.
const COMES_OUT: f32 = 0.05;
const COMES_OUT_PART: f32 = 0.01;
/// So many sides beside the last one are the same place.
const BESIDE: usize = 2;

/// How deep a contact is left for now that was so far away when the substep began, in px; negative: in the other body.
pub fn left_deep(begun: f32) -> f32 {
    (-begun - COMES_OUT.max(COMES_OUT_PART * -begun)).max(0.0)
}

/// How a place lies to all sides of an outline. Kept for its rooms.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// The square of how far each is, and its nearest place: 0 at its first point, 1 at the next.
    pub distances: Vec<f32>,
    pub parts: Vec<f32>,
}

impl Sides {
    /// Looks from a place beside a body's frame; whether that is inside of the outline.
    pub fn look(&mut self, body: &SoftBody, at: Vec2) -> bool {
        let count = body.mesh.outline.len();
        let skin = &body.collision.skin;
        self.distances.resize(count, 0.0);
        self.parts.resize(count, 0.0);
        let ends = skin.x[..count + 1].windows(2).zip(skin.y[..count + 1].windows(2));
        let mut crossings = 0u32;
        for ((x, y), (distance, part)) in ends.zip(self.distances.iter_mut().zip(&mut self.parts)) {
            let (from_x, from_y) = (x[0] - at.x, y[0] - at.y);
            let (to_x, to_y) = (x[1] - at.x, y[1] - at.y);
            let (along_x, along_y) = (to_x - from_x, to_y - from_y);
            let length = (along_x * along_x + along_y * along_y).max(f32::MIN_POSITIVE);
            *part = (-(from_x * along_x + from_y * along_y) / length).clamp(0.0, 1.0);
            let (off_x, off_y) = (from_x + along_x * *part, from_y + along_y * *part);
            *distance = off_x * off_x + off_y * off_y;
            // A line to the right crosses the side.
            let crosses = ((from_y > 0.0) != (to_y > 0.0)) & ((from_x * to_y - from_y * to_x > 0.0) == (to_y > from_y));
            crossings += u32::from(crosses);
        }
        crossings % 2 == 1
    }

    /// The nearest one of those that are `wanted`.
    pub fn nearest(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let sides = (0..self.distances.len()).filter(|&side| wanted(side));
        sides.min_by(|&a, &b| self.distances[a].total_cmp(&self.distances[b]))
    }

    /// Whether a side is beside another one, or that.
    pub fn are_beside(&self, side: usize, other: u32) -> bool {
        let (count, off) = (self.distances.len(), side.abs_diff(other as usize));
        off.min(count - off.min(count)) <= BESIDE
    }
}
