//! Meshes of outlines: whole, tight and of good shape, whatever the outline.

use glam::UVec2;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::TAU;
use std::time::Instant;
use supple_sim::Vec2;
use supple_sim::mesh::{LEAST_SIZE, MOST_POINTS, MOST_REACH, Mesh, MeshError, check_outline};

fn outline(points: &[(f32, f32)]) -> Vec<Vec2> {
    points.iter().map(|&(x, y)| Vec2::new(x, y)).collect()
}

/// Points around the origin at these distances.
fn star(radii: &[f32]) -> Vec<Vec2> {
    let angle = |index: usize| index as f32 / radii.len() as f32 * TAU;
    radii.iter().enumerate().map(|(index, &radius)| Vec2::from_angle(angle(index)) * radius).collect()
}

/// Twice the area of a loop.
fn shoelace(points: &[Vec2]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a.as_dvec2().perp_dot(b.as_dvec2())).sum()
}

/// Checks all that the docs promise of a mesh.
fn check(mesh: &Mesh) {
    let count = mesh.points.len();
    assert!((3..=MOST_POINTS).contains(&count), "{count} points");
    assert!(mesh.points.iter().all(|point| point.is_finite()));
    let point = |index: u32| mesh.points[index as usize];

    let mut is_used = vec![false; count];
    let mut directed = BTreeSet::new();
    for &[a, b, c] in &mesh.triangles {
        assert!((point(b) - point(a)).perp_dot(point(c) - point(a)) > 0.0, "{} {} {}", point(a), point(b), point(c));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            is_used[from as usize] = true;
            assert!(directed.insert((from, to)), "two triangles on one side of an edge");
        }
    }
    assert!(is_used.iter().all(|&is_used| is_used), "an unused point");

    // Edges with a triangle on one side only are the outline, and all of it.
    let boundary: BTreeMap<u32, u32> = directed.iter().copied().filter(|&(a, b)| !directed.contains(&(b, a))).collect();
    let next = mesh.outline.iter().cycle().skip(1);
    let around: BTreeMap<u32, u32> = mesh.outline.iter().copied().zip(next.copied()).collect();
    assert_eq!(boundary, around);
    assert_eq!(around.len(), mesh.outline.len(), "the outline passes a point twice");

    // A disc: points - edges + triangles = 1.
    let edges: BTreeSet<(u32, u32)> = directed.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    assert_eq!(count as i64 - edges.len() as i64 + mesh.triangles.len() as i64, 1, "Euler");

    let sides: Vec<(u32, u32)> = mesh.links.iter().filter(|link| !link.diagonal).map(|link| (link.a, link.b)).collect();
    assert!(
        mesh.links.is_sorted() && mesh.links.windows(2).all(|pair| (pair[0].a, pair[0].b) != (pair[1].a, pair[1].b))
    );
    assert!(mesh.links.iter().all(|link| link.a < link.b));
    if mesh.links.iter().all(|link| !link.diagonal) {
        assert_eq!(sides, edges.iter().copied().collect::<Vec<_>>());
    }

    let ring: Vec<Vec2> = mesh.outline.iter().map(|&index| point(index)).collect();
    let (area, around) = (f64::from(mesh.area()), shoelace(&ring) / 2.0);
    let reach = mesh.points.iter().map(|point| point.length()).fold(0.0, f32::max);
    assert!((area - around).abs() <= 1e-6 * around + 1e-9 * f64::from(reach * reach), "{area} {around}");
}

/// Angles of all triangles, degrees, from the least; and lengths of links as parts of the spacing.
fn quality(mesh: &Mesh, spacing: f32) -> (Vec<f32>, Vec<f32>) {
    let mut angles = Vec::new();
    for triangle in &mesh.triangles {
        for corner in 0..3 {
            let [here, next, last] = [0, 1, 2].map(|step| mesh.points[triangle[(corner + step) % 3] as usize]);
            angles.push((next - here).angle_to(last - here).to_degrees().abs());
        }
    }
    angles.sort_by(f32::total_cmp);
    let mut lengths: Vec<f32> = mesh
        .links
        .iter()
        .map(|link| mesh.points[link.a as usize].distance(mesh.points[link.b as usize]) / spacing)
        .collect();
    lengths.sort_by(f32::total_cmp);
    (angles, lengths)
}

