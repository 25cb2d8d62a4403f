//! Opening triangles that are turned inside out.
//!
//! Elasticity alone brings most of them back, but not at once, and not in a body that is much too soft for what it has run into. So they are opened by steps of a
//! system of their own, far stiffer than what a substep follows. Points get no velocity by that, since the energy would come from nothing: tried before as a force, it
//! blew bodies up. What then is still inside out is drawn towards the middle of its neighbours, which untangles any mesh inside of its outline (W. Tutte 1963).

use super::SoftBody;
use super::material::Moduli;
use super::step::REST_TIME;
use super::system::by_row;
use crate::collide::Colliders;
use crate::contact::meet::Span;
use crate::integrate::Step;
use glam::Vec2;

/// Triangles that are inside out are opened so much more firmly than what a substep follows.
const OPENING: f32 = 10.0;
/// What is pressed against something is opened towards the other side: it is as heavy as that.
const PRESSED: f32 = 100.0;
/// In how many steps a substep at most.
const MOST_OPENINGS: usize = 8;
/// Farther than this in px it is not opened into something.
const TOO_DEEP: f32 = 0.5;
/// A stiffness above this multiple of its burden carries a body.
const CARRIES: f32 = 1.5;
/// The part of the way to the middle of its neighbours that a point goes in a substep.
const UNTANGLES: f32 = 0.5;

/// So often it is looked for twists, in seconds.
const WATCH_TIME: f32 = 0.25;
/// It is untwisted when its points are so near to its shape.
const UNTWISTED: f32 = 0.1;
/// The angular frequency with which it is drawn there, in 1/s.
pub(super) const UNTWIST_RATE: f32 = 60.0;
/// How fast its motion dies down meanwhile, in 1/s: it is to come back, not to fly.
pub(super) const UNTWIST_DAMP: f32 = 90.0;

impl SoftBody {
    /// Opens triangles that are inside out, and stops what closes them. They get no velocity by opening: it would come from nothing.
    pub(super) fn open(&mut self, h: f32) {
        if self.settings.area_stiffness <= 0.0 || self.inside_out == 0 {
            return;
        }
        self.room.opened = true;
        let count = self.points.len();
        let modulus = OPENING * self.material.mass() / (count as f32 * h * h);
        let moduli = Moduli { area: modulus, ..Moduli::default() };
        let (system, masses) = (self.systems.opening(), &mut self.room.masses);
        masses.clear();
        masses.extend_from_slice(self.material.masses());
        for &i in &self.pressed {
            let i = i as usize;
            masses[i] = self.material.masses()[i] * PRESSED;
        }
        let masses = masses.iter().copied();
        system.prepare_with(h, &self.mesh, &self.material, &moduli, &self.points.inv_mass, 0.0, masses);
        self.material.stop_closing(&mut self.points);
        for _ in 0..MOST_OPENINGS {
            let (room, points) = (&mut self.room, &self.points);
            room.forces.clear();
            room.forces.resize(count, Vec2::ZERO);
            let flat = self.material.open(modulus * h * h, self.turn, |i| points.position(i), &mut room.forces);
            if flat == 0 {
                return;
            }
            for (force, inv_mass) in room.forces.iter_mut().zip(&points.inv_mass) {
                *force = if *inv_mass > 0.0 { *force } else { Vec2::ZERO };
            }
            let system = self.systems.opened();
            by_row(system.rows(), &room.forces, &mut room.rows);
            system.solve(&mut room.rows);
            for i in 0..count {
                let way = room.rows[system.row(i)].as_vec2();
                self.points.x[i] += way.x;
                self.points.y[i] += way.y;
            }
        }
        self.untangle();
    }

    /// What pushes at it may turn inside out what has just been opened. It is opened once more then, and comes out of what it touches, and ends opened, unless
    /// that puts it into something. What is held may be forced to be as it is.
    pub(super) fn open_again(&mut self, step: &Step, span: Span, colliders: Option<&Colliders>) {
        if self.settings.area_stiffness <= 0.0 || self.pressed.is_empty() || !self.pins.is_empty() {
            return;
        }
        self.inside_out = self.material.inside_out(&self.points);
        if self.inside_out > 0 {
            // What gives way was solved for with it: by itself the body would push as hard as at a wall, and go on with that.
            self.room.spares = true;
            let mut ways = std::mem::take(&mut self.room.ways);
            ways.clear();
            ways.extend((0..self.points.len()).map(|i| self.points.way(i)));
            self.open(step.h);
            self.touch(step, span, colliders);
            self.inside_out = self.material.inside_out(&self.points);
            self.open(step.h);
            if self.inside_out > 0 && self.depth(span, colliders) > TOO_DEEP {
                self.touch(step, span, colliders);
            }
            self.room.spares = false;
            ways.iter().enumerate().for_each(|(i, way)| self.points.set_way(i, *way));
            self.room.ways = ways;
        }
    }

