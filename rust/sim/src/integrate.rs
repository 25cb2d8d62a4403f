//! Time-corrected position Verlet.
//!
//! `next = now + (now - before) * (h / h_before) * damping + a * h * (h + h_before) / 2`
//!
//! Without the correction (L. Verlet 1967; T. Jakobsen, "Advanced Character Physics", GDC 2001) a point speeds up or
//! slows down whenever the step changes. The last term is the second-order form for unequal steps (J. Dummer, "A
//! simple time-corrected Verlet integration method", 2005); with `h_before = 0`, the first step after a body was
//! placed, it gives the exact `a h^2 / 2` of a start from rest.

use crate::points::Points;
use glam::Vec2;

/// The step of a Verlet integration.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// This substep in seconds.
    pub h: f32,
    /// The substep before it in seconds; 0 if there was none (then there is no velocity either).
    pub h_before: f32,
    /// Part of the velocity that is lost a second, as `RigidBody2D.linear_damp`: the rest is `exp(-damp * h)`.
    pub linear_damp: f32,
    /// Acceleration of all points in px/s2.
    pub gravity: Vec2,
}

impl Step {
    /// What a step adds to a position for an acceleration of 1, in s2.
    pub fn acceleration_factor(&self) -> f32 {
        0.5 * self.h * (self.h + self.h_before)
    }

    /// What a step keeps of the last displacement.
    pub fn velocity_factor(&self) -> f32 {
        if self.h_before <= 0.0 {
            return 0.0;
        }
        let mean_step = 0.5 * (self.h + self.h_before);
        self.h / self.h_before * (-self.linear_damp * mean_step).exp()
    }
}

/// Moves all points that are not held on by one step; held ones keep their place and have gone no way.
pub fn verlet(points: &mut Points, step: &Step) {
    let keep = step.velocity_factor();
    let fall = step.gravity * step.acceleration_factor();
    points.begin();
    axis(&mut points.x, &mut points.way_x, &points.inv_mass, keep, fall.x);
    axis(&mut points.y, &mut points.way_y, &points.inv_mass, keep, fall.y);
}

/// Slows every point by the drag of still air: an acceleration `-drag * |v| * v`, with `drag` in 1/px. A point loses the same part of
/// its speed on the same way, however long it takes: `1 / (1 + drag * way)` a step.
pub fn air_drag(points: &mut Points, drag: f32) {
    for (x, y) in points.way_x.iter_mut().zip(&mut points.way_y) {
        let kept = 1.0 / (1.0 + drag * (*x * *x + *y * *y).sqrt());
        *x *= kept;
        *y *= kept;
    }
}

/// Takes every point towards the air by its drag: an acceleration `drag * |air - v| * (air - v)`, with `drag` in 1/px. Like in
/// [`air_drag`] each keeps `1 / (1 + drag * way)` of its way through the air, which is stable in any gale. `air_x` and `air_y` are the air at
/// the points in px/s, `h_before` is the last substep.
pub fn wind_drag(points: &mut Points, drag: f32, air_x: &[f32], air_y: &[f32], h_before: f32) {
    let ways = points.way_x.iter_mut().zip(&mut points.way_y);
    for ((x, y), (air_x, air_y)) in ways.zip(air_x.iter().zip(air_y)) {
        // Against the air, in px of the last substep.
        let (off_x, off_y) = (*x - air_x * h_before, *y - air_y * h_before);
        let resisted = drag * (off_x * off_x + off_y * off_y).sqrt();
        let lost = resisted / (1.0 + resisted);
        *x -= lost * off_x;
        *y -= lost * off_y;
    }
}

