//! Drops bodies on many things, and prints what becomes of them.
use glam::{UVec2, Vec2};
use std::sync::Arc;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

fn collider(body: u64, outline: Outline, from: (f32, f32, f32), to: (f32, f32, f32)) -> Collider {
    let shape = Shape::new(&outline, Vec2::X, Vec2::Y).unwrap();
    let pose = |p: (f32, f32, f32)| RigidPose { origin: Vec2::new(p.0, p.1), angle: p.2 };
    Collider {
        key: ColliderKey { body, ..ColliderKey::default() },
        shape: Arc::new(shape),
        from: pose(from),
        to: pose(to),
        layers: 1,
        material: Material { friction: 1.0, bounce: 0.0 },
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }
}
fn boxed(body: u64, x: f32, y: f32, w: f32, h: f32, angle: f32) -> Collider {
    collider(body, Outline::Rectangle { half: Vec2::new(w / 2.0, h / 2.0) }, (x, y, angle), (x, y, angle))
}
/// The shape error: root mean square of the distance to the rest shape in the best frame, as a part of the size.
fn error(body: &SoftBody) -> f32 {
    let pose = body.rigid_pose();
    let n = body.point_count();
    let sum: f32 = (0..n)
        .map(|i| {
            let p = body.mesh().points[i];
            (pose.origin + pose.x * p.x + pose.y * p.y).distance_squared(body.position(i))
        })
        .sum();
    (sum / n as f32).sqrt() / 100.0
}
fn run(name: &str, mut body: SoftBody, seconds: f32, rate: f32, mut world: impl FnMut(f32) -> Vec<Collider>) {
    let mut colliders = Colliders::default();
    let (mut deep, mut slept, mut worst) = (0.0f32, -1.0, 0.0f32);
    for t in 0..(seconds * rate) as usize {
        let time = t as f32 / rate;
        colliders.set(world(time));
        let mut tick = Tick::still(1.0 / rate, Vec2::new(0.0, 980.0));
        tick.colliders = Some(&colliders);
        body.notice_colliders(&colliders);
        body.step(&tick);
        for c in colliders.all() {
            let turn = Vec2::from_angle(-c.to.angle);
            for piece in c.shape.pieces() {
                for i in 0..body.point_count() {
                    let local = turn.rotate(body.position(i) - c.to.origin);
                    deep = deep.max(-piece.nearest(local).distance);
                }
                // Corners inside of the body.
                for corner in &piece.corners {
                    let at = c.to.origin + Vec2::from_angle(c.to.angle).rotate(*corner);
                    if body.contains(at) {
                        let o = &body.mesh().outline;
                        let d = (0..o.len())
                            .map(|k| {
                                let (a, b) =
                                    (body.position(o[k] as usize), body.position(o[(k + 1) % o.len()] as usize));
                                let t = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                                at.distance(a.lerp(b, t))
                            })
                            .fold(f32::INFINITY, f32::min);
                        worst = worst.max(d);
                    }
                }
            }
        }
        if std::env::args().nth(1).is_some_and(|a| a == name) && t % (rate as usize / 20) == 0 {
            let c = body.center();
            println!(
                "{time:.2} center {:.1} {:.1} v {:.1} {:.1} area {:.4} error {:.4} inverted {} deep {deep:.2} corner {worst:.2} turned {:.3} asleep {}",
                c.x,
                c.y,
                body.linear_velocity().x,
                body.linear_velocity().y,
                body.area() / body.rest_area(),
                error(&body),
                body.inverted(),
                body.turned(),
                body.is_sleeping()
            );
        }
        if body.is_sleeping() && slept < 0.0 {
            slept = time;
        }
        if !body.is_sleeping() {
            slept = -1.0;
        }
    }
    println!(
        "{name:20} deep {deep:.3} corner in {worst:.3} slept {slept:.2} area {:.4} error {:.4} inverted {} at {:?}",
        body.area() / body.rest_area(),
        error(&body),
        body.inverted(),
        body.center()
    );
}
fn jelly(n: u32, x: f32, y: f32) -> SoftBody {
    SoftBody::new(
        SoftSettings::default(),
        Arc::new(Mesh::rectangle(Vec2::splat(100.0), UVec2::splat(n))),
        Pose::at(Vec2::new(x, y)),
    )
}

