//! What cuts a rope: bodies and areas on the layers of its cut mask that go over it.
//!
//! What goes over it is found right after the step. It is cut later in the tick, when nothing is borrowed. A blade cuts once until it has left the rope, and
//! the parts that it has made know of it.

use super::VerletRope2D;
use super::body::{RopeBody, instance, key};
use super::parts;
use crate::world::{Demand, lock};
use godot::classes::Node2D;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, Colliders};

/// What is so near may reach the rope within two ticks, in px: it has to be known before, to know from where it comes.
const MARGIN: f32 = 320.0;

/// What a rope knows of blades.
#[derive(Debug, Default)]
pub struct Blades {
    /// Bodies that are on it, by their keys.
    inside: Vec<u64>,
    /// Those that are to cut it in this tick, as they went.
    due: Vec<Collider>,
    found: Vec<u32>,
}

impl RopeBody {
    /// Where it may be cut.
    pub(super) fn cut_demand(&self) -> Option<Demand> {
        let mask = self.cut_mask.load(Relaxed);
        let bounds = lock(&self.rope).way_bounds();
        let bounds = Bounds { min: bounds.min - MARGIN, max: bounds.max + MARGIN };
        (mask != 0).then_some(Demand { bounds, mask, one_way_mask: 0 })
    }

    /// Takes down what went over it in this tick.
    pub(super) fn notice_blades(&self, node: &Gd<Node2D>, found: &[Colliders]) {
        let mask = self.cut_mask.load(Relaxed);
        let blades = &mut *lock(&self.blades);
        blades.due.clear();
        if found.is_empty() {
            return blades.inside.clear();
        }
        let mut own = vec![key(node.instance_id())];
        own.extend(lock(&self.holders).iter().map(|holder| key(holder.node)));
        own.extend(lock(&self.riders).iter().map(|rider| key(rider.node)));
        let rope = lock(&self.rope);
        let bounds = rope.way_bounds();
        let more = Vec2::splat(rope.reach_of_skin());
        let bounds = Bounds { min: bounds.min - more, max: bounds.max + more };
        let mut inside = Vec::new();
        for colliders in found {
            colliders.near(&bounds, mask, &mut blades.found);
            for blade in blades.found.iter().map(|&index| &colliders.all()[index as usize]) {
                let body = blade.key.body;
                if own.contains(&body) || self.lets_through(body) || rope.swept(blade, 0).is_none() {
                    continue;
                }
                if !inside.contains(&body) {
                    inside.push(body);
                }
                if !blades.inside.contains(&body) {
                    blades.due.push(blade.clone());
                }
            }
        }
        blades.inside = inside;
        self.flags.reports.fetch_or(!blades.due.is_empty(), Relaxed);
    }
}

/// Cuts what blades went over in this tick. Nothing is borrowed.
pub fn report(this: &Gd<VerletRope2D>, body: &RopeBody) {
    let (due, inside) = {
        let blades = &mut *lock(&body.blades);
        (std::mem::take(&mut blades.due), blades.inside.clone())
    };
    if due.is_empty() || !this.is_inside_tree() {
        return;
    }
    let mut ropes = vec![this.clone()];
    let mut cuts = Vec::new();
    for blade in due.iter().filter(|blade| is_no_rope(blade)) {
        for rope in ropes.clone() {
            let made = parts::divide_all(rope, |rope, after| rope.swept(blade, after));
            ropes.extend(made.iter().map(|(_, rest)| rest.clone()));
            cuts.extend(made);
        }
    }
    for (_, rest) in cuts.iter().filter(|(_, rest)| rest.is_instance_valid()) {
        lock(&rest.bind().body.blades).inside.clone_from(&inside);
    }
    cuts.into_iter().for_each(|(before, rest)| parts::tell_split(before, rest));
}

/// Ropes do not cut each other by being there.
fn is_no_rope(blade: &Collider) -> bool {
    let node = instance(blade.key.body).and_then(|id| Gd::<VerletRope2D>::try_from_instance_id(id).ok());
    node.is_none()
}

impl VerletRope2D {
    pub(super) fn change_cut_mask(&mut self, mask: u32) {
        self.body.cut_mask.store(mask, Relaxed);
        self.body.flags.cuttable.store(mask != 0, Relaxed);
        self.changed();
    }
}
