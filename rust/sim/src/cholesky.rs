//! Sparse symmetric systems: `A x = b`, factorised as `L D L^T`.
//!
//! A mesh is divided in two by a few points again and again, and these come last (nested dissection; A. George 1973): so few entries come into being that are
//! not in `A`. Row by row the factor follows from the elimination tree (up-looking; T. Davis 2005). In double precision: a body of 1 g that is as stiff as
//! steel has entries from 1e-5 to 1e5.

use glam::{DVec2, Vec2};

/// Parts with fewer points than this are not divided further.
const SMALL: usize = 6;

/// A factorised system. What depends on the mesh only stays when the numbers change.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    /// Which row each point has.
    place: Vec<u32>,
    /// The entries above the diagonal of `A`, column by column: their rows, and which of the edges they are.
    upper_start: Vec<u32>,
    upper: Vec<(u32, u32)>,
    /// The parent of each row in the elimination tree.
    parent: Vec<u32>,
    /// The columns of `L` below the diagonal.
    start: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    inv_diagonal: Vec<f64>,
}

/// No parent.
const ROOT: u32 = u32::MAX;

impl Cholesky {
    /// Prepares systems in which `places.len()` unknowns are coupled along `edges`.
    pub fn new(places: &[Vec2], edges: &[[u32; 2]]) -> Cholesky {
        let count = places.len();
        let mut place = vec![0u32; count];
        for (row, point) in dissected(places, edges).into_iter().enumerate() {
            place[point as usize] = row as u32;
        }
        let mut columns: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        for (index, &[i, j]) in edges.iter().enumerate() {
            let (i, j) = (place[i as usize], place[j as usize]);
            columns[i.max(j) as usize].push((i.min(j), index as u32));
        }
        let mut system = Cholesky { place, upper_start: vec![0], parent: vec![ROOT; count], ..Cholesky::default() };
        for column in &mut columns {
            column.sort_unstable();
            system.upper.extend(column.iter());
            system.upper_start.push(system.upper.len() as u32);
        }
        let mut counts = vec![0u32; count];
        let mut flags = vec![ROOT; count];
        for k in 0..count as u32 {
            flags[k as usize] = k;
            for &(row, _) in &columns[k as usize] {
                let mut i = row;
                while flags[i as usize] != k {
                    if system.parent[i as usize] == ROOT {
                        system.parent[i as usize] = k;
                    }
                    counts[i as usize] += 1;
                    flags[i as usize] = k;
                    i = system.parent[i as usize];
                }
            }
        }
        system.start.push(0);
        for count in counts {
            system.start.push(system.start[system.start.len() - 1] + count);
        }
        let entries = system.start[count] as usize;
        system.rows = vec![0; entries];
        system.values = vec![0.0; entries];
        system.inv_diagonal = vec![0.0; count];
        system
    }

    /// How many unknowns there are.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// The row of each point: solutions and right sides are in this order.
    pub fn places(&self) -> &[u32] {
        &self.place
    }

