//! A tick of a rope.

use super::{Rope, Solver};
use crate::friction;
use crate::integrate::{self, Step};
use crate::points::Points;
use crate::relax;
use crate::substeps::Substeps;
use glam::Vec2;

/// Below this speed in px/s for [`REST_TIME`] it falls asleep.
pub const REST_SPEED: f32 = 2.0;
/// How long it must be at rest before it sleeps, in seconds.
pub const REST_TIME: f32 = 0.5;
/// A node that moves faster than this in px/s has not moved but been placed.
pub const TELEPORT_SPEED: f32 = 20_000.0;
/// The way in px to which the setting `air_drag` refers.
const AIR_DRAG_WAY: f32 = 1000.0;
/// Gravity beyond this in px/s2 is cut off.
const MOST_GRAVITY: f32 = 1e6;

/// What the world is in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Simulated time of the tick in seconds.
    pub delta: f32,
    /// The world's gravity in px/s2.
    pub gravity: Vec2,
}

impl Rope {
    /// Simulates a tick.
    ///
    /// Call [`Rope::set_pose`] and [`Rope::set_holder_pose`] first. Held points move evenly from where they were to where
    /// their holders have them now. A sleeping rope does nothing.
    pub fn step(&mut self, tick: &Tick) {
        let gravity = if tick.gravity.is_finite() { tick.gravity.clamp_length_max(MOST_GRAVITY) } else { Vec2::ZERO };
        if gravity != self.gravity {
            self.gravity = gravity;
            self.wake();
        }
        if self.sleeping || !(tick.delta > 0.0 && tick.delta.is_finite()) {
            return;
        }
        let jump = self.pose.origin.distance(self.pose_before.origin);
        if self.fresh || jump > TELEPORT_SPEED * tick.delta {
            self.lay();
        }
        self.fresh = false;
        self.pose_before = self.pose;
        self.follow_frame();
        self.tick_start.copy(&self.points.x, &self.points.y);

        let targets_speed = self.fastest_pin() / tick.delta;
        let plan = Substeps::plan(tick.delta, self.settings.substeps, self.shortest_link(), targets_speed);
        for substep in 0..plan.count {
            let step = Step {
                h: plan.h,
                h_before: self.h_before,
                linear_damp: self.settings.linear_damp,
                gravity: self.gravity * self.settings.gravity_scale,
            };
            if self.settings.solver == Solver::Direct {
                let scratch = [&mut self.scratch.x[..], &mut self.scratch.y[..]];
                friction::slow_bending(&mut self.points, self.lengths[0], plan.h, scratch);
            }
            if self.settings.air_drag > 0.0 {
                integrate::air_drag(&mut self.points, self.settings.air_drag / AIR_DRAG_WAY);
            }
            integrate::verlet(&mut self.points, &step);
            self.push(&step);
            self.move_pins((plan.count - substep) as f32, TELEPORT_SPEED * plan.h);
            match self.settings.solver {
                Solver::Direct => {
                    for &(first, last) in &self.spans {
                        self.solver.solve(&mut self.points, &self.lengths, first..=last);
                    }
                }
                Solver::Relaxation => {
                    let passes = (self.settings.iteration_count as f32 * plan.h * 60.0).round().max(1.0);
                    relax::chain(&mut self.points, &self.lengths, passes as u32);
                }
            }
            self.h_before = plan.h;
        }
        self.forces.clear();
        if !self.points.is_finite() {
            self.recoveries += 1;
            self.points = Points::default();
            self.points.resize(self.lengths.len() + 1);
            self.weigh();
            self.lay();
            self.fresh = false;
        }
        self.doze(plan.h * plan.count as f32);
    }

    /// What a tick costs, in nanoseconds, roughly.
    pub fn cost(&self) -> usize {
        if self.sleeping { 0 } else { 100 * self.points.len() }
    }

    fn shortest_link(&self) -> f32 {
        self.lengths.first().copied().unwrap_or(1.0)
    }

    /// How far the fastest pin has to go in this tick, in px.
    fn fastest_pin(&self) -> f32 {
        let way = |pin: &super::Pin| self.points.position(pin.point).distance(self.pin_target(pin));
        self.pins.iter().map(way).fold(0.0, f32::max)
    }

    /// Moves held points towards their pins: with `left` substeps to go by one part in `left`, at most by `limit` px.
    fn move_pins(&mut self, left: f32, limit: f32) {
        for index in 0..self.pins.len() {
            let pin = self.pins[index];
            let at = self.points.position(pin.point);
            let target = self.pin_target(&pin);
            let way = (target - at) / left;
            let next = if left <= 1.0 && way.length_squared() <= limit * limit {
                // To the last bit: a pin is where its holder is.
                target
            } else {
                at + way.clamp_length_max(limit)
            };
            self.points.move_to(pin.point, next);
        }
    }

    /// Adds the forces that were applied for this tick.
    fn push(&mut self, step: &Step) {
        let factor = step.acceleration_factor();
        for (i, force) in self.forces.iter().enumerate() {
            let moved = *force * self.points.inv_mass[i] * factor;
            self.points.move_to(i, self.points.position(i) + moved);
        }
    }

    /// Keeps the frame near the rope.
    pub(super) fn follow_frame(&mut self) {
        let anchor = self.pins.first().map_or(self.points.position(0), |pin| self.pin_target(pin));
        if let Some(shift) = self.frame.follow(self.frame.to_global(anchor)) {
            self.translate(shift);
        }
    }

    /// Counts the time at rest and falls asleep.
    fn doze(&mut self, time: f32) {
        let moving = self.points.longest_way() > REST_SPEED * self.h_before
            || self.pins.iter().any(|pin| self.points.position(pin.point) != self.pin_target(pin));
        if moving || !self.settings.can_sleep {
            self.rest_time = 0.0;
            return;
        }
        self.rest_time += time;
        if self.rest_time >= REST_TIME {
            self.sleep();
        }
    }
}
