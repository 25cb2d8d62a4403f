//! The direct solver: a chain whose links keep their lengths exactly, however long it is.
//!
//! The links' lengths are constraints `c_k = |x_{k+1} - x_k| - l_k = 0`. Only neighbours share a point, so a Newton step for
//! all of them at once is a tridiagonal system, solved in linear time ([`tridiagonal`]); one step nearly always
//! suffices. Relaxation needs a number of passes that grows with the square of the chain's length.
//!
//! Corrections act along the links' directions at the *start* of the substep. With position Verlet that is SHAKE (J.-P.
//! Ryckaert, G. Ciccotti, H. Berendsen 1977): second-order accurate and free of numerical damping, so that the motion
//! hardly depends on the step. Correcting along the present directions, as position-based dynamics does, loses energy
//! with every step, more with longer ones; but it still works when a link turns too far within a step. The order is therefore:
//!
//! 1. SHAKE, as long as it converges, along directions that are smoothed where the chain is stiff ([`smoothing`]);
//! 2. projection along the present directions, with a bounded step;
//! 3. follow-the-leader ([`follow`]): always finite, lengths exact, speed capped.

mod envelope;
pub mod follow;
mod response;
mod smoothing;
pub mod touching;
mod tridiagonal;

use crate::points::{Points, lane_fold};
use glam::Vec2;
use std::ops::RangeInclusive;

/// Newton stops when no link misses its length by more than this part of it.
pub const TOLERANCE: f32 = 1e-4;
/// The most Newton steps before the next method is tried.
const MOST_STEPS: u32 = 32;
/// SHAKE is given up when a link turns by more than the angle with this cosine within a substep.
const LEAST_COSINE: f32 = 0.4;
/// Ends held this near to the full length leave no room to move: the chain is straight.
pub const TAUT: f32 = 1.0 - 1e-5;
/// Ends held farther apart than this part of the full length stretch the chain.
const STRETCHED: f32 = 0.9;
/// The part of its velocity that a chain between held ends loses in a substep in which SHAKE gives up.
const CALMED: f32 = 0.3;

/// What solving has cost and whether it succeeded, summed over substeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainReport {
    /// Newton steps, both kinds.
    pub newton_steps: u64,
    /// How often SHAKE gave up and the projection was used.
    pub projected: u64,
    /// How often neither converged and the chain followed its leader.
    pub followed: u64,
}

/// Scratch arrays of the solver, kept so that a step allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct ChainSolver {
    /// Unit vectors of the links, now.
    now_x: Vec<f32>,
    now_y: Vec<f32>,
    /// Unit vectors along which corrections act.
    along_x: Vec<f32>,
    along_y: Vec<f32>,
    /// How much too long each link is, in px.
    excess: Vec<f32>,
    /// Whether `now` are the directions of all links where the points are.
    known: bool,
    /// By how many link lengths a pull moved a point in the last substep, at most: in slack spans and in stretched ones.
    stiffness: [f32; 2],
    /// Whether the span that is being solved is stretched between held ends.
    stretched: bool,
    /// Room for smoothing.
    smooth: Vec<f32>,
    /// Positions and ways before the solve.
    saved: [Vec<f32>; 4],
    system: tridiagonal::System,
    touching: touching::Touching,
    responses: response::Responses,
    /// How hard each link pulled its ends together in the last solve, in kg px: its force times what a step adds to a position for
    /// an acceleration of 1 ([`crate::integrate::Step::acceleration_factor`]). Negative where it pushed.
    pulls: Vec<f32>,
    /// Counts since the chain was made.
    pub report: ChainReport,
}

/// What is known of the links at the start of a substep.
#[derive(Clone, Copy, PartialEq)]
struct Begun {
    /// Their directions.
    known: bool,
    /// How often to smooth them.
    smoothings: usize,
}

/// Directions of correction.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    Start(Begun),
    Now,
}

impl ChainSolver {
    /// Makes room for chains of up to `links` links.
    pub fn reserve(&mut self, links: usize) {
        for array in
            [&mut self.now_x, &mut self.now_y, &mut self.along_x, &mut self.along_y, &mut self.excess, &mut self.smooth]
        {
            array.resize(links, 0.0);
        }
        self.pulls.resize(links, 0.0);
        self.saved.iter_mut().for_each(|array| array.resize(links + 1, 0.0));
        self.system.reserve(links);
        self.forget();
    }

