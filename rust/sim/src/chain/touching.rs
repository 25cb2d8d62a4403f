//! The direct solver of a chain that touches something: lengths and contacts in one system.
//!
//! Solved in turns, a taut rope and the corner round which it runs would wait for each other for ever: what the contact pushes out, the
//! lengths take back. So both are solved for at once. A point that lies on a surface is put on it, and from then on moves along it only: its
//! mass towards the surface is infinite, and the system of the links stays tridiagonal. Only a piece that runs over a corner, and a second
//! contact of a point, get rows of their own; they concern one or two neighbouring points, stand between those of the links beside them, and
//! the system stays nearly as narrow ([`super::envelope`]).
//!
//! Which contacts push is found by trying (an active set): those that did in the last substep; then those that pull are let go, and those that
//! are violated are taken in, until none is either.

use super::envelope::Envelope;
use super::{Along, Begun, ChainSolver, LEAST_COSINE, TAUT, TOLERANCE, fastest, follow, largest, measure, straighten};
use crate::contact::{Contact, SLOP};
use crate::points::{Points, lane_fold};
use glam::Vec2;

/// Rounds of finding out which contacts push; in the last of them none is let go.
const ROUNDS: usize = 10;
const LETTING_GO: usize = 5;
/// The most Newton steps.
const MOST_STEPS: usize = 40;
/// What may be missing of convergence after the last, as a part of a link's length.
const GOOD_ENOUGH: f32 = 5e-3;
/// How much of an active contact's gap may be left, in px.
const NEAR_ENOUGH: f32 = 0.002;
/// Below this in px a contact's pull is rounding.
const ROUNDING: f32 = 1e-5;
/// Passes of relaxation when all else fails.
const PASSES: usize = 40;

/// In relaxation no point is heavier than the lightest one over this: passes along the chain would not lift a load of a hundred times that.
const EVEN: f32 = 0.1;

/// No contact.
const NONE: usize = usize::MAX;

/// After so many substeps without a solution a chain counts as pinched.
const PINCHED: u32 = 16;
/// How much faster than before, or than what it touches, a chain may get that had to be projected.
const TAMED: f32 = 1.5;
/// How much of its speed a pinched rope keeps in a substep.
const CRUSHED: f32 = 0.5;

/// A row of the system: a link or a contact.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// The first point that it concerns, and whether it concerns the next too.
    point: usize,
    pair: bool,
    /// How what is too much falls when the points move.
    by: [Vec2; 2],
    /// How a pull of 1 moves the points, but for their masses.
    moves: [Vec2; 2],
    /// What is too much, in px.
    excess: f32,
    /// How far what is touched gives way: an inverse mass in 1/kg.
    give: f32,
    /// The link or the contact.
    of: Of,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Link(usize),
    Contact(usize),
}

impl Default for Of {
    fn default() -> Self {
        Of::Link(0)
    }
}

/// How Newton's method ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ended {
    /// All lengths are kept and all active contacts touch.
    Solved,
    /// Some contacts pulled and were let go: it has to be tried again without them.
    LetGo,
    /// It did not converge.
    Lost,
}

/// Rooms that are kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Touching {
    rows: Vec<Row>,
    system: Envelope,
    /// The contact along whose surface each point moves, and its normal; [`NONE`] and 0 without.
    surfaces: Vec<usize>,
    normals: Vec<Vec2>,
    /// What pulls at each point, for a mass of 1.
    forces: Vec<Vec2>,
    /// Links that have no say: between held points, or in a span that is held straight.
    idle: Vec<bool>,
    /// The real masses, while others stand in for them.
    inv_mass: Vec<f32>,
    may_let_go: bool,
    /// The last solve found no solution.
    unsolved: bool,
    /// How many substeps on end could not be solved.
    lost: u32,
    /// The last substep was solved by projection.
    projected: bool,
    most_steps: usize,
    /// All active contacts are mere surfaces, and every link has a say.
    narrow: bool,
}

