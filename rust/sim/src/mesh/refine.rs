//! Better triangles: more points where they are thin, and inner points moved to where they are even.
//!
//! As in J. Ruppert (1995) and L. P. Chew (1989), a thin triangle gets a point at the middle of its circumcircle; where that would come
//! too near an edge of the outline, the edge is halved instead. All bad triangles of a round are treated at once and the triangulation is
//! made anew, so a round more costs little, and the number of points has a bound.

use super::triangulate::triangulate;
use super::{MOST_POINTS, edges};
use glam::{DVec2, Vec2};

/// A loop, points inside it, and the triangles over both (indices first into the loop).
#[derive(Clone)]
pub(super) struct Draft {
    pub corners: Vec<Vec2>,
    pub inside: Vec<Vec2>,
    pub triangles: Vec<[u32; 3]>,
}

/// Triangles with an angle below this are bad, degrees. Ruppert's method is certain to end below 20.7, Chew's second below 26.5; the bound
/// on the size of what is divided ends it anyway.
const LEAST_ANGLE: f64 = 26.0;

/// A circumcircle larger than this part of the spacing leaves a gap; that of an even triangle is 0.58.
const MOST_RADIUS: f64 = 0.8;

/// A point may be added where all others are farther than this part of the spacing.
const LEAST_RADIUS: f64 = 0.15;

/// Edges of the outline are halved down to this part of the spacing. Thin limbs need edges as short as they are wide.
const LEAST_EDGE: f64 = 0.15;

/// Refining is given up after so many rounds; most outlines need fewer than five.
const ROUNDS: usize = 16;

/// Rounds in which inner points are evened out: more hardly move them.
const SMOOTHING: usize = 4;

impl Draft {
    /// Triangles over a loop and points inside it; None if the loop crosses itself. Points that rounding has put outside are left out.
    pub fn new(corners: Vec<Vec2>, inside: Vec<Vec2>) -> Option<Draft> {
        let mut draft = Draft { triangles: triangulate(&corners, &inside)?, corners, inside };
        draft.drop_unused();
        Some(draft)
    }

    fn drop_unused(&mut self) {
        let count = self.corners.len();
        let mut is_used = vec![false; count + self.inside.len()];
        self.triangles.as_flattened().iter().for_each(|&corner| is_used[corner as usize] = true);
        if is_used[count..].iter().all(|&is_used| is_used) {
            return;
        }
        let mut left = count as u32;
        let renamed: Vec<u32> = (0..is_used.len())
            .map(|index| {
                let is_kept = index >= count && is_used[index];
                left += u32::from(is_kept);
                if is_kept { left - 1 } else { index as u32 }
            })
            .collect();
        self.triangles.as_flattened_mut().iter_mut().for_each(|corner| *corner = renamed[*corner as usize]);
        self.inside =
            self.inside.iter().zip(&is_used[count..]).filter(|(_, used)| **used).map(|(point, _)| *point).collect();
    }

    /// Adds points until no triangle is bad, or nothing more can be done.
    pub fn refine(&mut self, spacing: f64) {
        for _ in 0..ROUNDS {
            let Some(better) = self.with_more_points(spacing) else { return };
            // Rounding can make the loop touch itself where it is thinner than the numbers are fine.
            let Some(better) = Draft::new(better.0, better.1) else { return };
            *self = better;
        }
    }

    /// Moves the inner points to the middle of the triangles around them, where this makes no triangle worse.
    pub fn smooth(&mut self) {
        for _ in 0..SMOOTHING {
            let inside = self.evened_out();
            let Some(better) = Draft::new(self.corners.clone(), inside) else { return };
            *self = better;
        }
    }

    fn place(&self, index: u32) -> DVec2 {
        let index = index as usize;
        let count = self.corners.len();
        (if index < count { self.corners[index] } else { self.inside[index - count] }).as_dvec2()
    }

    /// The loop and the inner points with more points; None if nothing needs any.
    fn with_more_points(&self, spacing: f64) -> Option<(Vec<Vec2>, Vec<Vec2>)> {
        let mut bad: Vec<(f64, usize)> = Vec::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            let corners = triangle.map(|corner| self.place(corner));
            let (angle, sharpest) = least_angle(corners);
            let is_thin = angle < LEAST_ANGLE.to_radians() && !self.is_corner_of_loop(triangle, sharpest);
            let has_gap = circumcircle(corners).is_none_or(|(_, radius)| radius > MOST_RADIUS * spacing);
            if is_thin || has_gap {
                bad.push((angle, index));
            }
        }
        bad.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

