//! The linear system of a substep: `(M + h^2 K) x = b`.
//!
//! `K` is fixed: what the triangles would be if each kept its rotation, and was as stiff against everything as against what it resists most. So the same
//! factor serves every substep, for both coordinates, and every step with it lessens the energy, however stiff or deformed the body is (Projective Dynamics,
//! S. Bouaziz and others 2014, seen as a quasi-Newton method: T. Liu and others 2017).

use super::material::{Material, Moduli};
use crate::cholesky::Cholesky;
use crate::mesh::Mesh;
use glam::{DVec2, Vec2};

/// The most columns of the inverse that are kept.
const MOST_COLUMNS: usize = 512;

/// The system. Its rooms are kept from substep to substep.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    cholesky: Cholesky,
    /// The edges of all triangles, each once; and those of each triangle, opposite to its corners.
    edges: Vec<[u32; 2]>,
    sides: Vec<[u32; 3]>,
    /// The substep for which it is factorised; 0: for none.
    h: f32,
    /// Columns of the inverse, by row; empty: not yet needed.
    columns: Vec<Vec<f64>>,
    known: usize,
    version: u64,
    /// Rooms for such.
    spare: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
    couplings: Vec<f64>,
}

/// Those of a body: the usual one, and one in which triangles that are inside out are opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Systems {
    usual: System,
    opening: System,
}

impl Systems {
    /// The usual one.
    pub fn now(&self) -> &System {
        &self.usual
    }

    /// See [`Systems::now`].
    pub fn now_mut(&mut self) -> &mut System {
        &mut self.usual
    }

    /// The one in which triangles are opened. It is made anew in every substep that needs it.
    pub fn opening(&mut self) -> &mut System {
        self.opening.h = 0.0;
        &mut self.opening
    }

    /// The same as it is.
    pub fn opened(&self) -> &System {
        &self.opening
    }

    /// Forgets the mesh.
    pub fn forget(&mut self) {
        self.usual.forget();
        self.opening.forget();
    }

    /// Something that they are made of has changed.
    pub fn outdate(&mut self) {
        self.usual.h = 0.0;
        self.opening.h = 0.0;
    }
}

impl System {
    /// Forgets the mesh.
    fn forget(&mut self) {
        self.edges.clear();
        self.h = 0.0;
    }

    /// Sees to it that it is that of a substep of `h` seconds. Points whose `inv_mass` is 0 are held. `pull`: the rate at which each is drawn to its
    /// place in the whole, in 1/s2.
    pub fn prepare(&mut self, h: f32, mesh: &Mesh, material: &Material, moduli: &Moduli, inv_mass: &[f32], pull: f32) {
        let masses = material.masses().iter().copied();
        self.prepare_with(h, mesh, material, moduli, inv_mass, pull, masses);
    }

    /// The same with other masses than the material says.
    #[allow(clippy::too_many_arguments)]
    pub fn prepare_with(
        &mut self,
        h: f32,
        mesh: &Mesh,
        material: &Material,
        moduli: &Moduli,
        inv_mass: &[f32],
        pull: f32,
        masses: impl Iterator<Item = f32>,
    ) {
        if self.edges.is_empty() {
            self.analyse(mesh, material);
        }
        if self.h == h {
            return;
        }
        self.h = h;
        let h2 = f64::from(h) * f64::from(h);
        let held = |i: u32| inv_mass[i as usize] <= 0.0;
        self.diagonal.clear();
        self.diagonal.extend(masses.map(|mass| f64::from(mass) * (1.0 + h2 * f64::from(pull))));
        self.couplings.clear();
        self.couplings.resize(self.edges.len(), 0.0);
        let modulus = f64::from(moduli.greatest(h)) * h2;
        for (triangle, sides) in material.triangles.iter().zip(&self.sides) {
            let weight = 8.0 * modulus * f64::from(triangle.area);
            for (k, &side) in sides.iter().enumerate() {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let coupling = weight * triangle.gradients[i].as_dvec2().dot(triangle.gradients[j].as_dvec2());
                let (i, j) = (triangle.corners[i], triangle.corners[j]);
                // Rows of a Laplacian sum to zero.
                self.diagonal[i as usize] -= coupling;
                self.diagonal[j as usize] -= coupling;
                if !held(i) && !held(j) {
                    self.couplings[side as usize] += coupling;
                }
            }
        }
        for (i, diagonal) in self.diagonal.iter_mut().enumerate() {
            if held(i as u32) {
                *diagonal = 1.0;
            }
        }
        self.cholesky.factorise(&self.diagonal, &self.couplings);
        self.version += 1;
        self.drop_columns();
    }

    /// Another number for other numbers in it.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn drop_columns(&mut self) {
        for column in self.columns.iter_mut().filter(|column| !column.is_empty()) {
            self.spare.push(std::mem::take(column));
        }
        self.known = 0;
    }

    fn analyse(&mut self, mesh: &Mesh, material: &Material) {
        let mut all: Vec<[u32; 2]> = Vec::new();
        let sides = |corners: [u32; 3]| {
            [0, 1, 2].map(|k| {
                let (i, j) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                [i.min(j), i.max(j)]
            })
        };
        for triangle in &material.triangles {
            all.extend(sides(triangle.corners));
        }
        all.sort_unstable();
        all.dedup();
        let index = |side: [u32; 2]| all.binary_search(&side).unwrap_or_default() as u32;
        self.sides.clear();
        self.sides.extend(material.triangles.iter().map(|triangle| sides(triangle.corners).map(index)));
        self.cholesky = Cholesky::new(&mesh.points, &all);
        self.edges = all;
        self.columns = vec![Vec::new(); mesh.points.len()];
        self.spare.clear();
        self.known = 0;
        self.h = 0.0;
    }

    /// All edges.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The row of a point.
    pub fn row(&self, point: usize) -> usize {
        self.cholesky.places()[point] as usize
    }

    /// The rows of all points.
    pub fn rows(&self) -> &[u32] {
        self.cholesky.places()
    }

    /// Solves it, in the order of the rows.
    pub fn solve(&self, x: &mut [DVec2]) {
        self.cholesky.solve(x);
    }

    /// Sees to it that [`System::gives`] knows these rows.
    pub fn learn(&mut self, rows: &[usize]) {
        let unknown = rows.iter().filter(|&&row| self.columns[row].is_empty()).count();
        if self.known + unknown > MOST_COLUMNS {
            self.drop_columns();
        }
        for &row in rows {
            if !self.columns[row].is_empty() {
                continue;
            }
            let mut column = self.spare.pop().unwrap_or_default();
            column.clear();
            column.resize(self.cholesky.len(), 0.0);
            self.cholesky.inverse_column(row, &mut column);
            self.columns[row] = column;
            self.known += 1;
        }
    }

    /// How far the point of row `i` moves by an impulse of 1 kg px on that of row `j`, in px.
    pub fn gives(&self, i: usize, j: usize) -> f64 {
        match (self.columns[j].get(i), self.columns[i].get(j)) {
            (Some(&gives), _) | (None, Some(&gives)) => gives,
            _ => 0.0,
        }
    }
}

/// Puts what each point has in the order of the rows.
pub(super) fn by_row(rows: &[u32], values: &[Vec2], sorted: &mut Vec<DVec2>) {
    sorted.clear();
    sorted.resize(rows.len(), DVec2::ZERO);
    for (&row, value) in rows.iter().zip(values) {
        sorted[row as usize] = value.as_dvec2();
    }
}