impl ChainSolver {
    /// The same as [`ChainSolver::solve`] for a chain with contacts, in the order of the points. They learn how hard they push.
    pub fn solve_touching(
        &mut self,
        points: &mut Points,
        lengths: &[f32],
        spans: &[(usize, usize)],
        contacts: &mut [Contact],
    ) {
        let known = std::mem::replace(&mut self.known, false);
        self.stiffness = [0.0; 2];
        self.stretched = false;
        self.begin_responses();
        let last = lengths.len();
        let mut touching = std::mem::take(&mut self.touching);
        self.hold_straight(points, lengths, spans, &mut touching.idle);
        self.save(points, 0..=last);
        let mut solved = false;
        // What has been pinched for long most likely still is: no more work than needed, but for a look now and then.
        let pinched = touching.lost > PINCHED && !touching.lost.is_multiple_of(PINCHED);
        let (rounds, steps) = if pinched { (3, 12) } else { (ROUNDS, MOST_STEPS) };
        touching.most_steps = steps;
        for round in 0..rounds {
            if round > 0 {
                self.restore(points, 0..=last);
            }
            touching.may_let_go = round < LETTING_GO;
            let start = Along::Start(Begun { known: known && round == 0, smoothings: 0 });
            let mut ended = self.newton_touching(points, lengths, contacts, start, &mut touching);
            touching.projected = ended == Ended::Lost;
            if touching.projected {
                self.report.projected += 1;
                self.restore(points, 0..=last);
                ended = self.newton_touching(points, lengths, contacts, Along::Now, &mut touching);
            }
            solved = ended == Ended::Solved && !take_in(points, contacts);
            if solved || ended == Ended::Lost {
                break;
            }
        }
        if !solved {
            self.report.followed += 1;
            self.restore(points, 0..=last);
            self.pulls.fill(0.0);
            touching.inv_mass.clone_from(&points.inv_mass);
            let lightest = lane_fold(&points.inv_mass, 0.0, f32::max);
            for inv_mass in points.inv_mass.iter_mut().filter(|inv_mass| **inv_mass > 0.0) {
                *inv_mass = inv_mass.max(EVEN * lightest);
            }
            // What gives way has gone back.
            contacts.iter_mut().filter(|contact| contact.give[0] > 0.0).for_each(|contact| contact.push = 0.0);
            relax(points, lengths, contacts, &mut self.pulls);
            points.inv_mass.clone_from(&touching.inv_mass);
        }
        if !solved || touching.lost > 0 {
            // What comes back into shape after it was pinched is not thrown by that.
            follow::take_speed(points, lengths, 0, self.fastest_saved(last));
        }
        if solved && touching.projected {
            // What gives way all at once, as a column that buckles, has not got its speed from anything.
            let drift = contacts.iter().map(|contact| contact.drift.length()).fold(0.0, f32::max);
            tame(points, TAMED * (self.fastest_saved(last) + drift));
        }
        if !solved {
            crush(points, contacts);
        }
        self.respond_touching(&mut touching, solved);
        touching.unsolved = !solved;
        self.known = solved;
        self.touching = touching;
    }

    /// The longest way of any point up to `last` in this substep before solving.
    fn fastest_saved(&self, last: usize) -> f32 {
        let [_, _, x, y] = &self.saved;
        let way = |(x, y): (&f32, &f32)| x.hypot(*y);
        x[..=last].iter().zip(&y[..=last]).map(way).fold(0.0, f32::max)
    }

    /// Says that a substep is over: counts those on end whose last solve found no solution.
    pub fn end_substep(&mut self) {
        let unsolved = std::mem::take(&mut self.touching.unsolved);
        self.touching.lost = if unsolved { self.touching.lost.saturating_add(1) } else { 0 };
    }

    /// Whether no solution has been found for long: the chain is pinched.
    pub fn is_pinched(&self) -> bool {
        self.touching.lost > PINCHED
    }

