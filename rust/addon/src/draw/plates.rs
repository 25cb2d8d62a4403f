//! A line shown link by link: a picture on each, or a plain plate with blunt corners. All are in one strip, joined by triangles
//! without an area.

use super::brush::{Paint, Picture, Profile};
use super::strip::{Look, direction, left};
use godot::builtin::{Color, Rect2, Vector2};

/// The gap between plain plates as a part of a link, and at most in px.
const GAP: f32 = 0.15;
const MOST_GAP: f32 = 2.0;

/// How much of the height of a plain plate its corners cut off.
const BLUNT: f32 = 0.3;

/// Which links are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    All,
    /// The first and every second after it, counted from where the line is anchored.
    First,
    /// The others.
    Second,
}

/// What decides how the links look.
pub struct Plates<'a> {
    /// Rest distance of each point from the start, in px.
    pub places: &'a [f32],
    pub width: f32,
    pub profile: &'a Profile,
    pub paint: &'a Paint,
    pub picture: Option<Picture>,
    pub which: Which,
    pub anchored_at_end: bool,
    /// So many links were cut off where the line is anchored.
    pub missing: usize,
}

/// One link.
struct Plate {
    link: usize,
    half_length: f32,
    half_height: f32,
    color: Color,
}

impl Plates<'_> {
    fn each(&self) -> impl Iterator<Item = Plate> + '_ {
        let links = self.places.len().saturating_sub(1);
        let total = self.places.last().copied().unwrap_or(1.0);
        (0..links).filter_map(move |link| {
            let number = self.missing + if self.anchored_at_end { links - 1 - link } else { link };
            let shown = match self.which {
                Which::All => true,
                Which::First => number.is_multiple_of(2),
                Which::Second => !number.is_multiple_of(2),
            };
            if !shown {
                return None;
            }
            let (from, to) = (self.places[link], self.places[link + 1]);
            let part = 0.5 * (from + to) / total;
            let height = self.width * self.profile.at(part);
            let own = to - from;
            let length = self.picture.map_or(own - (GAP * own).min(MOST_GAP), |picture| picture.length(height));
            let color = self.paint.at(part, true);
            Some(Plate { link, half_length: 0.5 * length, half_height: 0.5 * height, color })
        })
    }

    /// Fills `vertices` on `line`.
    pub fn put(&self, line: &[Vector2], vertices: &mut Vec<Vector2>) {
        vertices.clear();
        let mut way = Vector2::RIGHT;
        for plate in self.each() {
            let (from, to) = (line[plate.link], line[plate.link + 1]);
            way = direction(to - from, way);
            let (center, side) = ((from + to) * 0.5, left(way));
            let pairs = self.sections(&plate).map(|(along, aside)| {
                let middle = center + way * along;
                [middle + side * aside, middle - side * aside]
            });
            join(vertices, pairs);
        }
    }

    /// Fills `looks` for the same vertices.
    pub fn looks(&self, looks: &mut Vec<Look>) {
        looks.clear();
        let whole = Rect2::new(Vector2::ZERO, Vector2::ONE);
        let region = self.picture.map_or(whole, |picture| picture.region);
        for plate in self.each() {
            let size = Vector2::new(plate.half_length, plate.half_height).coord_max(Vector2::splat(1e-6));
            let look = |along: f32, aside: f32| {
                let share = (Vector2::new(along, aside) / size + Vector2::ONE) * 0.5;
                Look { color: plate.color, uv: region.position + region.size * share }
            };
            join(looks, self.sections(&plate).map(|(along, aside)| [look(along, -aside), look(along, aside)]));
        }
    }

    /// The cross-sections of a plate: their places along it and their half heights.
    fn sections(&self, plate: &Plate) -> impl Iterator<Item = (f32, f32)> + use<> {
        let (length, height) = (plate.half_length, plate.half_height);
        let corner = (BLUNT * height).min(length);
        let blunt = height - corner;
        let (sections, count) = if self.picture.is_some() {
            ([(-length, height), (length, height), (length, height), (length, height)], 2)
        } else {
            ([(-length, blunt), (corner - length, height), (length - corner, height), (length, blunt)], 4)
        };
        sections.into_iter().take(count)
    }
}

/// Adds a plate's pairs; what joins it to the one before repeats the last of that one and its own first.
fn join<T: Copy>(filled: &mut Vec<T>, pairs: impl Iterator<Item = [T; 2]>) {
    let mut before = filled.last().copied();
    for pair in pairs {
        if let Some(before) = before.take() {
            filled.extend([before, pair[0]]);
        }
        filled.extend(pair);
    }
}
