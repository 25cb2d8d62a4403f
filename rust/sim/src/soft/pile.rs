//! Soft bodies that may touch each other, or the same rigid bodies, are solved for together.
//!
//! In a substep each first goes on by itself. What touches then is a list of [rows](super::rows): each body's own, with the world and rigid bodies, and those of each [pair](super::meeting) of
//! bodies. All are solved in turn, to and fro through the pile, with how the bodies [respond](super::response): so a push is felt through any of them, and momentum is kept.

use super::SoftBody;
use super::burden::{By, Squeeze, presses_otherwise};
use super::meeting::{self, Pair};
use super::rebound::Press;
use super::response::{Place, Response, part_of};
use super::rows::{self, Field, Other, Pushed, Row};
use super::strands::{self, Strands};
use crate::bounds::Bounds;
use crate::collide::Grid;
use crate::island::{Moment, Rigid, Ropes};
use crate::substeps::Substeps;
use crate::tick::Tick;
use crate::workers::Workers;
use glam::Vec2;
use smallvec::SmallVec;

/// The most rounds of a pile in a substep, and of each of its slabs in each of them.
const MOST_ROUNDS: usize = 4;
const ROUNDS: usize = 2;
/// So many bodies are in a slab at least, and so many slabs in a pile at most.
const LEAST_SLAB: usize = 24;
const MOST_SLABS: usize = 2;
/// Bodies are in the order of their places to this part of a px.
const PLACES: f32 = 16.0;
/// What a row costs in a round, in nanoseconds, roughly.
const ROW_COST: usize = 40;
/// A change in px that ends them.
const FINE: f32 = 1e-3;
/// The same of a small pile: so many rounds for all of its bodies together, and so many at least and at most.
const ROUNDS_OF_FEW: usize = 480;
const LEAST_ROUNDS: usize = 10;
const MOST_OF_FEW: usize = 60;
const FINE_OF_FEW: f32 = 1e-4;
/// How often contacts that the solution has brought about may ask for another.
const LOOKS: usize = 3;
/// In a pile of more bodies only those with the world do: the next substep mends what is left.
const FEW: usize = 8;
/// A body that sleeps wakes when another presses at it otherwise, by more than this part of its weight.
const OTHER_WEIGHT: f32 = 0.25;
/// One that leaves wakes it if it pressed with more than this part of its weight.
const LEAVES: f32 = 0.02;
/// What a phase of a substep costs a body, in nanoseconds, roughly.
const COST: usize = 8_000;

