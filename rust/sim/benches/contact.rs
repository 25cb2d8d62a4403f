//! What a rope of 30 segments costs a tick of 1/60 s among colliders, on one thread.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings};
use supple_sim::tick::Tick;

const TICK: Tick<'static> = Tick::still(1.0 / 60.0, Vec2::new(0.0, 980.0));
/// For so many ticks it lies down before it is measured.
const SETTLING: u32 = 120;
/// What slides is put back after so many ticks: in a minute it would be a long way off.
const SLIDING: u32 = 600;

/// A rectangle that stands still.
fn block(width: f32, height: f32, origin: Vec2, angle: f32, friction: f32) -> Collider {
    let outline = Outline::Rectangle { half: 0.5 * Vec2::new(width, height) };
    let pose = RigidPose { origin, angle };
    Collider {
        key: ColliderKey { body: 1, part: 0, shape: 0 },
        shape: Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a rectangle")),
        from: pose,
        to: pose,
        layers: 1,
        material: Material { friction, bounce: 0.0 },
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }
}

fn settled(settings: RopeSettings, place: Vec2, colliders: &Colliders) -> Rope {
    let mut rope = Rope::new(settings, Pose::at(place));
    let tick = Tick { colliders: Some(colliders), ..TICK };
    (0..SETTLING).for_each(|_| rope.step(&tick));
    rope
}

fn measure(criterion: &mut Criterion, name: &str, settings: RopeSettings, place: Vec2, block: Collider) {
    let mut colliders = Colliders::default();
    colliders.set([block]);
    let tick = Tick { colliders: Some(&colliders), ..TICK };
    let start = settled(settings, place, &colliders);
    let (mut rope, mut ticks) = (start.clone(), 0);
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            ticks += 1;
            if ticks % SLIDING == 0 {
                rope = start.clone();
            }
            rope.step(black_box(&tick));
        });
    });
}

fn contact(criterion: &mut Criterion) {
    let free = RopeSettings {
        length: 300.0,
        segments: 30,
        start_pinned: false,
        end_position: Vec2::X,
        can_sleep: false,
        ..RopeSettings::default()
    };
    let floor = || block(1e5, 40.0, Vec2::new(0.0, 20.0), 0.0, 1.0);
    let hanging = RopeSettings { start_pinned: true, end_position: Vec2::Y, ..free };
    measure(criterion, "free, a collider far off", hanging, Vec2::new(0.0, -1000.0), floor());
    measure(criterion, "lying on a floor", free, Vec2::new(0.0, -2.5), floor());
    let angle = 0.9;
    let along = Vec2::from_angle(angle);
    let sliding = RopeSettings { end_position: along, ..free };
    measure(criterion, "sliding down a slope", sliding, along.perp() * -22.5, block(1e5, 40.0, Vec2::ZERO, angle, 0.3));
    let corner = block(100.0, 100.0, Vec2::new(0.0, 20.0), 0.0, 1.0);
    measure(criterion, "draped over a block", free, Vec2::new(-150.0, -60.0), corner);
    let mut coiled = RopeSettings { end_position: Vec2::new(0.02, -1.0), ..free };
    coiled.collision.with_itself = true;
    measure(criterion, "in coils", coiled, Vec2::new(0.0, -10.0), floor());
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2));
    targets = contact
}
criterion_main!(benches);
