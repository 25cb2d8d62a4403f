//! What can be set on a rope, and the ranges in which it makes sense.

use super::CollisionSettings;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// The longest rope in px.
pub const MOST_LENGTH: f32 = 1e6;
/// The shortest rope in px.
pub const LEAST_LENGTH: f32 = 0.1;
/// The most links in a rope.
pub const MOST_SEGMENTS: u32 = 10_000;
/// The shortest link in px: shorter ones drown in the rounding of positions a thousand pixels away.
pub const LEAST_LINK: f32 = 0.5;
/// The lightest rope in kg.
pub const LEAST_MASS: f32 = 1e-3;
/// The heaviest rope in kg.
pub const MOST_MASS: f32 = 1e6;
/// The most passes of relaxation.
pub const MOST_ITERATIONS: u32 = 1000;
/// The most that gravity is multiplied by, either way.
pub const MOST_GRAVITY_SCALE: f32 = 1000.0;
/// The most that winds are multiplied by, either way.
pub const MOST_WIND_SCALE: f32 = 100.0;
/// The most damping and drag.
pub const MOST_DAMP: f32 = 1000.0;
/// The most force that can be set, in kg px/s2.
pub const MOST_FORCE: f32 = 1e12;
/// The largest coordinate that is taken, in px.
pub const FARTHEST: f32 = 1e8;

/// How the links keep their lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solver {
    /// Exactly, at any length of the chain ([`crate::chain`]).
    #[default]
    Direct,
    /// By passes of relaxation ([`crate::relax`]): stretches, less with more passes.
    Relaxation,
}

/// An end of a rope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The first point.
    #[default]
    Start,
    /// The last point.
    End,
}

impl End {
    /// Both, in the order of the points.
    pub const BOTH: [End; 2] = [End::Start, End::End];

    /// The other one.
    pub fn other(self) -> End {
        match self {
            End::Start => End::End,
            End::End => End::Start,
        }
    }
}

/// The shape to which a rope bends back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BendRest {
    /// A straight line.
    #[default]
    Straight,
    /// The shape in which it was laid out.
    Laid,
}

/// Everything that can be set on a rope. Lengths and offsets are local to the rope's node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RopeSettings {
    /// Length in px; 0: the distance of the ends times (1 + `slack`).
    pub length: f32,
    /// What `length` 0 adds to the distance of the ends, as a part of it.
    pub slack: f32,
    /// Number of links; 0: from `segment_length`.
    pub segments: u32,
    /// Length of a link in px that `segments` 0 aims at.
    pub segment_length: f32,
    /// Whether the node holds the first point at its origin.
    pub start_pinned: bool,
    /// Whether the node holds the last point at `end_position`.
    pub end_pinned: bool,
    /// Where the last point is held, or the direction in which a rope with a free end is laid.
    pub end_position: Vec2,
    /// The end at which it is wound when `length` changes.
    pub reel_end: End,
    /// Mass of the whole rope in kg.
    pub mass: f32,
    /// Mass of what hangs on its end in kg.
    pub end_mass: f32,
    /// What the world's gravity is multiplied by.
    pub gravity_scale: f32,
    /// Part of the velocity that is lost, 1/s.
    pub linear_damp: f32,
    /// Drag of the air: how fast speed is lost along the way, 1 / 1000 px.
    pub air_drag: f32,
    /// Resistance to being bent, 0 to 1.
    pub bend: f32,
    /// The shape to which it bends back.
    pub bend_rest: BendRest,
    /// How firmly a held start keeps the rope in the direction in which it was laid, 0 to 1.
    pub start_stiffness: f32,
    /// The pull at which a link breaks, in kg px/s2; 0: never.
    pub break_force: f32,
    /// What winds are multiplied by.
    pub wind_scale: f32,
    /// How the links keep their lengths.
    pub solver: Solver,
    /// Passes of relaxation a tick at 60 ticks a second.
    pub iteration_count: u32,
    /// Substeps a tick; 0: automatic.
    pub substeps: u32,
    /// Whether it may sleep.
    pub can_sleep: bool,
    /// What it collides with, and how.
    pub collision: CollisionSettings,
}

impl Default for RopeSettings {
    fn default() -> Self {
        RopeSettings {
            length: 200.0,
            slack: 0.05,
            segments: 0,
            segment_length: 10.0,
            start_pinned: true,
            end_pinned: false,
            end_position: Vec2::new(0.0, 150.0),
            reel_end: End::Start,
            mass: 0.5,
            end_mass: 0.0,
            gravity_scale: 1.0,
            linear_damp: 1.5,
            air_drag: 0.5,
            bend: 0.0,
            bend_rest: BendRest::Straight,
            start_stiffness: 0.0,
            break_force: 0.0,
            wind_scale: 1.0,
            solver: Solver::Direct,
            iteration_count: 12,
            substeps: 0,
            can_sleep: true,
            collision: CollisionSettings::default(),
        }
    }
}

