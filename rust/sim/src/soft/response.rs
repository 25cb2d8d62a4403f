//! How a body answers to pushes at some of its points.
//!
//! A push at a point moves all others too: by the column of the inverse of the [system](super::system), and by turning the body as a whole. The latter is what the system
//! resists though nothing does: with `r` beside the middle, `rho = r - A^-1 M r` is the part of a rotation that it does not let happen. It is exactly what a push lacks in angular
//! momentum, so a push `p` at `r_c` adds the way `perp(rho_i) (rho_c x p) / sum(m_i r_i . rho_i)`. In a very soft body that is nothing, in a very stiff one
//! it is the rotation of a rigid body. A body that may not turn is projected onto what does not turn it: `P A^-1 P^T`.
//!
//! So what pushes move is a small dense matrix, and two ways to turn.

use super::SoftBody;
use super::system::System;
use glam::{DVec2, Vec2};

/// Pushes move nothing farther than so many times what they are asked for, and besides by so many px.
const FARTHER: f32 = 1.5;
const FREE: f32 = 0.05;
/// What has moved beside the middle by less than this in px is where it was.
const SAME: f64 = 0.05;
/// A point that is not among those that are pushed at.
const NOWHERE: u32 = u32::MAX;

/// How a place turns with the body: by which ways, and by how much of each for a push at it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lever {
    ways: [Vec2; 2],
    twists: [Vec2; 2],
}

impl Lever {
    /// A part of one and a part of another.
    fn mix(&self, share: f32, other: &Lever, rest: f32) -> Lever {
        let mix = |one: [Vec2; 2], other: [Vec2; 2]| [0, 1].map(|k| one[k] * share + other[k] * rest);
        Lever { ways: mix(self.ways, other.ways), twists: mix(self.twists, other.twists) }
    }

    /// How far along `direction` a push of 1 along it turns its own place.
    fn give(&self, direction: Vec2) -> f32 {
        (0..2).map(|k| self.ways[k].perp_dot(direction) * self.twists[k].perp_dot(direction)).sum()
    }
}

/// A place on a body: a point, or between two.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Its points, and how much of it each carries: 0 if it does not give way.
    pub points: [u32; 2],
    pub shares: [f32; 2],
    /// The same points among those that are pushed at.
    nodes: [u32; 2],
    lever: Lever,
    give: f32,
}

impl Place {
    /// A place whose points carry these shares of it.
    pub fn new(points: [u32; 2], shares: [f32; 2]) -> Place {
        Place { points, shares, ..Place::default() }
    }

    /// Whether it moves when it is pushed at.
    pub fn gives(&self) -> bool {
        self.shares != [0.0; 2]
    }

    /// How far a push of 1 along `direction` moves it that way.
    pub fn give(&self, direction: Vec2) -> f32 {
        self.give + self.lever.give(direction)
    }
}

/// See the [module](self). The rooms are kept from substep to substep.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    /// The points that are pushed at, in ascending order, and the place of each among them.
    points: Vec<u32>,
    places: Vec<u32>,
    /// How far each is moved by a push at each: a matrix.
    gives: Vec<f32>,
    levers: Vec<Lever>,
    rows: Vec<usize>,
    /// For which points, and which numbers of the system, that was filled.
    filled: Vec<u32>,
    filled_for: u64,
    /// The pushes that were found, in kg px, how they move the points in px, and turn the body.
    push_x: Vec<f32>,
    push_y: Vec<f32>,
    moved_x: Vec<f32>,
    moved_y: Vec<f32>,
    turned: [f32; 2],
    /// `rho` of every point, by row of the system, and the inertia that belongs to it; 0: it does not turn.
    rho: Vec<DVec2>,
    inertia: f64,
    /// Where every point is beside the middle, by row; nowhere if more than one is held.
    arms: Vec<DVec2>,
    /// What it weighs against turning if it may not, and what is left of that when the system has yielded.
    locked: [f64; 2],
    way: Vec<DVec2>,
    /// For which system that was taken down.
    known_for: [u64; 2],
}

impl Response {
    /// A tick begins: what is known of rotation does not outlast it, so that a saved body goes on alike.
    pub fn forget_rotation(&mut self) {
        self.arms.clear();
    }

    /// Begins anew: nothing is pushed at.
    pub fn begin(&mut self, count: usize) {
        self.points.clear();
        if self.places.len() != count {
            self.places.clear();
            self.places.resize(count, NOWHERE);
            self.filled.clear();
        }
        self.places.fill(NOWHERE);
    }

    /// A place will be pushed at.
    pub fn add(&mut self, place: &Place) {
        for (point, share) in place.points.into_iter().zip(place.shares) {
            if share != 0.0 && self.places[point as usize] == NOWHERE {
                self.places[point as usize] = 0;
                self.points.push(point);
            }
        }
    }