    /// By how many link lengths a pull moved a point in the last substep, at most.
    pub fn stiffness(&self) -> f32 {
        self.stiffness[0].max(self.stiffness[1])
    }

    /// How hard each link pulled its ends together in the last solve, in kg px: its force times what a step adds to a position for
    /// an acceleration of 1 ([`crate::integrate::Step::acceleration_factor`]). Negative where it pushed; 0 where the chain is held
    /// straight.
    pub fn pulls(&self) -> &[f32] {
        &self.pulls
    }

    /// The same, for another way of keeping the lengths to take down what it did.
    pub fn pulls_mut(&mut self) -> &mut [f32] {
        &mut self.pulls
    }

    /// What decides how the next substep is solved, besides the points.
    pub fn memory(&self) -> [f32; 2] {
        self.stiffness
    }

    /// Goes on as the solver whose [`ChainSolver::memory`] this is.
    pub fn recall(&mut self, memory: [f32; 2]) {
        self.forget();
        self.stiffness = memory;
    }

    /// Says that points were moved otherwise than by [`crate::integrate::verlet`] and [`ChainSolver::solve`].
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Says that the chain was laid out at rest.
    pub fn reset(&mut self) {
        self.forget();
        self.stiffness = [0.0; 2];
    }

    /// Gives the links between the first and the last point of each of `spans` their lengths.
    ///
    /// Held points (inverse mass 0) may only be at the ends of spans. `lengths[k]` belongs to the link between the points `k` and
    /// `k + 1` of the whole chain. Call [`ChainSolver::reserve`] first.
    pub fn solve(&mut self, points: &mut Points, lengths: &[f32], spans: &[(usize, usize)]) {
        let known = std::mem::replace(&mut self.known, true);
        let smoothings = smoothing::needed(std::mem::take(&mut self.stiffness)[0]);
        self.pulls.fill(0.0);
        self.begin_responses();
        for &(first, last) in spans {
            let solved = self.solve_span(points, lengths, first..=last, Begun { known, smoothings });
            self.known &= solved;
        }
    }

    /// The same for points that were put elsewhere and not moved: what it takes says nothing of the next substep.
    pub fn settle(&mut self, points: &mut Points, lengths: &[f32], spans: &[(usize, usize)]) {
        let stiffness = self.stiffness;
        self.forget();
        self.solve(points, lengths, spans);
        self.forget();
        self.stiffness = stiffness;
    }

    /// Solves a span whose directions at the start of the substep may be known; true if those at its end are.
    fn solve_span(&mut self, points: &mut Points, lengths: &[f32], span: RangeInclusive<usize>, begun: Begun) -> bool {
        let (first, last) = (*span.start(), *span.end());
        let held = |i: usize| points.inv_mass[i] <= 0.0;
        if last <= first || (last == first + 1 && held(first) && held(last)) {
            return false;
        }
        let lengths = &lengths[first..last];
        let held_ends = held(first) && held(last);
        self.stretched = false;
        if held_ends {
            let reach: f32 = lengths.iter().sum();
            let apart = points.position(first).distance(points.position(last));
            self.stretched = apart >= reach * STRETCHED;
            if apart >= reach * TAUT {
                let fastest = fastest(points, span);
                straighten(points, lengths, first, last);
                follow::take_speed(points, lengths, first, fastest);
                return false;
            }
        }
        // Where a chain is nearly straight between its ends, it is its small bends that give: they must not be smoothed away.
        let begun = if self.stretched { Begun { smoothings: 0, ..begun } } else { begun };
        self.save(points, span.clone());
        if self.newton(points, lengths, first, Along::Start(begun)) {
            self.respond(first, last);
            return true;
        }
        self.report.projected += 1;
        self.restore(points, span.clone());
        self.pulls[first..last].fill(0.0);
        let fastest = fastest(points, span.clone());
        if held_ends {
            // Nearly straight between its ends a chain has hardly a way to move; what shakes it there calms down at once.
            calm(points, span.clone());
        }
        if self.newton(points, lengths, first, Along::Now) {
            self.respond(first, last);
            return true;
        }
        self.spoil_responses();
        self.report.followed += 1;
        if !points.is_finite() {
            self.restore(points, span);
        }
        follow::follow(points, lengths, first);
        // What is left of the error between two held ends is spread from there.
        let solved = self.newton(points, lengths, first, Along::Now);
        if !solved {
            let [x, y, ..] = &mut self.saved;
            follow::spread(points, lengths, first, [x, y]);
        }
        follow::take_speed(points, lengths, first, fastest);
        solved
    }

