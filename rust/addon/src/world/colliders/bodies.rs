//! Bodies of the engine that were found: where they and their shapes are, and what they are made of.
//!
//! What is cheap to read is read in every tick, the rest every few. A body's RID is used only in a tick in which the engine has named it: a call with
//! one that was freed since prints an error.

use super::forms::{Forms, Origin};
use super::pose::{Stretch, take_apart, unwind};
use super::query::Hit;
use super::tiles;
use crate::convert::vec2;
use godot::classes::physics_server_2d::{BodyMode, BodyParameter, BodyState};
use godot::classes::{
    CollisionObject2D, Engine, Node2D, PhysicsServer2D, RigidBody2D, Shape2D, StaticBody2D, TileMapLayer,
};
use godot::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Material, RigidPose, Shape};

/// What seldom changes is read every so many ticks.
const LOOK_TICKS: u64 = 4;
/// A pose that was noticed at most so many ticks ago is where a body comes from.
const FRESH_TICKS: u64 = 3;
/// What moves by less, in px and radians, does not wake what sleeps on it.
const STILL: f32 = 0.01;
const STILL_ANGLE: f32 = 1e-4;
/// The places in which a fast body is looked for in advance are so many px apart, and not more than so many.
const GHOST_GAP: f32 = 8.0;
const MOST_GHOSTS: f32 = 16.0;
/// Faster than this, in px/s, nothing moves: it was put there.
const TELEPORT_SPEED: f32 = 20_000.0;
/// The key of a body without a node. No instance id of a node has this bit.
const NODELESS: u64 = 1 << 63;
/// From this version on the engine makes new bodies when tiles change; before, it gave the same ones other shapes.
const TILES_ARE_FIXED: i32 = 0x0405;

/// What the world is while bodies are read.
pub struct Look<'a> {
    pub server: &'a mut Gd<PhysicsServer2D>,
    pub forms: &'a mut Forms,
    pub tick: u64,
    pub delta: f32,
    /// Sleeping bodies have to be told of what changes.
    pub told: bool,
    /// What changed: where it was, and where it is.
    pub changes: &'a mut Vec<Change>,
}

/// A shape that moved, came, went, or changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key of its body.
    pub body: u64,
    pub layers: u32,
    pub shape: Arc<Shape>,
    pub pose: RigidPose,
    /// How far it will go in a tick if it moves on.
    pub ahead: Vec2,
}

impl Change {
    /// A box around it and where it will be.
    pub fn bounds(&self) -> Bounds {
        self.on_its_way(0.0, 1.0).bounds()
    }

    /// The places on its way in the next tick, if it is fast: what sleeps there has to wake before it is there.
    pub fn ghosts(&self) -> impl Iterator<Item = Collider> {
        let count = (self.ahead.length() / GHOST_GAP).ceil().min(MOST_GHOSTS);
        (1..=count as u32).map(move |i| self.on_its_way(i as f32 / count, i as f32 / count))
    }

    /// Moving between two parts of its way in the next tick.
    fn on_its_way(&self, from: f32, to: f32) -> Collider {
        let [from, to] = [from, to].map(|part| RigidPose { origin: self.pose.origin + part * self.ahead, ..self.pose });
        Collider {
            key: ColliderKey { body: self.body, ..ColliderKey::default() },
            shape: Arc::clone(&self.shape),
            from,
            to,
            layers: self.layers,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            one_way: None,
        }
    }
}

/// Where a body's pose is found.
enum Source {
    /// At its node: the server's lags a tick.
    Node(Gd<Node2D>),
    /// At the server, unless it is frozen.
    Rigid(Gd<RigidBody2D>),
    /// At the server, of which the rest is as a tile map says.
    Tiles(Gd<TileMapLayer>),
    /// At the server.
    Server,
}

/// One of its shapes.
struct Part {
    index: u32,
    rid: Rid,
    local: Transform2D,
    stretch: Stretch,
    version: u64,
    shape: Option<Arc<Shape>>,
    from: RigidPose,
    to: RigidPose,
    /// Where it was when sleeping bodies were told of it last.
    told: RigidPose,
    one_way: Option<bool>,
    updated: u64,
    /// The engine did not find it any more.
    gone: bool,
}

