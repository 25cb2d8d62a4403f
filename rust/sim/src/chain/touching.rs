//! The direct solver of a chain that touches something: lengths and contacts in one system.
//!
//! Solved in turns, a taut rope and the corner round which it runs would wait for each other for ever: what the contact pushes out, the
//! lengths take back. A contact concerns one or two neighbouring points, so its row stands between those of the links beside it, and the
//! system stays nearly as narrow ([`super::envelope`]). Which contacts push is found by trying (an active set): those that did in the last
//! substep; then those that pull are let go, and those that are violated are taken in, until none is either.

use super::envelope::Envelope;
use super::{Along, Begun, ChainSolver, LEAST_COSINE, TAUT, TOLERANCE, fastest, follow, largest, measure, straighten};
use crate::contact::{Contact, SLOP};
use crate::points::Points;
use glam::Vec2;

/// Rounds of finding out which contacts push; in the last of them none is let go.
const ROUNDS: usize = 10;
const LETTING_GO: usize = 5;
/// The most Newton steps.
const MOST_STEPS: usize = 16;
/// How much of an active contact's gap may be left, in px.
const NEAR_ENOUGH: f32 = 0.002;
/// Below this in px a contact's pull is rounding.
const ROUNDING: f32 = 1e-5;
/// Passes of relaxation when all else fails.
const PASSES: usize = 40;

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

/// Rooms that are kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Touching {
    rows: Vec<Row>,
    system: Envelope,
    /// Links that have no say: between held points, or in a span that is held straight.
    idle: Vec<bool>,
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
        self.forget();
        self.stiffness = [0.0; 2];
        self.stretched = false;
        let last = lengths.len();
        let mut touching = std::mem::take(&mut self.touching);
        self.hold_straight(points, lengths, spans, &mut touching.idle);
        self.save(points, 0..=last);
        let mut solved = true;
        for round in 0..ROUNDS {
            if round > 0 {
                self.restore(points, 0..=last);
            }
            let start = Along::Start(Begun { known: false, smoothings: 0 });
            solved = self.newton_touching(points, lengths, contacts, start, &mut touching) || {
                self.report.projected += 1;
                self.restore(points, 0..=last);
                self.newton_touching(points, lengths, contacts, Along::Now, &mut touching)
            };
            if !solved || !choose(points, contacts, round < LETTING_GO) {
                break;
            }
        }
        if !solved {
            self.report.followed += 1;
            self.restore(points, 0..=last);
            let fastest = fastest(points, 0..=last);
            self.pulls.fill(0.0);
            relax(points, lengths, contacts, &mut self.pulls);
            follow::take_speed(points, lengths, 0, fastest);
        }
        self.touching = touching;
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

    /// Newton's method for the links and the active contacts; false if it does not converge.
    fn newton_touching(
        &mut self,
        points: &mut Points,
        lengths: &[f32],
        contacts: &mut [Contact],
        along: Along,
        touching: &mut Touching,
    ) -> bool {
        let links = lengths.len();
        let from_start = along != Along::Now;
        let shortest = lengths.iter().copied().fold(f32::INFINITY, f32::min);
        let far = points.position(0).abs().max_element() + shortest * links as f32;
        let tolerance = TOLERANCE.max(f32::EPSILON * far / shortest);
        let near_enough = NEAR_ENOUGH.max(2.0 * f32::EPSILON * far);
        self.pulls.fill(0.0);
        contacts.iter_mut().for_each(|contact| contact.push = 0.0);
        if from_start {
            let start = [&points.start_x[..], &points.start_y[..]];
            measure(start, lengths, [&mut self.along_x, &mut self.along_y], &mut self.excess);
            silence(&mut self.excess, &touching.idle);
            // Where the lengths were not kept before, the directions then say nothing.
            if largest(&self.excess[..links]) > 0.5 * shortest {
                return false;
            }
        }
        let mut error_before = f32::INFINITY;
        for step in 0..=MOST_STEPS {
            measure([&points.x, &points.y], lengths, [&mut self.now_x, &mut self.now_y], &mut self.excess);
            silence(&mut self.excess, &touching.idle);
            let mut error = largest(&self.excess[..links]) / shortest;
            let mut gap = 0.0f32;
            for contact in contacts.iter_mut().filter(|contact| contact.active) {
                contact.measure(&points.x, &points.y);
                gap = gap.max(contact.gap.abs());
            }
            if error <= tolerance && gap <= near_enough && step > 0 {
                return true;
            }
            error = error.max(gap / shortest);
            if step == MOST_STEPS || !error.is_finite() || (from_start && error > error_before) {
                return false;
            }
            error_before = error;
            if !from_start {
                self.along_x[..links].copy_from_slice(&self.now_x[..links]);
                self.along_y[..links].copy_from_slice(&self.now_y[..links]);
            }
            if !self.fill(links, contacts, points, from_start, touching) {
                return false;
            }
            self.report.newton_steps += 1;
            let Touching { rows, system, .. } = touching;
            let solution = system.solve(rows.iter().map(|row| row.excess));
            let mut strongest = 0.0f32;
            let mut part = 1.0f32;
            for (row, &pull) in rows.iter().zip(solution) {
                let lightest =
                    points.inv_mass[row.point].max(if row.pair { points.inv_mass[row.point + 1] } else { 0.0 });
                let way = pull.abs() * lightest;
                if let Of::Link(_) = row.of {
                    strongest = strongest.max(way);
                }
                // Farther than a link's length the linearisation means nothing.
                if !from_start && way > shortest {
                    part = part.min(shortest / way);
                }
            }
            if step == 0 {
                self.stiffness[0] = self.stiffness[0].max(strongest / shortest);
            }
            for (row, &pull) in rows.iter().zip(solution) {
                let pull = part * pull;
                match row.of {
                    Of::Link(k) => self.pulls[k] += pull,
                    Of::Contact(c) => contacts[c].push += pull,
                }
                for (i, moves) in [row.point, row.point + 1].into_iter().zip(row.moves).take(1 + usize::from(row.pair))
                {
                    let way = moves * (pull * points.inv_mass[i]);
                    points.x[i] += way.x;
                    points.y[i] += way.y;
                    points.way_x[i] += way.x;
                    points.way_y[i] += way.y;
                }
            }
        }
        false
    }

    /// Builds the system; false if a link has turned too far for its direction at the start.
    fn fill(&self, links: usize, contacts: &[Contact], points: &Points, from_start: bool, room: &mut Touching) -> bool {
        let Touching { rows, system, idle } = room;
        rows.clear();
        system.clear();
        let mut next = 0;
        // Where the rows begin that the point before shares with this one.
        let mut shared = 0;
        for k in 0..=links {
            let begin = rows.len();
            while next < contacts.len() && contacts[next].point == k {
                let contact = &contacts[next];
                if contact.active {
                    let [first, second] = contact.shares();
                    let moves = [contact.normal * first, contact.normal * second];
                    let by = moves.map(|moves| -moves);
                    let (pair, of) = (contact.between, Of::Contact(next));
                    rows.push(Row { point: k, pair, by, moves, excess: -contact.gap, of });
                }
                next += 1;
            }
            if k < links && !idle[k] {
                let now = Vec2::new(self.now_x[k], self.now_y[k]);
                let along = Vec2::new(self.along_x[k], self.along_y[k]);
                if from_start && now.dot(along) < LEAST_COSINE {
                    return false;
                }
                let (by, moves, excess) = ([-now, now], [along, -along], self.excess[k]);
                rows.push(Row { point: k, pair: true, by, moves, excess, of: Of::Link(k) });
            }
            for i in begin..rows.len() {
                let row = rows[i];
                let (diagonal, _) = coupling(&row, &row, &points.inv_mass);
                system.push(shared, diagonal, |j| coupling(&row, &rows[j], &points.inv_mass));
            }
            shared = begin + rows[begin..].iter().position(|row| row.pair).unwrap_or(rows.len() - begin);
        }
        true
    }
}

