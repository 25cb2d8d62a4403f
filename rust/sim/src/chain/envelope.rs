//! Linear systems whose rows couple with few rows before them: links and contacts in the order of a chain.
//!
//! Row `i` may have entries from column `first[i]` on, and column `i` from the same row on (an envelope, or skyline; A. Jennings 1966). A
//! factorisation without pivoting fills nothing outside of it. A row that says nothing that rows before it have not said gets no part in the
//! solution.

/// A pivot that is a smaller part of its diagonal than this belongs to a row that says nothing new.
const REDUNDANT: f32 = 1e-4;

/// The system and its solution. All rooms are kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    first: Vec<usize>,
    /// Where the entries of each row and column begin.
    begin: Vec<usize>,
    lower: Vec<f32>,
    upper: Vec<f32>,
    diagonal: Vec<f32>,
    inverse: Vec<f32>,
    solution: Vec<f32>,
}

impl Envelope {
    /// Begins a system without rows.
    pub fn clear(&mut self) {
        self.first.clear();
        self.begin.clear();
        self.lower.clear();
        self.upper.clear();
        self.diagonal.clear();
    }

    /// Adds a row and a column that couple with the rows from `first` on. `entry(j)` gives the entries (row i, column j) and (row j,
    /// column i).
    pub fn push(&mut self, first: usize, diagonal: f32, mut entry: impl FnMut(usize) -> (f32, f32)) {
        let row = self.diagonal.len();
        self.first.push(first);
        self.begin.push(self.lower.len());
        for j in first..row {
            let (below, above) = entry(j);
            self.lower.push(below);
            self.upper.push(above);
        }
        self.diagonal.push(diagonal);
    }

    /// The solution of the last solve.
    pub fn solution(&self) -> &[f32] {
        &self.solution
    }

    /// Solves for the right side `excess`.
    pub fn solve(&mut self, excess: impl Iterator<Item = f32>) -> &[f32] {
        let rows = self.diagonal.len();
        self.inverse.resize(rows, 0.0);
        self.solution.clear();
        self.solution.extend(excess);
        for i in 0..rows {
            let (first, begin) = (self.first[i], self.begin[i]);
            let mut pivot = self.diagonal[i];
            let mut value = self.solution[i];
            for j in first..i {
                // What both rows have in common begins here.
                let common = first.max(self.first[j]);
                let (of_i, of_j) = (begin + common - first, self.begin[j] + common - self.first[j]);
                let count = j - common;
                let (lower_i, upper_i) = (&self.lower[of_i..of_i + count], &self.upper[of_i..of_i + count]);
                let (lower_j, upper_j) = (&self.lower[of_j..of_j + count], &self.upper[of_j..of_j + count]);
                let (mut below, mut above) = (self.lower[begin + j - first], self.upper[begin + j - first]);
                for m in 0..count {
                    below -= lower_i[m] * upper_j[m];
                    above -= lower_j[m] * upper_i[m];
                }
                let factor = below * self.inverse[j];
                self.lower[begin + j - first] = factor;
                self.upper[begin + j - first] = above;
                pivot -= factor * above;
                value -= factor * self.solution[j];
            }
            let new = pivot > REDUNDANT * self.diagonal[i];
            self.inverse[i] = if new { 1.0 / pivot } else { 0.0 };
            self.solution[i] = value;
        }
        self.substitute_back();
        &self.solution
    }

    /// Solves for another right side, once it was solved: 1 in a row, and 0 elsewhere.
    pub fn solve_unit(&mut self, row: usize) -> &[f32] {
        let rows = self.diagonal.len();
        self.solution.clear();
        self.solution.resize(rows, 0.0);
        self.solution[row] = 1.0;
        for i in row + 1..rows {
            let (first, begin) = (self.first[i], self.begin[i]);
            let factors = self.lower[begin..begin + i - first].iter().zip(&self.solution[first..i]);
            self.solution[i] = -factors.map(|(factor, value)| factor * value).sum::<f32>();
        }
        self.substitute_back();
        &self.solution
    }

    fn substitute_back(&mut self) {
        let rows = self.diagonal.len();
        for i in (0..rows).rev() {
            let value = self.solution[i] * self.inverse[i];
            self.solution[i] = value;
            let (first, begin) = (self.first[i], self.begin[i]);
            for (above, other) in self.upper[begin..begin + i - first].iter().zip(&mut self.solution[first..i]) {
                *other -= above * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_satisfies_every_row(
            reach in proptest::collection::vec(0usize..5, 30), seed in proptest::collection::vec(-1.0f32..1.0, 330),
        ) {
            let rows = reach.len();
            let mut dense = vec![vec![0.0f32; rows]; rows];
            let mut system = Envelope::default();
            let mut values = seed.iter().copied();
            let mut next = || values.next().unwrap_or(0.5);
            system.clear();
            for i in 0..rows {
                let first = i.saturating_sub(reach[i]);
                let diagonal = 9.0 + next();
                dense[i][i] = diagonal;
                (first..i).for_each(|j| (dense[i][j], dense[j][i]) = (next(), next()));
                system.push(first, diagonal, |j| (dense[i][j], dense[j][i]));
            }
            let excess: Vec<f32> = seed[300..].to_vec();
            let solution = system.solve(excess.iter().copied()).to_vec();
            for i in 0..rows {
                let row: f32 = (0..rows).map(|j| dense[i][j] * solution[j]).sum();
                prop_assert!((row - excess[i]).abs() < 1e-3, "row {}: {} for {}", i, row, excess[i]);
            }
            let solution = system.solve_unit(rows / 3).to_vec();
            for (i, entries) in dense.iter().enumerate() {
                let row: f32 = entries.iter().zip(&solution).map(|(entry, value)| entry * value).sum();
                let right = if i == rows / 3 { 1.0 } else { 0.0 };
                prop_assert!((row - right).abs() < 1e-3, "row {}: {} for {}", i, row, right);
            }
        }
    }

    #[test]
    fn a_row_that_says_nothing_new_does_no_harm() {
        let mut system = Envelope::default();
        system.clear();
        system.push(0, 2.0, |_| (0.0, 0.0));
        system.push(0, 2.0, |_| (2.0, 2.0));
        system.push(1, 4.0, |_| (1.0, 1.0));
        let solution = system.solve([1.0, 1.0, 3.0].into_iter());
        assert!(solution.iter().all(|value| value.is_finite()));
        assert!((2.0 * solution[0] + 2.0 * solution[1] - 1.0).abs() < 1e-6, "{solution:?}");
    }
}
