//! Holding with limited force.
//!
//! A hand holds a point like a pin, as long as that takes no more than its force. Every substep is first solved with all hands held; where the
//! rope then pulls harder at a hand than that is strong, it is solved again with this hand's point free and its full force acting on it.
//! A hand that wants to go beyond the reach of the rope stays within it: it does not stretch what it holds.

use super::{Grip, Pin, Rope};
use crate::integrate::Step;
use crate::points::Points;
use glam::Vec2;

/// How near to its full length a hand may pull a rope between it and what else holds it.
const REACH: f32 = 0.998;
/// How fast the motion of a hand that yields dies down, in seconds.
const CALMING: f32 = 0.1;
/// Rounds of bringing a hand into the reach of the pins on both sides.
const ROUNDS: usize = 4;

/// What is kept for hands from substep to substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The points before solving.
    before: Points,
    spans: Vec<(usize, usize)>,
    /// Hands that yield in this substep: the point and its way before.
    yielding: Vec<(usize, Vec2)>,
    /// The ways of the points that hands hold, at the end of the last substep.
    ways: Vec<Vec2>,
}

impl Rope {
    /// Takes down how hands move; call it before a substep.
    pub(super) fn watch_hands(&mut self) {
        let Rope { pins, points, hands, .. } = self;
        hands.ways.clear();
        hands.ways.extend(pins.iter().map(|pin| points.way(pin.point)));
    }

    /// Where a hand can be that wants to be at `target`.
    pub(super) fn reachable(&self, index: usize, target: Vec2) -> Vec2 {
        let at = self.pins[index].point;
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        let mut place = target;
        for _ in 0..ROUNDS {
            let firm = |pin: &&Pin| !self.is_yielding(pin);
            for pin in beside.clone().filter_map(|index| self.pins.get(index)).filter(firm) {
                let center = self.points.position(pin.point);
                place = center + (place - center).clamp_length_max(self.hand_reach(pin.point, at));
            }
        }
        place
    }

    /// Brings hands that moved away from each other back to where the rope between them reaches: from the start to the end, each to the one
    /// before it, and back again.
    pub(super) fn reconcile_hands(&mut self) {
        let hands = self.pins.iter().filter(|pin| pin.grip != Grip::Firm).count();
        if hands < 2 {
            return;
        }
        let last = self.pins.len() - 1;
        for _ in 0..ROUNDS {
            for index in (0..last).rev() {
                self.bring_near(index, index + 1);
            }
            for index in 1..=last {
                self.bring_near(index, index - 1);
            }
        }
    }

    /// Brings a hand into the reach of the pin beside it.
    fn bring_near(&mut self, hand: usize, beside: usize) {
        let (pin, other) = (self.pins[hand], self.pins[beside]);
        if pin.grip == Grip::Firm || self.is_yielding(&other) {
            return;
        }
        let (at, center) = (self.points.position(pin.point), self.points.position(other.point));
        let reach = self.hand_reach(pin.point, other.point);
        if at.distance_squared(center) > reach * reach {
            self.points.move_to(pin.point, center + (at - center).clamp_length_max(reach));
        }
    }

    /// How far apart two held points may be.
    fn hand_reach(&self, one: usize, other: usize) -> f32 {
        REACH * self.lengths[one.min(other)..one.max(other)].iter().sum::<f32>()
    }

    /// Solves a substep for the lengths of the links; hands may yield.
    pub(super) fn solve_with_hands(&mut self, step: &Step) {
        let limited = |grip: Grip| matches!(grip, Grip::Hand(force) if force > 0.0);
        self.hands.yielding.clear();
        if !self.pins.iter().any(|pin| limited(pin.grip)) {
            return self.solve_all_spans();
        }
        self.hands.before.copy_from(&self.points);
        let memory = self.solver.memory();
        self.solve_all_spans();
        let pace = if step.h_before > 0.0 { step.h / step.h_before } else { 0.0 };
        for (index, pin) in self.pins.iter().enumerate() {
            let Grip::Hand(force) = pin.grip else { continue };
            let way = self.hands.ways.get(index).copied().unwrap_or_default() * pace;
            let wanted = (self.points.way(pin.point) - way) / step.acceleration_factor() - step.gravity;
            let needed = wanted * self.inert_mass(pin.point) - self.pull_at(pin.point, step);
            if force > 0.0 && needed.length() > force {
                self.hands.yielding.push((pin.point, way));
            }
        }
        if self.hands.yielding.is_empty() {
            return;
        }
        let mut room = std::mem::take(&mut self.hands);
        self.points.copy_from(&room.before);
        let calm = (-step.h / CALMING).exp();
        for &(point, way) in &room.yielding {
            let Ok(index) = self.find_pin(point) else { continue };
            let pin = self.pins[index];
            let Grip::Hand(force) = pin.grip else { continue };
            let inv_mass = 1.0 / self.inert_mass(point);
            self.points.inv_mass[point] = inv_mass;
            let start = Vec2::new(self.points.start_x[point], self.points.start_y[point]);
            let to = self.reachable(index, self.pin_target(&pin)) - start;
            // Farther than a link a push in one step means nothing.
            let push = (force * inv_mass * step.acceleration_factor()).min(self.pitch).min(to.length());
            let fall = step.gravity * (self.mass_at(point) * inv_mass * step.acceleration_factor());
            let way = way.clamp_length_max(self.pitch) * calm + fall + to.normalize_or_zero() * push;
            self.points.set_position(point, start + way);
            self.points.set_way(point, way);
        }
        let held =
            |pin: &Pin| room.yielding.iter().all(|&(point, _)| point != pin.point) && !self.is_tied_to_rigid(pin.point);
        let mut spans = std::mem::take(&mut room.spans);
        self.fill_spans(&mut spans, held);
        // What the first attempt took says nothing of the rope.
        self.solver.recall(memory);
        self.solve_spans(&spans);
        self.solver.forget();
        for &(point, _) in &room.yielding {
            self.points.inv_mass[point] = 0.0;
        }
        room.spans = spans;
        self.hands = room;
    }

    /// Whether a hand holds point `i` back from where it is wanted because the rope pulls harder than it can.
    pub(super) fn is_slipping(&self, i: usize) -> bool {
        self.hands.yielding.iter().any(|&(point, _)| point == i)
    }

    /// The force with which the links beside point `i` pull at it, in kg px/s2.
    fn pull_at(&self, i: usize, step: &Step) -> Vec2 {
        let pulls = self.solver.pulls();
        let towards = |j: usize, link: usize| {
            (self.points.position(j) - self.points.position(i)).normalize_or_zero() * pulls[link]
        };
        let mut pull = Vec2::ZERO;
        if i > 0 {
            pull += towards(i - 1, i - 1);
        }
        if i + 1 < self.points.len() {
            pull += towards(i + 1, i);
        }
        pull / step.acceleration_factor()
    }
}
