//! Winding a rope in and out.
//!
//! Rope comes and goes at one end: the link there grows and shrinks with every substep, and the other points are brought after it without a
//! change of their velocities. If they got the velocity of the reel, a load would fly on when the reel stops, 127 px high at 500 px/s; no
//! game wants that. A link that has grown enough is divided, one that has shrunk enough joins its
//! neighbour; all others keep their lengths. With a fixed number of links all of them grow and shrink alike.

use super::{End, LEAST_LINK, MOST_SEGMENTS, Rope};
use glam::Vec2;

/// The wound link is divided above so many usual links and joins the next below so many. Apart enough that a length that goes to and
/// fro a little does not do so in every tick.
const LONGEST: f32 = 1.6;
const SHORTEST: f32 = 0.4;
/// A rope is not wound in farther than this, in px: two links of a pixel turn over in every step, and of two twitch for long.
pub(super) const SHORTEST_ROPE: f32 = 5.0;
/// How much is wound in one part, in the shortest link's lengths, and the most parts of a substep.
const LONGEST_PART: f32 = 0.4;
const MOST_PARTS: u32 = 64;
/// The fastest that a large change of length is wound, in px/s, or else in so many seconds.
const FASTEST: f32 = 4000.0;
const LONGEST_TIME: f32 = 0.5;

impl Rope {
    /// Begins to wind it to the length that its settings say.
    pub(super) fn wind(&mut self) {
        let length = self.reshaped_length();
        let links = if self.settings.segments > 0 { self.lengths.len() } else { 2 };
        self.target_length = self.global_length(length, links).max(SHORTEST_ROPE);
        self.winding_limit = FASTEST.max((self.target_length - self.mass_length).abs() / LONGEST_TIME);
    }

    /// By how many px it is to be wound in a tick of `delta` seconds.
    pub(super) fn wound(&self, delta: f32) -> f32 {
        let rest = self.target_length - self.mass_length;
        // What rounding leaves of a sum of lengths is no wish.
        let noise = 1e-6 * self.target_length;
        let limit = self.winding_limit * delta;
        if rest.abs() <= noise { 0.0 } else { rest.clamp(-limit, limit) }
    }

    /// Winds it by `amount` px, out if positive.
    pub(super) fn reel(&mut self, amount: f32) {
        // Farther than a part of a link at once it might be brought after the reel folded.
        let mut left = amount;
        for part in (0..MOST_PARTS).rev() {
            let shortest = self.lengths.iter().copied().fold(self.pitch, f32::min);
            let longest = if part > 0 { LONGEST_PART * shortest.max(0.0) } else { f32::INFINITY };
            let part = left.clamp(-longest, longest);
            self.reel_part(part);
            left -= part;
            if left == 0.0 {
                break;
            }
        }
    }

    fn reel_part(&mut self, amount: f32) {
        let wanted = self.mass_length + amount;
        let links = self.lengths.len();
        let divisible = self.settings.segments == 0 && links < MOST_SEGMENTS as usize && links > 1;
        if divisible {
            let end = self.settings.reel_end;
            let reel = self.reel_link();
            self.lengths[reel] += amount;
            while self.lengths[self.reel_link()] > LONGEST * self.pitch && self.lengths.len() < MOST_SEGMENTS as usize {
                self.divide(end);
            }
            while self.lengths[self.reel_link()] < SHORTEST * self.pitch && self.lengths.len() > 2 {
                self.join(end);
            }
            if self.lengths.len() == 2 {
                self.share(wanted);
            }
        } else {
            let factor = wanted / self.mass_length;
            self.lengths.iter_mut().for_each(|length| *length = (*length * factor).max(LEAST_LINK));
            self.pitch *= factor;
        }
        self.weigh();
        self.slide(amount, !divisible);
        self.settle();
    }

    /// Moves the points along the rope by what was wound, away from the reel. Left to the solver alone, light points would step aside
    /// and a heavy load stay where it is. `even`: all links have grown alike.
    fn slide(&mut self, amount: f32, even: bool) {
        let last = self.lengths.len();
        let (reel, far) = if self.settings.reel_end == End::Start { (0, last) } else { (last, 0) };
        let held = |i: usize| self.points.inv_mass[i] <= 0.0;
        if !held(reel) && !even {
            // It grows into the air at its free end.
            let way = self.direction_from(far, reel) * amount;
            return self.points.set_position(reel, self.points.position(reel) + way);
        }
        let (root, tip) = if held(far) && !held(reel) { (far, reel) } else { (reel, far) };
        let outward = |n: usize| if root < tip { root + n } else { root - n };
        let stop = (1..=last).find(|&n| held(outward(n)));
        if even && stop.is_some() {
            return;
        }
        let count = stop.map_or(last, |stop| stop - 1);
        let whole: f32 = (1..=stop.unwrap_or(last)).map(|n| self.link_before(outward(n), root)).sum();
        let mut beyond = stop.map_or(0.0, |stop| self.link_before(outward(stop), root));
        // From the far end, so that no direction is taken from what has been moved already.
        for i in (1..=count).rev().map(outward) {
            let share = match (even, stop) {
                (true, _) => 1.0 - beyond / whole,
                (false, None) => 1.0,
                (false, Some(_)) => beyond / whole,
            };
            let way = self.direction_from(root, i) * (amount * share);
            self.points.set_position(i, self.points.position(i) + way);
            beyond += self.link_before(i, root);
        }
    }

