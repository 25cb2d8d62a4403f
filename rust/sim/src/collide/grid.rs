//! Boxes by the cells of a grid.
//!
//! The cells are twice as wide as half of the boxes; they are kept by a hash of where they are, sorted by counting. What would be in many
//! cells is looked at one by one.

use crate::bounds::Bounds;
use glam::{IVec2, Vec2};

/// So few boxes are looked at one by one.
const FEW: usize = 16;
/// What is in more cells is looked at one by one.
const MOST_CELLS: i64 = 32;
/// The least width of a cell in px.
const LEAST_CELL: f32 = 1.0;

/// Boxes in a grid.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    boxes: Vec<Bounds>,
    cell: f32,
    /// Those that are in no cell.
    large: Vec<u32>,
    /// Where the boxes of each hash begin; their number is a power of two, and one more.
    starts: Vec<u32>,
    /// Cells and who is in them.
    entries: Vec<(IVec2, u32)>,
    /// Kept for its memory.
    widths: Vec<f32>,
}

impl Grid {
    /// These boxes instead of those before.
    pub fn set(&mut self, boxes: impl IntoIterator<Item = Bounds>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.large.clear();
        self.entries.clear();
        self.starts.clear();
        if self.boxes.len() <= FEW {
            self.large.extend(0..self.boxes.len() as u32);
            return;
        }
        self.cell = self.cell_width();
        let buckets = self.boxes.len().next_power_of_two();
        self.starts.resize(buckets + 1, 0);
        for (index, bounds) in (0..).zip(&self.boxes) {
            let cells = Cells::of(bounds, self.cell);
            if cells.count() > MOST_CELLS {
                self.large.push(index);
            } else {
                cells.each(|cell| self.starts[bucket(cell, buckets)] += 1);
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.resize(sum as usize, (IVec2::ZERO, 0));
        // Each is put before the end of its bucket, and the end moves down: at last it is where the bucket begins.
        for (index, bounds) in (0..).zip(&self.boxes) {
            let cells = Cells::of(bounds, self.cell);
            if cells.count() <= MOST_CELLS {
                cells.each(|cell| {
                    let start = &mut self.starts[bucket(cell, buckets)];
                    *start -= 1;
                    self.entries[*start as usize] = (cell, index);
                });
            }
        }
    }

    /// Twice the width of the middle one of the boxes.
    fn cell_width(&mut self) -> f32 {
        self.widths.clear();
        self.widths.extend(self.boxes.iter().map(|bounds| (bounds.max - bounds.min).max_element()));
        let middle = self.widths.len() / 2;
        let width = *self.widths.select_nth_unstable_by(middle, f32::total_cmp).1;
        if width.is_finite() { (2.0 * width).max(LEAST_CELL) } else { LEAST_CELL }
    }

    /// Calls `visit` once with the index of each box that overlaps `bounds`, in any order.
    pub fn visit(&self, bounds: &Bounds, mut visit: impl FnMut(u32)) {
        let mut look = |index: u32| {
            if self.boxes[index as usize].overlaps(bounds) {
                visit(index);
            }
        };
        let buckets = self.starts.len().saturating_sub(1);
        if buckets == 0 {
            self.large.iter().copied().for_each(look);
            return;
        }
        let cells = Cells::of(bounds, self.cell);
        if cells.count() > self.boxes.len() as i64 {
            (0..self.boxes.len() as u32).for_each(look);
            return;
        }
        self.large.iter().copied().for_each(&mut look);
        cells.each(|cell| {
            let bucket = bucket(cell, buckets);
            for &(at, index) in &self.entries[self.starts[bucket] as usize..self.starts[bucket + 1] as usize] {
                // A box that shares several cells with `bounds` is looked at in the first of them.
                if at == cell && cell == cells.first.max(cell_of(self.boxes[index as usize].min, self.cell)) {
                    look(index);
                }
            }
        });
    }
}

/// The cells of a box.
#[derive(Clone, Copy)]
struct Cells {
    first: IVec2,
    last: IVec2,
}

impl Cells {
    fn of(bounds: &Bounds, cell: f32) -> Cells {
        Cells { first: cell_of(bounds.min, cell), last: cell_of(bounds.max, cell) }
    }

    /// How many they are; very many if the box is not finite or far away.
    fn count(&self) -> i64 {
        let side = |first: i32, last: i32| {
            let is_far = first == i32::MIN || last == i32::MAX;
            if is_far { i64::from(i32::MAX) } else { (i64::from(last) - i64::from(first) + 1).max(0) }
        };
        side(self.first.x, self.last.x).saturating_mul(side(self.first.y, self.last.y))
    }

    fn each(&self, mut visit: impl FnMut(IVec2)) {
        for y in self.first.y..=self.last.y {
            for x in self.first.x..=self.last.x {
                visit(IVec2::new(x, y));
            }
        }
    }
}

fn cell_of(point: Vec2, cell: f32) -> IVec2 {
    (point / cell).floor().as_ivec2()
}

/// The hash of a cell among `count`, a power of two.
fn bucket(cell: IVec2, count: usize) -> usize {
    // The fractional part of the golden ratio spreads what is multiplied by it (D. E. Knuth, The Art of Computer Programming, 6.4).
    let mixed = (cell.x as u32).wrapping_mul(0x9e37_79b9) ^ (cell.y as u32).wrapping_mul(0x85eb_ca6b);
    (mixed ^ (mixed >> 15)) as usize & (count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(grid: &Grid, bounds: &Bounds) -> Vec<u32> {
        let mut found = Vec::new();
        grid.visit(bounds, |index| found.push(index));
        found.sort_unstable();
        found
    }

    #[test]
    fn what_is_in_several_cells_is_found_once() {
        let mut grid = Grid::default();
        grid.set((0..100).map(|i| Bounds::around(Vec2::new(10.0 * i as f32, 0.0), Vec2::splat(15.0))));
        assert!(!grid.entries.is_empty());
        assert_eq!(found(&grid, &Bounds::around(Vec2::new(500.0, 0.0), Vec2::splat(6.0))), [48, 49, 50, 51, 52]);
        assert_eq!(found(&grid, &Bounds::EVERYWHERE).len(), 100);
        grid.set([]);
        assert_eq!(found(&grid, &Bounds::EVERYWHERE), []);
    }

    #[test]
    fn endless_far_and_senseless_boxes_stay_out_of_the_cells() {
        let mut grid = Grid::default();
        let odd = [Bounds::EVERYWHERE, Bounds::of([Vec2::splat(1e30)]), Bounds::around(Vec2::NAN, Vec2::ONE)];
        grid.set(odd.into_iter().chain((0..50).map(|i| Bounds::of([Vec2::splat(i as f32)]))));
        assert_eq!(found(&grid, &Bounds::of([Vec2::splat(7.0)])), [0, 10]);
        assert_eq!(found(&grid, &Bounds::of([Vec2::splat(1e30)])), [0, 1]);
        assert_eq!(found(&grid, &Bounds::around(Vec2::NAN, Vec2::ONE)), []);
    }
}
