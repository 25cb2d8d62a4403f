//! The highlight of a body: a bow of light in its upper left that is deformed with it.
//!
//! Each of its vertices is bound to the triangle of the mesh that holds it at rest.

use super::skin::Smoothing;
use super::strip::Look;
use godot::builtin::{Color, Vector2};
use supple_sim::Vec2;
use supple_sim::mesh::{Locator, Mesh, Seat};

/// The highlight is a bow in the upper left, from one angle to another, as seen from the middle: degrees to the left of up.
const DEGREES: [f32; 2] = [12.0, 78.0];
/// So far out is its middle, and so far from that its edges, as parts of the box. It is round, or for rounded corners a rounded box.
const OUT: f32 = 0.74;
const HALF: f32 = 0.075;
const ROUND_POWER: f32 = 2.0;
const BOX_POWER: f32 = 5.0;
/// Into so many pieces it is cut.
const PIECES: u32 = 14;
/// A place of it that is by more than this outside of its triangle is not inside of the body.
const OUTSIDE: f32 = -0.05;

/// See the [module](self).
#[derive(Default)]
pub struct Shine {
    /// Three vertices across, from outside to inside, each in a triangle of the mesh, and how bright the middle one is.
    pieces: Vec<([Seat; 3], f32)>,
}

impl Shine {
    /// Lays out the highlight; there is none where it does not fit into the body.
    pub fn lay_out(&mut self, mesh: &Mesh, smoothing: Smoothing) {
        let bounds = mesh.bounds();
        let (middle, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
        let power = if smoothing == Smoothing::Rounded { BOX_POWER } else { ROUND_POWER };
        let locator = Locator::of(mesh);
        let piece = |i: u32| {
            let part = i as f32 / PIECES as f32;
            let [from, to] = DEGREES;
            let (sin, cos) = (from + (to - from) * part).to_radians().sin_cos();
            let out = (sin.powf(power) + cos.powf(power)).powf(-1.0 / power);
            // Brightest and broadest in its middle.
            let bright = (std::f32::consts::PI * part).sin().max(0.0);
            let broad = HALF * bright.sqrt();
            let seats = [OUT + broad, OUT, OUT - broad].map(|far| {
                let way = Vec2::new(-sin, -cos) * (out * far);
                locator.find(middle + half * way).filter(|(_, weights)| weights.iter().all(|&weight| weight > OUTSIDE))
            });
            let [Some(outer), Some(inner), Some(innermost)] = seats else { return None };
            Some(([outer, inner, innermost], bright))
        };
        self.pieces = (0..=PIECES).map(piece).collect::<Option<Vec<_>>>().unwrap_or_default();
    }

    /// Fills `vertices` for the highlight.
    pub fn put(&self, points: &[Vector2], vertices: &mut Vec<Vector2>) {
        let place = |(corners, weights): &Seat| {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            a * weights[0] + b * weights[1] + c * weights[2]
        };
        vertices.clear();
        vertices.extend(self.pieces.iter().flat_map(|(seats, _)| seats.iter().map(place)));
    }

    /// How its vertices look: white, faded at the edges and ends.
    pub fn looks(&self, looks: &mut Vec<Look>) {
        let look = |alpha: f32| Look { color: Color { a: alpha, ..Color::WHITE }, uv: Vector2::ZERO };
        looks.clear();
        looks.extend(self.pieces.iter().flat_map(|&(_, alpha)| [look(0.0), look(alpha), look(0.0)]));
    }

    /// Its triangles.
    pub fn triangles(&self) -> Vec<i32> {
        let pieces = self.pieces.len().saturating_sub(1) as i32;
        (0..pieces)
            .flat_map(|i| [0, 1].map(|lane| 3 * i + lane))
            .flat_map(|a| [a, a + 3, a + 1, a + 1, a + 3, a + 4])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_and_an_ellipse_have_one_and_a_star_has_none() {
        let star: Vec<Vec2> =
            (0..10).map(|i| Vec2::from_angle(i as f32 * 0.628) * if i % 2 == 0 { 80.0 } else { 35.0 }).collect();
        let has = |mesh: &Mesh, smoothing| {
            let mut shine = Shine::default();
            shine.lay_out(mesh, smoothing);
            let points: Vec<Vector2> = mesh.points.iter().map(|at| Vector2::new(at.x, at.y)).collect();
            let (mut vertices, mut looks) = (Vec::new(), Vec::new());
            shine.put(&points, &mut vertices);
            shine.looks(&mut looks);
            assert_eq!(vertices.len(), looks.len());
            assert!(shine.triangles().iter().all(|&i| (i as usize) < vertices.len()));
            assert!(vertices.iter().all(|at| at.x < 0.0 && at.y < 0.0), "it is in the upper left");
            !vertices.is_empty()
        };
        assert!(has(&Mesh::rectangle(Vec2::new(90.0, 50.0), (5, 5).into()), Smoothing::Rounded));
        assert!(has(&Mesh::ellipse(Vec2::new(90.0, 50.0), 15.0), Smoothing::Everywhere));
        assert!(!has(&Mesh::polygon(&star, 15.0).unwrap_or_else(|flaw| panic!("{flaw}")), Smoothing::NotAtCorners));
    }
}
