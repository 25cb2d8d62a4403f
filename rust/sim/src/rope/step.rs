//! A tick of a rope.

use super::{Grip, Rope, Solver};
use crate::bending::{self, Bending};
use crate::collide::Colliders;
use crate::contact::meet::Span;
use crate::integrate::{self, Step};
use crate::island::{self, Grips, Member, Moment, Rigid};
use crate::points::Points;
use crate::soft::Pile;
use crate::substeps::{Demand, LONGEST_TICK, Substeps};
use crate::tick::Tick;
use crate::workers::Workers;
use glam::Vec2;

/// Below this speed in px/s for [`REST_TIME`] it falls asleep.
pub const REST_SPEED: f32 = 2.0;
/// The same for the solver Relaxation: at more its springs still swing and pull 1.5 % off, at less (0.7) few passes chatter for ever.
const RELAXED_REST_SPEED: f32 = 1.0;
/// The same for a rope that lies on itself: what is pushed and solved in turns creeps a little.
const TANGLED_REST_SPEED: f32 = 6.0;
/// How long it must be at rest before it sleeps, in seconds.
pub const REST_TIME: f32 = 0.5;
/// It is not at rest if it is faster than a fall of this time would make it, in seconds; of less, where damping lets it fall no
/// faster than that.
const FALL_TIME: f32 = 0.125;
/// The rate to which the setting `iteration_count` refers, in ticks a second.
const PASSES_RATE: f32 = 60.0;
/// Tolerance in counting passes, so that 12 passes a tick are not 11 by rounding.
const WHOLE_PASS_SLACK: f32 = 1e-3;
/// A node that moves faster than this in px/s has not moved but been placed.
pub const TELEPORT_SPEED: f32 = 20_000.0;
/// The speed of a node is measured over at least this time, in seconds: one that is moved once a frame jumps by a frame's way in a
/// tick, however short that is at a high tick rate or in slow motion.
const LEAST_MOVE_TIME: f32 = 1.0 / 60.0;
/// What winds accelerate by less than this in px/s2 counts as at rest.
const LEAST_BLOW: f32 = 1.0;
/// How many times as long as it is a short link at an end is seen by bending; more would shake a rope that is wound in.
const MOST_LENGTHENED: f32 = 2.5;
/// How much finer than waves along the chain the turning of what hangs on it by a lever has to be followed.
const TURNING: f32 = 4.0;
/// Gravity beyond this in px/s2 is cut off.
const MOST_GRAVITY: f32 = 1e6;

impl Rope {
    /// Simulates a tick.
    ///
    /// Call [`Rope::set_pose`] and [`Rope::set_holder_pose`] first. Held points move evenly from where they were to where
    /// their holders have them now. A sleeping rope does nothing.
    pub fn step(&mut self, tick: &Tick) {
        island::step(&mut [self], &mut [], &mut [], tick, &mut Pile::default(), &Workers::default());
    }

    /// Takes down what the world is, and how the tick is divided; None if there is nothing to simulate.
    fn begin_tick(&mut self, tick: &Tick, rigids: &[Rigid]) -> Option<Substeps> {
        let gravity = if tick.gravity.is_finite() { tick.gravity.clamp_length_max(MOST_GRAVITY) } else { Vec2::ZERO };
        if gravity != self.gravity {
            self.gravity = gravity;
            self.weigh();
            self.wake();
        }
        if self.sleeping || !(tick.delta > 0.0 && tick.delta.is_finite()) {
            return None;
        }
        self.longest_move = TELEPORT_SPEED * tick.delta.max(LEAST_MOVE_TIME);
        let jumped = self.pose.origin.distance(self.pose_before.origin) > self.longest_move;
        // What was laid out for this gravity and these holders need not be again.
        if jumped || (self.fresh && (self.gravity != self.laid_gravity || self.fastest_pin() > 0.0)) {
            self.lay();
        }
        self.mirror();
        self.ticked = true;
        self.pose_before = self.pose;
        self.follow_frame();
        self.look_around(tick);
        if std::mem::take(&mut self.fresh) {
            self.drape(tick.colliders);
        }
        self.forget_pegs();
        self.couple(tick.colliders, rigids);
        self.tick_start.copy(&self.points.x, &self.points.y);
        self.torn = None;
        let wound = self.wound(tick.delta).abs();
        let pulled = self.fastest_pin();
        let end_speed = ((pulled + wound) / tick.delta.min(LONGEST_TICK)).max(self.fastest_tie(rigids));
        self.breathe(tick);
        if pulled > 0.0 && !self.driven && self.settings.solver == Solver::Direct {
            self.unstraighten();
        }
        self.driven = pulled > 0.0;
        let stiffness = if self.h_before > 0.0 { self.solver.stiffness() / self.h_before.powi(2) } else { 0.0 };
        let halvings = self.quiet.follow(stiffness.max(TURNING * self.coupling.turning), tick.delta);
        let calm = end_speed == 0.0 && self.calm;
        let demand = Demand { link_length: self.shortest_link(), end_speed, halvings, calm };
        Some(Substeps::plan(tick.delta, self.settings.substeps, demand))
    }

