//! From where a body is read: its node, or the server.
//!
//! The server's pose of a body that a script moves is a tick behind its node. The server is also far away if physics runs on a thread of
//! its own: each question waits for that thread. Then all that a node knows is read from it.
//!
//! A body's RID is used only in a tick in which the engine has named it: a call with one that was freed since prints an error.

use super::query::Hit;
use super::tiles;
use crate::convert::vec2;
use godot::classes::physics_server_2d::{BodyMode, BodyParameter, BodyState};
use godot::classes::{
    Area2D, CharacterBody2D, CollisionObject2D, Engine, Node2D, PhysicsMaterial, PhysicsServer2D, ProjectSettings,
    RigidBody2D, Shape2D, StaticBody2D, TileMapLayer,
};
use godot::prelude::*;
use std::cell::{Cell, RefCell};
use supple_sim::Vec2;
use supple_sim::collide::Material;

/// From this version on the engine makes new bodies when tiles change; before, it gave the same ones other shapes.
const TILES_ARE_FIXED: i64 = 0x0405;

/// What the engine is like.
#[derive(Clone, Copy)]
pub struct Engineering {
    /// Physics runs on a thread of its own.
    pub threaded: bool,
    /// A body of a tile map never changes.
    pub tiles_are_fixed: bool,
}

impl Engineering {
    pub fn look() -> Engineering {
        let setting = ProjectSettings::singleton().get_setting("physics/2d/run_on_separate_thread");
        let version = Engine::singleton().get_version_info().get("hex").and_then(|hex| hex.try_to::<i64>().ok());
        Engineering {
            threaded: setting.try_to().unwrap_or(false),
            tiles_are_fixed: version.is_some_and(|version| version >> 8 >= TILES_ARE_FIXED),
        }
    }
}

/// What kind of body it is.
enum Kind {
    /// Its pose is that of its node.
    Node(Gd<Node2D>),
    /// Its pose is the server's, unless it is frozen.
    Rigid(Gd<RigidBody2D>),
    /// It is a part of a tile map, and lies in it so.
    Tiles(Gd<TileMapLayer>, Transform2D),
    /// All is the server's.
    Server,
}

/// A body and its node.
pub struct Source {
    rid: Rid,
    kind: Kind,
    /// Its node, if shapes are owned by one.
    owner: Option<Gd<CollisionObject2D>>,
    /// The owner of each shape, and its number there, once that was asked for in this tick. The engine would look through all owners for
    /// each.
    owned: RefCell<Vec<(u32, i32)>>,
    /// That was done.
    sorted: Cell<bool>,
    engine: Engineering,
    is_area: bool,
    character: Option<Gd<CharacterBody2D>>,
    /// It may move by itself.
    pub moves: bool,
}

impl Source {
    pub fn new(hit: &Hit, engine: Engineering) -> Source {
        let rid = Rid::new(hit.rid);
        let id = InstanceId::try_from_i64(hit.object as i64);
        let node = id.and_then(|id| Gd::<Node2D>::try_from_instance_id(id).ok());
        let owner = node.as_ref().and_then(|node| node.clone().try_cast::<CollisionObject2D>().ok());
        let character = node.as_ref().and_then(|node| node.clone().try_cast::<CharacterBody2D>().ok());
        let is_static = node.as_ref().is_some_and(|node| node.get_class() == "StaticBody2D");
        let kind = match node {
            None => Kind::Server,
            Some(node) if owner.is_some() => match node.try_cast::<RigidBody2D>() {
                Ok(body) => Kind::Rigid(body),
                Err(node) => Kind::Node(node),
            },
            Some(node) => tiles::layer_of(&node, rid).map_or(Kind::Server, |layer| {
                let place = layer.map_to_local(layer.get_coords_for_body_rid(rid));
                Kind::Tiles(layer, Transform2D::from_angle_origin(0.0, place))
            }),
        };
        // The server knows it by other calls: it is read from its node.
        let is_area = owner.as_ref().is_some_and(|owner| owner.clone().try_cast::<Area2D>().is_ok());
        let engine = Engineering { threaded: engine.threaded || is_area, ..engine };
        Source {
            rid,
            is_area,
            moves: owner.is_some() && !is_static,
            kind,
            owner,
            owned: RefCell::default(),
            sorted: Cell::new(false),
            engine,
            character,
        }
    }

