//! Leaves out what is too small for the spacing of a mesh.
//!
//! The corner that matters least goes first, as in M. Visvalingam and J. D. Whyatt (1993), but measured by how far the corner is from the
//! line that replaces it. What stays are corners of the outline, so sharp ones stay exactly where they are.

use super::distance_to_segment;
use super::fill::SLACK;
use glam::{DVec2, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An outline may move by this part of the spacing where short edges become one: too little to be seen in motion.
const TOLERANCE: f64 = 0.05;

/// Edges shorter than this part of the spacing are detail.
const DETAIL: f64 = 0.25;

/// Detail may move this many times farther.
const DETAIL_TOLERANCE: f64 = 2.0;

/// An edge that becomes longer than the spacing is divided again, so a corner that shapes it is kept: it may move this many times less.
const LONG_TOLERANCE: f64 = 20.0;

/// A corner stays while one of so many neighbours to each side is within what would be cut off: the loop would cross itself. Hardly any
/// simplified outline has other crossings; those are found later.
const LOOK_AROUND: usize = 8;

/// The loop without the corners that hardly matter at this spacing. With spacing 0, only what is exactly on a line goes.
pub(super) fn simplify(corners: &[Vec2], spacing: f64) -> Vec<Vec2> {
    let count = corners.len();
    let mut before: Vec<usize> = (0..count).map(|index| (index + count - 1) % count).collect();
    let mut after: Vec<usize> = (0..count).map(|index| (index + 1) % count).collect();
    let place = |index: usize| corners[index].as_dvec2();
    let importance = |index: usize, before: usize, after: usize| {
        let (a, here, b) = (place(before), place(index), place(after));
        let mut height = distance_to_segment(here, a, b);
        if a.distance(b) > SLACK * spacing {
            height *= LONG_TOLERANCE;
        } else if a.distance(here).min(here.distance(b)) < DETAIL * spacing {
            height /= DETAIL_TOLERANCE;
        }
        // Never negative, so its bits are in the order of the numbers.
        height.to_bits()
    };

    let mut current: Vec<u64> = (0..count).map(|index| importance(index, before[index], after[index])).collect();
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> =
        current.iter().enumerate().map(|(index, &importance)| Reverse((importance, index))).collect();
    let mut is_left = vec![true; count];
    let mut left = count;
    while let Some(Reverse((least, index))) = queue.pop() {
        if left <= 3 || f64::from_bits(least) > TOLERANCE * spacing {
            break;
        }
        if !is_left[index] || current[index] != least {
            continue;
        }
        let (a, b) = (before[index], after[index]);
        let triangle = [place(a), place(index), place(b)];
        let mut ways = [a, b];
        let is_blocked = (0..LOOK_AROUND).any(|_| {
            ways = [before[ways[0]], after[ways[1]]];
            ways.iter().any(|&other| ![a, index, b].contains(&other) && is_in(triangle, place(other)))
        });
        if is_blocked {
            // It gets its turn again when a neighbour goes.
            continue;
        }
        is_left[index] = false;
        left -= 1;
        (after[a], before[b]) = (b, a);
        for neighbour in [a, b] {
            current[neighbour] = importance(neighbour, before[neighbour], after[neighbour]);
            queue.push(Reverse((current[neighbour], neighbour)));
        }
    }
    (0..count).filter(|&index| is_left[index]).map(|index| corners[index]).collect()
}

/// Whether a point is in a triangle that turns either way, or on its edge.
fn is_in([a, b, c]: [DVec2; 3], point: DVec2) -> bool {
    // On a line, all sides are 0: the box decides.
    let is_near = point.cmpge(a.min(b).min(c)).all() && point.cmple(a.max(b).max(c)).all();
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(point - from));
    is_near && (sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dense_square_becomes_its_corners() {
        let [a, b, c, d] = [Vec2::ZERO, Vec2::new(100.0, 0.0), Vec2::splat(100.0), Vec2::new(0.0, 100.0)];
        let side = |from: Vec2, to: Vec2| (0..1000).map(move |i| from.lerp(to, i as f32 / 1000.0));
        let dense: Vec<Vec2> = side(a, b).chain(side(b, c)).chain(side(c, d)).chain(side(d, a)).collect();
        assert_eq!(simplify(&dense, 16.0), [a, b, c, d]);
    }

    #[test]
    fn a_circle_stays_within_the_tolerance() {
        let circle: Vec<Vec2> =
            (0..10_000).map(|i| Vec2::from_angle(i as f32 / 10_000.0 * 6.283_185_5) * 100.0).collect();
        let simple = simplify(&circle, 20.0);
        assert!((30..60).contains(&simple.len()), "{}", simple.len());
        for (a, b) in super::super::edges(&simple) {
            assert!(100.0 - ((a + b) / 2.0).length() < 0.05 * 20.0);
        }
    }
}
