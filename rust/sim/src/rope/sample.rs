//! Places along a rope, by the way along its points from the start in px.

use super::Rope;
use glam::Vec2;

/// A place on a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where it is, in global px.
    pub position: Vec2,
    /// The direction towards the end there, a unit vector that turns evenly along the rope.
    pub direction: Vec2,
    /// Its velocity in px/s.
    pub velocity: Vec2,
}

impl Rope {
    /// The link, and the part of it, at `offset` px from the start; beyond the ends, the end.
    pub fn link_at(&self, offset: f32) -> (usize, f32) {
        let links = self.lengths.len();
        let mut left = offset.max(0.0);
        for k in 0..links {
            let long = self.points.position(k).distance(self.points.position(k + 1));
            if left <= long {
                return (k, if long > 0.0 { left / long } else { 0.0 });
            }
            left -= long;
        }
        (links - 1, 1.0)
    }

    /// The link, and the part of it, where a point is that had the index `point` before winding ([`Rope::reeled`]).
    pub fn link_of_point(&self, point: i64) -> (usize, f32) {
        let links = self.lengths.len();
        let index = (point + self.reeled).clamp(0, links as i64) as usize;
        if index < links { (index, 0.0) } else { (links - 1, 1.0) }
    }

    /// The place at `offset` px from the start; beyond the ends, the end.
    pub fn sample(&self, offset: f32) -> Sample {
        let (link, part) = self.link_at(offset);
        self.sample_link(link, part)
    }

    /// The place at the part `t` of link `k`.
    pub fn sample_link(&self, k: usize, t: f32) -> Sample {
        let position = self.points.position(k).lerp(self.points.position(k + 1), t);
        let (from, to) = (self.direction_at(k), self.direction_at(k + 1));
        let direction = from.lerp(to, t).try_normalize().unwrap_or(to);
        let velocity = self.velocity(k).lerp(self.velocity(k + 1), t);
        Sample { position: self.frame.to_global(position), direction, velocity }
    }

    /// The way along the points to the place nearest to `to` (global).
    pub fn closest_offset(&self, to: Vec2) -> f32 {
        let to = self.frame.to_local(to);
        let (mut best, mut offset, mut gone) = (f32::INFINITY, 0.0, 0.0);
        for k in 0..self.lengths.len() {
            let a = self.points.position(k);
            let link = self.points.position(k + 1) - a;
            let long = link.length();
            let t = if long > 0.0 { ((to - a).dot(link) / (long * long)).clamp(0.0, 1.0) } else { 0.0 };
            let distance = (a + link * t).distance_squared(to);
            if distance < best {
                (best, offset) = (distance, gone + t * long);
            }
            gone += long;
        }
        offset
    }

    /// Direction of the rope at point `i`: the mean of its two links.
    fn direction_at(&self, i: usize) -> Vec2 {
        let link = |k: usize| (self.points.position(k + 1) - self.points.position(k)).normalize_or_zero();
        let links = self.lengths.len();
        let before = if i > 0 { link(i - 1) } else { Vec2::ZERO };
        let after = if i < links { link(i) } else { Vec2::ZERO };
        (before + after).try_normalize().unwrap_or(if i > 0 { before } else { after })
    }
}
