//! Laying a soft body out, and moving it as a whole.

use super::SoftBody;
use crate::frame::{Frame, Pose};
use glam::Vec2;

/// A node that is turned or moved by less than this is where the body has put it: an engine rounds.
const SAME_PLACE: f32 = 1e-3;
const SAME_ANGLE: f32 = 1e-5;
/// The least scale of a node at which a body is laid out: below it there is nothing to see, and numbers drown.
const LEAST_SCALE: f32 = 1e-3;
/// The greatest: beyond it squares of lengths are no numbers.
const MOST_SCALE: f32 = 1e4;
/// The least width of what a node makes of a square, as a part of its length: a flatter body has no area to keep.
const LEAST_WIDTH: f32 = 1e-2;

impl SoftBody {
    /// Lays it out anew at rest where its node is; what held its points holds them on.
    pub fn reset(&mut self) {
        self.lay();
        self.wake();
    }

    /// Lays it out at rest where its node is.
    pub(super) fn lay(&mut self) {
        let count = self.mesh.points.len();
        self.laid = with_area(self.pose);
        (self.turn, self.lock) = (Vec2::X, Vec2::X);
        self.frame = Frame::near(self.pose.origin);
        self.rest.clear();
        self.rest.extend(self.mesh.points.iter().map(|&point| self.laid.turn(point)));
        self.points.resize(count);
        self.start_x.resize(count, 0.0);
        self.start_y.resize(count, 0.0);
        let local = self.frame.to_local(self.pose.origin);
        for i in 0..count {
            self.points.place(i, local + self.rest[i]);
        }
        self.forces.clear();
        self.anchor_x.clear();
        self.anchor_y.clear();
        self.h_before = 0.0;
        self.fresh = true;
        self.pose_before = self.pose;
        self.forget_all();
        let orientation = self.orientation();
        self.material.set(&self.mesh, &self.rest, orientation, &self.settings);
        self.systems.forget();
        self.weigh_points();
        // The middle is that of the masses.
        let mass: f32 = self.material.own_masses().iter().sum();
        let middle =
            self.rest.iter().zip(self.material.own_masses()).map(|(&rest, &mass)| rest * mass).sum::<Vec2>() / mass;
        self.rest.iter_mut().for_each(|rest| *rest -= middle);
        self.origin = -middle;
        self.room.note_spacing(&self.mesh, &self.rest);
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
        if self.fresh {
            self.place_at(pose);
        } else if self.is_led() {
            if pose.is_mirrored().is_some_and(|mirrored| Some(mirrored) != self.laid.is_mirrored()) {
                self.mirror(&pose);
            }
            self.pose = pose;
            self.wake();
        } else if self.settings.move_node {
            self.carry_to(pose);
        } else {
            self.pose = pose;
        }
    }

