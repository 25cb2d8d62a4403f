//! The source Child Polygon: the first `Polygon2D` or `CollisionPolygon2D` under the node gives the outline.
//!
//! While the game runs a `Polygon2D` is also the body's picture: its vertices are moved in every frame, before it draws itself, so that its texture, colours,
//! bones and material count as ever. One that is a plain outline gets the vertices and triangles of the body's skin, so that it bends between its corners too,
//! with its UVs and vertex colours spread over them; one that has inner vertices, index lists or bones keeps its vertices, each bound to the triangle of
//! the mesh that holds it at rest. A texture without UVs lies by the vertices' places: it gets UVs from where they were.
//!
//! What the child had is put back when the body leaves the tree or has another source, and when anyone asks the node what properties it
//! has: that is how saving a scene and duplicating a node begin. The next frame deforms it again. In the editor nothing is ever changed.

use super::SoftBody2D;
use super::draw::PIECE;
use super::kinds::Source;
use super::look::smoothing;
use crate::convert::{vec2, vector2};
use crate::draw::skin::Skin;
use crate::world::lock;
use godot::classes::object::ConnectFlags;
use godot::classes::{CanvasItem, CollisionPolygon2D, Engine, Geometry2D, Polygon2D};
use godot::init::is_main_thread;
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::mesh::{Locator, Mesh, Seat};

thread_local! {
    /// The children that are pictures, by their bodies. Apart from these: whoever asks a node for its properties may hold it.
    static PUPPETS: RefCell<HashMap<InstanceId, Puppet>> = RefCell::default();
}

/// What is changed of a child.
#[derive(Clone, Default)]
struct Dress {
    polygon: PackedVector2Array,
    uv: PackedVector2Array,
    colors: PackedColorArray,
    polygons: VarArray,
}

/// How a child's vertices follow the mesh.
enum Form {
    /// It has those of the skin.
    Skin(Skin),
    /// Each is in a triangle.
    Seats(Vec<Seat>),
}

/// A `Polygon2D` that is a body's picture.
struct Puppet {
    child: InstanceId,
    mesh: Arc<Mesh>,
    form: Form,
    /// From its coordinates to those of the body, at rest.
    placed: Transform2D,
    /// What it had.
    own: Dress,
    /// What it has, but for the places of its vertices: the ones it was given last.
    worn: Dress,
    /// It wears what it had.
    undressed: bool,
    /// It has been shown asleep.
    settled: bool,
}

/// A child that gives the outline.
pub enum Child {
    Picture(Gd<Polygon2D>),
    Shape(Gd<CollisionPolygon2D>),
}

/// What was read from a child: which, and its outline in the body's coordinates.
#[derive(Clone, Default)]
pub struct Read {
    child: Option<InstanceId>,
    is_picture: bool,
    pub outline: Vec<Vec2>,
}

impl Read {
    /// There is such a child.
    pub fn is_some(&self) -> bool {
        self.child.is_some()
    }
}

/// Bit for bit, so that NaN is the same as itself.
fn same(one: &PackedVector2Array, other: &PackedVector2Array) -> bool {
    let bits = |at: &Vector2| (at.x.to_bits(), at.y.to_bits());
    one.len() == other.len() && one.as_slice().iter().map(bits).eq(other.as_slice().iter().map(bits))
}

/// From a polygon's coordinates to those of its parent.
fn placed(child: &Gd<Polygon2D>) -> Transform2D {
    let transform = child.get_transform();
    Transform2D { origin: transform * child.get_offset(), ..transform }
}

impl Dress {
    fn of(child: &Gd<Polygon2D>) -> Dress {
        Dress {
            polygon: child.get_polygon(),
            uv: child.get_uv(),
            colors: child.get_vertex_colors(),
            polygons: child.get_polygons(),
        }
    }

    fn put_on(&self, child: &mut Gd<Polygon2D>) {
        child.set_polygon(&self.polygon);
        child.set_uv(&self.uv);
        child.set_vertex_colors(&self.colors);
        child.set_polygons(&self.polygons);
    }
}

