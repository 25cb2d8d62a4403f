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
            // What is 1 px wide needs sides shorter than a mesh of this spacing has; a sharp tip has small angles itself.
            let least = match name {
                "hair" => 6.0,
                "wedge" => 2.8,
                _ => 25.0,
            };
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
            assert!(angles[0] > least, "{name} {spacing}: {}", angles[0]);
            assert!(lengths[lengths.len() - 1] < 1.7, "{name} {spacing}: {lengths:?}");
        }
    }
}

#[test]
fn an_error_says_what_is_wrong_and_where() {
    let at = Vec2::new;
    let square = outline(&[(0., 0.), (100., 0.), (100., 100.), (0., 100.)]);
    let with = |index: usize, point: Vec2| {
        let mut corners = square.clone();
        corners[index] = point;
        corners
    };
    let crossing = |x: f32, y: f32| MeshError::SelfCrossing { at: at(x, y) };
    let cases: Vec<(Vec<Vec2>, MeshError)> = vec![
        (vec![], MeshError::TooFewPoints { at: Vec2::ZERO }),
        (square[1..3].to_vec(), MeshError::TooFewPoints { at: at(100., 0.) }),
        (vec![at(1., 2.); 50], MeshError::TooSmall { at: at(1., 2.) }),
        (outline(&[(1., 2.), (5., 5.), (1., 2.), (5., 5.)]), MeshError::NoArea { at: at(3., 3.5) }),
        (outline(&[(0., 0.), (10., 10.), (20., 20.), (30., 30.)]), MeshError::NoArea { at: at(15., 15.) }),
        (with(1, at(f32::NAN, 3.0)), MeshError::NotFinite { index: 1, at: at(0., 3.) }),
        (with(3, at(3.0, f32::NEG_INFINITY)), MeshError::NotFinite { index: 3, at: at(3., 0.) }),
        (with(2, at(1e30, 100.0)), MeshError::TooFar { index: 2, at: at(1e30, 100.) }),
        (square.iter().map(|corner| *corner * 1e-4).collect(), MeshError::TooSmall { at: at(0.005, 0.005) }),
        (outline(&[(0., 0.), (100., 100.), (100., 0.), (0., 100.)]), crossing(50., 50.)),
        (outline(&[(0., 0.), (100., 0.), (100., 100.), (50., 0.), (0., 100.)]), crossing(50., 0.)),
        (outline(&[(0., 0.), (50., 50.), (100., 0.), (100., 100.), (50., 50.), (0., 100.)]), crossing(50., 50.)),
        (outline(&[(0., 0.), (200., 0.), (100., 0.), (100., 100.)]), crossing(100., 0.)),
    ];
    for (corners, error) in cases {
        for spacing in [f32::NAN, -5.0, 0.0, 4.0, 16.0, f32::INFINITY] {
            assert_eq!(Mesh::polygon(&corners, spacing), Err(error), "{corners:?}");
        }
        let is_listed_with_its_place = error.to_string().contains("outline") && error.at().is_finite();
        assert!(is_listed_with_its_place && check_outline(&corners) == Err(error));
    }
}

#[test]
fn either_winding_and_a_closing_point_give_the_same_area() {
    for (name, corners) in letters() {
        let mesh = Mesh::polygon(&corners, 12.0).expect("a simple outline");
        let mut mirrored = corners.clone();
        mirrored.reverse();
        let mut closed = corners.clone();
        closed.extend([corners[0], corners[0]]);
        let twice: Vec<Vec2> = corners.iter().flat_map(|corner| [*corner, *corner]).collect();
        assert_eq!(Mesh::polygon(&closed, 12.0), Ok(mesh.clone()), "{name}");
        assert_eq!(Mesh::polygon(&twice, 12.0), Ok(mesh.clone()), "{name}");
        let mirrored = Mesh::polygon(&mirrored, 12.0).expect("a simple outline");
        check(&mirrored);
        assert!((mirrored.area() - mesh.area()).abs() < 0.03 * mesh.area(), "{name}");
        assert!(
            (f64::from(mesh.area()) - shoelace(&corners).abs() / 2.0).abs() < 0.05 * f64::from(mesh.area()),
            "{name}"
        );
        assert_eq!(Mesh::polygon(&corners, 12.0), Ok(mesh), "{name}: another mesh the second time");
    }
}

#[test]
fn sharp_corners_stay_where_they_are() {
    for (name, corners) in letters() {
        if ["C", "circle"].contains(&name) {
            continue;
        }
        for spacing in [4.0, 10.0, 16.0] {
            let mesh = Mesh::polygon(&corners, spacing).expect("a simple outline");
            assert!(corners.iter().all(|corner| mesh.points.contains(corner)), "{name} {spacing}");
        }
    }
}

