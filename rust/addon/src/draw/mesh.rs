//! A mesh in two dimensions whose vertices are replaced from frame to frame.

use godot::classes::RenderingServer;
use godot::classes::rendering_server::{ArrayFormat, ArrayType, PrimitiveType};
use godot::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Vertices as the server takes them; reused, since most meshes of a game have the same size.
    static BYTES: RefCell<PackedByteArray> = RefCell::default();
}

/// Gives back what belongs to the engine before the extension is unloaded.
pub fn shut_down() {
    BYTES.with_borrow_mut(|bytes| *bytes = PackedByteArray::new());
}

/// A strip of triangles on the rendering server; freed with this.
pub struct StripMesh {
    mesh: Rid,
    /// The number of its vertices.
    count: usize,
    /// The box in which the renderer believes it to be, in the canvas item's coordinates.
    fence: Rect2,
}

impl Default for StripMesh {
    fn default() -> Self {
        StripMesh { mesh: Rid::Invalid, count: 0, fence: Rect2::default() }
    }
}

impl StripMesh {
    /// Moves the vertices. `uvs` are asked for when their number has changed. True if the canvas item must add the mesh again,
    /// because it is another one or has left its fence.
    pub fn update(&mut self, vertices: &[Vector2], uvs: impl FnOnce() -> PackedVector2Array) -> bool {
        let mut server = RenderingServer::singleton();
        let mut changed = false;
        if !self.mesh.is_valid() {
            self.mesh = server.mesh_create();
            changed = true;
        }
        if self.count != vertices.len() {
            self.count = vertices.len();
            server.mesh_clear(self.mesh);
            let mut arrays = VarArray::new();
            arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
            arrays.set(ArrayType::VERTEX.ord() as usize, &PackedVector2Array::from(vertices).to_variant());
            arrays.set(ArrayType::TEX_UV.ord() as usize, &uvs().to_variant());
            server
                .mesh_add_surface_from_arrays_ex(self.mesh, PrimitiveType::TRIANGLE_STRIP, &arrays)
                .compress_format(ArrayFormat::FLAG_USE_2D_VERTICES | ArrayFormat::FLAG_USE_DYNAMIC_UPDATE)
                .done();
            changed = true;
        } else {
            BYTES.with_borrow_mut(|bytes| {
                fill(bytes, vertices);
                server.mesh_surface_update_vertex_region(self.mesh, 0, 0, bytes);
            });
        }
        changed | self.follow(vertices)
    }

    /// Shows the mesh on a canvas item that is being drawn.
    pub fn add_to(&self, canvas_item: Rid, modulate: Color) {
        if self.mesh.is_valid() {
            let mut server = RenderingServer::singleton();
            server.canvas_item_add_mesh_ex(canvas_item, self.mesh).modulate(modulate).done();
        }
    }

    /// Sets the fence anew, with room around it, if the vertices have left it or shrunk to a small part of it. A canvas item
    /// takes the box of a mesh when it is added and does not notice later changes.
    fn follow(&mut self, vertices: &[Vector2]) -> bool {
        let Some(&first) = vertices.first() else { return false };
        let (least, most) =
            vertices.iter().fold((first, first), |(least, most), &v| (least.coord_min(v), most.coord_max(v)));
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

fn fill(bytes: &mut PackedByteArray, vertices: &[Vector2]) {
    const SIZE: usize = size_of::<[f32; 2]>();
    if bytes.len() != vertices.len() * SIZE {
        bytes.resize(vertices.len() * SIZE);
    }
    for (place, vertex) in bytes.as_mut_slice().chunks_exact_mut(SIZE).zip(vertices) {
        place[..4].copy_from_slice(&vertex.x.to_ne_bytes());
        place[4..].copy_from_slice(&vertex.y.to_ne_bytes());
    }
}

impl Drop for StripMesh {
    fn drop(&mut self) {
        if self.mesh.is_valid() {
            RenderingServer::singleton().free_rid(self.mesh);
        }
    }
}