impl Puppet {
    fn node(&self) -> Option<Gd<Polygon2D>> {
        Gd::try_from_instance_id(self.child).ok()
    }

    /// Gives back what the child had, unless it was given something else since.
    fn undress(&mut self) {
        self.settled = false;
        if std::mem::replace(&mut self.undressed, true) {
            return;
        }
        let Some(mut child) = self.node() else { return };
        if same(&child.get_polygon(), &self.worn.polygon) {
            return self.own.put_on(&mut child);
        }
        // A script has changed its polygon: that stays, but what was made for the other goes.
        if same(&child.get_uv(), &self.worn.uv) {
            child.set_uv(&self.own.uv);
        }
        if child.get_vertex_colors() == self.worn.colors {
            child.set_vertex_colors(&self.own.colors);
        }
        if child.get_polygons().len() == self.worn.polygons.len() {
            child.set_polygons(&self.own.polygons);
        }
    }

    /// None: it has no shape that can be bound.
    fn new(child: &Gd<Polygon2D>, mesh: Arc<Mesh>, smooth: bool) -> Option<Puppet> {
        let own = Dress::of(child);
        let placed = placed(child);
        let back = placed.affine_inverse();
        let plain = own.polygons.is_empty() && child.get_internal_vertex_count() == 0 && child.get_bone_count() == 0;
        let offset = child.get_offset();
        let uv_at = |at: Vector2| at + offset;
        let mut worn = own.clone();
        let form = if plain {
            let mut skin = Skin::default();
            skin.lay_out(&mesh, smoothing(Source::ChildPolygon, smooth), PIECE);
            let rest: Vec<Vector2> = mesh.points.iter().map(|&point| vector2(point)).collect();
            let mut vertices = Vec::new();
            skin.put(&rest, &mut vertices);
            let vertices: Vec<Vector2> = vertices.into_iter().map(|at| back * at).collect();
            worn.polygons = skin.fill().chunks(3).map(|corners| PackedInt32Array::from(corners).to_variant()).collect();
            let (corners, triangles) = corners_and_triangles(&own.polygon);
            let spread = Spread { corners: &corners, locator: Locator::new(&corners, &triangles) };
            worn.uv = if own.uv.len() == own.polygon.len() {
                vertices.iter().map(|&at| spread.mean(at, |i| own.uv[i])).collect()
            } else {
                vertices.iter().map(|&at| uv_at(at)).collect()
            };
            if own.colors.len() == own.polygon.len() {
                let part = |color: Color| [Vector2::new(color.r, color.g), Vector2::new(color.b, color.a)];
                let colors = vertices.iter().map(|&at| {
                    let [rg, ba] = [0, 1].map(|half| spread.mean(at, |i| part(own.colors[i])[half]));
                    Color::from_rgba(rg.x, rg.y, ba.x, ba.y)
                });
                worn.colors = colors.collect();
            }
            Form::Skin(skin)
        } else {
            let locator = Locator::of(&mesh);
            let seats: Option<Vec<Seat>> =
                own.polygon.as_slice().iter().map(|&at| locator.find(vec2(placed * at))).collect();
            if own.uv.len() != own.polygon.len() {
                worn.uv = own.polygon.as_slice().iter().map(|&at| uv_at(at)).collect();
            }
            Form::Seats(seats?)
        };
        let child = child.instance_id();
        Some(Puppet { child, mesh, form, placed, own, worn, undressed: true, settled: false })
    }

