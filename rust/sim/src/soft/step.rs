//! A tick of a soft body.
//!
//! In a substep the points go on as they moved; then the triangles pull them back by one or a few steps with the [system](super::system), which is as stable as
//! an implicit Euler step. Such a step resists rotation as it resists anything else, so the angular momentum that it has taken is given back by turning the body as a
//! whole. Contacts are solved for last, within the same system ([`super::collide`]).

use super::SoftBody;
use super::bounce::Motion;
use super::elastic::Turns;
use super::material::Moduli;
use super::open::{UNTWIST_DAMP, UNTWIST_RATE};
use super::pile::Pile;
use crate::bounds::Bounds;
use crate::collide::Colliders;
use crate::contact::meet::Span;
use crate::integrate::{self, Step};
use crate::island::{self, Rigid};
use crate::mesh::{Link, Mesh};
use crate::rope::{Grip, Pin};
use crate::substeps::{Demand, Substeps};
use crate::tick::Tick;
use crate::workers::Workers;
use glam::{DVec2, Vec2};

/// What moves by less than half of this speed in px/s in [`REST_TIME`], all in all, falls asleep.
const REST_SPEED: f32 = 2.0;
/// The same of what leans on others: a pile sinks together for long, which nobody sees.
const LEAN_SPEED: f32 = 6.0;
/// How long it must be at rest before it sleeps, in seconds.
pub(super) const REST_TIME: f32 = 0.5;
/// The rate to which the setting `iteration_count` refers, in ticks a second.
const PASSES_RATE: f32 = 60.0;
/// Tolerance in counting passes.
const WHOLE_PASS_SLACK: f32 = 1e-3;
/// A node that moves faster than this in px/s has not moved but been placed.
const TELEPORT_SPEED: f32 = 20_000.0;
/// The speed of a node is measured over at least this time, in seconds.
const LEAST_MOVE_TIME: f32 = 1.0 / 60.0;
/// Gravity beyond this in px/s2 is cut off.
pub(super) const MOST_GRAVITY: f32 = 1e6;
/// The most steps with the system in a substep; another is made if a point was moved by more than this part of the distance of neighbours.
const MOST_STEPS: usize = 3;
const ENOUGH: f32 = 0.02;
/// The angular frequency at which `shape_memory` 1 draws each point to its place, in 1/s.
const MEMORY_RATE: f32 = 120.0;
/// How often links are shortened in a substep that are longer than they may be, and by what part of their length they may be then.
const MOST_LIMITS: usize = 24;
const STRETCHES: f32 = 0.01;
/// What is blown up is not squeezed below this part of its area by its surroundings, as far as its pressure is concerned.
const LEAST_SPACE: f32 = 0.05;
/// By what angle a body that may not turn is turned back in a substep at most: how one is turned that is crumpled may change at once.
const MOST_UPRIGHT: f32 = 0.004;
/// The fastest that a point goes, in px/s.
const MOST_SPEED: f32 = 50_000.0;

/// Room for a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub forces: Vec<Vec2>,
    force_x: Vec<f32>,
    force_y: Vec<f32>,
    /// By how much the steps have moved each point.
    pub moved: Vec<Vec2>,
    /// How points went before they were put anywhere.
    pub ways: Vec<Vec2>,
    /// What each weighs while triangles are opened.
    pub masses: Vec<f32>,
    /// Which points are concerned.
    pub flags: Vec<bool>,
    pub rows: Vec<DVec2>,
    /// Some of them have been opened in this substep.
    pub opened: bool,
    /// The least distance of neighbours at rest, and the box around the rest shape beside its middle.
    spacing: f32,
    rest_bounds: Option<Bounds>,
    /// How it moved as a whole before anything pushed at it in this substep; None: it has met nothing that throws it back.
    pub came: Option<Motion>,
    /// How many substeps are left, with this one.
    pub left: u32,
    /// It is simulated in this tick; it touches something, or a hand holds it; and its contacts are to be solved for again.
    pub awake: bool,
    pub plan: Option<Substeps>,
    pub touches: bool,
    /// It leaves to the pile what gives way.
    pub spares: bool,
    /// Other bodies push at it.
    pub leans: bool,
    pub wrong: bool,
    /// A box around its skin.
    pub skin_bounds: Option<Bounds>,
}