    /// Finds the links that have no say, and lays what is held straight on its line.
    fn hold_straight(&self, points: &mut Points, lengths: &[f32], spans: &[(usize, usize)], idle: &mut Vec<bool>) {
        idle.clear();
        idle.extend((0..lengths.len()).map(|k| points.inv_mass[k] + points.inv_mass[k + 1] <= 0.0));
        for &(first, last) in spans {
            if points.inv_mass[first] > 0.0 || points.inv_mass[last] > 0.0 || last <= first + 1 {
                continue;
            }
            let reach: f32 = lengths[first..last].iter().sum();
            if points.position(first).distance(points.position(last)) >= reach * TAUT {
                let fastest = fastest(points, first..=last);
                straighten(points, &lengths[first..last], first, last);
                follow::take_speed(points, &lengths[first..last], first, fastest);
                idle[first..last].fill(true);
            }
        }
    }

    /// Newton's method for the links and the active contacts.
    fn newton_touching(
        &mut self,
        points: &mut Points,
        lengths: &[f32],
        contacts: &mut [Contact],
        along: Along,
        touching: &mut Touching,
    ) -> Ended {
        let links = lengths.len();
        let from_start = along != Along::Now;
        let known = matches!(along, Along::Start(Begun { known: true, .. }));
        let shortest = lengths.iter().copied().fold(f32::INFINITY, f32::min);
        let far = points.position(0).abs().max_element() + shortest * links as f32;
        let tolerance = TOLERANCE.max(f32::EPSILON * far / shortest);
        let near_enough = NEAR_ENOUGH.max(2.0 * f32::EPSILON * far);
        self.pulls.fill(0.0);
        for contact in &mut *contacts {
            contact.push = 0.0;
        }
        touching.make_room(links + 1);
        if from_start {
            if known {
                self.along_x[..links].copy_from_slice(&self.now_x[..links]);
                self.along_y[..links].copy_from_slice(&self.now_y[..links]);
            } else {
                let start = [&points.start_x[..], &points.start_y[..]];
                measure(start, lengths, [&mut self.along_x, &mut self.along_y], &mut self.excess);
                silence(&mut self.excess, &touching.idle);
                // Where the lengths were not kept before, the directions then say nothing.
                if largest(&self.excess[..links]) > 0.5 * shortest {
                    return Ended::Lost;
                }
            }
        }
        let mut error_before = f32::INFINITY;
        let most_steps = touching.most_steps;
        for step in 0..=most_steps {
            let mut gap = 0.0f32;
            for contact in contacts.iter_mut().filter(|contact| contact.active) {
                contact.measure(&points.x, &points.y);
                gap = gap.max(contact.gap.abs());
            }
            if step > 0 && touching.may_let_go && let_go(points, contacts) {
                return Ended::LetGo;
            }
            if gap > if step > 0 { near_enough } else { 0.0 } {
                touching.lie(points, contacts);
            }
            measure([&points.x, &points.y], lengths, [&mut self.now_x, &mut self.now_y], &mut self.excess);
            silence(&mut self.excess, &touching.idle);
            let mut error = largest(&self.excess[..links]) / shortest;
            if error <= tolerance && gap <= near_enough && step > 0 {
                return Ended::Solved;
            }
            error = error.max(gap / shortest);
            if step == most_steps && error <= GOOD_ENOUGH {
                return Ended::Solved;
            }
            if step == most_steps || !error.is_finite() || (from_start && error > error_before) {
                return Ended::Lost;
            }
            error_before = error;
            if !from_start {
                self.along_x[..links].copy_from_slice(&self.now_x[..links]);
                self.along_y[..links].copy_from_slice(&self.now_y[..links]);
            }
            if from_start && self.turned(links) {
                return Ended::Lost;
            }
            self.report.newton_steps += 1;
            let inv_mass = &points.inv_mass[..=links];
            touching.forces.fill(Vec2::ZERO);
            let strongest;
            if touching.narrow {
                let (now, along) =
                    ([&self.now_x[..links], &self.now_y[..links]], [&self.along_x[..links], &self.along_y[..links]]);
                self.system.fill_held(inv_mass, now, along, &touching.normals);
                let Some(pulls) = self.system.solve(&self.excess[..links]) else {
                    return Ended::Lost;
                };
                strongest = largest(pulls);
                for (k, &pull) in pulls.iter().enumerate() {
                    let force = Vec2::new(self.along_x[k], self.along_y[k]) * pull;
                    touching.forces[k] += force;
                    touching.forces[k + 1] -= force;
                }
                let part = if from_start { 1.0 } else { touching.bound(inv_mass, shortest) };
                self.pulls[..links].iter_mut().zip(pulls).for_each(|(sum, pull)| *sum += part * pull);
                touching.apply(points, contacts, part);
            } else {
                self.fill(links, contacts, inv_mass, touching);
                let Touching { rows, system, forces, .. } = &mut *touching;
                let solution = system.solve(rows.iter().map(|row| row.excess));
                let mut most = 0.0f32;
                for (row, &pull) in rows.iter().zip(solution) {
                    if let Of::Link(_) = row.of {
                        most = most.max(pull.abs());
                    }
                    forces[row.point] += row.moves[0] * pull;
                    if row.pair {
                        forces[row.point + 1] += row.moves[1] * pull;
                    }
                }
                strongest = most;
                let part = if from_start { 1.0 } else { touching.bound(inv_mass, shortest) };
                for (row, &pull) in touching.rows.iter().zip(touching.system.solution()) {
                    match row.of {
                        Of::Link(k) => self.pulls[k] += part * pull,
                        Of::Contact(c) => contacts[c].push += part * pull,
                    }
                }
                touching.apply(points, contacts, part);
            }
            if step == 0 {
                let lightest = lane_fold(&points.inv_mass, 0.0, f32::max);
                self.stiffness[0] = self.stiffness[0].max(strongest * lightest / shortest);
            }
        }
        Ended::Lost
    }