fn main() {
    for n in [4, 5, 8, 16] {
        run(&format!("floor {n}"), jelly(n, 0.0, -351.0), 6.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]);
    }
    for rate in [30.0, 240.0] {
        run(&format!("floor rate {rate}"), jelly(5, 0.0, -351.0), 6.0, rate, |_| {
            vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]
        });
    }
    for angle in [0.2, 0.4, 0.7, 0.9] {
        run(&format!("slope {angle}"), jelly(5, 0.0, -251.0), 6.0, 60.0, move |_| {
            vec![boxed(1, 0.0, 0.0, 20000.0, 100.0, angle)]
        });
    }
    let spike = |x: f32| {
        collider(
            7,
            Outline::Polygon(vec![Vec2::new(-20.0, 0.0), Vec2::new(0.0, -60.0), Vec2::new(20.0, 0.0)]),
            (x, 0.0, 0.0),
            (x, 0.0, 0.0),
        )
    };
    for x in [0.0, 12.0, -30.0] {
        run(&format!("spike {x}"), jelly(5, 0.0, -351.0), 10.0, 60.0, |_| {
            vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0), spike(x)]
        });
        run(&format!("spike8 {x}"), jelly(8, 0.0, -351.0), 10.0, 60.0, |_| {
            vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0), spike(x)]
        });
    }
    let needle = |x: f32| {
        collider(
            7,
            Outline::Polygon(vec![Vec2::new(-3.0, 0.0), Vec2::new(0.0, -60.0), Vec2::new(3.0, 0.0)]),
            (x, 0.0, 0.0),
            (x, 0.0, 0.0),
        )
    };
    run("needle", jelly(5, 0.0, -351.0), 10.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0), needle(5.0)]);
    run("tiles", jelly(5, 7.0, -351.0), 6.0, 60.0, |_| {
        (-30..30).map(|k| boxed(1, k as f32 * 16.0, 8.0, 16.0, 16.0, 0.0)).collect()
    });
    run("stairs", jelly(5, -100.0, -351.0), 6.0, 60.0, |_| {
        (-20..60).map(|k| boxed(1, k as f32 * 16.0, 8.0 + 12.0 * k as f32, 16.0, 400.0, 0.0)).collect()
    });
    run("pegs", jelly(5, 3.0, -500.0), 10.0, 60.0, |_| {
        let mut v = vec![boxed(1, 0.0, 450.0, 3000.0, 100.0, 0.0)];
        for r in 0..5 {
            for k in -10..10 {
                v.push(collider(
                    2 + (r * 20 + k + 10) as u64,
                    Outline::Circle { radius: 12.0 },
                    (k as f32 * 120.0 + 60.0 * (r % 2) as f32, r as f32 * 60.0, 0.0),
                    (k as f32 * 120.0 + 60.0 * (r % 2) as f32, r as f32 * 60.0, 0.0),
                ));
            }
        }
        v
    });
    let lift = |t: f32| {
        let y = |t: f32| 50.0 + 100.0 * (2.0 * t).sin();
        let x = |t: f32| 100.0 * (1.0 * t).sin();
        collider(
            1,
            Outline::Rectangle { half: Vec2::new(300.0, 50.0) },
            (x(t - 1.0 / 60.0), y(t - 1.0 / 60.0), 0.0),
            (x(t), y(t), 0.0),
        )
    };
    run("platform", jelly(5, 0.0, -351.0), 10.0, 60.0, |t| vec![lift(t)]);
    // A crusher comes down to a gap of 4 px, waits and goes up.
    for gap in [30.0, 10.0, 4.0, -20.0] {
        let plate = move |t: f32| {
            let y = |t: f32| -250.0 + (250.0 - gap) * (1.5 * t).sin().max(0.0).powf(0.5).min(1.0);
            collider(
                2,
                Outline::Rectangle { half: Vec2::new(300.0, 50.0) },
                (0.0, y(t - 1.0 / 60.0) - 50.0, 0.0),
                (0.0, y(t) - 50.0, 0.0),
            )
        };
        run(&format!("crusher {gap}"), jelly(5, 0.0, -61.0), 12.0, 60.0, move |t| {
            vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0), plate(if t < 2.5 { t } else { 2.5 })]
        });
    }
    // Folded over a beam by a stamp.
    // Turned inside out by hand.
    let mut body = jelly(5, 0.0, -80.0);
    for i in 0..body.point_count() {
        let p = body.position(i);
        body.set_position(i, Vec2::new(-p.x, p.y));
    }
    run("mirrored", body, 8.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]);
    let mut body = jelly(8, 0.0, -80.0);
    for i in 0..body.point_count() {
        let p = body.position(i);
        body.set_position(i, Vec2::new(-p.x.abs(), p.y));
    }
    run("folded", body, 8.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]);
    let mut body = jelly(8, 0.0, -80.0);
    for i in 0..body.point_count() {
        body.set_position(i, Vec2::new(3.0, -80.0));
    }
    run("one point", body, 8.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]);
    let mut body = jelly(8, 0.0, -80.0);
    for i in 0..body.point_count() {
        let a = i as f32 * 2.4;
        body.set_position(i, Vec2::new(0.0, -100.0) + Vec2::from_angle(a) * ((i * 7919) % 90) as f32);
    }
    run("scrambled", body, 8.0, 60.0, |_| vec![boxed(1, 0.0, 50.0, 2000.0, 100.0, 0.0)]);
}