    /// Factorises the system with these numbers on the diagonal, by the points' indices, and for each edge. It has to be positive definite.
    pub fn factorise(&mut self, diagonal: &[f64], edges: &[f64]) {
        let count = self.place.len();
        let mut own = vec![0.0; count];
        for (point, &row) in self.place.iter().enumerate() {
            own[row as usize] = diagonal[point];
        }
        let mut filled = vec![0u32; count];
        let mut flags = vec![ROOT; count];
        let mut y = vec![0.0f64; count];
        let (mut path, mut pattern) = (Vec::<u32>::new(), Vec::<u32>::new());
        let mut pivots = vec![0.0f64; count];
        for k in 0..count {
            flags[k] = k as u32;
            pattern.clear();
            let range = self.upper_start[k] as usize..self.upper_start[k + 1] as usize;
            for &(row, edge) in &self.upper[range] {
                y[row as usize] += edges[edge as usize];
                let mut i = row;
                path.clear();
                while flags[i as usize] != k as u32 {
                    flags[i as usize] = k as u32;
                    path.push(i);
                    i = self.parent[i as usize];
                }
                // Later parts of the pattern come first.
                pattern.extend(path.iter().rev());
            }
            let mut pivot = own[k];
            for &i in pattern.iter().rev() {
                let i = i as usize;
                let value = std::mem::take(&mut y[i]);
                let begin = self.start[i] as usize;
                let end = begin + filled[i] as usize;
                for (&row, &entry) in self.rows[begin..end].iter().zip(&self.values[begin..end]) {
                    y[row as usize] -= entry * value;
                }
                let entry = value / pivots[i];
                pivot -= entry * value;
                self.rows[end] = k as u32;
                self.values[end] = entry;
                filled[i] += 1;
            }
            // Rounding must not turn a pivot.
            pivots[k] = pivot.max(own[k] * f64::EPSILON).max(f64::MIN_POSITIVE);
            self.inv_diagonal[k] = 1.0 / pivots[k];
        }
    }

    /// Solves for two right sides at once, in the order of the rows.
    pub fn solve(&self, x: &mut [DVec2]) {
        let count = self.inv_diagonal.len();
        let (x, starts) = (&mut x[..count], &self.start[..=count]);
        for j in 0..count {
            let own = x[j];
            let range = starts[j] as usize..starts[j + 1] as usize;
            for (&row, &entry) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                x[row as usize] -= own * entry;
            }
        }
        for j in (0..count).rev() {
            let range = starts[j] as usize..starts[j + 1] as usize;
            let (rows, values) = (&self.rows[range.clone()], &self.values[range]);
            // Two sums, which do not wait for each other.
            let mut sums = [x[j] * self.inv_diagonal[j], DVec2::ZERO];
            let (pairs, rest) = rows.as_chunks::<2>();
            let (pair_values, rest_values) = values.as_chunks::<2>();
            for (rows, values) in pairs.iter().zip(pair_values) {
                sums[0] -= x[rows[0] as usize] * values[0];
                sums[1] -= x[rows[1] as usize] * values[1];
            }
            for (&row, &entry) in rest.iter().zip(rest_values) {
                sums[0] -= x[row as usize] * entry;
            }
            x[j] = sums[0] + sums[1];
        }
    }

    /// The column of the inverse that belongs to a row, in the order of the rows.
    pub fn inverse_column(&self, row: usize, column: &mut [f64]) {
        column.fill(0.0);
        column[row] = 1.0;
        for j in row..column.len() {
            let own = column[j];
            if own == 0.0 {
                continue;
            }
            let range = self.start[j] as usize..self.start[j + 1] as usize;
            for (&row, &entry) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                column[row as usize] -= own * entry;
            }
        }
        for j in (0..column.len()).rev() {
            let range = self.start[j] as usize..self.start[j + 1] as usize;
            let mut own = column[j] * self.inv_diagonal[j];
            for (&row, &entry) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                own -= column[row as usize] * entry;
            }
            column[j] = own;
        }
    }
}

/// The points in the order in which they are eliminated.
fn dissected(places: &[Vec2], edges: &[[u32; 2]]) -> Vec<u32> {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); places.len()];
    for &[i, j] in edges {
        neighbours[i as usize].push(j);
        neighbours[j as usize].push(i);
    }
    let mut order = Vec::with_capacity(places.len());
    let mut side = vec![0u32; places.len()];
    let mut mark = 0;
    let all = (0..places.len() as u32).collect();
    divide(all, places, &neighbours, &mut side, &mut mark, &mut order);
    order
}