    pub fn rid(&self) -> Rid {
        self.rid
    }

    /// The character that it is, if it was not freed.
    pub fn character(&self) -> Option<&Gd<CharacterBody2D>> {
        self.character.as_ref().filter(|character| character.is_instance_valid())
    }

    /// Whether it is a rigid body (otherwise a character), and what it collides with; None: it is neither.
    pub fn meets(&self) -> Option<(bool, u32)> {
        match &self.kind {
            Kind::Rigid(body) if body.is_instance_valid() => Some((true, body.get_collision_mask())),
            _ => self.character().map(|character| (false, character.get_collision_mask())),
        }
    }

    /// Forgets what was asked for in the last tick.
    pub fn begin(&self) {
        self.sorted.set(false);
    }

    /// Whether nothing of it changes but its pose.
    pub fn is_fixed(&self) -> bool {
        self.is_tiles() && self.engine.tiles_are_fixed
    }

    /// Whether it is a part of a tile map.
    pub fn is_tiles(&self) -> bool {
        matches!(self.kind, Kind::Tiles(..))
    }

    /// Whether the server is far, and its node near.
    fn is_far(&self) -> bool {
        self.engine.threaded && self.owner().is_some()
    }

    fn owner(&self) -> Option<&Gd<CollisionObject2D>> {
        self.owner.as_ref().filter(|owner| owner.is_instance_valid())
    }

    /// Where it is.
    pub fn transform(&self, server: &PhysicsServer2D) -> Transform2D {
        match &self.kind {
            Kind::Node(node) if node.is_instance_valid() => node.get_global_transform(),
            Kind::Rigid(body) if body.is_instance_valid() && (self.engine.threaded || body.is_freeze_enabled()) => {
                body.get_global_transform()
            }
            Kind::Tiles(layer, place) if layer.is_instance_valid() => layer.get_global_transform() * *place,
            _ => server.body_get_state(self.rid, BodyState::TRANSFORM).try_to().unwrap_or(Transform2D::IDENTITY),
        }
    }

    /// How the engine moves it in its next step, in px/s and rad/s; None: it does not, or sleeps.
    pub fn velocity(&self) -> Option<(Vector2, f32)> {
        let Kind::Rigid(body) = &self.kind else { return None };
        let body =
            Some(body).filter(|body| body.is_instance_valid() && !body.is_sleeping() && !body.is_freeze_enabled())?;
        let (linear, angular) = (body.get_linear_velocity(), body.get_angular_velocity());
        (linear.is_finite() && angular.is_finite()).then_some((linear, angular))
    }

    /// The velocity, in px/s, that a script may just have given to what its node says sleeps.
    pub fn new_velocity(&self) -> Option<Vec2> {
        let Kind::Rigid(body) = &self.kind else { return None };
        let asleep = body.is_instance_valid() && body.is_sleeping() && !body.is_freeze_enabled();
        asleep.then(|| vec2(body.get_linear_velocity())).filter(|velocity| velocity.is_finite())
    }

    /// How far the engine moves it in a tick of `delta` seconds, in px and rad.
    pub fn coming(&self, delta: f32) -> Option<(Vec2, f32)> {
        self.velocity().map(|(linear, angular)| (vec2(linear) * delta, angular * delta))
    }

    /// Where its node says that it is, if the engine has not named it in this tick; None: it has none, or sleeps.
    pub fn transform_by_node(&self) -> Option<Transform2D> {
        let node = match &self.kind {
            Kind::Rigid(body) if body.is_instance_valid() && !body.is_sleeping() => body.clone().upcast::<Node2D>(),
            Kind::Node(node) if node.is_instance_valid() => node.clone(),
            Kind::Tiles(layer, place) if layer.is_instance_valid() && layer.is_inside_tree() => {
                return Some(layer.get_global_transform() * *place);
            }
            _ => return None,
        };
        node.is_inside_tree().then(|| node.get_global_transform())
    }

    pub fn layers(&self, server: &PhysicsServer2D) -> u32 {
        match self.owner().filter(|_| self.engine.threaded) {
            Some(owner) => owner.get_collision_layer(),
            None => server.body_get_collision_layer(self.rid),
        }
    }

