//! The skin of a mesh: its triangles, with an outline that may be smoother than the mesh is.
//!
//! A smooth outline is a chain of cubic curves through the points (a Catmull-Rom spline whose directions are weighted by the lengths of
//! the edges, as F. Bessel's, so that it does not overshoot where long edges meet short ones). The triangle behind each edge of the outline is cut
//! into a fan that ends on the curve: the filling and the line have the same corners, and there is no gap between them. Corners that are sharp at
//! rest stay corners, or are rounded off by a parabola.
//!
//! What does not change while it moves is laid out once: which pieces there are, the weights of their curves, and the triangles.

use super::strip::{Look, direction, left};
use godot::builtin::{Color, Vector2};
use supple_sim::Vec2;
use supple_sim::mesh::{Locator, Mesh, Seat};

/// What is bent by more than so many degrees at rest is a corner.
const SHARP_DEGREES: f32 = 50.0;
/// The radius of a rounded corner, as a part of the body's smaller side, and how much of the shorter edge at it may go into it.
const ROUND: f32 = 0.14;
const MOST_OF_EDGE: f32 = 0.7;
/// The most pieces of an edge, and those of a rounding on each side of its corner.
const MOST_PIECES: u32 = 8;
const ROUND_PIECES: u32 = 3;
/// The highlight is a bow in the upper left, from one angle to another, as seen from the middle: degrees to the left of up.
const SHINE_DEGREES: [f32; 2] = [12.0, 78.0];
/// So far out is its middle, and so far from that its edges, as parts of the box. It is round, or for rounded corners a rounded box.
const SHINE_OUT: f32 = 0.74;
const SHINE_HALF: f32 = 0.075;
const ROUND_POWER: f32 = 2.0;
const BOX_POWER: f32 = 5.0;
/// Into so many pieces it is cut.
const SHINE_PIECES: u32 = 14;
/// A place of it that is by more than this outside of its triangle is not inside of the body.
const OUTSIDE: f32 = -0.05;
/// The longest miter of the line, in half widths.
const MOST_MITER: f32 = 2.0;

/// How the outline is smoothed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Smoothing {
    /// Straight from point to point.
    Straight,
    /// Without any corner.
    #[default]
    Everywhere,
    /// But for the sharp corners.
    NotAtCorners,
    /// Sharp corners are rounded off.
    Rounded,
}

/// An edge of the outline.
#[derive(Clone, Copy)]
struct Edge {
    /// From this point to that.
    from: u32,
    to: u32,
    /// The point at its beginning is a corner.
    sharp: bool,
    /// So much of it is rounded off at its beginning and at its end.
    round: [f32; 2],
    /// Its pieces begin with this vertex, and there are so many of them.
    first: u32,
    count: u32,
}

/// Where a vertex of the outline between two points is.
#[derive(Clone, Copy)]
enum Stop {
    /// On the curve: the weights of its ends and of its directions there.
    Curve([f32; 4]),
    /// On the parabola of the corner before or after, at a part of that.
    RoundBefore(f32),
    RoundAfter(f32),
}

/// See the [module](self).
#[derive(Default)]
pub struct Skin {
    point_count: usize,
    edges: Vec<Edge>,
    stops: Vec<Stop>,
    /// Three corners of each triangle that has a vertex in its middle.
    middles: Vec<[u32; 3]>,
    /// The vertices around it, in order.
    ring: Vec<u32>,
    /// Three vertices of each triangle of the filling; two triangles of four of each piece of the line.
    fill: Vec<i32>,
    /// Where the vertices are at rest, in the box around the points: 0 to 1.
    uvs: Vec<Vector2>,
    /// The highlight: three vertices across, from outside to inside, each in a triangle of the mesh, and how bright the middle one is.
    shine: Vec<([Seat; 3], f32)>,
    /// Room: the curves' directions at the beginning and at the end of each edge.
    ways: Vec<[Vector2; 2]>,
}

/// The weights of a cubic curve's ends and of the directions there.
fn weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, 3.0 * t2 - 2.0 * t3, t3 - t2]
}