    /// Moves its vertices onto these points; false if the child was given another polygon since.
    fn dress(&mut self, child: &mut Gd<Polygon2D>, points: &[Vector2]) -> bool {
        let expected = if self.undressed { &self.own.polygon } else { &self.worn.polygon };
        if !same(&child.get_polygon(), expected) {
            return false;
        }
        let back = self.placed.affine_inverse();
        let polygon: PackedVector2Array = match &mut self.form {
            Form::Skin(skin) => {
                let mut vertices = Vec::new();
                skin.put(points, &mut vertices);
                vertices.into_iter().map(|at| back * at).collect()
            }
            Form::Seats(seats) => {
                let place = |(corners, weights): &Seat| {
                    let [a, b, c] = corners.map(|i| points[i as usize]);
                    back * (a * weights[0] + b * weights[1] + c * weights[2])
                };
                seats.iter().map(place).collect()
            }
        };
        if std::mem::take(&mut self.undressed) {
            self.worn.polygon = polygon;
            self.worn.put_on(child);
        } else if !same(&polygon, &self.worn.polygon) {
            child.set_polygon(&polygon);
            self.worn.polygon = polygon;
        }
        true
    }
}

/// The corners of an outline, and its triangles; none if the engine finds none, as where corners are repeated.
fn corners_and_triangles(outline: &PackedVector2Array) -> (Vec<Vec2>, Vec<[u32; 3]>) {
    let indices = Geometry2D::singleton().triangulate_polygon(outline);
    let (triangles, _) = indices.as_slice().as_chunks::<3>();
    let corners = outline.as_slice().iter().map(|&at| vec2(at)).collect();
    (corners, triangles.iter().map(|corners| corners.map(|i| i as u32)).collect())
}

/// Spreads over an outline what is known of its corners.
struct Spread<'a> {
    corners: &'a [Vec2],
    locator: Locator<'a>,
}

impl Spread<'_> {
    fn mean(&self, at: Vector2, of: impl Fn(usize) -> Vector2) -> Vector2 {
        let at = vec2(at);
        if let Some((corners, weights)) = self.locator.find(at) {
            let parts = corners.iter().zip(weights).map(|(&i, weight)| of(i as usize) * weight);
            return parts.fold(Vector2::ZERO, |sum, part| sum + part);
        }
        let distance = |i: &usize| self.corners[*i].distance_squared(at);
        let nearest = (0..self.corners.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
        nearest.map_or(Vector2::ZERO, of)
    }
}

/// Gives back what the children of a body had; they are deformed again in the next frame.
pub fn undress(body: InstanceId) {
    let _ = PUPPETS.try_with(|puppets| {
        if let Ok(mut puppets) = puppets.try_borrow_mut() { puppets.get_mut(&body).map(Puppet::undress) } else { None }
    });
}

impl SoftBody2D {
    /// The first child that can give the outline.
    fn find_child_polygon(&self) -> Option<Child> {
        self.base().get_children().iter_shared().find_map(|child| match child.try_cast::<Polygon2D>() {
            Ok(polygon) => Some(Child::Picture(polygon)),
            Err(other) => other.try_cast::<CollisionPolygon2D>().ok().map(Child::Shape),
        })
    }

    /// Reads the child's outline, if that is the source: children came, went or changed.
    pub(super) fn read_child(&mut self) {
        if !self.base().is_inside_tree() || !is_main_thread() {
            return;
        }
        let child = if self.source == Source::ChildPolygon { self.find_child_polygon() } else { None };
        let read = match &child {
            None => Read::default(),
            Some(Child::Picture(polygon)) => {
                let worn = PUPPETS.with_borrow(|puppets| {
                    let puppet = puppets.get(&self.to_gd().instance_id())?;
                    let is_worn = puppet.child == polygon.instance_id() && !puppet.undressed;
                    (is_worn && same(&polygon.get_polygon(), &puppet.worn.polygon)).then(|| puppet.own.polygon.clone())
                });
                let points = worn.unwrap_or_else(|| polygon.get_polygon());
                let inner = usize::try_from(polygon.get_internal_vertex_count()).unwrap_or(0);
                let count = points.len().saturating_sub(inner);
                let placed = placed(polygon);
                let outline = points.as_slice()[..count].iter().map(|&at| vec2(placed * at)).collect();
                Read { child: Some(polygon.instance_id()), is_picture: true, outline }
            }
            Some(Child::Shape(shape)) => {
                let placed = shape.get_transform();
                let outline = shape.get_polygon().as_slice().iter().map(|&at| vec2(placed * at)).collect();
                Read { child: Some(shape.instance_id()), is_picture: false, outline }
            }
        };
        let bits = |read: &Read| read.outline.iter().map(|at| (at.x.to_bits(), at.y.to_bits())).collect::<Vec<_>>();
        let changed = read.child != self.read.child || bits(&read) != bits(&self.read);
        if changed || self.source != Source::ChildPolygon {
            self.give_child_back();
        }
        self.read = read;
        if changed && self.source == Source::ChildPolygon {
            self.remesh();
            // It may draw itself now, or not any more.
            self.redraw_node();
        }
        if let Some(child) = child {
            self.watch_child(child);
        }
        let wanted = self.has_picture();
        if self.base().is_processing_internal() != wanted {
            self.base_mut().set_process_internal(wanted);
        }
    }

