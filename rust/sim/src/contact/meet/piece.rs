//! How the pieces between points touch corners.
//!
//! A corner that was on one side of a piece at the start of the substep stays there. So a piece that lies right across a polygon would stay in it
//! for ever; it is let out over the nearer corner instead.

use super::{Contact, DEEP, MARGIN, Obstacle, View};
use crate::bounds::Bounds;
use glam::Vec2;

/// Nearer to the end of a piece in px it is the point that touches.
const AT_END: f32 = 0.3;
/// A corner juts out towards a piece if both its faces lean away from it by at least this sine. Less is a face, which points touch.
const JUTS: f32 = 0.003;

impl View<'_> {
    /// How the piece between two points touches any of the `corners`. The contacts are put into `list`.
    pub(super) fn beside(&self, k: usize, corners: &[usize], from: [Vec2; 2], to: [Vec2; 2], list: &mut Vec<Contact>) {
        if self.near.bounds.overlaps(&Bounds::of(from))
            && let Some((corner, depth)) = self.way_out(from)
        {
            list.push(self.pierced(k, corner, depth, to));
        } else {
            list.extend(corners.iter().filter_map(|&corner| self.piece(k, corner, from, to)));
        }
    }

    /// The corner over which a piece gets out on the shortest way that lies right across, and how far beyond the piece it is; negative on the
    /// left, with y down. None if it does not lie across. A way that is longer than the piece is none: it would be dragged along a wall.
    fn way_out(&self, [first, second]: [Vec2; 2]) -> Option<(usize, f32)> {
        let corners = &self.convex.corners;
        if corners.len() < 2 || !self.convex.solid || self.collider.one_way.is_some() {
            return None;
        }
        let length = first.distance(second);
        let along = (second - first).try_normalize()?;
        let aside = |corner: Vec2| along.perp_dot(corner - first);
        let part = |corner: Vec2| along.dot(corner - first);
        let (mut left, mut right) = ((0, 0.0f32), (0, 0.0f32));
        let mut before = corners[corners.len() - 1];
        for (index, &corner) in corners.iter().enumerate() {
            let (one, other) = (aside(before), aside(corner));
            if one * other < 0.0 {
                // Where a face crosses the line of the piece: an end that is inside comes out by itself.
                let at = part(before.lerp(corner, one / (one - other)));
                if !(0.0..=length).contains(&at) {
                    return None;
                }
            }
            if other < left.1 {
                left = (index, other);
            }
            if other > right.1 {
                right = (index, other);
            }
            before = corner;
        }
        let out = if -left.1 < right.1 { left } else { right };
        let across = left.1 < -f32::EPSILON * length && right.1 > f32::EPSILON * length;
        (across && out.1.abs() <= length && (0.0..=length).contains(&part(corners[out.0]))).then_some(out)
    }

    /// How a piece that lies right across is let out over a corner, which at the start was by `depth` beyond it.
    fn pierced(&self, k: usize, index: usize, depth: f32, to: [Vec2; 2]) -> Contact {
        let corner = self.convex.corners[index];
        let radius = self.skin.radius + self.convex.radius;
        let line = to[1] - to[0];
        let part = (corner - to[0]).dot(line) / line.length_squared().max(f32::MIN_POSITIVE);
        let obstacle = self.outside(Obstacle::Beside { corner, side: -depth.signum(), radius });
        let id = self.piece_id(k, index);
        self.contact(k, true, part.clamp(0.0, 1.0), obstacle, -depth.abs() - radius, id)
    }

    /// What tells the contact of a piece with a corner from others.
    fn piece_id(&self, k: usize, index: usize) -> u64 {
        self.near.id.wrapping_mul(31).wrapping_add(((index as u64 + 1) << 32) + k as u64)
    }

    /// How the piece between two points touches a corner.
    fn piece(&self, k: usize, index: usize, from: [Vec2; 2], to: [Vec2; 2]) -> Option<Contact> {
        let corner = self.convex.corners[index];
        let radius = self.skin.radius + self.convex.radius;
        let wide = Vec2::splat(radius + MARGIN);
        let (least, most) = (to[0].min(to[1]), to[0].max(to[1]));
        let (least, most) = (least.min(from[0]).min(from[1]) - wide, most.max(from[0]).max(from[1]) + wide);
        if !(corner.cmpge(least).all() && corner.cmple(most).all()) {
            return None;
        }
        let line = to[1] - to[0];
        let length = line.length();
        if length < f32::MIN_POSITIVE {
            return None;
        }
        let along = line / length;
        let part = (corner - to[0]).dot(along) / length;
        let aside = along.perp_dot(corner - to[0]);
        let before = from[1] - from[0];
        let aside_before = before.perp_dot(corner - from[0]) / before.length().max(f32::MIN_POSITIVE);
        let part_before = (corner - from[0]).dot(before) / before.length_squared().max(f32::MIN_POSITIVE);
        let crossed = aside * aside_before < 0.0 && crosses(corner, from, to);
        let ends = AT_END / length;
        if !crossed && !(ends..=1.0 - ends).contains(&part) {
            return None;
        }
        let side = if crossed { aside_before.signum() } else { aside.signum() };
        let gap = aside * side - radius;
        if gap > MARGIN {
            return None;
        }
        let normal = along.perp() * -side;
        if !crossed && !self.juts(index, normal, to) {
            return None;
        }
        // Where the corner was not beside the piece it has come there along it.
        let begun = if (0.0..=1.0).contains(&part_before) { aside_before * side - radius } else { gap.max(-DEEP) };
        if !self.lets_meet(normal, begun) {
            return None;
        }
        let obstacle = self.outside(Obstacle::Beside { corner, side, radius });
        Some(self.contact(k, true, part.clamp(0.0, 1.0), obstacle, begun, self.piece_id(k, index)))
    }

    /// Whether a corner juts out along `normal` towards a piece: nothing else is farther out. Beside a face that is parallel to the piece
    /// it does if the face ends within the piece; otherwise an end of the piece lies on the face. The pieces of a ring, which is stiffer, touch
    /// such corners always: one that sags over the end of a face would be let in until it leans enough, be pushed out at once, and tremble.
    fn juts(&self, index: usize, normal: Vec2, [first, second]: [Vec2; 2]) -> bool {
        let corners = &self.convex.corners;
        let count = corners.len();
        let leans = |other: usize| {
            let face = corners[other] - corners[index];
            let (away, much) = (normal.dot(face), JUTS * face.length());
            let within = || {
                let line = second - first;
                self.ring || (0.0..=line.length_squared()).contains(&(corners[other] - first).dot(line))
            };
            away <= -much || (away <= much && within())
        };
        count == 1 || (leans((index + 1) % count) && leans((index + count - 1) % count))
    }
}

