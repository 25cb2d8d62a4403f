//! Drawing a soft body: its triangles and the line around them, in the node's own coordinates.
//!
//! The frame shows the node where it is now, which may be later than the last tick or, with physics interpolation, between two: the points are
//! drawn where they were between the same ticks, beside where the engine shows the node. So children and picture agree. Held points are drawn
//! exactly where what holds them is in this frame; if that is the node itself, the rest goes along.

use super::SoftBody2D;
use super::body::SharedSoft;
use super::look::Style;
use crate::convert::{key, pose, vector2};
use crate::draw::mesh::LiveMesh;
use crate::draw::skin::{self, Skin};
use crate::draw::{blend, strip};
use crate::world::{lock, monitors, transform_of};
use godot::classes::{Engine, RenderingServer};
use godot::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;
use supple_sim::Vec2;
use supple_sim::mesh::Mesh;
use supple_sim::rope::Grip;

/// Pieces of a smooth outline are about so many px long on the screen, without a camera's zoom.
pub const PIECE: f32 = 6.0;
/// It is laid out anew when the node's scale has changed by more than this ratio.
const OTHER_SCALE: f32 = 1.5;
/// Everywhere: until the commands of a canvas item come anew, nothing of it may be culled.
const EVERYWHERE: Rect2 = Rect2::new(Vector2::new(-1e9, -1e9), Vector2::new(2e9, 2e9));

/// How it looks, and what is kept from frame to frame.
#[derive(Default)]
pub struct Look {
    style: Style,
    /// What is laid out no longer fits.
    stale: bool,
    /// It is shown wherever it is, until its canvas item has been drawn anew.
    unfenced: bool,
    /// Points, springs and velocities are drawn over it.
    pub debug: bool,
    /// For what mesh and scale it was laid out.
    mesh: Option<Arc<Mesh>>,
    scale: f32,
    skin: Skin,
    fill: LiveMesh,
    line: LiveMesh,
    shine: LiveMesh,
    /// How far its surface is outside of the outline, in local px: as far the line is.
    radius: f32,
    /// The drawn points; only kept for the debug drawing.
    pub points: Vec<Vector2>,
}

