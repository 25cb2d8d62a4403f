//! Dividing a rope in two.

use super::reel::SHORTEST_ROPE;
use super::{End, Grip, LEAST_LENGTH, LEAST_MASS, Rope};
use glam::Vec2;

/// A cut nearer to a point than this part of a link goes through the point.
const NEAR_POINT: f32 = 0.3;
/// The shortest piece that a cut leaves, in px.
const SHORTEST_STUMP: f32 = 0.1;

impl Rope {
    /// Cuts link `link` at the part `t` of its length. The part before the cut stays this rope, free at its new end; the other, which is
    /// returned, takes along its pins, its end and what hangs there. None if there is no such link, or it is too short to be cut.
    pub fn cut(&mut self, link: usize, t: f32) -> Option<Rope> {
        let last = self.lengths.len() - 1;
        if link > last {
            return None;
        }
        let t = if t < NEAR_POINT && link > 0 {
            0.0
        } else if t > 1.0 - NEAR_POINT && link < last {
            1.0
        } else {
            // A stump stays at the very ends.
            t.clamp(NEAR_POINT, 1.0 - NEAR_POINT)
        };
        if t > 0.0 && t < 1.0 && self.lengths[link] * t.min(1.0 - t) < SHORTEST_STUMP {
            return None;
        }
        self.fresh = false;
        let wait = self.target_length - self.mass_length;
        // The point at the cut: both parts have one there.
        let at = if t > 0.0 { link + 1 } else { link };
        let between = t > 0.0 && t < 1.0;
        if between {
            let long = self.lengths[link];
            self.insert_point(at, t);
            self.lengths[link] = long * t;
            self.lengths.insert(at, long * (1.0 - t));
            self.tension.insert(link, 0.0);
            for level in &mut self.rest_bends {
                level.insert(at, 0.0);
            }
        }
        let mut rest = self.clone();
        let count = self.points.len();
        self.pins.retain(|pin| pin.point <= at);
        rest.pins.retain(|pin| pin.point > at);
        rest.pins.iter_mut().for_each(|pin| pin.point -= at);
        self.keep_points(0..at + 1);
        rest.keep_points(at..count);
        self.attachments[End::End as usize] = None;
        rest.attachments[End::Start as usize] = None;
        let own = self.pins.last().filter(|pin| pin.point == at && pin.grip == Grip::Firm && pin.holder.is_none());
        self.settings.end_pinned = own.is_some();
        self.settings.end_position = own.map_or(self.settings.end_position, |pin| pin.offset);
        rest.settings.start_pinned = false;
        self.settings.end_mass = 0.0;
        // Its points keep their names.
        rest.reeled -= at as i64 - i64::from(between);
        let size = |rope: &Rope| (rope.lengths.iter().sum::<f32>(), rope.lengths.len());
        let (before, behind) = (size(self), size(&rest));
        let more = |missing: (f32, usize), (length, links)| (missing.0 + length, missing.1 + links);
        self.missing[1] = more(self.missing[1], behind);
        rest.missing[0] = more(rest.missing[0], before);
        let at_start = self.settings.reel_end == End::Start;
        self.become_part(if at_start { wait } else { 0.0 });
        rest.become_part(if at_start { 0.0 } else { wait });
        Some(rest)
    }

    /// Where a stroke first crosses it: the link, and the part of its length.
    pub fn crossing(&self, from: Vec2, to: Vec2, after: f32) -> Option<(usize, f32)> {
        let (from, to) = (self.frame.to_local(from), self.frame.to_local(to));
        let stroke = to - from;
        (after.max(0.0) as usize..self.lengths.len()).find_map(|k| {
            let (a, b) = (self.points.position(k), self.points.position(k + 1));
            let link = b - a;
            let across = link.perp_dot(stroke);
            if across == 0.0 {
                return None;
            }
            let t = (from - a).perp_dot(stroke) / across;
            let s = (from - a).perp_dot(link) / across;
            // Where a stroke begins the one before it has ended: together they cut once.
            ((0.0..=1.0).contains(&t) && s > 0.0 && s <= 1.0 && k as f32 + t > after).then_some((k, t))
        })
    }

    /// The nearest place to `center` of the first stretch of rope after `after` (a link and a part of it) that is within `radius`; and where that
    /// stretch ends.
    pub fn passage(&self, center: Vec2, radius: f32, after: usize) -> Option<((usize, f32), usize)> {
        let center = self.frame.to_local(center);
        let nearest = |k: usize| self.nearest_on_link(k, center);
        let inside = |k: &usize| nearest(*k).1 <= radius;
        let first = (after..self.lengths.len()).find(inside)?;
        let end = (first..self.lengths.len()).find(|k| !inside(k)).unwrap_or(self.lengths.len());
        let best = (first..end).min_by(|&a, &b| nearest(a).1.total_cmp(&nearest(b).1))?;
        Some(((best, nearest(best).0), end))
    }

    /// Cuts an end off from what holds it and what hangs there.
    pub fn cut_off(&mut self, end: End) {
        let point = self.end_point(end);
        self.fresh = false;
        if end == End::End {
            self.settings.end_mass = 0.0;
        }
        self.unpin(point);
        // What pulled before pulls no more.
        self.tension.fill(0.0);
        self.weigh();
        self.wake();
    }

    fn keep_points(&mut self, range: std::ops::Range<usize>) {
        let keep = |array: &mut Vec<f32>, range: std::ops::Range<usize>| {
            array.truncate(range.end);
            array.drain(..range.start);
        };
        self.points.keep(range.clone());
        self.collision.contacts.forget();
        self.collision.pegs.clear();
        keep(&mut self.tick_start.x, range.clone());
        keep(&mut self.tick_start.y, range.clone());
        let links = range.start..range.end - 1;
        keep(&mut self.lengths, links.clone());
        keep(&mut self.tension, links);
        for level in &mut self.rest_bends {
            keep(level, range.clone());
        }
        self.forces.clear();
        // Who stood there is told anew in the next tick.
        self.loads = super::loads::Loads::default();
        self.air.calm_down();
    }

    /// Makes the settings those of the part that is left; `wait` px are still to be wound.
    fn become_part(&mut self, wait: f32) {
        let whole = self.mass_length;
        let length: f32 = self.lengths.iter().sum();
        self.settings.mass = (self.settings.mass * length / whole).max(LEAST_MASS);
        let wanted = if wait == 0.0 { length } else { (length + wait).max(SHORTEST_ROPE) };
        self.settings.length = (wanted / self.scale).max(LEAST_LENGTH);
        if self.settings.segments > 0 {
            self.settings.segments = self.lengths.len() as u32;
        }
        self.target_length = wanted;
        // What pulled before pulls no more: it would tear the parts again.
        self.tension.fill(0.0);
        self.torn = None;
        self.scratch.resize(self.points.len());
        self.solver.reserve(self.lengths.len());
        self.pins_changed();
    }
}
