//! What a soft body collides with: its properties, and the bodies it lets through. Signals of contacts are those of [`contacts`].

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::contacts::{self, add_bodies_above, add_bodies_below, layer_bit, node_of, part_with};
use crate::convert::key;
use crate::world::{Demand, lock, neighbourhood};
use godot::classes::{Node2D, PhysicsMaterial};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{CollisionSettings, MOST_FORCE};

impl SharedSoft {
    /// Where it may touch something in a tick; None: it collides with nothing.
    pub(super) fn demand_of(&self, delta: f32) -> Option<Demand> {
        let one_way_mask = self.one_way_mask.load(Relaxed);
        let core = lock(&self.core);
        let CollisionSettings { mask, layer, .. } = core.settings().collision;
        if layer != 0 {
            // Whoever comes near has to be known, whatever its layers are.
            return Some(Demand { bounds: neighbourhood(&core.reach(delta)), mask: u32::MAX, one_way_mask });
        }
        (mask != 0).then(|| Demand { bounds: core.reach(delta), mask, one_way_mask })
    }

    /// Finds out through which bodies it goes: those that the user says, what is above or below its node in the tree, and what holds it or rides on it.
    pub(super) fn sort_exceptions(&self, node: &Gd<Node2D>) {
        let (mut keys, attached): (Vec<u64>, bool) = {
            let contacts = lock(&self.contacts);
            (contacts.exceptions.iter().map(|&id| key(id)).collect(), contacts.exclude_attached)
        };
        if attached {
            add_bodies_above(node.clone().upcast(), &mut keys);
            add_bodies_below(&node.clone().upcast(), &mut keys);
            let holders: Vec<InstanceId> = lock(&self.holders).iter().map(|holder| holder.node).collect();
            let riders: Vec<InstanceId> = lock(&self.riders).iter().map(|rider| rider.node).collect();
            contacts::add_anchors(&holders, &mut keys);
            contacts::add_anchors(&riders, &mut keys);
            holders.into_iter().filter_map(node_of).for_each(|holder| add_bodies_above(holder, &mut keys));
            riders.into_iter().filter_map(node_of).for_each(|rider| add_bodies_below(&rider, &mut keys));
        }
        {
            let company = &mut lock(&self.present).company;
            company.note_attached(&keys);
            keys.extend_from_slice(&company.walkers);
        }
        keys.retain(|&other| other != key(node.instance_id()));
        keys.sort_unstable();
        keys.dedup();
        let mut contacts = lock(&self.contacts);
        if keys != contacts.let_through {
            contacts.let_through.clone_from(&keys);
            self.excepts_anew.store(true, Relaxed);
        }
        drop(contacts);
        // The core may be another than last time: a restored one.
        let mut core = lock(&self.core);
        core.set_key(key(node.instance_id()));
        core.set_exceptions(keys);
    }

    /// Other characters than before are met by its presence only.
    pub(super) fn exchange_walkers(&self, before: &[u64], now: &[u64]) {
        let mut contacts = lock(&self.contacts);
        contacts.let_through.retain(|key| before.binary_search(key).is_err());
        contacts.let_through.extend_from_slice(now);
        contacts.let_through.sort_unstable();
        contacts.let_through.dedup();
        let keys = contacts.let_through.clone();
        drop(contacts);
        lock(&self.core).set_exceptions_quietly(keys);
        // One of them may also hold it.
        self.flags.unsorted.store(true, Relaxed);
    }

    /// The keys of what it touches, sorted.
    pub(super) fn touched_keys(&self) -> Vec<u64> {
        lock(&self.core).touches().iter().map(|touch| touch.key.body).collect()
    }
}

impl SoftBody2D {
    pub(super) fn change_mask_value(&mut self, layer: i32, value: bool) {
        let callee = self.callee("set_collision_mask_value()");
        let Some(bit) = layer_bit(&callee, layer) else { return };
        let mask = self.settings().collision.mask;
        self.set(|settings| settings.collision.mask = if value { mask | bit } else { mask & !bit });
    }

    pub(super) fn mask_value(&self, layer: i32) -> bool {
        let bit = layer_bit(&self.callee("get_collision_mask_value()"), layer);
        bit.is_some_and(|bit| self.settings().collision.mask & bit != 0)
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
        self.set(|settings| (settings.collision.friction, settings.collision.bounce) = (friction, bounce));
    }

    pub(super) fn change_exclude_attached(&mut self, exclude: bool) {
        lock(&self.body.contacts).exclude_attached = exclude;
        self.sort_anew();
    }

    pub(super) fn change_one_way_mask(&mut self, mask: u32) {
        self.body.one_way_mask.store(mask, Relaxed);
        self.core().wake();
        self.touch();
    }

    /// Bodies that it touches now have not come when it begins to tell of them: then they come in the next tick.
    pub(super) fn change_contact_monitor(&mut self, monitored: bool) {
        lock(&self.body.contacts).monitored = monitored;
        self.body.flags.reports.fetch_or(monitored, Relaxed);
        if !monitored {
            let this = self.to_gd().upcast();
            let entered = lock(&self.body.contacts).take_entered();
            entered.into_iter().for_each(|body| drop(part_with(&this, body)));
        }
        self.changed();
    }

    pub(super) fn change_impact_threshold(&mut self, threshold: f64) {
        let Some(threshold) = self.callee("impact_threshold").number(threshold, 0.0..=MOST_FORCE) else { return };
        lock(&self.body.contacts).impact_threshold = threshold;
        self.changed();
    }

    pub(super) fn colliding_bodies(&self) -> Array<Gd<Node2D>> {
        if !lock(&self.body.contacts).monitored {
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
        lock(&self.body.contacts).except(id, except);
        self.sort_anew();
    }

    pub(super) fn exceptions(&self) -> Array<Gd<Node2D>> {
        let ids = lock(&self.body.contacts).exceptions.clone();
        contacts::living(ids)
    }

    /// Looks anew through which bodies it goes.
    fn sort_anew(&mut self) {
        if is_main_thread() && self.base().is_inside_tree() {
            self.body.sort_exceptions(&self.to_gd().upcast());
        }
        self.body.flags.unsorted.store(true, Relaxed);
        self.core().wake();
        self.touch();
    }

    /// It leaves the tree, and so touches nothing any more.
    pub(super) fn leave_contacts(&mut self) {
        let this = self.to_gd().upcast();
        let entered = lock(&self.body.contacts).forget();
        let _guard = self.base_mut();
        contacts::leave(&this, entered);
    }
}

#[godot_api(secondary)]
impl SoftBody2D {
    /// Its material was changed. It may come at any time: nothing is bound here.
    #[func(gd_self)]
    fn _material_changed(mut this: Gd<Self>) {
        this.bind_mut().follow_material();
    }

    /// A body that it touches leaves the tree.
    #[func(gd_self)]
    fn _body_leaves(this: Gd<Self>, body: i64) {
        let shared = Arc::clone(&this.bind().body);
        contacts::leaves(&this.upcast(), &shared.contacts, body as u64);
    }
}
