//! Soft bodies that may touch each other, or the same rigid bodies, are solved for together.
//!
//! In a substep each first goes on by itself. What touches then is a list of [rows](super::rows): each body's own, with the world and rigid bodies, and those of each [pair](super::meeting) of
//! bodies. All are solved in turn, to and fro through the pile, with how the bodies [respond](super::response): so a push is felt through any of them, and momentum is kept.

use super::SoftBody;
use super::load::{By, Squeeze};
use super::meeting::Pair;
use super::response::{Place, Response};
use super::rows::{self, Field, Other, Pushed, Row};
use crate::bounds::Bounds;
use crate::collide::Grid;
use crate::island::{Moment, Rigid};
use crate::substeps::Substeps;
use crate::tick::Tick;
use crate::workers::Workers;
use glam::Vec2;

/// The most rounds of a pile in a substep.
const MOST_ROUNDS: usize = 12;
/// A change in px that ends them.
const FINE: f32 = 1e-3;
/// How often contacts that the solution has brought about may ask for another.
const LOOKS: usize = 3;
/// In a pile of more bodies only those with the world do: the next substep mends what is left.
const FEW: usize = 8;
/// A body that sleeps wakes when what another presses at it with is another by more than this part of it, and of its weight.
const OTHER: f32 = 0.25;
const OTHER_WEIGHT: f32 = 0.15;
/// What a phase of a substep costs a body, in nanoseconds, roughly.
const COST: usize = 8_000;

/// Room for a tick of a pile.
#[derive(Debug, Default)]
pub struct Pile {
    pairs: Vec<Pair>,
    /// Pairs that are not used now, for their rooms.
    spare: Vec<Pair>,
    /// The pairs of each body: the bodies' first places in the list of pairs, and that.
    first: Vec<usize>,
    of: Vec<usize>,
    pushed: Vec<Pushed>,
    squeezes: Vec<Squeeze>,
    responses: Vec<Response>,
    rows: Vec<Vec<Row>>,
    grid: Grid,
    bounds: Vec<Bounds>,
}

impl Pile {
    /// Begins a tick: how the bodies want it to be divided; None if there is nothing to simulate.
    pub(crate) fn begin(
        &mut self,
        bodies: &mut [&mut SoftBody],
        rigids: &[Rigid],
        tick: &Tick,
        workers: &Workers,
    ) -> Option<Substeps> {
        workers.for_each_mut(bodies, COST * bodies.len(), |_, body| {
            body.room.plan = body.begin_tick(tick, rigids);
            body.room.awake = body.room.plan.is_some();
        });
        self.find_pairs(bodies, tick);
        self.squeezes.clear();
        self.squeezes.resize(bodies.len(), Squeeze::default());
        bodies.iter().filter_map(|body| body.room.plan).max_by_key(|plan| plan.count)
    }

    /// Finds which bodies may touch in a tick.
    fn find_pairs(&mut self, bodies: &[&mut SoftBody], tick: &Tick) {
        self.spare.append(&mut self.pairs);
        self.bounds.clear();
        if bodies.len() > 1 {
            self.bounds.extend(bodies.iter().map(|body| body.reach(tick.delta)));
            self.grid.set(self.bounds.iter().copied());
            for (index, bounds) in self.bounds.iter().enumerate() {
                let (pairs, spare) = (&mut self.pairs, &mut self.spare);
                let begin = pairs.len();
                self.grid.visit(bounds, |other| {
                    let other = other as usize;
                    if other > index && bodies[index].meets(bodies[other]) {
                        let mut pair = spare.pop().unwrap_or_default();
                        pair.begin([index, other], bodies);
                        if pair.is_idle() { spare.push(pair) } else { pairs.push(pair) }
                    }
                });
                pairs[begin..].sort_unstable_by_key(|pair| pair.bodies);
            }
        }
        // Counted, and put into the places of each.
        self.first.clear();
        self.first.resize(bodies.len() + 1, 0);
        for pair in &self.pairs {
            pair.bodies.iter().for_each(|&body| self.first[body + 1] += 1);
        }
        (0..bodies.len()).for_each(|body| self.first[body + 1] += self.first[body]);
        self.of.clear();
        self.of.resize(2 * self.pairs.len(), 0);
        let mut next = self.first.clone();
        for (index, pair) in self.pairs.iter().enumerate() {
            for &body in &pair.bodies {
                self.of[next[body]] = index;
                next[body] += 1;
            }
        }
    }

