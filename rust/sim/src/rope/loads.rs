//! What stands on a rope, or runs against it, without being a part of the world that the rope collides with: characters, who meet the rope
//! through its presence in the engine's world.
//!
//! What stands on it is a part of it as long as it stands there: its mass is added to the two points beside its place, in proportion, so that
//! both its weight and its inertia are felt. A point that takes on mass takes on its velocity with it, as in an inelastic impact; a point that is
//! relieved keeps its own. So what lands is felt, what walks shifts its weight evenly, and nothing jumps when it leaves.
//!
//! What runs against the rope gives it, at the place, the velocity that both have after an inelastic impact.

use super::{Grip, MOST_MASS, Rope};
use crate::integrate::Step;
use crate::substeps::INNER_STEP;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// What moves by less than this on a sleeping rope, in px, has not moved; and what presses against it slower than this, in px/s, does not wake it.
const STILL: f32 = 0.5;
const STILL_SPEED: f32 = 4.0;
/// What strikes faster than this, in px/s, strikes with this speed.
const FASTEST: f32 = 2000.0;
/// The least sine of the angle to the horizontal at which a tight rope holds what stands on it; tighter ones give way.
const LEAST_SINE: f32 = 0.04;
/// As near to a held place as this part of the rope between two of them, that bears a part of what stands on the rope.
const BANK: f32 = 0.16;

/// Something on a rope, or against it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// What tells it from others; several loads of one thing have the same.
    pub key: u64,
    /// Where it touches the rope, in global px: the nearest place of the rope bears it.
    pub at: Vec2,
    /// Unit vector out of the rope.
    pub normal: Vec2,
    /// Its velocity in px/s, if the rope were not in the way.
    pub velocity: Vec2,
    /// In kg.
    pub mass: f32,
    /// It stands on the rope, with all its weight; otherwise it only pushes.
    pub stands: bool,
}

impl Load {
    pub(crate) fn is_sound(&self) -> bool {
        self.at.is_finite()
            && self.normal.is_finite()
            && self.velocity.is_finite()
            && (0.0..=MOST_MASS).contains(&self.mass)
    }
}

/// What stands on a rope.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Loads {
    /// What stood on it in the last tick.
    list: Vec<Load>,
    /// What each point bears, in kg; empty: nothing.
    borne: Vec<f32>,
    /// Room for what each point has borne before.
    #[serde(skip)]
    before: Vec<f32>,
}

impl Loads {
    /// What point `i` bears, in kg.
    pub(super) fn at(&self, i: usize) -> f32 {
        self.borne.get(i).copied().unwrap_or(0.0)
    }

    /// The mass of all.
    pub(super) fn mass(&self) -> f32 {
        self.list.iter().map(|load| load.mass).sum()
    }

    /// Whether it was spread over another number of points.
    pub(super) fn is_out_of_step(&self, count: usize) -> bool {
        !self.list.is_empty() && self.borne.len() != count
    }

    /// Whether it can be what stands on a rope of so many points.
    pub(super) fn fit(&self, count: usize) -> bool {
        [0, count].contains(&self.borne.len())
            && self.borne.iter().all(|mass| mass.is_finite() && *mass >= 0.0)
            && self.list.iter().all(Load::is_sound)
    }

    /// The same without what tells loads from others, which differs between runs.
    pub(super) fn make_anonymous(&mut self) {
        self.list.iter_mut().for_each(|load| load.key = 0);
    }
}

/// Whether these are just those that stood on a body before, `known`, so that it may sleep under them.
pub(crate) fn are_borne_already(loads: &[Load], known: &[Load]) -> bool {
    let presses = |load: &Load| load.mass > 0.0 && load.velocity.dot(load.normal) < -STILL_SPEED;
    if loads.iter().any(|load| !load.stands && presses(load)) {
        return false;
    }
    let standing = loads.iter().filter(|load| load.stands && load.mass > 0.0);
    let same = |(now, then): (&Load, &Load)| {
        now.key == then.key && now.mass == then.mass && now.at.distance_squared(then.at) < STILL * STILL
    };
    standing.clone().count() == known.len() && standing.zip(known).all(same)
}

impl Rope {
    /// Tells it what stands on it and runs against it in this tick; call it in every tick as long as there is anything.
    pub fn bear(&mut self, loads: &[Load]) {
        if (loads.is_empty() && self.loads.list.is_empty())
            || (self.sleeping && are_borne_already(loads, &self.loads.list))
        {
            return;
        }
        if !are_borne_already(loads, &self.loads.list) {
            self.wake();
        }
        if self.h_before <= 0.0 {
            self.h_before = INNER_STEP;
        }
        let sound = |load: &&Load| load.is_sound() && load.mass > 0.0;
        for load in loads.iter().filter(sound).filter(|load| !load.stands) {
            self.strike(load);
        }
        let known = std::mem::take(&mut self.loads.list);
        self.loads.list = loads.iter().filter(sound).filter(|load| load.stands).copied().collect();
        self.spread_loads();
        self.take_on(&known);
        self.weigh();
    }

    /// Nothing stands on it any more, as far as it knows.
    pub fn unload(&mut self) {
        if self.is_loaded() {
            self.loads.list.clear();
            self.spread_loads();
            self.weigh();
            self.wake();
        }
    }

    /// Whether anything stands on it.
    pub fn is_loaded(&self) -> bool {
        !self.loads.list.is_empty()
    }

