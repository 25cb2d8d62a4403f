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
use super::elastic::{Block, LANES};
use crate::mesh::Mesh;
use crate::points::Points;
use crate::substeps::INNER_STEP;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// The moduli of a material are this multiple of a spring's stiffness: a body of 5x5 points has five springs side by side for four lengths.
const SPRINGS: f32 = 1.25;
/// A deformation beyond this shear may stay, and how fast the rest of it becomes permanent at most, in 1/s; a shear of 1 is flat.
const YIELDS: f32 = 0.12;
const FLOW: f32 = 20.0;
const MOST_KEPT: f32 = 0.6;
/// The square of `|a|` below which a triangle that is turned inside out takes its rotation from the whole.
pub(super) const CRUMPLED: f32 = 0.25;
/// How much more than its modulus says the energy of `area_stiffness` curves where a triangle is turned inside out.
const AREA_CURVES: f32 = 3.0;
/// A triangle that is flatter than this part of its area is opened to that part.
const FLAT: f32 = 0.02;
const OPENED: f32 = 0.06;
/// In how many rounds it is kept from closing in a substep.
const STOPS: usize = 4;
/// What `area_stiffness` does against shearing: without any a mesh is stirred like water.
const AREA_SHEARS: f32 = 0.1;
/// The same of a body's weight, so that no body is crushed by its own.
const BORNE: f32 = 0.5;
/// The least part of the mean mass that a point has.
const LEAST_SHARE: f32 = 0.1;

/// The triangles of a body, and the masses of its points.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Material {
    pub triangles: Vec<Triangle>,
    /// The same in groups, for [`super::elastic`].
    #[serde(skip)]
    pub blocks: Vec<Block>,
    masses: Vec<f32>,
    /// The same without what it bears, and that alone.
    own: Vec<f32>,
    borne: Vec<f32>,
    mass: f32,
    area: f32,
}

/// A triangle at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// What each corner adds to `a`, by its place; the conjugates to `b`.
    pub gradients: [Vec2; 3],
    pub area: f32,
    /// The shear that has come to stay, in the frame of the triangle.
    pub kept: Vec2,
}

/// What is elastic and viscous in a material, in kg/s2 and kg/s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moduli {
    /// Against a change of size, and against shearing.
    pub bulk: f32,
    pub shear: f32,
    /// The same for their rates.
    pub bulk_rate: f32,
    pub shear_rate: f32,
    /// Against a change of area.
    pub area: f32,
    /// What blows each px2 up.
    pub pressure: f32,
}

impl Moduli {
    /// Those of the settings, for substeps of `h` seconds. `burden`: what a body of this size and weight needs not to be crushed by itself.
    pub fn of(settings: &SoftSettings, pressure: f32, burden: f32, h: f32) -> Moduli {
        let area = if settings.area_stiffness > 0.0 { settings.area_stiffness.max(burden) } else { 0.0 };
        let bulk = SPRINGS * settings.stiffness;
        let ratio = settings.shear_ratio;
        let borne = if area > 0.0 { BORNE * burden } else { 0.0 };
        let shear = (ratio * bulk + AREA_SHEARS * area).max(borne);
        // An implicit step damps by itself as much as a damping of `modulus * h` does. So much there is at any step.
        let damping = SPRINGS * settings.damping;
        let rate = |modulus: f32, damping: f32| (damping.max(modulus * INNER_STEP) - modulus * h).max(0.0);
        // What keeps the area has no damping of its own.
        let bulk_rate = rate(bulk, damping) + rate(area, 0.0);
        let shear_rate = rate(shear, damping);
        Moduli { bulk, shear, bulk_rate, shear_rate, area, pressure }
    }

    /// What a triangle never resists more than, in a substep of `h` seconds.
    pub fn greatest(&self, h: f32) -> f32 {
        let bulk = self.bulk + self.bulk_rate / h;
        let shear = self.shear + self.shear_rate / h;
        bulk.max(shear) + AREA_CURVES * self.area + 0.5 * self.pressure
    }
}

impl Triangle {
    /// How the corners' places, given by index, deform it: `a` and `b`.
    fn deformation(&self, at: impl Fn(usize) -> Vec2) -> (Vec2, Vec2) {
        let [p, q, r] = self.corners.map(|corner| at(corner as usize));
        // Beside a corner, since the gradients sum to zero.
        let (q, r) = (q - p, r - p);
        let [_, g, k] = self.gradients;
        let conjugate = |g: Vec2| Vec2::new(g.x, -g.y);
        (times(g, q) + times(k, r), times(conjugate(g), q) + times(conjugate(k), r))
    }
}

impl Triangle {
    /// Adds to `forces` what belongs to the gradient `out` by `a` and `aside` by `b`, times `strength`.
    fn spread(&self, strength: f32, out: Vec2, aside: Vec2, forces: &mut [Vec2]) {
        // `a` is by the corners' gradients, and `b` by their conjugates; what leads back is the conjugate of that.
        let force = |g: Vec2| {
            let by_a = Vec2::new(g.x * out.x + g.y * out.y, g.x * out.y - g.y * out.x);
            strength * (by_a + times(g, aside))
        };
        let [_, g, k] = self.gradients;
        let (second, third) = (force(g), force(k));
        let [i, j, l] = self.corners;
        forces[j as usize] += second;
        forces[l as usize] += third;
        forces[i as usize] -= second + third;
    }
}

/// The product of two complex numbers.
fn times(a: Vec2, b: Vec2) -> Vec2 {
    a.rotate(b)
}