/// A body.
pub struct Known {
    key: u64,
    source: Source,
    /// Its node, if shapes are owned by one.
    owner: Option<Gd<CollisionObject2D>>,
    /// It may move by itself.
    moves: bool,
    transform: Transform2D,
    /// Where the tile map is to which it belongs.
    map: Transform2D,
    layers: u32,
    material: Material,
    /// How its surface moves: px/s and rad/s around its origin.
    flow: (Vector2, f32),
    parts: Vec<Part>,
    /// How many of its shapes have a resource, once that was asked for in this tick.
    owned: Cell<Option<i32>>,
    /// The tick in which it was read last.
    pub updated: u64,
    /// The last tick in which something slept near it.
    pub near_sleepers: u64,
}

impl Known {
    pub fn new(hit: &Hit) -> Known {
        let rid = Rid::new(hit.rid);
        let id = InstanceId::try_from_i64(hit.object as i64);
        let node = id.and_then(|id| Gd::<Node2D>::try_from_instance_id(id).ok());
        let owner = node.as_ref().and_then(|node| node.clone().try_cast::<CollisionObject2D>().ok());
        let layer = node.as_ref().filter(|_| owner.is_none()).and_then(|node| tiles::layer_of(node, rid));
        let rigid = node.as_ref().and_then(|node| node.clone().try_cast::<RigidBody2D>().ok());
        let is_static = node.as_ref().is_some_and(|node| node.get_class() == "StaticBody2D");
        let source = match (owner.is_some(), rigid, layer, node) {
            (_, Some(rigid), ..) => Source::Rigid(rigid),
            (true, _, _, Some(node)) => Source::Node(node),
            (_, _, Some(layer), _) => Source::Tiles(layer),
            _ => Source::Server,
        };
        Known {
            key: if hit.object == 0 { hit.rid | NODELESS } else { hit.object },
            moves: owner.is_some() && !is_static,
            source,
            owner,
            transform: Transform2D::IDENTITY,
            map: Transform2D::IDENTITY,
            layers: 0,
            material: Material::default(),
            flow: (Vector2::ZERO, 0.0),
            parts: Vec::new(),
            owned: Cell::new(None),
            updated: 0,
            near_sleepers: 0,
        }
    }

    /// Reads it anew; the engine has named its shapes `hits` in this tick.
    pub fn update(&mut self, look: &mut Look<'_>, rid: Rid, hits: impl Iterator<Item = u32>) {
        let is_new = self.updated == 0;
        self.updated = look.tick;
        self.transform = self.read_transform(look.server, rid);
        if let Source::Tiles(layer) = &self.source
            && layer.is_instance_valid()
        {
            self.map = layer.get_global_transform();
        }
        let layers = look.server.body_get_collision_layer(rid);
        let other_layers = !is_new && layers != self.layers;
        if other_layers && look.told {
            self.parts.iter().for_each(|part| look.changes.extend(self.change(part, Vec2::ZERO)));
        }
        self.layers = layers;
        let looks = is_new || look.tick.wrapping_add(rid.to_u64()).is_multiple_of(LOOK_TICKS);
        if looks {
            self.look_closely(look.server, rid);
        }
        self.owned.set(None);
        for index in hits {
            let place = self.parts.partition_point(|part| part.index < index);
            if self.parts.get(place).is_none_or(|part| part.index != index) {
                self.parts.insert(place, Part::new(index));
            }
            self.update_part(look, rid, place, looks);
            if other_layers && look.told {
                look.changes.extend(self.change(&self.parts[place], Vec2::ZERO));
            }
        }
    }

    fn read_transform(&self, server: &PhysicsServer2D, rid: Rid) -> Transform2D {
        match &self.source {
            Source::Node(node) if node.is_instance_valid() => node.get_global_transform(),
            Source::Rigid(body) if body.is_instance_valid() && body.is_freeze_enabled() => body.get_global_transform(),
            _ => server.body_get_state(rid, BodyState::TRANSFORM).try_to().unwrap_or(Transform2D::IDENTITY),
        }
    }

    /// Reads what seldom changes.
    fn look_closely(&mut self, server: &PhysicsServer2D, rid: Rid) {
        let number = |value: Variant| value.try_to::<f64>().ok().map(|value| value as f32).filter(|v| v.is_finite());
        let usual = Material::default();
        self.material = Material {
            friction: number(server.body_get_param(rid, BodyParameter::FRICTION)).unwrap_or(usual.friction),
            bounce: number(server.body_get_param(rid, BodyParameter::BOUNCE)).unwrap_or(usual.bounce),
        };
        let conveyor = |node: &Gd<Node2D>| node.clone().try_cast::<StaticBody2D>().ok();
        self.flow = match &self.source {
            Source::Node(node) if node.is_instance_valid() => conveyor(node).map_or((Vector2::ZERO, 0.0), |body| {
                (body.get_constant_linear_velocity(), body.get_constant_angular_velocity())
            }),
            // A moving body's velocity is that of its way.
            Source::Tiles(_) | Source::Server if server.body_get_mode(rid) == BodyMode::STATIC => (
                server.body_get_state(rid, BodyState::LINEAR_VELOCITY).try_to().unwrap_or_default(),
                number(server.body_get_state(rid, BodyState::ANGULAR_VELOCITY)).unwrap_or(0.0),
            ),
            _ => (Vector2::ZERO, 0.0),
        };
        if !(self.flow.0.is_finite() && self.flow.1.is_finite()) {
            self.flow = (Vector2::ZERO, 0.0);
        }
    }

