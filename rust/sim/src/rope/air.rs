//! What a rope feels of winds.
//!
//! Once a tick the air is looked at along the rope, as often as gusts need it and at most every 40 px, and blended between;
//! the edges of a wind's region count at every point. In still air nothing of this costs anything.

use super::{Rope, Solver};
use crate::bounds::Bounds;
use crate::integrate;
use crate::points::lane_fold;
use crate::tick::Tick;
use crate::wind::{MOST_WIND, Region, Wind};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// The way in px to which the setting `air_drag` refers.
const AIR_DRAG_WAY: f32 = 1000.0;

/// How near to 1 a share is that is all the rope's own.
const OWN: f32 = 1e-4;

/// The air around a rope in a tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Air {
    /// At every point in px/s; empty if no wind reaches the rope.
    x: Vec<f32>,
    y: Vec<f32>,
    /// The fastest of it.
    fastest: f32,
    /// It changes with time.
    gusty: bool,
}

impl Air {
    /// Whether it does not move.
    fn is_still(&self) -> bool {
        self.x.is_empty()
    }

    /// Whether it is known for so many points, or still.
    pub(super) fn fits(&self, count: usize) -> bool {
        let sizes = [self.x.len(), self.y.len()];
        (sizes == [0, 0] || sizes == [count, count]) && self.x.iter().chain(&self.y).all(|air| air.is_finite())
    }

    /// There is a new point between the points `i - 1` and `i`.
    pub(super) fn insert(&mut self, i: usize) {
        for array in [&mut self.x, &mut self.y].into_iter().filter(|array| !array.is_empty()) {
            array.insert(i, array[i]);
        }
    }

    /// Point `i` is no more.
    pub(super) fn remove(&mut self, i: usize) {
        for array in [&mut self.x, &mut self.y].into_iter().filter(|array| !array.is_empty()) {
            array.remove(i);
        }
    }

    pub(super) fn calm_down(&mut self) {
        self.x.clear();
        self.y.clear();
        self.fastest = 0.0;
        self.gusty = false;
    }

    fn at(&self, i: usize) -> Vec2 {
        if self.is_still() { Vec2::ZERO } else { Vec2::new(self.x[i], self.y[i]) }
    }
}

impl Rope {
    /// Takes down the air at every point for a tick.
    pub(super) fn breathe(&mut self, tick: &Tick) {
        let was_still = self.air.is_still();
        self.air.calm_down();
        if tick.winds.is_empty() || !self.minds_winds() {
            return;
        }
        let bounds = self.bounds();
        for wind in tick.winds {
            if self.is_reached_by(wind, &bounds) {
                self.blow(wind, tick.time);
            }
        }
        if self.air.is_still() {
            return;
        }
        let scale = self.settings.wind_scale;
        for (x, y) in self.air.x.iter_mut().zip(&mut self.air.y) {
            let air = (Vec2::new(*x, *y) * scale).clamp_length_max(MOST_WIND);
            (*x, *y) = (air.x, air.y);
            self.air.fastest = self.air.fastest.max(air.length());
        }
        // A wind along an exactly straight rope would push it like a rod.
        if (was_still || self.h_before <= 0.0) && self.settings.solver == Solver::Direct {
            self.unstraighten();
        }
    }

    /// Adds a wind to the air.
    fn blow(&mut self, wind: &Wind, time: f64) {
        let gusts = wind.gusts(time);
        let last = self.points.len() - 1;
        self.air.x.resize(last + 1, 0.0);
        self.air.y.resize(last + 1, 0.0);
        self.air.gusty |= wind.is_turbulent();
        let stride = (gusts.spacing() / self.pitch).clamp(1.0, last as f32) as usize;
        let everywhere = wind.region == Region::Everywhere;
        let mut here = gusts.at(self.position(0));
        let mut from = 0;
        while from < last {
            let to = (from + stride).min(last);
            let there = gusts.at(self.position(to));
            let change = (there - here) / (to - from) as f32;
            // The point `to` is the first of the next part.
            for i in from..(if to < last { to } else { to + 1 }) {
                let share = if everywhere { 1.0 } else { wind.region.share(self.position(i)) };
                let air = (here + change * (i - from) as f32) * share;
                self.air.x[i] += air.x;
                self.air.y[i] += air.y;
            }
            here = there;
            from = to;
        }
    }