impl Skin {
    /// Lays it out for a mesh. Pieces of a smooth outline are about `piece` px long at rest.
    pub fn lay_out(&mut self, mesh: &Mesh, smoothing: Smoothing, piece: f32) {
        *self = Skin { point_count: mesh.points.len(), ..Skin::default() };
        self.lay_edges(mesh, smoothing, piece);
        self.lay_triangles(mesh, smoothing);
        let bounds = mesh.bounds();
        let (least, size) = (vector(bounds.min), vector((bounds.max - bounds.min).max(Vec2::splat(f32::MIN_POSITIVE))));
        let rest: Vec<Vector2> = mesh.points.iter().map(|&point| vector(point)).collect();
        let mut uvs = Vec::new();
        self.put(&rest, &mut uvs);
        self.lay_shine(mesh, smoothing);
        uvs.iter_mut().for_each(|at| *at = ((*at - least) / size).clamp(Vector2::ZERO, Vector2::ONE));
        self.uvs = uvs;
    }

    /// The triangles of the filling.
    pub fn fill(&self) -> &[i32] {
        &self.fill
    }

    /// The places of the vertices at rest: 0 to 1 over the box around them.
    pub fn uvs(&self) -> &[Vector2] {
        &self.uvs
    }

    /// The vertices around it.
    pub fn ring(&self) -> &[u32] {
        &self.ring
    }

    fn lay_edges(&mut self, mesh: &Mesh, smoothing: Smoothing, piece: f32) {
        let outline = &mesh.outline;
        let count = outline.len();
        let at = |k: usize| mesh.points[outline[k % count] as usize];
        let length = |k: usize| at(k).distance(at(k + 1));
        let size = mesh.bounds().max - mesh.bounds().min;
        let radius = ROUND * size.min_element();
        let is_corner = |k: usize| {
            let before = at(k) - at(k + count - 1);
            let after = at(k + 1) - at(k);
            before.angle_to(after).abs() > SHARP_DEGREES.to_radians()
        };
        let keeps = matches!(smoothing, Smoothing::NotAtCorners | Smoothing::Rounded);
        let sharp: Vec<bool> = (0..count).map(|k| keeps && is_corner(k)).collect();
        // How far from a corner it is rounded off, px.
        let rounded = |k: usize| {
            let is_round = smoothing == Smoothing::Rounded && sharp[k % count];
            let shorter = length((k + count - 1) % count).min(length(k % count));
            if is_round { radius.min(MOST_OF_EDGE * shorter) } else { 0.0 }
        };
        let mut next = self.point_count as u32;
        for k in 0..count {
            let length = length(k).max(f32::MIN_POSITIVE);
            let round = [rounded(k) / length, rounded(k + 1) / length];
            // Two corners share the edge between them.
            let round = if round[0] + round[1] > 1.0 { [0.5, 0.5] } else { round };
            let first = self.stops.len();
            if smoothing != Smoothing::Straight {
                let inner = 1.0 - round[0] - round[1];
                let pieces = ((length * inner / piece).ceil().max(1.0) as u32).min(MOST_PIECES);
                if round[0] > 0.0 {
                    self.stops.extend(
                        (1..ROUND_PIECES).map(|i| Stop::RoundBefore(0.5 + 0.5 * i as f32 / ROUND_PIECES as f32)),
                    );
                }
                let begins = u32::from(round[0] <= 0.0);
                let ends = if round[1] > 0.0 { pieces } else { pieces - 1 };
                self.stops
                    .extend((begins..=ends).map(|i| Stop::Curve(weights(round[0] + inner * i as f32 / pieces as f32))));
                if round[1] > 0.0 {
                    self.stops
                        .extend((1..ROUND_PIECES).map(|i| Stop::RoundAfter(0.5 * i as f32 / ROUND_PIECES as f32)));
                }
            }
            let added = (self.stops.len() - first) as u32;
            self.edges.push(Edge {
                from: outline[k],
                to: outline[(k + 1) % count],
                sharp: sharp[k],
                round,
                first: next,
                count: added,
            });
            self.ring.push(outline[k]);
            self.ring.extend(next..next + added);
            next += added;
        }
    }

