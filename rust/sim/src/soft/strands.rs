//! Ropes that may touch the soft bodies of a pile.
//!
//! They are solved for with these: a push moves the points of a rope as if they were free, and in the next substep the
//! rope brings its links to their lengths. What rests on a rope therefore stretches it
//! a little: as far as a fall of one substep takes what is so many times as heavy as the points that carry it.

use super::SoftBody;
use super::burden::{By, Squeeze, presses_otherwise};
use super::pile::Pile;
use super::response::Place;
use super::rows::{Field, Row};
use super::strand::{Meeting, Reply};
use crate::island::Ropes;
use crate::rope::Rope;
use crate::tick::Tick;
use crate::workers::Workers;
use glam::Vec2;

/// What looking for contacts costs, in nanoseconds, roughly.
const COST: usize = 5_000;
/// A body leans on ropes that carry this part of its weight.
const LEANS: f32 = 0.25;

/// A sleeping body wakes when a rope presses at it otherwise, by more than this part of its weight; or when a rope has left that carried so much of it.
const OTHER_WEIGHT: f32 = 0.5;
const LEFT: f32 = 0.1;

/// A rope of the pile.
#[derive(Debug, Default)]
struct Strand {
    /// Its number among the members of the island.
    member: usize,
    awake: bool,
}

/// All ropes that may touch bodies of a pile. The rooms are kept from tick to tick.
#[derive(Debug, Default)]
pub(super) struct Strands {
    strands: Vec<Strand>,
    replies: Vec<Reply>,
    /// In the order of the bodies, and of the ropes.
    meetings: Vec<Meeting>,
    spare: Vec<Meeting>,
    /// The first meeting of each body.
    first: Vec<usize>,
}

impl Strands {
    pub fn is_empty(&self) -> bool {
        self.meetings.is_empty()
    }

    /// Whether a body may touch ropes.
    pub fn meets(&self, body: usize) -> bool {
        !self.of(body).is_empty()
    }

    /// The meetings of a body.
    pub fn of(&self, body: usize) -> &[Meeting] {
        if self.is_empty() { &[] } else { &self.meetings[self.first[body]..self.first[body + 1]] }
    }

    /// All places on a body at which ropes may push.
    pub fn places(&self, body: usize) -> impl Iterator<Item = &Place> {
        self.of(body).iter().flat_map(|meeting| &meeting.list).map(|contact| &contact.row.place)
    }

    /// Where they touch, and how the ropes answer.
    pub fn rows(&mut self) -> (&mut [Meeting], &mut [Reply]) {
        (&mut self.meetings, &mut self.replies)
    }

    fn clear(&mut self) {
        self.spare.append(&mut self.meetings);
        self.strands.clear();
        self.first.clear();
    }

    /// Finds what touches in a substep.
    pub fn find(&mut self, ropes: &Ropes, bodies: &[&mut SoftBody], h: f32, workers: &Workers) {
        self.replies.resize_with(self.strands.len().max(self.replies.len()), Reply::default);
        for (reply, (_, rope)) in self.replies.iter_mut().zip(ropes) {
            reply.begin(rope);
        }
        let cost = COST * self.meetings.len();
        workers.for_each_mut(&mut self.meetings, cost, |_, meeting| {
            let body = &*bodies[meeting.body];
            meeting.find(&*ropes[meeting.strand].1, body, &body.step_of(h));
        });
    }

    /// Moves the ropes by what was found.
    pub fn apply(&mut self, ropes: &mut Ropes) {
        for ((strand, reply), (_, rope)) in self.strands.iter().zip(&mut self.replies).zip(ropes) {
            if strand.awake {
                reply.apply(rope);
            }
        }
    }

    /// Measures what touches after a solution; whether any of it is too deep.
    pub fn measure(&mut self, ropes: &Ropes, bodies: &[&mut SoftBody]) -> bool {
        let measure = |meeting: &mut Meeting| meeting.measure(&*ropes[meeting.strand].1, &*bodies[meeting.body]);
        self.meetings.iter_mut().fold(false, |wrong, meeting| measure(meeting) | wrong)
    }

    /// Ends a substep: remembers what pushes, and adds it up.
    pub fn remember(&mut self, bodies: &mut [&mut SoftBody], squeezes: &mut [Squeeze], h: f32) {
        for meeting in &mut self.meetings {
            let step = bodies[meeting.body].step_of(h);
            meeting.remember(&step);
            let per = 1.0 / step.acceleration_factor();
            let squeeze = &mut squeezes[meeting.body];
            meeting.list.iter().for_each(|contact| squeeze.add(contact.row.push * per, By::Soft));
        }
        for meeting in &self.meetings {
            let body = &mut bodies[meeting.body];
            let weight = body.weight();
            body.room.leans |= weight > 0.0 && meeting.force.length() > LEANS * weight;
        }
    }
}

