//! Which points are held, and by what.

use super::{End, Rope, RopeSettings};
use crate::frame::Pose;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A held point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    /// The point's index.
    pub point: usize,
    /// Where its holder holds it, local to the holder.
    pub offset: Vec2,
    /// The other node, or hand, that holds it; None: the rope's own node.
    pub holder: Option<Holder>,
    /// How firmly it is held.
    pub grip: Grip,
}

/// How firmly a point is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Grip {
    /// It is where its holder has it, whatever pulls.
    #[default]
    Firm,
    /// As by a hand: within the reach of the rope, and with no more than this force in kg px/s2; 0: with any.
    Hand(f32),
}

/// What holds points, other than the rope's own node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holder {
    /// What tells it from others.
    pub key: u64,
    /// Where it is.
    pub pose: Pose,
}

impl Rope {
    /// The held points, in the order of their indices.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Whether point `i` is held.
    pub fn is_pinned(&self, i: usize) -> bool {
        self.find_pin(i).is_ok()
    }

    /// The index of the point at an end.
    pub fn end_point(&self, end: End) -> usize {
        match end {
            End::Start => 0,
            End::End => self.point_count() - 1,
        }
    }

    /// Holds point `i` where it is now, by the rope's own node or by another.
    pub fn pin(&mut self, i: usize, holder: Option<Holder>) {
        let pose = holder.map_or(self.pose, |holder| holder.pose);
        let offset = pose.unturn(self.points.position(i) - self.frame.to_local(pose.origin));
        self.put_pin(Pin { point: i, offset, holder, grip: Grip::Firm });
        self.note_end(i, true);
    }

    /// Lets point `i` go; an end also of what it is tied to.
    pub fn unpin(&mut self, i: usize) {
        for end in End::BOTH {
            if self.end_point(end) == i {
                self.attachments[end as usize] = None;
            }
        }
        if let Ok(index) = self.find_pin(i) {
            self.pins.remove(index);
            self.pins_changed();
            self.note_end(i, false);
        }
    }

    /// Moves the pin of point `i` to a global position; the point follows within the next tick. For the end that the rope's own node
    /// holds it is the same as setting `end_position`.
    pub fn set_pin_position(&mut self, i: usize, position: Vec2) {
        let Ok(index) = self.find_pin(i) else { return };
        let pin = self.pins[index];
        let pose = pin.holder.map_or(self.pose, |holder| holder.pose);
        let offset = pose.unturn(position - pose.origin);
        if i == self.point_count() - 1 && pin.holder.is_none() {
            self.set_settings(RopeSettings { end_position: offset, ..self.settings });
        } else {
            self.pins[index].offset = offset;
            self.wake();
        }
    }

    /// Holds point `i` at `offset` (local to the holder) with a grip that may yield. It comes there within the next tick.
    pub fn seize(&mut self, i: usize, holder: Holder, offset: Vec2, grip: Grip) {
        // What it held before it lets go.
        self.pins.retain(|pin| pin.holder.is_none_or(|other| other.key != holder.key));
        self.put_pin(Pin { point: i, offset, holder: Some(holder), grip });
    }

    /// Ties an end to another node at `offset` (local to it), or, with None, unties it: then the rope's own node holds it, if the
    /// settings say so.
    pub fn attach(&mut self, end: End, to: Option<(Holder, Vec2)>) {
        let old = std::mem::replace(&mut self.attachments[end as usize], to);
        if to == old {
            return;
        }
        let point = self.end_point(end);
        if let (Ok(index), Some((old, _))) = (self.find_pin(point), old)
            && self.pins[index].holder.is_some_and(|holder| holder.key == old.key)
        {
            self.pins.remove(index);
        }
        self.hold_end(end);
        if end == End::Start {
            self.aim();
        }
        self.pins_changed();
        if self.fresh {
            self.lay();
        }
    }

    /// What an end is tied to.
    pub fn attachment(&self, end: End) -> Option<(Holder, Vec2)> {
        self.attachments[end as usize]
    }

    /// Moves all pins of the holder with this key along to its pose; false if it holds nothing.
    pub fn set_holder_pose(&mut self, key: u64, pose: Pose) -> bool {
        let attached = self.attachments.iter_mut().flatten().map(|(holder, _)| holder);
        let pinned = self.pins.iter_mut().filter_map(|pin| pin.holder.as_mut());
        let mut holds = false;
        let mut moved = false;
        for holder in attached.chain(pinned).filter(|holder| holder.key == key) {
            holds = true;
            if pose.is_finite() && holder.pose != pose {
                holder.pose = pose;
                moved = true;
            }
        }
        if moved {
            self.wake();
            if self.fresh {
                self.lay();
            }
        }
        holds
    }

    /// Takes the hand with this key away: an end that it held goes back to what holds it otherwise.
    pub fn let_go(&mut self, key: u64) {
        let held = |pin: &Pin| pin.holder.is_some_and(|holder| holder.key == key);
        let lost: Vec<usize> = self.pins.iter().filter(|pin| held(pin)).map(|pin| pin.point).collect();
        if lost.is_empty() {
            return;
        }
        self.pins.retain(|pin| !held(pin));
        for end in End::BOTH {
            if lost.contains(&self.end_point(end)) {
                self.hold_end(end);
            }
        }
        self.pins_changed();
    }

