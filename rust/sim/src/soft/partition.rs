//! Dividing an outline into a few pieces that are convex enough: what others meet of a body is the hull of each.
//!
//! The outline at rest is cut by straight lines between two of its points, one cut after the other, always by the one that brings most (as in approximate
//! convex decomposition, J.-M. Lien, N. Amato 2006). Two things are to get less: what the hulls fill although it is outside, and how far the outline goes
//! from one end of a piece to the other, because a dent between these is not seen. What faces upwards counts more: there others stand. Pieces
//! that go from side to side follow a dent at the top and a floor at the bottom; at the sides corners are cut off.

use super::SoftBody;
use glam::Vec2;
use std::hash::{Hash, Hasher};

/// The most pieces.
pub const MOST_PIECES: usize = 8;
/// Cuts end at so many points of the outline at most.
const MOST_KNOTS: usize = 40;
/// What faces upwards counts so many times more.
const UPWARDS: f32 = 3.0;
/// How much a px2 that a hull fills counts beside the square of a length in px.
const FILLED: f32 = 400.0;
/// What turns by less than this sine goes straight on.
const ALONG: f32 = 1e-3;
/// A corner at rest, by the cosine of what it turns: a dent does not go round it.
const CORNER: f32 = 0.8;
/// Less than this part of the whole is no piece, or does not count.
const LEAST: f32 = 1e-3;

/// The pieces of an outline, and how it was turned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partition {
    /// The points of each piece, in the order of the outline.
    pub pieces: Vec<Vec<u32>>,
    /// What was upwards, in the directions of the shape at rest.
    pub up: Vec2,
}

/// The outline, by the points at which it may be cut.
struct Ring<'a> {
    outline: &'a [u32],
    /// Where the points of the outline are.
    at: Vec<Vec2>,
    /// Places in the outline.
    knots: Vec<usize>,
    up: Vec2,
    /// What less than this is nothing, in px2.
    least_area: f32,
}

impl SoftBody {
    /// What is upwards, in the directions of the shape at rest.
    pub fn up_at_rest(&self, up: Vec2) -> Vec2 {
        self.turn.conjugated().rotate(up)
    }