/// Room for a tick of a pile.
#[derive(Debug, Default)]
pub struct Pile {
    pub(super) pairs: Vec<Pair>,
    /// Pairs that are not used now, for their rooms.
    spare: Vec<Pair>,
    /// The pairs of each body: the bodies' first places in the list of pairs, and that.
    pub(super) first: Vec<usize>,
    pub(super) of: Vec<usize>,
    next: Vec<usize>,
    /// Where the pairs end that are in each slab; those of two slabs are the last.
    ends: Vec<usize>,
    pushed: Vec<Pushed>,
    squeezes: Vec<Squeeze>,
    pub(super) presses: Vec<Press>,
    awake: Vec<u64>,
    responses: Vec<Response>,
    rows: Vec<Vec<Row>>,
    /// Rows at rigid bodies: of which body, and which.
    yielding: Vec<(usize, usize)>,
    grid: Grid,
    pub(super) bounds: Vec<Bounds>,
    pub(super) strands: Strands,
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
        self.order(bodies, tick);
        self.find_pairs(bodies);
        self.squeezes.clear();
        self.squeezes.resize(bodies.len(), Squeeze::default());
        bodies.iter().filter_map(|body| body.room.plan).max_by_key(|plan| plan.count)
    }

    /// Puts the bodies in the order in which they lie: slabs side by side, and from the top of each to its bottom, so that one sweep carries a load all the way.
    fn order(&mut self, bodies: &mut [&mut SoftBody], tick: &Tick) {
        self.bounds.clear();
        if bodies.len() < 2 {
            return;
        }
        let down = tick.gravity.try_normalize().unwrap_or(Vec2::Y);
        let origin = bodies[0].center();
        let sort = |bodies: &mut [&mut SoftBody], along: Vec2| {
            bodies.sort_by_cached_key(|body| (((body.center() - origin).dot(along) * PLACES) as i64, body.key));
        };
        let wide = slab_width(bodies.len());
        if wide < bodies.len() {
            sort(bodies, down.perp());
        }
        bodies.chunks_mut(wide).for_each(|slab| sort(slab, down));
        self.bounds.extend(bodies.iter().map(|body| body.reach(tick.delta)));
    }

    /// Finds which bodies may touch in a tick.
    fn find_pairs(&mut self, bodies: &[&mut SoftBody]) {
        self.spare.append(&mut self.pairs);
        self.first.clear();
        self.first.resize(bodies.len() + 1, 0);
        self.of.clear();
        self.ends.clear();
        if bodies.len() < 2 {
            return;
        }
        self.grid.set(self.bounds.iter().copied());
        for (index, bounds) in self.bounds.iter().enumerate() {
            self.grid.visit(bounds, |other| {
                let other = other as usize;
                if other > index && bodies[index].meets(bodies[other]) {
                    let mut pair = self.spare.pop().unwrap_or_default();
                    pair.begin([index, other], bodies);
                    if pair.is_idle() { self.spare.push(pair) } else { self.pairs.push(pair) }
                }
            });
        }
        let wide = slab_width(bodies.len());
        let slab = |pair: &Pair| {
            let [one, other] = pair.bodies.map(|body| body / wide);
            if one == other { one } else { usize::MAX }
        };
        self.pairs.sort_unstable_by_key(|pair| (slab(pair), pair.bodies));
        let slabs = bodies.len().div_ceil(wide);
        self.ends.extend((0..slabs).map(|index| self.pairs.partition_point(|pair| slab(pair) <= index)));
        // Counted, and put into the places of each.
        for pair in &self.pairs {
            pair.bodies.iter().for_each(|&body| self.first[body + 1] += 1);
        }
        (0..bodies.len()).for_each(|body| self.first[body + 1] += self.first[body]);
        self.of.resize(2 * self.pairs.len(), 0);
        self.next.clone_from(&self.first);
        for (index, pair) in self.pairs.iter().enumerate() {
            for &body in &pair.bodies {
                self.of[self.next[body]] = index;
                self.next[body] += 1;
            }
        }
    }

    /// Simulates a substep of all that are awake.
    pub(crate) fn step(
        &mut self,
        bodies: &mut [&mut SoftBody],
        ropes: &mut Ropes,
        rigids: &mut [Rigid],
        tick: &Tick,
        moment: &Moment,
        workers: &Workers,
    ) {
        let (span, colliders) = (moment.span(), tick.colliders);
        let cost = COST * bodies.len();
        let h = moment.plan.h;
        let alone = self.pairs.is_empty() && rigids.is_empty() && self.strands.is_empty();
        let (first, strands) = (&self.first, &self.strands);
        workers.for_each_mut(bodies, cost, |index, body| {
            let step = body.step_of(h);
            if body.room.awake {
                body.predict(&step, moment.left);
                body.room.left = moment.left;
                body.settle(&step);
            }
            if !alone {
                body.collision.nearby.carry(rigids);
                let meets = first[index + 1] > first[index] || strands.meets(index);
                body.begin_touch(&step, span, colliders, meets);
            } else if body.room.awake {
                body.touch(&step, span, colliders);
            }
        });
        if !alone {
            self.solve(bodies, ropes, rigids, tick, moment, workers);
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
        ropes: &mut Ropes,
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
        let few = bodies.len() <= FEW;
        self.strands.find(ropes, bodies, h, workers);
        self.pushed.clear();
        self.pushed.extend(rigids.iter().map(Pushed::new));
        let mut farthest = 0.0f32;
        for look in 0..=LOOKS {
            let Pile { pairs, first, of, strands, .. } = self;
            workers.for_each_mut(bodies, cost, |index, body| {
                let step = body.step_of(h);
                if body.room.touches {
                    body.fill_rows(&step, span, colliders, look == 0, rigids);
                    let mine = of[first[index]..first[index + 1]].iter().map(|&pair| &pairs[pair]);
                    let met = mine.flat_map(|pair| pair.list.iter());
                    let met = met.flat_map(|touching| places(&touching.row, index));
                    body.respond(met.chain(strands.places(index)));
                }
            });
            self.find_pushes(bodies, rigids, look == 0, workers);
            let most = self.farthest(bodies);
            farthest = farthest.max(most);
            workers.for_each_mut(bodies, cost, |_, body| {
                if body.room.touches && body.room.awake {
                    body.take_pushes(&body.step_of(h), most);
                    if few {
                        body.fill_skin();
                    }
                }
                body.room.wrong = body.room.touches && body.room.awake && body.look_again(span, colliders);
            });
            self.strands.apply(ropes);
            if !few {
                // The next substep mends what is left between them.
                workers.for_each_mut(bodies, cost, |_, body| body.come_out_alone(&body.step_of(h), span, colliders));
                break;
            }
            let wrong = bodies.iter().any(|body| body.room.wrong);
            let wrong = self.strands.measure(ropes, bodies) | wrong;
            if !self.pairs.iter_mut().fold(wrong, |wrong, pair| pair.measure(bodies) | wrong) {
                break;
            }
        }
        for (rigid, pushed) in rigids.iter_mut().zip(&self.pushed) {
            let (way, _) = rigid.way(pushed.impulse, pushed.twist);
            let part = part_of(way.length(), farthest);
            rigid.push(pushed.impulse * part, pushed.twist * part);
        }
        {
            let bodies = &*bodies;
            workers.for_each_mut(&mut self.pairs, cost / 4, |_, pair| {
                pair.remember(bodies, &bodies[pair.bodies[0]].step_of(h))
            });
        }
        self.note_squeezes(bodies, h);
        self.strands.remember(bodies, &mut self.squeezes, h);
        self.rebound(bodies, rigids, h);
        self.push_apart(bodies, h);
    }

    /// The farthest that anything is to get by what was found, in px.
    fn farthest(&mut self, bodies: &[&mut SoftBody]) -> f32 {
        let touching = bodies.iter().filter(|body| body.room.touches);
        let own = rows::farthest(touching.flat_map(|body| &body.collision.pushes.rows));
        let pairs = rows::farthest(self.pairs.iter().flat_map(|pair| &pair.list).map(|touching| &touching.row));
        own.max(pairs).max(rows::farthest(strands::rows(self.strands.rows().0).map(|row| &*row)))
    }

    /// Adds up what presses at the bodies in a substep.
    fn note_squeezes(&mut self, bodies: &mut [&mut SoftBody], h: f32) {
        bodies.iter_mut().for_each(|body| body.room.leans = false);
        for (index, body) in bodies.iter_mut().enumerate().filter(|(_, body)| body.room.touches) {
            let per = 1.0 / body.step_of(h).acceleration_factor();
            let (mut world, mut rigids) = (Vec2::ZERO, SmallVec::<[(usize, Vec2); 4]>::new());
            for row in body.collision.pushes.rows.iter().filter(|row| row.hand.is_none()) {
                let Other::Rigid { rigid, .. } = row.other else {
                    world += row.push;
                    continue;
                };
                match rigids.iter_mut().find(|(other, _)| *other == rigid) {
                    Some((_, push)) => *push += row.push,
                    None => rigids.push((rigid, row.push)),
                }
            }
            // What one thing does at several places is one push: a body that is struck carries nothing.
            self.squeezes[index].add(world * per, By::World);
            for (_, push) in rigids {
                body.room.leans |= push != Vec2::ZERO;
                self.squeezes[index].add(push * per, By::Rigid);
            }
        }
        for pair in self.pairs.iter().filter(|pair| pair.is_touching()) {
            let [one, other] = pair.bodies;
            (bodies[one].room.leans, bodies[other].room.leans) = (true, true);
            self.squeezes[one].add(pair.force, By::Soft);
            self.squeezes[other].add(-pair.force, By::Soft);
        }
    }

    /// Solves all rows in turn.
    fn find_pushes(&mut self, bodies: &mut [&mut SoftBody], rigids: &[Rigid], first: bool, workers: &Workers) {
        self.responses.clear();
        self.rows.clear();
        self.yielding.clear();
        for (index, body) in bodies.iter_mut().enumerate() {
            let collision = &mut body.collision;
            self.responses.push(std::mem::take(&mut collision.response));
            let mut rows = if body.room.touches { std::mem::take(&mut collision.pushes.rows) } else { Vec::new() };
            for (place, row) in rows.iter_mut().enumerate() {
                row.body = index;
                if matches!(row.other, Other::Rigid { .. }) {
                    self.yielding.push((index, place));
                }
            }
            self.rows.push(rows);
        }
        let count = self.yielding.len() + self.pairs.iter().map(|pair| pair.list.len()).sum::<usize>();
        let (few, rounds) = rounds_of(bodies.len());
        for round in 0..rounds {
            let begins = (round == 0).then_some(first);
            if few {
                if self.sweep_all(rigids, begins, round % 2 == 1) < FINE_OF_FEW {
                    break;
                }
                continue;
            }
            let within = {
                let mut slabs = self.slabs(bodies.len());
                workers.for_each_mut(&mut slabs, ROW_COST * ROUNDS * count, |_, slab| slab.sweep(begins));
                slabs.iter().map(|slab| slab.most).fold(0.0, f32::max)
            };
            let between = self.sweep_between(rigids, begins, false);
            if within.max(between).max(self.sweep_between(rigids, None, true)) < FINE {
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

    /// Solves for all of a small pile.
    fn sweep_all(&mut self, rigids: &[Rigid], begins: Option<bool>, back: bool) -> f32 {
        let Pile { pairs, responses, rows, pushed, strands, .. } = self;
        let (ropes, replies) = strands.rows();
        let field = &mut Field { first: 0, bodies: responses, rigids, pushed, strands: replies };
        if let Some(first) = begins {
            rows.iter_mut().flatten().for_each(|row| row.begin(field, first));
            meeting::rows(pairs).for_each(|row| row.begin(field, first));
            strands::begin(ropes, field, first);
        }
        rows::sweep(rows.iter_mut().flatten().chain(meeting::rows(pairs)).chain(strands::rows(ropes)), back, field)
    }

    /// The parts of the pile that can be solved side by side.
    fn slabs(&mut self, count: usize) -> SmallVec<[Slab<'_>; 8]> {
        let wide = slab_width(count);
        let mut pairs = &mut self.pairs[..];
        let mut begin = 0;
        let parts = self.responses.chunks_mut(wide).zip(self.rows.chunks_mut(wide));
        let ends = self.ends.iter().copied().chain(std::iter::repeat(0));
        let mut slabs = SmallVec::new();
        for ((index, (responses, rows)), end) in parts.enumerate().zip(ends) {
            let mine = pairs.split_off_mut(..end.max(begin) - begin).unwrap_or_default();
            begin = end.max(begin);
            slabs.push(Slab { first: index * wide, responses, rows, pairs: mine, most: 0.0 });
        }
        slabs
    }

    /// Solves for what is between slabs, and what pushes at rigid bodies.
    fn sweep_between(&mut self, rigids: &[Rigid], begins: Option<bool>, back: bool) -> f32 {
        let Pile { pairs, responses, rows, pushed, yielding, ends, strands, .. } = self;
        let (ropes, replies) = strands.rows();
        let field = &mut Field { first: 0, bodies: responses, rigids, pushed, strands: replies };
        let between = &mut pairs[ends.last().copied().unwrap_or(0)..];
        if let Some(first) = begins {
            yielding.iter().for_each(|&(body, place)| rows[body][place].begin(field, first));
            meeting::rows(between).for_each(|row| row.begin(field, first));
            strands::begin(ropes, field, first);
        }
        let mut most = 0.0f32;
        for k in 0..yielding.len() {
            let (body, place) = yielding[if back { yielding.len() - 1 - k } else { k }];
            most = most.max(rows[body][place].solve(field));
        }
        most.max(rows::sweep(meeting::rows(between).chain(strands::rows(ropes)), back, field))
    }

    /// Ends a tick: every body remembers what it met.
    pub(crate) fn end(
        &mut self,
        bodies: &mut [&mut SoftBody],
        ropes: &mut Ropes,
        rigids: &[Rigid],
        tick: &Tick,
        plan: &Substeps,
        workers: &Workers,
    ) {
        self.end_strands(bodies, ropes);
        let mass = |rigid: &Rigid| if rigid.inv_mass > 0.0 { 1.0 / rigid.inv_mass } else { 0.0 };
        let mass = bodies.iter().map(|body| body.mass()).sum::<f32>() + rigids.iter().map(mass).sum::<f32>();
        let time = plan.h * plan.count as f32;
        for pair in &mut self.pairs {
            if pair.note_tangle(bodies, time) {
                pair.bodies.into_iter().for_each(|body| bodies[body].wake());
            }
            if let Some(touches) = pair.touches(bodies) {
                pair.bodies.into_iter().zip(touches).for_each(|(body, touch)| bodies[body].note_touch(touch));
            }
        }
        self.awake.clear();
        self.awake.extend(bodies.iter().filter(|body| body.room.awake).map(|body| body.key));
        self.awake.sort_unstable();
        let Pile { pairs, first, of, squeezes, awake, strands, .. } = self;
        workers.for_each_mut(bodies, COST * bodies.len(), |index, body| {
            let mine = || of[first[index]..first[index + 1]].iter().map(|&pair| &pairs[pair]);
            if !body.room.awake {
                body.feel(mine().map(|pair| pair.force_on(index)), awake);
                body.feel_ropes(strands.of(index));
                return;
            }
            body.take_up(&squeezes[index].mean(plan.count), mass * body.gravity.length(), plan.h * plan.count as f32);
            body.collision.met.clear();
            body.collision.leans_on.clear();
            body.collision.tangled.clear();
            for pair in mine() {
                let owner = usize::from(pair.bodies[1] == index);
                body.collision.met.extend_from_slice(&pair.memory()[owner]);
                let (key, force) = pair.force_on(index);
                if pair.tangled > 0.0 {
                    body.collision.tangled.push((key, pair.tangled));
                }
                if force != Vec2::ZERO {
                    body.collision.leans_on.push((key, force));
                }
            }
            body.lean_on_ropes(strands.of(index));
            body.end_tick(plan, tick.colliders, rigids);
        });
    }
}

impl SoftBody {
    /// Wakes it if others press at it otherwise than when it fell asleep; or one of those that are `awake`, by their sorted keys, has gone.
    fn feel(&mut self, forces: impl Iterator<Item = (u64, Vec2)> + Clone, awake: &[u64]) {
        let (least, left) = (OTHER_WEIGHT * self.weight(), LEAVES * self.weight());
        let known = &self.collision.leans_on;
        let then = |key: u64| known.iter().find(|(other, _)| *other == key).map_or(Vec2::ZERO, |(_, force)| *force);
        let is_other = |(key, now): (u64, Vec2)| presses_otherwise(now, then(key), least, left);
        let is_gone = |(key, force): &(u64, Vec2)| {
            force.length() > left && awake.binary_search(key).is_ok() && forces.clone().all(|(other, _)| other != *key)
        };
        if known.iter().any(is_gone) || forces.clone().any(is_other) {
            self.wake();
        }
    }
}

/// A part of a pile.
struct Slab<'a> {
    first: usize,
    responses: &'a mut [Response],
    rows: &'a mut [Vec<Row>],
    pairs: &'a mut [Pair],
    most: f32,
}

impl Slab<'_> {
    /// Solves for what is within it, to and fro.
    fn sweep(&mut self, begins: Option<bool>) {
        let field =
            &mut Field { first: self.first, bodies: self.responses, rigids: &[], pushed: &mut [], strands: &mut [] };
        let own = |row: &&mut Row| !matches!(row.other, Other::Rigid { .. });
        if let Some(first) = begins {
            self.rows.iter_mut().flatten().filter(own).for_each(|row| row.begin(field, first));
            meeting::rows(self.pairs).for_each(|row| row.begin(field, first));
        }
        for round in 0..ROUNDS {
            let own = self.rows.iter_mut().flatten().filter(own);
            self.most = rows::sweep(own.chain(meeting::rows(self.pairs)), round % 2 == 1, field);
            if self.most < FINE {
                break;
            }
        }
    }
}

/// Whether so many bodies are few, and in how many rounds they are solved.
fn rounds_of(count: usize) -> (bool, usize) {
    if count < 2 * LEAST_SLAB {
        (true, (ROUNDS_OF_FEW / count.max(1)).clamp(LEAST_ROUNDS, MOST_OF_FEW))
    } else {
        (false, MOST_ROUNDS)
    }
}

/// How many bodies are in a slab. It does not depend on the number of threads, and so neither does what is found.
fn slab_width(count: usize) -> usize {
    count.div_ceil((count / LEAST_SLAB).clamp(1, MOST_SLABS))
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