/// Outlines of very many points, and whether they have a mesh.
fn large_outlines() -> Vec<(&'static str, bool, Vec<Vec2>)> {
    const COUNT: usize = 100_000;
    let part = |index: usize| index as f32 / COUNT as f32;
    let noise = |index: usize| (index.wrapping_mul(2_654_435_761) >> 7) as f32 % 1000.0 / 1000.0;
    let circle = |radius: &dyn Fn(usize) -> f32| -> Vec<Vec2> {
        (0..COUNT).map(|index| Vec2::from_angle(part(index) * TAU) * radius(index)).collect()
    };
    let mut crossed = circle(&|_| 300.0);
    crossed.swap(10_000, 60_000);
    let half = COUNT / 2;
    // There and back again, around and around.
    let turn = |index: usize, radius: f32| {
        Vec2::from_angle(index as f32 / half as f32 * 20.0 * TAU) * (radius + 300.0 * index as f32 / half as f32)
    };
    let spiral = (0..half).map(|index| turn(index, 10.0)).chain((0..half).rev().map(|index| turn(index, 16.0)));
    let zigzag = (0..COUNT - 2)
        .map(|index| Vec2::new(index as f32 * 0.05, if index % 2 == 0 { 0.0 } else { 500.0 + index as f32 * 0.01 }));
    let zigzag = zigzag.chain([Vec2::new(6000.0, 2000.0), Vec2::new(-100.0, 2000.0)]);
    vec![
        ("smooth", true, circle(&|_| 300.0)),
        ("rough", true, circle(&|index| 300.0 + noise(index) * 0.3)),
        ("hairy", true, circle(&|index| 300.0 + noise(index) * 40.0)),
        ("waves", true, circle(&|index| 300.0 + (part(index) * TAU * 50.0).sin() * 30.0)),
        ("spiral", true, spiral.collect()),
        ("zigzag", false, zigzag.collect()),
        ("crossed", false, crossed),
        ("scribble", false, (0..COUNT).map(|index| Vec2::new(noise(index), noise(index * 7 + 3)) * 500.0).collect()),
        ("line", false, (0..COUNT).map(|index| Vec2::splat(part(index) * 500.0)).collect()),
    ]
}

#[test]
fn very_many_points_take_little_time() {
    for (name, is_good, corners) in large_outlines() {
        for spacing in [1.0, 12.0] {
            let start = Instant::now();
            let mesh = Mesh::polygon(&corners, spacing);
            let took = start.elapsed();
            let start = Instant::now();
            let checked = check_outline(&corners);
            let result = mesh.as_ref().map(|mesh| (mesh.points.len(), mesh.outline.len()));
            println!("{name} {spacing}: {result:?} in {took:.1?}, checked in {:.1?} {checked:?}", start.elapsed());
            assert_eq!(is_good, mesh.is_ok(), "{name}: {result:?}");
            if let Ok(mesh) = mesh {
                check(&mesh);
            }
            // Hairs cross each other when simplified: it takes several rounds until they are all gone.
            let limit = if name == "hairy" { 2.0 } else { 0.5 };
            assert!(cfg!(debug_assertions) || took.as_secs_f32() < limit, "{name}: {took:?}");
        }
    }
}

#[test]
fn ellipses_are_round_even_and_symmetric() {
    for (size, spacing) in [(100.0, 10.0), (100.0, 16.0), (64.0, 16.0), (300.0, 12.0), (20.0, 16.0), (1000.0, 3.0)] {
        let mesh = Mesh::ellipse(Vec2::new(size, size * 0.7), spacing);
        check(&mesh);
        let (angles, lengths) = quality(&mesh, spacing);
        println!(
            "ellipse {size} {spacing}: {} points, {} around, angles {:.1} to {:.1}, lengths {:.2} to {:.2}",
            mesh.points.len(),
            mesh.outline.len(),
            angles[0],
            angles[angles.len() - 1],
            lengths[0],
            lengths[lengths.len() - 1]
        );
        assert!(angles[0] > 24.0, "{size} {spacing}: {}", angles[0]);
        let on_it = |point: Vec2| (point * Vec2::new(2.0 / size, 2.0 / (size * 0.7))).length();
        for &index in &mesh.outline {
            let point = mesh.points[index as usize];
            assert!((0.9..1.001).contains(&on_it(point)));
            let mirrored =
                |by: Vec2| mesh.outline.iter().any(|&other| mesh.points[other as usize].distance(point * by) < 0.01);
            assert!(mirrored(Vec2::new(-1.0, 1.0)) && mirrored(Vec2::new(1.0, -1.0)), "{size} {spacing} {point}");
        }
    }
}