    /// Simulates a substep by itself, as if it were the last of its tick. The colliders go on as `span` says.
    pub(super) fn substep(&mut self, plan: &Substeps, span: Span, colliders: Option<&Colliders>) {
        self.let_rigids_go();
        let step = self.step_of(plan.h);
        self.advance_points(&step, plan.count, 1, span, colliders, &mut []);
        self.meet_all(span, colliders);
        self.settle_substep(&step, span, colliders, &mut []);
        self.feel(&step);
        self.h_before = plan.h;
    }

    /// The step of a substep of `h` seconds.
    fn step_of(&self, h: f32) -> Step {
        let settings = &self.settings;
        let gravity = self.gravity * settings.gravity_scale;
        Step { h, h_before: self.h_before, linear_damp: settings.linear_damp, gravity }
    }

    /// Moves all points to the end of a substep, one of `count`, of which `left` are left.
    fn advance_points(
        &mut self,
        step: &Step,
        count: u32,
        left: u32,
        span: Span,
        colliders: Option<&Colliders>,
        rigids: &mut [Rigid],
    ) {
        self.watch_hands();
        if self.settings.solver == Solver::Direct {
            self.resist_bending(step.h);
        }
        self.drag();
        integrate::verlet(&mut self.points, step);
        self.lighten(step);
        self.weigh_down(step);
        self.push(step);
        // Rounding must not keep a pin from its place.
        self.move_pins(left as f32, 1.001 * self.longest_move / count as f32, span.to, colliders);
        self.move_ties(left, step.h, rigids);
    }

    /// The passes of relaxation of a substep.
    pub(super) fn relax(&mut self, step: &Step) {
        self.passes_due += self.settings.iteration_count as f32 * step.h * PASSES_RATE;
        let passes = (self.passes_due + WHOLE_PASS_SLACK).floor().max(1.0);
        self.passes_due = (self.passes_due - passes).max(0.0);
        self.solver.forget();
        self.relax_touching(passes as u32);
    }

    /// Takes back what gravity has given to inertia that is no mass.
    fn lighten(&mut self, step: &Step) {
        if self.inertia <= 1.0 {
            return;
        }
        let fall = step.gravity * step.acceleration_factor();
        for i in 0..self.points.len() {
            let inv_mass = self.points.inv_mass[i];
            if inv_mass > 0.0 {
                let too_much = fall * (1.0 - self.mass_at(i) * inv_mass);
                self.points.move_to(i, self.points.position(i) - too_much);
            }
        }
    }

    /// Bends it back, and slows its bending.
    fn resist_bending(&mut self, h: f32) {
        let settings = &self.settings;
        let clamp = settings.start_stiffness > 0.0 && self.points.inv_mass[0] <= 0.0;
        let bending = Bending {
            link: self.pitch,
            link_mass: settings.mass * self.pitch / self.mass_length,
            scale: self.scale,
            bend: settings.bend,
            clamp: clamp.then(|| (self.start_direction(), settings.start_stiffness)),
            rest: &self.rest_bends,
        };
        // At a reel and at a cut the last link is longer or shorter than the others. That is no bend: it is seen at the usual length.
        let last = self.lengths.len();
        let ends = [(0, 1, self.lengths[0]), (last, last - 1, self.lengths[last - 1])];
        let places = ends.map(|(end, _, _)| self.points.position(end));
        for (end, next, length) in ends.into_iter().filter(|&(_, _, length)| length != self.pitch) {
            let next = self.points.position(next);
            let usual = next + (self.points.position(end) - next) * (self.pitch / length).min(MOST_LENGTHENED);
            self.points.set_position(end, usual);
        }
        bending::resist(&mut self.points, &bending, h, [&mut self.scratch.x[..], &mut self.scratch.y[..]]);
        for ((end, _, _), place) in ends.into_iter().zip(places) {
            self.points.set_position(end, place);
        }
    }