    fn lay_triangles(&mut self, mesh: &Mesh, smoothing: Smoothing) {
        let mut edge_at = vec![usize::MAX; self.point_count];
        if smoothing != Smoothing::Straight {
            self.edges.iter().enumerate().for_each(|(k, edge)| edge_at[edge.from as usize] = k);
        }
        let mut next = (self.point_count + self.stops.len()) as u32;
        for &corners in &mesh.triangles {
            let side = |i: usize| {
                let edge = self.edges.get(edge_at[corners[i] as usize])?;
                (edge.to == corners[(i + 1) % 3] && edge.count > 0).then_some(edge)
            };
            let outer: Vec<usize> = (0..3).filter(|&i| side(i).is_some()).collect();
            let mut around = Vec::new();
            let hub = match outer[..] {
                [] => {
                    self.fill.extend(corners.map(|i| i as i32));
                    continue;
                }
                // A fan from the opposite corner.
                [i] => {
                    around.push(corners[i]);
                    around.extend(side(i).map(|edge| edge.first..edge.first + edge.count).into_iter().flatten());
                    around.push(corners[(i + 1) % 3]);
                    corners[(i + 2) % 3]
                }
                // An ear: a fan from its middle.
                _ => {
                    for (i, &corner) in corners.iter().enumerate() {
                        around.push(corner);
                        around.extend(side(i).map(|edge| edge.first..edge.first + edge.count).into_iter().flatten());
                    }
                    around.push(corners[0]);
                    self.middles.push(corners);
                    next += 1;
                    next - 1
                }
            };
            self.fill.extend(around.windows(2).flat_map(|pair| [hub, pair[0], pair[1]]).map(|i| i as i32));
        }
    }

    /// Fills `vertices` for the mesh's points.
    pub fn put(&mut self, points: &[Vector2], vertices: &mut Vec<Vector2>) {
        vertices.clear();
        vertices.extend_from_slice(points);
        if self.stops.is_empty() {
            return;
        }
        self.aim(points);
        let count = self.edges.len();
        let curve = |k: usize, [a, m, b, n]: [f32; 4]| {
            let edge = &self.edges[k];
            let [from, to] = self.ways[k];
            points[edge.from as usize] * a + from * m + points[edge.to as usize] * b + to * n
        };
        // A parabola around the corner at the beginning of an edge.
        let rounding = |k: usize| {
            let before = (k + count - 1) % count;
            let begins = curve(before, weights(1.0 - self.edges[before].round[1]));
            let ends = curve(k, weights(self.edges[k].round[0]));
            (begins, points[self.edges[k].from as usize], ends)
        };
        let bend = |(a, corner, b): (Vector2, Vector2, Vector2), t: f32| {
            a * ((1.0 - t) * (1.0 - t)) + corner * (2.0 * t * (1.0 - t)) + b * (t * t)
        };
        let mut stops = self.stops.iter();
        for (k, edge) in self.edges.iter().enumerate() {
            let begins = (edge.round[0] > 0.0).then(|| rounding(k));
            let ends = (edge.round[1] > 0.0).then(|| rounding((k + 1) % count));
            for stop in stops.by_ref().take(edge.count as usize) {
                vertices.push(match (*stop, begins, ends) {
                    (Stop::Curve(weights), ..) => curve(k, weights),
                    (Stop::RoundBefore(t), Some(corner), _) | (Stop::RoundAfter(t), _, Some(corner)) => bend(corner, t),
                    _ => points[edge.from as usize],
                });
            }
            if let Some(corner) = begins {
                vertices[edge.from as usize] = bend(corner, 0.5);
            }
        }
        for corners in &self.middles {
            let sum = corners.iter().fold(Vector2::ZERO, |sum, &i| sum + vertices[i as usize]);
            vertices.push(sum / 3.0);
        }
    }

