//! Rigid bodies of the engine that bodies of a world hold on to.
//!
//! They are read when something is tied to them or may touch them, simulated with it, and given one impulse a tick.

use crate::convert::{instance, vec2, vector2};
use godot::classes::physics_server_2d::BodyMode;
use godot::classes::{PhysicsServer2D, RigidBody2D};
use godot::prelude::*;
use std::collections::HashMap;
use supple_sim::island::{Rigid, Seen, Track};

/// What was not read for so many ticks is forgotten.
const FORGET_TICKS: u64 = 60;

/// Masses that differ by less than this part are the same.
const SAME_MASS: f32 = 1e-3;

/// A rigid body, and what is known of it.
struct Known {
    body: Gd<RigidBody2D>,
    track: Track,
    seen: Seen,
    rigid: Rigid,
    tick: u64,
    /// It was never read before this tick.
    new: bool,
    /// The engine does not know its mass yet, and takes no impulses.
    unweighed: bool,
}

/// All that were read lately.
#[derive(Default)]
pub struct Rigids {
    known: HashMap<u64, Known>,
    /// The keys of bodies that do not yield, or are none, in this tick.
    others: Vec<u64>,
    tick: u64,
    delta: f32,
    gravity: Vector2,
}

impl Rigids {
    /// Begins a tick of `delta` seconds.
    pub fn begin(&mut self, delta: f32, gravity: Vector2) {
        self.tick += 1;
        (self.delta, self.gravity) = (delta, gravity);
        self.others.clear();
        if self.tick.is_multiple_of(FORGET_TICKS) {
            let tick = self.tick;
            let lies = |known: &Known| known.seen.sleeping && known.body.is_instance_valid();
            self.known.retain(|_, known| tick - known.tick < FORGET_TICKS || lies(known));
        }
    }

    /// The rigid body with a key as it will move in this tick; None: there is none, or nothing moves it.
    pub fn find(&mut self, key: u64) -> Option<Rigid> {
        if let Some(known) = self.known.get(&key).filter(|known| known.tick == self.tick) {
            return Some(known.rigid);
        }
        if self.others.contains(&key) {
            return None;
        }
        let rigid = self.read(key);
        if rigid.is_none() {
            self.others.push(key);
        }
        rigid
    }

    fn read(&mut self, key: u64) -> Option<Rigid> {
        let id = instance(key)?;
        let known = match self.known.get_mut(&key) {
            Some(known) if known.body.is_instance_valid() => known,
            _ => {
                let body = Gd::<RigidBody2D>::try_from_instance_id(id).ok()?;
                let known = Known {
                    body,
                    track: Track::default(),
                    seen: Seen::default(),
                    rigid: Rigid::default(),
                    tick: 0,
                    new: true,
                    unweighed: false,
                };
                self.known.insert(key, known);
                self.known.get_mut(&key)?
            }
        };
        let body = &known.body;
        if body.is_freeze_enabled() || !body.is_inside_tree() {
            return None;
        }
        let state = PhysicsServer2D::singleton().body_get_direct_state(body.get_rid())?;
        let transform = state.get_transform();
        let (velocity, spin) = (vec2(state.get_linear_velocity()), state.get_angular_velocity());
        let (mut inv_mass, mut inv_inertia) = (state.get_inverse_mass(), state.get_inverse_inertia());
        if inv_mass <= 0.0 && !is_rigid(body.get_rid()) {
            return None;
        }
        // The engine weighs it anew in its next step, after it was made or its mass was set.
        let right = 1.0 / body.get_mass();
        known.unweighed = (inv_mass - right).abs() > SAME_MASS * right;
        if known.unweighed {
            inv_inertia *= if inv_mass > 0.0 { right / inv_mass } else { 0.0 };
            inv_mass = right;
        }
        let own = body.is_using_custom_integrator();
        let mut gravity = state.get_total_gravity();
        if known.new && gravity == Vector2::ZERO {
            // The engine finds out in its first step.
            gravity = self.gravity * body.get_gravity_scale();
        }
        let drag =
            (state.get_total_linear_damp().min(1.0 / self.delta), state.get_total_angular_damp().min(1.0 / self.delta));
        let (acceleration, spin_acceleration) = if own {
            (Vector2::ZERO, 0.0)
        } else {
            let force = state.get_constant_force() * inv_mass;
            (gravity + force - vector2(velocity) * drag.0, state.get_constant_torque() * inv_inertia - spin * drag.1)
        };
        let seen = Seen {
            key,
            center: vec2(transform.origin + state.get_center_of_mass()),
            angle: transform.rotation(),
            velocity,
            spin,
            acceleration: vec2(acceleration),
            spin_acceleration,
            inv_mass,
            inv_inertia,
            sleeping: state.is_sleeping(),
            new: known.new && known.unweighed,
        };
        if !seen.is_sound() {
            return None;
        }
        known.new = false;
        if self.tick - known.tick > 1 && !(seen.sleeping && known.seen.sleeping) {
            // Something else may have been done to it since.
            known.track = Track::default();
        }
        known.rigid = known.track.predict(&seen, self.delta);
        (known.seen, known.tick) = (seen, self.tick);
        Some(known.rigid)
    }

    /// Gives a rigid body what it got in a tick.
    pub fn apply(&mut self, rigid: &Rigid) {
        let Some(known) = self.known.get_mut(&rigid.key) else { return };
        let Some(impulse) = known.track.impulse(&known.seen, rigid, self.delta) else { return };
        if !known.body.is_instance_valid() {
            return;
        }
        let nothing = impulse.linear == supple_sim::Vec2::ZERO && impulse.angular == 0.0;
        if nothing && !known.seen.sleeping {
            return;
        }
        let Some(mut state) = PhysicsServer2D::singleton().body_get_direct_state(known.body.get_rid()) else { return };
        if known.unweighed {
            // It would take impulses by its old mass.
            state.set_linear_velocity(vector2(known.seen.velocity + impulse.linear * known.seen.inv_mass));
            state.set_angular_velocity(known.seen.spin + impulse.angular * known.seen.inv_inertia);
            return;
        }
        state.apply_central_impulse(vector2(impulse.linear));
        if impulse.angular != 0.0 {
            state.apply_torque_impulse(impulse.angular);
        }
    }
}

/// Whether a body is moved by forces: one that was disabled may be static.
fn is_rigid(body: Rid) -> bool {
    let mode = PhysicsServer2D::singleton().body_get_mode(body);
    mode == BodyMode::RIGID || mode == BodyMode::RIGID_LINEAR
}
