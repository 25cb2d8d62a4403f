//! Soft bodies on each other and on rigid bodies, with an engine that moves bodies as Godot does: `v += a dt; x += v dt`.

use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::island::{self, Rigid, Seen, Track};
use supple_sim::mesh::Mesh;
use supple_sim::soft::{Pile, SoftBody, SoftSettings};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);

/// A rigid body of the engine's.
struct Thing {
    seen: Seen,
    track: Track,
    shape: Arc<Shape>,
    material: Material,
}

struct World {
    softs: Vec<SoftBody>,
    things: Vec<Thing>,
    walls: Vec<Collider>,
    gravity: Vec2,
    rate: f32,
    pile: Pile,
    workers: Workers,
    colliders: Colliders,
}

fn jelly(points: u32) -> SoftSettings {
    let _ = points;
    let mut settings = SoftSettings::default();
    settings.collision.layer = 1;
    settings.collision.radius = 1.0;
    settings
}

fn block(width: f32, height: f32) -> Outline {
    Outline::Rectangle { half: Vec2::new(0.5 * width, 0.5 * height) }
}

impl World {
    fn new(rate: f32) -> World {
        World {
            softs: Vec::new(),
            things: Vec::new(),
            walls: Vec::new(),
            gravity: GRAVITY,
            rate,
            pile: Pile::default(),
            workers: Workers::default(),
            colliders: Colliders::default(),
        }
    }

    fn soft(&mut self, settings: SoftSettings, size: Vec2, points: u32, center: Vec2) -> &mut SoftBody {
        let mesh = Mesh::rectangle(size, glam::UVec2::splat(points));
        let mut body = SoftBody::new(settings, Arc::new(mesh), Pose::at(center));
        body.set_key(1000 + self.softs.len() as u64);
        self.softs.push(body);
        self.softs.last_mut().expect("just added")
    }

    fn wall(&mut self, outline: Outline, x: f32, y: f32) {
        let pose = RigidPose { origin: Vec2::new(x, y), angle: 0.0 };
        self.walls.push(Collider {
            key: ColliderKey { body: 1 + self.walls.len() as u64, ..ColliderKey::default() },
            shape: Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape")),
            from: pose,
            to: pose,
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        });
    }

    /// A floor whose surface is at y = 0.
    fn floor(&mut self) {
        self.wall(block(10_000.0, 100.0), 0.0, 50.0);
    }

    fn thing(&mut self, outline: Outline, mass: f32, inertia: f32, center: Vec2) -> &mut Thing {
        let key = 500 + self.things.len() as u64;
        let seen = Seen { key, center, inv_mass: 1.0 / mass, inv_inertia: 1.0 / inertia, ..Seen::default() };
        let shape = Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape"));
        self.things.push(Thing { seen, track: Track::default(), shape, material: Material::default() });
        self.things.last_mut().expect("just added")
    }

    fn square(&mut self, mass: f32, size: f32, center: Vec2) -> &mut Thing {
        self.thing(block(size, size), mass, mass * size * size / 6.0, center)
    }

    fn ball(&mut self, mass: f32, radius: f32, center: Vec2) -> &mut Thing {
        self.thing(Outline::Circle { radius }, mass, 0.5 * mass * radius * radius, center)
    }

    fn tick(&mut self) {
        let delta = 1.0 / self.rate;
        let gravity = self.gravity;
        self.things.iter_mut().for_each(|thing| thing.seen.acceleration = gravity);
        let mut rigids: Vec<Rigid> =
            self.things.iter_mut().map(|thing| thing.track.predict(&thing.seen, delta)).collect();
        let movers = self.things.iter().zip(&rigids).map(|(thing, rigid)| {
            let from = RigidPose { origin: thing.seen.center, angle: thing.seen.angle };
            Collider {
                key: ColliderKey { body: thing.seen.key, ..ColliderKey::default() },
                shape: Arc::clone(&thing.shape),
                from,
                to: RigidPose { origin: from.origin + rigid.velocity * delta, angle: from.angle + rigid.spin * delta },
                layers: 1,
                material: thing.material,
                surface_velocity: (Vec2::ZERO, 0.0),
                yields: true,
                one_way: None,
            }
        });
        self.colliders.set(self.walls.iter().cloned().chain(movers));
        let tick = Tick { colliders: Some(&self.colliders), ..Tick::still(delta, gravity) };
        self.softs.iter_mut().for_each(|soft| soft.notice_colliders(&self.colliders));
        let mut softs: Vec<&mut SoftBody> = self.softs.iter_mut().collect();
        let moved = island::step(&mut [], &mut softs, &mut rigids, &tick, &mut self.pile, &self.workers);
        for (thing, rigid) in self.things.iter_mut().zip(&rigids) {
            let impulse = if moved { thing.track.impulse(&thing.seen, rigid, delta) } else { None };
            let impulse = impulse.unwrap_or_default();
            let seen = &mut thing.seen;
            seen.velocity += impulse.linear * seen.inv_mass + gravity * delta;
            seen.spin += impulse.angular * seen.inv_inertia;
            seen.center += seen.velocity * delta;
            seen.angle += seen.spin * delta;
        }
    }