    /// All places were told: finds out how they move each other.
    pub fn fill(&mut self, system: &mut System) {
        self.points.sort_unstable();
        for (place, &point) in self.points.iter().enumerate() {
            self.places[point as usize] = place as u32;
        }
        let count = self.points.len();
        for numbers in [&mut self.push_x, &mut self.push_y, &mut self.moved_x, &mut self.moved_y] {
            numbers.clear();
            numbers.resize(count, 0.0);
        }
        self.turned = [0.0; 2];
        if self.filled != self.points || self.filled_for != system.version() {
            self.rows.clear();
            self.rows.extend(self.points.iter().map(|&point| system.row(point as usize)));
            system.learn(&self.rows);
            self.gives.clear();
            for &one in &self.rows {
                self.gives.extend(self.rows.iter().map(|&other| system.gives(one, other) as f32));
            }
            self.filled.clone_from(&self.points);
            self.filled_for = system.version();
        }
        self.fill_levers(system);
    }

    fn fill_levers(&mut self, system: &System) {
        let Response { points, levers, rho, arms, inertia, locked: [full, yields], .. } = self;
        levers.clear();
        levers.extend(points.iter().map(|&point| {
            let row = system.row(point as usize);
            let (rho, arm) = (rho[row], arms[row]);
            if *full > 0.0 {
                let left = (arm - rho) / *full - arm * (*yields / (*full * *full));
                Lever {
                    ways: [(-arm).as_vec2(), (rho - arm).as_vec2()],
                    twists: [left.as_vec2(), (arm / *full).as_vec2()],
                }
            } else if *inertia > 0.0 {
                Lever { ways: [rho.as_vec2(), Vec2::ZERO], twists: [(rho / *inertia).as_vec2(), Vec2::ZERO] }
            } else {
                Lever::default()
            }
        }));
    }

    /// Finds a place among those that are pushed at.
    pub fn resolve(&self, place: &mut Place) {
        let node = |k: usize| if place.shares[k] != 0.0 { self.places[place.points[k] as usize] } else { 0 };
        place.nodes = [node(0), node(1)];
        if !place.gives() {
            (place.lever, place.give) = (Lever::default(), 0.0);
            return;
        }
        let [one, two] = place.nodes.map(|node| node as usize);
        let [first, second] = place.shares;
        let count = self.points.len();
        place.lever = self.levers[one].mix(first, &self.levers[two], second);
        place.give = first * first * self.gives[one * count + one]
            + 2.0 * first * second * self.gives[one * count + two]
            + second * second * self.gives[two * count + two];
    }

    /// How far a place is moved by what was found.
    pub fn moved(&self, place: &Place) -> Vec2 {
        if !place.gives() {
            return Vec2::ZERO;
        }
        let [one, two] = place.nodes.map(|node| node as usize);
        let [first, second] = place.shares;
        let way = Vec2::new(
            self.moved_x[one] * first + self.moved_x[two] * second,
            self.moved_y[one] * first + self.moved_y[two] * second,
        );
        way + place.lever.ways[0].perp() * self.turned[0] + place.lever.ways[1].perp() * self.turned[1]
    }

    /// Pushes at a place.
    pub fn push(&mut self, place: &Place, push: Vec2) {
        let count = self.points.len();
        for (node, share) in place.nodes.into_iter().zip(place.shares) {
            if share == 0.0 {
                continue;
            }
            let node = node as usize;
            let push = push * share;
            self.push_x[node] += push.x;
            self.push_y[node] += push.y;
            let gives = &self.gives[node * count..(node + 1) * count];
            for ((x, y), give) in self.moved_x[..count].iter_mut().zip(&mut self.moved_y[..count]).zip(gives) {
                *x += push.x * give;
                *y += push.y * give;
            }
        }
        for (turned, twist) in self.turned.iter_mut().zip(place.lever.twists) {
            *turned += twist.perp_dot(push);
        }
    }

    /// Forgets the pushes that were found.
    pub fn forget(&mut self) {
        for numbers in [&mut self.push_x, &mut self.push_y, &mut self.moved_x, &mut self.moved_y] {
            numbers.fill(0.0);
        }
        self.turned = [0.0; 2];
    }
}

impl SoftBody {
    /// Whether it is still deformed and turned as when that was taken down, and nothing else has changed.
    fn knows_rotation(&self) -> bool {
        let Response { arms, known_for, .. } = &self.collision.response;
        let known = [self.systems.now().version(), u64::from(self.settings.lock_rotation)];
        if arms.len() != self.points.len() || *known_for != known || !self.pins.is_empty() {
            return false;
        }
        let middle = self.weighted(|i| self.points.position(i).as_dvec2());
        let rows = self.systems.now().rows();
        (0..self.points.len()).all(|i| {
            let arm = self.points.position(i).as_dvec2() - middle;
            arm.distance_squared(arms[rows[i] as usize]) < SAME * SAME
        })
    }