fn letters() -> Vec<(&'static str, Vec<Vec2>)> {
    let c = (0..=40)
        .map(|i| (0.5 + i as f32 / 40.0 * 5.3, 100.0))
        .chain((0..=40).map(|i| (5.8 - i as f32 / 40.0 * 5.3, 60.0)));
    vec![
        ("square", outline(&[(0., 0.), (100., 0.), (100., 100.), (0., 100.)])),
        ("triangle", outline(&[(0., 0.), (100., 0.), (50., 86.)])),
        ("L", outline(&[(0., 0.), (30., 0.), (30., 70.), (80., 70.), (80., 100.), (0., 100.)])),
        ("C", c.map(|(angle, radius)| Vec2::from_angle(angle) * radius).collect()),
        ("U", outline(&[(0., 0.), (6., 0.), (6., 94.), (54., 94.), (54., 0.), (60., 0.), (60., 100.), (0., 100.)])),
        ("hair", outline(&[(0., 0.), (100., 0.), (100., 1.), (0., 1.)])),
        ("bar", outline(&[(0., 0.), (200., 0.), (200., 10.), (0., 10.)])),
        ("star", star(&[100., 40., 100., 40., 100., 40., 100., 40., 100., 40.])),
        ("circle", star(&[80.0; 64])),
        ("gear", star(&(0..96).map(|i| if i % 4 < 2 { 100.0 } else { 85.0 }).collect::<Vec<_>>())),
        ("wedge", outline(&[(0., 0.), (200., -5.), (200., 5.)])),
        ("arrow", outline(&[(0., 0.), (100., 50.), (0., 100.), (30., 50.)])),
    ]
}

#[test]
fn triangles_are_of_good_shape() {
    for (name, corners) in letters() {
        for spacing in [4.0, 10.0, 16.0, 40.0] {
            let start = Instant::now();
            let mesh = Mesh::polygon(&corners, spacing).unwrap_or_else(|error| panic!("{name} {spacing}: {error}"));
            let took = start.elapsed();
            check(&mesh);
            let (angles, lengths) = quality(&mesh, spacing);
            println!(
                "{name:8} {spacing:4}: {:4} points {:4} around, angles {:4.1} (1% {:4.1}, 10% {:4.1}) to {:5.1}, lengths {:.2} {:.2} {:.2} {:.2} {:.2}, {took:.1?}",
                mesh.points.len(),
                mesh.outline.len(),
                angles[0],
                angles[angles.len() / 100],
                angles[angles.len() / 10],
                angles[angles.len() - 1],
                lengths[0],
                lengths[lengths.len() / 10],
                lengths[lengths.len() / 2],
                lengths[lengths.len() * 9 / 10],
                lengths[lengths.len() - 1]
            );
        }
    }
}

proptest! {
    #[test]
    fn stars_give_whole_meshes(
        radii in proptest::collection::vec(1.0f32..200.0, 3..60), spacing in 1.0f32..60.0, offset in -1000.0f32..1000.0, mirror: bool,
    ) {
        let mut corners: Vec<Vec2> = star(&radii).iter().map(|point| *point + offset).collect();
        if mirror {
            corners.reverse();
        }
        if check_outline(&corners).is_ok() {
            check(&Mesh::polygon(&corners, spacing).unwrap());
        }
    }

    #[test]
    fn any_points_give_a_whole_mesh_or_an_error(
        corners in proptest::collection::vec((-50i32..50, -50i32..50), 0..12), scale in prop::sample::select(vec![0.001f32, 0.1, 1.0, 37.3, 1e4]), spacing in -1.0f32..60.0,
    ) {
        let corners: Vec<Vec2> = corners.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32) * scale).collect();
        if let Ok(mesh) = Mesh::polygon(&corners, spacing) {
            check(&mesh);
        }
    }
}
