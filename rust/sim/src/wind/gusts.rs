//! Turbulence that travels with the air.
//!
//! The gusts are a fixed pattern that the mean wind carries along (G. I. Taylor's frozen turbulence, 1938): what is felt at a place is
//! felt down-wind after the distance over the speed. The pattern is a sum of a few waves whose frequencies have no
//! common measure, as in spectral wind models (M. Shinozuka 1971): it never repeats, is smooth, needs no random numbers, and its mean and
//! deviation are known exactly.
//!
//! The speed is `mean * exp(s g - c)` where `g` is that sum. It is never negative, gusts are short and lulls long as in real wind, and
//! `c = ln E[exp(s g)]` makes its mean the mean wind: for waves of amplitude `a`, `E[exp(s g)]` is the product of the Bessel functions
//! `I0(s a)`. Across the wind the air swings in proportion to the speed, with a mean of 0.

use super::Wind;
use glam::{DVec2, Vec2};
use std::f32::consts::TAU;

/// A wave of the pattern.
struct Mode {
    /// Waves a gust period, along the wind.
    along: f64,
    /// Waves in the same length across the wind: few, so that a gust is a broad front, a little oblique.
    across: f64,
    /// Where it begins, in waves.
    start: f64,
    amplitude: f32,
}

const fn mode(along: f64, across: f64, start: f64, amplitude: f32) -> Mode {
    Mode { along, across, start, amplitude }
}

/// Of the logarithm of the speed. The squares of the amplitudes add up to 2, which makes its deviation 1; weighted with those of the
/// frequencies too, which makes it rise through its mean once a period (S. O. Rice 1944).
const SPEED: [Mode; 5] = [
    mode(0.437, 0.19, 0.13, 0.619_75),
    mode(0.731, -0.31, 0.71, 0.774_69),
    mode(1.013, 0.43, 0.37, 0.774_69),
    mode(1.379, -0.17, 0.92, 0.542_29),
    mode(1.871, 0.53, 0.56, 0.348_61),
];
/// Sums of the fourth and sixth powers of those amplitudes.
const SPEED_4: f32 = 0.969_14;
const SPEED_6: f32 = 0.516_22;

/// Of the swing across the wind; the squares of the amplitudes add up to 2.
const SWING: [Mode; 4] = [
    mode(0.317, -0.37, 0.83, 0.619_93),
    mode(0.619, 0.23, 0.29, 0.885_61),
    mode(0.907, -0.13, 0.48, 0.797_05),
    mode(1.511, 0.41, 0.05, 0.442_81),
];
/// Deviation of the swing across, as a part of the speed and of the turbulence. In the air near the ground it is 0.5 to 0.8.
const SWING_SHARE: f32 = 0.5;

/// How many places in the length of a gust show its form.
const SAMPLES: f32 = 16.0;
/// The least and the most distance of two such places in px.
const LEAST_SPACING: f32 = 40.0;
const MOST_SPACING: f32 = 400.0;
/// So many waves away the pattern ends: farther off, 64 bits do not hold parts of a wave.
const FARTHEST: f64 = 1e15;

/// The air of a [`Wind`] at one time.
#[derive(Clone, Copy, Debug)]
pub struct Gusts {
    velocity: Vec2,
    /// None: the same everywhere.
    pattern: Option<Pattern>,
}

#[derive(Clone, Copy, Debug)]
struct Pattern {
    /// From a global position to waves along and across, before the pattern has moved.
    along: DVec2,
    across: DVec2,
    /// By how many gust periods it has moved. Kept in 64 bits, so that gusts are as smooth after a day as at the start.
    moved: f64,
    /// `s` and `c` of the speed.
    strength: f32,
    correction: f32,
    /// What the sum of the swing is multiplied by, and the velocity across.
    swing: f32,
    spacing: f32,
}

impl Gusts {
    pub(super) fn new(wind: &Wind, time: f64) -> Gusts {
        let velocity = wind.velocity;
        if !wind.is_turbulent() {
            return Gusts { velocity, pattern: None };
        }
        // The way of the air in a gust period.
        let length = velocity.length() * wind.gust_period;
        let along = velocity.as_dvec2().normalize_or_zero() / f64::from(length);
        let strength = strength(wind.turbulence);
        let pattern = Pattern {
            along,
            across: along.perp(),
            moved: (time - wind.began) / f64::from(wind.gust_period),
            strength,
            correction: correction(strength),
            swing: SWING_SHARE * wind.turbulence,
            spacing: (length / SAMPLES).clamp(LEAST_SPACING, MOST_SPACING),
        };
        Gusts { velocity, pattern: Some(pattern) }
    }

