//! What stands on a soft body, or runs against it: characters, who meet it through its presence in the engine's world.
//!
//! As on a [rope](crate::rope::Load), what stands on it is a part of it as long as it stands there: its mass is spread over the points of the outline between
//! its feet, so that both its weight and its inertia are felt, and the system of a substep knows of it. So no weight makes it unstable, at any
//! stiffness. A point that takes on mass takes on its velocity with it, as in an inelastic impact; a point that is relieved keeps its own: what lands
//! is felt, and nothing is thrown.
//!
//! What runs against it takes along all points that are near, the less the farther they are: at the place, both go on with one velocity. How many points
//! there are makes no difference.

use super::SoftBody;
use crate::rope::{Load, are_borne_already};
use crate::substeps::INNER_STEP;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// What strikes faster than this, in px/s, strikes with this speed.
const FASTEST: f32 = 2000.0;
/// The weight of what stands on it is spread over so many places between its feet.
const PLACES: usize = 7;
/// A sole reaches so far to both sides of its middle at least, in px, and not farther than by this part of the body's width, but over so many points.
const WIDE: f32 = 30.0;
const WIDE_PART: f32 = 0.35;
const SPACINGS: f32 = 1.2;
/// A place below a sole that is deeper by so many px bears a third.
const SOLE: f32 = 3.0;
/// At this rate the weight follows where a sole presses most, in 1/s.
const FOLLOWS: f32 = 20.0;
/// It bears at most so many times its own mass of each that stands on it: a heavier one would turn it over, or crush it.
const MOST_BORNE: f32 = 2.0;
/// At this rate a sole levels itself, and goes along with the whole body, in 1/s.
const BALANCE: f32 = 26.0;
/// What stands nearer to a side than this part of the width is borne only in part: a corner would sink so deep that nobody gets on to the next body.
const BANK: f32 = 0.25;
const LEAST_SHARE: f32 = 0.1;
/// What bears something springs back not faster than this, in px/s.
const FASTEST_RISE: f32 = 250.0;
/// The load of a point that has changed by less than this part of the whole has not.
const SAME: f32 = 0.02;
/// What runs against it takes along what is nearer than this part of its size, and at least so many px.
const TAKEN_ALONG: f32 = 0.35;
const LEAST_TAKEN: f32 = 16.0;

/// What stands on it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Loads {
    /// What stood on it in the last tick.
    list: Vec<Load>,
    /// How long the last tick was, in seconds.
    pub delta: f32,
    /// Room.
    #[serde(skip)]
    borne: Vec<f32>,
}

/// A place of the outline: two points, and how far it is from the first to the second.
type Place = ([usize; 2], f32);

impl Loads {
    /// Whether it can be what stands on a body.
    pub(super) fn fit(&self) -> bool {
        self.list.iter().all(Load::is_sound) && (0.0..=f32::MAX).contains(&self.delta)
    }

    /// The same without what tells loads from others, which differs between runs.
    pub(super) fn make_anonymous(&mut self) {
        self.list.iter_mut().for_each(|load| load.key = 0);
    }
}

impl SoftBody {
    /// Tells it what stands on it and runs against it in this tick; call it in every tick as long as there is anything.
    pub fn bear(&mut self, loads: &[Load]) {
        if loads.is_empty() && self.loads.list.is_empty() {
            return;
        }
        let same = are_borne_already(loads, &self.loads.list);
        if self.sleeping && same {
            return;
        }
        if !same {
            self.wake();
        }
        if self.h_before <= 0.0 {
            self.h_before = INNER_STEP;
        }
        let sound = |load: &&Load| load.is_sound() && load.mass > 0.0;
        for load in loads.iter().filter(sound).filter(|load| !load.stands) {
            self.strike_at(load);
        }
        let known = std::mem::take(&mut self.loads.list);
        self.loads.list = loads.iter().filter(sound).filter(|load| load.stands).copied().collect();
        self.take_on(&known);
        self.weigh_down();
    }

    /// Nothing stands on it any more, as far as it knows.
    pub fn unload(&mut self) {
        if !self.loads.list.is_empty() {
            self.loads.list.clear();
            self.take_on(&[]);
            self.wake();
        }
    }