impl Pile {
    /// Takes up the ropes of an island that may touch its bodies in a tick; those of the first `awake` members are
    /// awake.
    pub(crate) fn begin_strands(&mut self, bodies: &[&mut SoftBody], ropes: &Ropes, awake: usize, tick: &Tick) {
        let strands = &mut self.strands;
        strands.clear();
        for (member, rope) in ropes {
            let wakes = *member < awake;
            let bounds = rope.reach(tick.delta);
            let before = strands.meetings.len();
            for (index, body) in bodies.iter().enumerate().filter(|(_, body)| body.meets_rope(rope)) {
                let reach = self.bounds.get(index).copied();
                if !reach.unwrap_or_else(|| body.reach(tick.delta)).overlaps(&bounds) {
                    continue;
                }
                let mut meeting = strands.spare.pop().unwrap_or_default();
                let gives = meeting.begin(strands.strands.len(), rope, wakes, index, body);
                if gives { strands.meetings.push(meeting) } else { strands.spare.push(meeting) }
            }
            if strands.meetings.len() > before {
                strands.strands.push(Strand { member: *member, awake: wakes });
            }
        }
        strands.meetings.sort_unstable_by_key(|meeting| (meeting.body, meeting.strand));
        if !strands.is_empty() {
            let meetings = &strands.meetings;
            strands.first.extend((0..=bodies.len()).map(|body| meetings.partition_point(|known| known.body < body)));
        }
    }

    /// Whether a member of the island is a rope that may touch a body.
    pub(crate) fn has_strand(&self, member: usize) -> bool {
        self.strands.strands.binary_search_by_key(&member, |strand| strand.member).is_ok()
    }

    /// Ends a tick: the ropes remember what they met, and wake if they are pressed otherwise than before.
    pub(super) fn end_strands(&mut self, bodies: &mut [&mut SoftBody], ropes: &mut Ropes) {
        let Strands { strands, meetings, .. } = &mut self.strands;
        for meeting in meetings {
            let (body, rope) = (&mut *bodies[meeting.body], &mut *ropes[meeting.strand].1);
            if strands[meeting.strand].awake {
                rope.remember_met(body.key, meeting.memory().iter().copied(), -meeting.force);
            } else if rope.is_pressed_otherwise(body.key, -meeting.force) {
                rope.wake();
            }
            if let Some([one, other]) = meeting.touches(rope, body) {
                rope.note_soft_touch(one);
                body.note_touch(other);
            }
        }
    }
}

/// All that touches.
pub(super) fn rows(meetings: &mut [Meeting]) -> impl DoubleEndedIterator<Item = &mut Row> {
    meetings.iter_mut().flat_map(|meeting| &mut meeting.list).map(|contact| &mut contact.row)
}

/// Begins with what pushed in the last substep.
pub(super) fn begin(meetings: &mut [Meeting], field: &mut Field, first: bool) {
    rows(meetings).for_each(|row| row.begin(field, first));
}

impl SoftBody {
    /// Whether it may touch a rope at all.
    fn meets_rope(&self, rope: &Rope) -> bool {
        let (mine, ropes) = (&self.settings.collision, rope.strand_settings());
        (mine.mask & ropes.layer != 0 || ropes.mask & mine.layer != 0)
            && !self.collision.lets_through(rope.strand_key())
            && !rope.lets_through(self.key)
            && !rope.hangs_on_any(|key| self.collision.lets_through(key))
    }

    /// Takes down how ropes press at it.
    pub(super) fn lean_on_ropes(&mut self, meetings: &[Meeting]) {
        let pressing = meetings.iter().filter(|meeting| meeting.force != Vec2::ZERO);
        self.collision.leans_on.extend(pressing.map(|meeting| (meeting.key, meeting.force)));
    }

    /// Wakes it if ropes press at it otherwise than when it fell asleep.
    pub(super) fn feel_ropes(&mut self, meetings: &[Meeting]) {
        let weight = self.weight();
        let is_other = |meeting: &Meeting| {
            let known = self.collision.leans_on.iter().find(|(key, _)| *key == meeting.key);
            let then = known.map_or(Vec2::ZERO, |(_, force)| *force);
            presses_otherwise(meeting.force, then, OTHER_WEIGHT * weight, LEFT * weight)
        };
        if meetings.iter().any(is_other) {
            self.wake();
        }
    }
}