    /// Whether a link has turned too far for its direction at the start.
    fn turned(&self, links: usize) -> bool {
        let cosine = |k: usize| self.now_x[k] * self.along_x[k] + self.now_y[k] * self.along_y[k];
        (0..links).map(cosine).fold(f32::INFINITY, f32::min) < LEAST_COSINE
    }

    /// Builds the system of the links and of all contacts that are no mere surfaces.
    fn fill(&self, links: usize, contacts: &[Contact], inv_mass: &[f32], room: &mut Touching) {
        let Touching { rows, system, idle, surfaces, normals, .. } = room;
        rows.clear();
        system.clear();
        let mut next = 0;
        // Where the rows begin that the point before shares with this one.
        let mut shared = 0;
        for k in 0..=links {
            let begin = rows.len();
            while next < contacts.len() && contacts[next].point == k {
                let contact = &contacts[next];
                if contact.active && surfaces[k] != next {
                    let moves = contact.shares().map(|share| contact.normal * share);
                    let by = moves.map(|moves| -moves);
                    let (pair, of) = (contact.between, Of::Contact(next));
                    rows.push(Row { point: k, pair, by, moves, excess: -contact.gap, give: contact.give[0], of });
                }
                next += 1;
            }
            if k < links && !idle[k] {
                let now = Vec2::new(self.now_x[k], self.now_y[k]);
                let along = Vec2::new(self.along_x[k], self.along_y[k]);
                let (by, moves, excess) = ([-now, now], [along, -along], self.excess[k]);
                rows.push(Row { point: k, pair: true, by, moves, excess, give: 0.0, of: Of::Link(k) });
            }
            for i in begin..rows.len() {
                let row = rows[i];
                let (diagonal, _) = coupling(&row, &row, inv_mass, normals);
                system.push(shared, diagonal + row.give, |j| coupling(&row, &rows[j], inv_mass, normals));
            }
            shared = begin + rows[begin..].iter().position(|row| row.pair).unwrap_or(rows.len() - begin);
        }
    }
}

