//! A mesh in two dimensions whose vertices are replaced from frame to frame.

use super::strip::Look;
use godot::classes::RenderingServer;
use godot::classes::rendering_server::{ArrayFormat, ArrayType, PrimitiveType};
use godot::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Vertices and how they look, as the server takes them; reused, since most meshes of a game have the same size.
    static BYTES: RefCell<PackedByteArray> = RefCell::default();
    static LOOKS: RefCell<PackedByteArray> = RefCell::default();
}

/// A vertex that comes to a mesh with too little room for it brings so many others, as a part of all.
const SPARE: f32 = 0.25;

/// A vertex's place in bytes: two numbers.
const VERTEX: usize = size_of::<[f32; 2]>();
/// A vertex's look in bytes: a colour of four bytes and two numbers.
const LOOK: usize = 4 + size_of::<[f32; 2]>();

/// Gives back what belongs to the engine before the extension is unloaded.
pub fn shut_down() {
    BYTES.with_borrow_mut(|bytes| *bytes = PackedByteArray::new());
    LOOKS.with_borrow_mut(|bytes| *bytes = PackedByteArray::new());
}

/// Triangles on the rendering server, in a strip or by indices; freed with this.
pub struct LiveMesh {
    mesh: Rid,
    /// The number of vertices it has room for; those not used lie on the last one.
    room: usize,
    /// The box in which the renderer believes it to be, in the canvas item's coordinates.
    fence: Rect2,
}

impl Default for LiveMesh {
    fn default() -> Self {
        LiveMesh { mesh: Rid::Invalid, room: 0, fence: Rect2::default() }
    }
}

impl LiveMesh {
    /// Whether it has room for so many vertices, and not far too much.
    pub fn fits(&self, count: usize) -> bool {
        count <= self.room && count * 4 >= self.room
    }

    /// Moves the vertices. `looks` has as many; they are needed if they are `new` or the vertices do not fit. True if the canvas item must add the mesh
    /// again, because it was empty or has left its fence.
    pub fn update(&mut self, vertices: &[Vector2], looks: &[Look], new: bool) -> bool {
        self.put(vertices, looks, &[], new)
    }

    /// The same for triangles of three `indices` each. They are needed if they are `new`, and so are `looks`.
    pub fn update_indexed(&mut self, vertices: &[Vector2], looks: &[Look], indices: &[i32], new: bool) -> bool {
        if new && (indices.is_empty() || vertices.is_empty()) {
            let shown = self.room > 0;
            self.clear();
            return shown;
        }
        self.put(vertices, looks, indices, new)
    }

    fn put(&mut self, vertices: &[Vector2], looks: &[Look], indices: &[i32], new: bool) -> bool {
        let mut server = RenderingServer::singleton();
        let mut changed = false;
        if !self.mesh.is_valid() {
            self.mesh = server.mesh_create();
            changed = true;
        }
        // The server takes no other indices for those it has.
        let stays = indices.is_empty() || !new;
        if stays && self.fits(vertices.len()) && !vertices.is_empty() {
            BYTES.with_borrow_mut(|bytes| {
                fill(bytes, vertices, self.room, |place: &mut [u8; VERTEX], vertex| put_vector(place, *vertex));
                server.mesh_surface_update_vertex_region(self.mesh, 0, 0, bytes);
            });
            if new {
                LOOKS.with_borrow_mut(|bytes| {
                    fill(bytes, looks, self.room, |place: &mut [u8; LOOK], look| {
                        place[..4].copy_from_slice(&rgba8(look.color));
                        put_vector(&mut place[4..], look.uv);
                    });
                    server.mesh_surface_update_attribute_region(self.mesh, 0, 0, bytes);
                });
            }
        } else if self.room > 0 || !vertices.is_empty() {
            changed |= self.room == 0;
            self.rebuild(&mut server, vertices, looks, indices);
        }
        changed | self.follow(vertices)
    }

