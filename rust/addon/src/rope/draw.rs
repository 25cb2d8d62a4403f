//! Drawing a rope: one strip of triangles, or a plate a link, in the node's own coordinates.
//!
//! The frame shows the node where it is now, which may be later than the last tick (it was moved in `_process`) or
//! between two ticks (physics interpolation). Held points are drawn exactly where their holders are in this frame; the
//! free ones between them are shifted in proportion, so that no gap shows and nothing jerks.

use super::body::{RopeBody, key, rope_place};
use super::look::Style;
use crate::convert::{pose, vec2, vector2};
use crate::draw::blend;
use crate::draw::brush::Picture;
use crate::draw::mesh::LiveMesh;
use crate::draw::plates::{Plates, Which};
use crate::draw::ribs::{Plan, Ribs};
use crate::draw::strip::{self, Strip};
use crate::world::{lock, monitors, transform_of};
use godot::classes::Engine;
use godot::prelude::*;
use std::cell::RefCell;
use std::time::Instant;
use supple_sim::Vec2;
use supple_sim::rope::Rope;

/// The width of a new rope in px.
const WIDTH: f32 = 4.0;

/// A change of the edges' fading below this part of it is not seen.
const SAME_FEATHER: f32 = 0.02;

/// How it looks, and what is kept from frame to frame.
pub struct Look {
    /// Width in px, local to the node.
    pub width: f32,
    /// The node's global transform in the last drawing.
    pub drawn_at: Transform2D,
    /// Points, links and velocities are drawn over it.
    pub debug: bool,
    /// It is shown wherever it is, until its canvas item has been drawn anew.
    pub unfenced: bool,
    style: Style,
    /// What is laid out no longer fits.
    stale: bool,
    /// The width and the feather it was laid out for.
    laid: (f32, f32),
    /// That of every second link, which is under the others, and that of all else.
    meshes: [LiveMesh; 2],
    ribs: Ribs,
    /// Rest lengths of the links in global px, and rest distances of the points from the start in the node's own.
    lengths: Vec<f32>,
    places: Vec<f32>,
    /// What was cut off before the start and behind the end: so many px of the node's own, and links.
    missing: [(f32, usize); 2],
    /// The drawn points in the node's own coordinates; only kept for the debug drawing.
    line: Vec<Vector2>,
}

/// Room for what is not kept; used by one rope after the other, which is easier on the caches.
#[derive(Default)]
struct Scratch {
    /// Points relative to the node, in global directions.
    offsets: Vec<Vec2>,
    /// The same in the node's own coordinates.
    line: Vec<Vector2>,
    /// By how much held points are drawn off their simulated places.
    shifts: Vec<(usize, Vec2)>,
    strip: Strip,
    vertices: Vec<Vector2>,
    looks: Vec<strip::Look>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Default for Look {
    fn default() -> Self {
        Look {
            width: WIDTH,
            drawn_at: Transform2D::IDENTITY,
            debug: false,
            unfenced: false,
            style: Style::default(),
            stale: true,
            laid: (0.0, 0.0),
            meshes: Default::default(),
            ribs: Ribs::default(),
            lengths: Vec::new(),
            places: Vec::new(),
            missing: Default::default(),
            line: Vec::new(),
        }
    }
}

impl Look {
    /// Draws it like this from now on.
    pub fn set_style(&mut self, style: Style) {
        self.stale |= self.style != style;
        self.style = style;
    }

    /// Shows it on a canvas item that is being drawn. True if the renderer has to repeat its texture.
    pub fn add_to(&self, canvas_item: Rid, tint: Color) -> bool {
        let style = &self.style;
        if style.in_links {
            let rid = |picture: Option<Picture>| picture.map(|picture| picture.texture);
            self.meshes[0].add_to(canvas_item, tint, rid(style.second_link));
            self.meshes[1].add_to(canvas_item, tint, rid(style.link));
            return false;
        }
        self.meshes[1].add_to(canvas_item, tint, style.cover.picture().map(|picture| picture.texture));
        style.cover.repeats()
    }

    /// A box around it in the node's own coordinates, with some room.
    pub fn fence(&self) -> Rect2 {
        self.meshes[0].fence().merge(self.meshes[1].fence())
    }

    /// The drawn points in the node's own coordinates, if the debug drawing is on.
    pub fn line(&self) -> &[Vector2] {
        &self.line
    }

    /// Takes over rest lengths that have changed.
    fn measure(&mut self, rope: &Rope) {
        let lengths = rope.lengths();
        if self.lengths == lengths {
            return;
        }
        self.stale = true;
        self.lengths.clear();
        self.lengths.extend_from_slice(lengths);
        // In the node's own px it is as long as the Inspector says.
        let scale = 1.0 / rope.scale();
        self.missing = rope.missing().map(|(length, links)| (length * scale, links));
        self.places.clear();
        self.places.push(0.0);
        let mut place = 0.0;
        self.places.extend(lengths.iter().map(|length| {
            place += length * scale;
            place
        }));
    }

