//! How hard links pull, and which one breaks.
//!
//! A solver moves the ends of a link towards each other by its pull; over what a step adds to a position for an acceleration of 1
//! that is a force. It chatters between substeps, so what is told is its mean over the time of a tick at 60 ticks a second.

use super::Rope;
use crate::chain::TAUT;
use crate::integrate::Step;
use crate::tick::DEFAULT_GRAVITY;

/// The time over which the mean is taken, in seconds.
const MEAN_TIME: f32 = 1.0 / 60.0;
/// What a rope that is held straight pulls for each of its lengths that it is stretched, as a multiple of its weight under [`DEFAULT_GRAVITY`].
/// It has no stretch of its own; this is as steep as a rope of nylon.
const RIGIDITY: f32 = 1e4;

impl Rope {
    /// How hard link `k` pulled its ends together in the last tick, in kg px/s2; negative where it pushed.
    pub fn tension(&self, k: usize) -> f32 {
        self.tension[k]
    }

    /// The link that broke in the last tick; it is told once.
    pub fn take_torn(&mut self) -> Option<usize> {
        self.torn.take()
    }

    /// Takes down the pulls of a substep.
    pub(super) fn feel(&mut self, step: &Step) {
        let part = if step.h_before > 0.0 { 1.0 - (-step.h / MEAN_TIME).exp() } else { 1.0 };
        let force = 1.0 / step.acceleration_factor();
        for (tension, pull) in self.tension.iter_mut().zip(self.solver.pulls()) {
            *tension += part * (pull * force - *tension);
        }
    }

    /// Takes down what links pull that are held straight, and looks whether one breaks.
    pub(super) fn strain(&mut self) {
        for &(first, last) in &self.spans {
            let held = |i: usize| self.points.inv_mass[i] <= 0.0 && !self.is_tied_to_rigid(i);
            if !(held(first) && held(last)) {
                continue;
            }
            let reach: f32 = self.lengths[first..last].iter().sum();
            let apart = self.points.position(first).distance(self.points.position(last));
            if apart >= reach * TAUT {
                let pull = (apart / reach - TAUT) * RIGIDITY * DEFAULT_GRAVITY * self.settings.mass;
                self.tension[first..last].iter_mut().for_each(|tension| *tension = tension.max(pull));
            }
        }
        if self.settings.break_force > 0.0 {
            let hardest = (0..self.tension.len()).max_by(|&a, &b| self.tension[a].total_cmp(&self.tension[b]));
            self.torn = hardest.filter(|&k| self.tension[k] > self.settings.break_force);
        }
    }
}
