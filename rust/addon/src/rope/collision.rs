//! What a rope collides with: its properties, and the bodies it lets through. Signals of contacts are those of [`contacts`].

use super::VerletRope2D;
use super::body::{Event, RopeBody, key};
use crate::contacts::{self, add_bodies_above, add_bodies_below, layer_bit, node_of, part_with};
use crate::world::{Demand, lock, neighbourhood};
use godot::classes::{Node2D, PhysicsMaterial};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{CollisionSettings, MOST_FORCE, MOST_RADIUS, Touch};
use supple_sim::tick::Tick;

impl RopeBody {
    /// Where it may touch something in a tick; None: it collides with nothing.
    pub(super) fn demand(&self, delta: f32) -> Option<Demand> {
        let one_way_mask = self.one_way_mask.load(Relaxed);
        let rope = lock(&self.rope);
        let CollisionSettings { mask, layer, .. } = rope.settings().collision;
        if layer != 0 {
            // Whoever comes near has to be known, whatever its layers are.
            let bounds = neighbourhood(&rope.reach(delta));
            return Some(Demand { bounds, mask: u32::MAX, one_way_mask });
        }
        (mask != 0).then(|| Demand { bounds: rope.reach(delta), mask, one_way_mask })
    }

    /// Whether it goes through a body.
    pub(super) fn lets_through(&self, body: u64) -> bool {
        lock(&self.collision).lets_through(body)
    }

    /// Finds out through which bodies it goes: those that the user says, and what holds it, carries it, or rides on it.
    pub(super) fn find_exceptions(&self, node: &Gd<Node2D>) {
        let mut keys = Vec::new();
        let collision = lock(&self.collision);
        let attached = collision.exclude_attached;
        keys.extend(collision.exceptions.iter().map(|&id| key(id)));
        drop(collision);
        if attached {
            add_bodies_above(node.clone().upcast(), &mut keys);
            let ids = |ids: &mut dyn Iterator<Item = InstanceId>| ids.collect::<Vec<_>>();
            let holders = ids(&mut lock(&self.holders).iter().map(|holder| holder.node));
            let riders = ids(&mut lock(&self.riders).iter().map(|rider| rider.node));
            contacts::add_anchors(&holders, &mut keys);
            holders.into_iter().filter_map(node_of).for_each(|holder| add_bodies_above(holder, &mut keys));
            riders.into_iter().filter_map(node_of).for_each(|rider| add_bodies_below(&rider, &mut keys));
        }
        self.note_attached(&keys);
        keys.extend_from_slice(&lock(&self.present).company.walkers);
        keys.sort_unstable();
        keys.dedup();
        let mut collision = lock(&self.collision);
        if keys != collision.let_through {
            collision.let_through.clone_from(&keys);
            self.excepts_anew.store(true, Relaxed);
        }
        drop(collision);
        // The core may be another than last time: a restored one, or the rest of a cut one.
        let mut rope = lock(&self.rope);
        rope.set_key(key(node.instance_id()));
        rope.set_exceptions(keys);
    }

    /// Other characters than before are met by its presence only.
    pub(super) fn exchange_walkers(&self, before: &[u64], now: &[u64]) {
        let mut collision = lock(&self.collision);
        collision.let_through.retain(|key| before.binary_search(key).is_err());
        collision.let_through.extend_from_slice(now);
        collision.let_through.sort_unstable();
        collision.let_through.dedup();
        let keys = collision.let_through.clone();
        drop(collision);
        lock(&self.rope).set_exceptions_quietly(keys);
        // One of them may also hold it.
        self.flags.unsorted.store(true, Relaxed);
    }

    /// Takes down what a tick has brought; the rope is locked.
    pub(super) fn note_contacts(&self, touches: &[Touch], tick: &Tick) {
        let changed = lock(&self.collision).note(touches, tick.time, |touch| self.tell(Event::Impact(*touch)));
        self.flags.reports.fetch_or(changed, Relaxed);
    }

    /// The keys of what it touches, sorted.
    pub(super) fn touched_keys(&self) -> Vec<u64> {
        lock(&self.rope).touches().iter().map(|touch| touch.key.body).collect()
    }
}

impl VerletRope2D {
    pub(super) fn collision_settings(&self) -> CollisionSettings {
        self.settings().collision
    }

    fn set_collision(&mut self, change: impl FnOnce(&mut CollisionSettings)) {
        self.set(|settings| change(&mut settings.collision));
    }

    pub(super) fn change_mask(&mut self, mask: u32) {
        self.set_collision(|settings| settings.mask = mask);
    }

    pub(super) fn change_mask_value(&mut self, layer: i32, value: bool) {
        let callee = self.callee("set_collision_mask_value()");
        let Some(bit) = layer_bit(&callee, layer) else { return };
        let mask = self.collision_settings().mask;
        self.change_mask(if value { mask | bit } else { mask & !bit });
    }

    pub(super) fn mask_value(&self, layer: i32) -> bool {
        let bit = layer_bit(&self.callee("get_collision_mask_value()"), layer);
        bit.is_some_and(|bit| self.collision_settings().mask & bit != 0)
    }

    pub(super) fn change_radius(&mut self, radius: f64) {
        let Some(radius) = self.callee("collision_radius").number(radius, 0.0..=MOST_RADIUS) else { return };
        *lock(&self.body.own_radius) = radius;
        self.follow_width();
    }