    /// Finds the curves' directions, as long as the edges.
    fn aim(&mut self, points: &[Vector2]) {
        let count = self.edges.len();
        let at = |k: usize| points[self.edges[k % count].from as usize];
        let chord = |k: usize| {
            let way = at(k + 1) - at(k);
            let length = way.length();
            (direction(way, Vector2::ZERO), length)
        };
        self.ways.clear();
        let mut before = chord(count - 1);
        // The direction at each point that is no corner, in the beginning of its edge.
        for k in 0..count {
            let after = chord(k);
            let total = before.1 + after.1;
            let way = if self.edges[k].sharp || total <= f32::MIN_POSITIVE {
                Vector2::ZERO
            } else {
                (before.0 * after.1 + after.0 * before.1) / total
            };
            self.ways.push([way, Vector2::ZERO]);
            before = after;
        }
        let first = self.ways[0][0];
        for k in 0..count {
            let (way, length) = chord(k);
            let end = if k + 1 < count { self.ways[k + 1][0] } else { first };
            let (from_sharp, to_sharp) = (self.edges[k].sharp, self.edges[(k + 1) % count].sharp);
            let begin = self.ways[k][0];
            // At a corner it ends as it likes: without any bend there.
            let [from, to] = match (from_sharp, to_sharp) {
                (false, false) => [begin, end],
                (true, false) => [way * 1.5 - end * 0.5, end],
                (false, true) => [begin, way * 1.5 - begin * 0.5],
                (true, true) => [way, way],
            };
            self.ways[k] = [from * length, to * length];
        }
    }

    /// Fills `line` for a line of this width around the skin, `outside` px of it outside. With `feather` px its edges fade: four vertices for each of the ring
    /// instead of two.
    pub fn put_line(&self, vertices: &[Vector2], width: f32, outside: f32, feather: f32, line: &mut Vec<Vector2>) {
        line.clear();
        let reach = (0.5 * feather).min(0.5 * width);
        let (out, inside) = (outside, outside - width);
        self.for_each_side(vertices, |at, side| {
            if feather > 0.0 {
                line.extend(
                    [out + 0.5 * feather, out - reach, inside + reach, inside - 0.5 * feather]
                        .map(|far| at + side * far),
                );
            } else {
                line.extend([out, inside].map(|far| at + side * far));
            }
        });
    }

    /// Adds a rim of `feather` px in which the filling fades.
    pub fn put_rim(&self, feather: f32, vertices: &mut Vec<Vector2>) {
        let first = vertices.len();
        vertices.resize(first + self.ring.len(), Vector2::ZERO);
        let (inside, rim) = vertices.split_at_mut(first);
        let mut places = rim.iter_mut();
        self.for_each_side(inside, |at, side| {
            if let Some(place) = places.next() {
                *place = at + side * feather;
            }
        });
    }

