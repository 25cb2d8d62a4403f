//! Hulls of points, and their skins.

use glam::Vec2;
use std::f32::consts::{FRAC_PI_3, TAU};

/// A corner of a skin turns by this angle at most, in radians: sharper ones get more.
const MOST_TURN: f32 = FRAC_PI_3;
/// Corners nearer than this to the line between their neighbours, in px, are none.
const FLAT: f64 = 0.02;

/// Their convex hull, turning right on the screen, without corners that hardly are any (A. M. Andrew 1979). One or two points if there is no more. The points are
/// sorted.
pub fn hull(points: &mut [Vec2], around: &mut Vec<Vec2>) {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    around.clear();
    // From left to right along the top, and back along the bottom.
    points.iter().for_each(|&point| add(around, point, 1));
    let top = around.len();
    points.iter().rev().skip(1).for_each(|&point| add(around, point, top));
    if around.len() > 1 {
        around.pop();
    }
    around.dedup_by(|a, b| a.distance(*b) < FLAT as f32);
    while around.len() > 1 && around[0].distance(around[around.len() - 1]) < FLAT as f32 {
        around.pop();
    }
}

/// Goes on to a point, past corners after the first `least` that lead in.
fn add(around: &mut Vec<Vec2>, point: Vec2, least: usize) {
    while around.len() > least {
        let (a, b) = (around[around.len() - 2], around[around.len() - 1]);
        let (way, to) = ((point - a).as_dvec2(), (b - a).as_dvec2());
        let off = way.perp_dot(to);
        // A corner is to the left of the way. What is farther than the next point is one, however near to the line it is.
        let between = (0.0..=way.length_squared()).contains(&way.dot(to));
        if off < 0.0 && (!between || off < -FLAT * way.length()) {
            break;
        }
        around.pop();
    }
    around.push(point);
}

/// All within `radius` of a hull, nearly: corners that are sharp are cut off at most by a twentieth of it more. It has an area, whatever the hull is.
pub fn skin(hull: &[Vec2], radius: f32, skin: &mut Vec<Vec2>) {
    skin.clear();
    let count = hull.len();
    if count < 2 {
        let corners = hull.iter().flat_map(|&at| (0..8).map(move |k| at + Vec2::from_angle(TAU / 8.0 * k as f32) * radius));
        skin.extend(corners);
        return;
    }
    for k in 0..count {
        let (before, at, after) = (hull[(k + count - 1) % count], hull[k], hull[(k + 1) % count]);
        let (one, other) = ((at - before).normalize_or(Vec2::X), (after - at).normalize_or(Vec2::X));
        // Out of what turns right on the screen.
        let out = Vec2::new(one.y, -one.x);
        let turn = one.angle_to(other);
        // A line's end turns back.
        let turn = if turn < -1.0 { turn + TAU } else { turn.max(0.0) };
        let parts = (turn / MOST_TURN).ceil().max(1.0);
        let part = turn / parts;
        let far = radius / (0.5 * part).cos();
        skin.extend((0..parts as usize).map(|k| at + Vec2::from_angle((k as f32 + 0.5) * part).rotate(out) * far));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skin_of(points: &[Vec2], radius: f32) -> Vec<Vec2> {
        let (mut around, mut skin_) = (Vec::new(), Vec::new());
        hull(&mut points.to_vec(), &mut around);
        skin(&around, radius, &mut skin_);
        skin_
    }

    fn is_convex(corners: &[Vec2]) -> bool {
        let count = corners.len();
        (0..count).all(|k| {
            let (a, b, c) = (corners[k], corners[(k + 1) % count], corners[(k + 2) % count]);
            (b - a).perp_dot(c - b) > 0.0
        })
    }

    #[test]
    fn a_skin_is_convex_and_as_thick_as_it_should_be() {
        let v = Vec2::new;
        let square = [v(0.0, 0.0), v(10.0, 0.0), v(10.0, 10.0), v(0.0, 10.0), v(5.0, 5.0), v(5.0, 0.0)];
        let corners = skin_of(&square, 2.0);
        assert_eq!(corners.len(), 8);
        assert!(is_convex(&corners), "{corners:?}");
        for corner in &corners {
            let near = corner.clamp(Vec2::ZERO, Vec2::splat(10.0));
            assert!((1.99..2.4).contains(&corner.distance(near)), "{corner}");
        }
    }

    #[test]
    fn columns_that_are_not_quite_upright_keep_their_corners() {
        let at = |k: usize| Vec2::new(if k.is_multiple_of(3) { 1e-5 } else { -1e-5 * k as f32 }, k as f32 * 10.0 % 70.0);
        let points: Vec<Vec2> = (0..7).map(at).chain((0..7).map(|k| at(k) + Vec2::new(50.0, 0.0))).collect();
        let corners = skin_of(&points, 1.0);
        let height = |corner: &&Vec2| corner.y;
        let (least, most) = (corners.iter().map(|c| height(&c)).fold(9.0, f32::min), corners.iter().map(|c| height(&c)).fold(0.0, f32::max));
        assert!(least < -0.9 && most > 60.9, "{corners:?}");
        let area: f32 = (0..corners.len()).map(|k| corners[k].perp_dot(corners[(k + 1) % corners.len()])).sum();
        assert!(area > 2.0 * 50.0 * 60.0, "{area}");
    }

    #[test]
    fn what_is_flat_or_a_point_has_an_area() {
        let v = Vec2::new;
        for points in [
            vec![v(3.0, 3.0)],
            vec![v(3.0, 3.0); 4],
            vec![v(0.0, 0.0), v(10.0, 0.0)],
            vec![v(0.0, 0.0), v(10.0, 10.0), v(5.0, 5.0), v(5.0, 5.0)],
            vec![v(0.0, 0.0), v(10.0, 0.001), v(20.0, 0.0)],
            vec![v(0.0, 0.0), v(0.0, 10.0), v(0.0, 20.0)],
        ] {
            let corners = skin_of(&points, 0.25);
            assert!(corners.len() >= 3 && is_convex(&corners), "{points:?}: {corners:?}");
            let area: f32 = (0..corners.len()).map(|k| corners[k].perp_dot(corners[(k + 1) % corners.len()])).sum();
            assert!(area > 0.1, "{points:?}: {area}");
        }
    }
}