    /// Direction of the link between point `i` and the next one towards `root`, away from `root`.
    fn direction_from(&self, root: usize, i: usize) -> Vec2 {
        let before = if i > root { i - 1 } else { i + 1 };
        (self.points.position(i) - self.points.position(before)).normalize_or_zero()
    }

    /// Rest length of the link between point `i` and the next one towards `root`.
    fn link_before(&self, i: usize, root: usize) -> f32 {
        if i > root { self.lengths[i - 1] } else { self.lengths[i] }
    }

    fn reel_link(&self) -> usize {
        match self.settings.reel_end {
            End::Start => 0,
            End::End => self.lengths.len() - 1,
        }
    }

    /// Divides `length` px among two links: the wound one gives first, down to its shortest, then the other, then both alike.
    pub(super) fn share(&mut self, length: f32) {
        let least = SHORTEST * self.pitch;
        let other = if length >= self.pitch + least { self.pitch } else { (length - least).max(0.5 * length) };
        let reel = self.reel_link();
        self.lengths[reel] = length - other;
        self.lengths[1 - reel] = other;
    }

    /// Divides the wound link so that the part away from the reel has the usual length.
    fn divide(&mut self, end: End) {
        let links = self.lengths.len();
        let reel = self.reel_link();
        let long = self.lengths[reel];
        let part = 1.0 - self.pitch / long;
        let (point, t) = match end {
            End::Start => (1, part),
            End::End => (links, 1.0 - part),
        };
        self.insert_point(point, t);
        self.lengths[reel] = long - self.pitch;
        let beside = if end == End::Start { 1 } else { links - 1 };
        self.lengths.insert(beside, self.pitch);
        self.tension.insert(reel, self.tension[reel]);
        self.links_changed(end, 1);
    }

    /// Puts a point between the points `point - 1` and `point`, at the part `t` of the way. What belongs to links is left to the caller.
    pub(super) fn insert_point(&mut self, point: usize, t: f32) {
        self.points.insert(point, t);
        self.collision.contacts.forget();
        self.collision.pegs.clear();
        self.air.insert(point);
        let Self { tick_start, scratch, .. } = self;
        for array in [&mut tick_start.x, &mut tick_start.y, &mut scratch.x, &mut scratch.y] {
            array.insert(point, array[point - 1] + (array[point] - array[point - 1]) * t);
        }
        if !self.forces.is_empty() {
            self.forces.insert(point, Vec2::ZERO);
        }
        self.pins.iter_mut().filter(|pin| pin.point >= point).for_each(|pin| pin.point += 1);
    }

    /// Joins the wound link with its neighbour. A pin between them has been wound in.
    fn join(&mut self, end: End) {
        let links = self.lengths.len();
        let (point, reel, beside) = match end {
            End::Start => (1, 0, 1),
            End::End => (links - 1, links - 1, links - 2),
        };
        self.points.remove(point);
        self.collision.contacts.forget();
        self.collision.pegs.clear();
        self.air.remove(point);
        let Self { tick_start, scratch, .. } = self;
        for array in [&mut tick_start.x, &mut tick_start.y, &mut scratch.x, &mut scratch.y] {
            array.remove(point);
        }
        if !self.forces.is_empty() {
            self.forces.remove(point);
        }
        self.lengths[beside] += self.lengths[reel];
        self.lengths.remove(reel);
        self.tension.remove(reel);
        self.pins.retain(|pin| pin.point != point);
        for pin in self.pins.iter_mut().filter(|pin| pin.point > point) {
            pin.point -= 1;
        }
        self.links_changed(end, -1);
    }

    fn links_changed(&mut self, end: End, by: i64) {
        if end == End::Start {
            self.reeled += by;
        }
        self.rest_bends.clear();
        self.solver.reserve(self.lengths.len());
        self.pins_changed();
    }
}
