//! A soft body: a mesh of points and triangles that wobbles, and goes back to its shape.
//!
//! - `settings`: what can be set
//! - `place`: laying it out, and moving it as a whole
//! - `motion`: how it moves as a whole: its rigid frame, velocity, rotation
//! - `pins`: which points are held
//! - `touch`: what a user may do to points
//! - `material`: what the triangles do against being deformed; `elastic`: its hot loop
//! - `open`: what is done about triangles that are turned inside out
//! - `system`: the linear system of a substep
//! - `collide`: what it touches; `push`: solving for that; `response`, `rows`: how
//! - `bounce`: being thrown back from what stands; `rebound`: and from what moves
//! - `burden`: what it carries, and how that hardens it
//! - `pile`: bodies that are solved for together; `meeting`: where two touch; `sides`: what is near to an outline; `carriers`: the rigid ones
//! - `tangle`: bodies that are in each other
//! - `strands`: ropes that are solved for with them; `strand`: where one touches a body
//! - `partition`: its outline in a few pieces for others to meet; `hull`: hulls of these
//! - `loads`: what stands on it and runs against it
//! - `itself`: what is folded onto itself
//! - `step`: a tick
//! - `state`: saving and restoring

mod bounce;
mod burden;
mod carriers;
mod collide;
mod elastic;
mod hull;
mod itself;
mod loads;
mod material;
mod meeting;
mod motion;
mod open;
mod partition;
mod pile;
mod pins;
mod place;
mod push;
mod rebound;
mod response;
mod rows;
mod settings;
mod sides;
mod state;
mod step;
mod strand;
mod strands;
mod system;
mod tangle;
mod touch;

pub(crate) use burden::presses_otherwise;
pub use hull::{hull, skin};
pub use partition::{MOST_PIECES, Partition};
pub use pile::Pile;
pub use pins::Sides;
pub use settings::{LEAST_STRETCH, MOST_DAMPING, MOST_PRESSURE, MOST_STIFFNESS, MOST_STRETCH, SoftSettings};
pub(crate) use strand::Caught;

use crate::bounds::Bounds;
use crate::frame::{Frame, Pose};
use crate::mesh::Mesh;
use crate::points::Points;
use crate::rope::Pin;
use crate::tick::DEFAULT_GRAVITY;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Gravity until the first tick brings the world's.
const FIRST_GRAVITY: Vec2 = Vec2::new(0.0, DEFAULT_GRAVITY);

/// What is smaller than this part of its area at rest is flat.
const FLAT: f32 = 1e-3;

/// A soft body. See the [module](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SoftBody {
    settings: SoftSettings,
    mesh: Arc<Mesh>,
    /// The node's axes when it was laid out.
    laid: Pose,
    /// The points at rest beside their middle, in global px, as they were laid out.
    rest: Vec<Vec2>,
    /// Where the node's origin is beside the middle then.
    origin: Vec2,
    points: Points,
    pins: Vec<Pin>,
    frame: Frame,
    pose: Pose,
    pose_before: Pose,
    /// By what angle it has been turned since it was laid out, as a direction.
    turn: Vec2,
    /// How it is turned while it may not turn.
    lock: Vec2,
    gravity: Vec2,
    /// The last substep in seconds; 0 after placing.
    h_before: f32,
    /// The farthest that a pin is followed in this tick, in px.
    longest_move: f32,
    /// Forces for the next tick in kg px/s2; empty if there are none.
    forces: Vec<Vec2>,
    /// Positions at the start of the last tick, for drawing between two ticks.
    start_x: Vec<f32>,
    start_y: Vec<f32>,
    /// Positions when it began to be at rest.
    anchor_x: Vec<f32>,
    anchor_y: Vec<f32>,
    material: material::Material,
    loads: loads::Loads,
    #[serde(skip)]
    systems: system::Systems,
    #[serde(skip)]
    room: step::Room,
    #[serde(skip)]
    collision: collide::Collision,
    #[serde(skip)]
    folds: itself::Folds,
    /// How many triangles were turned inside out in the last substep.
    inside_out: u32,
    /// The points that were pressed against something in the last substep.
    pressed: Vec<u32>,
    /// It is being untwisted.
    untwists: bool,
    /// How long it has not been looked whether it is twisted, in seconds.
    unwatched: f32,
    /// What it has struck and not left yet.
    strike: Option<bounce::Strike>,
    /// No tick has been simulated since it was placed, and no point was touched.
    fresh: bool,
    sleeping: bool,
    rest_time: f32,
    /// The cosine between up and the normal of the most level thing on which it lies; -1: it lies on nothing.
    upright: f32,
    /// What it carries, in kg px/s2, and of soft bodies; and for what it is hardened.
    load: f32,
    soft_load: f32,
    borne: f32,
    soft_borne: f32,
    #[serde(skip)]
    recoveries: u64,
    /// What tells it from others.
    #[serde(skip)]
    key: u64,
}

