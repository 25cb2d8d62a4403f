//! The nodes at the ends of a rope: holding it, or carried by it.
//!
//! Paths are followed at ready, when they are set, and in every tick as long as they lead nowhere. From then on the node itself is kept: it may be
//! renamed and moved in the tree.

use super::VerletRope2D;
use super::body::key;
use super::kinds::AttachMode;
use crate::convert::{pose, vec2};
use crate::world::riders::seat_all;
use crate::world::{Body, Holder, Rider, Seat, Shown, lock};
use godot::builtin::Vector2Axis;
use godot::classes::RigidBody2D;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::End;

/// What an end is to be tied to.
#[derive(Default)]
pub struct Tie {
    pub path: NodePath,
    pub mode: AttachMode,
    /// Where on the node, local to it.
    pub offset: Vector2,
    /// The node that was found.
    pub node: Option<InstanceId>,
}

/// Why a path is no good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It leads nowhere.
    Missing,
    /// It leads to something that is no Node2D.
    NoNode2D,
    /// The rope hangs below the node in the tree, or is it, and cannot carry it.
    Above,
}

/// The seat of what an end carries.
pub fn seat(end: End) -> Seat {
    match end {
        End::Start => Seat::Start,
        End::End => Seat::End,
    }
}

impl VerletRope2D {
    /// Ties the ends whose nodes were not found yet.
    pub(super) fn tie_missing(&mut self) {
        for end in End::BOTH {
            let tie = &self.ties[end as usize];
            if tie.node.is_some() || tie.path.is_empty() {
                continue;
            }
            if self.find_tie(end).is_ok() {
                self.tie(end);
            } else {
                self.body.flags.untied.store(true, Relaxed);
            }
        }
    }

    /// The node to which the path of an end leads.
    pub(super) fn find_tie(&self, end: End) -> Result<Gd<Node2D>, Flaw> {
        let tie = &self.ties[end as usize];
        let node = self.base().get_node_or_null(&tie.path).ok_or(Flaw::Missing)?;
        let node = node.try_cast::<Node2D>().map_err(|_| Flaw::NoNode2D)?;
        let this = self.to_gd().upcast::<Node>();
        let above = node.instance_id() == this.instance_id() || node.is_ancestor_of(&this);
        if above && (tie.mode == AttachMode::RopeCarriesNode || node.instance_id() == this.instance_id()) {
            return Err(Flaw::Above);
        }
        Ok(node)
    }

    /// Ties an end anew as its path, mode and offset say.
    pub(super) fn tie(&mut self, end: End) {
        if !self.base().is_inside_tree() {
            return;
        }
        self.untie(end);
        if self.ties[end as usize].path.is_empty() {
            lock(&self.body.rope).attach(end, None);
            return self.changed();
        }
        let Ok(node) = self.find_tie(end) else {
            lock(&self.body.rope).attach(end, None);
            self.body.flags.untied.store(true, Relaxed);
            return self.changed();
        };
        let transform = node.get_global_transform();
        let id = node.instance_id();
        let is_rigid = node.clone().try_cast::<RigidBody2D>().is_ok();
        let other = &self.ties[end.other() as usize];
        let other_yields = is_rigid && other.node == Some(id) && other.mode == AttachMode::Auto;
        let tie = &mut self.ties[end as usize];
        tie.node = Some(id);
        if tie.mode == AttachMode::RopeCarriesNode {
            let along = self.end_rotates.then_some(Vector2Axis::Y);
            let rider = Rider {
                node: id,
                seat: seat(end),
                offset: tie.offset,
                along,
                shown: Shown::at(transform),
                seated: false,
            };
            lock(&self.body.rope).attach(end, None);
            self.body.seat_rider(rider);
            // At once: it must not be shown where it was.
            self.catch_up();
            let body = Arc::clone(&self.body);
            let _guard = self.base_mut();
            seat_all(body.as_ref(), false, true);
        } else if transform.is_finite() {
            let mut holders = lock(&self.body.holders);
            // A rigid body is pulled by what it holds.
            let yields = tie.mode == AttachMode::Auto && is_rigid;
            match holders.iter_mut().find(|holder| holder.node == id) {
                Some(holder) => holder.yields = yields || other_yields,
                None => holders.push(Holder { node: id, shown: Shown::at(transform), yields }),
            }
            drop(holders);
            self.body.flags.held.store(true, Relaxed);
            let holder = supple_sim::rope::Holder { key: key(id), pose: pose(transform) };
            lock(&self.body.rope).attach(end, Some((holder, vec2(tie.offset))));
            self.body.sort_holders();
        }
        self.changed();
    }

    /// What an end carried or was held by is so no more.
    pub(super) fn untie(&mut self, end: End) {
        if self.ties[end as usize].node.is_some() {
            self.body.wake_bodies();
        }
        self.ties[end as usize].node = None;
        lock(&self.body.riders).retain(|rider| rider.seat != seat(end));
        self.body.flags.unsorted.store(true, Relaxed);
    }

    /// Whether an end is tied to a node that holds it.
    pub(super) fn is_held_by_tie(&self, end: End) -> bool {
        let tie = &self.ties[end as usize];
        tie.node.is_some() && tie.mode != AttachMode::RopeCarriesNode
    }

    /// Forgets what an end was tied to because it is gone.
    pub(super) fn forget_tie(&mut self, end: End) {
        self.untie(end);
        self.ties[end as usize].path = NodePath::default();
        self.changed();
    }

    pub(super) fn attach(&mut self, end: End, node: Option<Gd<Node2D>>, offset: Vector2) {
        let callee = self.callee(match end {
            End::Start => "attach_start()",
            End::End => "attach_end()",
        });
        let Some(offset) = callee.place("offset", offset) else { return };
        let path = match node {
            None => NodePath::default(),
            Some(node) if self.base().is_inside_tree() && node.is_inside_tree() => {
                let this = self.to_gd().upcast::<Node>();
                let carries = self.ties[end as usize].mode == AttachMode::RopeCarriesNode;
                let above = node.instance_id() == this.instance_id() || (carries && node.is_ancestor_of(&this));
                if above {
                    return callee.complain("node is this rope or above it in the tree, the rope cannot be tied to it");
                }
                self.base().get_path_to(&node)
            }
            Some(_) => return callee.complain("node and this rope must both be in the tree"),
        };
        let tie = &mut self.ties[end as usize];
        (tie.path, tie.offset) = (path, offset);
        self.tie(end);
    }

    pub(super) fn set_tie(&mut self, end: End, change: impl FnOnce(&mut Tie)) {
        change(&mut self.ties[end as usize]);
        // Before ready the other nodes of the scene may be missing.
        if self.base().is_node_ready() {
            self.tie(end);
        }
    }

    pub(super) fn retie_riders(&mut self) {
        let along = self.end_rotates.then_some(Vector2Axis::Y);
        let ends = [Seat::Start, Seat::End];
        lock(&self.body.riders)
            .iter_mut()
            .filter(|rider| ends.contains(&rider.seat))
            .for_each(|rider| rider.along = along);
        self.touch();
    }
}
