//! Contacts of a body's node: the bodies that it lets through, and the signals of who comes, goes and is struck.
//!
//! Contacts are compared after each tick, when nothing is locked: `body_entered` and `body_exited` are emitted for what changed. As with
//! the engine's own nodes, a body that leaves the tree is told of at once, while it is still there.
//!
//! A node that has contacts has the three signals, and a method `_body_leaves` that calls [`leaves`].

use crate::anchor::PointAnchor2D;
use crate::complain::Callee;
use crate::convert::{instance, key, vector2};
use crate::rope::VerletRope2D;
use crate::soft::SoftBody2D;
use crate::world::lock;
use godot::classes::{CollisionObject2D, Node2D, PhysicsBody2D, PhysicsMaterial, TileMapLayer};
use godot::prelude::*;
use std::sync::Mutex;
use supple_sim::rope::{CollisionSettings, Touch};

/// A body is told of as struck once in so many seconds.
const STRIKE_PAUSE: f64 = 0.05;
/// How many layers there are.
const LAYERS: i32 = 32;

/// What a node knows of contacts.
pub struct Contacts {
    pub exclude_attached: bool,
    /// Signals tell who comes and goes.
    pub monitored: bool,
    /// The least impulse that is told of, in kg px/s; 0: none is.
    pub impact_threshold: f32,
    /// Bodies that the user lets through.
    pub exceptions: Vec<InstanceId>,
    /// All bodies that are let through, sorted.
    pub let_through: Vec<u64>,
    /// Bodies of which it was told that they came, sorted.
    entered: Vec<u64>,
    /// What was struck lately, and when.
    struck: Vec<(u64, f64)>,
}

