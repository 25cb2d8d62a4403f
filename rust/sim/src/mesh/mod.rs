//! Meshes of soft bodies at rest.

use glam::{UVec2, Vec2};
use serde::{Deserialize, Serialize};

/// A body's shape at rest: points, triangles between them, and the outline, in local px.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    /// Where the points are.
    pub points: Vec<Vec2>,
    /// Triangles that turn right, with y down.
    pub triangles: Vec<[u32; 3]>,
    /// The closed outline, turning right.
    pub outline: Vec<u32>,
    /// Springs; each once.
    pub links: Vec<Link>,
}

/// A spring between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// The point with the lower index.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// A shear spring of a grid.
    pub diagonal: bool,
}

impl Mesh {
    /// A grid of `count` points a side, centred on the origin.
    pub fn rectangle(size: Vec2, count: UVec2) -> Mesh {
        let count = count.clamp(UVec2::splat(2), UVec2::splat(64));
        let at = |x: u32, y: u32| y * count.x + x;
        let mut mesh = Mesh::default();
        for y in 0..count.y {
            for x in 0..count.x {
                let part = UVec2::new(x, y).as_vec2() / (count - 1).as_vec2();
                mesh.points.push((part - 0.5) * size);
            }
        }
        for y in 0..count.y {
            for x in 0..count.x {
                let mut link = |a, b, diagonal| mesh.links.push(Link { a, b, diagonal });
                if x + 1 < count.x {
                    link(at(x, y), at(x + 1, y), false);
                }
                if y + 1 < count.y {
                    link(at(x, y), at(x, y + 1), false);
                }
                if x + 1 < count.x && y + 1 < count.y {
                    link(at(x, y), at(x + 1, y + 1), true);
                    link(at(x + 1, y), at(x, y + 1), true);
                    let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
                    if (x + y) % 2 == 0 {
                        mesh.triangles.extend([[a, b, c], [a, c, d]]);
                    } else {
                        mesh.triangles.extend([[a, b, d], [b, c, d]]);
                    }
                }
            }
        }
        mesh.outline.extend((0..count.x).map(|x| at(x, 0)));
        mesh.outline.extend((1..count.y).map(|y| at(count.x - 1, y)));
        mesh.outline.extend((0..count.x - 1).rev().map(|x| at(x, count.y - 1)));
        mesh.outline.extend((1..count.y - 1).rev().map(|y| at(0, y)));
        mesh
    }

    /// Whether all indices are in range, and all numbers finite.
    pub fn is_sound(&self) -> bool {
        let count = self.points.len() as u32;
        let triangles = self.triangles.iter().flatten();
        let links = self.links.iter().flat_map(|link| [&link.a, &link.b]);
        !self.points.is_empty()
            && self.outline.len() >= 3
            && !self.triangles.is_empty()
            && self.points.iter().all(|point| point.is_finite())
            && triangles.chain(&self.outline).chain(links).all(|&index| index < count)
    }
}