    fn save(&mut self, points: &Points, span: RangeInclusive<usize>) {
        for (saved, array) in self.saved.iter_mut().zip([&points.x, &points.y, &points.way_x, &points.way_y]) {
            saved[..=span.end() - span.start()].copy_from_slice(&array[span.clone()]);
        }
    }

    fn restore(&self, points: &mut Points, span: RangeInclusive<usize>) {
        let arrays = [&mut points.x, &mut points.y, &mut points.way_x, &mut points.way_y];
        for (saved, array) in self.saved.iter().zip(arrays) {
            array[span.clone()].copy_from_slice(&saved[..=span.end() - span.start()]);
        }
    }

    /// Newton's method; false if it does not converge.
    fn newton(&mut self, points: &mut Points, lengths: &[f32], first: usize, along: Along) -> bool {
        let links = lengths.len();
        let last = first + links;
        let (now_x, now_y) = (&mut self.now_x[first..last], &mut self.now_y[first..last]);
        let (along_x, along_y) = (&mut self.along_x[first..last], &mut self.along_y[first..last]);
        let excess = &mut self.excess[first..last];
        let inv_mass = &points.inv_mass[first..=last];
        let shortest = lengths.iter().copied().fold(f32::INFINITY, f32::min);
        let from_start = along != Along::Now;
        // Nothing can be nearer to its length than positions are exact.
        let far = points.position(first).abs().max_element() + shortest * links as f32;
        let tolerance = TOLERANCE.max(f32::EPSILON * far / shortest);
        match along {
            Along::Start(Begun { known: true, .. }) => {
                along_x.copy_from_slice(now_x);
                along_y.copy_from_slice(now_y);
            }
            Along::Start(_) => {
                let (x, y) = (&points.start_x[first..=last], &points.start_y[first..=last]);
                measure([x, y], lengths, [along_x, along_y], excess);
                // Where the lengths were not kept before, the directions then say nothing.
                if largest(excess) > 0.5 * shortest {
                    return false;
                }
            }
            Along::Now => (),
        }
        if let Along::Start(Begun { smoothings, .. }) = along {
            for _ in 0..smoothings {
                smoothing::smooth(along_x, &mut self.smooth[first..last]);
                smoothing::smooth(along_y, &mut self.smooth[first..last]);
            }
        }
        let (x, y) = (&mut points.x[first..=last], &mut points.y[first..=last]);
        let (way_x, way_y) = (&mut points.way_x[first..=last], &mut points.way_y[first..=last]);
        let mut error_before = f32::INFINITY;
        for step in 0..=MOST_STEPS {
            measure([x, y], lengths, [now_x, now_y], excess);
            let error = largest(excess) / shortest;
            // One step is always made: within the tolerance gravity alone would creep.
            if error <= tolerance && step > 0 {
                return true;
            }
            if step == MOST_STEPS || error.is_infinite() || (from_start && error > error_before) {
                return false;
            }
            error_before = error;
            if !from_start {
                along_x.copy_from_slice(now_x);
                along_y.copy_from_slice(now_y);
            }
            let least_cosine = self.system.fill(inv_mass, [now_x, now_y], [along_x, along_y]);
            if from_start && least_cosine < LEAST_COSINE {
                return false;
            }
            self.report.newton_steps += 1;
            let Some(pull) = self.system.solve(excess) else {
                return false;
            };
            if step == 0 {
                let lightest = lane_fold(inv_mass, 0.0, f32::max);
                let stiffness = &mut self.stiffness[usize::from(self.stretched)];
                *stiffness = stiffness.max(largest(pull) * lightest / shortest);
            }
            let part = if from_start { 1.0 } else { bounded(pull, inv_mass, lengths) };
            self.pulls[first..last].iter_mut().zip(pull).for_each(|(sum, pull)| *sum += part * pull);
            apply([x, way_x], pull, along_x, inv_mass, part);
            apply([y, way_y], pull, along_y, inv_mass, part);
        }
        false
    }
}

