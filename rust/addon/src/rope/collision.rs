//! What a rope collides with: its properties, the bodies it lets through, and the signals of contacts.
//!
//! Contacts are compared after each tick, when nothing is locked: `body_entered` and `body_exited` are emitted for what changed. As with
//! the engine's own nodes, a body that leaves the tree is told of at once, while it is still there.

use super::VerletRope2D;
use super::body::{Event, RopeBody, instance, key};
use crate::convert::vector2;
use crate::world::{Demand, lock};
use godot::classes::{CollisionObject2D, Node2D, PhysicsBody2D, PhysicsMaterial, TileMapLayer};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{CollisionSettings, MOST_FORCE, MOST_RADIUS, Touch};
use supple_sim::tick::Tick;

/// A body is told of as struck once in so many seconds.
const STRIKE_PAUSE: f64 = 0.05;
/// How many layers there are.
const LAYERS: i32 = 32;

/// What a rope's node knows of contacts.
pub struct Collision {
    /// Local px; 0: half of the width.
    pub radius: f32,
    pub exclude_attached: bool,
    /// Signals tell who comes and goes.
    pub monitored: bool,
    /// The least impulse that is told of, in kg px/s; 0: none is.
    pub impact_threshold: f32,
    /// Bodies that the user lets through.
    exceptions: Vec<InstanceId>,
    /// All bodies that are let through, sorted.
    let_through: Vec<u64>,
    /// Bodies of which it was told that they came, sorted.
    entered: Vec<u64>,
    /// What was struck lately, and when.
    struck: Vec<(u64, f64)>,
}

impl Default for Collision {
    fn default() -> Self {
        Collision {
            radius: 0.0,
            exclude_attached: true,
            monitored: false,
            impact_threshold: 0.0,
            exceptions: Vec::new(),
            let_through: Vec::new(),
            entered: Vec::new(),
            struck: Vec::new(),
        }
    }
}

impl Collision {
    /// Whether something is told of contacts.
    pub fn wants_contacts(&self) -> bool {
        self.monitored || self.impact_threshold > 0.0
    }
}

impl RopeBody {
    /// Where it may touch something in a tick; None: it collides with nothing.
    pub(super) fn demand(&self, delta: f32) -> Option<Demand> {
        let one_way_mask = self.one_way_mask.load(Relaxed);
        let rope = lock(&self.rope);
        let CollisionSettings { mask, layer, .. } = rope.settings().collision;
        if layer != 0 {
            // Whoever comes near has to be known, whatever its layers are.
            let bounds = super::presence::neighbourhood(&rope.reach(delta));
            return Some(Demand { bounds, mask: u32::MAX, one_way_mask });
        }
        (mask != 0).then(|| Demand { bounds: rope.reach(delta), mask, one_way_mask })
    }

    /// Whether it goes through a body.
    pub(super) fn lets_through(&self, body: u64) -> bool {
        lock(&self.collision).let_through.binary_search(&body).is_ok()
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
            holders.into_iter().filter_map(node_of).for_each(|holder| add_bodies_above(holder, &mut keys));
            riders.into_iter().filter_map(node_of).for_each(|rider| add_bodies_below(&rider, &mut keys));
        }
        self.note_attached(&keys);
        keys.extend_from_slice(&lock(&self.present).walkers);
        keys.sort_unstable();
        keys.dedup();
        let mut collision = lock(&self.collision);
        if keys != collision.let_through {
            collision.let_through.clone_from(&keys);
        }
        drop(collision);
        // The core may be another than last time: a restored one, or the rest of a cut one.
        lock(&self.rope).set_exceptions(keys);
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
        let collision = &mut *lock(&self.collision);
        if collision.monitored {
            // Bodies without nodes are not told of.
            let touched = touches.iter().map(|touch| touch.key.body).filter(|&key| instance(key).is_some());
            if !collision.entered.iter().copied().eq(touched) {
                self.flags.reports.store(true, Relaxed);
            }
        }
        if collision.impact_threshold <= 0.0 {
            return;
        }
        collision.struck.retain(|(_, time)| (0.0..STRIKE_PAUSE).contains(&(tick.time - time)));
        for touch in touches.iter().filter(|touch| touch.impulse >= collision.impact_threshold) {
            if collision.struck.iter().all(|(body, _)| *body != touch.key.body) {
                collision.struck.push((touch.key.body, tick.time));
                self.tell(Event::Impact(*touch));
            }
        }
    }

    /// The nodes that it touches.
    fn touched_nodes(&self) -> Vec<Gd<Node2D>> {
        let keys: Vec<u64> = lock(&self.rope).touches().iter().map(|touch| touch.key.body).collect();
        keys.into_iter().filter_map(body_of).collect()
    }

    /// Who it was told that touched it, sorted; None: nobody wants to know.
    fn told(&self) -> Option<Vec<u64>> {
        let collision = lock(&self.collision);
        collision.monitored.then(|| collision.entered.clone())
    }

    /// From now on it was told that a body touches it, or does not; false if that is known.
    fn tell_of(&self, body: u64, touches: bool) -> bool {
        let collision = &mut *lock(&self.collision);
        match (collision.entered.binary_search(&body), touches) {
            (Ok(place), false) => drop(collision.entered.remove(place)),
            (Err(place), true) if collision.monitored => collision.entered.insert(place, body),
            _ => return false,
        }
        true
    }
}

