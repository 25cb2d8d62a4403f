//! Meshes: the shape of a soft body at rest.
//!
//! A mesh covers one simple outline with triangles, and has the springs that hold its points together. It comes as a grid
//! ([`Mesh::rectangle`]) or from an outline ([`Mesh::polygon`], [`Mesh::ellipse`]), in these steps:
//!
//! | file | step |
//! |---|---|
//! | `simplify` | detail too small for the spacing is left out |
//! | `crossing` | an outline that crosses or touches itself is refused |
//! | `fill` | points along the outline and, in a hexagonal pattern, inside |
//! | `triangulate` | constrained Delaunay triangulation, by the crate `spade` |
//! | `refine` | thin triangles get more points (J. Ruppert 1995, L. P. Chew 1989), then the inner points are evened out |
//!
//! `locate` finds the triangle that holds a place. All of it gives the same mesh each time.

mod crossing;
mod error;
mod fill;
mod locate;
mod polygon;
mod rectangle;
mod refine;
mod simplify;
mod triangulate;

pub use error::MeshError;
pub use locate::{Locator, Seat};
pub use polygon::check_outline;

use crate::bounds::Bounds;
use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

/// The most points that a mesh has: beyond it, the spacing is enlarged until the mesh fits.
pub const MOST_POINTS: usize = 4096;

/// The least distance between points that can be asked for, px.
pub const LEAST_SPACING: f32 = 1.0;

/// The least size of a body, px: below it, areas and angles drown in the rounding of the numbers they are made of.
pub const LEAST_SIZE: f32 = 0.1;

/// The farthest that a point may be from the origin, px: from there on, neighbouring numbers are 1/16 px apart.
pub const MOST_REACH: f32 = 1e6;

/// A body's shape at rest: points, triangles between them, and the outline. Local px.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    /// Where the points are. Each is a corner of a triangle.
    pub points: Vec<Vec2>,
    /// Three points each, turning right on the screen (y down): `(b - a).perp_dot(c - a)` is positive.
    pub triangles: Vec<[u32; 3]>,
    /// The points around it, each once, turning like the triangles: the sum of `perp_dot` is positive.
    pub outline: Vec<u32>,
    /// The springs, sorted, each once.
    pub links: Vec<Link>,
}

/// A spring between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// The point with the lesser index.
    pub a: u32,
    /// The point with the greater index.
    pub b: u32,
    /// Whether it crosses a cell of a grid: it then works against shearing.
    pub diagonal: bool,
}

impl Link {
    fn new(a: u32, b: u32, diagonal: bool) -> Link {
        Link { a: a.min(b), b: a.max(b), diagonal }
    }
}

impl Mesh {
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

    /// The least box around it.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points.iter().copied())
    }

    /// Its area, px².
    pub fn area(&self) -> f32 {
        let corner = |index: u32| self.points[index as usize].as_dvec2();
        let twice = |&[a, b, c]: &[u32; 3]| (corner(b) - corner(a)).perp_dot(corner(c) - corner(a));
        (self.triangles.iter().map(twice).sum::<f64>() / 2.0) as f32
    }

    /// A mesh whose links are all edges of its triangles.
    fn linked(points: Vec<Vec2>, triangles: Vec<[u32; 3]>, outline: Vec<u32>) -> Mesh {
        let mut links: Vec<Link> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [Link::new(a, b, false), Link::new(b, c, false), Link::new(c, a, false)])
            .collect();
        links.sort_unstable();
        links.dedup();
        Mesh { points, triangles, outline, links }
    }

    /// Whether every triangle has an area that can be told in single precision.
    fn has_area_everywhere(&self) -> bool {
        let corner = |index: u32| self.points[index as usize];
        self.triangles.iter().all(|&[a, b, c]| (corner(b) - corner(a)).perp_dot(corner(c) - corner(a)) > 0.0)
    }
}

/// The area within a loop, positive if it turns right on the screen.
fn loop_area(corners: &[Vec2]) -> f64 {
    let Some(&origin) = corners.first() else { return 0.0 };
    let from_origin = |corner: &Vec2| corner.as_dvec2() - origin.as_dvec2();
    edges(corners).map(|(a, b)| from_origin(&a).perp_dot(from_origin(&b))).sum::<f64>() / 2.0
}

/// The edges of a loop.
fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// How far a point is from a segment.
fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let length = along.length_squared();
    let part = if length > 0.0 { ((point - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + along * part)
}