/// Unit vectors of the links, and how much too long they are.
fn measure([x, y]: [&[f32]; 2], lengths: &[f32], [unit_x, unit_y]: [&mut [f32]; 2], excess: &mut [f32]) {
    let links = lengths.len();
    let (x0, x1, y0, y1) = (&x[..links], &x[1..=links], &y[..links], &y[1..=links]);
    let (unit_x, unit_y, excess) = (&mut unit_x[..links], &mut unit_y[..links], &mut excess[..links]);
    for k in 0..links {
        let (dx, dy) = (x1[k] - x0[k], y1[k] - y0[k]);
        let distance = (dx * dx + dy * dy).sqrt();
        // Coincident points get a zero vector; their link then pulls nobody.
        let inverse = 1.0 / (distance + f32::MIN_POSITIVE);
        unit_x[k] = dx * inverse;
        unit_y[k] = dy * inverse;
        excess[k] = distance - lengths[k];
    }
}

/// The largest of `values` without their signs; NaN counts as infinite.
fn largest(values: &[f32]) -> f32 {
    lane_fold(values, 0.0, |a, b| {
        if b.abs() <= a {
            a
        } else if b.is_nan() {
            f32::INFINITY
        } else {
            b.abs()
        }
    })
}

/// Moves both ends of every link by `part` of its pull, and lengthens their ways by the same.
fn apply([position, way]: [&mut [f32]; 2], pull: &[f32], along: &[f32], inv_mass: &[f32], part: f32) {
    let links = pull.len();
    let mut add = |i: usize, correction: f32| {
        position[i] += correction;
        way[i] += correction;
    };
    add(0, part * inv_mass[0] * pull[0] * along[0]);
    add(links, -part * inv_mass[links] * pull[links - 1] * along[links - 1]);
    let (position, way, inv_mass) = (&mut position[1..links], &mut way[1..links], &inv_mass[1..links]);
    let (pull_after, pull_before) = (&pull[1..links], &pull[..links - 1]);
    let (along_after, along_before) = (&along[1..links], &along[..links - 1]);
    for k in 0..links - 1 {
        let correction = part * inv_mass[k] * (pull_after[k] * along_after[k] - pull_before[k] * along_before[k]);
        position[k] += correction;
        way[k] += correction;
    }
}

/// The part of a Newton step that moves no point by more than a link's length: beyond it the linearisation means nothing.
fn bounded(pull: &[f32], inv_mass: &[f32], lengths: &[f32]) -> f32 {
    let mut part: f32 = 1.0;
    for (k, (&pull, &length)) in pull.iter().zip(lengths).enumerate() {
        let way = pull.abs() * inv_mass[k].max(inv_mass[k + 1]);
        if way > length {
            part = part.min(length / way);
        }
    }
    part
}

/// Lays the points on the straight line between the two held ends.
fn straighten(points: &mut Points, lengths: &[f32], first: usize, last: usize) {
    let (from, to) = (points.position(first), points.position(last));
    let reach: f32 = lengths.iter().sum();
    let mut gone = 0.0;
    for (k, length) in lengths.iter().enumerate().take(last - first - 1) {
        gone += length;
        let position: Vec2 = from.lerp(to, gone / reach);
        points.set_position(first + k + 1, position);
    }
}

/// Takes a part of the velocity of the free points of a span.
fn calm(points: &mut Points, span: RangeInclusive<usize>) {
    for i in span {
        if points.inv_mass[i] > 0.0 {
            let lost = points.way(i) * CALMED;
            points.set_position(i, points.position(i) - lost);
            points.set_way(i, points.way(i) - lost);
        }
    }
}