impl Room {
    /// A box around the rest shape, beside its middle.
    pub fn rest_bounds(&self) -> Bounds {
        self.rest_bounds.unwrap_or_else(|| Bounds::of([Vec2::ZERO]))
    }

    /// The least distance of neighbours at rest, in px.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Takes down how near neighbours are at rest.
    pub fn note_spacing(&mut self, mesh: &Mesh, rest: &[Vec2]) {
        let length = |link: &Link| rest[link.a as usize].distance(rest[link.b as usize]);
        self.spacing = mesh.links.iter().map(length).fold(f32::INFINITY, f32::min);
        self.rest_bounds = Some(Bounds::of(rest.iter().copied()));
    }
}

/// About what a body turns as a whole, and the angular momentum about it in kg px2 a substep.
#[derive(Clone, Copy, Debug)]
struct Spin {
    /// The point that holds it; None: its middle.
    pivot: Option<usize>,
    momentum: f64,
    /// Where its middle is.
    middle: DVec2,
}

impl SoftBody {
    /// Simulates a tick. Call [`SoftBody::set_pose`] and [`SoftBody::set_holder_pose`] first. A sleeping body does nothing.
    pub fn step(&mut self, tick: &Tick) {
        island::step(&mut [], &mut [self], &mut [], tick, &mut Pile::default(), &Workers::default());
    }

    /// What a tick costs, in nanoseconds, roughly.
    pub fn cost(&self) -> usize {
        if self.sleeping { 0 } else { 300 * self.points.len() }
    }

    /// Whether the world holds it anywhere.
    pub(crate) fn is_anchored(&self) -> bool {
        !self.pins.is_empty()
    }

    /// Makes anew what follows from the settings.
    pub(super) fn weigh(&mut self) {
        self.material.weigh(self.mesh.points.len(), &self.settings);
        self.weigh_points();
    }

    /// Tells the points what they weigh.
    pub(super) fn weigh_points(&mut self) {
        for (inv_mass, mass) in self.points.inv_mass.iter_mut().zip(self.material.masses()) {
            *inv_mass = 1.0 / mass;
        }
        for pin in self.pins.iter().filter(|pin| pin.grip == Grip::Firm) {
            self.points.inv_mass[pin.point] = 0.0;
        }
        self.systems.outdate();
    }

    /// Begins a tick: how it wants it to be divided; None if there is nothing to simulate.
    pub(super) fn begin_tick(&mut self, tick: &Tick, rigids: &[Rigid]) -> Option<Substeps> {
        let gravity = if tick.gravity.is_finite() { tick.gravity.clamp_length_max(MOST_GRAVITY) } else { Vec2::ZERO };
        if gravity != self.gravity {
            // The stiffness of some depends on how strong it is.
            if gravity.length() != self.gravity.length() {
                self.systems.outdate();
            }
            self.gravity = gravity;
            self.wake();
        }
        if self.sleeping || !(tick.delta > 0.0 && tick.delta.is_finite()) {
            return None;
        }
        self.longest_move = TELEPORT_SPEED * tick.delta.max(LEAST_MOVE_TIME);
        if self.is_led() && self.pose.origin.distance(self.pose_before.origin) > self.longest_move {
            self.lay();
        }
        self.pose_before = self.pose;
        self.loads.delta = tick.delta;
        self.fresh = false;
        self.follow_frame();
        self.look_around(tick);
        self.couple(tick.colliders, rigids);
        self.collision.response.forget_rotation();
        self.look_at_itself(tick.delta);
        self.take_down_start();
        let demand = Demand { link_length: 1.0, ..Demand::default() };
        Some(Substeps::plan(tick.delta, self.settings.substeps, demand))
    }