/// What a body calls that leaves the tree while a rope touches it.
fn farewell(rope: &Gd<VerletRope2D>, body: u64) -> Callable {
    rope.callable("_body_leaves").bind(&[(body as i64).to_variant()])
}

/// The node of a body that is not touched any more, which need not tell when it leaves; None: it was freed.
fn part_with(rope: &Gd<VerletRope2D>, body: u64) -> Option<Gd<Node2D>> {
    let mut node = body_of(body)?;
    let farewell = farewell(rope, body);
    if node.is_connected("tree_exiting", &farewell) {
        node.disconnect("tree_exiting", &farewell);
    }
    Some(node)
}

/// Emits what changed since the last tick, of each body once. Nothing is bound: a handler may do anything.
pub fn report_contacts(this: &Gd<VerletRope2D>, body: &Arc<RopeBody>) {
    let Some(told) = body.told() else { return };
    let mut touched: Vec<u64> = lock(&body.rope).touches().iter().map(|touch| touch.key.body).collect();
    touched.retain(|&key| instance(key).is_some());
    for &key in told.iter().filter(|key| touched.binary_search(key).is_err()) {
        if body.tell_of(key, false)
            && let Some(node) = part_with(this, key)
        {
            this.signals().body_exited().emit(&node);
        }
        if !this.is_instance_valid() || !this.is_inside_tree() {
            return;
        }
    }
    for &key in touched.iter().filter(|key| told.binary_search(key).is_err()) {
        // An earlier handler may have freed it.
        let Some(mut node) = body_of(key).filter(|node| node.is_inside_tree()) else { continue };
        if body.tell_of(key, true) {
            node.connect("tree_exiting", &farewell(this, key));
            this.signals().body_entered().emit(&node);
        }
        if !this.is_instance_valid() || !this.is_inside_tree() {
            return;
        }
    }
}

/// Emits that something was struck.
pub fn report_impact(this: &Gd<VerletRope2D>, touch: &Touch) {
    let node = body_of(touch.key.body);
    if node.is_none() && instance(touch.key.body).is_some() {
        // An earlier handler has freed it.
        return;
    }
    let (position, normal) = (vector2(touch.position), vector2(touch.normal));
    this.signals().impact().emit(node.as_ref(), touch.point as i64, position, normal, touch.impulse);
}

fn node_of(id: InstanceId) -> Option<Gd<Node>> {
    Gd::<Node>::try_from_instance_id(id).ok()
}

fn body_of(key: u64) -> Option<Gd<Node2D>> {
    Gd::<Node2D>::try_from_instance_id(instance(key)?).ok()
}

/// Adds a node and all above it, as far as they are bodies.
fn add_bodies_above(node: Gd<Node>, keys: &mut Vec<u64>) {
    let mut next = Some(node);
    while let Some(node) = next {
        next = node.get_parent();
        keys.extend(node.try_cast::<CollisionObject2D>().ok().map(|body| key(body.instance_id())));
    }
}