    /// Simulates a substep of all that are awake.
    pub(crate) fn step(
        &mut self,
        bodies: &mut [&mut SoftBody],
        rigids: &mut [Rigid],
        tick: &Tick,
        moment: &Moment,
        workers: &Workers,
    ) {
        let (span, colliders) = (moment.span(), tick.colliders);
        let cost = COST * bodies.len();
        let h = moment.plan.h;
        let alone = self.pairs.is_empty() && rigids.is_empty();
        let first = &self.first;
        workers.for_each_mut(bodies, cost, |index, body| {
            let step = body.step_of(h);
            if body.room.awake {
                body.predict(&step, moment.left);
                body.room.left = moment.left;
                body.settle(&step);
            }
            if !alone {
                body.carry_nearby(rigids);
                let meets = first[index + 1] > first[index];
                body.begin_touch(&step, span, colliders, meets);
            } else if body.room.awake {
                body.touch(&step, span, colliders);
            }
        });
        if !alone {
            self.solve(bodies, rigids, tick, moment, workers);
        }
        workers.for_each_mut(bodies, cost, |_, body| {
            if body.room.awake {
                let step = body.step_of(h);
                if !alone {
                    body.end_touch(&step, span, colliders);
                }
                body.end_substep(&step, span, colliders);
            }
        });
    }

    /// Finds what pushes, and moves all by that.
    fn solve(
        &mut self,
        bodies: &mut [&mut SoftBody],
        rigids: &mut [Rigid],
        tick: &Tick,
        moment: &Moment,
        workers: &Workers,
    ) {
        let (span, colliders, h) = (moment.span(), tick.colliders, moment.plan.h);
        let cost = COST * bodies.len();
        {
            let bodies = &*bodies;
            workers.for_each_mut(&mut self.pairs, cost, |_, pair| {
                // All of a pile have made the same last step, or none.
                let step = bodies[pair.bodies[0]].step_of(h);
                pair.find(bodies, &step);
            });
        }
        self.pushed.clear();
        self.pushed.extend(rigids.iter().map(Pushed::new));
        for look in 0..=LOOKS {
            let Pile { pairs, first, of, .. } = self;
            workers.for_each_mut(bodies, cost, |index, body| {
                let step = body.step_of(h);
                if body.room.touches {
                    body.fill_rows(&step, span, colliders, look == 0, rigids);
                    let mine = of[first[index]..first[index + 1]].iter().map(|&pair| &pairs[pair]);
                    body.respond(
                        mine.flat_map(|pair| pair.list.iter()).flat_map(|touching| places(&touching.row, index)),
                    );
                }
            });
            self.find_pushes(bodies, rigids, look == 0);
            workers.for_each_mut(bodies, cost, |_, body| {
                if body.room.touches && body.room.awake {
                    body.take_pushes(&body.step_of(h));
                }
                body.room.wrong = body.room.touches && body.room.awake && body.look_again(span, colliders);
            });
            let mut wrong = bodies.iter().any(|body| body.room.wrong);
            wrong |=
                bodies.len() <= FEW && self.pairs.iter_mut().fold(false, |wrong, pair| pair.measure(bodies) | wrong);
            if !wrong {
                break;
            }
            if bodies.len() > FEW {
                self.pairs.iter_mut().for_each(|pair| _ = pair.measure(bodies));
            }
        }
        for (rigid, pushed) in rigids.iter_mut().zip(&self.pushed) {
            rigid.push(pushed.impulse, pushed.twist);
        }
        for pair in &mut self.pairs {
            let step = bodies[pair.bodies[0]].step_of(h);
            pair.remember(bodies, &step);
        }
        self.note_squeezes(bodies, h);
    }

    /// Adds up what presses at the bodies in a substep.
    fn note_squeezes(&mut self, bodies: &mut [&mut SoftBody], h: f32) {
        bodies.iter_mut().for_each(|body| body.room.leans = false);
        for (index, body) in bodies.iter().enumerate().filter(|(_, body)| body.room.touches) {
            let per = 1.0 / body.step_of(h).acceleration_factor();
            for row in body.collision.pushes.rows.iter().filter(|row| row.hand.is_none()) {
                let by = if matches!(row.other, Other::Rigid { .. }) { By::Rigid } else { By::World };
                self.squeezes[index].add(row.push * per, by);
            }
        }
        for pair in self.pairs.iter().filter(|pair| pair.is_touching()) {
            pair.bodies.iter().for_each(|&body| bodies[body].room.leans = true);
            let per = 1.0 / bodies[pair.bodies[0]].step_of(h).acceleration_factor();
            for row in pair.list.iter().map(|touching| &touching.row) {
                self.squeezes[row.body].add(row.push * per, By::Soft);
                if let Other::Soft { body, .. } = row.other {
                    self.squeezes[body].add(-row.push * per, By::Soft);
                }
            }
        }
    }