    /// What tells the divisions of its outline from those of others: equal if all points of the outline are at the same places at rest.
    pub fn shape_hash(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        for &i in &self.mesh.outline {
            let rest = self.rest[i as usize];
            (i, rest.x.to_bits(), rest.y.to_bits()).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Divides its outline into at most [`MOST_PIECES`]. `up`: a unit vector in the directions of the shape at rest, or zero.
    pub fn partition(&self, up: Vec2) -> Partition {
        let outline: Vec<u32> = match self.orientation() < 0.0 {
            true => self.mesh.outline.iter().rev().copied().collect(),
            false => self.mesh.outline.clone(),
        };
        let at = outline.iter().map(|&i| self.rest[i as usize]).collect();
        Partition { pieces: divide(&outline, at, up), up }
    }
}

trait Conjugated {
    fn conjugated(self) -> Self;
}

impl Conjugated for Vec2 {
    fn conjugated(self) -> Vec2 {
        Vec2::new(self.x, -self.y)
    }
}

/// Divides an outline whose points are there, and turn right on the screen.
fn divide(outline: &[u32], at: Vec<Vec2>, up: Vec2) -> Vec<Vec<u32>> {
    let knots = choose_knots(&at);
    let mut ring = Ring { outline, at, knots, up, least_area: 0.0 };
    let whole: Vec<usize> = (0..ring.knots.len()).collect();
    ring.least_area = LEAST * ring.area(&whole);
    let first = ring.cost(&whole);
    let mut pieces = vec![Part::new(&ring, whole)];
    while pieces.len() < MOST_PIECES {
        let best = (0..pieces.len()).max_by(|&a, &b| pieces[a].gain.total_cmp(&pieces[b].gain));
        let Some(best) = best.filter(|&best| pieces[best].gain > LEAST * first) else { break };
        let part = pieces.swap_remove(best);
        let (one, other) = halves(&part.knots, part.cut);
        pieces.push(Part::new(&ring, one));
        pieces.push(Part::new(&ring, other));
    }
    pieces.into_iter().map(|part| ring.points(&part.knots)).collect()
}

/// A piece, and the best way to cut it.
struct Part {
    /// Indices of knots, in order.
    knots: Vec<usize>,
    cut: (usize, usize),
    gain: f32,
}

impl Part {
    fn new(ring: &Ring, knots: Vec<usize>) -> Part {
        let mut part = Part { knots, cut: (0, 0), gain: 0.0 };
        let count = part.knots.len();
        if count < 4 {
            return part;
        }
        let before = ring.cost(&part.knots);
        let corner = |k: usize| ring.knot(part.knots[k % count]);
        let reflex: Vec<bool> = (0..count)
            .map(|k| {
                let (a, b, c) = (corner(k + count - 1), corner(k), corner(k + 1));
                (b - a).perp_dot(c - b) < -ALONG * (b - a).length() * (c - b).length()
            })
            .collect();
        let hollow = reflex.contains(&true);
        for i in 0..count {
            for j in i + 2..count {
                if (i == 0 && j == count - 1) || (hollow && !ring.sees(&part.knots, i, j)) {
                    continue;
                }
                let (one, other) = halves(&part.knots, (i, j));
                if ring.area(&one) < ring.least_area || ring.area(&other) < ring.least_area {
                    continue;
                }
                let gain = before - ring.cost(&one) - ring.cost(&other);
                if gain > part.gain {
                    (part.gain, part.cut) = (gain, (i, j));
                }
            }
        }
        part
    }
}

/// Both parts of a loop that is cut between two of its corners.
fn halves(knots: &[usize], (i, j): (usize, usize)) -> (Vec<usize>, Vec<usize>) {
    let other = knots[j..].iter().chain(&knots[..=i]).copied().collect();
    (knots[i..=j].to_vec(), other)
}

/// Places in the outline at which cuts may end: corners first, then the middles of the longest ways between them.
fn choose_knots(at: &[Vec2]) -> Vec<usize> {
    let count = at.len();
    if count <= MOST_KNOTS {
        return (0..count).collect();
    }
    let turn = |i: usize| {
        let (a, b, c) = (at[(i + count - 1) % count], at[i], at[(i + 1) % count]);
        (b - a).angle_to(c - b).abs()
    };
    let mut corners: Vec<usize> = (0..count).filter(|&i| turn(i) > 0.35).collect();
    corners.sort_by(|&a, &b| turn(b).total_cmp(&turn(a)));
    corners.truncate(MOST_KNOTS / 2);
    if corners.is_empty() {
        corners.push(0);
    }
    corners.sort_unstable();
    while corners.len() < MOST_KNOTS {
        let gap = |k: usize| {
            let next = if k + 1 < corners.len() { corners[k + 1] } else { corners[0] + count };
            next - corners[k]
        };
        let Some(widest) = (0..corners.len()).max_by_key(|&k| gap(k)).filter(|&k| gap(k) > 1) else { break };
        corners.push((corners[widest] + gap(widest) / 2) % count);
        corners.sort_unstable();
    }
    corners
}

impl Ring<'_> {
    fn knot(&self, knot: usize) -> Vec2 {
        self.at[self.knots[knot]]
    }

    /// How many points of the outline come after the knot before the next.
    fn steps(&self, knot: usize, next: usize) -> usize {
        let count = self.at.len();
        (self.knots[next] + count - self.knots[knot] - 1) % count + 1
    }

    /// Whether the outline goes from one knot to the next; otherwise they are joined by a cut.
    fn follows(&self, knot: usize, next: usize) -> bool {
        next == (knot + 1) % self.knots.len()
    }

    fn area(&self, knots: &[usize]) -> f32 {
        let Some(&origin) = knots.first() else { return 0.0 };
        let origin = self.knot(origin);
        let at = |k: usize| self.knot(knots[k % knots.len()]) - origin;
        0.5 * (0..knots.len()).map(|k| at(k).perp_dot(at(k + 1))).sum::<f32>()
    }

    /// How bad a piece is: the squares of how far the outline goes in it from corner to corner, and what its hull fills.
    fn cost(&self, knots: &[usize]) -> f32 {
        let count = knots.len();
        let pair = |k: usize| (knots[k % count], knots[(k + 1) % count]);
        let way = |k: usize| self.knot(pair(k).1) - self.knot(pair(k).0);
        let goes_on = |k: usize| {
            let (before, now) = (way(k + count - 1), way(k));
            let straight = before.dot(now) > CORNER * before.length() * now.length();
            let follows = |k: usize| self.follows(pair(k % count).0, pair(k % count).1);
            straight && follows(k + count - 1) && follows(k)
        };
        let start = (0..count).find(|&k| !goes_on(k)).unwrap_or(0);
        let (mut sum, mut length, mut steps, mut faces) = (0.0, 0.0, 0, 0.0);
        let mut hollow = false;
        let mut end = |length: &mut f32, steps: &mut usize, faces: &mut f32| {
            if *steps > 1 {
                let weight = 1.0 + UPWARDS * (*faces / length.max(f32::MIN_POSITIVE)).max(0.0);
                sum += weight * *length * *length;
            }
            (*length, *steps, *faces) = (0.0, 0, 0.0);
        };
        for k in (start..start + count).map(|k| k % count) {
            if !goes_on(k) {
                end(&mut length, &mut steps, &mut faces);
            }
            let (before, now) = (way(k + count - 1), way(k));
            hollow |= before.perp_dot(now) < -ALONG * before.length() * now.length();
            let (from, to) = pair(k);
            if self.follows(from, to) {
                let way = way(k);
                length += way.length();
                steps += self.steps(from, to);
                // Out of it.
                faces += Vec2::new(way.y, -way.x).dot(self.up);
            }
        }
        end(&mut length, &mut steps, &mut faces);
        if hollow {
            let mut corners: Vec<Vec2> = knots.iter().map(|&knot| self.knot(knot)).collect();
            let mut around = Vec::new();
            super::hull::hull(&mut corners, &mut around);
            let first = around.first().copied().unwrap_or_default();
            let at = |k: usize| around[k % around.len()] - first;
            let full = 0.5 * (0..around.len()).map(|k| at(k).perp_dot(at(k + 1))).sum::<f32>();
            sum += FILLED * (full - self.area(knots)).max(0.0);
        }
        sum
    }

    /// Whether the line between two corners of a loop is inside of it.
    fn sees(&self, knots: &[usize], i: usize, j: usize) -> bool {
        let count = knots.len();
        let at = |k: usize| self.knot(knots[k % count]);
        let (from, to) = (at(i), at(j));
        let leads_in = |k: usize, way: Vec2| {
            let (before, after) = (at(k) - at(k + count - 1), at(k + 1) - at(k));
            // Not along a side either.
            let turns = |from: Vec2, to: Vec2, least: f32| from.perp_dot(to) > least * from.length() * to.length();
            let (left, right) = (turns(before, way, ALONG), turns(after, way, ALONG));
            if turns(before, after, -ALONG) { left && right } else { left || right }
        };
        if !leads_in(i, to - from) || !leads_in(j, from - to) {
            return false;
        }
        let slack = ALONG * (to - from).length_squared();
        (0..count).filter(|k| ![i, j].contains(k) && ![i, j].contains(&((k + 1) % count))).all(|k| {
            let (a, b) = (at(k), at(k + 1));
            let side = |p: Vec2| (to - from).perp_dot(p - from);
            let other = |p: Vec2| (b - a).perp_dot(p - a);
            // What touches the line is in its way.
            let clear = |a: f32, b: f32, slack: f32| (a > slack && b > slack) || (a < -slack && b < -slack);
            clear(side(a), side(b), slack) || clear(other(from), other(to), 0.0)
        })
    }

    /// All points of the outline that belong to a piece.
    fn points(&self, knots: &[usize]) -> Vec<u32> {
        let count = knots.len();
        let mut points = Vec::new();
        for k in 0..count {
            let (from, to) = (knots[k], knots[(k + 1) % count]);
            let steps = if self.follows(from, to) { self.steps(from, to) } else { 1 };
            points.extend((0..steps).map(|step| self.outline[(self.knots[from] + step) % self.at.len()]));
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::super::hull::hull;
    use super::*;
    use crate::frame::Pose;
    use crate::mesh::Mesh;
    use crate::soft::SoftSettings;
    use glam::UVec2;
    use std::sync::Arc;

    fn body(mesh: Mesh, pose: Pose) -> SoftBody {
        SoftBody::new(SoftSettings::default(), Arc::new(mesh), pose)
    }

    fn hulls(body: &SoftBody, partition: &Partition) -> Vec<Vec<Vec2>> {
        let of = |piece: &Vec<u32>| {
            let mut points: Vec<Vec2> = piece.iter().map(|&i| body.position(i as usize)).collect();
            let mut around = Vec::new();
            hull(&mut points, &mut around);
            around
        };
        partition.pieces.iter().map(of).collect()
    }

    fn holds(hulls: &[Vec<Vec2>], at: Vec2) -> bool {
        let inside = |hull: &Vec<Vec2>| {
            let edges = hull.iter().zip(hull.iter().cycle().skip(1));
            hull.len() > 2 && edges.into_iter().all(|(a, b)| (*b - *a).perp_dot(at - *a) >= -1e-2)
        };
        hulls.iter().any(inside)
    }

    /// The part of a body's box in which the hulls say otherwise than its outline.
    fn wrong(body: &SoftBody, up: Vec2) -> f32 {
        let partition = body.partition(up);
        assert!((1..=MOST_PIECES).contains(&partition.pieces.len()), "{} pieces", partition.pieces.len());
        let hulls = hulls(body, &partition);
        let bounds = body.bounds();
        let (mut wrong, mut all) = (0, 0);
        for x in 0..100 {
            for y in 0..100 {
                let part = (Vec2::new(x as f32, y as f32) + 0.503) / 100.0;
                let at = bounds.min + (bounds.max - bounds.min) * part;
                all += 1;
                wrong += usize::from(body.contains(at) != holds(&hulls, at));
            }
        }
        wrong as f32 / all as f32
    }

    fn ring_of(outer: f32, inner: f32, from: f32, to: f32, count: usize) -> Vec<Vec2> {
        let at = |k: usize| from + (to - from) * k as f32 / count as f32;
        let out = (0..=count).map(|k| Vec2::from_angle(at(k)) * outer);
        out.chain((0..=count).rev().map(|k| Vec2::from_angle(at(k)) * inner)).collect()
    }

    #[test]
    fn hulls_cover_what_is_solid_and_leave_hollows_free() {
        let square = Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(10));
        assert!(wrong(&body(square.clone(), Pose::IDENTITY), Vec2::NEG_Y) < 1e-3);
        let ellipse = Mesh::ellipse(Vec2::new(140.0, 80.0), 8.0);
        assert!(wrong(&body(ellipse, Pose::IDENTITY), Vec2::NEG_Y) < 1e-3);
        let letter = [(0, 0), (100, 0), (100, 30), (30, 30), (30, 70), (100, 70), (100, 100), (0, 100)];
        let letter = letter.map(|(x, y)| Vec2::new(x as f32, y as f32));
        let letter = Mesh::polygon(&letter, 10.0).expect("a C");
        let turned = |angle: f32| Pose { x: Vec2::from_angle(angle), y: Vec2::from_angle(angle).perp(), ..Pose::IDENTITY };
        let mirrored = Pose { x: Vec2::NEG_X, ..Pose::IDENTITY };
        for pose in [Pose::IDENTITY, mirrored, turned(0.8), turned(1.5707964), turned(3.1415927), turned(4.0)] {
            let share = wrong(&body(letter.clone(), pose), Vec2::NEG_Y);
            assert!(share < 1e-3, "{share} of the C at {pose:?}");
        }
        let ring = Mesh::polygon(&ring_of(100.0, 60.0, 0.4, 5.9, 40), 10.0).expect("a ring");
        let share = wrong(&body(ring, Pose::IDENTITY), Vec2::NEG_Y);
        assert!(share < 0.04, "{share} of the ring");
        let star: Vec<Vec2> = (0..10)
            .map(|k| Vec2::from_angle(k as f32 * 0.628) * if k % 2 == 0 { 80.0 } else { 35.0 })
            .collect();
        let share = wrong(&body(Mesh::polygon(&star, 12.0).expect("a star"), Pose::IDENTITY), Vec2::NEG_Y);
        assert!(share < 0.01, "{share} of the star");
    }

    #[test]
    fn a_dent_at_the_top_is_seen() {
        for count in [5, 7, 10, 16] {
            let mut body = body(Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(count)), Pose::IDENTITY);
            for i in 0..body.point_count() {
                let at = body.position(i);
                let deep = 20.0 * (1.0 - (at.x / 40.0).powi(2)).max(0.0) * (0.5 - at.y / 100.0);
                body.set_position(i, at + Vec2::new(0.0, deep));
            }
            let hulls = hulls(&body, &body.partition(Vec2::NEG_Y));
            for x in -45..=45 {
                let column = |y: &i32| Vec2::new(x as f32 + 0.1, *y as f32 * 0.25);
                let top = |inside: &dyn Fn(Vec2) -> bool| (-240..0).map(|y| column(&y).y).find(|&y| inside(Vec2::new(column(&0).x, y)));
                let (seen, is) = (top(&|at| holds(&hulls, at)), top(&|at| body.contains(at)));
                let (seen, is) = (seen.expect("it is seen"), is.expect("it is there"));
                assert!((seen - is).abs() < 3.0, "{count} points, at {x}: {seen} instead of {is}");
            }
        }
    }

    #[test]
    fn what_is_too_small_to_be_cut_stays_whole() {
        let body = body(Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(2)), Pose::IDENTITY);
        assert_eq!(body.partition(Vec2::ZERO).pieces.len(), 1);
    }
}
