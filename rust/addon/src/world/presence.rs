//! Being there for others: what rays, areas, characters and rigid bodies meet of a body whose collision layer is not 0.
//!
//! A presence is a set of convex pieces. Each is a static body of the physics server that belongs to the node, and moves: the server lets static bodies
//! have a velocity of their surface, and `move_and_slide` carries along by it what stands there. Before any node moves in a tick, the
//! pieces are put where they will be after it ([`publish`]): so what a character is kept out of by the engine is what is drawn after.
//!
//! Only what the server makes public is used. Supple's own bodies meet each other in the core: their presences are left out when
//! colliders are gathered.

use super::company::Meets;
use super::herald::Herald;
use super::{WORLDS, World};
use crate::convert::vec2;
use godot::classes::PhysicsServer2D;
use godot::classes::physics_server_2d::{BodyMode, BodyParameter, BodyState};
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::f32::consts::FRAC_PI_2;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;

/// Pieces whose forms differ by less than this in px share them.
const QUANTUM: f32 = 0.25;
/// A velocity that has changed by less than this, in px/s, is not told of.
const LEAST_CHANGE: f32 = 0.1;

/// What has moved by less than this in px stays where it was shown.
pub const STILL: f32 = 0.25;
/// A body carries what stands on it not faster upwards than this, in px/s: a fast rise would count twice, since the engine also pushes out.
pub const FASTEST_RISE: f32 = 250.0;
/// What goes farther than by this speed in px/s has not moved but been put there.
pub const TELEPORT_SPEED: f32 = 20_000.0;

/// The form of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// All that is near to a line, in quanta: its length, and how near.
    Capsule(u32, u32),
}

impl Form {
    /// All within `radius` px of a line of this length.
    pub fn capsule(length: f32, radius: f32) -> Form {
        let quanta = |px: f32| (px / QUANTUM).round() as u32;
        Form::Capsule(quanta(length), quanta(radius).max(1))
    }

    pub fn create(self, server: &mut PhysicsServer2D) -> Rid {
        let shape = server.capsule_shape_create();
        self.apply(server, shape);
        shape
    }

    /// Gives a shape of the server this form.
    pub fn apply(self, server: &mut PhysicsServer2D, shape: Rid) {
        let Form::Capsule(length, radius) = self;
        let (length, radius) = (length as f32 * QUANTUM, radius as f32 * QUANTUM);
        server.shape_set_data(shape, &Vector2::new(radius, length + 2.0 * radius).to_variant());
    }
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub form: Form,
    /// Its middle, in global px.
    pub place: Vector2,
    /// The direction of a capsule's line, in radians.
    pub angle: f32,
    /// In px/s. How it turns is not told: the engine would take it at the middle of whoever stands there, and throw that to and fro.
    pub velocity: Vector2,
}

impl Piece {
    /// The ends of a capsule's line.
    pub fn ends(&self) -> (Vector2, Vector2) {
        let Form::Capsule(length, _) = self.form;
        let half = Vector2::from_angle(self.angle) * (0.5 * QUANTUM * length as f32);
        (self.place - half, self.place + half)
    }
}

/// What all pieces of a presence have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    pub space: Rid,
    pub layer: u32,
    /// Friction and bounce, as the engine counts them.
    pub material: (f32, f32),
}

struct Shown {
    body: Rid,
    piece: Piece,
}

/// What a body is for others. It must be dropped on the main thread.
pub struct Presence {
    owner: InstanceId,
    manner: Manner,
    shown: Vec<Shown>,
    /// Shapes, and how many pieces have them.
    shapes: HashMap<Form, (Rid, usize)>,
    /// Bodies that do not meet it, sorted.
    exceptions: Vec<u64>,
    /// What areas see of it.
    herald: Herald,
    /// A piece was moved since that was told.
    moved: bool,
}

/// All bodies of presences, and a count of their changes.
#[derive(Default)]
struct Own {
    bodies: BTreeSet<u64>,
    changes: u64,
    list: Option<Array<Rid>>,
}

thread_local! {
    static OWN: RefCell<Own> = RefCell::default();
}

