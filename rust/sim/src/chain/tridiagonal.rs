//! The tridiagonal system of a chain's Newton step.
//!
//! With `u_k` the present and `n_k` the correcting direction of link `k`, `w` the inverse masses and `p_k` the pulls, row `k` is
//!
//! `-w_k (u_k . n_{k-1}) p_{k-1} + (w_k + w_{k+1}) (u_k . n_k) p_k - w_{k+1} (u_k . n_{k+1}) p_{k+1} = excess_k`
//!
//! It is eliminated from both ends towards the middle (twisted factorisation; I. Babuska 1972): two independent
//! recurrences run side by side, which halves the time, since each waits for its own divisions.

use glam::Vec2;

/// What is added to the diagonal where points move along surfaces: a link across one that is held at both ends has no way to move.
const HELD: f32 = 1e-5;

/// Rows and scratch space of the system.
#[derive(Clone, Debug, Default)]
pub struct System {
    below: Vec<f32>,
    diagonal: Vec<f32>,
    above: Vec<f32>,
    /// What an eliminated row still takes from its neighbour nearer the middle.
    carry: Vec<f32>,
    pull: Vec<f32>,
}

impl System {
    /// Makes room for `links` rows.
    pub fn reserve(&mut self, links: usize) {
        for array in [&mut self.below, &mut self.diagonal, &mut self.above, &mut self.carry, &mut self.pull] {
            array.resize(links, 0.0);
        }
    }

    /// Builds the rows; returns the least `u_k . n_k`.
    pub fn fill(&mut self, inv_mass: &[f32], now: [&[f32]; 2], along: [&[f32]; 2]) -> f32 {
        let links = inv_mass.len() - 1;
        let (w0, w1) = (&inv_mass[..links], &inv_mass[1..=links]);
        let (ux, uy) = (&now[0][..links], &now[1][..links]);
        let (nx, ny) = (&along[0][..links], &along[1][..links]);
        let diagonal = &mut self.diagonal[..links];
        let mut least = [f32::INFINITY; 8];
        for k in 0..links {
            let cosine = ux[k] * nx[k] + uy[k] * ny[k];
            diagonal[k] = (w0[k] + w1[k]) * cosine;
            let lane = &mut least[k % 8];
            *lane = if cosine < *lane { cosine } else { *lane };
        }
        let above = &mut self.above[..links - 1];
        for (k, above) in above.iter_mut().enumerate() {
            *above = -w1[k] * (ux[k] * nx[k + 1] + uy[k] * ny[k + 1]);
        }
        let below = &mut self.below[1..links];
        for (k, below) in below.iter_mut().enumerate() {
            *below = -w1[k] * (ux[k + 1] * nx[k] + uy[k + 1] * ny[k]);
        }
        least.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// The same for points that only move along surfaces: those whose entry in `normals` is not 0.
    pub fn fill_held(&mut self, inv_mass: &[f32], now: [&[f32]; 2], along: [&[f32]; 2], normals: &[Vec2]) {
        let links = inv_mass.len() - 1;
        let pair = |arrays: [&[f32]; 2], k: usize| Vec2::new(arrays[0][k], arrays[1][k]);
        let mut before = (pair(now, 0), pair(along, 0));
        self.diagonal[..links].fill(0.0);
        for i in 0..=links {
            let (w, normal) = (inv_mass[i], normals[i]);
            let moved = |by: Vec2, moves: Vec2| w * (by.dot(moves) - by.dot(normal) * normal.dot(moves));
            if i > 0 {
                self.diagonal[i - 1] += moved(before.0, before.1) + HELD * w;
            }
            if i < links {
                let (now, along) = (pair(now, i), pair(along, i));
                self.diagonal[i] += moved(now, along) + HELD * w;
                if i > 0 {
                    self.above[i - 1] = -moved(before.0, along);
                    self.below[i] = -moved(now, before.1);
                }
                before = (now, along);
            }
        }
    }

    /// Solves for the pulls; None if the system is singular.
    pub fn solve(&mut self, excess: &[f32]) -> Option<&[f32]> {
        let links = excess.len();
        let (below, diagonal, above) = (&self.below[..links], &self.diagonal[..links], &self.above[..links]);
        let (carry, pull) = (&mut self.carry[..links], &mut self.pull[..links]);
        let middle = links / 2;
        // Rows before the middle take from the row after them, the others from the row before.
        let (mut head_carry, mut head) = (0.0, 0.0);
        let (mut tail_carry, mut tail) = (0.0, 0.0);
        for i in 0..middle {
            let inverse = 1.0 / (diagonal[i] - below[i] * head_carry);
            head = (excess[i] - below[i] * head) * inverse;
            head_carry = above[i] * inverse;
            (pull[i], carry[i]) = (head, head_carry);

            let j = links - 1 - i;
            let after = if i == 0 { 0.0 } else { above[j] };
            let inverse = 1.0 / (diagonal[j] - after * tail_carry);
            tail = (excess[j] - after * tail) * inverse;
            tail_carry = below[j] * inverse;
            (pull[j], carry[j]) = (tail, tail_carry);
        }
        if links % 2 == 1 {
            let after = if middle + 1 < links { above[middle] } else { 0.0 };
            let inverse = 1.0 / (diagonal[middle] - after * tail_carry);
            tail = (excess[middle] - after * tail) * inverse;
            tail_carry = if middle == 0 { 0.0 } else { below[middle] * inverse };
            (pull[middle], carry[middle]) = (tail, tail_carry);
        }
        // The two rows that meet.
        if middle > 0 {
            pull[middle] = (tail - tail_carry * head) / (1.0 - tail_carry * head_carry);
            pull[middle - 1] = head - head_carry * pull[middle];
        }
        let (mut head, mut tail) = (if middle > 0 { pull[middle - 1] } else { 0.0 }, pull[middle]);
        let mut check = head + tail;
        for i in 1..links - middle {
            let j = middle + i;
            tail = pull[j] - carry[j] * tail;
            pull[j] = tail;
            check += tail;
            if i < middle {
                let j = middle - 1 - i;
                head = pull[j] - carry[j] * head;
                pull[j] = head;
                check += head;
            }
        }
        check.is_finite().then_some(pull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_satisfies_every_row(
            links in 1usize..40, seed in proptest::collection::vec(-1.0f32..1.0, 160),
        ) {
            let mut system = System::default();
            system.reserve(links);
            for k in 0..links {
                system.below[k] = seed[k];
                system.above[k] = seed[40 + k];
                system.diagonal[k] = 2.5 + seed[80 + k];
            }
            let excess = &seed[120..120 + links];
            let pull = system.solve(excess).map(<[f32]>::to_vec).unwrap_or_default();
            prop_assert_eq!(pull.len(), links);
            for k in 0..links {
                let before = if k > 0 { system.below[k] * pull[k - 1] } else { 0.0 };
                let after = if k + 1 < links { system.above[k] * pull[k + 1] } else { 0.0 };
                let row = before + system.diagonal[k] * pull[k] + after;
                prop_assert!((row - excess[k]).abs() < 1e-3, "row {}: {} for {}", k, row, excess[k]);
            }
        }
    }

    #[test]
    fn a_singular_system_is_refused() {
        let mut system = System::default();
        system.reserve(3);
        assert!(system.solve(&[1.0, 1.0, 1.0]).is_none());
    }
}