    fn run(&mut self, seconds: f32) {
        (0..(seconds * self.rate).round() as usize).for_each(|_| self.tick());
    }

    fn momentum(&self) -> Vec2 {
        self.softs.iter().map(|soft| soft.linear_velocity() * soft.mass()).sum::<Vec2>()
            + self.things.iter().map(|thing| thing.seen.velocity / thing.seen.inv_mass).sum::<Vec2>()
    }

    /// How deep the outline of any soft body is in another, in px.
    fn overlap(&self) -> f32 {
        let mut deepest = 0.0f32;
        for (a, one) in self.softs.iter().enumerate() {
            let corners: Vec<Vec2> = one.mesh().outline.iter().map(|&i| one.position(i as usize)).collect();
            for (b, other) in self.softs.iter().enumerate() {
                if a == b || !one.bounds().overlaps(&other.bounds()) {
                    continue;
                }
                let outline: Vec<Vec2> = other.mesh().outline.iter().map(|&i| other.position(i as usize)).collect();
                for &corner in corners.iter().filter(|&&corner| other.contains(corner)) {
                    let distance = |k: usize| {
                        let (from, to) = (outline[k], outline[(k + 1) % outline.len()]);
                        let along = to - from;
                        let part = ((corner - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                        corner.distance(from + along * part)
                    };
                    deepest = deepest.max((0..outline.len()).map(distance).fold(f32::INFINITY, f32::min));
                }
            }
        }
        deepest
    }
}

#[test]
#[ignore = "prints"]
fn probe() {
    for rate in [30.0, 60.0, 240.0] {
        let mut world = World::new(rate);
        world.floor();
        for k in 0..10 {
            world.soft(jelly(5), Vec2::splat(100.0), 5, Vec2::new(0.0, -55.0 - 105.0 * k as f32));
        }
        for s in 0..12 {
            let mut most = 0.0f32;
            for _ in 0..rate as usize {
                world.tick();
                most = most.max(world.overlap());
            }
            let asleep = world.softs.iter().filter(|soft| soft.is_sleeping()).count();
            let top = world.softs[9].center();
            let fast = world.softs.iter().map(|soft| soft.linear_velocity().length()).fold(0.0, f32::max);
            println!("{rate} stack {s}: top {top} fast {fast:.2} overlap {most:.2} asleep {asleep}");
        }
    }
    for rate in [30.0, 60.0, 240.0] {
        for (mass, stiffness) in [(1.0, 200.0), (10.0, 2000.0), (50.0, 2000.0), (50.0, 20000.0), (50.0, 200.0)] {
            let mut world = World::new(rate);
            world.floor();
            world.soft(
                SoftSettings { stiffness, damping: 20.0, ..jelly(10) },
                Vec2::new(300.0, 80.0),
                12,
                Vec2::new(0.0, -41.0),
            );
            world.square(mass, 60.0, Vec2::new(0.0, -200.0));
            for s in 0..5 {
                world.run(1.0);
                let seen = world.things[0].seen;
                println!(
                    "{rate} crate {mass} on {stiffness} {s}: {} v {} angle {:.3}; soft {:?}",
                    seen.center,
                    seen.velocity,
                    seen.angle,
                    world.softs[0].bounds()
                );
            }
        }
    }
    let mut world = World::new(60.0);
    world.gravity = Vec2::ZERO;
    let body = world.soft(SoftSettings { linear_damp: 0.0, ..jelly(6) }, Vec2::splat(100.0), 6, Vec2::ZERO);
    body.set_linear_velocity(Vec2::new(500.0, 20.0));
    world.square(2.0, 60.0, Vec2::new(150.0, 20.0));
    println!("momentum {}", world.momentum());
    world.run(2.0);
    println!(
        "momentum {} thing {} spin {}",
        world.momentum(),
        world.things[0].seen.velocity,
        world.things[0].seen.spin
    );
    let mut world = World::new(60.0);
    world.gravity = Vec2::ZERO;
    let body = world.soft(SoftSettings { linear_damp: 0.0, ..jelly(6) }, Vec2::splat(100.0), 6, Vec2::ZERO);
    body.set_linear_velocity(Vec2::new(500.0, 20.0));
    world.soft(SoftSettings { linear_damp: 0.0, ..jelly(6) }, Vec2::splat(100.0), 6, Vec2::new(150.0, 30.0));
    println!("soft momentum {}", world.momentum());
    world.run(2.0);
    println!("momentum {} {} {}", world.momentum(), world.softs[0].linear_velocity(), world.softs[1].linear_velocity());
}

#[test]
#[ignore = "prints"]
fn probe_pile() {
    let count: usize = std::env::var("COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let size: f32 = std::env::var("SIZE").ok().and_then(|text| text.parse().ok()).unwrap_or(60.0);
    let mut world = World::new(60.0);
    if std::env::var("ONE").is_err() {
        world.workers = Workers::for_this_machine();
    }
    world.floor();
    let wide = 14.0 * size;
    for side in [-1.0, 1.0] {
        world.wall(block(100.0, 20000.0), side * (0.5 * wide + 50.0), -9000.0);
    }
    let columns = 10;
    for k in 0..count {
        let at = Vec2::new(
            (k % columns) as f32 * 1.3 * size - 0.5 * 1.3 * size * (columns - 1) as f32 + ((k * 7919) % 13) as f32,
            -size - (k / columns) as f32 * 1.4 * size,
        );
        let mesh = Mesh::rectangle(Vec2::splat(size), glam::UVec2::splat(10));
        let x = Vec2::from_angle(k as f32 * 0.7);
        let mut body = SoftBody::new(jelly(10), Arc::new(mesh), Pose { origin: at, x, y: x.perp() });
        body.set_key(1000 + k as u64);
        world.softs.push(body);
    }
    for s in 0..std::env::var("SECS").ok().and_then(|text| text.parse().ok()).unwrap_or(15) {
        let (mut most, mut times) = (0.0f32, Vec::new());
        for _ in 0..60 {
            let began = std::time::Instant::now();
            world.tick();
            times.push(began.elapsed().as_secs_f32() * 1e3);
        }
        most = most.max(world.overlap());
        times.sort_by(f32::total_cmp);
        let asleep = world.softs.iter().filter(|soft| soft.is_sleeping()).count();
        let fast = world.softs.iter().map(|soft| soft.linear_velocity().length()).fold(0.0, f32::max);
        let area = world.softs.iter().map(|soft| soft.area() / soft.rest_area()).fold(f32::INFINITY, f32::min);
        println!(
            "pile {s}: {:.2} ms, worst {:.2}; fast {fast:.2} overlap {most:.2} asleep {asleep} area {area:.3}",
            times[30], times[59]
        );
    }
}

#[test]
#[ignore = "prints"]
fn probe_ball() {
    for pinned in [false, true] {
        for (stiffness, damping) in [(200.0, 2.0), (2000.0, 2.0), (20000.0, 5.0)] {
            for mass in [0.2, 1.0, 5.0] {
                let mut line = format!("ball {mass} on {stiffness} pinned {pinned}:");
                for bounce in [0.0, 0.25, 0.5, 0.75, 1.0] {
                    let mut world = World::new(60.0);
                    world.floor();
                    let mut settings = SoftSettings { stiffness, damping, mass: 2.0, ..jelly(10) };
                    settings.collision.bounce = bounce;
                    let body = world.soft(settings, Vec2::new(300.0, 80.0), 10, Vec2::new(0.0, -41.0));
                    if pinned {
                        body.pin_at_rest(&[
                            0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 9, 19, 29, 39, 49, 59, 69, 79, 89, 99,
                        ]);
                    }
                    world.run(1.0);
                    let top = world.softs[0].bounds().min.y;
                    world.ball(mass, 20.0, Vec2::new(0.0, top - 221.0));
                    let (mut low, mut struck, mut high) = (f32::NEG_INFINITY, false, f32::INFINITY);
                    for _ in 0..240 {
                        world.tick();
                        let y = world.things[0].seen.center.y;
                        low = low.max(y);
                        struck |= y > top - 21.0;
                        if struck && world.things[0].seen.velocity.y < 0.0 {
                            high = high.min(y);
                        }
                        if struck && high < f32::INFINITY && world.things[0].seen.velocity.y > 0.0 {
                            break;
                        }
                    }
                    line += &format!(" {:.0}% (dent {:.0})", 100.0 * (top - 21.0 - high) / 200.0, low - (top - 21.0));
                }
                println!("{line}");
            }
        }
    }
}
