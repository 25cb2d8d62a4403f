//! What the triangles of a soft body do against being deformed.
//!
//! A triangle maps the plane at rest to where its corners are. In complex numbers that is `q -> a q + b conj(q) + c`: `a` turns and scales, `b` shears. With
//! `|a|` = 1 and `b` = 0 it is only turned, so the energy per area at rest is
//!
//! `2 B (|a| - 1)^2 + 2 G |b|^2`
//!
//! with the moduli `B` against a change of area and `G` against shearing: linear elasticity in the frame of the triangle, which stays well-behaved when
//! that is squeezed flat or turned inside out (corotated elasticity; for the decomposition see D. Sýkora and others: in the plane no singular values are needed). Its
//! area is `|a|^2 - |b|^2` of what it was; `area_stiffness` holds `|a|` at `sqrt(1 + |b|^2)`, which is exactly that.

use super::SoftSettings;
use crate::mesh::Mesh;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// The moduli of a material are this multiple of a spring's stiffness: a body of 5x5 points has five springs side by side for four lengths.
const SPRINGS: f32 = 1.25;
/// The least part of the mean mass that a point has.
const LEAST_SHARE: f32 = 0.1;

/// The triangles of a body, and the masses of its points.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Material {
    pub triangles: Vec<Triangle>,
    masses: Vec<f32>,
    mass: f32,
    area: f32,
}

/// A triangle at rest, and how it was deformed in the last substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// What each corner adds to `a`, by its place; the conjugates to `b`.
    pub gradients: [Vec2; 3],
    pub area: f32,
    /// `|a|` and, in the frame of the triangle, `b`, in the last substep.
    pub size: f32,
    pub shear: Vec2,
    /// What of that has come to stay.
    pub kept: Vec2,
}

impl Material {
    /// Makes anew what follows from the rest shape.
    pub fn set(&mut self, mesh: &Mesh, rest: &[Vec2], orientation: f32, settings: &SoftSettings) {
        self.triangles.clear();
        self.triangles.extend(mesh.triangles.iter().map(|&[i, j, k]| {
            let corners = if orientation < 0.0 { [i, k, j] } else { [i, j, k] };
            let [p, q, r] = corners.map(|corner| rest[corner as usize]);
            let area = 0.5 * (q - p).perp_dot(r - p);
            // The gradient of a corner's share is the opposite side, turned, over twice the area; half of it, conjugated, is what it adds to `a`.
            let gradient = |from: Vec2, to: Vec2| {
                let g = (to - from).perp() / (2.0 * area.max(f32::MIN_POSITIVE));
                0.5 * Vec2::new(g.x, -g.y)
            };
            let gradients = [gradient(q, r), gradient(r, p), gradient(p, q)];
            Triangle { corners, gradients, area, size: 1.0, shear: Vec2::ZERO, kept: Vec2::ZERO }
        }));
        self.area = self.triangles.iter().map(|triangle| triangle.area).sum();
        self.weigh(mesh.points.len(), settings);
    }

    /// Spreads the mass over the points, by the area that belongs to each.
    pub fn weigh(&mut self, points: usize, settings: &SoftSettings) {
        self.mass = settings.total_mass(points);
        self.masses.clear();
        if settings.particle_mass > 0.0 {
            self.masses.resize(points, self.mass / points as f32);
            return;
        }
        let mean = 1.0 / points as f32;
        self.masses.resize(points, LEAST_SHARE * mean);
        for triangle in &self.triangles {
            for corner in triangle.corners {
                self.masses[corner as usize] += triangle.area / (3.0 * self.area.max(f32::MIN_POSITIVE));
            }
        }
        let sum: f32 = self.masses.iter().sum();
        self.masses.iter_mut().for_each(|mass| *mass *= self.mass / sum);
    }

    /// Forgets how it was deformed.
    pub fn relax(&mut self) {
        for triangle in &mut self.triangles {
            (triangle.size, triangle.shear, triangle.kept) = (1.0, Vec2::ZERO, Vec2::ZERO);
        }
    }

    /// Mass of each point in kg.
    pub fn masses(&self) -> &[f32] {
        &self.masses
    }

    /// Mass of the whole in kg.
    pub fn mass(&self) -> f32 {
        self.mass
    }

    /// Area at rest in px2.
    pub fn area(&self) -> f32 {
        self.area
    }

    /// Whether it can belong to a mesh.
    pub fn fits(&self, mesh: &Mesh) -> bool {
        let sound = |triangle: &Triangle| {
            triangle.gradients.iter().chain([&triangle.shear, &triangle.kept]).all(|v| v.is_finite())
                && triangle.area.is_finite()
                && triangle.size.is_finite()
                && triangle.corners.iter().all(|&corner| (corner as usize) < mesh.points.len())
        };
        self.triangles.len() == mesh.triangles.len()
            && self.masses.len() == mesh.points.len()
            && self.masses.iter().chain([&self.mass, &self.area]).all(|&number| number.is_finite() && number > 0.0)
            && self.triangles.iter().all(sound)
    }
}