    pub fn material(&self, server: &PhysicsServer2D) -> Material {
        let usual = Material::default();
        if self.is_far() {
            return self.material_by_node().map_or(usual, |material| {
                let (friction, bounce) = (material.get_friction(), material.get_bounce());
                Material {
                    friction: finite(if material.is_rough() { -friction } else { friction }).unwrap_or(usual.friction),
                    bounce: finite(if material.is_absorbent() { -bounce } else { bounce }).unwrap_or(usual.bounce),
                }
            });
        }
        Material {
            friction: number(server.body_get_param(self.rid, BodyParameter::FRICTION)).unwrap_or(usual.friction),
            bounce: number(server.body_get_param(self.rid, BodyParameter::BOUNCE)).unwrap_or(usual.bounce),
        }
    }

    fn material_by_node(&self) -> Option<Gd<PhysicsMaterial>> {
        match &self.kind {
            Kind::Rigid(body) => body.get_physics_material_override(),
            Kind::Node(node) => node.clone().try_cast::<StaticBody2D>().ok()?.get_physics_material_override(),
            _ => None,
        }
    }

    /// How its surface moves besides: px/s, and rad/s around its origin.
    pub fn flow(&self, server: &PhysicsServer2D) -> (Vector2, f32) {
        let flow = match &self.kind {
            Kind::Node(node) if node.is_instance_valid() => {
                let body = node.clone().try_cast::<StaticBody2D>().ok();
                body.map(|body| (body.get_constant_linear_velocity(), body.get_constant_angular_velocity()))
            }
            // A moving body's velocity is that of its way.
            Kind::Tiles(..) | Kind::Server if server.body_get_mode(self.rid) == BodyMode::STATIC => {
                let linear = server.body_get_state(self.rid, BodyState::LINEAR_VELOCITY).try_to().ok();
                linear.zip(number(server.body_get_state(self.rid, BodyState::ANGULAR_VELOCITY)))
            }
            _ => None,
        };
        flow.filter(|(linear, angular)| linear.is_finite() && angular.is_finite()).unwrap_or_default()
    }

    /// A shape, and where it is on the body.
    pub fn shape(&self, server: &PhysicsServer2D, index: i32) -> (Rid, Transform2D) {
        if self.engine.threaded
            && let Some((owner, id, place)) = self.owner_of(index)
            && let Some(shape) = owner.shape_owner_get_shape(id, place)
        {
            return (shape.get_rid(), owner.shape_owner_get_transform(id));
        }
        if self.is_area {
            return (Rid::Invalid, Transform2D::IDENTITY);
        }
        (server.body_get_shape(self.rid, index), server.body_get_shape_transform(self.rid, index))
    }

    /// The resource of a shape.
    pub fn resource(&self, index: i32) -> Option<Gd<Shape2D>> {
        let (owner, id, place) = self.owner_of(index)?;
        owner.shape_owner_get_shape(id, place)
    }

    /// Whether a shape is met from one side only; not of tile maps.
    pub fn is_one_way(&self, index: i32) -> bool {
        self.owner_of(index).is_some_and(|(owner, id, _)| owner.is_shape_owner_one_way_collision_enabled(id))
    }

    /// The tile map that it belongs to.
    pub fn layer(&self) -> Option<&Gd<TileMapLayer>> {
        let Kind::Tiles(layer, _) = &self.kind else { return None };
        Some(layer).filter(|layer| layer.is_instance_valid())
    }

    /// The owner of the shape with an index, and its number there; None: it has none. The engine must not be asked for others.
    fn owner_of(&self, index: i32) -> Option<(&Gd<CollisionObject2D>, u32, i32)> {
        let owner = self.owner()?;
        if !self.sorted.replace(true) {
            let owned = &mut *self.owned.borrow_mut();
            owned.clear();
            for id in owner.get_shape_owners().as_slice().iter().map(|&id| id as u32) {
                for place in 0..owner.shape_owner_get_shape_count(id) {
                    let index = owner.shape_owner_get_shape_index(id, place).max(0) as usize;
                    if owned.len() <= index {
                        owned.resize(index + 1, (u32::MAX, 0));
                    }
                    owned[index] = (id, place);
                }
            }
        }
        let (id, place) = *self.owned.borrow().get(usize::try_from(index).ok()?)?;
        (id != u32::MAX).then_some((owner, id, place))
    }
}

fn number(value: Variant) -> Option<f32> {
    finite(value.try_to::<f64>().ok()? as f32)
}

fn finite(value: f32) -> Option<f32> {
    value.is_finite().then_some(value)
}
