//! Places along a rope, by the way along its points from the start in px.

use super::Rope;
use glam::Vec2;

/// A point of a rope, told so that winding does not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The first point.
    Start,
    /// The last point.
    End,
    /// One between them, by the index that it had when the rope was laid out.
    Inner(i64),
}

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

    /// The point with this index, told so that winding does not change it.
    pub fn piece_of(&self, index: usize) -> Piece {
        match index {
            0 => Piece::Start,
            index if index >= self.lengths.len() => Piece::End,
            index => Piece::Inner(index as i64 - self.reeled),
        }
    }

    /// The index of a point; None if it has been wound in.
    pub fn index_of(&self, piece: Piece) -> Option<usize> {
        match piece {
            Piece::Start => Some(0),
            Piece::End => Some(self.lengths.len()),
            Piece::Inner(piece) => {
                usize::try_from(piece + self.reeled).ok().filter(|&index| index > 0 && index < self.lengths.len())
            }
        }
    }

    /// The link, and the part of it, where a point is, or, if it has been wound in, where that was.
    pub fn link_of(&self, piece: Piece) -> (usize, f32) {
        let links = self.lengths.len();
        let index = match (self.index_of(piece), piece) {
            (Some(index), _) => index,
            (None, Piece::Inner(piece)) => (piece + self.reeled).clamp(0, links as i64) as usize,
            (None, _) => 0,
        };
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
            let long = self.points.position(k).distance(self.points.position(k + 1));
            let (t, distance) = self.nearest_on_link(k, to);
            if distance < best {
                (best, offset) = (distance, gone + t * long);
            }
            gone += long;
        }
        offset
    }

    /// The part of link `k` at its place nearest to `to` (relative to the frame), and how far away that is.
    pub(super) fn nearest_on_link(&self, k: usize, to: Vec2) -> (f32, f32) {
        let a = self.points.position(k);
        let link = self.points.position(k + 1) - a;
        let t = ((to - a).dot(link) / link.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (t, (a + link * t).distance(to))
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