impl Touching {
    /// Makes room for so many points, none of them on a surface.
    fn make_room(&mut self, count: usize) {
        self.surfaces.clear();
        self.surfaces.resize(count, NONE);
        self.normals.clear();
        self.normals.resize(count, Vec2::ZERO);
        self.forces.resize(count, Vec2::ZERO);
        self.narrow = !self.idle.contains(&true);
    }

    /// Whether the last system was that of a chain whose points move along surfaces, and nothing else.
    pub(super) fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// How the links and the rows of contacts pull more if a link is 1 px too long, by the last system.
    pub(super) fn answer(&mut self, link: usize, pulls: &mut [f32], pushes: &mut Vec<f32>) {
        pushes.clear();
        let Some(row) = self.rows.iter().position(|row| matches!(row.of, Of::Link(of) if of == link)) else { return };
        for (row, &pull) in self.rows.iter().zip(self.system.solve_unit(row)) {
            match row.of {
                Of::Link(k) => pulls[k] = pull,
                Of::Contact(_) => pushes.push(pull),
            }
        }
    }

    /// Lets the links pull `more`, and the rows of contacts so many times what `pushes` say, and moves the points.
    pub(super) fn correct<'a>(
        &mut self,
        points: &mut Points,
        contacts: &mut [Contact],
        more: &[f32],
        along: [&[f32]; 2],
        pushes: impl Iterator<Item = (&'a [f32], &'a f32)>,
    ) {
        self.forces.fill(Vec2::ZERO);
        for (k, &pull) in more.iter().enumerate() {
            let force = Vec2::new(along[0][k], along[1][k]) * pull;
            self.forces[k] += force;
            self.forces[k + 1] -= force;
        }
        for (pushes, &times) in pushes {
            let rows =
                self.rows.iter().filter_map(|row| if let Of::Contact(c) = row.of { Some((row, c)) } else { None });
            for ((row, c), &push) in rows.zip(pushes) {
                contacts[c].push += times * push;
                self.forces[row.point] += row.moves[0] * (times * push);
                if row.pair {
                    self.forces[row.point + 1] += row.moves[1] * (times * push);
                }
            }
        }
        self.apply(points, contacts, 1.0);
    }

    /// Puts each point on the first surface that it touches; from then on it moves along it.
    fn lie(&mut self, points: &mut Points, contacts: &mut [Contact]) {
        self.make_room(points.len());
        for (index, contact) in contacts.iter_mut().enumerate().filter(|(_, contact)| contact.active) {
            let i = contact.point;
            let inv_mass = points.inv_mass[i];
            if contact.between || self.surfaces[i] != NONE || inv_mass <= 0.0 || contact.give[0] > 0.0 {
                self.narrow = false;
                continue;
            }
            self.surfaces[i] = index;
            self.normals[i] = contact.normal;
            points.move_to(i, points.position(i) - contact.normal * contact.gap);
            contact.push -= contact.gap / inv_mass;
        }
    }

    /// The part of a solution that moves no point farther than a link's length: beyond it the linearisation means nothing.
    fn bound(&self, inv_mass: &[f32], shortest: f32) -> f32 {
        let way = |i: usize| {
            let force = self.forces[i];
            (force - self.normals[i] * self.normals[i].dot(force)).length() * inv_mass[i]
        };
        let longest = (0..inv_mass.len()).map(way).fold(0.0, f32::max);
        if longest > shortest { shortest / longest } else { 1.0 }
    }

    /// Moves the points by a part of what pulls at them, as far as their surfaces let them; what is left is how hard these are pushed.
    fn apply(&self, points: &mut Points, contacts: &mut [Contact], part: f32) {
        for i in 0..points.len() {
            let mut force = self.forces[i] * part;
            if self.surfaces[i] != NONE {
                let normal = self.normals[i];
                let into = normal.dot(force);
                contacts[self.surfaces[i]].push -= into;
                force -= normal * into;
            }
            let way = force * points.inv_mass[i];
            points.x[i] += way.x;
            points.y[i] += way.y;
            points.way_x[i] += way.x;
            points.way_y[i] += way.y;
        }
    }
}