/// The longest way of any point of a span in this substep.
fn fastest(points: &Points, span: RangeInclusive<usize>) -> f32 {
    span.map(|i| points.way(i).length()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A level chain whose first point is held, after falling freely for a substep.
    fn fallen(links: usize, fall: f32) -> (Points, Vec<f32>) {
        let mut points = Points::default();
        points.resize(links + 1);
        for i in 0..=links {
            points.place(i, Vec2::new(10.0 * i as f32, 0.0));
            points.inv_mass[i] = if i == 0 { 0.0 } else { 1.0 };
        }
        points.begin();
        for i in 1..=links {
            points.move_to(i, points.position(i) + Vec2::new(0.0, fall));
        }
        (points, vec![10.0; links])
    }

    fn worst(points: &Points, lengths: &[f32]) -> f32 {
        let strain = |k: usize| (points.position(k).distance(points.position(k + 1)) / lengths[k] - 1.0).abs();
        (0..lengths.len()).map(strain).fold(0.0, f32::max)
    }

    #[test]
    fn one_newton_step_is_enough_for_a_usual_substep() {
        for links in [1, 2, 3, 10, 30, 100, 1000] {
            let (mut points, lengths) = fallen(links, 0.1);
            let mut solver = ChainSolver::default();
            solver.reserve(links);
            solver.solve(&mut points, &lengths, &[(0, links)]);
            assert!(worst(&points, &lengths) <= TOLERANCE, "{links}: {}", worst(&points, &lengths));
            assert_eq!(solver.report, ChainReport { newton_steps: 1, projected: 0, followed: 0 }, "{links}");
        }
    }

    #[test]
    fn a_chain_thrown_far_still_gets_its_lengths() {
        for fall in [20.0, 100.0, 1e4, 1e8] {
            let (mut points, lengths) = fallen(30, fall);
            for i in (1..=30).step_by(3) {
                points.x[i] += fall * if i % 2 == 0 { 1.0 } else { -1.0 };
            }
            let mut solver = ChainSolver::default();
            solver.reserve(30);
            solver.solve(&mut points, &lengths, &[(0, 30)]);
            assert!(worst(&points, &lengths) <= 1e-3, "{fall}: {}", worst(&points, &lengths));
            assert_eq!(points.position(0), Vec2::ZERO);
        }
    }

    #[test]
    fn the_largest_is_found_in_any_place_and_nan_is_not_lost() {
        for i in 0..19 {
            let mut values = [1.0f32; 19];
            values[i] = -7.0;
            assert_eq!(largest(&values), 7.0);
            values[i] = f32::NAN;
            assert_eq!(largest(&values), f32::INFINITY);
        }
    }

    #[test]
    fn all_points_in_one_place_do_no_harm() {
        let (mut points, lengths) = fallen(30, 0.0);
        points.x.fill(5.0);
        points.y.fill(5.0);
        points.stop();
        let mut solver = ChainSolver::default();
        solver.reserve(30);
        solver.solve(&mut points, &lengths, &[(0, 30)]);
        assert!(points.is_finite());
        assert!(worst(&points, &lengths) <= 1e-3, "{}", worst(&points, &lengths));
    }

    #[test]
    fn ends_held_too_far_apart_give_a_straight_line() {
        let (mut points, lengths) = fallen(10, 3.0);
        points.inv_mass[10] = 0.0;
        points.set_position(10, Vec2::new(150.0, 0.0));
        let mut solver = ChainSolver::default();
        solver.reserve(10);
        solver.solve(&mut points, &lengths, &[(0, 10)]);
        for i in 0..=10 {
            assert!((points.position(i) - Vec2::new(15.0 * i as f32, 0.0)).length() < 1e-3);
        }
    }

    #[test]
    fn ends_held_nearly_apart_keep_their_lengths() {
        for slack in [0.9, 0.99, 0.999, 0.9999, 0.99999] {
            let (mut points, lengths) = fallen(40, 0.02);
            points.inv_mass[40] = 0.0;
            crate::catenary::hang(Vec2::ZERO, Vec2::new(400.0 * slack, 0.0), 400.0, 40, Vec2::Y, |i, p| {
                points.place(i, p);
            });
            points.begin();
            (1..40).for_each(|i| points.y[i] += 0.017);
            let mut solver = ChainSolver::default();
            solver.reserve(40);
            solver.solve(&mut points, &lengths, &[(0, 40)]);
            assert!(worst(&points, &lengths) <= 1e-3, "{slack}: {}", worst(&points, &lengths));
        }
    }
}