impl Presence {
    /// Nothing yet.
    pub fn new(owner: InstanceId, manner: Manner) -> Presence {
        Presence {
            owner,
            manner,
            shown: Vec::new(),
            shapes: HashMap::new(),
            exceptions: Vec::new(),
            herald: Herald::new(owner, &manner),
            moved: true,
        }
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// Whether a piece is this body of the server.
    pub fn is_body(&self, index: usize, body: u64) -> bool {
        self.shown.get(index).is_some_and(|shown| shown.body.to_u64() == body)
    }

    /// Changes what all pieces have in common.
    pub fn behave(&mut self, manner: Manner) {
        if manner == self.manner {
            return;
        }
        let before = std::mem::replace(&mut self.manner, manner);
        self.herald.behave(&manner);
        let server = &mut PhysicsServer2D::singleton();
        for shown in &self.shown {
            if manner.layer != before.layer {
                server.body_set_collision_layer(shown.body, manner.layer);
            }
            if manner.space != before.space {
                server.body_set_space(shown.body, manner.space);
            }
            if manner.material != before.material {
                set_material(server, shown.body, manner.material);
            }
        }
    }

    /// Makes it consist of so many pieces; new ones are to be shown next.
    pub fn resize(&mut self, count: usize, fresh: impl Fn(usize) -> Piece) {
        if count == self.shown.len() {
            return;
        }
        self.moved = true;
        let server = &mut PhysicsServer2D::singleton();
        while self.shown.len() > count
            && let Some(shown) = self.shown.pop()
        {
            server.free_rid(shown.body);
            self.release(server, shown.piece.form);
            disown(shown.body);
        }
        for index in self.shown.len()..count {
            let piece = fresh(index);
            let body = server.body_create();
            server.body_set_mode(body, BodyMode::STATIC);
            server.body_set_collision_mask(body, 0);
            server.body_set_collision_layer(body, self.manner.layer);
            server.body_attach_object_instance_id(body, self.owner.to_i64() as u64);
            set_material(server, body, self.manner.material);
            let shape = self.shape(server, piece.form);
            server.body_add_shape(body, shape);
            for &other in &self.exceptions {
                server.body_add_collision_exception(body, Rid::new(other));
            }
            put(server, body, &piece);
            set_velocity(server, body, &piece);
            server.body_set_space(body, self.manner.space);
            self.shown.push(Shown { body, piece });
            own(body);
        }
    }

    /// Brings a piece where it is now.
    pub fn show(&mut self, index: usize, piece: Piece) {
        let before = self.shown[index].piece;
        if piece == before {
            return;
        }
        let server = &mut PhysicsServer2D::singleton();
        let body = self.shown[index].body;
        if piece.form != before.form {
            let shape = self.shape(server, piece.form);
            server.body_set_shape(body, 0, shape);
            self.release(server, before.form);
        }
        let mut piece = piece;
        if (piece.place, piece.angle) != (before.place, before.angle) {
            put(server, body, &piece);
            self.moved = true;
        }
        let stops = piece.velocity == Vector2::ZERO;
        if stops != (before.velocity == Vector2::ZERO) || piece.velocity.distance_to(before.velocity) > LEAST_CHANGE {
            set_velocity(server, body, &piece);
        } else {
            piece.velocity = before.velocity;
        }
        self.shown[index].piece = piece;
    }

    /// All pieces have been shown.
    pub fn done(&mut self) {
        if std::mem::take(&mut self.moved) {
            self.herald.follow(self.shown.iter().map(|shown| &shown.piece));
        }
    }

    fn shape(&mut self, server: &mut PhysicsServer2D, form: Form) -> Rid {
        let (shape, users) = self.shapes.entry(form).or_insert_with(|| (form.create(server), 0));
        *users += 1;
        *shape
    }

    fn release(&mut self, server: &mut PhysicsServer2D, form: Form) {
        if let Some((shape, users)) = self.shapes.get_mut(&form) {
            *users -= 1;
            if *users == 0 {
                server.free_rid(*shape);
                self.shapes.remove(&form);
            }
        }
    }
}

impl Meets for Presence {
    fn except(&mut self, bodies: &[u64]) {
        if bodies == self.exceptions {
            return;
        }
        let pieces: Vec<Rid> = self.shown.iter().map(|shown| shown.body).collect();
        exchange_exceptions(&mut PhysicsServer2D::singleton(), &pieces, &self.exceptions, bodies);
        self.exceptions.clear();
        self.exceptions.extend_from_slice(bodies);
    }