    /// Ends a tick.
    fn end_tick(&mut self, plan: &Substeps, colliders: Option<&Colliders>, rigids: &[Rigid]) {
        self.forces.clear();
        if !self.points.is_finite() {
            self.recoveries += 1;
            self.points = Points::default();
            self.points.resize(self.lengths.len() + 1);
            self.weigh();
            self.lay();
            self.fresh = false;
        }
        self.give_up(plan.h * plan.count as f32, colliders);
        self.calm = self.lies_calmly();
        self.strain();
        self.doze(plan.h * plan.count as f32, colliders, rigids);
        // Those that it touches now tell it when they end their tick.
        self.collision.strand.forget();
    }

    /// What a tick costs, in nanoseconds, roughly.
    pub fn cost(&self) -> usize {
        if self.sleeping { 0 } else { (100 + 200 * usize::from(self.is_touching())) * self.points.len() }
    }

    fn shortest_link(&self) -> f32 {
        self.lengths.iter().copied().fold(self.pitch, f32::min)
    }

    /// How far the fastest pin has to go in this tick, in px.
    fn fastest_pin(&self) -> f32 {
        let way = |index: usize| self.points.position(self.pins[index].point).distance(self.held_at(index));
        let ties = |index: &usize| self.is_yielding(&self.pins[*index]);
        (0..self.pins.len()).filter(|index| !ties(index)).map(way).fold(0.0, f32::max)
    }

    /// Where a pin is to hold its point, relative to the frame.
    fn held_at(&self, index: usize) -> Vec2 {
        let pin = &self.pins[index];
        let target = self.pin_target(pin);
        if pin.grip == Grip::Firm { target } else { self.reachable(index, target) }
    }

    /// The direction in which the rope was laid from its start, as the start's holder has it now.
    fn start_direction(&self) -> Vec2 {
        let holder = self.pins.first().filter(|pin| pin.point == 0).and_then(|pin| pin.holder.as_ref());
        let direction = match (self.start_aim, holder) {
            (Some((key, aim)), Some(holder)) if holder.key == key => holder.pose.turn(aim),
            _ => self.pose.turn(self.local_direction()),
        };
        direction.try_normalize().unwrap_or(Vec2::Y)
    }

    /// Moves held points towards their pins: with `left` substeps to go by one part in `left`, at most by `limit` px. The part `t` of the tick
    /// has gone by then.
    fn move_pins(&mut self, left: f32, limit: f32, t: f32, colliders: Option<&Colliders>) {
        for index in 0..self.pins.len() {
            let pin = self.pins[index];
            if self.is_tied_to_rigid(pin.point) {
                continue;
            }
            let at = self.points.position(pin.point);
            let target = self.held_at(index);
            let way = (target - at) / left;
            let next = if way.length_squared() > limit * limit {
                at + way.clamp_length_max(limit)
            } else if left > 1.0 {
                at + way
            } else {
                // To the last bit: a pin is where its holder is.
                target
            };
            let next = if pin.grip == Grip::Firm { next } else { self.slide_hand(at, next, t, colliders) };
            self.points.move_to(pin.point, next);
        }
        self.reconcile_hands();
    }

    /// Adds the forces that were applied for this tick.
    fn push(&mut self, step: &Step) {
        let factor = step.acceleration_factor();
        for (i, force) in self.forces.iter().enumerate() {
            let moved = *force * self.points.inv_mass[i] * factor;
            self.points.move_to(i, self.points.position(i) + moved);
        }
    }

    /// Keeps the frame near the rope.
    pub(super) fn follow_frame(&mut self) {
        let anchor = self.pins.first().map_or(self.points.position(0), |pin| self.pin_target(pin));
        if let Some(shift) = self.frame.follow(self.frame.to_global(anchor)) {
            self.translate(shift);
        }
    }