        let count = self.corners.len();
        let mut room = MOST_POINTS.saturating_sub(count + self.inside.len());
        let mut is_halved = vec![false; count];
        let mut added: Vec<(DVec2, f64)> = Vec::new();
        for (_, index) in bad {
            if room == 0 {
                break;
            }
            let corners = self.triangles[index].map(|corner| self.place(corner));
            let Some((middle, radius)) = circumcircle(corners) else { continue };
            let mut is_free = true;
            for (edge, (a, b)) in edges(&self.corners).enumerate() {
                let (a, b) = (a.as_dvec2(), b.as_dvec2());
                // In the circle over the edge, on its inner side; or the triangle lies behind the edge from there.
                let is_near = (a - middle).dot(b - middle) <= 0.0 && (b - a).perp_dot(middle - a) >= 0.0;
                if is_near || self.is_behind(corners, middle, a, b) {
                    is_free = false;
                    if !is_halved[edge] && room > 0 && a.distance(b) >= 2.0 * LEAST_EDGE * spacing {
                        is_halved[edge] = true;
                        room -= 1;
                    }
                }
            }
            let is_clear = |&(other, reach): &(DVec2, f64)| other.distance(middle) > 0.7 * reach.min(radius);
            if is_free && room > 0 && radius >= LEAST_RADIUS * spacing && added.iter().all(is_clear) {
                added.push((middle, radius));
                room -= 1;
            }
        }
        if added.is_empty() && !is_halved.contains(&true) {
            return None;
        }
        let mut loop_points = Vec::with_capacity(count + added.len());
        for ((a, b), is_halved) in edges(&self.corners).zip(is_halved) {
            loop_points.push(a);
            if is_halved {
                loop_points.push(((a.as_dvec2() + b.as_dvec2()) / 2.0).as_vec2());
            }
        }
        let inside = self.inside.iter().copied().chain(added.iter().map(|(middle, _)| middle.as_vec2()));
        Some((loop_points, inside.collect()))
    }

    /// Whether the way from a triangle to a point goes out through the edge from `a` to `b`.
    fn is_behind(&self, corners: [DVec2; 3], point: DVec2, a: DVec2, b: DVec2) -> bool {
        let from = (corners[0] + corners[1] + corners[2]) / 3.0;
        let along = b - a;
        along.perp_dot(from - a) >= 0.0
            && along.perp_dot(point - a) < 0.0
            && (point - from).perp_dot(a - from) * (point - from).perp_dot(b - from) <= 0.0
    }

    /// Whether a triangle's corner is one of the loop's, with both sides along it: such an angle cannot be made wider.
    fn is_corner_of_loop(&self, triangle: &[u32; 3], corner: usize) -> bool {
        let count = self.corners.len() as u32;
        let [here, next, last] = [0, 1, 2].map(|step| triangle[(corner + step) % 3]);
        here < count && next == (here + 1) % count && last == (here + count - 1) % count
    }

    /// The inner points, evened out.
    fn evened_out(&self) -> Vec<Vec2> {
        let count = self.corners.len();
        let mut around: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.inside.len()];
        for triangle in &self.triangles {
            for corner in 0..3 {
                let [here, next, last] = [0, 1, 2].map(|step| triangle[(corner + step) % 3]);
                if here as usize >= count {
                    around[here as usize - count].push([next, last]);
                }
            }
        }
        let mut moved = self.clone();
        for (index, around) in around.iter().enumerate() {
            let here = moved.inside[index].as_dvec2();
            let (mut sum, mut weight) = (DVec2::ZERO, 0.0);
            for &[next, last] in around {
                let (next, last) = (moved.place(next), moved.place(last));
                let area = (next - here).perp_dot(last - here);
                sum += (here + next + last) / 3.0 * area;
                weight += area;
            }
            if weight <= 0.0 {
                continue;
            }
            let there = (sum / weight).as_vec2();
            let worst = |at: DVec2| {
                let angle = |&[next, last]: &[u32; 2]| least_angle([at, moved.place(next), moved.place(last)]).0;
                around.iter().map(angle).fold(f64::INFINITY, f64::min)
            };
            if worst(there.as_dvec2()) >= worst(here).min(LEAST_ANGLE.to_radians()) {
                moved.inside[index] = there;
            }
        }
        moved.inside
    }
}

/// The least angle of a triangle, and at which corner; negative if it is turned inside out.
fn least_angle(corners: [DVec2; 3]) -> (f64, usize) {
    let mut least = (f64::INFINITY, 0);
    for corner in 0..3 {
        let [here, next, last] = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
        let (to_next, to_last) = (next - here, last - here);
        let angle = to_next.perp_dot(to_last).atan2(to_next.dot(to_last));
        if angle < least.0 {
            least = (angle, corner);
        }
    }
    least
}

/// Middle and radius of the circle through three points; None if they are on a line.
fn circumcircle([a, b, c]: [DVec2; 3]) -> Option<(DVec2, f64)> {
    let (b, c) = (b - a, c - a);
    let middle = (c.perp() * b.length_squared() - b.perp() * c.length_squared()) / (-2.0 * b.perp_dot(c));
    middle.is_finite().then(|| (a + middle, middle.length()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_outside_are_left_out() {
        let corners = vec![Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(5.0, 3.0), Vec2::new(0.0, 10.0)];
        let inside = vec![Vec2::new(8.0, 8.0), Vec2::new(2.0, 2.0), Vec2::new(-1.0, 0.0), Vec2::new(3.0, 1.0)];
        let draft = Draft::new(corners, inside).expect("a simple loop");
        assert_eq!(draft.inside, [Vec2::new(2.0, 2.0), Vec2::new(3.0, 1.0)]);
        assert_eq!(draft.triangles.len(), 2 + 2 * 2);
        assert_eq!(draft.triangles.as_flattened().iter().max(), Some(&5));
    }

    #[test]
    fn the_circumcircle_goes_through_all_corners() {
        let corners = [DVec2::new(1.0, 2.0), DVec2::new(9.0, 3.0), DVec2::new(4.0, 8.0)];
        let (middle, radius) = circumcircle(corners).expect("a triangle");
        assert!(corners.iter().all(|corner| (corner.distance(middle) - radius).abs() < 1e-12));
        assert!(circumcircle([DVec2::ZERO, DVec2::ONE, DVec2::ONE * 2.0]).is_none());
    }

    #[test]
    fn the_least_angle_is_found_with_its_corner() {
        let (angle, corner) = least_angle([DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(0.0, 1.0)]);
        assert!((angle - 0.5f64.atan()).abs() < 1e-12);
        assert_eq!(corner, 1);
    }
}