    /// The owner among the node's of the shape with an index; None: it has none. The engine must not be asked for others.
    fn owner_of(&self, index: i32) -> Option<(&Gd<CollisionObject2D>, u32)> {
        let owner = self.owner.as_ref().filter(|owner| owner.is_instance_valid())?;
        let owned = self.owned.get().unwrap_or_else(|| {
            let ids = owner.get_shape_owners();
            ids.as_slice().iter().map(|&id| owner.shape_owner_get_shape_count(id as u32)).sum()
        });
        self.owned.set(Some(owned));
        (index < owned).then(|| (owner, owner.shape_find_owner(index)))
    }

    /// The resource of a shape.
    fn resource(&self, index: i32, rid: Rid) -> Option<Gd<Shape2D>> {
        let (owner, id) = self.owner_of(index)?;
        let count = owner.shape_owner_get_shape_count(id);
        (0..count).filter_map(|i| owner.shape_owner_get_shape(id, i)).find(|shape| shape.get_rid() == rid)
    }

    fn update_part(&mut self, look: &mut Look<'_>, body: Rid, place: usize, looks: bool) {
        let part = &self.parts[place];
        let (tick, index) = (look.tick, part.index as i32);
        let known = part.rid.is_valid();
        // Tiles are always given new bodies when they change.
        let fixed = known && matches!(self.source, Source::Tiles(_)) && tiles_are_fixed();
        let (rid, local) = if fixed {
            (part.rid, part.local)
        } else {
            (look.server.body_get_shape(body, index), look.server.body_get_shape_transform(body, index))
        };
        let other = rid != part.rid;
        let find = || self.resource(index, rid);
        let origin = if matches!(self.source, Source::Tiles(_)) { Origin::Fixed } else { Origin::Resource(&find) };
        let form = look.forms.of(look.server, rid, tick, origin);
        let apart = take_apart(self.transform * local);
        let (pose, stretch) = apart.unwrap_or_default();
        let stretched = !stretch.is_like(&part.stretch);
        let mirrored = stretch.is_mirror_of(&part.stretch);
        let changed = other || stretched || form.version != part.version;
        let shape = match (apart, changed) {
            (None, _) => None,
            (_, true) => form.bake(&stretch),
            _ => part.shape.clone(),
        };
        let one_way = match (&self.source, form.outline()) {
            (Source::Tiles(layer), Some(outline)) if other && layer.is_instance_valid() => {
                tiles::is_one_way(layer, outline, self.transform * local, self.layers)
            }
            (Source::Tiles(_), _) => part.one_way,
            _ if looks || other => {
                let owner = self.owner_of(index);
                Some(owner.is_some_and(|(owner, id)| owner.is_shape_owner_one_way_collision_enabled(id)))
            }
            _ => part.one_way,
        };
        let version = form.version;
        let moved = part.has_moved_to(&pose) || changed;
        let old = (moved && look.told).then(|| self.change(part, Vec2::ZERO)).flatten();
        let part = &mut self.parts[place];
        let recent = part.updated != 0 && tick - part.updated <= FRESH_TICKS;
        let reach = TELEPORT_SPEED * look.delta * (tick - part.updated) as f32;
        let put = !recent || mirrored || pose.origin.distance(part.to.origin) > reach;
        part.from = if put { pose } else { unwind(part.to, &pose) };
        if changed {
            part.stretch = stretch;
        }
        (part.to, part.shape, part.rid, part.local) = (pose, shape, rid, local);
        (part.version, part.one_way, part.updated, part.gone) = (version, one_way, tick, false);
        if moved {
            part.told = pose;
        }
        if moved && look.told {
            let ahead = part.to.origin - part.from.origin;
            look.changes.extend(old);
            look.changes.extend(self.change(&self.parts[place], ahead));
        }
    }