    /// The triangles of such a rim, whose vertices begin with `first`.
    pub fn rim(&self, first: usize) -> impl Iterator<Item = i32> + '_ {
        let count = self.ring.len();
        (0..count).flat_map(move |i| {
            let next = (i + 1) % count;
            let [a, b] = [self.ring[i], self.ring[next]].map(|i| i as i32);
            let [c, d] = [first + i, first + next].map(|i| i as i32);
            [a, b, c, b, d, c]
        })
    }

    /// Lays out the highlight; there is none where it does not fit into the body.
    fn lay_shine(&mut self, mesh: &Mesh, smoothing: Smoothing) {
        let bounds = mesh.bounds();
        let (middle, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
        let power = if smoothing == Smoothing::Rounded { BOX_POWER } else { ROUND_POWER };
        let locator = Locator::of(mesh);
        let piece = |i: u32| {
            let part = i as f32 / SHINE_PIECES as f32;
            let [from, to] = SHINE_DEGREES;
            let (sin, cos) = (from + (to - from) * part).to_radians().sin_cos();
            let out = (sin.powf(power) + cos.powf(power)).powf(-1.0 / power);
            // Brightest and broadest in its middle.
            let bright = (std::f32::consts::PI * part).sin().max(0.0);
            let broad = SHINE_HALF * bright.sqrt();
            let seats = [SHINE_OUT + broad, SHINE_OUT, SHINE_OUT - broad].map(|far| {
                let way = Vec2::new(-sin, -cos) * (out * far);
                locator.find(middle + half * way).filter(|(_, weights)| weights.iter().all(|&weight| weight > OUTSIDE))
            });
            let [Some(outer), Some(inner), Some(innermost)] = seats else { return None };
            Some(([outer, inner, innermost], bright))
        };
        self.shine = (0..=SHINE_PIECES).map(piece).collect::<Option<Vec<_>>>().unwrap_or_default();
    }

    /// Fills `vertices` for the highlight.
    pub fn put_shine(&self, points: &[Vector2], vertices: &mut Vec<Vector2>) {
        let place = |(corners, weights): &Seat| {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            a * weights[0] + b * weights[1] + c * weights[2]
        };
        vertices.clear();
        vertices.extend(self.shine.iter().flat_map(|(seats, _)| seats.iter().map(place)));
    }

    /// How its vertices look: white, faded at the edges and ends.
    pub fn shine_looks(&self, looks: &mut Vec<Look>) {
        let look = |alpha: f32| Look { color: Color { a: alpha, ..Color::WHITE }, uv: Vector2::ZERO };
        looks.clear();
        looks.extend(self.shine.iter().flat_map(|&(_, alpha)| [look(0.0), look(alpha), look(0.0)]));
    }

    /// Its triangles.
    pub fn shine_triangles(&self) -> Vec<i32> {
        let pieces = self.shine.len().saturating_sub(1) as i32;
        (0..pieces)
            .flat_map(|i| [0, 1].map(|lane| 3 * i + lane))
            .flat_map(|a| [a, a + 3, a + 1, a + 1, a + 3, a + 4])
            .collect()
    }

    /// Calls `visit` with each vertex of the ring, and the way out there: as long as the miter.
    fn for_each_side(&self, vertices: &[Vector2], mut visit: impl FnMut(Vector2, Vector2)) {
        let count = self.ring.len();
        let at = |i: usize| vertices[self.ring[i % count] as usize];
        let mut before =
            (0..count).rev().map(|i| at(i + 1) - at(i)).find(|way| *way != Vector2::ZERO).unwrap_or_default();
        before = direction(before, Vector2::ZERO);
        for i in 0..count {
            let after = direction(at(i + 1) - at(i), before);
            let sum = left(before + after);
            let length = sum.length();
            let side = if length > 1e-3 { sum * ((2.0 / length).min(MOST_MITER) / length) } else { left(after) };
            visit(at(i), side);
            before = after;
        }
    }
}

/// The triangles of a closed line of `count` pieces, with two vertices for each cross-section or, if its edges fade, four.
pub fn line_triangles(count: usize, fades: bool) -> Vec<i32> {
    let lanes = if fades { 4 } else { 2 };
    let mut triangles = Vec::with_capacity(count * (lanes - 1) * 6);
    for i in 0..count {
        let (here, next) = (i * lanes, (i + 1) % count * lanes);
        for lane in 0..lanes - 1 {
            let [a, b, c, d] = [here + lane, here + lane + 1, next + lane, next + lane + 1].map(|i| i as i32);
            triangles.extend([a, c, b, b, c, d]);
        }
    }
    triangles
}

/// How the vertices of such a line look: white.
pub fn line_looks(count: usize, fades: bool, looks: &mut Vec<Look>) {
    let alphas: &[f32] = if fades { &[0.0, 1.0, 1.0, 0.0] } else { &[1.0, 1.0] };
    let look = |&alpha: &f32| Look { color: Color { a: alpha, ..Color::WHITE }, uv: Vector2::ZERO };
    looks.clear();
    (0..count).for_each(|_| looks.extend(alphas.iter().map(look)));
}