/// Room for what is not kept; used by one body after the other, which is easier on the caches.
#[derive(Default)]
struct Scratch {
    points: Vec<Vector2>,
    vertices: Vec<Vector2>,
    line: Vec<Vector2>,
    looks: Vec<strip::Look>,
    shifts: Vec<(usize, Vec2)>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Look {
    /// Draws it like this from now on.
    fn set_style(&mut self, style: Style) {
        self.stale |= self.style.layout() != style.layout();
        self.style = style;
    }

    /// Shows it on a canvas item that is being drawn.
    fn add_to(&self, canvas_item: Rid) {
        let style = &self.style;
        self.fill.add_to(canvas_item, style.color, style.picture.map(|picture| picture.texture));
        self.shine.add_to(canvas_item, Color { a: style.shine, ..Color::WHITE }, None);
        self.line.add_to(canvas_item, style.outline_color, None);
    }

    /// A box around it in the node's own coordinates, with some room.
    fn fence(&self) -> Rect2 {
        self.fill.fence().merge(self.line.fence())
    }

    /// Shows nothing.
    fn hide(&mut self) {
        if self.mesh.take().is_some() {
            [&mut self.fill, &mut self.line, &mut self.shine].into_iter().for_each(LiveMesh::clear);
        }
    }

    /// Brings the triangles onto the points; true if the canvas item must show them anew. `scale` is the node's.
    fn put(&mut self, scratch: &mut Scratch, mesh: &Arc<Mesh>, scale: f32) -> bool {
        let ratio = scale / self.scale;
        let same = self.mesh.as_ref().is_some_and(|laid| Arc::ptr_eq(laid, mesh));
        let new = std::mem::take(&mut self.stale) || !same || !(1.0 / OTHER_SCALE..OTHER_SCALE).contains(&ratio);
        if new {
            (self.mesh, self.scale) = (Some(Arc::clone(mesh)), scale);
            self.skin.lay_out(mesh, self.style.smoothing, PIECE / scale);
        }
        if self.debug {
            self.points.clone_from(&scratch.points);
        }
        let style = &self.style;
        let feather = if style.antialiased { 1.0 / scale } else { 0.0 };
        let Scratch { points, vertices, line, looks, .. } = scratch;
        self.skin.put(points, vertices);
        let mut changed = false;
        let has_line = style.outline_width > 0.0 && style.is_drawn;
        if has_line {
            let outside = self.radius.min(0.5 * style.outline_width);
            self.skin.put_line(vertices, style.outline_width, outside, feather, line);
            let mut triangles = Vec::new();
            if new || !self.line.fits(line.len()) {
                let count = self.skin.ring().len();
                triangles = skin::line_triangles(count, feather > 0.0);
                skin::line_looks(count, feather > 0.0, looks);
            }
            changed |= self.line.update_indexed(line, looks, &triangles, new);
        } else if new {
            self.line.clear();
        }
        if !style.is_drawn {
            self.hide();
            return changed;
        }
        if style.shine > 0.0 {
            self.skin.put_shine(points, line);
            let mut triangles = Vec::new();
            if new || !self.shine.fits(line.len()) {
                self.skin.shine_looks(looks);
                triangles = self.skin.shine_triangles();
            }
            changed |= self.shine.update_indexed(line, looks, &triangles, new);
        } else if new {
            self.shine.clear();
        }
        // Without a line around it the filling itself has to fade.
        let rim = feather > 0.0 && !has_line;
        let first = vertices.len();
        if rim {
            self.skin.put_rim(feather, vertices);
        }
        let mut triangles = Vec::new();
        if new || !self.fill.fits(vertices.len()) {
            let (least, size) = style
                .picture
                .map_or((Vector2::ZERO, Vector2::ONE), |picture| (picture.region.position, picture.region.size));
            let look = |i: usize, alpha: f32| strip::Look {
                color: Color { a: alpha, ..Color::WHITE },
                uv: least + self.skin.uvs()[i] * size,
            };
            looks.clear();
            looks.extend((0..first).map(|i| look(i, 1.0)));
            triangles.extend_from_slice(self.skin.fill());
            if rim {
                looks.extend(self.skin.ring().iter().map(|&i| look(i as usize, 0.0)));
                triangles.extend(self.skin.rim(first));
            }
        }
        changed | self.fill.update_indexed(vertices, looks, &triangles, new)
    }
}

impl SharedSoft {
    /// Where the points are in this frame, in the node's own coordinates. `now` is the node's global transform; with `interpolated` the frame lies between two
    /// ticks.
    pub(super) fn drawn_points(&self, now: Transform2D, interpolated: bool, points: &mut Vec<Vector2>) {
        let mut shifts = Vec::new();
        self.put_points(now, interpolated, points, &mut shifts);
    }

    fn put_points(
        &self,
        now: Transform2D,
        interpolated: bool,
        points: &mut Vec<Vector2>,
        shifts: &mut Vec<(usize, Vec2)>,
    ) {
        self.catch_up(|| now);
        let fraction = if interpolated { Engine::singleton().get_physics_interpolation_fraction() as f32 } else { 1.0 };
        let before = self.transform_before();
        let shown = pose(blend(before, now, fraction));
        let holders = lock(&self.holders);
        let core = lock(&self.core);
        let mut along = Vec2::ZERO;
        let mut led = 0;
        shifts.clear();
        for pin in core.pins().iter().filter(|pin| pin.grip == Grip::Firm) {
            let (from, here) = match pin.holder {
                None => (before, now),
                Some(held) => {
                    let Some(holder) = holders.iter().find(|holder| key(holder.node) == held.key) else { continue };
                    (holder.shown.before, transform_of(holder.node).unwrap_or(holder.shown.noticed))
                }
            };
            let holder = pose(blend(from, here, fraction));
            let wanted = (holder.origin - shown.origin) + holder.turn(pin.offset);
            if pin.holder.is_none() {
                along += wanted - core.place_between(pin.point, fraction, shown.origin);
                led += 1;
            }
            shifts.push((pin.point, wanted));
        }
        let along = if led > 0 { along / led as f32 } else { Vec2::ZERO };
        points.clear();
        points.extend(
            (0..core.point_count())
                .map(|i| vector2(shown.unturn(core.place_between(i, fraction, shown.origin) + along))),
        );
        for &(i, wanted) in shifts.iter() {
            points[i] = vector2(shown.unturn(wanted));
        }
    }