    /// Takes down the part of a rotation that the system resists, about the middle or the one point that is held.
    pub(super) fn learn_rotation(&mut self) {
        let mut held = (0..self.points.len()).filter(|&i| self.points.inv_mass[i] <= 0.0);
        let pivot = held.next();
        let more = held.next().is_some();
        let count = self.points.len();
        if self.knows_rotation() {
            return;
        }
        let response = &mut self.collision.response;
        response.known_for = [self.systems.now().version(), u64::from(self.settings.lock_rotation)];
        response.inertia = 0.0;
        response.locked = [0.0; 2];
        response.arms.clear();
        response.arms.resize(count, DVec2::ZERO);
        response.rho.clear();
        response.rho.resize(count, DVec2::ZERO);
        if more {
            return;
        }
        let points = &self.points;
        let at = |i: usize| points.position(i).as_dvec2();
        let center = pivot.map_or_else(|| self.weighted(at), at);
        let masses = self.material.masses();
        let rho = &mut self.collision.response.rho;
        let free = |i: usize| points.inv_mass[i] > 0.0;
        let rows = self.systems.now().rows();
        for i in (0..count).filter(|&i| free(i)) {
            rho[rows[i] as usize] = (at(i) - center) * f64::from(masses[i]);
        }
        self.systems.now().solve(rho);
        let arms = &mut self.collision.response.arms;
        let (mut inertia, mut full) = (0.0, 0.0);
        for i in 0..count {
            let row = rows[i] as usize;
            arms[row] = if free(i) { at(i) - center } else { DVec2::ZERO };
            rho[row] = arms[row] - rho[row];
            inertia += f64::from(masses[i]) * arms[row].dot(rho[row]);
            full += f64::from(masses[i]) * arms[row].length_squared();
        }
        let response = &mut self.collision.response;
        if self.settings.lock_rotation {
            response.locked = [full, full - inertia];
        } else {
            response.inertia = inertia;
        }
    }

    /// Moves all points by the pushes that were found, or changes their ways only; none by more than `most` px. Pushes move nothing farther than what asks for them: those
    /// that do contradict each other, as where something is crushed, and would throw it away.
    pub(super) fn apply_pushes(&mut self, ways_only: bool, most: f32) {
        let count = self.points.len();
        let Response { points, push_x, push_y, rho, inertia, arms, locked: [locked, _], way, .. } =
            &mut self.collision.response;
        let (inertia, locked) = (*inertia, *locked);
        let (system, masses) = (self.systems.now(), self.material.masses());
        way.clear();
        way.resize(count, DVec2::ZERO);
        let (mut twist, mut torque) = (0.0, 0.0);
        for (&point, (x, y)) in points.iter().zip(push_x.iter().zip(&*push_y)) {
            let (row, push) = (system.row(point as usize), Vec2::new(*x, *y).as_dvec2());
            way[row] += push;
            twist += rho[row].perp_dot(push);
            torque += arms[row].perp_dot(push);
        }
        if locked > 0.0 {
            for (i, &mass) in masses.iter().enumerate() {
                let row = system.row(i);
                way[row] -= arms[row].perp() * (f64::from(mass) * torque / locked);
            }
        }
        system.solve(way);
        let turned = |(i, &mass): (usize, &f32)| f64::from(mass) * arms[system.row(i)].perp_dot(way[system.row(i)]);
        let back = if locked > 0.0 { masses.iter().enumerate().map(turned).sum::<f64>() / locked } else { 0.0 };
        let turn = if inertia > 0.0 { twist / inertia } else { 0.0 };
        let mut farthest = 0.0f64;
        for i in (0..count).filter(|&i| self.points.inv_mass[i] > 0.0) {
            let row = system.row(i);
            way[row] += rho[row].perp() * turn;
            if locked > 0.0 {
                way[row] -= arms[row].perp() * back;
            }
            farthest = farthest.max(way[row].length_squared());
        }
        let part = part_of(farthest.sqrt() as f32, most);
        for i in 0..count {
            let way = way[system.row(i)].as_vec2() * part;
            if self.points.inv_mass[i] <= 0.0 || !way.is_finite() {
                continue;
            }
            if ways_only {
                self.points.set_way(i, self.points.way(i) + way);
            } else {
                self.points.move_to(i, self.points.position(i) + way);
            }
        }
    }
}

/// What part of a way is gone that is to be `most` px long at most, about.
pub(super) fn part_of(length: f32, most: f32) -> f32 {
    let most = FARTHER * most + FREE;
    if length > most { most / length } else { 1.0 }
}
