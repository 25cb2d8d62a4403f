//! A strip of triangles along a line: its cross-sections put in place, every frame.
//!
//! A cross-section stands on the bisector of the two directions that meet at a point (a miter). At a sharp fold the bisector
//! would run far out; it is cut off at twice the half width. Broad lines have two cross-sections at a point, which stand apart there.
//!
//! A strip with fading edges is three lanes in one: left edge, middle and right edge. They are joined where one lane turns
//! back into the next, by triangles without an area.

use super::ribs::{Rib, Ribs, Shade, Stand};
use godot::builtin::{Color, Vector2};

/// The longest miter in half widths.
const MOST_MITER: f32 = 2.0;

/// The cosine of the bend above which the two cross-sections of a broad line stand apart.
const SHARP: f32 = 0.3;

/// How a vertex looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    pub color: Color,
    pub uv: Vector2,
}

/// Room that is used again.
#[derive(Default)]
pub struct Strip {
    /// Unit directions of the links.
    ways: Vec<Vector2>,
    /// To the left of each point, as long as the miter.
    sides: Vec<Vector2>,
    /// Outer left, inner left, inner right and outer right of each cross-section.
    quads: Vec<[Vector2; 4]>,
}

impl Strip {
    /// Fills `vertices` for `ribs` on `line`; with `feather` px the edges fade.
    pub fn put(&mut self, laid: &Ribs, line: &[Vector2], feather: f32, vertices: &mut Vec<Vector2>) {
        let ribs = &laid.ribs;
        if line.len() < 2 {
            return vertices.clear();
        }
        self.aim(line);
        if feather <= 0.0 {
            vertices.resize(2 * ribs.len(), Vector2::ZERO);
            let (pairs, _) = vertices.as_chunks_mut::<2>();
            for (pair, rib) in pairs.iter_mut().zip(ribs) {
                let (center, side) = self.place(rib, line);
                let side = side * rib.half;
                *pair = [center + side, center - side];
            }
            return;
        }
        let reach = 0.5 * feather;
        self.quads.clear();
        vertices.clear();
        for (rib, out) in ribs.iter().zip(&laid.outs) {
            let (center, side) = self.place(rib, line);
            let along = Vector2::new(-side.y, side.x) * (out.x * reach);
            let inner = side * (rib.half - out.y * reach).max(0.0);
            let outer = side * (rib.half + out.y * reach);
            let (inside, outside) = (center - along, center + along);
            self.quads.push([outside + outer, inside + inner, inside - inner, outside - outer]);
        }
        lanes(&self.quads, vertices, |quad, lane| quad[lane]);
    }

    /// Finds the directions of the links and of the cross-sections at the points.
    fn aim(&mut self, line: &[Vector2]) {
        self.ways.resize(line.len(), Vector2::ZERO);
        self.sides.resize(line.len(), Vector2::ZERO);
        let mut before = direction(line[1] - line[0], Vector2::ZERO);
        for ((pair, way), side) in line.windows(2).zip(&mut self.ways).zip(&mut self.sides) {
            // Coincident points go on in the last direction.
            *way = direction(pair[1] - pair[0], before);
            *side = miter(before, *way);
            before = *way;
        }
        if let (Some(way), Some(side)) = (self.ways.last_mut(), self.sides.last_mut()) {
            (*way, *side) = (before, left(before));
        }
    }

    /// Middle and unit side of a cross-section; the side is longer on a miter.
    fn place(&self, rib: &Rib, line: &[Vector2]) -> (Vector2, Vector2) {
        let i = rib.point as usize;
        match rib.stand {
            Stand::Point => (line[i], self.sides[i]),
            Stand::Between(part) => (line[i].lerp(line[i + 1], part), self.sides[i].lerp(self.sides[i + 1], part)),
            Stand::Beyond(way) => (line[i] + self.ways[i] * way, left(self.ways[i])),
            Stand::Before | Stand::After => {
                let (before, after) = (self.ways[i - 1], self.ways[i]);
                let side = if before.dot(after) > SHARP {
                    self.sides[i]
                } else {
                    left(if rib.stand == Stand::Before { before } else { after })
                };
                (line[i], side)
            }
        }
    }
}

/// Fills `looks` for the same vertices.
pub fn looks(shades: &[Shade], feather: f32, looks: &mut Vec<Look>) {
    looks.clear();
    let look = |shade: &Shade, v: f32, alpha: f32| Look {
        color: Color { a: shade.color.a * alpha, ..shade.color },
        uv: Vector2::new(shade.u, v),
    };
    if feather <= 0.0 {
        looks.extend(shades.iter().flat_map(|shade| [look(shade, shade.v.x, 1.0), look(shade, shade.v.y, 1.0)]));
        return;
    }
    lanes(shades, looks, |shade, lane| match lane {
        0 => look(shade, shade.v.x, 0.0),
        1 => look(shade, shade.v.x + shade.v_edge, 1.0),
        2 => look(shade, shade.v.y - shade.v_edge, 1.0),
        _ => look(shade, shade.v.y, 0.0),
    });
}

/// The three lanes of cross-sections with four vertices: there, back and there again. Where a lane begins it repeats a
/// vertex of the one before.
fn lanes<S, T>(sections: &[S], filled: &mut Vec<T>, vertex: impl Fn(&S, usize) -> T) {
    filled.extend(sections.iter().flat_map(|section| [vertex(section, 0), vertex(section, 1)]));
    filled.extend(sections.iter().rev().flat_map(|section| [vertex(section, 1), vertex(section, 2)]));
    filled.extend(sections.iter().flat_map(|section| [vertex(section, 2), vertex(section, 3)]));
}

/// The side of a cross-section between two directions, as long as the miter.
fn miter(before: Vector2, after: Vector2) -> Vector2 {
    let sum = before + after;
    let length = sum.length();
    if length > 1e-3 {
        // Half the sum is as long as the cosine of half the bend.
        left(sum) * ((2.0 / length).min(MOST_MITER) / length)
    } else {
        // An exact fold has no bisector but the line itself.
        left(left(before))
    }
}

/// The direction to the left of one, as y points down.
pub fn left(way: Vector2) -> Vector2 {
    Vector2::new(way.y, -way.x)
}

/// The direction of a way; of one that is too short the other.
pub fn direction(way: Vector2, fallback: Vector2) -> Vector2 {
    let length = way.length();
    if length > 1e-6 { way / length } else { fallback }
}
