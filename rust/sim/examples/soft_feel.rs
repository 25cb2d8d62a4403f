//! The same body with different numbers of points: sag and period.
use glam::{UVec2, Vec2};
use std::sync::Arc;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{Sides, SoftBody, SoftSettings};
use supple_sim::tick::Tick;

fn main() {
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
    for (stiffness, mass) in [(200.0, 1.0), (200.0, 5.0), (2000.0, 1.0), (50.0, 1.0)] {
        for (name, mesh) in [4, 5, 8, 16, 32]
            .map(|n| (format!("{n}"), Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(n))))
            .into_iter()
            .chain([30.0, 15.0, 8.0].map(|s| {
                (
                    format!("polygon {s}"),
                    Mesh::polygon(
                        &[
                            Vec2::new(-50.0, -50.0),
                            Vec2::new(50.0, -50.0),
                            Vec2::new(50.0, 50.0),
                            Vec2::new(-50.0, 50.0),
                        ],
                        s,
                    )
                    .unwrap(),
                )
            }))
        {
            let mesh = Arc::new(mesh);
            let settings = SoftSettings { stiffness, mass, ..SoftSettings::default() };
            let top = Sides { top: true, ..Sides::default() }.points(&mesh);
            let mut hanging = SoftBody::new(settings, mesh.clone(), Pose::at(Vec2::ZERO));
            hanging.pin_at_rest(&top);
            let mut tick = Tick::still(1.0 / 60.0, Vec2::new(0.0, 980.0));
            let mut crossings = Vec::new();
            for _ in 0..600 {
                hanging.step(&tick);
            }
            let sag = hanging.bounds().max.y - 50.0;
            // The period of the hanging body along and across, from the crossings of its middle.
            let rest = hanging.center();
            for axis in [Vec2::Y, Vec2::X] {
                hanging.apply_central_impulse(axis * 30.0 * mass);
                let mut before = 0.0;
                let mut times = Vec::new();
                for t in 0..240 {
                    hanging.step(&Tick { delta: 1.0 / 240.0, ..tick });
                    let off = (hanging.center() - rest).dot(axis);
                    if t > 0 && before * off < 0.0 {
                        times.push((t as f32 - off / (off - before)) / 240.0);
                    }
                    before = off;
                }
                crossings.push(if times.len() > 1 { 2.0 * (times[1] - times[0]) } else { 0.0 });
                for _ in 0..600 {
                    hanging.step(&tick);
                }
            }
            tick.colliders = Some(&colliders);
            let mut standing = SoftBody::new(settings, mesh.clone(), Pose::at(Vec2::new(0.0, -51.0)));
            for _ in 0..600 {
                standing.step(&tick);
            }
            let low = -1.0 - standing.bounds().min.y;
            println!(
                "k {stiffness} m {mass} {name:12} points {:4} hangs +{sag:.2}, period {:.3} across {:.3}; stands {low:.2} wide {:.2}",
                mesh.points.len(),
                crossings[0],
                crossings[1],
                standing.bounds().max.x - standing.bounds().min.x
            );
        }
    }
}
