//! Sleeping bodies, and whether what changes reaches them.

use super::Demand;
use super::change::Change;
use crate::world::Body;
use godot::prelude::*;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Convex, RigidPose, Shape};

/// A body that sleeps.
pub struct Sleeper {
    pub node: InstanceId,
    pub body: Arc<dyn Body>,
    pub demand: Demand,
    /// The keys of the bodies that it touches.
    pub touched: Vec<u64>,
}

impl Sleeper {
    pub fn new(node: InstanceId, body: &Arc<dyn Body>, demand: Demand) -> Sleeper {
        let mut touched = Vec::new();
        body.for_each_touched(&mut |key| touched.push(key));
        Sleeper { node, body: Arc::clone(body), demand, touched }
    }

    /// Whether a change reaches into its box, and it would notice that.
    pub fn is_reached_by(&self, change: &Change) -> bool {
        let bounds = &self.demand.bounds;
        if self.demand.mask & change.layers == 0 {
            return false;
        }
        let ahead = Bounds { min: bounds.min - change.ahead, max: bounds.max - change.ahead };
        let reached = touches(&change.shape, &change.pose, bounds) || touches(&change.shape, &change.pose, &ahead);
        reached && !self.body.lets_through(change.body)
    }
}

/// Whether a shape at a pose has a point in a box.
fn touches(shape: &Shape, pose: &RigidPose, bounds: &Bounds) -> bool {
    let back = Vec2::from_angle(-pose.angle);
    let [a, b] = [bounds.min, bounds.max];
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)].map(|corner| back.rotate(corner - pose.origin));
    let mut touched = false;
    shape.pieces_in(&Bounds::of(corners), |index| touched = touched || overlap(&shape.pieces()[index], &corners));
    touched
}

/// Whether a convex piece and a rectangle overlap: no line through a face of either parts them (S. Gottschalk 1996). Rounded corners count
/// as square ones.
fn overlap(piece: &Convex, corners: &[Vec2; 4]) -> bool {
    let faces = piece.normals.iter().zip(&piece.offsets);
    let behind_faces = faces.clone().all(|(normal, offset)| {
        let nearest = corners.iter().map(|corner| normal.dot(*corner)).fold(f32::INFINITY, f32::min);
        nearest <= offset + piece.radius
    });
    if !behind_faces || piece.corners.is_empty() {
        return behind_faces;
    }
    let sides = [corners[1] - corners[0], corners[3] - corners[0]];
    sides.iter().all(|side| {
        let Some(axis) = side.try_normalize() else { return true };
        let span = |points: &[Vec2]| {
            let along = points.iter().map(|point| axis.dot(*point));
            along.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), at| (least.min(at), most.max(at)))
        };
        let ((own_least, own_most), (least, most)) = (span(corners), span(&piece.corners));
        own_least <= most + piece.radius && least - piece.radius <= own_most
    })
}