    /// The place of the outline that is nearest to a position beside the frame.
    fn outline_near(&self, at: Vec2) -> Place {
        let outline = &self.mesh.outline;
        let mut best = (([0, 0], 0.0), f32::INFINITY);
        let mut before = outline[outline.len() - 1] as usize;
        for &now in outline {
            let now = now as usize;
            let (from, to) = (self.points.position(before), self.points.position(now));
            let line = to - from;
            let part = ((at - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let distance = at.distance_squared(from + line * part);
            if distance < best.1 {
                best = (([before, now], part), distance);
            }
            before = now;
        }
        best.0
    }

    /// How its surface moves where it is nearest to a global position, in px/s.
    pub fn surface_velocity(&self, at: Vec2) -> Vec2 {
        let ([a, b], part) = self.outline_near(self.frame.to_local(at));
        self.velocity(a).lerp(self.velocity(b), part)
    }

    /// How much deeper its surface is than at rest, where it is nearest to a global position, against a unit vector that leads out of it there; in px.
    pub fn dent(&self, at: Vec2, out: Vec2) -> f32 {
        let ([a, b], part) = self.outline_near(self.frame.to_local(at));
        let now = self.points.position(a).lerp(self.points.position(b), part);
        let rest = self.middle() + self.turn.rotate(self.rest[a].lerp(self.rest[b], part));
        (rest - now).dot(out)
    }

    /// How far it reaches along a direction, beside the frame.
    fn extent(&self, along: Vec2) -> (f32, f32) {
        let ways = (0..self.points.len()).map(|i| self.points.position(i).dot(along));
        ways.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), way| (least.min(way), most.max(way)))
    }

    /// Points that bear more than before take on the velocity of what they bear with its mass; `known` stood there before.
    fn take_on(&mut self, known: &[Load]) {
        let mut loads = std::mem::take(&mut self.loads);
        let count = self.points.len();
        let borne = &mut loads.borne;
        borne.clear();
        borne.resize(count, 0.0);
        let before: f32 = self.material.borne().iter().sum();
        let mut brought: Vec<(Place, f32, Vec2)> = Vec::new();
        for feet in loads.list.chunk_by(|one, other| one.key == other.key) {
            let (from, to) = (feet[0], feet[feet.len() - 1]);
            let mass = feet.iter().map(|load| load.mass).sum::<f32>().min(MOST_BORNE * self.material.mass());
            let lands = known.iter().all(|other| other.key != from.key);
            let along = from.normal.perp();
            let (least, most) = self.extent(along);
            let (one, other) = (self.frame.to_local(from.at), self.frame.to_local(to.at));
            let middle = 0.5 * (one + other);
            // As wide as the feet at least, and as what can be dented.
            let wide = WIDE.min(WIDE_PART * (most - least)).max(SPACINGS * self.room.spacing());
            let wide = wide.max(0.5 * (other - one).dot(along).abs());
            let mut places = [(([0, 0], 0.0), 0.0, 0.0f32); PLACES];
            for (k, (place, height, share)) in places.iter_mut().enumerate() {
                let way = wide * (2.0 * k as f32 / (PLACES - 1) as f32 - 1.0);
                let here = (middle.dot(along) + way).clamp(least, most);
                *place = self.outline_near(middle + along * (here - middle.dot(along)));
                let ([a, b], part) = *place;
                *height = self.points.position(a).lerp(self.points.position(b), part).dot(from.normal);
                let bank = (BANK * (most - least)).max(f32::MIN_POSITIVE);
                *share = ((here - least).min(most - here) / bank).clamp(LEAST_SHARE, 1.0);
            }
            // A sole is stiff: what is higher bears more.
            let highest = places.iter().map(|(_, height, _)| *height).fold(f32::NEG_INFINITY, f32::max);
            let pressure = |height: f32| ((height - highest) / SOLE).exp();
            let sum: f32 = places.iter().map(|(_, height, _)| pressure(*height)).sum();
            for (([a, b], part), height, share) in places {
                let mass = mass * share * pressure(height) / sum;
                borne[a] += mass * (1.0 - part);
                borne[b] += mass * part;
                let here = self.velocity(a).lerp(self.velocity(b), part);
                // What has stood on it already goes with it; what lands brings along how fast it approaches.
                let approach = (from.velocity - here).dot(from.normal).clamp(-FASTEST, 0.0);
                brought.push((([a, b], part), mass, here + from.normal * if lands { approach } else { 0.0 }));
            }
        }
        // By and by: what is pressed down would come up again at once.
        let (kept, follows) = (self.material.borne(), 1.0 - (-FOLLOWS * loads.delta).exp());
        if kept.len() == count && known.iter().map(|load| load.key).eq(loads.list.iter().map(|load| load.key)) {
            borne.iter_mut().zip(kept).for_each(|(now, before)| *now = before + (*now - before) * follows);
        }
        let total: f32 = borne.iter().sum();
        let now = self.material.borne();
        let bears = |i: usize| now.get(i).copied().unwrap_or(0.0);
        let changed = (0..count).any(|i| (borne[i] - bears(i)).abs() > SAME * total.max(before));
        if changed {
            for &(([a, b], part), mass, velocity) in &brought {
                for (i, share) in [(a, 1.0 - part), (b, part)] {
                    let more = (borne[i] - bears(i)).max(0.0);
                    let gained = more * (mass * share / borne[i].max(f32::MIN_POSITIVE));
                    if gained > 0.0 && self.points.inv_mass[i] > 0.0 {
                        let taken = gained / (more + 1.0 / self.points.inv_mass[i]);
                        let now = self.points.way(i) / self.h_before.max(f32::MIN_POSITIVE);
                        self.points.set_way(i, now.lerp(velocity, taken) * self.h_before);
                    }
                }
            }
            self.material.bear(borne);
            self.weigh_points();
        }
        self.balance(&loads);
        self.loads = loads;
    }