    /// In the editor the child tells when it is drawn: its polygon may be another.
    fn watch_child(&self, child: Child) {
        if !Engine::singleton().is_editor_hint() {
            return;
        }
        let mut item = match child {
            Child::Picture(polygon) => polygon.upcast::<CanvasItem>(),
            Child::Shape(shape) => shape.upcast(),
        };
        let callback = self.to_gd().callable("_child_drawn");
        if !item.is_connected("draw", &callback) {
            item.connect_flags("draw", &callback, ConnectFlags::DEFERRED);
        }
    }

    /// Puts back what the child had.
    pub(super) fn give_child_back(&self) {
        let body = self.to_gd().instance_id();
        let puppet = PUPPETS.try_with(|puppets| puppets.borrow_mut().remove(&body)).ok().flatten();
        if let Some(mut puppet) = puppet {
            puppet.undress();
        }
    }

    /// A child is its picture.
    pub(super) fn has_picture(&self) -> bool {
        let running = !Engine::singleton().is_editor_hint();
        running && self.source == Source::ChildPolygon && self.read.is_picture && self.flaw.get().is_none()
    }

    /// Deforms the child for this frame.
    pub(super) fn deform_child(&mut self) {
        if !self.has_picture() || self.body.flags.hidden.load(Relaxed) {
            return;
        }
        self.mesh_if_needed();
        let Some(mut child) = self.read.child.and_then(|id| Gd::<Polygon2D>::try_from_instance_id(id).ok()) else {
            return self.read_child();
        };
        let body = self.to_gd().instance_id();
        let (mesh, asleep) = {
            let core = lock(&self.body.core);
            (Arc::clone(core.mesh()), core.is_sleeping() && !self.body.flags.touched.load(Relaxed))
        };
        let known = PUPPETS.with_borrow_mut(|puppets| puppets.remove(&body));
        let mut puppet = match known {
            Some(puppet) if puppet.child == child.instance_id() && Arc::ptr_eq(&puppet.mesh, &mesh) => puppet,
            other => {
                if let Some(mut other) = other {
                    other.undress();
                }
                let Some(puppet) = Puppet::new(&child, mesh, self.smooth_outline) else { return };
                puppet
            }
        };
        let mut fits = true;
        if !(asleep && puppet.settled) {
            puppet.settled = asleep;
            let between = self.joined() && self.body.is_between_ticks(&self.to_gd().upcast());
            let mut points = Vec::new();
            self.body.drawn_points(self.transform_now(), between, &mut points);
            fits = puppet.dress(&mut child, &points);
        }
        PUPPETS.with_borrow_mut(|puppets| puppets.insert(body, puppet));
        if !fits {
            // A script has given it another shape.
            self.read_child();
        }
    }
}

#[godot_api(secondary)]
impl SoftBody2D {
    #[func]
    fn _child_drawn(&mut self) {
        self.read_child();
    }
}