/// How a pull of a row changes what is too much of another, and the other way round; `one` is not before `other`.
fn coupling(one: &Row, other: &Row, inv_mass: &[f32]) -> (f32, f32) {
    let (w, next) = (inv_mass[one.point], if one.pair { inv_mass[one.point + 1] } else { 0.0 });
    if one.point == other.point {
        let both = if one.pair && other.pair { next } else { 0.0 };
        let below = w * one.by[0].dot(other.moves[0]) + both * one.by[1].dot(other.moves[1]);
        let above = w * other.by[0].dot(one.moves[0]) + both * other.by[1].dot(one.moves[1]);
        (-below, -above)
    } else {
        // The other is of the point before, and a pair.
        (-w * one.by[0].dot(other.moves[1]), -w * other.by[1].dot(one.moves[0]))
    }
}

/// Links that have no say are never too long.
fn silence(excess: &mut [f32], idle: &[bool]) {
    for (excess, _) in excess.iter_mut().zip(idle).filter(|(_, idle)| **idle) {
        *excess = 0.0;
    }
}

/// Lets contacts go that pull, and takes those in that are violated; true if there were any.
fn choose(points: &Points, contacts: &mut [Contact], may_let_go: bool) -> bool {
    let mut changed = false;
    for contact in contacts {
        contact.measure(&points.x, &points.y);
        if contact.active {
            let pulls = contact.push * contact.inv_mass(&points.inv_mass) < -ROUNDING;
            if pulls && may_let_go {
                contact.active = false;
                contact.push = 0.0;
                changed = true;
            }
        } else if contact.gap < -SLOP {
            contact.active = true;
            changed = true;
        }
    }
    changed
}

/// Lengths and contacts in turns, contacts last: where both cannot be had, the chain is stretched, and nothing is pierced.
pub fn relax(points: &mut Points, lengths: &[f32], contacts: &mut [Contact], pulls: &mut [f32]) {
    for _ in 0..PASSES {
        crate::relax::pass(points, lengths, pulls);
        push_out(points, contacts);
    }
}

/// Pushes all contacts out once, as far as they are too deep.
pub fn push_out(points: &mut Points, contacts: &mut [Contact]) {
    for contact in contacts {
        contact.measure(&points.x, &points.y);
        let inv_mass = contact.inv_mass(&points.inv_mass);
        contact.active |= contact.gap < 0.0;
        if contact.gap < 0.0 && inv_mass > 0.0 {
            let push = -contact.gap / inv_mass;
            contact.push += push;
            contact.shove(points, contact.normal, push);
        }
    }
}