/// Divides points in two by a line across their longer side: first one half, then the other, then those of the first that couple with the second.
fn divide(
    mut part: Vec<u32>,
    places: &[Vec2],
    neighbours: &[Vec<u32>],
    side: &mut [u32],
    mark: &mut u32,
    order: &mut Vec<u32>,
) {
    if part.len() < SMALL {
        order.extend(part);
        return;
    }
    let at = |i: u32| places[i as usize];
    let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for &i in &part {
        (least, most) = (least.min(at(i)), most.max(at(i)));
    }
    let size = most - least;
    let key = |i: u32| if size.x >= size.y { (at(i).x, at(i).y) } else { (at(i).y, at(i).x) };
    part.sort_by(|&i, &j| key(i).0.total_cmp(&key(j).0).then(key(i).1.total_cmp(&key(j).1)).then(i.cmp(&j)));
    let second = part.split_off(part.len() / 2);
    *mark += 1;
    second.iter().for_each(|&i| side[i as usize] = *mark);
    let (between, first): (Vec<u32>, Vec<u32>) =
        part.into_iter().partition(|&i| neighbours[i as usize].iter().any(|&j| side[j as usize] == *mark));
    if first.is_empty() {
        // Everything couples with everything.
        order.extend(between.into_iter().chain(second));
        return;
    }
    divide(first, places, neighbours, side, mark, order);
    divide(second, places, neighbours, side, mark, order);
    order.extend(between);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of `n` x `n` points with both diagonals.
    fn grid(n: u32) -> (Vec<Vec2>, Vec<[u32; 2]>) {
        let at = |x: u32, y: u32| y * n + x;
        let (mut places, mut edges) = (Vec::new(), Vec::new());
        for y in 0..n {
            for x in 0..n {
                places.push(Vec2::new(x as f32, y as f32));
                if x + 1 < n {
                    edges.push([at(x, y), at(x + 1, y)]);
                }
                if y + 1 < n {
                    edges.push([at(x, y), at(x, y + 1)]);
                }
                if x + 1 < n && y + 1 < n {
                    edges.push([at(x, y), at(x + 1, y + 1)]);
                }
            }
        }
        (places, edges)
    }

    #[test]
    fn a_solution_solves_the_system() {
        for n in [1, 2, 3, 7, 16, 30] {
            let (places, edges) = grid(n);
            let mut system = Cholesky::new(&places, &edges);
            let count = places.len();
            let mut diagonal: Vec<f64> = (0..count).map(|i| 1e-4 * (1 + i % 5) as f64).collect();
            let weights: Vec<f64> = (0..edges.len()).map(|i| -1e3 * (1 + i % 3) as f64).collect();
            for (&[i, j], weight) in edges.iter().zip(&weights) {
                diagonal[i as usize] -= weight;
                diagonal[j as usize] -= weight;
            }
            system.factorise(&diagonal, &weights);
            let wanted: Vec<DVec2> = (0..count).map(|i| DVec2::new(i as f64, (i * i % 17) as f64)).collect();
            let mut right = vec![DVec2::ZERO; count];
            let row = |i: usize| system.places()[i] as usize;
            for i in 0..count {
                right[row(i)] += wanted[i] * diagonal[i];
            }
            for (&[i, j], &weight) in edges.iter().zip(&weights) {
                let (i, j) = (i as usize, j as usize);
                right[row(i)] += wanted[j] * weight;
                right[row(j)] += wanted[i] * weight;
            }
            system.solve(&mut right);
            let error = (0..count).map(|i| right[row(i)].distance(wanted[i])).fold(0.0, f64::max);
            assert!(error < 1e-4, "{n}: {error}");
            let mut column = vec![0.0; count];
            let mut unit = vec![DVec2::ZERO; count];
            unit[count / 2] = DVec2::ONE;
            system.solve(&mut unit);
            system.inverse_column(count / 2, &mut column);
            assert!(unit.iter().zip(&column).all(|(unit, column)| (unit.x - column).abs() < 1e-9 * column.abs()));
        }
    }

    #[test]
    fn a_large_mesh_fills_little() {
        let (places, edges) = grid(64);
        let system = Cholesky::new(&places, &edges);
        let entries = system.rows.len();
        assert!(entries < 30 * places.len(), "{entries} for {} points", places.len());
    }
}
