//! Drawing a soft body: its triangles, in the node's own coordinates.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::convert::{pose, vec2, vector2};
use crate::draw::blend;
use crate::world::lock;
use godot::classes::{Engine, RenderingServer, Resource, Texture2D};
use godot::prelude::*;
use supple_sim::bounds::Bounds;

impl SharedSoft {
    /// Where the points are in this frame, in the node's own coordinates. `now` is the node's global transform; with `interpolated` the frame lies between two
    /// ticks.
    pub(super) fn drawn_points(&self, now: Transform2D, interpolated: bool) -> Vec<Vector2> {
        self.catch_up(|| now);
        let fraction = if interpolated { Engine::singleton().get_physics_interpolation_fraction() as f32 } else { 1.0 };
        let shown = pose(blend(self.transform_before(), now, fraction));
        let core = lock(&self.core);
        let place = |i| vector2(shown.unturn(core.place_between(i, fraction, shown.origin)));
        (0..core.point_count()).map(place).collect()
    }
}

impl SoftBody2D {
    /// Draws it: the engine has thrown away all commands of this canvas item.
    pub(super) fn draw(&mut self) {
        self.mesh_if_needed();
        let interpolated = self.joined() && self.body.is_between_ticks(&self.to_gd().upcast());
        let points = self.body.drawn_points(self.base().get_global_transform(), interpolated);
        let mesh = lock(&self.body.core).mesh().clone();
        let item = self.base().get_canvas_item();
        let mut server = RenderingServer::singleton();
        let indices: PackedInt32Array = mesh.triangles.iter().flatten().map(|&i| i as i32).collect();
        let rest = Bounds::of(mesh.points.iter().copied());
        let size = (rest.max - rest.min).max(supple_sim::Vec2::splat(f32::MIN_POSITIVE));
        let uvs: PackedVector2Array = mesh.points.iter().map(|&point| vector2((point - rest.min) / size)).collect();
        let texture = self.texture.as_ref().map_or(Rid::Invalid, |texture| texture.get_rid());
        let places: PackedVector2Array = points.iter().copied().collect();
        server
            .canvas_item_add_triangle_array_ex(item, &indices, &places, &PackedColorArray::from(&[self.color]))
            .uvs(&uvs)
            .texture(texture)
            .done();
        if self.outline_width > 0.0 {
            let outline = mesh.outline.iter().chain(mesh.outline.first()).map(|&i| points[i as usize]);
            let outline: PackedVector2Array = outline.collect();
            server
                .canvas_item_add_polyline_ex(item, &outline, &PackedColorArray::from(&[self.outline_color]))
                .width(self.outline_width as f32)
                .antialiased(self.antialiased)
                .done();
        }
        let bounds = Bounds::of(points.iter().map(|&point| vec2(point)));
        let fence = Rect2::new(vector2(bounds.min), vector2(bounds.max - bounds.min));
        self.mind_the_screen(item, fence);
    }

    /// Its mesh is another.
    pub(super) fn mesh_changed(&self) {
        self.body.follow_lead();
    }

    pub(super) fn change_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        let callback = self.to_gd().callable("_look_changed");
        let before = std::mem::replace(&mut self.texture, texture.clone());
        if before != texture {
            if let Some(mut before) = before.map(Gd::upcast::<Resource>) {
                before.disconnect("changed", &callback);
            }
            if let Some(mut now) = texture.map(Gd::upcast::<Resource>) {
                now.connect("changed", &callback);
            }
        }
        self.redraw_node();
    }
}

#[godot_api(secondary)]
impl SoftBody2D {
    /// A resource that it is drawn with was changed. It may come at any time: nothing is bound here.
    #[func(gd_self)]
    fn _look_changed(mut this: Gd<Self>) {
        this.call_deferred("queue_redraw", &[]);
    }
}
