//! The mesh of a soft body, from what the properties say.
//!
//! It is made when it is needed: a scene that loads sets many properties before the node enters the tree.

use super::SoftBody2D;
use super::kinds::Source;
use crate::convert::vec2;
use crate::world::lock;
use godot::classes::Engine;
use godot::init::is_main_thread;
use godot::prelude::*;
use std::sync::Arc;
use supple_sim::mesh::Mesh;

/// The smallest and the largest side of a body, in local px.
const LEAST_SIZE: f32 = 1.0;
pub const MOST_SIZE: f32 = 100_000.0;
/// How many points a side of a rectangle may have.
const SIDE: std::ops::RangeInclusive<u32> = 2..=64;
/// The smallest distance of points in local px.
const LEAST_SPACING: f32 = 2.0;

impl SoftBody2D {
    /// What the properties say has changed: makes the mesh anew, at once if it is in use.
    pub(super) fn remesh(&mut self) {
        self.unmeshed.set(true);
        if self.base().is_inside_tree() {
            self.mesh_if_needed();
            self.changed();
        }
    }

    /// The same, if that matters for its source.
    fn remesh_if(&mut self, matters: impl Fn(Source) -> bool) {
        if matters(self.source) {
            self.remesh();
        }
    }

    /// Makes the mesh if it is not what the properties say.
    pub(super) fn mesh_if_needed(&self) {
        if !self.unmeshed.replace(false) {
            return;
        }
        let Some(mesh) = self.make_mesh().or_else(|| self.make_up_mesh()) else { return };
        let points = self.points_to_pin(&mesh);
        let mut core = lock(&self.body.core);
        core.set_mesh(mesh);
        core.pin_at_rest(&points);
        drop(core);
        self.mesh_changed();
    }

    /// None: what the properties say is no shape, and the last one stays.
    fn make_mesh(&self) -> Option<Arc<Mesh>> {
        let spacing = self.spacing as f32;
        let corners = |polygon: &PackedVector2Array| polygon.as_slice().iter().map(|&corner| vec2(corner)).collect();
        let outline: Vec<_> = match self.source {
            Source::Rectangle => return Some(self.meshed_as(self.make_rectangle())),
            Source::Ellipse => return Some(self.meshed_as(Mesh::ellipse(vec2(self.size), spacing))),
            Source::Polygon => corners(&self.polygon),
            Source::ChildPolygon => self.read.outline.clone(),
        };
        let made = Mesh::polygon(&outline, spacing);
        self.flaw.set(made.as_ref().err().copied());
        match made {
            Ok(mesh) => Some(self.meshed_as(mesh)),
            // It has not been given yet.
            Err(_) if outline.is_empty() => None,
            Err(flaw) => {
                // While a corner is dragged in the editor the warning is enough.
                if is_main_thread() && !Engine::singleton().is_editor_hint() {
                    let member = if self.source == Source::Polygon { "polygon" } else { "source" };
                    self.callee(member).complain(format_args!(
                        "this outline cannot become a body: {flaw}. The last valid shape is kept"
                    ));
                }
                None
            }
        }
    }

    fn meshed_as(&self, mesh: Mesh) -> Arc<Mesh> {
        self.meshed.set(true);
        if matches!(self.source, Source::Rectangle | Source::Ellipse) {
            self.flaw.set(None);
        }
        Arc::new(mesh)
    }

    fn make_rectangle(&self) -> Mesh {
        let (across, down) = (self.particle_count.x as u32, self.particle_count.y as u32);
        Mesh::rectangle(vec2(self.size), (across, down).into())
    }

    /// What it is as long as it has never had a shape.
    fn make_up_mesh(&self) -> Option<Arc<Mesh>> {
        (!self.meshed.get()).then(|| Arc::new(self.make_rectangle()))
    }

    pub(super) fn change_source(&mut self, source: Source) {
        let before = std::mem::replace(&mut self.source, source);
        if before == source {
            return;
        }
        if before == Source::ChildPolygon {
            self.read_child();
        }
        if source == Source::ChildPolygon && self.base().is_inside_tree() {
            self.read_child();
        } else {
            self.remesh();
        }
        // Its outline is smoothed in another way.
        self.redraw_node();
    }

    pub(super) fn change_size(&mut self, size: Vector2) {
        let callee = self.callee("size");
        let range = || LEAST_SIZE..=MOST_SIZE;
        let width = callee.number(f64::from(size.x), range());
        let Some((width, height)) = width.zip(callee.number(f64::from(size.y), range())) else { return };
        self.size = Vector2::new(width, height);
        self.remesh_if(|source| matches!(source, Source::Rectangle | Source::Ellipse));
    }

    pub(super) fn change_particle_count(&mut self, count: Vector2i) {
        let callee = self.callee("particle_count");
        let (across, down) = (callee.count(i64::from(count.x), SIDE), callee.count(i64::from(count.y), SIDE));
        self.particle_count = Vector2i::new(across as i32, down as i32);
        self.remesh_if(|source| source == Source::Rectangle);
    }

    pub(super) fn change_spacing(&mut self, spacing: f64) {
        let Some(spacing) = self.callee("spacing").number(spacing, LEAST_SPACING..=MOST_SIZE) else { return };
        self.spacing = f64::from(spacing);
        self.remesh_if(|source| source != Source::Rectangle);
    }

    pub(super) fn change_polygon(&mut self, polygon: PackedVector2Array) {
        let callee = self.callee("polygon");
        if polygon.as_slice().iter().any(|&corner| callee.place("a corner", corner).is_none()) {
            return;
        }
        self.polygon = polygon;
        self.remesh_if(|source| source == Source::Polygon);
    }
}
