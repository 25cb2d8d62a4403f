//! What is drawn over a rope to see how it works: its points, how hard its pieces are pulled, velocities, and what it touches.

use super::VerletRope2D;
use super::body::RopeBody;
use crate::convert::vector2;
use crate::world::lock;
use godot::classes::RenderingServer;
use godot::prelude::*;
use supple_sim::frame::Pose;
use supple_sim::rope::Rope;
use supple_sim::tick::DEFAULT_GRAVITY;

/// Radius of a point in px.
const POINT: f32 = 2.0;

/// A velocity is drawn as the way of this time, in s.
const VELOCITY_TIME: f32 = 0.05;

const LOOSE: Color = Color::from_rgb(0.2, 0.9, 0.35);
const PULLED: Color = Color::from_rgb(1.0, 0.15, 0.1);
const HELD: Color = Color::from_rgb(1.0, 0.3, 0.25);
const FREE: Color = Color::from_rgb(1.0, 1.0, 1.0);
/// The cross where it touches something: half its size, and the length of the normal, in px.
const TOUCH: f32 = 4.0;
const NORMAL: f32 = 16.0;

const TOUCHED: Color = Color::from_rgb(1.0, 0.85, 0.2);
const VELOCITY: Color = Color::from_rgba(0.3, 0.7, 1.0, 0.8);

/// The pull that is drawn as the strongest where nothing breaks, as a multiple of what the rope and its load weigh.
const MOST_WEIGHTS: f32 = 2.0;

/// How hard a piece is pulled, 0 to 1: that is where it breaks.
fn pull(rope: &Rope, link: usize) -> f32 {
    let settings = rope.settings();
    let weights = MOST_WEIGHTS * DEFAULT_GRAVITY * (settings.mass + settings.end_mass);
    let most = if settings.break_force > 0.0 { settings.break_force } else { weights };
    (rope.tension(link) / most).clamp(0.0, 1.0)
}

impl VerletRope2D {
    /// Whether it shows how it works.
    pub(super) fn is_debugged(&self) -> bool {
        self.debug_enabled || self.base().get_tree().is_debugging_collisions_hint()
    }
}

impl RopeBody {
    /// Draws over the rope where it was drawn last.
    pub(super) fn draw_debug(&self, canvas_item: Rid) {
        let look = lock(&self.look);
        let rope = lock(&self.rope);
        let line = look.line();
        if line.len() != rope.point_count() {
            return;
        }
        let mut server = RenderingServer::singleton();
        let links = line.windows(2).flatten().copied().collect::<PackedVector2Array>();
        let colors = (0..line.len() - 1).map(|link| LOOSE.lerp(PULLED, f64::from(pull(&rope, link))));
        server.canvas_item_add_multiline(canvas_item, &links, &colors.collect::<PackedColorArray>());
        let node: Pose = *rope.pose();
        let ends = line.iter().enumerate().flat_map(|(i, &point)| {
            let way = rope.velocity(i) * VELOCITY_TIME;
            [point, point + vector2(node.unturn(way))]
        });
        let (ends, color) = (ends.collect::<PackedVector2Array>(), PackedColorArray::from(&[VELOCITY]));
        server.canvas_item_add_multiline(canvas_item, &ends, &color);
        let touches = rope.touches().iter().flat_map(|touch| {
            let at = vector2(node.unturn(touch.position - node.origin));
            let normal = vector2(node.unturn(touch.normal)).normalized_or_zero();
            let (one, other) = (Vector2::new(TOUCH, TOUCH), Vector2::new(TOUCH, -TOUCH));
            [at - one, at + one, at - other, at + other, at, at + normal * NORMAL]
        });
        let (touches, color) = (touches.collect::<PackedVector2Array>(), PackedColorArray::from(&[TOUCHED]));
        if !touches.is_empty() {
            server.canvas_item_add_multiline(canvas_item, &touches, &color);
        }
        for (i, &point) in line.iter().enumerate() {
            let color = if rope.is_pinned(i) { HELD } else { FREE };
            let corner = Vector2::splat(0.5 * POINT);
            server.canvas_item_add_rect(canvas_item, Rect2::new(point - corner, corner * 2.0), color);
        }
    }
}
