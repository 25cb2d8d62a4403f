//! The classic relaxation of distance constraints (T. Jakobsen 2001).
//!
//! Each link moves its two ends towards its length, half the error each, or all on the free end where the other is
//! held. Every correction is used at once (Gauss-Seidel), and the pass is repeated. Stiffness is then not a property of the
//! material but of how far the computation gets: more passes are stiffer, longer chains need more.

use crate::points::Points;

/// Visits every link of a chain `passes` times, from the first to the last. `pulls` get how hard each link pulled its ends together in all
/// passes, in kg px (as [`crate::chain::ChainSolver::pulls`]).
///
/// `lengths[k]` is the rest length of the link between the points `k` and `k + 1`, in pixels. Coincident points are
/// left to the others: their link has no direction.
pub fn chain(points: &mut Points, lengths: &[f32], passes: u32, pulls: &mut [f32]) {
    pulls.fill(0.0);
    for _ in 0..passes {
        pass(points, lengths, pulls);
    }
}

/// Visits every link of a chain once; adds to `pulls`.
pub fn pass(points: &mut Points, lengths: &[f32], pulls: &mut [f32]) {
    let count = points.len();
    let (x, y, inv_mass) = (&mut points.x[..count], &mut points.y[..count], &points.inv_mass[..count]);
    let (way_x, way_y) = (&mut points.way_x[..count], &mut points.way_y[..count]);
    for (k, &length) in lengths.iter().enumerate().take(count.saturating_sub(1)) {
        let (w0, w1) = (inv_mass[k], inv_mass[k + 1]);
        let (dx, dy) = (x[k + 1] - x[k], y[k + 1] - y[k]);
        let distance = (dx * dx + dy * dy).sqrt();
        let weight = w0 + w1;
        if distance <= f32::MIN_POSITIVE || weight <= 0.0 {
            continue;
        }
        let share = (distance - length) / (distance * weight);
        pulls[k] += share * distance;
        for (i, share) in [(k, share * w0), (k + 1, -share * w1)] {
            x[i] += dx * share;
            y[i] += dy * share;
            way_x[i] += dx * share;
            way_y[i] += dy * share;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn stretched() -> (Points, Vec<f32>) {
        let mut points = Points::default();
        points.resize(11);
        for i in 0..11 {
            points.place(i, Vec2::new(0.0, 13.0 * i as f32));
            points.inv_mass[i] = if i == 0 { 0.0 } else { 1.0 };
        }
        (points, vec![10.0; 10])
    }

    #[test]
    fn more_passes_come_nearer_to_the_lengths() {
        let tip = |passes| {
            let (mut points, lengths) = stretched();
            chain(&mut points, &lengths, passes, &mut [0.0; 10]);
            points.y[10]
        };
        assert!(tip(1) > tip(4) && tip(4) > tip(16) && tip(400) < 100.01);
    }

    #[test]
    fn coincident_points_do_no_harm() {
        let (mut points, lengths) = stretched();
        points.x.fill(0.0);
        points.y.fill(0.0);
        chain(&mut points, &lengths, 8, &mut [0.0; 10]);
        assert!(points.is_finite());
    }
}
