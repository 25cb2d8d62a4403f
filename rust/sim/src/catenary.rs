//! The curve in which a rope hangs between two ends.
//!
//! With `x` along the level and `Y` upwards the curve is `Y = a cosh((x - x0) / a)` (J. Bernoulli, G. W. Leibniz, C. Huygens
//! 1691). For ends `h` apart in the level and `v` in height, and a length `l`, `z = h / 2a` solves
//! `sinh(z) / z = sqrt(l^2 - v^2) / h`, and `tanh((h / 2 - x0) / a) = v / l`.

use glam::{DVec2, Vec2};

/// Ends closer in the level than this part of the length are treated as if they were this far apart, and the rest is
/// sheared away: the curve itself degenerates to two vertical lines.
const LEAST_LEVEL: f64 = 1e-3;
/// Newton steps for `z`; six are enough from the starting values below.
const NEWTON_STEPS: usize = 12;

/// Calls `put(i, position)` for `links + 1` points, equally far along the curve, from `from` to `to`.
///
/// `length` is the rope's length in px; if the ends are farther apart, the points lie on the straight line. `down` is
/// the direction of gravity, of any length; zero means +y.
pub fn hang(from: Vec2, to: Vec2, length: f32, links: usize, down: Vec2, mut put: impl FnMut(usize, Vec2)) {
    let links = links.max(1);
    let curve = Catenary::new(from.as_dvec2(), to.as_dvec2(), f64::from(length), down.as_dvec2());
    for i in 0..=links {
        let part = i as f64 / links as f64;
        let position = match (&curve, i) {
            (_, 0) => from,
            (Some(curve), _) if i < links => from + curve.at(part).as_vec2(),
            (None, _) if i < links => from.lerp(to, part as f32),
            _ => to,
        };
        put(i, position);
    }
}

struct Catenary {
    length: f64,
    /// The parameter `a`.
    a: f64,
    /// The level distance from the start to the lowest point.
    x0: f64,
    /// What the curve misses of the end, spread evenly along it.
    shear: f64,
    level: DVec2,
    down: DVec2,
}

impl Catenary {
    /// None if the rope is straight.
    fn new(from: DVec2, to: DVec2, length: f64, down: DVec2) -> Option<Catenary> {
        let span = to - from;
        if length.is_nan() || length <= span.length() * (1.0 + 1e-6) {
            return None;
        }
        let down = down.try_normalize().unwrap_or(DVec2::Y);
        let across = DVec2::new(down.y, -down.x);
        let level = if span.dot(across) < 0.0 { -across } else { across };
        let true_h = span.dot(level);
        let h = true_h.max(LEAST_LEVEL * length);
        let up = -span.dot(down);
        let ratio = (length * length - up * up).max(0.0).sqrt() / h;
        if ratio <= 1.0 + 1e-9 {
            return None;
        }
        let a = h / (2.0 * Self::half_angle(ratio));
        let x0 = 0.5 * h - a * (up / length).atanh();
        Some(Catenary { length, a, x0, shear: true_h - h, level, down })
    }

    /// Solves `sinh(z) / z = ratio` for `z > 0`.
    fn half_angle(ratio: f64) -> f64 {
        // The series for slack ropes and the logarithm for long ones are both within 30 %.
        let mut z = if ratio < 3.0 { (6.0 * (ratio - 1.0)).sqrt() } else { (2.0 * ratio * (2.0 * ratio).ln()).ln() };
        for _ in 0..NEWTON_STEPS {
            let value = z.sinh() - ratio * z;
            let slope = z.cosh() - ratio;
            if slope.abs() < f64::EPSILON {
                break;
            }
            z = (z - value / slope).max(0.25 * z);
        }
        z
    }

    fn at(&self, part: f64) -> DVec2 {
        let from_lowest = part * self.length + self.a * (-self.x0 / self.a).sinh();
        let angle = (from_lowest / self.a).asinh();
        let x = self.x0 + self.a * angle;
        let up = self.a * (angle.cosh() - (self.x0 / self.a).cosh());
        self.level * (x + self.shear * part) - self.down * up
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(from: Vec2, to: Vec2, length: f32, links: usize, down: Vec2) -> Vec<Vec2> {
        let mut points = vec![Vec2::NAN; links + 1];
        hang(from, to, length, links, down, |i, p| points[i] = p);
        points
    }

    #[test]
    fn ends_in_one_place_give_a_loop_of_half_the_length() {
        let lowest = points(Vec2::ZERO, Vec2::ZERO, 200.0, 20, Vec2::Y)[10];
        assert!((lowest - Vec2::new(0.0, 100.0)).length() < 1.0, "{lowest}");
    }

    #[test]
    fn it_sags_where_gravity_pulls() {
        for down in [Vec2::Y, Vec2::NEG_Y, Vec2::X] {
            let middle = points(Vec2::ZERO, Vec2::new(60.0, 80.0), 150.0, 10, down)[5] - Vec2::new(30.0, 40.0);
            assert!(middle.dot(down) > 20.0, "{down}: {middle}");
        }
    }

    proptest! {
        #[test]
        fn it_has_its_length_and_its_ends(
            x in -500.0f32..500.0, y in -500.0f32..500.0, slack in 1.0f32..20.0, angle in 0.0..std::f32::consts::TAU,
        ) {
            let to = Vec2::new(x, y);
            let length = (to.length() * slack).max(10.0);
            let points = points(Vec2::ZERO, to, length, 400, Vec2::from_angle(angle));
            prop_assert_eq!(points[400], to);
            let drawn: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            prop_assert!((drawn - length).abs() < 0.003 * length + 0.01, "{drawn} for {length}");
            let longest = points.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max);
            prop_assert!(longest < 1.05 * length / 400.0 + 0.01, "{longest}");
        }
    }
}
