//! What soft bodies see of a rope, and what it knows of those that it touches. They are solved for together in
//! [`crate::soft::Pile`].

use super::collide::Collision;
use super::{CollisionSettings, Rope, Touch};
use crate::collide::Material;
use crate::points::Points;
use crate::soft::{Caught, presses_otherwise};
use glam::Vec2;

/// It wakes when a soft body presses at it otherwise, by more than this part of its weight.
const OTHER_WEIGHT: f32 = 0.25;

/// What is remembered from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Strand {
    /// The key by which others know it.
    key: u64,
    /// Where it touched soft bodies at the end of the last tick, by their keys.
    met: Vec<(u64, Caught)>,
    /// How they pressed at it, in kg px/s2.
    leans_on: Vec<(u64, Vec2)>,
}

impl Strand {
    /// Whether it touches a soft body.
    pub fn touches(&self) -> bool {
        !self.leans_on.is_empty()
    }

    /// It was laid out: it touches nothing.
    pub fn forget(&mut self) {
        self.met.clear();
        self.leans_on.clear();
    }
}

impl Rope {
    /// The key by which soft bodies know it.
    pub fn set_key(&mut self, key: u64) {
        self.collision.strand.key = key;
    }

    /// Whether it touched a soft body at the end of the last tick.
    pub fn leans_on_soft(&self) -> bool {
        self.collision.strand.touches()
    }

    pub(crate) fn strand_key(&self) -> u64 {
        self.collision.strand.key
    }

    pub(crate) fn strand_points(&self) -> &Points {
        &self.points
    }

    /// Where its frame is, in global px.
    pub(crate) fn strand_origin(&self) -> Vec2 {
        self.frame.origin()
    }

    pub(crate) fn strand_settings(&self) -> &CollisionSettings {
        &self.settings.collision
    }

    /// Of what its surface is made.
    pub(crate) fn strand_material(&self) -> Material {
        self.skin().material
    }

    /// Whether it is held by a node that it lets through, and that `lets` say: one that rides on a soft body.
    pub(crate) fn hangs_on_any(&self, lets: impl Fn(u64) -> bool) -> bool {
        let keys = self.pins.iter().filter_map(|pin| pin.holder).map(|holder| holder.key);
        { keys }.any(|key| self.lets_through(key) && lets(key))
    }

    /// What it weighs, in kg.
    pub(crate) fn strand_mass(&self) -> f32 {
        self.settings.mass + self.settings.end_mass
    }

    /// Moves point `i` by what soft bodies push, in px.
    pub(crate) fn shove_point(&mut self, i: usize, way: Vec2) {
        if way != Vec2::ZERO && way.is_finite() {
            self.points.move_to(i, self.points.position(i) + way);
        }
    }

    /// Its points were moved by soft bodies.
    pub(crate) fn end_shoves(&mut self) {
        self.solver.forget();
    }

    /// What it remembers of touching the soft body with a key.
    pub(crate) fn recall_met(&self, key: u64) -> impl Iterator<Item = Caught> + '_ {
        self.collision.strand.met.iter().filter(move |(other, _)| *other == key).map(|(_, met)| *met)
    }

    /// It touches a soft body: remembers where and how.
    pub(crate) fn remember_met(&mut self, key: u64, met: impl Iterator<Item = Caught>, force: Vec2) {
        let strand = &mut self.collision.strand;
        strand.met.extend(met.map(|met| (key, met)));
        if force != Vec2::ZERO {
            strand.leans_on.push((key, force));
        }
    }

    /// Whether soft bodies press at it otherwise than when it fell asleep.
    pub(crate) fn is_pressed_otherwise(&self, key: u64, now: Vec2) -> bool {
        let known = self.collision.strand.leans_on.iter().find(|(other, _)| *other == key);
        let then = known.map_or(Vec2::ZERO, |(_, force)| *force);
        let weight = self.strand_mass() * self.gravity.length() * self.settings.gravity_scale.abs();
        presses_otherwise(now, then, OTHER_WEIGHT * weight, 0.0)
    }

    /// Takes down that it touches a soft body, or has struck it.
    pub(crate) fn note_soft_touch(&mut self, touch: Touch) {
        let Collision { touches, hardest, .. } = &mut self.collision;
        match touches.binary_search_by_key(&touch.key.body, |other| other.key.body) {
            Ok(place) if touch.impulse > touches[place].impulse => touches[place] = touch,
            Ok(_) => (),
            Err(place) => {
                touches.insert(place, touch);
                hardest.insert(place, touch.impulse);
            }
        }
    }
}