impl RopeSettings {
    /// The same with every number brought into its range; what is not a number is taken from `fallback`.
    pub fn clamped(self, fallback: &RopeSettings) -> RopeSettings {
        let number = |value: f32, other: f32| if value.is_finite() { value } else { other };
        let length = number(self.length, fallback.length);
        RopeSettings {
            length: if length <= 0.0 { 0.0 } else { length.clamp(LEAST_LENGTH, MOST_LENGTH) },
            slack: number(self.slack, fallback.slack).clamp(0.0, 10.0),
            segments: self.segments.min(MOST_SEGMENTS),
            segment_length: number(self.segment_length, fallback.segment_length).clamp(LEAST_LINK, MOST_LENGTH),
            end_position: if self.end_position.is_finite() {
                self.end_position.clamp(Vec2::splat(-FARTHEST), Vec2::splat(FARTHEST))
            } else {
                fallback.end_position
            },
            mass: number(self.mass, fallback.mass).clamp(LEAST_MASS, MOST_MASS),
            end_mass: number(self.end_mass, fallback.end_mass).clamp(0.0, MOST_MASS),
            gravity_scale: number(self.gravity_scale, fallback.gravity_scale)
                .clamp(-MOST_GRAVITY_SCALE, MOST_GRAVITY_SCALE),
            linear_damp: number(self.linear_damp, fallback.linear_damp).clamp(0.0, MOST_DAMP),
            air_drag: number(self.air_drag, fallback.air_drag).clamp(0.0, MOST_DAMP),
            bend: number(self.bend, fallback.bend).clamp(0.0, 1.0),
            start_stiffness: number(self.start_stiffness, fallback.start_stiffness).clamp(0.0, 1.0),
            break_force: number(self.break_force, fallback.break_force).clamp(0.0, MOST_FORCE),
            wind_scale: number(self.wind_scale, fallback.wind_scale).clamp(-MOST_WIND_SCALE, MOST_WIND_SCALE),
            iteration_count: self.iteration_count.clamp(1, MOST_ITERATIONS),
            substeps: self.substeps.min(crate::substeps::MOST_SUBSTEPS),
            collision: self.collision.clamped(&fallback.collision),
            ..self
        }
    }

    /// The length that it really gets, in px.
    pub fn resolved_length(&self) -> f32 {
        if self.length > 0.0 {
            return self.length;
        }
        (self.end_position.length() * (1.0 + self.slack)).clamp(LEAST_LENGTH, MOST_LENGTH)
    }

    /// The number of links that it really gets.
    pub fn resolved_segments(&self) -> u32 {
        self.segments_of(self.resolved_length())
    }

    /// The number of links that it gets at a length of `length` px.
    pub fn segments_of(&self, length: f32) -> u32 {
        let wanted =
            if self.segments > 0 { self.segments } else { (length / self.segment_length).round().max(2.0) as u32 };
        // A rope that may be wound out has a link that stays and one that grows.
        let least = if self.segments > 0 { 1 } else { 2 };
        wanted.clamp(1, MOST_SEGMENTS).min((length / LEAST_LINK) as u32).max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_becomes_something_sensible() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30, 0.0];
        for value in bad {
            let settings = RopeSettings {
                length: value,
                slack: value,
                segments: u32::MAX,
                segment_length: value,
                end_position: Vec2::splat(value),
                mass: value,
                gravity_scale: value,
                linear_damp: value,
                air_drag: value,
                end_mass: value,
                bend: value,
                start_stiffness: value,
                break_force: value,
                wind_scale: value,
                iteration_count: 0,
                substeps: u32::MAX,
                ..RopeSettings::default()
            }
            .clamped(&RopeSettings::default());
            assert!(settings.resolved_length().is_finite() && settings.resolved_length() > 0.0);
            assert!((1..=MOST_SEGMENTS).contains(&settings.resolved_segments()));
            assert!(settings.mass > 0.0 && settings.end_position.is_finite());
            assert_eq!(settings, settings.clamped(&RopeSettings::default()));
        }
    }

    #[test]
    fn length_zero_is_the_distance_of_the_ends_and_some_slack() {
        let settings = RopeSettings { length: 0.0, end_position: Vec2::new(30.0, 40.0), ..RopeSettings::default() };
        assert!((settings.resolved_length() - 52.5).abs() < 1e-4);
    }
}
