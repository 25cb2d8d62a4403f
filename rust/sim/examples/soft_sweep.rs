//! Drops bodies of many materials on a floor at 2000 px/s, and prints what is wrong with them.
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
    for n in [2u32, 5, 10] {
        for stiffness in [0.0, 1.0, 200.0, 1e4, 1e7] {
            for mass in [0.001, 1.0, 1000.0] {
                for damping in [0.0, 4.0, 1e4] {
                    for area in [0.0, 1.0, 1e4] {
                        for rate in [30.0, 60.0, 240.0] {
                            let settings = SoftSettings {
                                stiffness,
                                damping,
                                area_stiffness: area,
                                mass,
                                linear_damp: 1.0,
                                ..SoftSettings::default()
                            };
                            let turn = Vec2::from_angle(0.3);
                            let mut body = SoftBody::new(
                                settings,
                                Arc::new(Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(n))),
                                Pose { x: turn, y: turn.perp(), ..Pose::at(Vec2::new(0.0, -151.0)) },
                            );
                            let mut tick = Tick::still(1.0 / rate, Vec2::new(0.0, 980.0));
                            tick.colliders = Some(&colliders);
                            body.set_linear_velocity(Vec2::new(300.0, 2000.0));
                            let mut streaks = vec![0; body.mesh().triangles.len()];
                            let (mut longest, mut deep, mut wide) = (0, 0.0f32, 0.0f32);
                            let mut slept = -1.0;
                            let began = std::time::Instant::now();
                            let mut fastest = 0.0f32;
                            for t in 0..(10.0 * rate) as usize {
                                body.step(&tick);
                                for (k, streak) in streaks.iter_mut().enumerate() {
                                    *streak = if body.is_inverted(k) { *streak + 1 } else { 0 };
                                    longest = longest.max(*streak);
                                }
                                let b = body.bounds();
                                deep = deep.max(b.max.y);
                                wide = wide.max(b.max.x - b.min.x).max(b.max.y - b.min.y);
                                if body.is_sleeping() {
                                    slept = t as f32 / rate;
                                    break;
                                }
                                fastest =
                                    (0..body.point_count()).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
                            }
                            let spent = began.elapsed().as_micros();
                            let mut bad = String::new();
                            if slept < 0.0 && fastest > 10.0 {
                                bad += &format!(" moves {fastest:.0}");
                            }
                            if slept < 0.0 && fastest <= 10.0 {
                                bad += &format!(" creeps {fastest:.1}");
                            }
                            if area > 0.0 && longest > 5 {
                                bad += &format!(" inverted {longest}");
                            }
                            if deep > 1.0 {
                                bad += &format!(" deep {deep:.1}");
                            }
                            if wide > 1000.0 {
                                bad += &format!(" wide {wide:.0}");
                            }
                            if body.recoveries() > 0 {
                                bad += " nan";
                            }
                            if !bad.is_empty() {
                                println!(
                                    "n {n} k {stiffness} m {mass} d {damping} area {area} rate {rate}:{bad} | slept {slept:.1} {spent}us"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