fn axis(position: &mut [f32], way: &mut [f32], inv_mass: &[f32], keep: f32, fall: f32) {
    for ((position, way), &inv_mass) in position.iter_mut().zip(way.iter_mut()).zip(inv_mass) {
        *way = if inv_mass > 0.0 { *way * keep + fall } else { 0.0 };
        *position += *way;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(steps: &[f32]) -> f32 {
        let mut points = Points::default();
        points.resize(1);
        points.inv_mass[0] = 1.0;
        let mut h_before = 0.0;
        for &h in steps {
            verlet(&mut points, &Step { h, h_before, linear_damp: 0.0, gravity: Vec2::new(0.0, 980.0) });
            h_before = h;
        }
        points.y[0]
    }

    #[test]
    fn a_fall_from_rest_is_exact_with_any_steps() {
        let exact = 0.5 * 980.0;
        let even = fall(&[1.0 / 64.0; 64]);
        let uneven: Vec<f32> = (0..96).map(|i| if i % 3 == 0 { 1.0 / 64.0 } else { 1.0 / 128.0 }).collect();
        assert!((even - exact).abs() < 0.01, "{even}");
        assert!((fall(&uneven) - exact).abs() < 0.01, "{}", fall(&uneven));
    }

    #[test]
    fn air_takes_the_same_part_of_a_way_at_any_speed() {
        let glide = |speed: f32, steps: usize| {
            let mut points = Points::default();
            points.resize(1);
            points.inv_mass[0] = 1.0;
            points.way_x[0] = speed;
            for _ in 0..steps {
                air_drag(&mut points, 1e-3);
                verlet(&mut points, &Step { h: 0.01, h_before: 0.01, linear_damp: 0.0, gravity: Vec2::ZERO });
            }
            points.way_x[0] / speed
        };
        assert!((glide(1.0, 1000) - 0.5).abs() < 1e-2, "{}", glide(1.0, 1000));
        assert!((glide(10.0, 100) - 0.5).abs() < 1e-2, "{}", glide(10.0, 100));
    }

    #[test]
    fn wind_takes_a_point_along_the_same_at_any_step() {
        // Exact: the speed against the air falls as 1 / (1 + drag * speed * time).
        let blown = |h: f32, steps: usize| {
            let mut points = Points::default();
            points.resize(1);
            points.inv_mass[0] = 1.0;
            for _ in 0..steps {
                wind_drag(&mut points, 1e-3, &[500.0], &[0.0], h);
                verlet(&mut points, &Step { h, h_before: h, linear_damp: 0.0, gravity: Vec2::ZERO });
            }
            points.way_x[0] / h
        };
        let exact = 500.0 - 500.0 / (1.0 + 1e-3 * 500.0 * 2.0);
        assert!((blown(1.0 / 240.0, 480) - exact).abs() < 0.5, "{}", blown(1.0 / 240.0, 480));
        assert!((blown(1.0 / 30.0, 60) - exact).abs() < 0.5, "{}", blown(1.0 / 30.0, 60));
    }

    #[test]
    fn no_drag_in_any_gale_takes_a_point_past_the_air() {
        let mut points = Points::default();
        points.resize(1);
        points.way_x[0] = -1e4;
        wind_drag(&mut points, 1.0, &[1e7], &[-1e7], 0.5);
        assert!((points.way_x[0] - 5e6).abs() < 2.0 && (points.way_y[0] + 5e6).abs() < 2.0, "{:?}", points.way(0));
        points.stop();
        wind_drag(&mut points, 1.0, &[0.0], &[0.0], 0.5);
        assert_eq!(points.way(0), Vec2::ZERO);
    }

    #[test]
    fn still_wind_is_still_air() {
        let mut points = Points::default();
        points.resize(1);
        points.set_way(0, Vec2::new(3.0, -4.0));
        let mut other = points.clone();
        air_drag(&mut points, 0.01);
        wind_drag(&mut other, 0.01, &[0.0], &[0.0], 0.01);
        assert!((points.way(0) - other.way(0)).length() < 1e-6);
    }

    #[test]
    fn damping_takes_the_same_part_of_a_second_at_any_step() {
        let glide = |h: f32, count: usize| {
            let mut points = Points::default();
            points.resize(1);
            points.inv_mass[0] = 1.0;
            points.way_x[0] = 100.0 * h;
            for _ in 0..count {
                verlet(&mut points, &Step { h, h_before: h, linear_damp: 0.6, gravity: Vec2::ZERO });
            }
            points.way_x[0] / h
        };
        assert!((glide(1.0 / 60.0, 60) - 100.0 * (-0.6f32).exp()).abs() < 0.05);
        assert!((glide(1.0 / 240.0, 240) - 100.0 * (-0.6f32).exp()).abs() < 0.05);
    }
}
