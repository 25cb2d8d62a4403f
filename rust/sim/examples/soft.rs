//! Drops a body on a floor and prints what becomes of it.
use glam::{UVec2, Vec2};
use std::sync::Arc;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

fn main() {
    let args: Vec<f32> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let get = |i: usize, d: f32| args.get(i).copied().unwrap_or(d);
    let n = get(0, 5.0) as u32;
    let settings = SoftSettings {
        stiffness: get(1, 200.0),
        damping: get(2, 2.0),
        area_stiffness: get(3, 100.0),
        mass: get(6, 1.0),
        ..SoftSettings::default()
    };
    let mut body = SoftBody::new(
        settings,
        Arc::new(Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(n))),
        Pose {
            x: Vec2::from_angle(get(5, 0.0)),
            y: Vec2::from_angle(get(5, 0.0)).perp(),
            ..Pose::at(Vec2::new(0.0, -51.0 - get(4, 300.0)))
        },
    );
    let shape = Shape::new(&Outline::Rectangle { half: Vec2::new(1000.0, 50.0) }, Vec2::X, Vec2::Y).unwrap();
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
    let rate = get(7, 60.0);
    let mut tick = Tick::still(1.0 / rate, Vec2::new(0.0, 980.0));
    tick.colliders = Some(&colliders);
    let mut spent = std::time::Duration::ZERO;
    for t in 0..(6.0 * rate) as usize {
        let began = std::time::Instant::now();
        body.step(&tick);
        spent += began.elapsed();
        let b = body.bounds();
        if t % (rate as usize / 20) == 0 || body.is_sleeping() {
            println!(
                "{:5.2} top {:8.2} bottom {:8.3} width {:7.2} vy {:8.2} w {:7.3} turned {:6.3} area {:.4} inverted {} asleep {} touches {}",
                t as f32 / rate,
                b.min.y,
                b.max.y,
                b.max.x - b.min.x,
                body.linear_velocity().y,
                body.angular_velocity(),
                body.turned(),
                body.area() / body.rest_area(),
                body.inverted(),
                body.is_sleeping(),
                body.touches().len()
            );
        }
        if body.is_sleeping() {
            break;
        }
    }
    println!("{:?}", spent);
}
