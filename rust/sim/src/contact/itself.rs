//! A chain that collides with itself.
//!
//! Pieces that may meet within a tick are found by a grid. In each substep two of them are kept apart along the line between their nearest points
//! at the start of the substep: they cannot get past each other, however fast. Pieces that cross already are let go through each other,
//! or a knot would hold for ever.

use crate::points::Points;
use glam::{IVec2, Vec2};

/// Nearer than this part of their thickness pieces count as crossing.
const CROSSING: f32 = 0.05;
/// How far too near pieces are pushed apart in a substep, in px, beyond what they approach.
const PUSHED_APART: f32 = 0.5;
/// Pieces that are so much farther apart than they touch, in px, have left each other.
const LEFT: f32 = 0.05;
/// Pieces count as parallel below this sine of the angle between them.
const PARALLEL: f32 = 1e-5;
/// The most cells for each piece.
const MOST_CELLS: usize = 4;

/// Two pieces that may meet, by their first points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The one nearer to the start.
    pub first: u32,
    /// The other.
    pub second: u32,
}

/// Where two pieces touch in a substep.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    pair: Pair,
    /// The places on the pieces, 0 to 1.
    parts: [f32; 2],
    /// Unit vector from the second to the first.
    normal: Vec2,
    /// How far apart they are to be at least, along the normal.
    apart: f32,
    /// They touched at the start of the substep.
    lasts: bool,
    /// How hard they are pushed apart, and dragged along each other, in kg px.
    push: f32,
    drag: f32,
}

/// The pieces of a chain that may meet. The rooms are kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Itself {
    pairs: Vec<Pair>,
    meetings: Vec<Meeting>,
    /// The pieces in each cell: the first of each in `sorted`.
    cells: Vec<u32>,
    sorted: Vec<u32>,
    places: Vec<IVec2>,
}

