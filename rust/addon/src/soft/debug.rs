//! What is drawn over a soft body to see how it works: its points, how far its springs are stretched, velocities, and what it touches.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::convert::vector2;
use crate::world::lock;
use godot::classes::RenderingServer;
use godot::prelude::*;
use supple_sim::frame::Pose;

/// Size of a point in px.
const POINT: f32 = 3.0;
/// A velocity is drawn as the way of this time, in s.
const VELOCITY_TIME: f32 = 0.05;
/// The change of a spring's length that is drawn as the strongest, as a part of it.
const MOST_STRETCH: f32 = 0.3;
/// The cross where it touches something: half its size, and the length of the normal, in px.
const TOUCH: f32 = 4.0;
const NORMAL: f32 = 16.0;

const LOOSE: Color = Color::from_rgba(0.9, 0.95, 0.9, 0.5);
const STRETCHED: Color = Color::from_rgb(1.0, 0.15, 0.1);
const PRESSED: Color = Color::from_rgb(0.15, 0.35, 1.0);
const HELD: Color = Color::from_rgb(1.0, 0.3, 0.25);
const FREE: Color = Color::from_rgb(1.0, 1.0, 1.0);
const TOUCHED: Color = Color::from_rgb(1.0, 0.85, 0.2);
const VELOCITY: Color = Color::from_rgba(0.3, 0.7, 1.0, 0.8);

impl SoftBody2D {
    /// Whether it shows how it works.
    pub(super) fn is_debugged(&self) -> bool {
        self.debug_enabled || self.base().get_tree().is_debugging_collisions_hint()
    }
}

impl SharedSoft {
    /// Draws over the body where it was drawn last.
    pub(super) fn draw_debug(&self, canvas_item: Rid) {
        let core = lock(&self.core);
        let look = lock(&self.look);
        let points = &look.points;
        if points.len() != core.point_count() {
            return;
        }
        let mut server = RenderingServer::singleton();
        let links = &core.mesh().links;
        let ends = links.iter().flat_map(|link| [points[link.a as usize], points[link.b as usize]]);
        let colors = (0..links.len()).map(|i| {
            let stretch = (core.link_stretch(i) / MOST_STRETCH).clamp(-1.0, 1.0);
            LOOSE.lerp(if stretch > 0.0 { STRETCHED } else { PRESSED }, f64::from(stretch.abs()))
        });
        let (ends, colors) = (ends.collect::<PackedVector2Array>(), colors.collect::<PackedColorArray>());
        server.canvas_item_add_multiline(canvas_item, &ends, &colors);
        let node: Pose = *core.pose();
        let ways = points.iter().enumerate().flat_map(|(i, &point)| {
            let way = core.velocity(i) * VELOCITY_TIME;
            [point, point + vector2(node.unturn(way))]
        });
        let (ways, color) = (ways.collect::<PackedVector2Array>(), PackedColorArray::from(&[VELOCITY]));
        server.canvas_item_add_multiline(canvas_item, &ways, &color);
        let touches = core.touches().iter().flat_map(|touch| {
            let at = vector2(node.unturn(touch.position - node.origin));
            let normal = vector2(node.unturn(touch.normal)).normalized_or_zero();
            let (one, other) = (Vector2::new(TOUCH, TOUCH), Vector2::new(TOUCH, -TOUCH));
            [at - one, at + one, at - other, at + other, at, at + normal * NORMAL]
        });
        let (touches, color) = (touches.collect::<PackedVector2Array>(), PackedColorArray::from(&[TOUCHED]));
        if !touches.is_empty() {
            server.canvas_item_add_multiline(canvas_item, &touches, &color);
        }
        for (i, &point) in points.iter().enumerate() {
            let color = if core.is_pinned(i) { HELD } else { FREE };
            let corner = Vector2::splat(0.5 * POINT);
            server.canvas_item_add_rect(canvas_item, Rect2::new(point - corner, corner * 2.0), color);
        }
    }
}
