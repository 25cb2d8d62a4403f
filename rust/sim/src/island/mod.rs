//! Islands: bodies that hold on to the same rigid bodies of the engine are simulated together.
//!
//! A rigid body is solved for in every substep with everything that pulls at it, so that a light rope carries a heavy load, and a heavy one a light load. First each of those
//! that hold on to it is solved for by itself, with a copy of the body that is as many times as light as there are holds; what they give their copies is added up, so momentum
//! is kept (mass splitting; R. Tonge, F. Benevolenski, A. Voroshilov 2012). That alone is stable, but a load of several bodies hangs by too little and shivers. So the ties are then
//! solved for exactly ([`balance`]), and the chains are corrected by how they respond.
//!
//! Tried before: copies as light as the loads say. Side by side it was exact; a chain of crates flew apart.

mod balance;
mod rigid;
mod track;

pub use balance::{Grip, Grips};
pub use rigid::{Motion, Rigid};
pub use track::{Impulse, Seen, Track};

use crate::contact::meet::Span;
use crate::rope::Rope;
use crate::soft::{Pile, SoftBody};
use crate::substeps::Substeps;
use crate::tick::Tick;
use crate::workers::Workers;
use smallvec::SmallVec;

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
    /// The rope that soft bodies may touch.
    fn strand(&mut self) -> Option<&mut Rope> {
        None
    }
    /// Whether the world holds it anywhere.
    fn is_anchored(&self) -> bool;
    /// Moves on to the end of a substep, before it is solved, and says what it holds on to ([`Rigid::hold`]).
    fn advance(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]);
    /// Solves the substep, and pulls at what it holds on to.
    fn solve(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]);
    /// The ties that were solved for, and can be solved for together with those of others.
    fn grips(&mut self) -> &mut Grips;
    /// Brings what was solved in line with its grips.
    fn correct(&mut self, moment: &Moment, rigids: &mut [Rigid]);
    /// The rigid bodies have moved: goes with them.
    fn follow(&mut self, moment: &Moment, rigids: &[Rigid]);
    /// Ends a tick.
    fn end(&mut self, tick: &Tick, plan: &Substeps, rigids: &[Rigid]);
}

/// Ropes that soft bodies may touch, and their numbers among the members.
pub(crate) type Ropes<'a> = SmallVec<[(usize, &'a mut Rope); 8]>;

/// Members that are awake, or not.
type Group<'a, 'b, 'c> = SmallVec<[&'a mut &'b mut (dyn Member + 'c); 4]>;

/// The ropes among all members that are `wanted`, by their numbers: those that are awake, and then the others.
fn strands<'a, 'b, 'c>(
    awake: &'a mut Group<'_, 'b, 'c>,
    asleep: &'a mut Group<'_, 'b, 'c>,
    wanted: impl Fn(usize) -> bool,
) -> Ropes<'a> {
    let count = awake.len();
    let mut ropes = Ropes::new();
    let members = awake.iter_mut().zip(0..).filter(|(_, index)| wanted(*index));
    ropes.extend(members.filter_map(|(member, index)| Some((index, member.strand()?))));
    let members = asleep.iter_mut().zip(count..).filter(|(_, index)| wanted(*index));
    ropes.extend(members.filter_map(|(member, index)| Some((index, member.strand()?))));
    ropes
}

/// Simulates a tick of an island: of all `members`, which hold on to its rigid bodies, and of its soft bodies, which touch these and each other. False if there was nothing to simulate, and the
/// rigid bodies have not been moved.
pub fn step(
    members: &mut [&mut dyn Member],
    softs: &mut [&mut SoftBody],
    rigids: &mut [Rigid],
    tick: &Tick,
    pile: &mut Pile,
    workers: &Workers,
) -> bool {
    rigids.iter_mut().for_each(Rigid::begin);
    let plans: SmallVec<[Option<Substeps>; 4]> = members.iter_mut().map(|member| member.begin(tick, rigids)).collect();
    let soft_plan = pile.begin(softs, rigids, tick, workers);
    let Some(plan) = plans.iter().flatten().copied().chain(soft_plan).max_by_key(|plan| plan.count) else {
        return false;
    };
    let (mut awake, mut asleep): (Group, Group) = Default::default();
    for (member, plan) in members.iter_mut().zip(plans) {
        if plan.is_some() { awake.push(member) } else { asleep.push(member) }
    }
    if !softs.is_empty() {
        let count = awake.len();
        pile.begin_strands(softs, &strands(&mut awake, &mut asleep, |_| true), count, tick);
    }
    let anchored = awake.iter().any(|member| member.is_anchored()) || softs.iter().any(|soft| soft.is_anchored());
    rigids.iter_mut().for_each(|rigid| rigid.anchored = anchored);
    for left in (1..=plan.count).rev() {
        let moment = Moment { plan, left };
        rigids.iter_mut().for_each(|rigid| rigid.advance(plan.h));
        awake.iter_mut().for_each(|member| member.advance(tick, &moment, rigids));
        rigids.iter_mut().for_each(Rigid::settle);
        awake.iter_mut().for_each(|member| member.solve(tick, &moment, rigids));
        balance::balance(&mut awake, rigids);
        awake.iter_mut().for_each(|member| member.correct(&moment, rigids));
        {
            let ropes = &mut strands(&mut awake, &mut asleep, |index| pile.has_strand(index));
            pile.step(softs, ropes, rigids, tick, &moment, workers);
        }
        rigids.iter_mut().for_each(|rigid| rigid.follow(plan.h));
        awake.iter_mut().for_each(|member| member.follow(&moment, rigids));
    }
    awake.iter_mut().for_each(|member| member.end(tick, &plan, rigids));
    let ropes = &mut strands(&mut awake, &mut asleep, |index| pile.has_strand(index));
    pile.end(softs, ropes, rigids, tick, &plan, workers);
    true
}
