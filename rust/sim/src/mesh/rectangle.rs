//! Grids.

use super::{LEAST_SIZE, Link, MOST_POINTS, MOST_REACH, Mesh};
use glam::{UVec2, Vec2};

impl Mesh {
    /// A grid of `count` points, at least two a side, over a rectangle around the origin: row by row from the top left, so that a point's
    /// index is `y * count.x + x`. Its links are the sides of the cells and both diagonals of each. The triangles' diagonals turn from cell
    /// to cell, so that no direction is favoured. Sizes are made positive and held in bounds; more than [`MOST_POINTS`] are reduced in
    /// proportion.
    pub fn rectangle(size: Vec2, count: UVec2) -> Mesh {
        let size = usable_size(size);
        let UVec2 { x: columns, y: rows } = fitting_count(count);
        let place = |index: u32, count: u32, size: f32| size * (index as f32 / (count - 1) as f32 - 0.5);
        let points = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| Vec2::new(place(x, columns, size.x), place(y, rows, size.y))))
            .collect();

        let index = |x: u32, y: u32| y * columns + x;
        let (mut triangles, mut links) = (Vec::new(), Vec::new());
        for y in 0..rows {
            for x in 0..columns {
                let here = index(x, y);
                if x + 1 < columns {
                    links.push(Link::new(here, here + 1, false));
                }
                if y + 1 < rows {
                    links.push(Link::new(here, here + columns, false));
                }
                if x + 1 < columns && y + 1 < rows {
                    let [right, below, across] = [here + 1, here + columns, here + columns + 1];
                    links.extend([Link::new(here, across, true), Link::new(right, below, true)]);
                    triangles.extend(if (x + y) % 2 == 0 {
                        [[here, right, across], [here, across, below]]
                    } else {
                        [[here, right, below], [right, across, below]]
                    });
                }
            }
        }
        links.sort_unstable();

        let top = (0..columns - 1).map(|x| index(x, 0));
        let right = (0..rows - 1).map(|y| index(columns - 1, y));
        let bottom = (1..columns).rev().map(|x| index(x, rows - 1));
        let left = (1..rows).rev().map(|y| index(0, y));
        let outline = top.chain(right).chain(bottom).chain(left).collect();
        Mesh { points, triangles, outline, links }
    }
}

/// A size that a mesh can have.
pub(super) fn usable_size(size: Vec2) -> Vec2 {
    let usable = |length: f32| if length.is_nan() { LEAST_SIZE } else { length.abs().clamp(LEAST_SIZE, MOST_REACH) };
    Vec2::new(usable(size.x), usable(size.y))
}

/// At least two points a side, and no more in all than a mesh may have.
fn fitting_count(count: UVec2) -> UVec2 {
    let most = MOST_POINTS as u32;
    let UVec2 { mut x, mut y } = count.max(UVec2::splat(2));
    if u64::from(x) * u64::from(y) > u64::from(most) {
        let scale = (f64::from(most) / (f64::from(x) * f64::from(y))).sqrt();
        let reduced = |count: u32| ((f64::from(count) * scale) as u32).clamp(2, most / 2);
        (x, y) = (reduced(x), reduced(y));
        // What a side of two points could not give, the other gives.
        (x, y) = (x.min(most / y), y.min(most / x));
    }
    UVec2::new(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_of_three_by_two() {
        let mesh = Mesh::rectangle(Vec2::new(20.0, 10.0), UVec2::new(3, 2));
        let at = |x: f32, y: f32| Vec2::new(x, y);
        assert_eq!(mesh.points, [at(-10., -5.), at(0., -5.), at(10., -5.), at(-10., 5.), at(0., 5.), at(10., 5.)]);
        assert_eq!(mesh.outline, [0, 1, 2, 5, 4, 3]);
        assert_eq!(mesh.triangles, [[0, 1, 4], [0, 4, 3], [1, 2, 4], [2, 5, 4]]);
        let links: Vec<(u32, u32, bool)> = mesh.links.iter().map(|link| (link.a, link.b, link.diagonal)).collect();
        let (side, across) = (false, true);
        assert_eq!(
            links,
            [
                (0, 1, side),
                (0, 3, side),
                (0, 4, across),
                (1, 2, side),
                (1, 3, across),
                (1, 4, side),
                (1, 5, across),
                (2, 4, across),
                (2, 5, side),
                (3, 4, side),
                (4, 5, side)
            ]
        );
        assert_eq!(mesh.area(), 200.0);
    }

    #[test]
    fn counts_are_reduced_in_proportion() {
        assert_eq!(fitting_count(UVec2::new(0, 1)), UVec2::new(2, 2));
        assert_eq!(fitting_count(UVec2::new(64, 64)), UVec2::new(64, 64));
        assert_eq!(fitting_count(UVec2::new(640, 160)), UVec2::new(128, 32));
        assert_eq!(fitting_count(UVec2::splat(u32::MAX)), UVec2::new(64, 64));
        assert_eq!(fitting_count(UVec2::new(u32::MAX, 2)), UVec2::new(2048, 2));
        assert_eq!(fitting_count(UVec2::new(2, 100_000)), UVec2::new(2, 2048));
    }
}
