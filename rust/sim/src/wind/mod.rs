//! Air that moves.
//!
//! A [`Wind`] blows with a mean velocity, in gusts ([`gusts`]), everywhere or in a [`region`]. The air at a place is the sum of all winds
//! there. Bodies feel it through their drag: [`crate::integrate::wind_drag`].

pub mod gusts;
pub mod region;

pub use gusts::Gusts;
pub use region::{Region, Shape};

use glam::Vec2;

/// The fastest air in px/s: a gale is 2000 to 5000.
pub const MOST_WIND: f32 = 10_000.0;
/// Slower air in px/s counts as still.
pub const LEAST_WIND: f32 = 1e-3;
/// The strongest turbulence.
pub const MOST_TURBULENCE: f32 = 2.0;
/// The shortest time between gusts in seconds: shorter ones fall between the ticks.
pub const LEAST_GUST_PERIOD: f32 = 0.1;
/// The longest time between gusts in seconds.
pub const MOST_GUST_PERIOD: f32 = 1000.0;

/// A wind. Its numbers must be finite and within the ranges of this module.
#[derive(Clone, Debug, PartialEq)]
pub struct Wind {
    /// Mean velocity in px/s.
    pub velocity: Vec2,
    /// Standard deviation of the speed, as a part of the mean speed. 0: steady.
    pub turbulence: f32,
    /// Seconds from gust to gust at a place, in the mean.
    pub gust_period: f32,
    /// Where it blows.
    pub region: Region,
    /// The world's time in seconds at which its gusts begin.
    pub began: f64,
}

impl Wind {
    /// A steady wind everywhere.
    pub fn steady(velocity: Vec2) -> Wind {
        Wind { velocity, turbulence: 0.0, gust_period: 3.0, region: Region::Everywhere, began: 0.0 }
    }

    /// Whether it moves any air.
    pub fn blows(&self) -> bool {
        self.velocity.length_squared() > LEAST_WIND * LEAST_WIND
    }

    /// Whether the air at a place changes with time.
    pub fn is_turbulent(&self) -> bool {
        self.turbulence > 0.0 && self.blows()
    }

    /// Its air as it would be at `time` if it blew everywhere.
    pub fn gusts(&self, time: f64) -> Gusts {
        Gusts::new(self, time)
    }

    /// What it blows at a global position, in px/s; `time` is the world's, in seconds.
    pub fn at(&self, position: Vec2, time: f64) -> Vec2 {
        let share = self.region.share(position);
        if share > 0.0 { self.gusts(time).at(position) * share } else { Vec2::ZERO }
    }

    /// Changes the time between gusts without a jump of the air at `time`.
    pub fn change_gust_period(&mut self, period: f32, time: f64) {
        self.began = time - (time - self.began) * f64::from(period) / f64::from(self.gust_period);
        self.gust_period = period;
    }
}

/// What all `winds` together blow at a global position, in px/s.
pub fn air(winds: &[Wind], position: Vec2, time: f64) -> Vec2 {
    winds.iter().map(|wind| wind.at(position, time)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winds_add_up() {
        let winds = [Wind::steady(Vec2::new(100.0, 0.0)), Wind::steady(Vec2::new(-30.0, 50.0))];
        assert_eq!(air(&winds, Vec2::new(7.0, 8.0), 3.0), Vec2::new(70.0, 50.0));
        assert_eq!(air(&[], Vec2::ZERO, 0.0), Vec2::ZERO);
    }

    #[test]
    fn another_gust_period_is_no_jump() {
        let mut wind = Wind { turbulence: 0.5, ..Wind::steady(Vec2::new(300.0, 0.0)) };
        let time = 7205.3;
        let before = wind.at(Vec2::ZERO, time);
        wind.change_gust_period(2.5, time);
        assert!((wind.at(Vec2::ZERO, time) - before).length() < 1e-2);
        assert_eq!(wind.gust_period, 2.5);
    }
}