impl SoftBody {
    /// A body laid out at rest on a node at `pose`.
    pub fn new(settings: SoftSettings, mesh: Arc<Mesh>, pose: Pose) -> SoftBody {
        let pose = if pose.is_finite() { pose } else { Pose::IDENTITY };
        let mut body = SoftBody {
            settings: settings.clamped(&SoftSettings::default()),
            mesh,
            laid: pose,
            rest: Vec::new(),
            origin: Vec2::ZERO,
            points: Points::default(),
            pins: Vec::new(),
            frame: Frame::near(pose.origin),
            pose,
            pose_before: pose,
            turn: Vec2::X,
            lock: Vec2::X,
            gravity: FIRST_GRAVITY,
            h_before: 0.0,
            longest_move: 0.0,
            forces: Vec::new(),
            start_x: Vec::new(),
            start_y: Vec::new(),
            anchor_x: Vec::new(),
            anchor_y: Vec::new(),
            material: material::Material::default(),
            loads: loads::Loads::default(),
            systems: system::Systems::default(),
            room: step::Room::default(),
            collision: collide::Collision::default(),
            folds: itself::Folds::default(),
            inside_out: 0,
            pressed: Vec::new(),
            untwists: false,
            unwatched: 0.0,
            strike: None,
            fresh: true,
            sleeping: false,
            rest_time: 0.0,
            upright: -1.0,
            load: 0.0,
            soft_load: 0.0,
            borne: 0.0,
            soft_borne: 0.0,
            recoveries: 0,
            key: 0,
        };
        body.lay();
        body
    }

    /// What is set.
    pub fn settings(&self) -> &SoftSettings {
        &self.settings
    }

    /// Sets everything; what is out of range is clamped, what is not a number stays as it was.
    pub fn set_settings(&mut self, settings: SoftSettings) {
        let settings = settings.clamped(&self.settings);
        if settings == self.settings {
            return;
        }
        if settings.lock_rotation && !self.settings.lock_rotation {
            self.lock = self.turn;
        }
        // What the matrix does not know of.
        let SoftSettings { can_sleep, move_node, precise, collision, .. } = settings;
        let weighs = SoftSettings { can_sleep, move_node, precise, collision, ..self.settings } != settings;
        self.settings = settings;
        if weighs {
            self.weigh();
        }
        self.wake();
    }

    /// Takes a key that tells it from others: [`crate::collide::ColliderKey::body`].
    pub fn set_key(&mut self, key: u64) {
        self.key = key;
    }

    /// Its shape at rest.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// Gives it another shape, and lays it out anew, with the velocity that it has as a whole; what held its points has let go.
    pub fn set_mesh(&mut self, mesh: Arc<Mesh>) {
        let (fresh, moves) = (self.fresh, self.h_before > 0.0 && !self.sleeping);
        let (velocity, spin) = (self.linear_velocity(), self.angular_velocity());
        self.mesh = mesh;
        self.pins.clear();
        self.reset();
        if moves {
            self.fresh = fresh;
            self.set_linear_velocity(velocity);
            self.set_angular_velocity(spin);
        }
    }

