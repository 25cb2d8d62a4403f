//! Finding the triangle that holds a place.

use super::Mesh;
use crate::bounds::Bounds;
use glam::{IVec2, Vec2};

/// The triangles of a mesh in a grid, to find them by place.
pub struct Locator<'a> {
    points: &'a [Vec2],
    triangles: &'a [[u32; 3]],
    least: Vec2,
    cell: f32,
    count: IVec2,
    /// The triangles whose box meets each cell.
    cells: Vec<Vec<u32>>,
}

/// A place in a triangle: its corners, and their weights, which add up to 1. Outside of it some are negative.
pub type Seat = ([u32; 3], [f32; 3]);

impl<'a> Locator<'a> {
    /// For these triangles. All indices must be in range.
    pub fn new(points: &'a [Vec2], triangles: &'a [[u32; 3]]) -> Locator<'a> {
        let bounds = Bounds::of(points.iter().copied());
        let size = (bounds.max - bounds.min).max(Vec2::splat(f32::MIN_POSITIVE));
        // About as many cells as triangles.
        let cell = (size.x * size.y / triangles.len().max(1) as f32).sqrt().max(size.max_element() / 256.0);
        let count = (size / cell).as_ivec2() + IVec2::ONE;
        let mut locator = Locator { points, triangles, least: bounds.min, cell, count, cells: Vec::new() };
        locator.cells.resize((count.x * count.y) as usize, Vec::new());
        for (index, corners) in triangles.iter().enumerate() {
            let bounds = Bounds::of(corners.map(|i| points[i as usize]));
            let (from, to) = (locator.cell_of(bounds.min), locator.cell_of(bounds.max));
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    locator.cells[(y * count.x + x) as usize].push(index as u32);
                }
            }
        }
        locator
    }

    /// For those of a mesh.
    pub fn of(mesh: &'a Mesh) -> Locator<'a> {
        Locator::new(&mesh.points, &mesh.triangles)
    }

    /// The seat of a place in the triangle that holds it, or that is nearest. None: there are no triangles with an area.
    pub fn find(&self, place: Vec2) -> Option<Seat> {
        let middle = self.cell_of(place);
        let mut best: Option<(f32, Seat)> = None;
        for ring in 0..self.count.max_element() {
            let span = IVec2::splat(ring);
            let (from, to) = (middle - span, middle + span);
            for y in from.y.max(0)..=to.y.min(self.count.y - 1) {
                for x in from.x.max(0)..=to.x.min(self.count.x - 1) {
                    let on_ring = y == from.y || y == to.y || x == from.x || x == to.x;
                    let cell = if on_ring { &self.cells[(y * self.count.x + x) as usize][..] } else { &[] };
                    for seat in cell.iter().filter_map(|&index| self.seat(index, place)) {
                        let distance = self.distance(&seat, place);
                        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                            best = Some((distance, seat));
                        }
                    }
                }
            }
            // Those farther out cannot be nearer.
            if best.as_ref().is_some_and(|(distance, _)| *distance <= ring as f32 * self.cell) {
                break;
            }
        }
        best.map(|(_, seat)| seat)
    }

    fn cell_of(&self, place: Vec2) -> IVec2 {
        ((place - self.least) / self.cell).as_ivec2().clamp(IVec2::ZERO, self.count - IVec2::ONE)
    }

    fn seat(&self, index: u32, place: Vec2) -> Option<Seat> {
        let corners = self.triangles[index as usize];
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 {
            return None;
        }
        let (v, w) = ((place - a).perp_dot(c - a) / area, (b - a).perp_dot(place - a) / area);
        Some((corners, [1.0 - v - w, v, w]))
    }

    /// How far it is from the triangle, nearly: 0 inside.
    fn distance(&self, (corners, weights): &Seat, place: Vec2) -> f32 {
        if weights.iter().all(|&weight| weight >= 0.0) {
            return 0.0;
        }
        let inside = weights.map(|weight| weight.max(0.0));
        let sum: f32 = inside.iter().sum();
        let nearest: Vec2 =
            corners.iter().zip(inside).map(|(&i, weight)| self.points[i as usize] * (weight / sum)).sum();
        nearest.distance(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::UVec2;

    #[test]
    fn places_inside_and_outside_are_found_again_by_their_weights() {
        let mesh = Mesh::rectangle(Vec2::new(100.0, 60.0), UVec2::new(7, 5));
        let locator = Locator::of(&mesh);
        for x in -60i32..=60 {
            for y in -40i32..=40 {
                let place = Vec2::new(x as f32, y as f32);
                let (corners, weights) = locator.find(place).expect("it is found");
                let found: Vec2 =
                    corners.iter().zip(weights).map(|(&i, weight)| mesh.points[i as usize] * weight).sum();
                assert!(found.distance(place) < 1e-3, "{place} became {found}");
                let inside = x.abs() <= 50 && y.abs() <= 30;
                let least = weights.into_iter().fold(f32::MAX, f32::min);
                assert!(!inside || least > -1e-4, "{place} is held by {weights:?}");
                assert!(least > -3.0, "{place} is far from its triangle");
            }
        }
    }
}
