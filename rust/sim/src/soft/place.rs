//! Laying a soft body out, and moving it as a whole.

use super::SoftBody;
use crate::frame::{Frame, Pose};
use glam::Vec2;

/// A node that is turned or moved by less than this is where the body has put it: an engine rounds.
const SAME_PLACE: f32 = 1e-3;
const SAME_ANGLE: f32 = 1e-5;

impl SoftBody {
    /// Lays it out anew at rest where its node is; what held its points holds them on.
    pub fn reset(&mut self) {
        self.lay();
        self.wake();
    }

    /// Lays it out at rest where its node is.
    pub(super) fn lay(&mut self) {
        let count = self.mesh.points.len();
        self.laid = self.pose;
        self.turn = Vec2::X;
        self.frame = Frame::near(self.pose.origin);
        self.rest.clear();
        self.rest.extend(self.mesh.points.iter().map(|&point| self.pose.turn(point)));
        self.points.resize(count);
        self.start_x.resize(count, 0.0);
        self.start_y.resize(count, 0.0);
        let local = self.frame.to_local(self.pose.origin);
        for i in 0..count {
            self.points.place(i, local + self.rest[i]);
        }
        self.forces.clear();
        self.h_before = 0.0;
        self.passes_due = 0.0;
        self.fresh = true;
        self.pose_before = self.pose;
        self.collision.contacts.forget();
        let orientation = self.orientation();
        self.material.set(&self.mesh, &self.rest, orientation, &self.settings);
        self.systems.forget();
        self.weigh_points();
        self.room.note_spacing(&self.mesh, &self.rest);
        // The middle is that of the masses.
        let mass: f32 = self.material.masses().iter().sum();
        let middle =
            self.rest.iter().zip(self.material.masses()).map(|(&rest, &mass)| rest * mass).sum::<Vec2>() / mass;
        self.rest.iter_mut().for_each(|rest| *rest -= middle);
        self.origin = -middle;
        for index in 0..self.pins.len() {
            let place = self.held_at(&self.pins[index]);
            self.points.place(self.pins[index].point, place);
        }
        self.points.begin();
        self.take_down_start();
    }

    /// Takes down where it is, for drawing between ticks.
    pub(super) fn take_down_start(&mut self) {
        self.start_x.copy_from_slice(&self.points.x);
        self.start_y.copy_from_slice(&self.points.y);
    }

    /// The node's pose that it knows of.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The node is here in this tick. What its node holds follows; otherwise a node that is not where the body has put it takes the body along, with
    /// its velocity, as a rigid body of the engine's does.
    pub fn set_pose(&mut self, pose: Pose) {
        if pose == self.pose || !pose.is_finite() {
            return;
        }
        if self.fresh && self.h_before <= 0.0 {
            self.place_at(pose);
        } else if self.is_led() {
            self.pose = pose;
            self.wake();
        } else if self.settings.move_node {
            self.carry_to(pose);
        } else {
            self.pose = pose;
        }
    }

    /// The node has been put here by the body itself, as the engine rounds it.
    pub fn note_pose(&mut self, pose: Pose) {
        if pose.is_finite() {
            (self.pose, self.pose_before) = (pose, pose);
        }
    }

    /// Carries all of it along with its node, as it is, moving on.
    pub fn carry_to(&mut self, pose: Pose) {
        if !pose.is_finite() || pose == self.pose {
            return;
        }
        let before = std::mem::replace(&mut self.pose, pose);
        self.pose_before = pose;
        let turned = before.x.angle_to(pose.x);
        let turned = if turned.is_finite() && turned.abs() > SAME_ANGLE { Vec2::from_angle(turned) } else { Vec2::X };
        let moved = pose.origin - before.origin;
        if turned == Vec2::X && moved.length() < SAME_PLACE {
            return;
        }
        let pivot = self.frame.to_local(before.origin);
        let mean = self.mean_way();
        for i in 0..self.points.len() {
            let at = self.points.position(i);
            self.points.set_position(i, pivot + turned.rotate(at - pivot));
            let way = self.points.way(i);
            self.points.set_way(i, mean + turned.rotate(way - mean));
        }
        self.turn = turned.rotate(self.turn).normalize_or(Vec2::X);
        // The frame goes along, so that nothing is rounded.
        let next = Frame::near(self.frame.origin() + moved);
        let shift = moved - (next.origin() - self.frame.origin());
        self.frame = next;
        self.points.shift(shift);
        self.points.begin();
        self.take_down_start();
        self.collision.contacts.forget();
        self.wake();
    }

    /// The node was placed here: lays it out at rest.
    pub fn place_at(&mut self, pose: Pose) {
        if pose.is_finite() {
            self.pose = pose;
            self.lay();
            self.wake();
        }
    }

    /// Whether its own node leads it, by points that it holds.
    pub fn is_led(&self) -> bool {
        self.pins.iter().any(|pin| pin.holder.is_none())
    }

    /// Keeps the frame near the body.
    pub(super) fn follow_frame(&mut self) {
        let middle = self.middle();
        if let Some(shift) = self.frame.follow(self.frame.to_global(middle)) {
            self.points.shift(shift);
            self.start_x.iter_mut().for_each(|x| *x += shift.x);
            self.start_y.iter_mut().for_each(|y| *y += shift.y);
            self.collision.contacts.lose();
        }
    }
}