    pub(super) fn step_of(&self, h: f32) -> Step {
        let gravity = self.gravity * self.settings.gravity_scale;
        Step { h, h_before: self.h_before, linear_damp: self.settings.linear_damp, gravity }
    }

    /// Moves all points on as they go, and those that are held to where they are held.
    pub(super) fn predict(&mut self, step: &Step, left: u32) {
        integrate::verlet(&mut self.points, step);
        let factor = step.acceleration_factor();
        for (i, force) in self.forces.iter().enumerate() {
            let moved = *force * self.points.inv_mass[i] * factor;
            self.points.move_to(i, self.points.position(i) + moved);
        }
        let limit = 1.001 * self.longest_move;
        for index in 0..self.pins.len() {
            let pin = self.pins[index];
            if pin.grip != Grip::Firm {
                continue;
            }
            let (at, target) = (self.points.position(pin.point), self.held_at(&pin));
            let way = (target - at) / left as f32;
            let next = if left > 1 { at + way.clamp_length_max(limit) } else { target };
            self.points.move_to(pin.point, next);
        }
    }

    /// Lets the triangles pull.
    fn pull(&mut self, step: &Step) {
        let h = step.h;
        let settings = self.settings;
        let pressure = settings.pressure * self.rest_area() / self.area().max(LEAST_SPACE * self.rest_area());
        let moduli = Moduli::of(&settings, pressure, self.burden(), self.hardened(), h);
        // The matrix knows the pressure at the area at rest: it would have to be made anew otherwise.
        let usual = Moduli { pressure: settings.pressure / LEAST_SPACE.sqrt(), ..moduli };
        let memory = MEMORY_RATE * settings.shape_memory;
        let memory = if self.untwists { memory.max(UNTWIST_RATE) } else { memory }.powi(2);
        self.systems.now_mut().prepare(h, &self.mesh, &self.material, &usual, &self.points.inv_mass, memory);
        let count = self.points.len();
        let room = &mut self.room;
        room.moved.clear();
        room.moved.resize(count, Vec2::ZERO);
        let whole = memory > 0.0 || self.inside_out > 0;
        if whole {
            self.orient_start();
        }
        let start_turn = self.turn;
        for _ in 0..MOST_STEPS {
            if whole {
                self.orient();
            }
            let middle = if memory > 0.0 { self.middle() } else { Vec2::ZERO };
            let turns = Turns { start: start_turn, now: self.turn };
            let room = &mut self.room;
            let points = &self.points;
            for forces in [&mut room.force_x, &mut room.force_y] {
                forces.clear();
                forces.resize(count, 0.0);
            }
            self.inside_out =
                self.material.pull(&moduli, h, turns, points, [&mut room.force_x, &mut room.force_y]) as u32;
            let masses = &self.material.masses()[..count];
            if memory > 0.0 {
                for (i, (rest, mass)) in self.rest.iter().zip(self.material.own_masses()).enumerate() {
                    let off = middle + self.turn.rotate(*rest) - points.position(i);
                    room.force_x[i] += off.x * mass * memory;
                    room.force_y[i] += off.y * mass * memory;
                }
            }
            let system = self.systems.now();
            room.rows.resize(count, DVec2::ZERO);
            for (i, &row) in system.rows().iter().enumerate() {
                let force = Vec2::new(room.force_x[i], room.force_y[i]) * (h * h) - room.moved[i] * masses[i];
                room.rows[row as usize] = if points.inv_mass[i] > 0.0 { force.as_dvec2() } else { DVec2::ZERO };
            }
            system.solve(&mut room.rows);
            let mut farthest = 0.0f32;
            for (i, &row) in system.rows().iter().enumerate() {
                let way = room.rows[row as usize].as_vec2();
                room.moved[i] += way;
                farthest = farthest.max(way.length_squared());
                self.points.x[i] += way.x;
                self.points.y[i] += way.y;
            }
            if farthest.sqrt() < ENOUGH * self.room.spacing {
                break;
            }
        }
    }

