//! How a tick is divided into substeps.
//!
//! A fixed inner step makes the motion independent of the tick rate: what happens in a second is then computed in
//! the same way at 10 and at 240 ticks. Only ends that move fast and strong pulls on short
//! links need a finer one: a chain whose end runs past several links within a step cannot follow it, and one whose waves do shivers.

use serde::{Deserialize, Serialize};

/// The inner step that is aimed at, in seconds.
pub const INNER_STEP: f32 = 1.0 / 240.0;
/// The same for what lies on something and hardly moves.
pub const CALM_STEP: f32 = 2.0 * INNER_STEP;
/// The finest inner step for fast ends, in seconds.
pub const FINEST_STEP: f32 = 1.0 / 960.0;
/// The most substeps in a tick.
pub const MOST_SUBSTEPS: u32 = 32;
/// The longest time that a tick simulates, in seconds; what is beyond is dropped.
pub const LONGEST_TICK: f32 = MOST_SUBSTEPS as f32 * INNER_STEP;
/// How many link lengths a held point may move in a substep. Measured: a chain of 1000 links loses its lengths above
/// about 2 and keeps them to 0.01 % below 1.5.
const LINKS_PER_SUBSTEP: f32 = 1.25;
/// Tolerance in counting substeps, so that a tick of 1/60 s gives 4 and not 5 by rounding.
const COUNT_SLACK: f32 = 0.01;

/// How far a pull may move a point of a chain in a substep, in link lengths: Verlet follows waves across the chain
/// up to 1, and up to a half where the internal friction takes its part; bending takes some of that too.
const STIFFEST: f32 = 0.25;
/// The most halvings: down to [`FINEST_STEP`].
const MOST_HALVINGS: f32 = 2.0;
/// The step is doubled when a pull so many times as strong would allow it, for this time in seconds.
const CALM_MARGIN: f32 = 1.5;
const CALM_TIME: f32 = 0.5;

/// What asks for a finer step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Length of the shortest link in px.
    pub link_length: f32,
    /// Speed of the fastest held point in px/s.
    pub end_speed: f32,
    /// How often the inner step is halved for the sake of strong pulls on short links, see [`Quiet`].
    pub halvings: u32,
    /// It lies on something and hardly moves: a step of [`CALM_STEP`] will do.
    pub calm: bool,
}

/// How often the step is halved so that waves across a chain stay quiet.
///
/// A step that follows every breath of a pull shakes what it should calm: where it is too long the pull grows, where it is short the pull is
/// small and the step grows again. It is therefore halved at once, and doubled only after a time of calm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quiet {
    halvings: u32,
    calm: f32,
}

impl Quiet {
    /// The halvings for the next tick of `delta` seconds. `stiffness`: by how many link lengths the strongest pull would move a point in a
    /// second, if it could, in 1/s2.
    pub fn follow(&mut self, stiffness: f32, delta: f32) -> u32 {
        let wanted = |stiffness: f32| {
            let steps = (stiffness * INNER_STEP * INNER_STEP / STIFFEST).max(1.0);
            (0.5 * steps.log2()).ceil().min(MOST_HALVINGS) as u32
        };
        self.calm = if wanted(stiffness * CALM_MARGIN) < self.halvings { self.calm + delta } else { 0.0 };
        if self.calm >= CALM_TIME {
            self.halvings -= 1;
            self.calm = 0.0;
        }
        self.halvings = self.halvings.max(wanted(stiffness));
        self.halvings
    }
}

/// The division of one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substeps {
    /// How many substeps.
    pub count: u32,
    /// The length of each in seconds.
    pub h: f32,
}

impl Substeps {
    /// Divides a tick of `delta` seconds: into `fixed` substeps, or, for 0, by [`INNER_STEP`] and finer as `demand` asks.
    pub fn plan(delta: f32, fixed: u32, demand: Demand) -> Substeps {
        let delta = delta.clamp(0.0, LONGEST_TICK);
        let count = if fixed > 0 {
            fixed.min(MOST_SUBSTEPS)
        } else {
            let followed = LINKS_PER_SUBSTEP * demand.link_length / demand.end_speed.max(f32::MIN_POSITIVE);
            let usual = if demand.calm { CALM_STEP } else { INNER_STEP };
            let quiet = usual / (demand.halvings as f32).exp2();
            let step = followed.min(quiet).clamp(FINEST_STEP, usual);
            ((delta / step - COUNT_SLACK).ceil() as u32).clamp(1, MOST_SUBSTEPS)
        };
        Substeps { count, h: delta / count as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving(end_speed: f32) -> Demand {
        Demand { link_length: 10.0, end_speed, ..Demand::default() }
    }

    #[test]
    fn usual_tick_rates_give_the_inner_step() {
        for (rate, count) in [(10.0, 24), (30.0, 8), (60.0, 4), (120.0, 2), (240.0, 1), (1000.0, 1)] {
            assert_eq!(Substeps::plan(1.0 / rate, 0, moving(0.0)).count, count, "{rate}");
        }
    }

    #[test]
    fn fast_ends_refine_and_never_drop_time() {
        let plan = Substeps::plan(1.0 / 10.0, 0, moving(10_000.0));
        assert_eq!(plan.count, MOST_SUBSTEPS);
        assert!((plan.h * plan.count as f32 - 0.1).abs() < 1e-6);
        assert_eq!(Substeps::plan(1.0 / 60.0, 0, moving(12_000.0)).count, 16);
    }

    #[test]
    fn a_stiff_chain_refines_at_once_and_coarsens_after_a_calm() {
        let second = 240.0 * 240.0;
        let mut quiet = Quiet::default();
        assert_eq!(quiet.follow(0.1 * second, 0.01), 0);
        assert_eq!(quiet.follow(0.9 * second, 0.01), 1);
        assert_eq!(quiet.follow(1e9, 0.01), 2);
        assert!((0..40).all(|_| quiet.follow(0.0, 0.01) == 2));
        assert!((0..20).map(|_| quiet.follow(0.0, 0.01)).min() == Some(1));
        let count = |halvings| Substeps::plan(1.0 / 60.0, 0, Demand { halvings, ..moving(0.0) }).count;
        assert_eq!([count(0), count(1), count(2)], [4, 8, 16]);
    }

    #[test]
    fn what_is_calm_takes_half_the_substeps() {
        let calm = Demand { calm: true, ..moving(0.0) };
        for (rate, count) in [(30.0, 4), (60.0, 2), (120.0, 1), (240.0, 1)] {
            assert_eq!(Substeps::plan(1.0 / rate, 0, calm).count, count, "{rate}");
        }
    }

    #[test]
    fn a_hitch_is_cut_off() {
        let plan = Substeps::plan(0.5, 0, moving(0.0));
        assert!(plan.h <= INNER_STEP * 1.001);
    }
}