    /// Solves all rows in turn.
    fn find_pushes(&mut self, bodies: &mut [&mut SoftBody], rigids: &[Rigid], first: bool) {
        self.responses.clear();
        self.rows.clear();
        for (index, body) in bodies.iter_mut().enumerate() {
            let collision = &mut body.collision;
            self.responses.push(std::mem::take(&mut collision.response));
            let mut rows = if body.room.touches { std::mem::take(&mut collision.pushes.rows) } else { Vec::new() };
            rows.iter_mut().for_each(|row| row.body = index);
            self.rows.push(rows);
        }
        let Pile { pairs, responses, rows, pushed, .. } = self;
        rows.iter_mut().flatten().for_each(|row| row.resolve(responses, rigids));
        pairs.iter_mut().flat_map(|pair| &mut pair.list).for_each(|touching| touching.row.resolve(responses, rigids));
        let field = &mut Field { first: 0, bodies: responses, rigids, pushed };
        if first {
            rows.iter_mut().for_each(|rows| rows::begin(rows, field));
            pairs.iter_mut().for_each(|pair| {
                pair.list.iter_mut().for_each(|touching| rows::begin(std::slice::from_mut(&mut touching.row), field))
            });
        }
        for round in 0..MOST_ROUNDS {
            let all = rows.iter_mut().flatten();
            let met = pairs.iter_mut().flat_map(|pair| &mut pair.list).map(|touching| &mut touching.row);
            let most = if round % 2 == 0 {
                rows::sweep(all.chain(met), field)
            } else {
                rows::sweep(all.chain(met).rev(), field)
            };
            if most < FINE {
                break;
            }
        }
        for ((body, response), rows) in bodies.iter_mut().zip(self.responses.drain(..)).zip(self.rows.drain(..)) {
            body.collision.response = response;
            if body.room.touches {
                body.collision.pushes.rows = rows;
            }
        }
    }

    /// Ends a tick: every body remembers what it met.
    pub(crate) fn end(
        &mut self,
        bodies: &mut [&mut SoftBody],
        rigids: &[Rigid],
        tick: &Tick,
        plan: &Substeps,
        workers: &Workers,
    ) {
        let Pile { pairs, first, of, squeezes, .. } = self;
        let mass = |rigid: &Rigid| if rigid.inv_mass > 0.0 { 1.0 / rigid.inv_mass } else { 0.0 };
        let mass = bodies.iter().map(|body| body.mass()).sum::<f32>() + rigids.iter().map(mass).sum::<f32>();
        for pair in &mut *pairs {
            let step = bodies[pair.bodies[0]].step_of(plan.h);
            pair.take_down(bodies, &step);
        }
        workers.for_each_mut(bodies, COST * bodies.len(), |index, body| {
            let mine = || of[first[index]..first[index + 1]].iter().map(|&pair| &pairs[pair]);
            if !body.room.awake {
                body.feel(mine().map(|pair| pair.force_on(index)));
                return;
            }
            body.take_up(&squeezes[index].mean(plan.count), mass * body.gravity.length(), plan.h * plan.count as f32);
            body.collision.met.clear();
            body.collision.leans_on.clear();
            for pair in mine() {
                let owner = usize::from(pair.bodies[1] == index);
                body.collision.met.extend_from_slice(&pair.memory()[owner]);
                let (key, force) = pair.force_on(index);
                if force != Vec2::ZERO {
                    body.collision.leans_on.push((key, force));
                }
            }
            body.end_tick(plan, tick.colliders, rigids);
        });
    }
}

impl SoftBody {
    /// Wakes it if others press at it otherwise than when it fell asleep.
    fn feel(&mut self, forces: impl Iterator<Item = (u64, Vec2)>) {
        let weight = OTHER_WEIGHT * self.weight();
        let known = &self.collision.leans_on;
        let then = |key: u64| known.iter().find(|(other, _)| *other == key).map_or(Vec2::ZERO, |(_, force)| *force);
        let is_other = |(key, now): (u64, Vec2)| now.distance(then(key)) > OTHER * then(key).length() + weight;
        if { forces }.any(is_other) {
            self.wake();
        }
    }
}

/// The places of a row on a body.
fn places(row: &Row, body: usize) -> impl Iterator<Item = &Place> {
    let one = (row.body == body).then_some(&row.place);
    let other = match &row.other {
        Other::Soft { body: other, place } if *other == body => Some(place),
        _ => None,
    };
    one.into_iter().chain(other)
}