    /// Brings the mesh to where the points are in this frame; true if the node must be redrawn to show it.
    pub(super) fn update_mesh(&self, now: Transform2D, interpolated: bool) -> bool {
        let began = Instant::now();
        {
            // A child is its picture.
            let look = &mut *lock(&self.look);
            if !(look.style.is_drawn || look.debug) {
                look.hide();
                return false;
            }
        }
        let mut scratch = SCRATCH.take();
        let Scratch { points, shifts, .. } = &mut scratch;
        self.put_points(now, interpolated, points, shifts);
        let (mesh, radius) = {
            let core = lock(&self.core);
            (Arc::clone(core.mesh()), core.settings().collision.radius)
        };
        let scale = (now.a.x * now.b.y - now.a.y * now.b.x).abs().sqrt().max(1e-6);
        let changed = {
            let look = &mut *lock(&self.look);
            look.radius = radius;
            look.put(&mut scratch, &mesh, scale)
        };
        SCRATCH.set(scratch);
        monitors::record_drawing(began.elapsed());
        changed
    }

    /// Draws it in a frame in which it has moved; its node is only redrawn if it must be.
    pub(super) fn draw_frame(&self, node: &mut Gd<godot::classes::Node2D>, interpolates: bool) {
        let interpolated = interpolates && self.is_between_ticks(node);
        let changed = self.update_mesh(node.get_global_transform(), interpolated);
        if changed {
            lock(&self.look).unfenced = true;
            let mut server = RenderingServer::singleton();
            server.canvas_item_set_custom_rect_ex(node.get_canvas_item(), true).rect(EVERYWHERE).done();
        }
        if changed || lock(&self.look).debug {
            node.queue_redraw();
        }
    }
}

impl SoftBody2D {
    /// Shows the mesh: the engine has thrown away all commands of this canvas item.
    pub(super) fn draw(&mut self) {
        self.mesh_if_needed();
        let interpolated = self.joined() && self.body.is_between_ticks(&self.to_gd().upcast());
        let style = self.style();
        let debug = self.is_debugged();
        let item = self.base().get_canvas_item();
        {
            let look = &mut *lock(&self.body.look);
            look.set_style(style);
            look.debug = debug;
            if std::mem::take(&mut look.unfenced) {
                RenderingServer::singleton().canvas_item_set_custom_rect(item, false);
            }
        }
        self.body.update_mesh(self.base().get_global_transform(), interpolated);
        lock(&self.body.look).add_to(item);
        if debug {
            self.body.draw_debug(item);
        }
        let fence = self.fence();
        self.mind_the_screen(item, fence);
    }

    /// A box around it in the node's own coordinates, with some room.
    fn fence(&self) -> Rect2 {
        if !self.has_picture() {
            return lock(&self.body.look).fence();
        }
        let bounds = lock(&self.body.core).mesh().bounds();
        let size = bounds.max - bounds.min;
        Rect2::new(vector2(bounds.min), vector2(size)).grow(size.max_element())
    }

    /// Its mesh is another.
    pub(super) fn mesh_changed(&self) {
        self.body.follow_lead();
    }
}