    /// How many points it has.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Where point `i` is, in global px.
    pub fn position(&self, i: usize) -> Vec2 {
        self.frame.to_global(self.points.position(i))
    }

    /// Where point `i` was at the start of the last tick, in global px.
    pub fn position_before(&self, i: usize) -> Vec2 {
        self.frame.to_global(Vec2::new(self.start_x[i], self.start_y[i]))
    }

    /// Where it is between the start of the last tick (`part` 0) and its end (1), beside the place `origin` (global): exact far away.
    pub fn place_between(&self, i: usize, part: f32, origin: Vec2) -> Vec2 {
        let before = Vec2::new(self.start_x[i], self.start_y[i]);
        before.lerp(self.points.position(i), part) - self.frame.to_local(origin)
    }

    /// Velocity of point `i` in px/s.
    pub fn velocity(&self, i: usize) -> Vec2 {
        if self.h_before > 0.0 { self.points.way(i) / self.h_before } else { Vec2::ZERO }
    }

    /// A box around all points, in global px.
    pub fn bounds(&self) -> Bounds {
        Bounds::of((0..self.points.len()).map(|i| self.position(i)))
    }

    /// The area inside of its outline in px2; negative where it is turned inside out.
    pub fn area(&self) -> f32 {
        let at = |i: usize| self.points.position(self.mesh.outline[i % self.mesh.outline.len()] as usize);
        let sum: f32 = (0..self.mesh.outline.len()).map(|i| at(i).perp_dot(at(i + 1))).sum();
        0.5 * sum * self.orientation()
    }

    /// The area at rest in px2.
    pub fn rest_area(&self) -> f32 {
        self.material.area()
    }

    /// By how much its most stretched link is longer than at rest: 0.1 is a tenth.
    pub fn stretch(&self) -> f32 {
        (0..self.mesh.links.len()).map(|i| self.link_stretch(i)).fold(0.0, f32::max)
    }

    /// By how much link `i` is longer than at rest: 0.1 is a tenth, negative values are shorter.
    pub fn link_stretch(&self, i: usize) -> f32 {
        let link = &self.mesh.links[i];
        let (a, b) = (link.a as usize, link.b as usize);
        self.points.position(a).distance(self.points.position(b)) / self.rest[a].distance(self.rest[b]) - 1.0
    }

    /// Whether a triangle of its mesh is turned inside out. What is pressed flat is not.
    pub fn is_inverted(&self, triangle: usize) -> bool {
        let [a, b, c] = self.mesh.triangles[triangle].map(|i| self.points.position(i as usize));
        let area = 0.5 * (b - a).perp_dot(c - a) * self.orientation();
        area < -FLAT * self.material.triangles[triangle].area
    }

    /// How many triangles are turned inside out.
    pub fn inverted(&self) -> usize {
        (0..self.mesh.triangles.len()).filter(|&triangle| self.is_inverted(triangle)).count()
    }

    /// Whether it sleeps.
    pub fn is_sleeping(&self) -> bool {
        self.sleeping
    }

    /// Wakes it.
    pub fn wake(&mut self) {
        self.sleeping = false;
        self.rest_time = 0.0;
        self.collision.asleep_among = None;
    }

    /// Puts it to sleep where it is.
    pub fn sleep(&mut self) {
        self.sleeping = true;
        self.collision.asleep_on = false;
        self.points.stop();
        self.start_x.copy_from_slice(&self.points.x);
        self.start_y.copy_from_slice(&self.points.y);
    }

    /// How often a number in it was not finite, and it was laid out anew.
    pub fn recoveries(&self) -> u64 {
        self.recoveries
    }

    /// No tick has been simulated since it was placed.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// -1 if its node mirrors it, otherwise 1.
    fn orientation(&self) -> f32 {
        if self.laid.is_mirrored() == Some(true) { -1.0 } else { 1.0 }
    }
}
