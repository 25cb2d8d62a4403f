//! What areas see of a presence.
//!
//! The engine looks at a static body and an area only when the area moves: one that stands still would never be told that a rope came. So a presence has
//! a kinematic body besides, thin and coarse, which the engine looks at whenever it is moved. It follows a tick later, so that characters and rigid bodies
//! must not meet it: all that are near are made exceptions. Rays meet the presence around it first.

use super::presence::{Form, Manner, Piece, disown, exchange_exceptions, own, place_of};
use godot::classes::PhysicsServer2D;
use godot::classes::physics_server_2d::{BodyMode, BodyState};
use godot::prelude::*;

/// So many pieces are seen as one.
const COARSE: usize = 4;
/// How thick it is, in px either way.
const RADIUS: f32 = 0.5;

/// A body for areas.
pub struct Herald {
    body: Rid,
    /// The shapes of the server, and where they are.
    shapes: Vec<(Rid, Form, Transform2D)>,
    exceptions: Vec<u64>,
}

impl Herald {
    /// Of nothing yet.
    pub fn new(owner: InstanceId, manner: &Manner) -> Herald {
        let server = &mut PhysicsServer2D::singleton();
        let body = server.body_create();
        server.body_set_mode(body, BodyMode::KINEMATIC);
        server.body_set_collision_mask(body, 0);
        server.body_set_collision_layer(body, manner.layer);
        server.body_attach_object_instance_id(body, owner.to_i64() as u64);
        server.body_set_space(body, manner.space);
        own(body);
        Herald { body, shapes: Vec::new(), exceptions: Vec::new() }
    }

    pub fn behave(&mut self, manner: &Manner) {
        let server = &mut PhysicsServer2D::singleton();
        server.body_set_collision_layer(self.body, manner.layer);
        server.body_set_space(self.body, manner.space);
    }

    /// Follows the pieces of a presence.
    pub fn follow<'a>(&mut self, pieces: impl ExactSizeIterator<Item = &'a Piece> + Clone) {
        let server = &mut PhysicsServer2D::singleton();
        let count = pieces.len().div_ceil(COARSE);
        let mut changed = count != self.shapes.len();
        while self.shapes.len() > count
            && let Some((shape, ..)) = self.shapes.pop()
        {
            server.body_remove_shape(self.body, self.shapes.len() as i32);
            server.free_rid(shape);
        }
        for index in 0..count {
            let mut group = pieces.clone().skip(index * COARSE).take(COARSE);
            let Some(first) = group.next() else { continue };
            let (from, to) = (first.ends().0, group.last().unwrap_or(first).ends().1);
            let line = to - from;
            let form = Form::capsule(line.length(), RADIUS);
            let place = place_of(from + line * 0.5, line.angle());
            match self.shapes.get_mut(index) {
                None => {
                    let shape = form.create(server);
                    server.body_add_shape_ex(self.body, shape).transform(place).done();
                    self.shapes.push((shape, form, place));
                }
                Some((shape, known, there)) => {
                    if form != *known {
                        *known = form;
                        form.apply(server, *shape);
                        changed = true;
                    }
                    if place != *there {
                        *there = place;
                        server.body_set_shape_transform(self.body, index as i32, place);
                        changed = true;
                    }
                }
            }
        }
        if changed {
            // The engine looks at it in this tick.
            server.body_set_state(self.body, BodyState::TRANSFORM, &Transform2D::IDENTITY.to_variant());
        }
    }

    /// These bodies, by their sorted RIDs, are near.
    pub fn except(&mut self, bodies: &[u64]) {
        if bodies == self.exceptions {
            return;
        }
        exchange_exceptions(&mut PhysicsServer2D::singleton(), &[self.body], &self.exceptions, bodies);
        self.exceptions.clear();
        self.exceptions.extend_from_slice(bodies);
    }
}

impl Drop for Herald {
    fn drop(&mut self) {
        let server = &mut PhysicsServer2D::singleton();
        server.free_rid(self.body);
        disown(self.body);
        self.shapes.drain(..).for_each(|(shape, ..)| server.free_rid(shape));
    }
}
