//! A transform as a rigid pose and what is left of it: scale, mirror and skew.

use crate::convert::vec2;
use godot::prelude::*;
use std::f32::consts::{PI, TAU};
use supple_sim::Vec2;
use supple_sim::collide::RigidPose;

/// A side shorter than this has no direction.
const FLAT: f32 = 1e-9;
/// A form is baked anew if a side differs by more than this part of it: less is rounding, as of a body that turns.
const SAME: f32 = 1e-5;

/// What is left of a transform without its place and rotation: the columns of a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    pub x: Vec2,
    pub y: Vec2,
}

impl Stretch {
    /// Whether they differ by rounding only.
    pub fn is_like(&self, other: &Stretch) -> bool {
        let most = SAME * self.x.length().max(self.y.length());
        self.x.distance(other.x) <= most && self.y.distance(other.y) <= most
    }

    /// Whether only one of them is mirrored.
    pub fn is_mirror_of(&self, other: &Stretch) -> bool {
        self.x.perp_dot(self.y) * other.x.perp_dot(other.y) < 0.0
    }

    /// From where a one-way shape is met: against its y axis.
    pub fn up(&self) -> Vec2 {
        -self.y.normalize_or(Vec2::Y)
    }
}

/// Takes a transform apart; None if it is not finite.
pub fn take_apart(transform: Transform2D) -> Option<(RigidPose, Stretch)> {
    if !transform.is_finite() {
        return None;
    }
    let (x, y) = (vec2(transform.a), vec2(transform.b));
    let along = if x.length() > FLAT { x } else { -y.perp() };
    let angle = if along.length() > FLAT { along.to_angle() } else { 0.0 };
    let back = Vec2::from_angle(-angle);
    Some((RigidPose { origin: vec2(transform.origin), angle }, Stretch { x: back.rotate(x), y: back.rotate(y) }))
}

/// `from` with an angle not more than half a turn from that of `to`.
pub fn unwind(from: RigidPose, to: &RigidPose) -> RigidPose {
    let turn = (to.angle - from.angle + PI).rem_euclid(TAU) - PI;
    RigidPose { angle: to.angle - turn, ..from }
}
