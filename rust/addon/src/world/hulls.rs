//! The presence of what is solid: a few convex pieces that change their form in every tick.
//!
//! Each piece is a body of the server, as an `AnimatableBody2D` is: a kinematic one, whose velocity is that of its surface. The shapes change, the bodies stay where
//! they are: what `shape_set_data` moves is seen at once, also of a kinematic body, and areas that stand still are told of it. So there is no need of a [herald](super::herald)
//! besides; static bodies with heralds took four times as long (200 bodies of 8 pieces: 8 ms instead of 2).

use super::company::Meets;
use super::presence::{Manner, disown, exchange_exceptions, own, set_material};
use crate::convert::vector2;
use godot::classes::PhysicsServer2D;
use godot::classes::physics_server_2d::{BodyMode, BodyState};
use godot::prelude::*;
use supple_sim::Vec2;

/// A velocity that has changed by less than this, in px/s, is not told of.
const LEAST_CHANGE: f32 = 0.1;
/// Corners are counted from a place that is nearer than this, in px: far numbers are coarse.
const FAR: f32 = 1024.0;
/// What moves, but carries nobody, has this velocity in px/s: a kinematic body without one is put to sleep.
const AWAKE: Vector2 = Vector2::new(1e-3, 0.0);

struct Hull {
    body: Rid,
    shape: Rid,
    velocity: Vector2,
    shown: bool,
}

/// What a solid body is for others. It must be dropped on the main thread.
pub struct Hulls {
    owner: InstanceId,
    manner: Manner,
    pieces: Vec<Hull>,
    /// Where the bodies are.
    origin: Vec2,
    /// Bodies that do not meet it, sorted.
    exceptions: Vec<u64>,
}

impl Hulls {
    /// Nothing yet.
    pub fn new(owner: InstanceId, manner: Manner) -> Hulls {
        Hulls { owner, manner, pieces: Vec::new(), origin: Vec2::ZERO, exceptions: Vec::new() }
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether a piece is this body of the server.
    pub fn is_body(&self, index: usize, body: u64) -> bool {
        self.pieces.get(index).is_some_and(|piece| piece.body.to_u64() == body)
    }

    /// Changes what all pieces have in common.
    pub fn behave(&mut self, manner: Manner) {
        if manner == self.manner {
            return;
        }
        let before = std::mem::replace(&mut self.manner, manner);
        let server = &mut PhysicsServer2D::singleton();
        for piece in &self.pieces {
            if manner.layer != before.layer {
                server.body_set_collision_layer(piece.body, manner.layer);
            }
            if manner.space != before.space && piece.shown {
                server.body_set_space(piece.body, manner.space);
            }
            if manner.material != before.material {
                set_material(server, piece.body, manner.material);
            }
        }
    }

    /// Makes it consist of so many pieces; new ones are to be shown next.
    pub fn resize(&mut self, count: usize) {
        let server = &mut PhysicsServer2D::singleton();
        while self.pieces.len() > count
            && let Some(piece) = self.pieces.pop()
        {
            piece.free(server);
        }
        while self.pieces.len() < count {
            let shape = server.convex_polygon_shape_create();
            let body = server.body_create();
            server.body_set_mode(body, BodyMode::KINEMATIC);
            server.body_set_collision_mask(body, 0);
            server.body_set_collision_layer(body, self.manner.layer);
            server.body_attach_object_instance_id(body, self.owner.to_i64() as u64);
            server.body_set_state(body, BodyState::TRANSFORM, &place(self.origin));
            own(body);
            set_material(server, body, self.manner.material);
            exchange_exceptions(server, &[body], &[], &self.exceptions);
            self.pieces.push(Hull { body, shape, velocity: Vector2::ZERO, shown: false });
        }
    }

    /// Says where corners are shown next, roughly.
    pub fn come_near(&mut self, origin: Vec2) {
        if origin.distance(self.origin) < FAR {
            return;
        }
        self.origin = origin.round();
        let server = &mut PhysicsServer2D::singleton();
        for piece in &mut self.pieces {
            server.body_set_state(piece.body, BodyState::TRANSFORM, &place(self.origin));
            // A kinematic body goes there at the end of a tick only, unless it is new in its space.
            if std::mem::take(&mut piece.shown) {
                server.body_clear_shapes(piece.body);
                server.body_set_space(piece.body, Rid::Invalid);
            }
        }
    }

    /// Whether corners have to be shown anew although they have not moved.
    pub fn is_far(&self, origin: Vec2) -> bool {
        origin.distance(self.origin) >= FAR
    }

    /// Gives a piece its form: its corners beside the place that was said last, turning right on the screen.
    pub fn show(&mut self, index: usize, corners: &[Vec2]) {
        let Some(piece) = self.pieces.get_mut(index) else { return };
        let server = &mut PhysicsServer2D::singleton();
        let corners: PackedVector2Array = corners.iter().map(|&corner| vector2(corner - self.origin)).collect();
        server.shape_set_data(piece.shape, &corners.to_variant());
        if !std::mem::replace(&mut piece.shown, true) {
            server.body_add_shape(piece.body, piece.shape);
            server.body_set_space(piece.body, self.manner.space);
        }
        if piece.velocity == Vector2::ZERO {
            // Otherwise areas would not be told of it: what is slower than anything is awake.
            piece.velocity = AWAKE;
            server.body_set_state(piece.body, BodyState::LINEAR_VELOCITY, &AWAKE.to_variant());
            server.body_set_state(piece.body, BodyState::TRANSFORM, &place(self.origin));
        }
    }

    /// How fast a piece goes, in px/s, for what stands on it; None: nobody is near. `moved`: it was shown in this tick.
    pub fn carry(&mut self, index: usize, velocity: Option<Vector2>, moved: bool) {
        let Some(piece) = self.pieces.get_mut(index) else { return };
        let least = if moved { AWAKE } else { Vector2::ZERO };
        let velocity = velocity.filter(|velocity| velocity.length_squared() > LEAST_CHANGE * LEAST_CHANGE).unwrap_or(least);
        if velocity.distance_to(piece.velocity) > LEAST_CHANGE || (velocity == least && piece.velocity != least) {
            piece.velocity = velocity;
            let server = &mut PhysicsServer2D::singleton();
            server.body_set_state(piece.body, BodyState::LINEAR_VELOCITY, &velocity.to_variant());
        }
    }

    fn bodies(&self) -> Vec<Rid> {
        self.pieces.iter().map(|piece| piece.body).collect()
    }
}

impl Meets for Hulls {
    fn except(&mut self, bodies: &[u64]) {
        if bodies != self.exceptions {
            exchange_exceptions(&mut PhysicsServer2D::singleton(), &self.bodies(), &self.exceptions, bodies);
            self.exceptions.clear();
            self.exceptions.extend_from_slice(bodies);
        }
    }

    fn keep_clear(&mut self, _bodies: &[u64]) {}
}

impl Hull {
    fn free(self, server: &mut PhysicsServer2D) {
        server.free_rid(self.body);
        disown(self.body);
        server.free_rid(self.shape);
    }
}

impl Drop for Hulls {
    fn drop(&mut self) {
        let server = &mut PhysicsServer2D::singleton();
        self.pieces.drain(..).for_each(|piece| piece.free(server));
    }
}

fn place(origin: Vec2) -> Variant {
    Transform2D::from_angle_origin(0.0, vector2(origin)).to_variant()
}