    /// The classic relaxation of the links, on top of the springs.
    fn relax(&mut self, step: &Step) {
        // Passes would hold it as it is twisted.
        if self.settings.iteration_count == 0 || self.untwists {
            return;
        }
        // What a hand holds is as if it were pinned, as long as the hand does not slip: the passes and the hand would pull at it in turns.
        for index in 0..self.pins.len() {
            if self.holds_firmly(index) {
                self.points.inv_mass[self.pins[index].point] = 0.0;
            }
        }
        // The same in every substep: a pass more in every fourth would shake what is held stretched, once a tick.
        let passes = self.settings.iteration_count as f32 * step.h * PASSES_RATE;
        for _ in 0..(passes + WHOLE_PASS_SLACK) as u32 {
            self.limit_links(|length, rest| length - rest);
        }
        let part = passes.fract();
        if part > WHOLE_PASS_SLACK && part < 1.0 - WHOLE_PASS_SLACK {
            self.limit_links(|length, rest| part * (length - rest));
        }
        for pin in self.pins.iter().filter(|pin| pin.grip != Grip::Firm) {
            self.points.inv_mass[pin.point] = 1.0 / self.material.masses()[pin.point];
        }
    }

    /// Keeps links from getting longer than they may, and stops what stretches them further. What is shortened is not thrown by that.
    fn limit_stretch(&mut self) {
        let most = self.settings.max_stretch;
        for _ in 0..MOST_LIMITS {
            if most <= 0.0 || self.stretch() <= (most - 1.0) + STRETCHES {
                break;
            }
            self.limit_links(|length, rest| (length - most * rest).max(0.0));
            self.stop_stretching(most);
        }
    }

    /// Takes from the ways of the points what stretches links that are as long as they may be.
    fn stop_stretching(&mut self, most: f32) {
        let SoftBody { points, mesh, rest, .. } = self;
        for link in &mesh.links {
            let (a, b) = (link.a as usize, link.b as usize);
            let way = points.position(b) - points.position(a);
            let weight = points.inv_mass[a] + points.inv_mass[b];
            let length = way.length();
            if length < (1.0 - STRETCHES) * most * rest[a].distance(rest[b]) || weight <= 0.0 {
                continue;
            }
            let along = way / length.max(f32::MIN_POSITIVE);
            let parts = (points.way(b) - points.way(a)).dot(along).max(0.0) / weight;
            points.set_way(a, points.way(a) + along * (parts * points.inv_mass[a]));
            points.set_way(b, points.way(b) - along * (parts * points.inv_mass[b]));
        }
    }

    /// Shortens every link by what `excess` says of its length and that at rest.
    fn limit_links(&mut self, excess: impl Fn(f32, f32) -> f32) {
        let SoftBody { points, mesh, rest, .. } = self;
        for link in &mesh.links {
            let (a, b) = (link.a as usize, link.b as usize);
            let way = points.position(b) - points.position(a);
            let length = way.length();
            let too_much = excess(length, rest[a].distance(rest[b]));
            let weight = points.inv_mass[a] + points.inv_mass[b];
            if too_much == 0.0 || weight <= 0.0 || length < f32::MIN_POSITIVE {
                continue;
            }
            let pull = way * (too_much / (length * weight));
            points.set_position(a, points.position(a) + pull * points.inv_mass[a]);
            points.set_position(b, points.position(b) - pull * points.inv_mass[b]);
        }
    }