    /// Shows nothing any more.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.room) > 0 {
            RenderingServer::singleton().mesh_clear(self.mesh);
        }
    }

    /// Makes it anew with room for these vertices; if it has grown, for some more.
    fn rebuild(&mut self, server: &mut Gd<RenderingServer>, vertices: &[Vector2], looks: &[Look], indices: &[i32]) {
        let spare = if self.room > 0 && indices.is_empty() { (vertices.len() as f32 * SPARE) as usize } else { 0 };
        self.room = 0;
        server.mesh_clear(self.mesh);
        let (Some(&vertex), Some(&look)) = (vertices.last(), looks.last()) else { return };
        let padding = || std::iter::repeat_n((vertex, look), spare);
        let all = || vertices.iter().copied().zip(looks.iter().copied()).chain(padding());
        let mut arrays = VarArray::new();
        arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
        let mut put = |kind: ArrayType, data: Variant| arrays.set(kind.ord() as usize, &data);
        put(ArrayType::VERTEX, all().map(|(vertex, _)| vertex).collect::<PackedVector2Array>().to_variant());
        put(ArrayType::COLOR, all().map(|(_, look)| look.color).collect::<PackedColorArray>().to_variant());
        put(ArrayType::TEX_UV, all().map(|(_, look)| look.uv).collect::<PackedVector2Array>().to_variant());
        let kind = if indices.is_empty() {
            PrimitiveType::TRIANGLE_STRIP
        } else {
            put(ArrayType::INDEX, indices.iter().copied().collect::<PackedInt32Array>().to_variant());
            PrimitiveType::TRIANGLES
        };
        server
            .mesh_add_surface_from_arrays_ex(self.mesh, kind, &arrays)
            .compress_format(ArrayFormat::FLAG_USE_2D_VERTICES | ArrayFormat::FLAG_USE_DYNAMIC_UPDATE)
            .done();
        self.room = vertices.len() + spare;
    }

    /// The box in which the renderer believes it to be.
    pub fn fence(&self) -> Rect2 {
        self.fence
    }

    /// Shows the mesh on a canvas item that is being drawn.
    pub fn add_to(&self, canvas_item: Rid, modulate: Color, texture: Option<Rid>) {
        if self.room > 0 {
            let mut server = RenderingServer::singleton();
            let mesh = server.canvas_item_add_mesh_ex(canvas_item, self.mesh).modulate(modulate);
            mesh.texture(texture.unwrap_or(Rid::Invalid)).done();
        }
    }

    /// Sets the fence anew, with room around it, if the vertices have left it or shrunk to a small part of it. A canvas item
    /// takes the box of a mesh when it is added and does not notice later changes.
    fn follow(&mut self, vertices: &[Vector2]) -> bool {
        let Some(&first) = vertices.first() else { return false };
        // Plain comparisons: `f32::min` minds NaN and costs three times as much.
        let lower = |one: f32, other: f32| if other < one { other } else { one };
        let higher = |one: f32, other: f32| if other > one { other } else { one };
        let (mut least, mut most) = (first, first);
        for &Vector2 { x, y } in vertices {
            least = Vector2::new(lower(least.x, x), lower(least.y, y));
            most = Vector2::new(higher(most.x, x), higher(most.y, y));
        }
        let size = most - least;
        let room = size * 0.5 + Vector2::splat(64.0);
        let fence = self.fence;
        let inside = fence.position.x <= least.x
            && fence.position.y <= least.y
            && most.x <= fence.end().x
            && most.y <= fence.end().y;
        let snug = fence.size.x <= 4.0 * (size.x + room.x) && fence.size.y <= 4.0 * (size.y + room.y);
        if inside && snug {
            return false;
        }
        self.fence = Rect2::new(least - room, size + room * 2.0);
        let (position, size) = (self.fence.position, self.fence.size);
        let flat = Aabb::new(Vector3::new(position.x, position.y, 0.0), Vector3::new(size.x, size.y, 0.0));
        RenderingServer::singleton().mesh_set_custom_aabb(self.mesh, flat);
        true
    }
}

/// Fills `bytes` for `room` vertices; beyond the last item it is repeated.
fn fill<T, const SIZE: usize>(
    bytes: &mut PackedByteArray,
    items: &[T],
    room: usize,
    put: impl Fn(&mut [u8; SIZE], &T),
) {
    if bytes.len() != room * SIZE {
        bytes.resize(room * SIZE);
    }
    let (places, _) = bytes.as_mut_slice().as_chunks_mut::<SIZE>();
    let (used, spare) = places.split_at_mut(items.len().min(room));
    used.iter_mut().zip(items).for_each(|(place, item)| put(place, item));
    if let Some(last) = used.last() {
        spare.fill(*last);
    }
}

fn put_vector(place: &mut [u8], vector: Vector2) {
    place[..4].copy_from_slice(&vector.x.to_ne_bytes());
    place[4..].copy_from_slice(&vector.y.to_ne_bytes());
}

/// As the engine stores colours in a mesh.
fn rgba8(color: Color) -> [u8; 4] {
    [color.r, color.g, color.b, color.a].map(|part| (part * 255.0).clamp(0.0, 255.0) as u8)
}

impl Drop for LiveMesh {
    fn drop(&mut self) {
        if self.mesh.is_valid() {
            RenderingServer::singleton().free_rid(self.mesh);
        }
    }
}