    /// Lets all points go that the holder with this key holds.
    pub fn release(&mut self, key: u64) {
        let held = |holder: &Holder| holder.key == key;
        for attachment in &mut self.attachments {
            attachment.take_if(|(holder, _)| held(holder));
        }
        for index in (0..self.pins.len()).rev() {
            let pin = self.pins[index];
            if pin.holder.as_ref().is_some_and(held) {
                self.pins.remove(index);
                if pin.grip == Grip::Firm {
                    self.note_end(pin.point, false);
                }
            }
        }
        self.pins_changed();
    }

    /// Where the pin of a held point is, relative to the frame.
    pub(super) fn pin_target(&self, pin: &Pin) -> Vec2 {
        self.frame.carried(pin.holder.as_ref().map_or(&self.pose, |holder| &holder.pose), pin.offset)
    }

    /// Where an end is to be held, relative to the frame.
    pub(super) fn end_target(&self, end: End) -> Option<Vec2> {
        let (holder, offset) = self.end_hold(end)?;
        Some(self.frame.carried(holder.as_ref().map_or(&self.pose, |holder| &holder.pose), offset))
    }

    /// By what, and where on it, an end is to be held.
    fn end_hold(&self, end: End) -> Option<(Option<Holder>, Vec2)> {
        let own = match end {
            End::Start => self.settings.start_pinned.then_some(Vec2::ZERO),
            End::End => self.settings.end_pinned.then_some(self.settings.end_position),
        };
        let attached = self.attachments[end as usize].map(|(holder, offset)| (Some(holder), offset));
        attached.or(own.map(|offset| (None, offset)))
    }

    /// Puts every held point where its holder has it, at rest.
    pub(super) fn put_pins(&mut self) {
        for index in 0..self.pins.len() {
            let pin = self.pins[index];
            if pin.grip == Grip::Firm {
                self.points.place(pin.point, self.pin_target(&pin));
            }
        }
    }

    /// Brings the pins of the two ends in line with the settings, as far as these differ from what was set `before`; with None
    /// in all.
    pub(super) fn hold_ends(&mut self, before: Option<&RopeSettings>) {
        let now = self.settings;
        if before.is_none_or(|before| before.start_pinned != now.start_pinned) {
            self.hold_end(End::Start);
        }
        let end = |settings: &RopeSettings| (settings.end_pinned, settings.end_position);
        if before.is_none_or(|before| end(before) != end(&now)) {
            self.hold_end(End::End);
        }
        self.pins_changed();
    }

    fn hold_end(&mut self, end: End) {
        let point = self.end_point(end);
        let wanted = self.end_hold(end);
        match (self.find_pin(point), wanted) {
            (Ok(index), None) if self.pins[index].grip == Grip::Firm => {
                self.pins.remove(index);
            }
            // What a script pinned to another node stays there.
            (Ok(index), Some((None, offset))) if self.pins[index].holder.is_none() => self.pins[index].offset = offset,
            (Ok(index), Some((holder @ Some(_), offset))) => {
                self.pins[index] = Pin { point, offset, holder, grip: Grip::Firm };
            }
            (Err(index), Some((holder, offset))) => {
                self.pins.insert(index, Pin { point, offset, holder, grip: Grip::Firm });
            }
            _ => (),
        }
    }

    /// Keeps pins at the same part of the length when the number of links changes. Those of the two ends stay there, and no other
    /// becomes one.
    pub(super) fn move_pins_along(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        // A single link has nothing between its ends.
        self.pins.retain(|pin| to > 1 || pin.point == 0 || pin.point == from);
        for pin in &mut self.pins {
            pin.point = match pin.point {
                0 => 0,
                point if point == from => to,
                point => ((point * to + from / 2) / from).clamp(1, to - 1),
            };
        }
        self.pins.dedup_by_key(|pin| pin.point);
    }

    fn put_pin(&mut self, pin: Pin) {
        if pin.point == self.point_count() - 1 && pin.holder.is_none() {
            self.settings.end_position = pin.offset;
        }
        match self.find_pin(pin.point) {
            Ok(index) => self.pins[index] = pin,
            Err(index) => self.pins.insert(index, pin),
        }
        self.pins_changed();
    }

    pub(super) fn find_pin(&self, point: usize) -> Result<usize, usize> {
        self.pins.binary_search_by_key(&point, |pin| pin.point)
    }

    /// Takes down in the settings whether point `i` is held, if it is an end.
    fn note_end(&mut self, i: usize, held: bool) {
        if i == 0 {
            self.settings.start_pinned = held;
        } else if i == self.point_count() - 1 {
            self.settings.end_pinned = held;
        }
    }

    /// Rebuilds what depends on which points are held.
    pub(super) fn pins_changed(&mut self) {
        let mut spans = std::mem::take(&mut self.spans);
        self.fill_spans(&mut spans, |_| true);
        self.spans = spans;
        self.weigh();
        self.wake();
    }

    /// First and last point of each part between those pins that hold.
    pub(super) fn fill_spans(&self, spans: &mut Vec<(usize, usize)>, holds: impl Fn(&Pin) -> bool) {
        let last = self.point_count() - 1;
        spans.clear();
        let mut first = 0;
        for pin in self.pins.iter().filter(|pin| holds(pin)) {
            if pin.point > first {
                spans.push((first, pin.point));
            }
            first = pin.point;
        }
        if first < last {
            spans.push((first, last));
        }
    }
}