    /// Mirrors it with the node that holds it, as that is turned round (`scale.x = -1`): left in the world, it would whip through itself.
    fn mirror(&mut self, pose: &Pose) {
        let before = with_area(self.pose);
        let local = self.frame.to_local(before.origin);
        let (from, to) = (self.laid, with_area(*pose));
        for i in 0..self.points.len() {
            let at = self.points.position(i) - local;
            self.points.set_position(i, local + pose.turn(before.unturn(at)));
            let way = self.points.way(i);
            self.points.set_way(i, pose.turn(before.unturn(way)));
        }
        self.points.begin();
        self.take_down_start();
        // The shape at rest is that on the mirrored node.
        for rest in &mut self.rest {
            *rest = to.turn(from.unturn(*rest));
        }
        self.origin = to.turn(from.unturn(self.origin));
        self.laid = to;
        (self.turn, self.lock) = (Vec2::X, Vec2::X);
        let orientation = self.orientation();
        self.material.set(&self.mesh, &self.rest, orientation, &self.settings);
        self.systems.forget();
        self.weigh_points();
        self.room.note_spacing(&self.mesh, &self.rest);
        self.collision.contacts.forget();
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
        let turned = turn_between(&before, &pose);
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
        self.lock = turned.rotate(self.lock).normalize_or(Vec2::X);
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

    /// The node was placed here: lays it out at rest; before its first tick with the velocity that it was given.
    pub fn place_at(&mut self, pose: Pose) {
        if !pose.is_finite() {
            return;
        }
        self.pose = pose;
        self.lay_moving();
        self.wake();
    }

    /// Lays it out at rest; before its first tick with the velocity that it was given.
    pub(super) fn lay_moving(&mut self) {
        if self.fresh && self.h_before > 0.0 {
            let (way_x, way_y) = (std::mem::take(&mut self.points.way_x), std::mem::take(&mut self.points.way_y));
            let h_before = self.h_before;
            self.points.way_x.resize(way_x.len(), 0.0);
            self.points.way_y.resize(way_y.len(), 0.0);
            self.lay();
            (self.points.way_x, self.points.way_y, self.h_before) = (way_x, way_y, h_before);
        } else {
            self.lay();
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
            self.anchor_x.iter_mut().for_each(|x| *x += shift.x);
            self.anchor_y.iter_mut().for_each(|y| *y += shift.y);
            self.collision.contacts.lose();
        }
    }
}

/// By what angle a node was turned. One that was mirrored since keeps one of its axes.
fn turn_between(before: &Pose, now: &Pose) -> f32 {
    let by_x = before.x.angle_to(now.x);
    if before.is_mirrored() == now.is_mirrored() {
        return by_x;
    }
    let by_y = before.y.angle_to(now.y);
    if by_y.abs() < by_x.abs() { by_y } else { by_x }
}

/// The pose, or where it makes everything flat the nearest that does not.
fn with_area(pose: Pose) -> Pose {
    let most = MOST_SCALE / pose.x.abs().max(pose.y.abs()).max_element().max(f32::MIN_POSITIVE);
    let pose = if most < 1.0 { Pose { x: pose.x * most, y: pose.y * most, ..pose } } else { pose };
    let longest = pose.x.length().max(pose.y.length());
    if longest <= f32::MIN_POSITIVE {
        return Pose { origin: pose.origin, x: Vec2::X * LEAST_SCALE, y: Vec2::Y * LEAST_SCALE };
    }
    let grow = (LEAST_SCALE / longest).max(1.0);
    let (x, y, longest) = (pose.x * grow, pose.y * grow, longest * grow);
    let least = longest * LEAST_WIDTH;
    let width = x.perp_dot(y) / longest;
    if width.abs() >= least {
        return Pose { x, y, ..pose };
    }
    let side = if width < 0.0 { -least } else { least };
    // The shorter axis gets the width; what it has along the longer stays.
    if x.length_squared() >= y.length_squared() {
        let along = x / longest;
        Pose { x, y: along * along.dot(y) + along.perp() * side, ..pose }
    } else {
        let along = y / longest;
        Pose { x: along * along.dot(x) - along.perp() * side, y, ..pose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_node_is_not_turned() {
        let pose = |angle: f32, x: f32, y: f32| {
            let axis = Vec2::from_angle(angle);
            Pose { origin: Vec2::ONE, x: axis * x, y: axis.perp() * y }
        };
        for (before, now, turned) in [
            (pose(0.3, 1.0, 1.0), pose(0.3, -1.0, 1.0), 0.0),
            (pose(0.3, 1.0, 1.0), pose(0.3, 1.0, -1.0), 0.0),
            (pose(0.3, 2.0, -1.0), pose(0.4, 1.0, 1.0), 0.1),
            (pose(0.3, 1.0, 1.0), pose(1.3, 3.0, 2.0), 1.0),
        ] {
            assert!((turn_between(&before, &now) - turned).abs() < 1e-5, "{before:?} to {now:?}");
        }
    }

    #[test]
    fn a_flat_pose_gets_a_width_and_others_stay_as_they_are() {
        let pose = |x, y| Pose { origin: Vec2::ONE, x, y };
        let (east, south) = (Vec2::X, Vec2::Y);
        for sound in [pose(east, south), pose(-east, south * 3.0), pose(east * 0.5, Vec2::ONE)] {
            assert_eq!(with_area(sound), sound);
        }
        for flat in [
            pose(Vec2::ZERO, Vec2::ZERO),
            pose(east, Vec2::ZERO),
            pose(Vec2::ZERO, south),
            pose(east, east),
            pose(east * 1e-6, south * 1e-9),
            pose(Vec2::ONE, -Vec2::ONE),
        ] {
            let made = with_area(flat);
            let longest = made.x.length().max(made.y.length());
            assert!(longest >= 0.99 * LEAST_SCALE, "{flat:?} became {made:?}");
            assert!(made.x.perp_dot(made.y) >= 0.99 * LEAST_WIDTH * longest * longest, "{flat:?} became {made:?}");
            assert!(made.x.dot(flat.x) >= 0.0 && made.y.dot(flat.y) >= 0.0);
        }
    }
}