    /// A body that was not named in this tick: looks by its node whether it has moved, and says where it was and is.
    pub fn glance(&mut self, look: &mut Look<'_>) {
        let node = match &self.source {
            Source::Rigid(body) if body.is_instance_valid() && !body.is_sleeping() => body.clone().upcast::<Node2D>(),
            Source::Node(node) if node.is_instance_valid() => node.clone(),
            Source::Tiles(layer) if layer.is_instance_valid() => layer.clone().upcast::<Node2D>(),
            _ => return,
        };
        if !node.is_inside_tree() {
            return;
        }
        let mut transform = node.get_global_transform();
        if let Source::Tiles(_) = &self.source {
            let before = std::mem::replace(&mut self.map, transform);
            if before == transform {
                return;
            }
            transform = transform * before.affine_inverse() * self.transform;
        }
        if transform == self.transform {
            return;
        }
        self.updated = look.tick;
        self.transform = transform;
        for place in 0..self.parts.len() {
            let part = &self.parts[place];
            let Some((pose, _)) = take_apart(transform * part.local).filter(|_| !part.gone) else { continue };
            let moved = part.has_moved_to(&pose);
            if moved {
                look.changes.extend(self.change(part, Vec2::ZERO));
            }
            let part = &mut self.parts[place];
            part.from = unwind(part.to, &pose);
            (part.to, part.updated) = (pose, look.tick);
            if !moved {
                continue;
            }
            part.told = pose;
            let ahead = part.to.origin - part.from.origin;
            look.changes.extend(self.change(&self.parts[place], ahead));
        }
    }

    /// Whether its key is among these.
    pub fn is_in(&self, keys: &HashMap<u64, usize>) -> bool {
        keys.contains_key(&self.key)
    }

    /// Whether it may move while nobody asks the engine for it.
    pub fn moves(&self) -> bool {
        self.moves
    }

    fn part(&self, index: u32) -> Option<&Part> {
        self.parts.binary_search_by_key(&index, |part| part.index).ok().map(|place| &self.parts[place])
    }

    fn change(&self, part: &Part, ahead: Vec2) -> Option<Change> {
        let shape = Arc::clone(part.shape.as_ref()?);
        Some(Change { body: self.key, layers: self.layers, shape, pose: part.to, ahead })
    }

    /// A shape as it was seen last.
    pub fn last(&self, index: u32) -> Option<Change> {
        self.change(self.part(index)?, Vec2::ZERO)
    }

    /// The engine did not find a shape any more where it was.
    pub fn lose(&mut self, index: u32) {
        if let Ok(place) = self.parts.binary_search_by_key(&index, |part| part.index) {
            self.parts[place].gone = true;
        }
    }

    /// A shape as the core sees it.
    pub fn collider(&self, hit: &Hit, tick: u64, one_way_mask: u32) -> Option<Collider> {
        let part = self.part(hit.shape)?;
        let one_way = part.one_way.unwrap_or(self.layers & one_way_mask != 0);
        let (linear, angular) = (vec2(self.flow.0), self.flow.1);
        // Around the origin of the shape instead of the body's.
        let arm = part.to.origin - vec2(self.transform.origin);
        Some(Collider {
            key: ColliderKey { body: self.key, part: hit.rid, shape: hit.shape },
            shape: Arc::clone(part.shape.as_ref()?),
            // What was not looked at in this tick stands still.
            from: if part.updated == tick { part.from } else { part.to },
            to: part.to,
            layers: self.layers,
            material: self.material,
            surface_velocity: (linear + angular * arm.perp(), angular),
            one_way: one_way.then(|| part.stretch.up()),
        })
    }
}

impl Part {
    fn new(index: u32) -> Part {
        Part {
            index,
            rid: Rid::Invalid,
            local: Transform2D::IDENTITY,
            stretch: Stretch::default(),
            version: 0,
            shape: None,
            from: RigidPose::default(),
            to: RigidPose::default(),
            told: RigidPose::default(),
            one_way: None,
            updated: 0,
            gone: false,
        }
    }

    /// Whether a pose differs from where sleeping bodies know it.
    fn has_moved_to(&self, pose: &RigidPose) -> bool {
        let turn = unwind(self.told, pose).angle - pose.angle;
        self.told.origin.distance(pose.origin) > STILL || turn.abs() > STILL_ANGLE
    }
}

fn tiles_are_fixed() -> bool {
    thread_local! {
        static FIXED: bool = Engine::singleton()
            .get_version_info()
            .get("hex")
            .and_then(|version| version.try_to::<i64>().ok())
            .is_some_and(|version| (version >> 8) as i32 >= TILES_ARE_FIXED);
    }
    FIXED.with(|fixed| *fixed)
}
