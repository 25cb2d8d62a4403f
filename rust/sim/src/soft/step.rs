//! A tick of a soft body.

use super::SoftBody;
use crate::integrate::{self, Step};
use crate::island::{self, Grips, Member, Moment, Rigid};
use crate::substeps::{Demand, Substeps};
use crate::tick::Tick;

/// Room for a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    grips: Grips,
}

impl SoftBody {
    /// Simulates a tick. Call [`SoftBody::set_pose`] and [`SoftBody::set_holder_pose`] first. A sleeping body does nothing.
    pub fn step(&mut self, tick: &Tick) {
        island::step(&mut [self], &mut [], tick);
    }

    /// What a tick costs, in nanoseconds, roughly.
    pub fn cost(&self) -> usize {
        if self.sleeping { 0 } else { 300 * self.points.len() }
    }

    /// Makes anew what follows from the settings and the rest shape.
    pub(super) fn weigh(&mut self) {
        let orientation = self.orientation();
        self.material.set(&self.mesh, &self.rest, orientation, &self.settings);
        self.weigh_points();
    }

    /// Tells the points what they weigh.
    pub(super) fn weigh_points(&mut self) {
        for (inv_mass, mass) in self.points.inv_mass.iter_mut().zip(self.material.masses()) {
            *inv_mass = 1.0 / mass;
        }
        for pin in self.pins.iter().filter(|pin| pin.grip == crate::rope::Grip::Firm) {
            self.points.inv_mass[pin.point] = 0.0;
        }
    }
}

impl Member for SoftBody {
    fn begin(&mut self, tick: &Tick, _rigids: &[Rigid]) -> Option<Substeps> {
        if self.sleeping {
            return None;
        }
        self.fresh = false;
        self.take_down_start();
        self.follow_frame();
        Some(Substeps::plan(tick.delta, self.settings.substeps, Demand { link_length: 1.0, ..Demand::default() }))
    }

    fn is_anchored(&self) -> bool {
        !self.pins.is_empty()
    }

    fn advance(&mut self, tick: &Tick, moment: &Moment, _rigids: &mut [Rigid]) {
        let step = Step {
            h: moment.plan.h,
            h_before: self.h_before,
            linear_damp: self.settings.linear_damp,
            gravity: tick.gravity * self.settings.gravity_scale,
        };
        integrate::verlet(&mut self.points, &step);
        for index in 0..self.pins.len() {
            let place = self.held_at(&self.pins[index]);
            self.points.move_to(self.pins[index].point, place);
        }
        self.h_before = step.h;
    }

    fn solve(&mut self, _tick: &Tick, _moment: &Moment, _rigids: &mut [Rigid]) {}

    fn grips(&mut self) -> &mut Grips {
        &mut self.room.grips
    }

    fn correct(&mut self, _moment: &Moment, _rigids: &mut [Rigid]) {}

    fn follow(&mut self, _moment: &Moment, _rigids: &[Rigid]) {}

    fn end(&mut self, _tick: &Tick, _plan: &Substeps, _rigids: &[Rigid]) {
        self.forces.clear();
        self.orient();
    }
}
