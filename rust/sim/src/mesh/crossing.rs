//! Where a loop crosses or touches itself.
//!
//! A line sweeps over the loop and keeps the edges that it meets in order; edges can only meet when they have become neighbours (M. I. Shamos
//! and D. Hoey 1976). It ends at the first meeting, until which the order is certain, since all is decided with exact predicates
//! (J. R. Shewchuk 1997). That takes about n log n steps, whatever the loop.

use glam::{DVec2, Vec2};
use robust::{Coord, orient2d};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

/// An edge of the loop, with its ends in the order in which the line meets them.
#[derive(Clone, Copy, Debug)]
struct Edge {
    index: usize,
    start: DVec2,
    end: DVec2,
}

/// Which side of the line from `a` to `b` a point is on: positive on one, negative on the other, 0 on the line.
fn side(a: DVec2, b: DVec2, point: DVec2) -> f64 {
    orient2d(Coord { x: a.x, y: a.y }, Coord { x: b.x, y: b.y }, Coord { x: point.x, y: point.y })
}

/// The order in which the line, slightly slanted, meets points.
fn sweep_order(a: DVec2, b: DVec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

impl Ord for Edge {
    /// The order along the line, for edges that it meets at the same time and that do not cross.
    fn cmp(&self, other: &Edge) -> Ordering {
        if self.index == other.index {
            return Ordering::Equal;
        }
        let sign = |number: f64| number.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
        let order = if sweep_order(self.start, other.start) == Ordering::Less {
            let by_start = sign(side(self.start, self.end, other.start));
            by_start.then_with(|| sign(side(self.start, self.end, other.end))).reverse()
        } else {
            let by_start = sign(side(other.start, other.end, self.start));
            by_start.then_with(|| sign(side(other.start, other.end, self.end)))
        };
        order.then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Edge) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Edge) -> bool {
        self.index == other.index
    }
}

impl Eq for Edge {}

/// A place where the loop meets itself other than at a corner of two edges.
pub(super) fn crossing(corners: &[Vec2]) -> Option<Vec2> {
    let count = corners.len();
    // Adding 0 turns -0, which has its own place in the order, into 0.
    let place = |index: usize| corners[index % count].as_dvec2() + 0.0;
    let edge = |index: usize| {
        let (a, b) = (place(index), place(index + 1));
        let (start, end) = if sweep_order(a, b) == Ordering::Greater { (b, a) } else { (a, b) };
        Edge { index, start, end }
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|&a, &b| sweep_order(place(a), place(b)));
    if let Some(twice) = order.windows(2).find(|pair| place(pair[0]) == place(pair[1])) {
        return Some(corners[twice[0]]);
    }

    let mut met: BTreeSet<Edge> = BTreeSet::new();
    let before = |met: &BTreeSet<Edge>, edge: &Edge| met.range((Unbounded, Excluded(edge))).next_back().copied();
    let after = |met: &BTreeSet<Edge>, edge: &Edge| met.range((Excluded(edge), Unbounded)).next().copied();
    for corner in order {
        let here = place(corner);
        let both = [edge((corner + count - 1) % count), edge(corner)];
        for ending in both.iter().filter(|edge| edge.end == here) {
            met.remove(ending);
            if let (Some(a), Some(b)) = (before(&met, ending), after(&met, ending))
                && let Some(at) = meeting(&a, &b, count)
            {
                return Some(at);
            }
        }
        for starting in both.iter().filter(|edge| edge.start == here) {
            for neighbour in [before(&met, starting), after(&met, starting)].into_iter().flatten() {
                if let Some(at) = meeting(starting, &neighbour, count) {
                    return Some(at);
                }
            }
            met.insert(*starting);
        }
    }
    None
}

/// Where two edges meet, other than at the corner that they share.
fn meeting(a: &Edge, b: &Edge, count: usize) -> Option<Vec2> {
    let is_shared = |point: DVec2| {
        let are_neighbours = (a.index + 1) % count == b.index || (b.index + 1) % count == a.index;
        are_neighbours && (point == a.start || point == a.end) && (point == b.start || point == b.end)
    };
    let is_on = |edge: &Edge, point: DVec2| {
        let is_within = point.cmpge(edge.start.min(edge.end)).all() && point.cmple(edge.start.max(edge.end)).all();
        is_within && side(edge.start, edge.end, point) == 0.0
    };
    for (edge, other) in [(a, b), (b, a)] {
        for end in [other.start, other.end] {
            if !is_shared(end) && is_on(edge, end) {
                return Some(end.as_vec2());
            }
        }
    }
    // What touches has been found: here, ends are on both sides or the edges are apart.
    let are_apart = |edge: &Edge, other: &Edge| {
        let [start, end] = [other.start, other.end].map(|end| side(edge.start, edge.end, end));
        start == 0.0 || end == 0.0 || (start > 0.0) == (end > 0.0)
    };
    if are_apart(a, b) || are_apart(b, a) {
        return None;
    }
    let (along, across) = (a.end - a.start, b.end - b.start);
    let part = (b.start - a.start).perp_dot(across) / along.perp_dot(across);
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 };
    Some((a.start + along * part).as_vec2())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing_of(list: &[(f32, f32)]) -> Option<Vec2> {
        crossing(&list.iter().map(|&(x, y)| Vec2::new(x, y)).collect::<Vec<_>>())
    }

    #[test]
    fn crossings_and_touches_are_found_where_they_are() {
        assert_eq!(crossing_of(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]), Some(Vec2::splat(5.0)));
        let touching = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 0.0), (0.0, 10.0)];
        assert_eq!(crossing_of(&touching), Some(Vec2::new(5.0, 0.0)));
        assert_eq!(crossing_of(&[(0.0, 0.0), (20.0, 0.0), (10.0, 0.0), (10.0, 10.0)]), Some(Vec2::new(10.0, 0.0)));
        let pinched = [(0.0, 0.0), (5.0, 5.0), (10.0, 0.0), (10.0, 10.0), (5.0, 5.0), (0.0, 10.0)];
        assert_eq!(crossing_of(&pinched), Some(Vec2::splat(5.0)));
    }

    #[test]
    fn a_simple_loop_has_none() {
        assert_eq!(crossing_of(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 0.1), (0.0, 10.0)]), None);
        assert_eq!(crossing_of(&[(-0.0, 0.0), (0.0, 5.0), (0.0, 10.0), (-1.0, 5.0)]), None);
    }
}
