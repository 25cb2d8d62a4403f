//! Drawing a rope: one strip of triangles in the node's own coordinates.
//!
//! The frame shows the node where it is now, which may be later than the last tick (it was moved in `_process`) or
//! between two ticks (physics interpolation). Held points are drawn exactly where their holders are in this frame; the
//! free ones between them are shifted in proportion, so that no gap shows and nothing jerks.

use super::VerletRope2D;
use super::body::key;
use crate::convert::{pose, vec2, vector2};
use crate::draw::strip;
use crate::world::lock;
use crate::world::monitors;
use godot::classes::{Engine, Node2D, RenderingServer};
use godot::prelude::*;
use std::time::Instant;
use supple_sim::Vec2;
use supple_sim::frame::Pose;

/// The square of a scale below which a transform has no direction.
const FLAT: f32 = 1e-20;

/// What is kept from frame to frame.
#[derive(Default)]
pub struct Strip {
    /// The node's global transform in the last drawing.
    pub drawn_at: Transform2D,
    /// Points relative to the node, in global directions.
    offsets: Vec<Vec2>,
    /// The same in the node's own coordinates.
    line: Vec<Vector2>,
    /// By how much held points are drawn off their simulated places.
    shifts: Vec<(usize, Vec2)>,
    corners: PackedVector2Array,
    /// The same in every frame while the number of points is.
    indices: PackedInt32Array,
    uvs: PackedVector2Array,
    colors: PackedColorArray,
}

impl VerletRope2D {
    /// Submits the rope to the renderer.
    pub(super) fn draw(&mut self) {
        let began = Instant::now();
        let canvas_item = self.base().get_canvas_item();
        let fraction = self.fraction();
        let now = self.base().get_global_transform();
        self.body.catch_up(|| now);
        let shown = blend(self.body.transform_before(), now, fraction);
        let strip = &mut self.strip;
        strip.drawn_at = now;
        {
            let rope = lock(&self.body.rope);
            let origin = vec2(shown.origin);
            strip.offsets.resize(rope.point_count(), Vec2::ZERO);
            rope.drawn(origin, fraction, |i, offset| strip.offsets[i] = offset);
            strip.shifts.clear();
            let holders = lock(&self.body.holders);
            for pin in rope.pins() {
                let (before, here) = match pin.holder {
                    None => (self.body.transform_before(), now),
                    Some(pin_holder) => {
                        let holder = holders.iter().find(|holder| key(holder.node) == pin_holder.key);
                        let Some(holder) = holder else { continue };
                        let node = Gd::<Node2D>::try_from_instance_id(holder.node);
                        let here = node.map_or(holder.shown.noticed, |node| node.get_global_transform());
                        (holder.shown.before, here)
                    }
                };
                let holder = pose(blend(before, here, fraction));
                let wanted = (holder.origin - origin) + holder.turn(pin.offset);
                strip.shifts.push((pin.point, wanted - strip.offsets[pin.point]));
            }
        }
        spread(&mut strip.offsets, &strip.shifts);
        strip.submit(canvas_item, &pose(shown), self.width as f32, self.default_color);
        monitors::record_drawing(began.elapsed());
    }

    /// Where this frame lies between the last two ticks; 1 without physics interpolation.
    fn fraction(&self) -> f32 {
        let node = self.base();
        if self.joined && node.is_inside_tree() && node.is_physics_interpolated_and_enabled() {
            Engine::singleton().get_physics_interpolation_fraction() as f32
        } else {
            1.0
        }
    }
}

impl Strip {
    fn submit(&mut self, canvas_item: Rid, shown: &Pose, width: f32, color: Color) {
        let count = self.offsets.len();
        self.line.clear();
        self.line.extend(self.offsets.iter().map(|&offset| vector2(shown.unturn(offset))));
        strip::corners(&self.line, width, &mut self.corners);
        if self.uvs.len() != 2 * count {
            self.indices = strip::indices(count);
            self.uvs = strip::uvs(count);
        }
        if self.colors.get(0) != Some(color) {
            self.colors = [color].into();
        }
        RenderingServer::singleton()
            .canvas_item_add_triangle_array_ex(canvas_item, &self.indices, &self.corners, &self.colors)
            .uvs(&self.uvs)
            .done();
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
