//! What it costs to look for the nearest place on a shape, to cast a disc, and to find what is near.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};

/// Points in and around a shape of 50 px, the same in each run.
fn points() -> Vec<Vec2> {
    // Multiples of two irrational numbers fill a square evenly.
    (0..1024).map(|i| (Vec2::new(0.754_877_7, 0.569_840_3) * i as f32).fract() * 200.0 - 100.0).collect()
}

fn shape(outline: Outline) -> Shape {
    Shape::new(&outline, Vec2::X, Vec2::Y).expect("something is left of it")
}

fn outlines() -> [(&'static str, Outline); 5] {
    let octagon = (0..8).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::FRAC_PI_4) * 50.0).collect();
    [
        ("circle", Outline::Circle { radius: 50.0 }),
        ("line", Outline::Lines(vec![[Vec2::new(-50.0, -20.0), Vec2::new(50.0, 20.0)]])),
        ("capsule", Outline::Capsule { radius: 20.0, half_line: 30.0 }),
        ("box", Outline::Rectangle { half: Vec2::new(50.0, 30.0) }),
        ("8-gon", Outline::Polygon(octagon)),
    ]
}

fn pieces(criterion: &mut Criterion) {
    let points = points();
    let mut group = criterion.benchmark_group("nearest");
    for (name, outline) in outlines() {
        let shape = shape(outline);
        let piece = &shape.pieces()[0];
        let mut i = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                i = (i + 1) % 1024;
                black_box(piece.nearest(points[i]))
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("cast");
    for (name, outline) in outlines() {
        let shape = shape(outline);
        let piece = &shape.pieces()[0];
        let mut i = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                i = (i + 1) % 1024;
                black_box(piece.cast(points[i], points[(i + 512) % 1024], 3.0))
            });
        });
    }
    group.finish();
}

/// A box of 40 px around a point in 3200 px.
fn area(point: Vec2) -> Bounds {
    Bounds::around(point * 16.0, Vec2::splat(20.0))
}

fn many(criterion: &mut Criterion) {
    let points = points();
    let mut i = 0;
    let lines = (0..10_000).map(|i| {
        let start = Vec2::new((i % 100) as f32, (i / 100) as f32) * 32.0 - 1600.0;
        [start, start + Vec2::new(30.0, 10.0)]
    });
    let terrain = shape(Outline::Lines(lines.collect()));
    criterion.bench_function("pieces in a box, of 10000 lines", |bencher| {
        bencher.iter(|| {
            i = (i + 1) % 1024;
            let mut count = 0;
            terrain.pieces_in(&area(points[i]), |_| count += 1);
            black_box(count)
        });
    });
    let form = Arc::new(shape(Outline::Rectangle { half: Vec2::splat(16.0) }));
    for count in [10, 100, 2000] {
        let all: Vec<Collider> = (0..count)
            .map(|i| {
                let pose = RigidPose { origin: points[i % 1024] * 16.0 + Vec2::splat((i / 1024) as f32), angle: 0.1 };
                let key = ColliderKey { body: i as u64, ..ColliderKey::default() };
                Collider {
                    key,
                    shape: form.clone(),
                    from: pose,
                    to: pose,
                    layers: 1,
                    material: Material::default(),
                    surface_velocity: (Vec2::ZERO, 0.0),
                    yields: false,
                    one_way: None,
                }
            })
            .collect();
        let mut colliders = Colliders::default();
        criterion.bench_function(&format!("set {count} colliders"), |bencher| {
            bencher.iter(|| colliders.set(all.iter().cloned()));
        });
        let mut found = Vec::new();
        criterion.bench_function(&format!("near, of {count} colliders"), |bencher| {
            bencher.iter(|| {
                i = (i + 1) % 1024;
                colliders.near(&area(points[i]), 1, &mut found);
                black_box(found.len())
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_millis(500))
        .warm_up_time(std::time::Duration::from_millis(200));
    targets = pieces, many
}
criterion_main!(benches);