impl Itself {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.meetings.clear();
    }

    /// Finds the pairs of pieces of up to `length` px that are within `thickness` of each other or may get there, each point going up to
    /// `way` px. Pieces with fewer than `apart` pieces between them along the chain do not meet.
    pub fn find(&mut self, points: &Points, length: f32, thickness: f32, way: f32, apart: usize) {
        self.pairs.clear();
        let pieces = points.len() - 1;
        let middle = |k: usize| 0.5 * (points.position(k) + points.position(k + 1));
        let reach = thickness + 2.0 * way;
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for k in 0..pieces {
            (least, most) = (least.min(middle(k)), most.max(middle(k)));
        }
        if !(least.is_finite() && most.is_finite()) {
            return;
        }
        // Middles nearer than this may belong to pieces that meet; cells are as large.
        let size = most - least;
        let mut cell = (length + reach).max(1e-3);
        while (size / cell + 1.0).element_product() > (MOST_CELLS * pieces) as f32 {
            cell *= 1.5;
        }
        let columns = (size.x / cell) as i32 + 1;
        let rows = (size.y / cell) as i32 + 1;
        self.places.clear();
        self.places.extend((0..pieces).map(|k| ((middle(k) - least) / cell).as_ivec2()));
        let index = |place: IVec2| (place.y * columns + place.x) as usize;
        self.cells.clear();
        self.cells.resize((columns * rows) as usize + 1, 0);
        for &place in &self.places {
            self.cells[index(place) + 1] += 1;
        }
        for i in 1..self.cells.len() {
            self.cells[i] += self.cells[i - 1];
        }
        self.sorted.clear();
        self.sorted.resize(pieces, 0);
        for k in (0..pieces).rev() {
            // From behind, so that a cell ends up with its pieces in order, and its number as its first.
            let end = &mut self.cells[index(self.places[k]) + 1];
            *end -= 1;
            self.sorted[*end as usize] = k as u32;
        }
        let begin = |cell: usize| self.cells[cell + 1] as usize;
        let count = (columns * rows) as usize;
        for k in 0..pieces {
            for y in -1..=1 {
                for x in -1..=1 {
                    let place = self.places[k] + IVec2::new(x, y);
                    if place.x < 0 || place.y < 0 || place.x >= columns || place.y >= rows {
                        continue;
                    }
                    let cell = index(place);
                    let end = if cell + 1 < count { begin(cell + 1) } else { pieces };
                    for &other in &self.sorted[begin(cell)..end] {
                        let far = other as usize > k + apart;
                        if far && middle(other as usize).distance_squared(middle(k)) < (length + reach).powi(2) {
                            self.pairs.push(Pair { first: k as u32, second: other });
                        }
                    }
                }
            }
        }
        // The order decides the result.
        self.pairs.sort_unstable();
    }

    /// Leaves out pairs of pieces that are within `thickness` of each other where their points are as `at` says.
    pub fn leave_out(&mut self, thickness: f32, at: impl Fn(u32) -> Vec2) {
        self.pairs.retain(|&Pair { first: i, second: j }| {
            let (one, other) = ([at(i), at(i + 1)], [at(j), at(j + 1)]);
            let parts = nearest(one, other);
            one[0].lerp(one[1], parts[0]).distance(other[0].lerp(other[1], parts[1])) > thickness
        });
    }

    /// Takes down which pairs meet in this substep. Points are where they are going; they were at their start.
    pub fn meet(&mut self, points: &Points, thickness: f32) {
        self.meetings.clear();
        let start = |i: u32| Vec2::new(points.start_x[i as usize], points.start_y[i as usize]);
        for &pair in &self.pairs {
            let (i, j) = (pair.first, pair.second);
            let parts = nearest([start(i), start(i + 1)], [start(j), start(j + 1)]);
            let at = |i: u32, part: f32| start(i).lerp(start(i + 1), part);
            let between = at(i, parts[0]) - at(j, parts[1]);
            let distance = between.length();
            if distance < CROSSING * thickness {
                continue;
            }
            let normal = between / distance;
            let apart = thickness.min(distance + PUSHED_APART);
            let lasts = distance < thickness + LEFT;
            let meeting = Meeting { pair, parts, normal, apart, lasts, push: 0.0, drag: 0.0 };
            if meeting.gap(points) < 0.25 * thickness {
                self.meetings.push(meeting);
            }
        }
    }

    /// Pushes pieces apart once, with friction.
    pub fn push_apart(&mut self, points: &mut Points, friction: f32) {
        for meeting in &mut self.meetings {
            let mass = meeting.inv_mass(points);
            if mass <= 0.0 {
                continue;
            }
            let push = (meeting.push - meeting.gap(points) / mass).max(0.0);
            meeting.shove(points, meeting.normal, push - meeting.push);
            meeting.push = push;
            let slip = meeting.slip(points).dot(meeting.normal.perp());
            let drag = (meeting.drag - slip / mass).clamp(-friction * push, friction * push);
            meeting.shove(points, meeting.normal.perp(), drag - meeting.drag);
            meeting.drag = drag;
        }
    }

    /// Takes the speed at which pieces that touched before leave each other: they were pushed apart, and do not bounce.
    pub fn calm(&self, points: &mut Points) {
        for meeting in self.meetings.iter().filter(|meeting| meeting.lasts) {
            let way = |i: usize| points.way(i);
            let leaves: Vec2 = meeting.shares().iter().map(|&(i, share)| way(i) * share).sum();
            let (leaves, mass) = (leaves.dot(meeting.normal), meeting.inv_mass(points));
            if leaves > 0.0 && mass > 0.0 && meeting.gap(points) < LEFT {
                for (i, share) in meeting.shares() {
                    let way = points.way(i) - meeting.normal * (leaves / mass * share * points.inv_mass[i]);
                    points.set_way(i, way);
                }
            }
        }
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.meetings.is_empty()
    }
}

impl Meeting {
    /// The points that it concerns, and how each moves their distance.
    fn shares(&self) -> [(usize, f32); 4] {
        let [s, t] = self.parts;
        let (i, j) = (self.pair.first as usize, self.pair.second as usize);
        [(i, 1.0 - s), (i + 1, s), (j, t - 1.0), (j + 1, -t)]
    }

    fn gap(&self, points: &Points) -> f32 {
        let between: Vec2 = self.shares().iter().map(|&(i, share)| points.position(i) * share).sum();
        between.dot(self.normal) - self.apart
    }

    /// By how much the first has moved along the second in this substep.
    fn slip(&self, points: &Points) -> Vec2 {
        let way = |i: usize| points.position(i) - Vec2::new(points.start_x[i], points.start_y[i]);
        self.shares().iter().map(|&(i, share)| way(i) * share).sum()
    }

