//! What the editor shows of a wind: an arrow, and the circle in which it blows.

use super::Wind2D;
use super::state::{facing, scale_of};
use godot::prelude::*;

const COLOR: Color = Color::from_rgba(0.55, 0.75, 1.0, 0.9);
const THICKNESS: f32 = 2.0;
/// Length of the arrow in px for a velocity of 1 px/s, and its limits in px.
const ARROW_OF_SPEED: f32 = 0.25;
const LEAST_ARROW: f32 = 24.0;
const MOST_ARROW: f32 = 200.0;
/// Length of the head in px, and its angle to the shaft.
const HEAD: f32 = 10.0;
const HEAD_ANGLE: f32 = 0.45;
/// Two more lines beside the arrow, so far off and so much shorter.
const BESIDE: f32 = 9.0;
const SHORTER: f32 = 0.6;
/// Corners of the circle.
const CORNERS: i32 = 64;

impl Wind2D {
    /// Draws the arrow and the circle, in global sizes whatever the node's scale.
    pub(super) fn draw(&mut self) {
        let settings = self.state.settings();
        let transform = self.base().get_global_transform();
        let (x, y) = facing(transform);
        let upright = Transform2D::from_cols(x, y, transform.origin);
        let scale = scale_of(transform);
        if !transform.is_finite() || scale <= 0.0 {
            return;
        }
        let mut canvas = self.base_mut();
        canvas.draw_set_transform_matrix(transform.affine_inverse() * upright);
        if settings.radius > 0.0 {
            let line =
                canvas.draw_arc_ex(Vector2::ZERO, settings.radius * scale, 0.0, std::f32::consts::TAU, CORNERS, COLOR);
            line.width(THICKNESS).done();
        }
        let speed = settings.velocity.length();
        if speed <= 0.0 {
            return;
        }
        let along = settings.velocity / speed;
        let aside = Vector2::new(-along.y, along.x);
        let length = (speed * ARROW_OF_SPEED).clamp(LEAST_ARROW, MOST_ARROW);
        let mut line = |from: Vector2, to: Vector2| canvas.draw_line_ex(from, to, COLOR).width(THICKNESS).done();
        let tip = along * length;
        line(Vector2::ZERO, tip);
        for side in [-1.0, 1.0] {
            line(tip, tip - along.rotated(side * HEAD_ANGLE) * HEAD);
            let start = aside * (side * BESIDE);
            line(start, start + along * (length * SHORTER));
        }
    }
}
