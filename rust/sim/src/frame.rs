//! Poses of nodes, and the local frame of a body.
//!
//! An `f32` has 24 bits: at 1,000,000 px two neighbouring values are 0.06 px apart, which a Verlet step would turn
//! into visible jitter. Every body therefore keeps its points relative to a [`Frame`], a whole-number translation
//! near its anchor, and only what leaves the simulation is converted.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Spacing of frame origins in pixels. A power of two, so that adding and subtracting an origin is exact.
const FRAME_GRID: f32 = 64.0;
/// A frame is moved when its anchor is farther than this from it, in pixels.
const FRAME_REACH: f32 = 256.0;

/// The transform of a node: `point = origin + x * p.x + y * p.y`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Where the node is, in pixels.
    pub origin: Vec2,
    /// Image of the local x axis.
    pub x: Vec2,
    /// Image of the local y axis.
    pub y: Vec2,
}

impl Pose {
    /// A node at the origin, neither turned nor scaled.
    pub const IDENTITY: Pose = Pose { origin: Vec2::ZERO, x: Vec2::X, y: Vec2::Y };

    /// A node at `origin`, neither turned nor scaled.
    pub fn at(origin: Vec2) -> Pose {
        Pose { origin, ..Pose::IDENTITY }
    }

    /// A local vector in global directions, without the translation.
    pub fn turn(&self, local: Vec2) -> Vec2 {
        self.x * local.x + self.y * local.y
    }

    /// A global vector in local directions, without the translation; zero where the node is squeezed flat.
    pub fn unturn(&self, global: Vec2) -> Vec2 {
        let determinant = self.x.perp_dot(self.y);
        if determinant.abs() < f32::MIN_POSITIVE {
            return Vec2::ZERO;
        }
        let local = Vec2::new(global.perp_dot(self.y), self.x.perp_dot(global)) / determinant;
        if local.is_finite() { local } else { Vec2::ZERO }
    }

    /// Whether it shows things mirrored; None: it is flat.
    pub fn is_mirrored(&self) -> Option<bool> {
        let determinant = self.x.perp_dot(self.y);
        (determinant.abs() > f32::MIN_POSITIVE).then_some(determinant < 0.0)
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        self.origin.is_finite() && self.x.is_finite() && self.y.is_finite()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Pose::IDENTITY
    }
}

/// A translation-only frame: `global = origin + local`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    origin: Vec2,
}

impl Frame {
    /// The frame that suits a body anchored at `anchor` (global).
    pub fn near(anchor: Vec2) -> Frame {
        Frame { origin: (anchor / FRAME_GRID).round() * FRAME_GRID }
    }

    /// Where the frame is, in global pixels.
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// A global position relative to this frame.
    pub fn to_local(&self, global: Vec2) -> Vec2 {
        global - self.origin
    }

    /// A position of this frame in global pixels.
    pub fn to_global(&self, local: Vec2) -> Vec2 {
        self.origin + local
    }

    /// A point that `pose` carries at `offset`, relative to this frame. Large numbers cancel before small ones are
    /// added, so nothing is lost far from the origin.
    pub fn carried(&self, pose: &Pose, offset: Vec2) -> Vec2 {
        (pose.origin - self.origin) + pose.turn(offset)
    }

    /// Moves the frame near `anchor` if it is out of reach; returns what to add to every local position then.
    pub fn follow(&mut self, anchor: Vec2) -> Option<Vec2> {
        if (anchor - self.origin).abs().max_element() <= FRAME_REACH {
            return None;
        }
        let next = Frame::near(anchor);
        let shift = self.origin - next.origin;
        *self = next;
        Some(shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_back_undoes_a_turn() {
        let pose = Pose { origin: Vec2::new(7.0, 8.0), x: Vec2::new(2.0, 0.5), y: Vec2::new(-0.3, 1.5) };
        let v = Vec2::new(3.0, -4.0);
        assert!((pose.unturn(pose.turn(v)) - v).length() < 1e-5);
    }

    #[test]
    fn a_flat_pose_turns_back_to_zero() {
        let pose = Pose { origin: Vec2::ZERO, x: Vec2::X, y: Vec2::X };
        assert_eq!(pose.unturn(Vec2::ONE), Vec2::ZERO);
    }

    #[test]
    fn a_frame_moves_only_out_of_reach_and_exactly() {
        let mut frame = Frame::near(Vec2::ZERO);
        assert_eq!(frame.follow(Vec2::new(200.0, 0.0)), None);
        let shift = frame.follow(Vec2::new(1_000_000.0, 0.0)).unwrap_or_default();
        assert_eq!(shift + frame.origin(), Vec2::ZERO);
        assert!((frame.to_local(Vec2::new(1_000_000.0, 0.0))).length() <= FRAME_GRID);
    }
}
