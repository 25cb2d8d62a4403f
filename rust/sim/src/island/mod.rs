//! Islands: bodies that hold on to the same rigid bodies of the engine are simulated together.
//!
//! A rigid body is solved for in every substep with everything that pulls at it, so that a light rope carries a heavy load, and a heavy one a light load. Within a
//! substep each of those that hold on to it has a copy of it with a part of its mass, and what they give their copies is added up:
//! momentum is kept to the last bit, whatever the parts. The parts follow the loads, so a copy is about as heavy as what it carries.
//!
//! Tried before, as the design has it: even parts. With four slack ropes of five the one that carries had a fifth of the mass, and lagged.

mod rigid;
mod track;

pub use rigid::{Motion, Rigid};
pub use track::{Impulse, Seen, Track};

use crate::contact::meet::Span;
use crate::substeps::Substeps;
use crate::tick::Tick;

/// The substep that is being simulated.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// How the tick is divided.
    pub plan: Substeps,
    /// How many substeps are left, with this one.
    pub left: u32,
}

impl Moment {
    /// Which part of the tick it is.
    pub fn span(&self) -> Span {
        let part = |left: u32| (self.plan.count - left) as f32 / self.plan.count as f32;
        Span { from: part(self.left), to: part(self.left - 1), h: self.plan.h }
    }
}

/// A body that can hold on to rigid bodies. `rigids` are those of its island, in ascending order of their keys.
pub trait Member {
    /// Begins a tick: how it wants it to be divided; None if there is nothing to simulate.
    fn begin(&mut self, tick: &Tick, rigids: &[Rigid]) -> Option<Substeps>;
    /// Moves on to the end of a substep, before it is solved, and says what it holds on to ([`Rigid::hold`]).
    fn advance(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]);
    /// Solves the substep, and pulls at what it holds on to.
    fn solve(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]);
    /// The rigid bodies have moved: goes with them.
    fn follow(&mut self, rigids: &[Rigid]);
    /// Ends a tick.
    fn end(&mut self, tick: &Tick, plan: &Substeps, rigids: &[Rigid]);
}

/// Simulates a tick of all members of an island.
pub fn step(members: &mut [&mut dyn Member], rigids: &mut [Rigid], tick: &Tick) {
    rigids.iter_mut().for_each(Rigid::begin);
    let plans: Vec<Option<Substeps>> = members.iter_mut().map(|member| member.begin(tick, rigids)).collect();
    let Some(plan) = plans.iter().flatten().copied().max_by_key(|plan| plan.count) else { return };
    let mut awake: Vec<&mut &mut dyn Member> =
        members.iter_mut().zip(plans).filter_map(|(member, plan)| plan.map(|_| member)).collect();
    for left in (1..=plan.count).rev() {
        let moment = Moment { plan, left };
        rigids.iter_mut().for_each(|rigid| rigid.advance(plan.h));
        awake.iter_mut().for_each(|member| member.advance(tick, &moment, rigids));
        rigids.iter_mut().for_each(Rigid::forget_loads);
        awake.iter_mut().for_each(|member| member.solve(tick, &moment, rigids));
        rigids.iter_mut().for_each(|rigid| rigid.follow(plan.h));
        awake.iter_mut().for_each(|member| member.follow(rigids));
    }
    awake.iter_mut().for_each(|member| member.end(tick, &plan, rigids));
}