fn vector(vec: Vec2) -> Vector2 {
    Vector2::new(vec.x, vec.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Smoothing; 4] =
        [Smoothing::Straight, Smoothing::Everywhere, Smoothing::NotAtCorners, Smoothing::Rounded];

    fn meshes() -> Vec<Mesh> {
        let star: Vec<Vec2> =
            (0..10).map(|i| Vec2::from_angle(i as f32 * 0.628) * if i % 2 == 0 { 80.0 } else { 40.0 }).collect();
        vec![
            Mesh::rectangle(Vec2::splat(100.0), (5, 5).into()),
            Mesh::rectangle(Vec2::new(100.0, 20.0), (2, 2).into()),
            Mesh::ellipse(Vec2::new(120.0, 80.0), 20.0),
            Mesh::polygon(&star, 15.0).unwrap(),
            Mesh::polygon(&[Vec2::ZERO, Vec2::X * 30.0, Vec2::Y * 30.0], 30.0).unwrap(),
        ]
    }

    fn area(corners: impl IntoIterator<Item = Vector2>) -> f32 {
        let corners: Vec<Vector2> = corners.into_iter().collect();
        (0..corners.len()).map(|i| 0.5 * corners[i].cross(corners[(i + 1) % corners.len()])).sum()
    }

    #[test]
    fn triangles_fill_exactly_what_the_outline_encloses_at_rest_and_deformed() {
        for mesh in meshes() {
            for smoothing in ALL {
                let mut skin = Skin::default();
                skin.lay_out(&mesh, smoothing, 4.0);
                for bend in [0.0, 0.15, 0.3] {
                    let wave =
                        |at: &Vec2| Vector2::new(at.x + bend * 20.0 * (at.y * 0.05).sin(), at.y * (1.0 - bend) + 9.0);
                    let points: Vec<Vector2> = mesh.points.iter().map(wave).collect();
                    let mut vertices = Vec::new();
                    skin.put(&points, &mut vertices);
                    let (triangles, rest) = skin.fill().as_chunks::<3>();
                    assert!(rest.is_empty());
                    let pieces = triangles.iter().map(|corners| area(corners.map(|i| vertices[i as usize])));
                    assert!(pieces.clone().all(|piece| piece > -0.01), "{smoothing:?}: a triangle is turned over");
                    let (filled, enclosed) =
                        (pieces.sum::<f32>(), area(skin.ring().iter().map(|&i| vertices[i as usize])));
                    assert!((filled - enclosed).abs() < 1e-3 * enclosed, "{smoothing:?}: {filled} of {enclosed}");
                    assert_eq!(skin.uvs().len(), vertices.len());
                }
            }
        }
    }

    #[test]
    fn a_straight_skin_goes_through_the_points_and_a_sharp_corner_stays() {
        for mesh in meshes() {
            let points: Vec<Vector2> = mesh.points.iter().map(|&point| vector(point)).collect();
            let mut vertices = Vec::new();
            let mut skin = Skin::default();
            skin.lay_out(&mesh, Smoothing::Straight, 4.0);
            skin.put(&points, &mut vertices);
            assert_eq!(vertices, points);
            skin.lay_out(&mesh, Smoothing::NotAtCorners, 4.0);
            skin.put(&points, &mut vertices);
            assert_eq!(vertices[..points.len()], points);
        }
    }

    #[test]
    fn points_that_all_lie_in_one_place_give_finite_vertices() {
        for mesh in meshes() {
            for smoothing in ALL {
                let mut skin = Skin::default();
                skin.lay_out(&mesh, smoothing, 4.0);
                let points = vec![Vector2::new(3.0, 4.0); mesh.points.len()];
                let (mut vertices, mut line, mut shine) = (Vec::new(), Vec::new(), Vec::new());
                skin.put(&points, &mut vertices);
                skin.put_line(&vertices, 3.0, 1.0, 1.0, &mut line);
                skin.put_shine(&points, &mut shine);
                skin.put_rim(1.0, &mut vertices);
                assert!(vertices.iter().chain(&line).chain(&shine).all(|at| at.is_finite()));
            }
        }
    }
}
