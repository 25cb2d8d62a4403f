//! Which points are held, and by what.

use super::{Rope, RopeSettings};
use crate::frame::Pose;
use glam::Vec2;

/// A held point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The point's index.
    pub point: usize,
    /// Where its holder holds it, local to the holder.
    pub offset: Vec2,
    /// The other node that holds it; None: the rope's own.
    pub holder: Option<Holder>,
}

/// A node other than the rope's own that holds points.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Holds point `i` where it is now, by the rope's own node or by another.
    pub fn pin(&mut self, i: usize, holder: Option<Holder>) {
        let pose = holder.map_or(self.pose, |holder| holder.pose);
        let offset = pose.unturn(self.points.position(i) - self.frame.to_local(pose.origin));
        self.put_pin(Pin { point: i, offset, holder });
    }

    /// Lets point `i` go.
    pub fn unpin(&mut self, i: usize) {
        if let Ok(index) = self.find_pin(i) {
            self.pins.remove(index);
            self.pins_changed();
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

    /// Moves all pins of the holder with this key along to its pose; false if it holds nothing.
    pub fn set_holder_pose(&mut self, key: u64, pose: Pose) -> bool {
        let mut holds = false;
        let mut moved = false;
        for holder in self.pins.iter_mut().filter_map(|pin| pin.holder.as_mut()).filter(|holder| holder.key == key) {
            holds = true;
            if pose.is_finite() && holder.pose != pose {
                holder.pose = pose;
                moved = true;
            }
        }
        if moved {
            self.wake();
        }
        holds
    }

    /// Lets all points go that the holder with this key holds.
    pub fn release(&mut self, key: u64) {
        self.pins.retain(|pin| pin.holder.is_none_or(|holder| holder.key != key));
        self.pins_changed();
    }

    /// Where the pin of a held point is, relative to the frame.
    pub(super) fn pin_target(&self, pin: &Pin) -> Vec2 {
        self.frame.carried(pin.holder.as_ref().map_or(&self.pose, |holder| &holder.pose), pin.offset)
    }

    /// Puts every held point where its holder has it, at rest.
    pub(super) fn put_pins(&mut self) {
        for index in 0..self.pins.len() {
            let pin = self.pins[index];
            self.points.place(pin.point, self.pin_target(&pin));
        }
    }

    /// Brings the pins of the two ends in line with the settings, as far as these differ from what was set `before`; with None
    /// in all.
    pub(super) fn hold_ends(&mut self, before: Option<&RopeSettings>) {
        let now = self.settings;
        let last = self.point_count() - 1;
        if before.is_none_or(|before| before.start_pinned != now.start_pinned) {
            self.hold_end(0, now.start_pinned, Vec2::ZERO);
        }
        let end = |settings: &RopeSettings| (settings.end_pinned, settings.end_position);
        if before.is_none_or(|before| end(before) != end(&now)) {
            self.hold_end(last, now.end_pinned, now.end_position);
        }
        self.pins_changed();
    }

    fn hold_end(&mut self, point: usize, wanted: bool, offset: Vec2) {
        match self.find_pin(point) {
            Ok(index) if !wanted => {
                self.pins.remove(index);
            }
            Ok(index) if self.pins[index].holder.is_none() => self.pins[index].offset = offset,
            Err(index) if wanted => self.pins.insert(index, Pin { point, offset, holder: None }),
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

    fn find_pin(&self, point: usize) -> Result<usize, usize> {
        self.pins.binary_search_by_key(&point, |pin| pin.point)
    }

    /// Rebuilds what depends on which points are held.
    pub(super) fn pins_changed(&mut self) {
        let last = self.point_count() - 1;
        self.settings.start_pinned = self.is_pinned(0);
        self.settings.end_pinned = self.is_pinned(last);
        self.spans.clear();
        let mut first = 0;
        for pin in &self.pins {
            if pin.point > first {
                self.spans.push((first, pin.point));
            }
            first = pin.point;
        }
        if first < last {
            self.spans.push((first, last));
        }
        self.weigh();
        self.wake();
    }
}