    /// Who stands there keeps their balance: a sole stays level, and does not slide about on the body. It springs back, but throws nobody.
    fn balance(&mut self, loads: &Loads) {
        let Some(up) = loads.list.first().map(|load| load.normal) else { return };
        let borne = self.material.borne();
        let (mut rise, mut mass) = (0.0, 0.0);
        for (i, &borne) in borne.iter().enumerate() {
            rise += self.points.way(i).dot(up) * borne;
            mass += borne;
        }
        if mass <= 0.0 {
            return;
        }
        let (rise, whole, most) = (rise / mass, self.mean_way(), FASTEST_RISE * self.h_before);
        let (along, balance) = (up.perp(), 1.0 - (-BALANCE * loads.delta).exp());
        for i in 0..self.points.len() {
            let borne = self.material.borne()[i];
            if borne <= 0.0 || self.points.inv_mass[i] <= 0.0 {
                continue;
            }
            let part = balance * borne * self.points.inv_mass[i];
            let way = self.points.way(i);
            let level = way.dot(up) + (rise - way.dot(up)) * part;
            let slide = way.dot(along) + (whole - way).dot(along) * part;
            self.points.set_way(i, up * level.min(most) + along * slide);
        }
    }

    /// What stands on it weighs what the world's gravity makes of its mass, whatever the body's own scale of it is.
    fn weigh_down(&mut self) {
        let scale = self.settings.gravity_scale;
        if scale == 1.0 || self.material.borne().is_empty() {
            return;
        }
        self.forces.resize(self.points.len(), Vec2::ZERO);
        for (force, &mass) in self.forces.iter_mut().zip(self.material.borne()) {
            *force += self.gravity * ((1.0 - scale) * mass);
        }
    }

    /// Something runs against it: at the place, both go on with the same velocity along the normal.
    fn strike_at(&mut self, load: &Load) {
        let at = self.frame.to_local(load.at);
        let ([a, b], part) = self.outline_near(at);
        let here = self.velocity(a).lerp(self.velocity(b), part);
        let approach = (load.velocity - here).dot(load.normal).clamp(-FASTEST, 0.0);
        if approach >= 0.0 {
            return;
        }
        let at = self.points.position(a).lerp(self.points.position(b), part);
        let far = (TAKEN_ALONG * self.rest_area().sqrt()).max(LEAST_TAKEN).max(1.5 * self.room.spacing());
        let near = |body: &SoftBody, i: usize| {
            (1.0 - body.points.position(i).distance_squared(at) / (far * far)).max(0.0).powi(2)
        };
        let masses = self.material.masses();
        let taken: f32 = (0..self.points.len()).map(|i| near(self, i) * masses[i]).sum();
        let change = load.normal * (approach * load.mass / (load.mass + taken).max(f32::MIN_POSITIVE));
        for i in 0..self.points.len() {
            let share = near(self, i);
            if share > 0.0 && self.points.inv_mass[i] > 0.0 {
                let velocity = self.velocity(i) + change * share;
                self.points.set_way(i, velocity * self.h_before);
            }
        }
    }
}