    /// Draws what is still inside out towards the middle of its neighbours: points inside, and those of the outline a little.
    fn untangle(&mut self) {
        let count = self.points.len();
        let flags = &mut self.room.flags;
        flags.clear();
        flags.resize(count, false);
        for triangle in 0..self.mesh.triangles.len() {
            if self.is_inverted(triangle) {
                self.mesh.triangles[triangle].iter().for_each(|&i| self.room.flags[i as usize] = true);
            }
        }
        let (room, points) = (&mut self.room, &self.points);
        room.forces.clear();
        room.forces.resize(count, Vec2::ZERO);
        room.moved.clear();
        room.moved.resize(count, Vec2::ZERO);
        for &[i, j] in self.systems.now().edges() {
            let (i, j) = (i as usize, j as usize);
            for (i, j) in [(i, j), (j, i)] {
                room.forces[i] += points.position(j) - points.position(i);
                room.moved[i].x += 1.0;
            }
        }
        for i in 0..count {
            if room.flags[i] && self.points.inv_mass[i] > 0.0 {
                let way = room.forces[i] * (UNTANGLES / room.moved[i].x.max(1.0));
                self.points.x[i] += way.x;
                self.points.y[i] += way.y;
            }
        }
    }

    /// Looks for twists now and then, and whether it is rid of them.
    pub(super) fn look_for_twists(&mut self, time: f32) {
        self.unwatched += time;
        if self.untwists {
            self.watch_twists();
        } else if self.unwatched >= WATCH_TIME && self.settings.stiffness > 0.0 && self.is_twisted() {
            (self.untwists, self.rest_time) = (true, 0.0);
            self.systems.outdate();
        }
        if self.unwatched >= WATCH_TIME {
            self.unwatched = 0.0;
        }
    }

    /// Notices, while it hardly moves, when it is twisted: no triangle is inside out, but they wind twice around a point; or, without `area_stiffness`,
    /// some are inside out. It never gets out of that by itself, and is
    /// drawn to its shape as a whole until it has.
    pub(super) fn watch_twists(&mut self) {
        // What cannot even carry itself lies as it likes.
        let carries = self.settings.stiffness > CARRIES * self.burden();
        let twisted = self.is_twisted() || (carries && self.inside_out > 0);
        let done = self.off_shape() < UNTWISTED || self.rest_time >= REST_TIME;
        if twisted != self.untwists && (twisted || done) {
            self.untwists = twisted;
            self.systems.outdate();
        }
    }

    /// Whether triangles wind more than once around any point inside.
    fn is_twisted(&mut self) -> bool {
        let count = self.points.len();
        let angles = &mut self.room.forces;
        angles.clear();
        angles.resize(count, Vec2::ZERO);
        for triangle in &self.mesh.triangles {
            for k in 0..3 {
                let [i, j, l] = [0, 1, 2].map(|step| triangle[(k + step) % 3] as usize);
                let (to, from) = (self.points.position(j), self.points.position(l));
                let at = self.points.position(i);
                let angle = (to - at).angle_to(from - at);
                angles[i].x += if angle.is_finite() { angle } else { 0.0 };
            }
        }
        // Around those of the outline they do not close.
        self.mesh.outline.iter().for_each(|&i| angles[i as usize].x = 0.0);
        angles.iter().any(|angle| angle.x.abs() > 1.5 * std::f32::consts::TAU)
    }

    /// How far its points are from its rest shape, root mean square, as a part of its size.
    fn off_shape(&self) -> f32 {
        let middle = self.middle();
        let off =
            |(i, rest): (usize, &Vec2)| (middle + self.turn.rotate(*rest)).distance_squared(self.points.position(i));
        let mean = self.rest.iter().enumerate().map(off).sum::<f32>() / self.rest.len() as f32;
        (mean / self.rest_area()).sqrt()
    }
}
