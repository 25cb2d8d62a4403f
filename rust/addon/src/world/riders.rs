//! Nodes that ride on a body: carried by its end, or anchored to one of its points.
//!
//! They are put in their places at the end of the step, so that whatever reads them later in the tick finds them there. A frame may show them elsewhere,
//! as children of a node that was moved since: then the body is drawn through them.

use super::{Body, Shown};
use godot::builtin::Vector2Axis;
use godot::classes::{AnimatableBody2D, Node2D};
use godot::prelude::*;
use std::f32::consts::FRAC_PI_2;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::Piece as PointOf;

/// A node that rides on a body.
#[derive(Clone, Debug)]
pub struct Rider {
    /// The node.
    pub node: InstanceId,
    /// Where on the body it sits.
    pub seat: Seat,
    /// The place on the node, local to it, that is there.
    pub offset: Vector2,
    /// The axis of the node that points along the body there; None: the node keeps its rotation.
    pub along: Option<Vector2Axis>,
    /// Where the engine has it.
    pub shown: Shown,
    /// It has been put in its place.
    pub seated: bool,
}

/// A place on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seat {
    /// The first or the last point; the direction is away from the body.
    Start,
    /// See [`Seat::Start`].
    End,
    /// A point.
    Point(PointOf),
    /// So many px along a rope.
    Along(f32),
}

/// Where a seat is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Global position.
    pub position: Vector2,
    /// Direction of the body there, an angle in radians.
    pub angle: f32,
    /// Velocity in px/s.
    pub velocity: Vector2,
}

impl Rider {
    /// Brings the node to its place; true if it was elsewhere. Its scale stays as it is, to the last bit.
    pub fn sit(&self, node: &mut Gd<Node2D>, place: &Place) -> bool {
        if !(place.position.is_finite() && place.angle.is_finite()) {
            return false;
        }
        let before = node.get_global_transform();
        let mut now = before;
        if let Some(axis) = self.along {
            // By its rotation alone, in its parent's coordinates: its scale stays as it is, mirrored or not.
            let parent = before * node.get_transform().affine_inverse();
            let along = parent.affine_inverse().basis_xform(Vector2::from_angle(place.angle));
            let scale = node.get_scale();
            let rotation = match axis {
                Vector2Axis::X => (along * scale.x.signum()).angle(),
                Vector2Axis::Y => (along * scale.y.signum()).angle() - FRAC_PI_2 - node.get_skew(),
            };
            if rotation.is_finite() && rotation != node.get_rotation() {
                if node.clone().try_cast::<AnimatableBody2D>().is_ok() {
                    // Synchronised with physics it takes back what is set, and only the last set counts.
                    let turned =
                        Transform2D::from_angle_scale_skew_origin(rotation, scale, node.get_skew(), Vector2::ZERO);
                    now = parent * turned;
                    now.origin = place.position - now.basis_xform(self.offset);
                    node.set_global_transform(now);
                    return true;
                }
                node.set_rotation(rotation);
                now = node.get_global_transform();
            }
        }
        let origin = place.position - now.basis_xform(self.offset);
        if now.origin != origin {
            node.set_global_position(origin);
        }
        before.origin != origin || before != now
    }
}

/// Puts the riders of a body in their places; true if there are any. No world may be borrowed. `still`: the body has not moved.
/// `jumped`: they are not to be shown on their way.
pub fn seat_all(body: &dyn Body, still: bool, jumped: bool) -> bool {
    // Nothing is locked while the engine moves a node: its script may be told, and may tie and untie.
    for index in 0.. {
        let Some(rider) = body.riders().get(index).cloned() else { break };
        let Ok(mut node) = Gd::<Node2D>::try_from_instance_id(rider.node) else { continue };
        if still && rider.seated && !jumped && node.get_global_transform() == rider.shown.noticed {
            continue;
        }
        let Some(place) = body.seat(&rider.seat).filter(|_| node.is_inside_tree()) else { continue };
        if rider.sit(&mut node, &place) {
            // The body is drawn through what rides on it.
            body.flags().dirty.store(true, Relaxed);
            if jumped {
                node.reset_physics_interpolation();
            }
        }
        if !node.is_instance_valid() {
            continue;
        }
        let now = node.get_global_transform();
        let mut riders = body.riders();
        if let Some(seated) = riders.iter_mut().find(|other| other.node == rider.node && other.seat == rider.seat) {
            seated.seated = true;
            seated.shown = Shown { before: if jumped { now } else { rider.shown.noticed }, noticed: now };
        }
    }
    let mut lost = Vec::new();
    let mut riders = body.riders();
    riders.retain(|rider| {
        let there = rider.node.lookup_validity();
        if !there {
            lost.push(rider.clone());
        }
        there
    });
    let any = !riders.is_empty();
    drop(riders);
    lost.iter().for_each(|rider| body.lost(rider));
    any
}