    /// Whether any point has moved faster than `speed` in a tick of `time` seconds. What touches something may tremble between substeps, which
    /// nobody sees: there it is the way of the whole tick that counts.
    fn is_faster_than(&self, speed: f32, time: f32) -> bool {
        if !self.is_touching() && !self.leans_on_soft() {
            return self.points.longest_way() > speed * self.h_before;
        }
        let most = (speed * time).powi(2);
        let start = |i: usize| Vec2::new(self.tick_start.x[i], self.tick_start.y[i]);
        (0..self.points.len()).any(|i| self.points.position(i).distance_squared(start(i)) > most)
    }

    /// Counts the time at rest and falls asleep.
    fn doze(&mut self, time: f32, colliders: Option<&Colliders>, rigids: &[Rigid]) {
        // What has only just begun to fall is as slow as what rests.
        let blow = Some(self.strongest_blow()).filter(|&blow| blow >= LEAST_BLOW).unwrap_or(0.0);
        let pull = blow.max(self.gravity.length() * self.settings.gravity_scale.abs());
        let fall_time = FALL_TIME.min(0.25 / self.settings.linear_damp.max(f32::MIN_POSITIVE));
        let calm = match self.settings.solver {
            Solver::Relaxation => RELAXED_REST_SPEED,
            Solver::Direct if self.is_tangled() => TANGLED_REST_SPEED,
            Solver::Direct => REST_SPEED,
        };
        let speed = if pull > 0.0 { calm.min(pull * fall_time) } else { calm };
        let moving = self.is_in_gusts()
            || self.is_faster_than(speed, time)
            || self.comes_out(speed * time)
            || self.wound(time) != 0.0
            // Without the rope what hangs on it would fall.
            || self.holds_what_is_awake(rigids)
            || (0..self.pins.len()).any(|index| {
                let point = self.pins[index].point;
                !self.is_slipping(point) && !self.is_tied_to_rigid(point) && self.points.position(point) != self.held_at(index)
            });
        if moving || !self.settings.can_sleep {
            self.rest_time = 0.0;
            return;
        }
        self.rest_time += time;
        if self.rest_time >= REST_TIME {
            self.sleep();
            self.note_surroundings(colliders);
        }
    }
}

impl Member for Rope {
    fn begin(&mut self, tick: &Tick, rigids: &[Rigid]) -> Option<Substeps> {
        self.begin_tick(tick, rigids)
    }

    fn strand(&mut self) -> Option<&mut Rope> {
        Some(self)
    }

    fn is_anchored(&self) -> bool {
        Rope::is_anchored(self)
    }

    fn advance(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]) {
        let wound = self.wound(tick.delta) / moment.left as f32;
        self.coupling.reeled = wound.abs();
        if wound != 0.0 {
            let points = self.points.len();
            self.reel(wound);
            self.renumber_ties();
            if self.points.len() != points {
                // What was near to what has other numbers now.
                self.forget_itself();
            }
        }
        let step = self.step_of(moment.plan.h);
        self.advance_points(&step, moment.plan.count, moment.left, moment.span(), tick.colliders, rigids);
        self.collision.nearby.carry(rigids);
        self.meet_all(moment.span(), tick.colliders);
        self.hold_contacts(rigids);
    }

    fn solve(&mut self, tick: &Tick, moment: &Moment, rigids: &mut [Rigid]) {
        let step = self.step_of(moment.plan.h);
        self.settle_substep(&step, moment.span(), tick.colliders, rigids);
    }

    fn grips(&mut self) -> &mut Grips {
        self.grips_mut()
    }

    fn correct(&mut self, moment: &Moment, rigids: &mut [Rigid]) {
        self.correct_ties(rigids);
        if self.is_coupled() {
            self.rub_knots(rigids);
            self.stop_rebounds(moment.plan.h, self.coupling.reeled, rigids);
        }
    }

    fn follow(&mut self, moment: &Moment, rigids: &[Rigid]) {
        self.follow_ties(rigids);
        let step = self.step_of(moment.plan.h);
        self.feel(&step);
        self.h_before = step.h;
    }

    fn end(&mut self, tick: &Tick, plan: &Substeps, rigids: &[Rigid]) {
        self.end_tick(plan, tick.colliders, rigids);
    }
}
