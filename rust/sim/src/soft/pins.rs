//! Which points of a soft body are held, and by what.

use super::SoftBody;
use crate::frame::Pose;
use crate::mesh::Mesh;
use crate::rope::{FARTHEST, Grip, Holder, Pin};
use glam::Vec2;

/// How near to a side of its box a point of the outline belongs to that side, as a part of the box: where the outline is flatter there than 45 degrees,
/// and where it is not.
const NEAR_SIDE: f32 = 0.08;
const AT_SIDE: f32 = 1e-3;

/// Sides of a body's box at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Where y is least.
    pub top: bool,
    /// Where x is most.
    pub right: bool,
    /// Where y is most.
    pub bottom: bool,
    /// Where x is least.
    pub left: bool,
}

impl Sides {
    /// The points of an outline on any of the sides, in ascending order.
    pub fn points(&self, mesh: &Mesh) -> Vec<usize> {
        let outline = mesh.outline.iter().map(|&i| mesh.points[i as usize]);
        let bounds = crate::bounds::Bounds::of(outline);
        let size = (bounds.max - bounds.min).max(Vec2::splat(f32::MIN_POSITIVE));
        let count = mesh.outline.len();
        let at = |k: usize| mesh.points[mesh.outline[k % count] as usize];
        let is_on = |k: usize| {
            let (low, high) = ((at(k) - bounds.min) / size, (bounds.max - at(k)) / size);
            let along = (at(k + 1) - at(k + count - 1)).abs();
            let (level, upright) = if along.x >= along.y { (NEAR_SIDE, AT_SIDE) } else { (AT_SIDE, NEAR_SIDE) };
            (self.left && low.x <= upright)
                || (self.top && low.y <= level)
                || (self.right && high.x <= upright)
                || (self.bottom && high.y <= level)
        };
        let mut found: Vec<usize> = (0..count).filter(|&k| is_on(k)).map(|k| mesh.outline[k] as usize).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl SoftBody {
    /// The held points, in the order of their indices.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    fn find_pin(&self, i: usize) -> Result<usize, usize> {
        self.pins.binary_search_by_key(&i, |pin| pin.point)
    }

    /// Whether point `i` is held.
    pub fn is_pinned(&self, i: usize) -> bool {
        self.find_pin(i).is_ok()
    }

    /// Lets its own node hold these points where they are at rest, and no others.
    pub fn pin_at_rest(&mut self, points: &[usize]) {
        self.pins.retain(|pin| pin.holder.is_some());
        for &i in points {
            if let Some(&offset) = self.mesh.points.get(i) {
                self.put_pin(Pin { point: i, offset, holder: None, grip: Grip::Firm });
            }
        }
        if self.fresh {
            self.lay_moving();
        }
        self.pins_changed();
    }

    /// Holds point `i` where it is now, by the body's own node or by another.
    pub fn pin(&mut self, i: usize, holder: Option<Holder>) {
        let pose = holder.map_or(self.pose, |holder| holder.pose);
        let offset = pose.unturn(self.points.position(i) - self.frame.to_local(pose.origin));
        self.put_pin(Pin { point: i, offset, holder, grip: Grip::Firm });
        self.pins_changed();
    }

    /// Lets point `i` go.
    pub fn unpin(&mut self, i: usize) {
        if let Ok(index) = self.find_pin(i) {
            self.pins.remove(index);
            self.pins_changed();
        }
    }

    /// Moves the pin of point `i` to a global position; the point follows within the next tick.
    pub fn set_pin_position(&mut self, i: usize, position: Vec2) {
        let Ok(index) = self.find_pin(i) else { return };
        let pose = self.pins[index].holder.map_or(self.pose, |holder| holder.pose);
        self.pins[index].offset = pose.unturn(position - pose.origin);
        self.wake();
    }

    /// Holds point `i` at `offset` (local to the holder) with a grip that may yield. It comes there within the next tick.
    pub fn seize(&mut self, i: usize, holder: Holder, offset: Vec2, grip: Grip) {
        self.pins.retain(|pin| pin.holder.is_none_or(|other| other.key != holder.key));
        self.put_pin(Pin { point: i, offset, holder: Some(holder), grip });
        self.pins_changed();
    }

    /// Lets go all that this holder holds.
    pub fn let_go(&mut self, key: u64) {
        let before = self.pins.len();
        self.pins.retain(|pin| pin.holder.is_none_or(|holder| holder.key != key));
        if self.pins.len() != before {
            self.pins_changed();
        }
    }

    /// A holder is here in this tick. False if it holds nothing.
    pub fn set_holder_pose(&mut self, key: u64, pose: Pose) -> bool {
        let mut any = false;
        let mut moved = false;
        for holder in self.pins.iter_mut().filter_map(|pin| pin.holder.as_mut()).filter(|holder| holder.key == key) {
            any = true;
            if pose.is_finite() && pose.origin.abs().max_element() <= FARTHEST && holder.pose != pose {
                holder.pose = pose;
                moved = true;
            }
        }
        if moved {
            self.wake();
        }
        any
    }

    fn put_pin(&mut self, pin: Pin) {
        match self.find_pin(pin.point) {
            Ok(index) => self.pins[index] = pin,
            Err(index) => self.pins.insert(index, pin),
        }
    }

    fn pins_changed(&mut self) {
        self.weigh();
        self.wake();
    }

    /// Where a pin holds its point, relative to the frame.
    pub(super) fn held_at(&self, pin: &Pin) -> Vec2 {
        self.frame.carried(pin.holder.as_ref().map_or(&self.pose, |holder| &holder.pose), pin.offset)
    }
}
