//! What a soft body of 10x10 points costs a tick of 1/60 s, on one thread.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

const TICK: Tick<'static> = Tick::still(1.0 / 60.0, Vec2::new(0.0, 980.0));

fn floor() -> Colliders {
    let outline = Outline::Rectangle { half: Vec2::new(10_000.0, 50.0) };
    let pose = RigidPose { origin: Vec2::new(0.0, 50.0), angle: 0.0 };
    let mut colliders = Colliders::default();
    colliders.set([Collider {
        key: ColliderKey { body: 1, part: 0, shape: 0 },
        shape: Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a rectangle")),
        from: pose,
        to: pose,
        layers: 1,
        material: Material { friction: 1.0, bounce: 0.0 },
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }]);
    colliders
}

fn jelly(y: f32) -> SoftBody {
    let mesh = Arc::new(Mesh::rectangle(Vec2::splat(64.0), glam::UVec2::splat(10)));
    let settings = SoftSettings { can_sleep: false, ..SoftSettings::default() };
    let turn = Vec2::from_angle(0.4);
    SoftBody::new(settings, mesh, Pose { x: turn, y: turn.perp(), ..Pose::at(Vec2::new(0.0, y)) })
}

fn bodies(criterion: &mut Criterion) {
    let floor = floor();
    let lying = Tick { colliders: Some(&floor), ..TICK };
    criterion.bench_function("a body of 10x10 points that wobbles in the air", |bencher| {
        let mut body = jelly(0.0);
        bencher.iter(|| {
            body.apply_impulse(0, Vec2::new(3.0, 1.0));
            body.step(&Tick { gravity: Vec2::ZERO, ..TICK });
            black_box(body.point_count())
        });
    });
    criterion.bench_function("the same landing on a floor, for a second", |bencher| {
        bencher.iter_batched(
            || jelly(-120.0),
            |mut body| {
                (0..60).for_each(|_| body.step(&lying));
                body
            },
            criterion::BatchSize::SmallInput,
        );
    });
    criterion.bench_function("the same lying on it", |bencher| {
        let mut body = jelly(-34.0);
        (0..300).for_each(|_| body.step(&lying));
        bencher.iter(|| {
            body.step(&lying);
            black_box(body.point_count())
        });
    });
    criterion.bench_function("making one, and its first substep", |bencher| {
        bencher.iter(|| {
            let mut body = jelly(0.0);
            body.step(&TICK);
            black_box(body.point_count())
        });
    });
}

criterion_group!(benches, bodies);
criterion_main!(benches);
