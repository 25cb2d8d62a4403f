//! How a tick is divided into substeps.
//!
//! A fixed inner step makes the motion independent of the tick rate: what happens in a second is then computed in
//! the same way at 10 and at 240 ticks. Only ends that move fast need a finer one, because a chain whose end runs
//! past several links within a step cannot follow it.

/// The inner step that is aimed at, in seconds.
pub const INNER_STEP: f32 = 1.0 / 240.0;
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

/// How far a pull may move a point of a chain between held ends in a substep, in link lengths: Verlet follows waves across the chain
/// up to 1, and up to a half where the internal friction takes its part.
const STIFFEST: f32 = 0.4;

/// What asks for a finer step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Length of the shortest link in px.
    pub link_length: f32,
    /// Speed of the fastest held point in px/s.
    pub end_speed: f32,
    /// By how many link lengths a pull between held ends would move a point in a second, if it could, in 1/s2.
    pub stiffness: f32,
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
            let quiet = (STIFFEST / demand.stiffness.max(f32::MIN_POSITIVE)).sqrt();
            let step = followed.min(quiet).clamp(FINEST_STEP, INNER_STEP);
            ((delta / step - COUNT_SLACK).ceil() as u32).clamp(1, MOST_SUBSTEPS)
        };
        Substeps { count, h: delta / count as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving(end_speed: f32) -> Demand {
        Demand { link_length: 10.0, end_speed, stiffness: 0.0 }
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
    fn a_taut_chain_refines() {
        let taut = |stiffness| Substeps::plan(1.0 / 60.0, 0, Demand { stiffness, ..moving(0.0) }).count;
        assert_eq!(taut(0.1 * 240.0 * 240.0), 4);
        assert_eq!(taut(1.6 * 240.0 * 240.0), 8);
        assert_eq!(taut(1e9), 16);
    }

    #[test]
    fn a_hitch_is_cut_off() {
        let plan = Substeps::plan(0.5, 0, moving(0.0));
        assert!(plan.h <= INNER_STEP * 1.001);
    }
}