/// Whether a piece that moves evenly passes over a corner.
fn crosses(corner: Vec2, from: [Vec2; 2], to: [Vec2; 2]) -> bool {
    // (a + u t) x (b + v t) = 0, with the ends a and b as seen from the corner.
    let (a, b) = (from[0] - corner, from[1] - corner);
    let (u, v) = (to[0] - from[0], to[1] - from[1]);
    let constant = a.perp_dot(b);
    let linear = a.perp_dot(v) + u.perp_dot(b);
    let square = u.perp_dot(v);
    let within = |t: f32| {
        let (a, b) = (a + u * t, b + v * t);
        (0.0..=1.0).contains(&t) && a.dot(b) <= 0.0
    };
    if square.abs() <= 1e-9 * linear.abs() {
        return linear != 0.0 && within(-constant / linear);
    }
    let root = linear * linear - 4.0 * square * constant;
    if root < 0.0 {
        return false;
    }
    // The stable form: no difference of nearly equal numbers.
    let q = -0.5 * (linear + root.sqrt().copysign(linear));
    within(q / square) || (q != 0.0 && within(constant / q))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNER: Vec2 = Vec2::new(3.0, 5.0);

    fn crosses_at(from: [(f32, f32); 2], to: [(f32, f32); 2]) -> bool {
        crosses(CORNER, from.map(Vec2::from), to.map(Vec2::from))
    }

    #[test]
    fn a_piece_that_moves_past_a_corner_crosses_it() {
        assert!(crosses_at([(0.0, 0.0), (10.0, 0.0)], [(0.0, 9.0), (10.0, 9.0)]));
        assert!(!crosses_at([(0.0, 0.0), (10.0, 0.0)], [(0.0, 4.0), (10.0, 4.0)]));
        assert!(!crosses_at([(4.0, 0.0), (10.0, 0.0)], [(4.0, 9.0), (10.0, 9.0)]));
        // It turns around its first point.
        assert!(crosses_at([(0.0, 5.0), (10.0, 0.0)], [(0.0, 5.0), (10.0, 9.0)]));
        // One end passes on this side of the corner, the other on that: it only is over the line.
        assert!(!crosses_at([(-9.0, 0.0), (-5.0, 0.0)], [(-9.0, 9.0), (-5.0, 9.0)]));
    }

    #[test]
    fn a_piece_crosses_twice_and_along_itself() {
        // A spinning piece passes the corner and comes back.
        let (from, to) = ([(0.0, 4.0), (10.0, 4.0)], [(20.0, 4.0), (-10.0, 4.0)]);
        assert!(!crosses_at(from, to));
        // Along itself it passes nothing.
        assert!(!crosses_at([(-9.0, 4.9), (1.0, 4.9)], [(4.0, 4.9), (14.0, 4.9)]));
        assert!(!crosses_at([(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]));
    }
}