    /// Brings the triangles onto the line; true if the canvas item must show them anew. `scale` is the node's.
    fn put(&mut self, scratch: &mut Scratch, scale: f32) -> bool {
        let mut feather = if self.style.antialiased { 1.0 / scale.max(1e-6) } else { 0.0 };
        let (laid_width, laid_feather) = self.laid;
        if (feather - laid_feather).abs() <= SAME_FEATHER * laid_feather {
            feather = laid_feather;
        }
        self.stale |= laid_width != self.width || laid_feather != feather;
        self.laid = (self.width, feather);
        let new = std::mem::take(&mut self.stale);
        if self.debug {
            self.line.clone_from(&scratch.line);
        }
        if self.style.in_links { self.put_links(scratch, new) } else { self.put_strip(scratch, new, feather) }
    }

    fn put_strip(&mut self, scratch: &mut Scratch, new: bool, feather: f32) -> bool {
        let style = &self.style;
        if new {
            self.ribs.lay_out(&Plan {
                places: &self.places,
                width: self.width,
                profile: &style.profile,
                paint: &style.paint,
                cover: style.cover,
                caps: style.caps,
                feather,
                origin: self.origin_of_tiles(),
            });
            self.meshes[0].clear();
        }
        let Scratch { strip, line, vertices, looks, .. } = scratch;
        let mesh = &mut self.meshes[1];
        strip.put(&self.ribs, line, feather, vertices);
        if new || !mesh.fits(vertices.len()) {
            strip::looks(&self.ribs.shades, feather, looks);
        }
        mesh.update(vertices, looks, new)
    }

    /// Where tiles are counted from, in px from the start: the end where no length comes in, as it was before anything was cut off.
    fn origin_of_tiles(&self) -> f32 {
        let [before, behind] = self.missing;
        let total = self.places.last().copied().unwrap_or(0.0);
        if self.style.anchored_at_end { total + behind.0 } else { -before.0 }
    }

    fn put_links(&mut self, scratch: &mut Scratch, new: bool) -> bool {
        let style = &self.style;
        let plates = Plates {
            places: &self.places,
            width: self.width,
            profile: &style.profile,
            paint: &style.paint,
            picture: style.link,
            which: if style.second_link.is_some() { Which::First } else { Which::All },
            anchored_at_end: style.anchored_at_end,
            missing: self.missing[usize::from(style.anchored_at_end)].1,
        };
        let second = Plates { picture: style.second_link, which: Which::Second, ..plates };
        let Scratch { line, vertices, looks, .. } = scratch;
        let mut changed = false;
        let shown = if style.second_link.is_some() { [Some(second), Some(plates)] } else { [None, Some(plates)] };
        for (plates, mesh) in shown.iter().zip(&mut self.meshes) {
            let Some(plates) = plates else {
                mesh.clear();
                continue;
            };
            plates.put(line, vertices);
            if new || !mesh.fits(vertices.len()) {
                plates.looks(looks);
            }
            changed |= mesh.update(vertices, looks, new);
        }
        changed
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
        let mut scratch = SCRATCH.take();
        let Scratch { offsets, shifts, line, .. } = &mut scratch;
        {
            let holders = lock(&self.holders);
            let riders = lock(&self.riders);
            let rope = lock(&self.rope);
            look.measure(&rope);
            offsets.resize(rope.point_count(), Vec2::ZERO);
            rope.drawn(shown.origin, fraction, |i, offset| offsets[i] = offset);
            shifts.clear();
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
                shifts.push((pin.point, wanted - offsets[pin.point]));
            }
            // What rides on it is drawn by the engine, and the rope through it.
            for rider in riders.iter() {
                let Some(here) = transform_of(rider.node) else { continue };
                let rides = pose(blend(rider.shown.before, here, fraction));
                let wanted = (rides.origin - shown.origin) + rides.turn(vec2(rider.offset));
                let (link, part) = rope_place(&rope, &rider.seat);
                let shift = wanted - offsets[link].lerp(offsets[link + 1], part);
                shifts.extend(
                    [(link, part < 1.0), (link + 1, part > 0.0)]
                        .iter()
                        .filter(|(_, near)| *near)
                        .map(|&(i, _)| (i, shift)),
                );
            }
        }
        shifts.sort_by_key(|&(point, _)| point);
        shifts.dedup_by_key(|&mut (point, _)| point);
        spread(offsets, shifts);
        line.clear();
        line.extend(offsets.iter().map(|&offset| vector2(shown.unturn(offset))));
        let changed = look.put(&mut scratch, (now.a.x * now.b.y - now.a.y * now.b.x).abs().sqrt());
        SCRATCH.set(scratch);
        monitors::record_drawing(began.elapsed());
        changed
    }
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