    /// The air at a global position in px/s.
    pub fn at(&self, position: Vec2) -> Vec2 {
        let Some(pattern) = &self.pattern else { return self.velocity };
        let position = position.as_dvec2();
        let along = (pattern.along.dot(position) - pattern.moved).clamp(-FARTHEST, FARTHEST);
        let across = pattern.across.dot(position).clamp(-FARTHEST, FARTHEST);
        let speed = (pattern.strength * sum(&SPEED, along, across) - pattern.correction).exp();
        let swing = pattern.swing * sum(&SWING, along, across);
        (self.velocity + self.velocity.perp() * swing) * speed
    }

    /// How far apart in px it may be looked at, if what lies between is blended; infinite if it is the same everywhere.
    pub fn spacing(&self) -> f32 {
        self.pattern.map_or(f32::INFINITY, |pattern| pattern.spacing)
    }
}

/// `s` for which the deviation of `exp(s g)` is `turbulence` times its mean: that of a normal distribution, with a fit for the few waves of
/// [`SPEED`]. Off by less than 1 %.
fn strength(turbulence: f32) -> f32 {
    let square = turbulence * turbulence;
    square.ln_1p().sqrt() * (1.0 + 0.106 * square / (1.0 + 0.32 * square))
}

/// `c = ln E[exp(s g)]`, from the series of `ln I0`.
fn correction(s: f32) -> f32 {
    let square = s * s;
    square * (0.5 + square * (-SPEED_4 / 64.0 + square * SPEED_6 / 576.0))
}

fn sum<const N: usize>(modes: &[Mode; N], along: f64, across: f64) -> f32 {
    let wave = |mode: &Mode| {
        let waves = mode.along * along + mode.across * across + mode.start;
        // Only the part of a wave counts; truncating is cheaper than rounding.
        let part = (waves - waves as i64 as f64) as f32;
        mode.amplitude * sine(part)
    };
    modes.iter().map(wave).sum()
}