#[test]
fn any_size_and_spacing_give_a_mesh() {
    let numbers = [f32::NAN, f32::NEG_INFINITY, 0.0, 1e-40, 0.5, -70.0, 1e5, 1e30];
    let spacings = [f32::NAN, f32::NEG_INFINITY, f32::INFINITY, -0.0, 30.0];
    for x in numbers {
        for y in numbers {
            for spacing in spacings {
                let mesh = Mesh::ellipse(Vec2::new(x, y), spacing);
                check(&mesh);
            }
            for count in [UVec2::ZERO, UVec2::new(5, 3), UVec2::new(u32::MAX, 1), UVec2::MAX] {
                let mesh = Mesh::rectangle(Vec2::new(x, y), count);
                check(&mesh);
                let size = mesh.bounds().max - mesh.bounds().min;
                assert!(size.min_element() >= 0.99 * LEAST_SIZE && size.max_element() <= 1.01 * MOST_REACH);
            }
        }
    }
}

/// Whether a loop of whole numbers crosses or touches itself, by definition.
fn crosses(corners: &[(i64, i64)]) -> bool {
    let count = corners.len();
    let side =
        |a: (i64, i64), b: (i64, i64), c: (i64, i64)| ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum();
    let within = |a: (i64, i64), b: (i64, i64), c: (i64, i64)| {
        side(a, b, c) == 0
            && (a.0.min(b.0)..=a.0.max(b.0)).contains(&c.0)
            && (a.1.min(b.1)..=a.1.max(b.1)).contains(&c.1)
    };
    for first in 0..count {
        let (a, b) = (corners[first], corners[(first + 1) % count]);
        for second in first + 1..count {
            let (c, d) = (corners[second], corners[(second + 1) % count]);
            let meet = if second == first + 1 {
                within(a, b, d) || within(c, d, a)
            } else if (second + 1) % count == first {
                within(a, b, c) || within(c, d, b)
            } else {
                side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
                    || within(a, b, c)
                    || within(a, b, d)
                    || within(c, d, a)
                    || within(c, d, b)
            };
            if meet {
                return true;
            }
        }
    }
    false
}

/// Undoes crossings by turning around what is between them (2-opt), so that many random outlines are simple ones.
fn uncrossed(mut corners: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    let distance = |a: (i64, i64), b: (i64, i64)| (((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)) as f64).sqrt();
    let count = corners.len();
    loop {
        let mut is_changed = false;
        for first in 0..count {
            for second in first + 2..count {
                let (a, b) = (corners[first], corners[first + 1]);
                let (c, d) = (corners[second], corners[(second + 1) % count]);
                if distance(a, c) + distance(b, d) < distance(a, b) + distance(c, d) - 1e-9 {
                    corners[first + 1..=second].reverse();
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return corners;
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
            check(&Mesh::polygon(&corners, spacing).expect("a simple outline"));
        }
    }

    #[test]
    fn crossings_are_found_exactly(corners in proptest::collection::vec((-6i64..6, -6i64..6), 3..9), scale in prop::sample::select(vec![1.0f32, 30.0])) {
        let mut corners = corners;
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let places: Vec<Vec2> = corners.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32) * scale).collect();
        match check_outline(&places) {
            Ok(()) => prop_assert!(!crosses(&corners)),
            Err(MeshError::SelfCrossing { at }) => {
                prop_assert!(crosses(&corners));
                // The place is on two edges that are not neighbours, or on a corner.
                let next = places.iter().cycle().skip(1);
                let on = places.iter().zip(next).filter(|(a, b)| {
                    let part = ((at - **a).dot(**b - **a) / (**b - **a).length_squared()).clamp(0.0, 1.0);
                    at.distance(a.lerp(**b, part)) < 1e-3 * scale
                });
                prop_assert!(on.count() >= 2, "{at}");
            }
            Err(_) => {}
        }
    }

    #[test]
    fn random_simple_outlines_give_whole_meshes(corners in proptest::collection::vec((-100i64..100, -100i64..100), 3..40), spacing in 1.0f32..60.0, place in prop::sample::select(vec![0.0f32, 1e4, 5e5])) {
        let corners = uncrossed(corners);
        let places: Vec<Vec2> = corners.iter().map(|&(x, y)| Vec2::new(x as f32, y as f32) + place).collect();
        if check_outline(&places).is_ok() {
            let mesh = Mesh::polygon(&places, spacing).expect("a simple outline");
            check(&mesh);
            let area = shoelace(&places.iter().map(|point| *point - place).collect::<Vec<_>>()).abs() / 2.0;
            prop_assert!((f64::from(mesh.area()) - area).abs() <= 0.06 * area + 1e-2);
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