    /// What its rotation as a whole is to be after the substep; None: it is held by more than one point.
    fn spin(&self) -> Option<Spin> {
        let mut held = (0..self.points.len()).filter(|&i| self.points.inv_mass[i] <= 0.0);
        let pivot = held.next();
        if held.next().is_some() {
            return None;
        }
        let points = &self.points;
        let at = |i: usize| points.position(i).as_dvec2();
        let start = |i: usize| DVec2::new(f64::from(points.start_x[i]), f64::from(points.start_y[i]));
        let middle = self.weighted(at);
        let (now, before) = match pivot {
            Some(i) => (at(i), start(i)),
            None => (middle, self.weighted(start)),
        };
        let masses = self.material.masses();
        let momentum =
            (0..points.len()).map(|i| f64::from(masses[i]) * (start(i) - before).perp_dot(at(i) - now)).sum();
        Some(Spin { pivot, momentum, middle })
    }

    /// The mean of what points have, by their masses.
    pub(super) fn weighted(&self, value: impl Fn(usize) -> DVec2) -> DVec2 {
        let (mut sum, mut mass) = (DVec2::ZERO, 0.0);
        for (i, &m) in self.material.masses().iter().enumerate() {
            sum += value(i) * f64::from(m);
            mass += f64::from(m);
        }
        sum / mass
    }