/// How a pull of a row changes what is too much of another, and the other way round; `one` is not before `other`.
fn coupling(one: &Row, other: &Row, inv_mass: &[f32], normals: &[Vec2]) -> (f32, f32) {
    // A point moves along its surface only.
    let moved =
        |i: usize, by: Vec2, moves: Vec2| inv_mass[i] * (by.dot(moves) - by.dot(normals[i]) * normals[i].dot(moves));
    let i = one.point;
    if i == other.point {
        let (mut below, mut above) = (moved(i, one.by[0], other.moves[0]), moved(i, other.by[0], one.moves[0]));
        if one.pair && other.pair {
            below += moved(i + 1, one.by[1], other.moves[1]);
            above += moved(i + 1, other.by[1], one.moves[1]);
        }
        (-below, -above)
    } else {
        // The other is of the point before, and a pair.
        (-moved(i, one.by[0], other.moves[1]), -moved(i, other.by[1], one.moves[0]))
    }
}

/// Links that have no say are never too long.
fn silence(excess: &mut [f32], idle: &[bool]) {
    for (excess, _) in excess.iter_mut().zip(idle).filter(|(_, idle)| **idle) {
        *excess = 0.0;
    }
}

/// Lets contacts go that pull; true if there were any.
fn let_go(points: &Points, contacts: &mut [Contact]) -> bool {
    let mut any = false;
    for contact in contacts.iter_mut().filter(|contact| contact.active) {
        if contact.push * (contact.inv_mass(&points.inv_mass) + contact.give[0]) < -ROUNDING {
            contact.active = false;
            any = true;
        }
    }
    any
}

/// Takes contacts in that are violated; true if there were any.
fn take_in(points: &Points, contacts: &mut [Contact]) -> bool {
    let mut any = false;
    for contact in contacts.iter_mut().filter(|contact| !contact.active) {
        contact.measure(&points.x, &points.y);
        if contact.gap < -SLOP {
            contact.active = true;
            any = true;
        }
    }
    any
}

/// Lengths and contacts in turns, contacts last: where both cannot be had, the chain is stretched, and nothing is pierced.
pub fn relax(points: &mut Points, lengths: &[f32], contacts: &mut [Contact], pulls: &mut [f32]) {
    for _ in 0..PASSES {
        crate::relax::pass(points, lengths, pulls);
        push_out(points, contacts);
    }
}

/// Lets no point go a longer way in the next substep than `most`.
fn tame(points: &mut Points, most: f32) {
    for i in 0..points.len() {
        let way = points.way(i);
        if points.inv_mass[i] > 0.0 && way.length_squared() > most * most {
            points.set_way(i, way.clamp_length_max(most));
        }
    }
}

/// Takes the speed of what could not be solved where it touches, and a part of it elsewhere: it is pinched, and would shiver.
fn crush(points: &mut Points, contacts: &[Contact]) {
    for way in points.way_x.iter_mut().chain(&mut points.way_y) {
        *way *= CRUSHED;
    }
    for contact in contacts.iter().filter(|contact| contact.active) {
        points.set_way(contact.point, Vec2::ZERO);
        if contact.between {
            points.set_way(contact.point + 1, Vec2::ZERO);
        }
    }
}

/// Pushes all contacts out once, as far as they are too deep.
pub fn push_out(points: &mut Points, contacts: &mut [Contact]) {
    for contact in contacts {
        contact.measure(&points.x, &points.y);
        let inv_mass = contact.inv_mass(&points.inv_mass) + contact.give[0];
        contact.active |= contact.gap < 0.0;
        if contact.gap < 0.0 && inv_mass > 0.0 {
            let push = -contact.gap / inv_mass;
            contact.push += push;
            contact.shove(points, contact.normal, push);
        }
    }
}