impl Material {
    /// Adds to `forces` what opens triangles that are flat or turned inside out, as firmly as `modulus` says. How many there are.
    pub fn open(&self, modulus: f32, turn: Vec2, at: impl Fn(usize) -> Vec2, forces: &mut [Vec2]) -> usize {
        let mut flat = 0;
        for triangle in &self.triangles {
            let (a, b) = triangle.deformation(&at);
            let (size2, skew2) = (a.length_squared(), b.length_squared());
            if size2 - skew2 >= FLAT {
                continue;
            }
            flat += 1;
            let way = if size2 > CRUMPLED { a / size2.sqrt() } else { turn };
            let open = (OPENED + skew2).sqrt();
            let aside = -((a.dot(way) - open) / open) * b;
            triangle.spread(-4.0 * triangle.area * modulus, a - open * way, aside, forces);
        }
        flat
    }

    /// Takes from the ways of the points what closes triangles further that are flat or turned inside out.
    pub fn stop_closing(&self, points: &mut Points) {
        for _ in 0..STOPS {
            for triangle in &self.triangles {
                let (a, b) = triangle.deformation(|i| points.position(i));
                if a.length_squared() - b.length_squared() >= OPENED {
                    continue;
                }
                // The gradients of the area, and the rate at which it shrinks.
                let mut gradients = [Vec2::ZERO; 3];
                for (gradient, g) in gradients.iter_mut().zip(triangle.gradients) {
                    *gradient = Vec2::new(g.x * a.x + g.y * a.y, g.x * a.y - g.y * a.x) - times(g, b);
                }
                let corners = triangle.corners.map(|corner| corner as usize);
                let (mut rate, mut give) = (0.0, 0.0);
                for (gradient, i) in gradients.iter().zip(corners) {
                    rate += gradient.dot(points.way(i));
                    give += gradient.length_squared() * points.inv_mass[i];
                }
                if rate >= 0.0 || give <= f32::MIN_POSITIVE {
                    continue;
                }
                for (gradient, i) in gradients.into_iter().zip(corners) {
                    let change = gradient * (-rate / give * points.inv_mass[i]);
                    points.set_way(i, points.way(i) + change);
                }
            }
        }
    }

    /// Lets a part of strong deformations stay, in `h` seconds.
    pub fn yield_to(&mut self, plasticity: f32, h: f32, at: impl Fn(usize) -> Vec2) {
        let rate = 1.0 - (-plasticity * FLOW * h).exp();
        for (index, triangle) in self.triangles.iter_mut().enumerate() {
            let (a, b) = triangle.deformation(&at);
            if a.length_squared() <= b.length_squared() {
                continue;
            }
            let way = a.normalize_or(Vec2::X);
            let shear = Vec2::new(way.dot(b), way.perp_dot(b));
            let elastic = shear - triangle.kept;
            let much = elastic.length() - YIELDS;
            if much > 0.0 {
                triangle.kept = (triangle.kept + elastic.normalize_or_zero() * much * rate).clamp_length_max(MOST_KEPT);
                self.blocks[index / LANES].keep(index % LANES, triangle.kept);
            }
        }
    }

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
            Triangle { corners, gradients, area, kept: Vec2::ZERO }
        }));
        self.area = self.triangles.iter().map(|triangle| triangle.area).sum();
        self.group();
        self.weigh(mesh.points.len(), settings);
    }

    /// Puts the triangles into groups.
    pub fn group(&mut self) {
        self.blocks = self.triangles.chunks(LANES).map(Block::of).collect();
    }

    /// Spreads the mass over the points, by the area that belongs to each.
    pub fn weigh(&mut self, points: usize, settings: &SoftSettings) {
        self.spread(points, settings);
        self.own.clone_from(&self.masses);
        let borne = std::mem::take(&mut self.borne);
        if borne.len() == points {
            self.bear(&borne);
        }
    }

    /// From now on its points bear these masses besides, in kg.
    pub fn bear(&mut self, borne: &[f32]) {
        self.borne.clear();
        if borne.iter().any(|&mass| mass > 0.0) {
            self.borne.extend_from_slice(borne);
        }
        self.masses.clone_from(&self.own);
        self.masses.iter_mut().zip(&self.borne).for_each(|(mass, more)| *mass += more);
    }

    fn spread(&mut self, points: usize, settings: &SoftSettings) {
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

    /// Mass of each point in kg, without what it bears.
    pub fn own_masses(&self) -> &[f32] {
        &self.own
    }

    /// What each point bears besides, in kg; empty: nothing.
    pub fn borne(&self) -> &[f32] {
        &self.borne
    }

    /// Mass of each point in kg, with what it bears.
    pub fn masses(&self) -> &[f32] {
        &self.masses
    }

    /// Mass of the whole in kg, with what it bears.
    pub fn mass_with_loads(&self) -> f32 {
        self.mass + self.borne.iter().sum::<f32>()
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
            triangle.gradients.iter().chain([&triangle.kept]).all(|v| v.is_finite())
                && triangle.area.is_finite()
                && triangle.corners.iter().all(|&corner| (corner as usize) < mesh.points.len())
        };
        self.triangles.len() == mesh.triangles.len()
            && self.masses.len() == mesh.points.len()
            && self.own.len() == mesh.points.len()
            && [0, mesh.points.len()].contains(&self.borne.len())
            && self.borne.iter().all(|mass| mass.is_finite() && *mass >= 0.0)
            && self.own.iter().all(|mass| mass.is_finite() && *mass > 0.0)
            && self.masses.iter().chain([&self.mass, &self.area]).all(|&number| number.is_finite() && number > 0.0)
            && self.triangles.iter().all(sound)
    }
}