    /// Brings the radius with which it collides in line with its width.
    pub(super) fn follow_width(&mut self) {
        let own = *lock(&self.body.own_radius);
        let radius = if own > 0.0 { own } else { 0.5 * lock(&self.body.look).width };
        let before = self.collision_settings();
        if before.radius == radius {
            return;
        }
        // A thicker one may reach what it did not touch.
        let sleeps_on = {
            let rope = lock(&self.body.rope);
            rope.is_sleeping() && rope.touches().is_empty() && (radius < before.radius || before.mask == 0)
        };
        self.set_collision(|settings| settings.radius = radius.min(MOST_RADIUS));
        if sleeps_on {
            self.rope().sleep();
        }
    }

    /// A restored rope brought its own radius.
    pub(super) fn follow_saved_radius(&mut self) {
        let (radius, half) = (self.collision_settings().radius, 0.5 * lock(&self.body.look).width);
        // The state does not tell whether it followed the width. One that was set to just this stays set.
        let own = &mut *lock(&self.body.own_radius);
        if *own != radius {
            *own = if radius == half { 0.0 } else { radius };
        }
    }

    pub(super) fn change_material(&mut self, material: Option<Gd<PhysicsMaterial>>) {
        let callback = self.to_gd().callable("_material_changed");
        let before = std::mem::replace(&mut self.physics_material_override, material);
        if before == self.physics_material_override {
            return;
        }
        if let Some(mut before) = before {
            before.disconnect("changed", &callback);
        }
        if let Some(now) = &mut self.physics_material_override {
            now.connect("changed", &callback);
        }
        self.follow_material();
    }

    fn follow_material(&mut self) {
        let (friction, bounce) = contacts::surface(self.physics_material_override.as_ref());
        self.set_collision(|own| (own.friction, own.bounce) = (friction, bounce));
    }

    pub(super) fn change_exclude_attached(&mut self, exclude: bool) {
        lock(&self.body.collision).exclude_attached = exclude;
        self.sort_anew();
    }

    pub(super) fn change_one_way_mask(&mut self, mask: u32) {
        self.body.one_way_mask.store(mask, Relaxed);
        self.rope().wake();
        self.touch();
    }

    /// Bodies that it touches now have not come when it begins to tell of them: then they come in the next tick.
    pub(super) fn change_contact_monitor(&mut self, monitored: bool) {
        lock(&self.body.collision).monitored = monitored;
        self.body.flags.reports.fetch_or(monitored, Relaxed);
        if !monitored {
            let this = self.to_gd().upcast();
            let entered = lock(&self.body.collision).take_entered();
            entered.into_iter().for_each(|body| drop(part_with(&this, body)));
        }
        self.changed();
    }

    pub(super) fn change_impact_threshold(&mut self, threshold: f64) {
        let Some(threshold) = self.callee("impact_threshold").number(threshold, 0.0..=MOST_FORCE) else { return };
        lock(&self.body.collision).impact_threshold = threshold;
        self.changed();
    }

    pub(super) fn colliding_bodies(&self) -> Array<Gd<Node2D>> {
        if !lock(&self.body.collision).monitored {
            self.callee("get_colliding_bodies()").complain("contact_monitor is off, turn it on first");
            return Array::new();
        }
        if !self.base().is_inside_tree() {
            return Array::new();
        }
        contacts::nodes(self.body.touched_keys())
    }

    pub(super) fn except(&mut self, body: Option<Gd<Node>>, except: bool) {
        let callee =
            self.callee(if except { "add_collision_exception_with()" } else { "remove_collision_exception_with()" });
        let Some(id) = contacts::body_argument(&callee, body) else { return };
        lock(&self.body.collision).except(id, except);
        self.sort_anew();
    }

    pub(super) fn exceptions(&self) -> Array<Gd<Node2D>> {
        let ids = lock(&self.body.collision).exceptions.clone();
        contacts::living(ids)
    }

    /// Looks anew through which bodies it goes.
    pub(super) fn sort_anew(&mut self) {
        if is_main_thread() && self.base().is_inside_tree() {
            self.body.find_exceptions(&self.to_gd().upcast());
        }
        self.body.flags.unsorted.store(true, Relaxed);
        self.rope().wake();
        self.touch();
    }

    /// It leaves the tree, and so touches nothing any more.
    pub(super) fn leave_contacts(&mut self) {
        let this = self.to_gd().upcast();
        let entered = lock(&self.body.collision).forget();
        let _guard = self.base_mut();
        contacts::leave(&this, entered);
    }

    /// What the rest of a cut rope takes over.
    pub(super) fn take_exceptions(&mut self, other: &RopeBody) {
        let exceptions = lock(&other.collision).exceptions.clone();
        lock(&self.body.collision).exceptions = exceptions;
        self.body.flags.unsorted.store(true, Relaxed);
    }
}

#[godot_api(secondary)]
impl VerletRope2D {
    /// Its material was changed. It may come at any time: nothing is bound here.
    #[func(gd_self)]
    fn _material_changed(mut this: Gd<Self>) {
        this.bind_mut().follow_material();
    }

    /// A body that it touches leaves the tree.
    #[func(gd_self)]
    fn _body_leaves(this: Gd<Self>, body: i64) {
        let shared = Arc::clone(&this.bind().body);
        contacts::leaves(&this.upcast(), &shared.collision, body as u64);
    }
}