    fn keep_clear(&mut self, bodies: &[u64]) {
        self.herald.except(bodies);
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let server = &mut PhysicsServer2D::singleton();
        for shown in self.shown.drain(..) {
            server.free_rid(shown.body);
            disown(shown.body);
        }
        self.shapes.drain().for_each(|(_, (shape, _))| server.free_rid(shape));
    }
}

/// Where a capsule is whose line has this middle and direction: the server's stand upright.
pub fn place_of(middle: Vector2, angle: f32) -> Transform2D {
    Transform2D::from_angle_origin(angle - FRAC_PI_2, middle)
}

fn put(server: &mut PhysicsServer2D, body: Rid, piece: &Piece) {
    server.body_set_state(body, BodyState::TRANSFORM, &place_of(piece.place, piece.angle).to_variant());
}

fn set_velocity(server: &mut PhysicsServer2D, body: Rid, piece: &Piece) {
    server.body_set_state(body, BodyState::LINEAR_VELOCITY, &piece.velocity.to_variant());
}

/// Lets pieces go through other bodies than before; both by their sorted RIDs.
pub fn exchange_exceptions(server: &mut PhysicsServer2D, pieces: &[Rid], before: &[u64], now: &[u64]) {
    let gone = before.iter().filter(|body| now.binary_search(body).is_err());
    let come = now.iter().filter(|body| before.binary_search(body).is_err());
    for &piece in pieces {
        gone.clone().for_each(|&body| server.body_remove_collision_exception(piece, Rid::new(body)));
        come.clone().for_each(|&body| server.body_add_collision_exception(piece, Rid::new(body)));
    }
}

pub fn set_material(server: &mut PhysicsServer2D, body: Rid, (friction, bounce): (f32, f32)) {
    server.body_set_param(body, BodyParameter::FRICTION, &friction.to_variant());
    server.body_set_param(body, BodyParameter::BOUNCE, &bounce.to_variant());
}

pub fn own(body: Rid) {
    change(|bodies| bodies.insert(body.to_u64()));
}

pub fn disown(body: Rid) {
    change(|bodies| bodies.remove(&body.to_u64()));
}

fn change(change: impl FnOnce(&mut BTreeSet<u64>) -> bool) {
    OWN.with_borrow_mut(|own| {
        change(&mut own.bodies);
        own.changes += 1;
        own.list = None;
    });
}

/// Which change of all presences was the last; None: there were none ever.
pub fn last_change() -> Option<u64> {
    OWN.with_borrow(|own| (own.changes > 0).then_some(own.changes))
}

/// The bodies of all presences.
pub fn all() -> Array<Rid> {
    OWN.with_borrow_mut(|own| {
        let bodies = &own.bodies;
        own.list.get_or_insert_with(|| bodies.iter().map(|&body| Rid::new(body)).collect()).clone()
    })
}

/// What the world is when presences are shown.
pub struct Stage {
    pub space: Rid,
    /// Time of the tick in seconds.
    pub delta: f32,
    /// Against gravity; zero where there is none.
    pub up: Vec2,
}

/// Brings points where they will be, and tells how fast each goes in a tick of `delta` seconds; those that hardly move stay where they were shown. True if
/// any was moved.
pub fn move_on(shown: &mut [Vec2], points: &[Vec2], velocities: &mut Vec<Vec2>, delta: f32) -> bool {
    let farthest = TELEPORT_SPEED * delta;
    let mut moved = false;
    velocities.clear();
    velocities.extend(shown.iter_mut().zip(points).map(|(shown, point)| {
        let way = *point - *shown;
        if way.length_squared() < STILL * STILL {
            return Vec2::ZERO;
        }
        moved = true;
        *shown = *point;
        if way.length() > farthest {
            return Vec2::ZERO;
        }
        way / delta
    }));
    moved
}

/// How the place of a line moves that is nearest to `at`, by its points and their velocities.
pub fn velocity_at(points: &[Vec2], velocities: &[Vec2], at: Vec2) -> Vec2 {
    let mut best = (f32::INFINITY, Vec2::ZERO);
    for (ends, velocities) in points.windows(2).zip(velocities.windows(2)) {
        let line = ends[1] - ends[0];
        let part = ((at - ends[0]).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let distance = at.distance_squared(ends[0] + line * part);
        if distance < best.0 {
            best = (distance, velocities[0].lerp(velocities[1], part));
        }
    }
    best.1
}

/// Shows all presences of a space as they will be after the tick that begins now.
pub fn publish(space: Rid, delta: f64) {
    let Some(world) = WORLDS.with_borrow(|worlds| worlds.get(&space).map(Rc::clone)) else {
        return;
    };
    let world = &mut *world.borrow_mut();
    let stage = Stage { space, delta: delta as f32, up: -vec2(world.gravity).normalize_or_zero() };
    world.presences = 0;
    for member in world.members.iter().filter(|member| member.body.flags().present.load(Relaxed)) {
        world.presences += 1;
        member.body.publish(&member.node, &stage);
    }
}

impl World {
    /// Lets presences know who is near: who of them meets them, and who is met in the core.
    pub(super) fn introduce(&mut self) {
        if self.presences == 0 {
            return;
        }
        let neighbours = &mut self.neighbours;
        neighbours.clear();
        neighbours.extend(self.colliders.neighbours());
        for member in self.members.iter().filter(|member| member.body.flags().present.load(Relaxed)) {
            member.body.meet_neighbours(neighbours);
        }
    }
}
