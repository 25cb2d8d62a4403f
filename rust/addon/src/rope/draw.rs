//! Drawing a rope: one strip of triangles in the node's own coordinates.
//!
//! The frame shows the node where it is now, which may be later than the last tick (it was moved in `_process`) or
//! between two ticks (physics interpolation). Held points are drawn exactly where their holders are in this frame; the
//! free ones between them are shifted in proportion, so that no gap shows and nothing jerks.

use super::body::{RopeBody, key};
use crate::convert::{pose, vec2, vector2};
use crate::draw::mesh::StripMesh;
use crate::draw::strip;
use crate::world::{Seat, lock, monitors, transform_of};
use godot::classes::Engine;
use godot::prelude::*;
use std::time::Instant;
use supple_sim::Vec2;

/// The square of a scale below which a transform has no direction.
const FLAT: f32 = 1e-20;

/// A shift of the picture that nobody sees, in px.
const UNSEEN: f32 = 1e-3;

/// The width of a new rope in px.
const WIDTH: f32 = 4.0;

/// How it looks, and what is kept from frame to frame.
pub struct Look {
    /// Width in px, local to the node.
    pub width: f32,
    /// The node's global transform in the last drawing.
    pub drawn_at: Transform2D,
    pub mesh: StripMesh,
    /// Points relative to the node, in global directions.
    offsets: Vec<Vec2>,
    /// The same in the node's own coordinates.
    line: Vec<Vector2>,
    /// By how much held points are drawn off their simulated places.
    shifts: Vec<(usize, Vec2)>,
    corners: Vec<Vector2>,
    /// Where the node was drawn.
    origin: Vec2,
}

impl Default for Look {
    fn default() -> Self {
        Look {
            width: WIDTH,
            drawn_at: Transform2D::IDENTITY,
            mesh: StripMesh::default(),
            offsets: Vec::new(),
            line: Vec::new(),
            shifts: Vec::new(),
            corners: Vec::new(),
            origin: Vec2::ZERO,
        }
    }
}

impl RopeBody {
    /// Brings the mesh to where the points are in this frame; true if the node must be redrawn to show it. `now` is the
    /// node's global transform; with `interpolated` the frame lies between two ticks.
    pub fn update_mesh(&self, now: Transform2D, interpolated: bool) -> bool {
        let began = Instant::now();
        self.catch_up(|| now);
        let fraction = if interpolated { Engine::singleton().get_physics_interpolation_fraction() as f32 } else { 1.0 };
        let before = self.transform_before();
        let shown = pose(blend(before, now, fraction));
        let look = &mut *lock(&self.look);
        look.drawn_at = now;
        {
            let holders = lock(&self.holders);
            let rope = lock(&self.rope);
            look.offsets.resize(rope.point_count(), Vec2::ZERO);
            rope.drawn(shown.origin, fraction, |i, offset| look.offsets[i] = offset);
            look.shifts.clear();
            for pin in rope.pins() {
                let (before, here) = match pin.holder {
                    None => (before, now),
                    Some(pin_holder) => {
                        let holder = holders.iter().find(|holder| key(holder.node) == pin_holder.key);
                        let Some(holder) = holder else { continue };
                        let here = transform_of(holder.node).unwrap_or(holder.shown.noticed);
                        (holder.shown.before, here)
                    }
                };
                let holder = pose(blend(before, here, fraction));
                let wanted = (holder.origin - shown.origin) + holder.turn(pin.offset);
                look.shifts.push((pin.point, wanted - look.offsets[pin.point]));
            }
            for rider in lock(&self.riders).iter() {
                let (index, place) = match rider.seat {
                    Seat::Start => (0, 0),
                    Seat::End => (rope.point_count() - 1, look.shifts.len()),
                    _ => continue,
                };
                if look.shifts.iter().all(|(point, _)| *point != index) {
                    let here = transform_of(rider.node).unwrap_or(rider.shown.noticed);
                    let carried = pose(blend(rider.shown.before, here, fraction));
                    let wanted = (carried.origin - shown.origin) + carried.turn(vec2(rider.offset));
                    look.shifts.insert(place, (index, wanted - look.offsets[index]));
                }
            }
        }
        look.origin = shown.origin;
        spread(&mut look.offsets, &look.shifts);
        look.line.clear();
        look.line.extend(look.offsets.iter().map(|&offset| vector2(shown.unturn(offset))));
        strip::corners(&look.line, look.width, &mut look.corners);
        let changed = look.mesh.update(&look.corners, || strip::uvs(look.line.len()).collect());
        monitors::record_drawing(began.elapsed());
        changed
    }
}

impl RopeBody {
    /// Where the nodes anchored to it belong in the picture that was drawn last, if that differs from the last tick.
    pub fn riders_as_drawn(&self, moved: &mut Vec<(InstanceId, Vector2)>) {
        let look = lock(&self.look);
        if look.shifts.iter().all(|(_, shift)| shift.length() < UNSEEN) {
            return;
        }
        let riders = lock(&self.riders);
        let rope = lock(&self.rope);
        for rider in riders.iter() {
            let (link, part) = match rider.seat {
                Seat::Point(point) => rope.link_of_point(point),
                Seat::Along(offset) => rope.link_at(offset),
                Seat::Start | Seat::End => continue,
            };
            let Some([from, to]) = look.offsets.get(link..link + 2).map(|pair| [pair[0], pair[1]]) else { continue };
            let Some(now) = transform_of(rider.node) else { continue };
            let place = look.origin + from.lerp(to, part);
            moved.push((rider.node, vector2(place) - now.basis_xform(rider.offset)));
        }
    }
}

/// A transform between two ticks as the engine shows it; the later one where it is not between (flat or mirrored on the
/// way), which is what the engine falls back to.
fn blend(before: Transform2D, now: Transform2D, fraction: f32) -> Transform2D {
    let turned = |t: &Transform2D| t.a.length_squared() > FLAT && t.b.length_squared() > FLAT && t.is_finite();
    if fraction >= 1.0 || before == now || !turned(&before) || !turned(&now) {
        return now;
    }
    before.interpolate_with(&now, fraction)
}

/// Shifts held points by `shifts`, and those between in proportion; beyond the last held point the shift fades to
/// nothing at the free end.
fn spread(offsets: &mut [Vec2], shifts: &[(usize, Vec2)]) {
    if shifts.iter().all(|(_, shift)| *shift == Vec2::ZERO) {
        return;
    }
    let last = offsets.len() - 1;
    let (Some(&(first_held, first_shift)), Some(&(last_held, last_shift))) = (shifts.first(), shifts.last()) else {
        return;
    };
    for (i, offset) in offsets.iter_mut().enumerate().take(first_held) {
        *offset += first_shift * (i as f32 / first_held as f32);
    }
    for pair in shifts.windows(2) {
        let ((from, shift), (to, next_shift)) = (pair[0], pair[1]);
        for (k, offset) in offsets[from..to].iter_mut().enumerate() {
            *offset += shift.lerp(next_shift, k as f32 / (to - from) as f32);
        }
    }
    for (k, offset) in offsets[last_held..].iter_mut().enumerate() {
        let fade = if last > last_held { 1.0 - k as f32 / (last - last_held) as f32 } else { 1.0 };
        *offset += last_shift * fade;
    }
}