    /// Turns it as a whole so that it has the angular momentum that it had, and puts its middle where it was.
    fn give_back(&mut self, spin: &Spin) {
        let points = &self.points;
        let at = |i: usize| points.position(i).as_dvec2();
        let start = |i: usize| DVec2::new(f64::from(points.start_x[i]), f64::from(points.start_y[i]));
        let (now, before) = match spin.pivot {
            Some(i) => (at(i), start(i)),
            None => (self.weighted(at), self.weighted(start)),
        };
        let (mut momentum, mut inertia) = (0.0, 0.0);
        for (i, &mass) in self.material.masses().iter().enumerate() {
            let (from, to) = (start(i) - before, at(i) - now);
            momentum += f64::from(mass) * from.perp_dot(to);
            inertia += f64::from(mass) * from.dot(to);
        }
        if inertia <= f64::MIN_POSITIVE {
            return;
        }
        let turn = DVec2::from_angle(((spin.momentum - momentum) / inertia).clamp(-0.5, 0.5));
        let shift = if spin.pivot.is_some() { now } else { spin.middle };
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] > 0.0 {
                let place = shift + turn.rotate(self.points.position(i).as_dvec2() - now);
                self.points.set_position(i, place.as_vec2());
            }
        }
    }

    /// Takes back the rotation of a body that may not turn: where it is, and where it was at the start, so that no velocity comes of it.
    fn keep_upright(&mut self) {
        let mut held = (0..self.points.len()).filter(|&i| self.points.inv_mass[i] <= 0.0);
        let pivot = held.next();
        if held.next().is_some() {
            // What holds it decides how it is turned.
            return;
        }
        self.orient_start();
        let off = |turn: Vec2| turn.angle_to(self.lock).clamp(-MOST_UPRIGHT, MOST_UPRIGHT);
        let before = Vec2::from_angle(off(self.turn));
        let turn = self.orientation_of(|points, i| points.position(i));
        let now = Vec2::from_angle(off(turn));
        let points = &self.points;
        let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
        let (from, to) = match pivot {
            Some(i) => (start(i), points.position(i)),
            None => (self.weighted(|i| start(i).as_dvec2()).as_vec2(), self.middle()),
        };
        for i in 0..self.points.len() {
            if self.points.inv_mass[i] <= 0.0 {
                continue;
            }
            let at = self.points.position(i);
            self.points.set_position(i, to + now.rotate(at - to));
            let start = Vec2::new(self.points.start_x[i], self.points.start_y[i]);
            let start = from + before.rotate(start - from);
            (self.points.start_x[i], self.points.start_y[i]) = (start.x, start.y);
        }
        self.turn = now.rotate(turn);
    }

    /// Simulates a substep after its points have been moved on, but for what it touches.
    pub(super) fn settle(&mut self, step: &Step) {
        let spin = self.spin();
        self.pull(step);
        self.relax(step);
        if let Some(spin) = spin {
            self.give_back(&spin);
        }
        if self.settings.lock_rotation {
            self.keep_upright();
        }
        let most = MOST_SPEED * step.h;
        // What is held firmly as no shape can be would shake for ever.
        let jams = self.inside_out > 0 && !self.pins.is_empty() && !self.has_hands();
        let calms = self.untwists || jams;
        let kept = if calms { (-UNTWIST_DAMP * step.h).exp() } else { 1.0 };
        // What flies goes on.
        let goes_on = if calms && self.pressed.is_empty() {
            let start = |i: usize| DVec2::new(f64::from(self.points.start_x[i]), f64::from(self.points.start_y[i]));
            self.weighted(|i| self.points.position(i).as_dvec2() - start(i)).as_vec2() * (1.0 - kept)
        } else {
            Vec2::ZERO
        };
        for i in 0..self.points.len() {
            let start = Vec2::new(self.points.start_x[i], self.points.start_y[i]);
            let way = (self.points.position(i) - start).clamp_length_max(most);
            self.points.set_way(i, way * kept + goes_on);
            self.points.set_position(i, start + way);
        }
        self.limit_stretch();
        self.room.opened = false;
        self.open(step.h);
        self.unfold();
    }

    /// Ends a substep.
    pub(super) fn end_substep(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>) {
        self.open_again(step, span, colliders);
        self.come_to_a_halt(step.h);
        let most = MOST_SPEED * step.h;
        for i in 0..self.points.len() {
            let way = self.points.way(i);
            if way.length_squared() > most * most {
                self.points.set_way(i, way.clamp_length_max(most));
            }
        }
        if self.settings.plasticity > 0.0 {
            let points = &self.points;
            self.material.yield_to(self.settings.plasticity, step.h, |i| points.position(i));
        }
        self.h_before = step.h;
    }

    /// Ends a tick.
    pub(super) fn end_tick(&mut self, plan: &Substeps, colliders: Option<&Colliders>, rigids: &[Rigid]) {
        self.forces.clear();
        if !self.points.is_finite() {
            self.recoveries += 1;
            self.points = Default::default();
            self.lay();
            self.fresh = false;
        }
        self.orient();
        self.look_for_twists(plan.h * plan.count as f32);
        self.give_up(plan.h * plan.count as f32, colliders);
        self.note_floor();
        let holds_up = self.note_pushed(rigids);
        self.doze(plan.h * plan.count as f32, colliders, holds_up);
    }

    /// Counts the time at rest and falls asleep. It rests while it stays where it was when it began to: what touches corners may tremble, which nobody sees.
    fn doze(&mut self, time: f32, colliders: Option<&Colliders>, holds_up: bool) {
        let speed = if self.room.leans { LEAN_SPEED } else { REST_SPEED };
        let most = (speed * REST_TIME * 0.5).powi(2);
        let anchor = |i: usize| Vec2::new(self.anchor_x[i], self.anchor_y[i]);
        let held = |pin: &Pin| pin.grip == Grip::Firm && self.points.position(pin.point) != self.held_at(pin);
        let known = self.anchor_x.len() == self.points.len();
        let moving = !known
            // What lies on it would fall.
            || holds_up
            || (0..self.points.len()).any(|i| self.points.position(i).distance_squared(anchor(i)) > most)
            || self.pins.iter().any(held)
            || self.collision.lies_across();
        if moving {
            self.rest_time = 0.0;
            self.anchor_x.clone_from(&self.points.x);
            self.anchor_y.clone_from(&self.points.y);
            return;
        }
        self.rest_time += time;
        if self.rest_time >= REST_TIME {
            self.watch_twists();
            if self.untwists || !self.settings.can_sleep {
                self.rest_time = 0.0;
                return;
            }
            self.sleep();
            self.note_surroundings(colliders);
        }
    }
}