    fn inv_mass(&self, points: &Points) -> f32 {
        self.shares().iter().map(|&(i, share)| points.inv_mass[i] * share * share).sum()
    }

    fn shove(&self, points: &mut Points, direction: Vec2, strength: f32) {
        for (i, share) in self.shares() {
            points.move_to(i, points.position(i) + direction * (strength * share * points.inv_mass[i]));
        }
    }
}

/// The places on two pieces at which they are nearest, 0 to 1.
fn nearest(one: [Vec2; 2], other: [Vec2; 2]) -> [f32; 2] {
    let (u, v, off) = (one[1] - one[0], other[1] - other[0], one[0] - other[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (u_off, v_off) = (u.dot(off), v.dot(off));
    // The cross product says more of nearly parallel pieces than the determinant `uu * vv - uv * uv`, which is its square, but for rounding.
    let cross = u.perp_dot(v);
    let is_parallel = cross * cross <= PARALLEL * PARALLEL * uu * vv;
    // C. Ericson, "Real-Time Collision Detection", 5.1.9: the nearest points of two lines, clamped in turns.
    let mut s = if is_parallel { 0.5 } else { (v.perp_dot(off) / cross).clamp(0.0, 1.0) };
    let t = (uv * s + v_off) / vv.max(f32::MIN_POSITIVE);
    let clamped = t.clamp(0.0, 1.0);
    if t != clamped || is_parallel {
        s = ((uv * clamped - u_off) / uu.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    }
    [s, clamped]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pieces_that_are_nearly_parallel_are_nearest_at_an_end() {
        // 4e-4 rad apart: taken for parallel, they seemed 0.002 px farther apart than they are.
        let one = [Vec2::new(1.464125, -9.326573), Vec2::new(-7.638088, 2.418237)];
        let other = [Vec2::new(9.145369, -8.090091), Vec2::new(-0.26515895, 4.0397544)];
        let [s, t] = nearest(one, other);
        let least = (0..=1000).map(|i| i as f32 / 1000.0).map(|s| {
            let point = one[0].lerp(one[1], s);
            let [_, t] = nearest([point, point + Vec2::splat(1e-6)], other);
            point.distance(other[0].lerp(other[1], t))
        });
        let apart = one[0].lerp(one[1], s).distance(other[0].lerp(other[1], t));
        assert!(apart <= least.fold(f32::INFINITY, f32::min) + 1e-4, "{apart}");
    }

    proptest! {
        #[test]
        fn the_nearest_points_of_two_pieces(x in proptest::collection::vec(-10.0f32..10.0, 8)) {
            let point = |i: usize| Vec2::new(x[2 * i], x[2 * i + 1]);
            let (one, other) = ([point(0), point(1)], [point(2), point(3)]);
            let apart = |s: f32, t: f32| one[0].lerp(one[1], s).distance(other[0].lerp(other[1], t));
            let [s, t] = nearest(one, other);
            for i in 0..=50 {
                for j in 0..=50 {
                    prop_assert!(apart(s, t) <= apart(i as f32 / 50.0, j as f32 / 50.0) + 1e-3);
                }
            }
        }

        #[test]
        fn the_grid_finds_what_looking_at_all_pairs_finds(x in proptest::collection::vec(-60.0f32..60.0, 80)) {
            let mut points = Points::default();
            points.resize(40);
            for i in 0..40 {
                points.place(i, Vec2::new(x[2 * i], x[2 * i + 1]));
            }
            let longest = (0..39).map(|k| points.position(k).distance(points.position(k + 1))).fold(0.0, f32::max);
            let mut itself = Itself::default();
            itself.find(&points, longest, 4.0, 1.0, 2);
            for i in 0..39u32 {
                for j in i + 3..39 {
                    let at = |k: u32| points.position(k as usize);
                    let [s, t] = nearest([at(i), at(i + 1)], [at(j), at(j + 1)]);
                    let apart = at(i).lerp(at(i + 1), s).distance(at(j).lerp(at(j + 1), t));
                    let found = itself.pairs.binary_search(&Pair { first: i, second: j }).is_ok();
                    prop_assert!(found || apart >= 6.0, "{} and {} are {} apart", i, j, apart);
                }
            }
        }
    }
}
