//! What 200 bodies of 10x10 points cost.
use glam::{UVec2, Vec2};
use std::sync::Arc;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

fn main() {
    let shape = Shape::new(&Outline::Rectangle { half: Vec2::new(100000.0, 50.0) }, Vec2::X, Vec2::Y).unwrap();
    let pose = RigidPose { origin: Vec2::new(0.0, 50.0), angle: 0.0 };
    let mut colliders = Colliders::default();
    colliders.set([Collider {
        key: ColliderKey::default(),
        shape: Arc::new(shape),
        from: pose,
        to: pose,
        layers: 1,
        material: Material { friction: 1.0, bounce: 0.0 },
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }]);
    let mesh = Arc::new(Mesh::rectangle(Vec2::splat(64.0), UVec2::splat(10)));
    let mut bodies: Vec<SoftBody> = (0..200)
        .map(|i| {
            let turn = Vec2::from_angle(0.03 * i as f32);
            SoftBody::new(
                SoftSettings::default(),
                mesh.clone(),
                Pose {
                    x: turn,
                    y: turn.perp(),
                    ..Pose::at(Vec2::new(100.0 * i as f32, -100.0 - (i * 7 % 50) as f32 * 4.0))
                },
            )
        })
        .collect();
    let mut tick = Tick::still(1.0 / 60.0, Vec2::new(0.0, 980.0));
    tick.colliders = Some(&colliders);
    for second in 0..5 {
        let began = std::time::Instant::now();
        for _ in 0..30 {
            bodies.iter_mut().for_each(|body| body.step(&tick));
        }
        println!(
            "{:.1} s: {:.2} ms a tick, {} touch, {} asleep",
            0.5 * second as f32,
            began.elapsed().as_secs_f64() * 1e3 / 30.0,
            bodies.iter().filter(|b| !b.touches().is_empty()).count(),
            bodies.iter().filter(|b| b.is_sleeping()).count()
        );
    }
}