    /// Calls `visit` with the key of each thing that stands on it.
    pub fn for_each_load(&self, visit: impl FnMut(u64)) {
        self.loads.list.iter().map(|load| load.key).for_each(visit);
    }

    /// The link, and the part of its length, that is nearest to a global position.
    fn place_near(&self, at: Vec2) -> (usize, f32) {
        let at = self.frame.to_local(at);
        let mut best = (0, 0.0, f32::INFINITY);
        for k in 0..self.lengths.len() {
            let (part, distance) = self.nearest_on_link(k, at);
            if distance < best.2 {
                best = (k, part, distance);
            }
        }
        (best.0, best.1)
    }

    /// Which part of the weight of what stands at a place the rope bears. Between two held places, what is near to one of them is borne by that: else
    /// the rope would be so steep there that nobody who is heavier than the bridge could walk off it.
    fn share_at(&self, link: usize, part: f32) -> f32 {
        let firm = || self.pins.iter().filter(|pin| pin.grip == Grip::Firm).map(|pin| pin.point);
        let (Some(before), Some(behind)) = (firm().rfind(|&point| point <= link), firm().find(|&point| point > link))
        else {
            return 1.0;
        };
        let way = |from: usize, to: usize| self.lengths[from..to].iter().sum::<f32>();
        let gone = way(before, link) + part * self.lengths[link];
        let whole = way(before, behind);
        (gone.min(whole - gone) / (BANK * whole).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// Finds anew what each point bears: loads have moved, or points have come and gone.
    pub(super) fn spread_loads(&mut self) {
        let mut loads = std::mem::take(&mut self.loads);
        std::mem::swap(&mut loads.before, &mut loads.borne);
        loads.borne.clear();
        if !loads.list.is_empty() {
            loads.borne.resize(self.points.len(), 0.0);
            for load in &loads.list {
                let (link, part) = self.place_near(load.at);
                let mass = load.mass * self.share_at(link, part);
                loads.borne[link] += mass * (1.0 - part);
                loads.borne[link + 1] += mass * part;
            }
        }
        self.loads = loads;
    }

    /// Points that bear more than before take on the velocity of what they bear with its mass.
    fn take_on(&mut self, known: &[Load]) {
        let loads = std::mem::take(&mut self.loads);
        for load in &loads.list {
            let (link, part) = self.place_near(load.at);
            let here = self.velocity(link).lerp(self.velocity(link + 1), part);
            let lands = known.iter().all(|other| other.key != load.key);
            // What has stood on it already goes with it; what lands brings along how fast it approaches.
            let approach = if lands { (load.velocity - here).dot(load.normal).clamp(-FASTEST, 0.0) } else { 0.0 };
            let brought = here + load.normal * approach;
            for (i, share) in [(link, 1.0 - part), (link + 1, part)] {
                let more = loads.borne[i] - loads.before.get(i).copied().unwrap_or(0.0);
                let gained = more.min(load.mass * share);
                if gained > 0.0 && self.points.inv_mass[i] > 0.0 {
                    let taken = gained / (gained + 1.0 / self.points.inv_mass[i]);
                    let velocity = self.velocity(i).lerp(brought, taken);
                    self.points.set_way(i, velocity * self.h_before);
                }
            }
        }
        self.loads = loads;
    }

    /// Something runs against it: at the place, both go on with the same velocity along the normal.
    fn strike(&mut self, load: &Load) {
        let (link, part) = self.place_near(load.at);
        let here = self.velocity(link).lerp(self.velocity(link + 1), part);
        let approach = (load.velocity - here).dot(load.normal).clamp(-FASTEST, 0.0);
        let shares = [(link, 1.0 - part), (link + 1, part)];
        let gives: f32 = shares.iter().map(|&(i, share)| share * share * self.points.inv_mass[i]).sum();
        if gives <= 0.0 || approach >= 0.0 {
            return;
        }
        let impulse = load.normal * (approach / (gives + 1.0 / load.mass));
        for (i, share) in shares {
            let velocity = self.velocity(i) + impulse * (share * self.points.inv_mass[i]);
            self.points.set_way(i, velocity * self.h_before);
        }
    }

    /// What stands on it weighs what the world's gravity makes of its mass, whatever the rope's own scale of it is.
    pub(super) fn weigh_down(&mut self, step: &Step) {
        let scale = self.settings.gravity_scale;
        if self.loads.borne.len() != self.points.len() || scale == 1.0 {
            return;
        }
        for i in 0..self.points.len() {
            let share = self.loads.at(i) * self.points.inv_mass[i];
            if share > 0.0 {
                let way = self.gravity * ((1.0 - scale) * share * step.acceleration_factor());
                self.points.move_to(i, self.points.position(i) + way);
            }
        }
    }

    /// How hard what stands on it pulls at most, in kg px/s2.
    pub(super) fn pull_of_loads(&self) -> f32 {
        let mass = self.loads.mass();
        if mass <= 0.0 {
            return 0.0;
        }
        // On a rope between two held places both sides pull upwards only by the sine of their slopes.
        let sine = match (self.pins.first(), self.pins.last()) {
            (Some(first), Some(last)) if first.point < last.point => {
                let apart = self.pin_target(first).distance(self.pin_target(last));
                let long: f32 = self.lengths[first.point..last.point].iter().sum();
                (1.0 - (apart / long).powi(2)).max(0.0).sqrt().clamp(LEAST_SINE, 0.5)
            }
            _ => 0.5,
        };
        mass * self.gravity.length() * 0.5 / sine
    }
}