    /// Slows all points, or takes them along, by the drag of the air.
    pub(super) fn drag(&mut self) {
        let drag = self.settings.air_drag / AIR_DRAG_WAY;
        if drag <= 0.0 {
            return;
        }
        let ends = [0, self.points.len() - 1].map(|i| (i, self.points.way(i)));
        if self.air.is_still() {
            integrate::air_drag(&mut self.points, drag);
        } else {
            integrate::wind_drag(&mut self.points, drag, &self.air.x, &self.air.y, self.h_before);
        }
        // What else hangs at an end is not thin like rope.
        for (i, way) in ends {
            let share = self.own_share(i);
            if (share - 1.0).abs() > OWN {
                let off = way - self.air.at(i) * self.h_before;
                let resisted = share * drag * off.length();
                self.points.set_way(i, way - off * (resisted / (1.0 + resisted)));
            }
        }
    }

    /// Which part of the mass at a free point is the rope's own: less than 1 where something else hangs.
    fn own_share(&self, i: usize) -> f32 {
        self.points.inv_mass[i] * self.own_mass(i)
    }

    /// Looks at winds that appeared, vanished or changed since the last tick, as they were and as they are: if one of them reaches the
    /// rope, it is not at rest.
    pub fn notice_winds(&mut self, winds: &[Wind]) {
        if !winds.is_empty() && self.minds_winds() {
            let bounds = self.bounds();
            if winds.iter().any(|wind| self.is_reached_by(wind, &bounds)) {
                self.wake();
            }
        }
    }

    /// Whether it was in moving air in its last tick.
    pub fn is_in_wind(&self) -> bool {
        !self.air.is_still()
    }

    /// Whether the air changes while the rope does not move.
    pub(super) fn is_in_gusts(&self) -> bool {
        self.air.gusty
    }

    /// The strongest acceleration by which winds may move a point at rest, in px/s2.
    pub(super) fn strongest_blow(&self) -> f32 {
        self.settings.air_drag / AIR_DRAG_WAY * self.air.fastest.powi(2)
    }

    fn minds_winds(&self) -> bool {
        self.settings.air_drag > 0.0 && self.settings.wind_scale != 0.0
    }

    fn is_reached_by(&self, wind: &Wind, bounds: &Bounds) -> bool {
        wind.blows()
            && (wind.region == Region::Everywhere
                || wind.region.overlaps(bounds)
                    && (0..self.points.len()).any(|i| wind.region.share(self.position(i)) > 0.0))
    }

    /// The box of all points, global.
    pub(super) fn bounds(&self) -> Bounds {
        let least = |values: &[f32]| lane_fold(values, f32::INFINITY, f32::min);
        let most = |values: &[f32]| lane_fold(values, f32::NEG_INFINITY, f32::max);
        let min = Vec2::new(least(&self.points.x), least(&self.points.y));
        let max = Vec2::new(most(&self.points.x), most(&self.points.y));
        Bounds { min: self.frame.to_global(min), max: self.frame.to_global(max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Pose;
    use crate::rope::RopeSettings;

    #[test]
    fn what_else_hangs_at_an_end_is_not_blown_like_rope() {
        let velocity_of_the_end = |extra: f32| {
            let settings = RopeSettings { linear_damp: 0.0, gravity_scale: 0.0, ..RopeSettings::default() };
            let mut rope = Rope::new(settings, Pose::IDENTITY);
            let last = rope.points.len() - 1;
            rope.points.inv_mass[last] /= 1.0 + extra;
            rope.h_before = 1.0 / 240.0;
            let winds = [Wind::steady(Vec2::new(300.0, 0.0))];
            rope.breathe(&Tick { winds: &winds, ..Tick::still(1.0 / 60.0, Vec2::ZERO) });
            rope.drag();
            rope.points.way_x[last]
        };
        let (alone, loaded) = (velocity_of_the_end(0.0), velocity_of_the_end(9.0));
        assert!((loaded / alone - 0.1).abs() < 0.001, "{loaded} of {alone}");
    }

    #[test]
    fn the_mass_at_every_free_point_is_the_rope_s_own() {
        for solver in [Solver::Direct, Solver::Relaxation] {
            let settings =
                RopeSettings { solver, start_pinned: false, mass: 0.3, segments: 7, ..RopeSettings::default() };
            let rope = Rope::new(settings, Pose::IDENTITY);
            for i in 0..rope.points.len() {
                assert!((rope.own_share(i) - 1.0).abs() < OWN, "{solver:?}, point {i}");
            }
        }
    }
}