/// The sine of so many turns, -1 to 1: its series to the ninth power in the quarter next to 0, off by less than 4e-6. The compiler takes
/// several at a time, and it is the same on every platform.
fn sine(turns: f32) -> f32 {
    let half = if turns.abs() > 0.5 { turns - turns.signum() } else { turns };
    let quarter = if half.abs() > 0.25 { half.signum() * 0.5 - half } else { half };
    let x = TAU * quarter;
    let square = x * x;
    let series = [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0];
    x * (1.0 + square * (series[0] + square * (series[1] + square * (series[2] + square * series[3]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wind(turbulence: f32) -> Wind {
        Wind { turbulence, gust_period: 3.0, ..Wind::steady(Vec2::new(240.0, -180.0)) }
    }

    /// Along and across the wind at a place, at 20 times a second, as parts of the mean speed.
    fn record(wind: &Wind, position: Vec2, seconds: u32) -> Vec<Vec2> {
        let along = wind.velocity / wind.velocity.length_squared();
        let at = |i: u32| wind.at(position, f64::from(i) / 20.0);
        (0..20 * seconds).map(|i| Vec2::new(along.dot(at(i)), along.perp().dot(at(i)))).collect()
    }

    fn mean(values: impl ExactSizeIterator<Item = f32>) -> f32 {
        let count = values.len() as f64;
        (values.map(f64::from).sum::<f64>() / count) as f32
    }

    #[test]
    fn the_mean_is_the_wind_and_the_deviation_the_turbulence() {
        for turbulence in [0.05, 0.35, 0.7, 1.0, 2.0] {
            for position in [Vec2::ZERO, Vec2::new(-1234.0, 777.0)] {
                let record = record(&wind(turbulence), position, 30_000);
                let speed = mean(record.iter().map(|air| air.x));
                let deviation = mean(record.iter().map(|air| (air.x - speed).powi(2))).sqrt();
                let across = mean(record.iter().map(|air| air.y));
                let swing = mean(record.iter().map(|air| air.y.powi(2))).sqrt();
                println!("{turbulence}: mean {speed}, deviation {deviation}, across {across}, swing {swing}");
                assert!((speed - 1.0).abs() < 0.01 * (1.0 + turbulence), "{turbulence}: {speed}");
                assert!((deviation / turbulence - 1.0).abs() < 0.06, "{turbulence}: {deviation}");
                assert!(across.abs() < 0.02 * turbulence, "{turbulence}: {across}");
                assert!(swing > 0.3 * turbulence, "{turbulence}: {swing}");
                assert!(record.iter().all(|air| air.x > 0.0 && air.is_finite()), "{turbulence}: it turns back");
            }
        }
    }

    #[test]
    fn gusts_come_once_a_period() {
        let record = record(&wind(0.35), Vec2::new(50.0, 60.0), 3000);
        let rises = record.windows(2).filter(|pair| pair[0].x < 1.0 && pair[1].x >= 1.0).count();
        assert!((850..1150).contains(&rises), "{rises} gusts in 1000 periods");
    }

    #[test]
    fn gusts_travel_with_the_air() {
        let wind = wind(0.6);
        for i in 0..200 {
            let (position, time) = (Vec2::new(i as f32 * 13.0, 400.0), f64::from(i) * 0.37);
            let later = 0.01 * f64::from(i);
            let there = position + wind.velocity * later as f32;
            let difference = wind.at(there, time + later) - wind.at(position, time);
            assert!(difference.length() < 0.05, "{i}: {difference}");
        }
    }

    #[test]
    fn gusts_are_broad_and_smooth() {
        let wind = wind(0.5);
        let across = wind.velocity.normalize().perp();
        for i in 0..2000 {
            let (position, time) = (Vec2::new(i as f32 * 17.0, -90.0), f64::from(i) * 0.11);
            let here = wind.at(position, time);
            let beside = wind.at(position + across * 20.0, time) - here;
            assert!(beside.length() < 60.0, "{i}: {beside} across");
            let next = wind.at(position, time + 1.0 / 60.0) - here;
            assert!(next.length() < 60.0, "{i}: {next} in a tick");
        }
    }

    #[test]
    fn gusts_are_as_smooth_after_a_week() {
        let wind = wind(0.5);
        let week = 7.0 * 86_400.0;
        for i in 0..1000 {
            let at = |k: i32| wind.at(Vec2::ZERO, week + f64::from(i + k) / 240.0);
            let bend = at(1) - 2.0 * at(0) + at(-1);
            assert!(bend.length() < 0.3, "{i}: {bend}");
        }
    }

    #[test]
    fn the_pattern_is_the_same_in_every_run_and_build() {
        let air = wind(0.35).at(Vec2::new(123.0, 456.0), 789.0);
        assert_eq!(air, wind(0.35).at(Vec2::new(123.0, 456.0), 789.0));
        let golden = Vec2::new(307.1675, -250.673);
        assert!((air - golden).length() < 0.01, "{air}");
    }

    #[test]
    fn the_air_is_finite_at_any_place_and_time() {
        for velocity in [1e-45, 1e-30, 0.002, 1.0, 1e4] {
            for place in [0.0, 1e-30, 1e8, f32::MAX, f32::MIN] {
                for time in [0.0, 1e12] {
                    let wind = Wind { turbulence: 2.0, gust_period: 0.1, ..Wind::steady(Vec2::new(0.0, velocity)) };
                    let air = wind.at(Vec2::splat(place), time);
                    assert!(air.is_finite(), "{velocity} at {place}, {time}: {air}");
                }
            }
        }
    }

    #[test]
    fn the_sine_is_one() {
        for i in -1000..=1000 {
            let turns = i as f32 / 1000.0;
            assert!((sine(turns) - (TAU * turns).sin()).abs() < 1e-5, "{turns}");
        }
    }

    #[test]
    fn a_steady_wind_is_the_same_everywhere() {
        let wind = wind(0.0);
        assert_eq!(wind.at(Vec2::new(5.0, 6.0), 7.0), wind.velocity);
        assert_eq!(wind.gusts(1.0).spacing(), f32::INFINITY);
    }

    #[test]
    fn what_lies_between_samples_is_nearly_blended() {
        let wind = wind(0.35);
        for i in 0..500 {
            let gusts = wind.gusts(f64::from(i) * 0.7);
            let from = Vec2::new(i as f32, 30.0);
            let to = from + Vec2::from_angle(i as f32) * gusts.spacing();
            let off = (gusts.at(from) + gusts.at(to)) * 0.5 - gusts.at((from + to) * 0.5);
            assert!(off.length() < 0.04 * 300.0, "{i}: {off}");
        }
    }
}