/// Adds a node and all below it, as far as they are bodies.
fn add_bodies_below(node: &Gd<Node>, keys: &mut Vec<u64>) {
    if let Ok(body) = node.clone().try_cast::<CollisionObject2D>() {
        keys.push(key(body.instance_id()));
    }
    node.get_children().iter_shared().for_each(|child| add_bodies_below(&child, keys));
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
        lock(&self.body.collision).radius = radius;
        self.follow_width();
    }

    /// Brings the radius with which it collides in line with its width.
    pub(super) fn follow_width(&mut self) {
        let own = lock(&self.body.collision).radius;
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
        let own = &mut lock(&self.body.collision).radius;
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
        let mut settings = self.collision_settings();
        let usual = CollisionSettings::default();
        (settings.friction, settings.bounce) = match &self.physics_material_override {
            None => (usual.friction, usual.bounce),
            Some(material) => {
                // As the engine counts them.
                let sign = |negative: bool| if negative { -1.0 } else { 1.0 };
                let friction = material.get_friction() * sign(material.is_rough());
                (friction, material.get_bounce() * sign(material.is_absorbent()))
            }
        };
        self.set_collision(|own| (own.friction, own.bounce) = (settings.friction, settings.bounce));
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
            let this = self.to_gd();
            let entered = std::mem::take(&mut lock(&self.body.collision).entered);
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
        self.body.touched_nodes().into_iter().collect()
    }

    pub(super) fn except(&mut self, body: Option<Gd<Node>>, except: bool) {
        let callee =
            self.callee(if except { "add_collision_exception_with()" } else { "remove_collision_exception_with()" });
        let Some(body) = body else { return callee.complain("body is null") };
        let is_body =
            body.clone().try_cast::<PhysicsBody2D>().is_ok() || body.clone().try_cast::<TileMapLayer>().is_ok();
        if !is_body {
            return callee.complain(format_args!("\"{}\" is no PhysicsBody2D or TileMapLayer", body.get_name()));
        }
        let id = body.instance_id();
        {
            let exceptions = &mut lock(&self.body.collision).exceptions;
            exceptions.retain(|other| *other != id && other.lookup_validity());
            exceptions.extend(except.then_some(id));
        }
        self.sort_anew();
    }

    pub(super) fn exceptions(&self) -> Array<Gd<Node2D>> {
        let ids = lock(&self.body.collision).exceptions.clone();
        let nodes: Vec<Gd<Node2D>> = ids.into_iter().filter_map(|id| Gd::try_from_instance_id(id).ok()).collect();
        nodes.into_iter().collect()
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
        let this = self.to_gd();
        let entered = {
            let collision = &mut *lock(&self.body.collision);
            // Another world has another time.
            collision.struck.clear();
            std::mem::take(&mut collision.entered)
        };
        let left: Vec<_> = entered.into_iter().filter_map(|body| part_with(&this, body)).collect();
        let _guard = self.base_mut();
        for node in left.iter().filter(|node| node.is_instance_valid()) {
            this.signals().body_exited().emit(node);
        }
    }

    /// What the rest of a cut rope takes over.
    pub(super) fn take_exceptions(&mut self, other: &RopeBody) {
        let exceptions = lock(&other.collision).exceptions.clone();
        lock(&self.body.collision).exceptions = exceptions;
        self.body.flags.unsorted.store(true, Relaxed);
    }
}

pub(super) fn layer_bit(callee: &crate::complain::Callee, layer: i32) -> Option<u32> {
    if !(1..=LAYERS).contains(&layer) {
        callee.complain(format_args!("layer_number {layer} is not in 1 to {LAYERS}"));
        return None;
    }
    Some(1 << (layer - 1))
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
        let key = body as u64;
        let shared = Arc::clone(&this.bind().body);
        if shared.tell_of(key, false)
            && let Some(node) = part_with(&this, key)
        {
            this.signals().body_exited().emit(&node);
        }
    }
}