impl Default for Contacts {
    fn default() -> Self {
        Contacts {
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

impl Contacts {
    /// Whether something is told of contacts.
    pub fn wants_contacts(&self) -> bool {
        self.monitored || self.impact_threshold > 0.0
    }

    /// Whether it goes through a body.
    pub fn lets_through(&self, body: u64) -> bool {
        self.let_through.binary_search(&body).is_ok()
    }

    /// Takes down what it touches after a tick that began at `time` seconds, and calls `strike` with what it struck; true if there is to be told who
    /// came or went.
    pub fn note(&mut self, touches: &[Touch], time: f64, mut strike: impl FnMut(&Touch)) -> bool {
        // Bodies without nodes are not told of.
        let touched = || touches.iter().map(|touch| touch.key.body).filter(|&key| instance(key).is_some());
        let changed = self.monitored && !self.entered.iter().copied().eq(touched());
        if self.impact_threshold > 0.0 {
            self.struck.retain(|(_, then)| (0.0..STRIKE_PAUSE).contains(&(time - then)));
            for touch in touches.iter().filter(|touch| touch.impulse >= self.impact_threshold) {
                if self.struck.iter().all(|(body, _)| *body != touch.key.body) {
                    self.struck.push((touch.key.body, time));
                    strike(touch);
                }
            }
        }
        changed
    }

    /// From now on it was told that a body touches it, or does not; false if that is known.
    fn tell_of(&mut self, body: u64, touches: bool) -> bool {
        match (self.entered.binary_search(&body), touches) {
            (Ok(place), false) => drop(self.entered.remove(place)),
            (Err(place), true) if self.monitored => self.entered.insert(place, body),
            _ => return false,
        }
        true
    }

    /// Who it was told that touched it: nobody does any more.
    pub fn forget(&mut self) -> Vec<u64> {
        // Another world has another time.
        self.struck.clear();
        self.take_entered()
    }

    /// Nobody wants to know any more who touches it.
    pub fn take_entered(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.entered)
    }

    /// Lets a body through that the user says, or not any more.
    pub fn except(&mut self, body: InstanceId, except: bool) {
        self.exceptions.retain(|other| *other != body && other.lookup_validity());
        self.exceptions.extend(except.then_some(body));
    }
}

/// What a body calls that leaves the tree while a node touches it.
fn farewell(this: &Gd<Node2D>, body: u64) -> Callable {
    this.callable("_body_leaves").bind(&[(body as i64).to_variant()])
}

/// The node of a body that is not touched any more, which need not tell when it leaves; None: it was freed.
pub fn part_with(this: &Gd<Node2D>, body: u64) -> Option<Gd<Node2D>> {
    let mut node = body_of(body)?;
    let farewell = farewell(this, body);
    if node.is_connected("tree_exiting", &farewell) {
        node.disconnect("tree_exiting", &farewell);
    }
    Some(node)
}

/// Emits what changed since the last tick, of each body once; `touched` are the keys of what it touches, sorted. Nothing is bound: a handler may do anything.
pub fn report(this: &Gd<Node2D>, contacts: &Mutex<Contacts>, mut touched: Vec<u64>) {
    let told = {
        let contacts = lock(contacts);
        if !contacts.monitored {
            return;
        }
        contacts.entered.clone()
    };
    let mut this = this.clone();
    touched.retain(|&key| instance(key).is_some());
    for &key in told.iter().filter(|key| touched.binary_search(key).is_err()) {
        let news = lock(contacts).tell_of(key, false);
        if news && let Some(node) = part_with(&this, key) {
            this.emit_signal("body_exited", &[node.to_variant()]);
        }
        if !this.is_instance_valid() || !this.is_inside_tree() {
            return;
        }
    }
    for &key in touched.iter().filter(|key| told.binary_search(key).is_err()) {
        // An earlier handler may have freed it.
        let Some(mut node) = body_of(key).filter(|node| node.is_inside_tree()) else { continue };
        let news = lock(contacts).tell_of(key, true);
        if news {
            node.connect("tree_exiting", &farewell(&this, key));
            this.emit_signal("body_entered", &[node.to_variant()]);
        }
        if !this.is_instance_valid() || !this.is_inside_tree() {
            return;
        }
    }
}

/// Emits that something was struck.
pub fn report_impact(this: &Gd<Node2D>, touch: &Touch) {
    let node = body_of(touch.key.body);
    if node.is_none() && instance(touch.key.body).is_some() {
        // An earlier handler has freed it.
        return;
    }
    let (position, normal) = (vector2(touch.position), vector2(touch.normal));
    let point = touch.point as i64;
    this.clone().emit_signal(
        "impact",
        &[
            node.to_variant(),
            point.to_variant(),
            position.to_variant(),
            normal.to_variant(),
            touch.impulse.to_variant(),
        ],
    );
}

/// A body that it touches leaves the tree.
pub fn leaves(this: &Gd<Node2D>, contacts: &Mutex<Contacts>, body: u64) {
    let news = lock(contacts).tell_of(body, false);
    if news && let Some(node) = part_with(this, body) {
        this.clone().emit_signal("body_exited", &[node.to_variant()]);
    }
}

/// Emits that it touches none of these any more; the caller lets the node be called back.
pub fn leave(this: &Gd<Node2D>, entered: Vec<u64>) {
    let left: Vec<_> = entered.into_iter().filter_map(|body| part_with(this, body)).collect();
    for node in left.iter().filter(|node| node.is_instance_valid()) {
        this.clone().emit_signal("body_exited", &[node.to_variant()]);
    }
}

/// The nodes of these bodies.
pub fn nodes(keys: Vec<u64>) -> Array<Gd<Node2D>> {
    keys.into_iter().filter_map(body_of).collect()
}

/// The nodes that are still there.
pub fn living(ids: Vec<InstanceId>) -> Array<Gd<Node2D>> {
    ids.into_iter().filter_map(|id| Gd::<Node2D>::try_from_instance_id(id).ok()).collect()
}

/// A body with which collisions can be excepted, or an error.
pub fn body_argument(callee: &Callee, body: Option<Gd<Node>>) -> Option<InstanceId> {
    let Some(body) = body else {
        callee.complain("body is null");
        return None;
    };
    let is_body = body.clone().try_cast::<PhysicsBody2D>().is_ok()
        || body.clone().try_cast::<TileMapLayer>().is_ok()
        || body.clone().try_cast::<SoftBody2D>().is_ok()
        || body.clone().try_cast::<VerletRope2D>().is_ok();
    if !is_body {
        callee.complain(format_args!(
            "\"{}\" is no PhysicsBody2D, TileMapLayer, SoftBody2D or VerletRope2D",
            body.get_name()
        ));
        return None;
    }
    Some(body.instance_id())
}

/// Friction and bounce of a material, as the core counts them.
pub fn surface(material: Option<&Gd<PhysicsMaterial>>) -> (f32, f32) {
    let usual = CollisionSettings::default();
    let Some(material) = material else { return (usual.friction, usual.bounce) };
    // As the engine counts them.
    let sign = |negative: bool| if negative { -1.0 } else { 1.0 };
    let friction = material.get_friction() * sign(material.is_rough());
    (friction, material.get_bounce() * sign(material.is_absorbent()))
}

/// The bit of a layer that is counted from 1, or an error.
pub fn layer_bit(callee: &Callee, layer: i32) -> Option<u32> {
    if !(1..=LAYERS).contains(&layer) {
        callee.complain(format_args!("layer_number {layer} is not in 1 to {LAYERS}"));
        return None;
    }
    Some(1 << (layer - 1))
}

/// The node with this id, if it is still there.
pub fn node_of(id: InstanceId) -> Option<Gd<Node>> {
    Gd::<Node>::try_from_instance_id(id).ok()
}

fn body_of(key: u64) -> Option<Gd<Node2D>> {
    Gd::<Node2D>::try_from_instance_id(instance(key)?).ok()
}

/// Whether a node is what bodies collide with.
fn is_collided_with(node: &Gd<Node>) -> bool {
    node.clone().try_cast::<CollisionObject2D>().is_ok() || node.clone().try_cast::<SoftBody2D>().is_ok()
}

/// Adds those of these nodes that are anchors.
pub fn add_anchors(nodes: &[InstanceId], keys: &mut Vec<u64>) {
    let is_anchor = |node: &&InstanceId| Gd::<PointAnchor2D>::try_from_instance_id(**node).is_ok();
    keys.extend(nodes.iter().filter(is_anchor).map(|&node| key(node)));
}

/// Adds a node and all above it, as far as they are bodies.
pub fn add_bodies_above(node: Gd<Node>, keys: &mut Vec<u64>) {
    let mut next = Some(node);
    while let Some(node) = next {
        next = node.get_parent();
        if is_collided_with(&node) {
            keys.push(key(node.instance_id()));
        }
    }
}

/// Adds a node and all below it, as far as they are bodies.
pub fn add_bodies_below(node: &Gd<Node>, keys: &mut Vec<u64>) {
    if is_collided_with(node) {
        keys.push(key(node.instance_id()));
    }
    node.get_children().iter_shared().for_each(|child| add_bodies_below(&child, keys));
}
