//! Ropes against colliders.

use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::rope::{CollisionSettings, Rope, RopeSettings};
use supple_sim::tick::Tick;

const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);

/// A collider that moves by a function of time.
struct Thing {
    shape: Arc<Shape>,
    path: Box<dyn Fn(f32) -> RigidPose>,
    material: Material,
}

fn thing(outline: Outline, path: impl Fn(f32) -> RigidPose + 'static) -> Thing {
    let shape = Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape");
    Thing { shape: Arc::new(shape), path: Box::new(path), material: Material::default() }
}

fn still(outline: Outline, x: f32, y: f32) -> Thing {
    thing(outline, move |_| RigidPose { origin: Vec2::new(x, y), angle: 0.0 })
}

fn block(width: f32, height: f32) -> Outline {
    Outline::Rectangle { half: Vec2::new(0.5 * width, 0.5 * height) }
}

/// A rope among things.
struct Scene {
    rope: Rope,
    things: Vec<Thing>,
    colliders: Colliders,
    rate: f32,
    tick: u32,
    /// The deepest that the rope's surface was in anything, and the most stretch.
    deepest: f32,
    stretch: f32,
    fastest: f32,
}

impl Scene {
    fn new(settings: RopeSettings, pose: Pose, things: Vec<Thing>, rate: f32) -> Scene {
        let rope = Rope::new(settings, pose);
        Scene { rope, things, colliders: Colliders::default(), rate, tick: 0, deepest: 0.0, stretch: 0.0, fastest: 0.0 }
    }

    fn gather(&mut self) {
        let time = |tick: u32| tick as f32 / self.rate;
        let (from, to) = (time(self.tick.saturating_sub(1)), time(self.tick));
        let colliders = self.things.iter().enumerate().map(|(i, thing)| Collider {
            key: ColliderKey { body: i as u64 + 1, part: 0, shape: 0 },
            shape: Arc::clone(&thing.shape),
            from: (thing.path)(from),
            to: (thing.path)(to),
            layers: 1,
            material: thing.material,
            surface_velocity: (Vec2::ZERO, 0.0),
            one_way: None,
        });
        self.colliders.set(colliders);
    }

    fn step(&mut self) {
        self.gather();
        self.rope.notice_colliders(&self.colliders);
        self.rope.step(&Tick { colliders: Some(&self.colliders), ..Tick::still(1.0 / self.rate, GRAVITY) });
        self.tick += 1;
        self.stretch = self.stretch.max(self.rope.stretch() - 1.0);
        self.deepest = self.deepest.max(self.depth());
        self.fastest = (0..self.rope.point_count()).map(|i| self.rope.velocity(i).length()).fold(0.0, f32::max);
    }

    /// How deep the surface is in anything, at any point and between them.
    fn depth(&self) -> f32 {
        let mut deepest = f32::NEG_INFINITY;
        let radius = self.rope.settings().collision.radius;
        for collider in self.colliders.all() {
            let turn = Vec2::from_angle(-collider.to.angle);
            for k in 0..self.rope.point_count() - 1 {
                let (a, b) = (self.rope.position(k), self.rope.position(k + 1));
                for part in 0..8 {
                    let point = a.lerp(b, part as f32 / 8.0) - collider.to.origin;
                    for piece in collider.shape.pieces() {
                        deepest = deepest.max(radius - piece.nearest(turn.rotate(point)).distance);
                    }
                }
            }
        }
        deepest
    }

    fn run(&mut self, seconds: f32) -> &mut Scene {
        for _ in 0..(seconds * self.rate) as u32 {
            self.step();
        }
        self
    }

    fn say(&self, name: &str) {
        println!(
            "{name:30} {:3} Hz: deepest {:7.3} px, stretch {:7.3} %, fastest now {:7.2} px/s, asleep {}, {:?}",
            self.rate,
            self.deepest,
            100.0 * self.stretch,
            self.fastest,
            self.rope.is_sleeping(),
            self.rope.report()
        );
    }
}

const RATES: [f32; 3] = [30.0, 60.0, 120.0];

fn free(length: f32) -> RopeSettings {
    RopeSettings { length, start_pinned: false, end_position: Vec2::X, ..RopeSettings::default() }
}

fn both(length: f32, end: Vec2) -> RopeSettings {
    RopeSettings { length, end_pinned: true, end_position: end, ..RopeSettings::default() }
}

/// A number in 0..1 that follows from another.
fn chance(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 40) as f32 / (1u64 << 24) as f32
}

#[test]
fn thrown() {
    for rate in RATES {
        for (name, outline) in [
            ("block", block(2.0, 4000.0)),
            ("line", Outline::Lines(vec![[Vec2::new(0.0, -2000.0), Vec2::new(0.0, 2000.0)]])),
        ] {
            let mut through = 0;
            let mut deepest = 0.0f32;
            let mut stretch = 0.0f32;
            let mut followed = 0;
            let mut seed = 7;
            for _ in 0..100 {
                let angle = std::f32::consts::TAU * chance(&mut seed);
                let settings = RopeSettings { end_position: Vec2::from_angle(angle), gravity_scale: 0.0, linear_damp: 0.0, air_drag: 0.0, ..free(300.0) };
                let x = -310.0 - 60.0 * chance(&mut seed);
                let mut scene = Scene::new(settings, Pose::at(Vec2::new(x, 0.0)), vec![still(outline.clone(), 0.0, 0.0)], rate);
                let speed = 500.0 + 3500.0 * chance(&mut seed);
                let way = Vec2::from_angle(1.2 * (chance(&mut seed) - 0.5)) * speed;
                let spin = 10.0 * (chance(&mut seed) - 0.5);
                let middle = scene.rope.position(15);
                for i in 0..scene.rope.point_count() {
                    let arm = scene.rope.position(i) - middle;
                    scene.rope.set_velocity(i, way + arm.perp() * spin);
                }
                scene.run(1.5);
                through += (0..scene.rope.point_count()).filter(|&i| scene.rope.position(i).x > 0.0).count();
                deepest = deepest.max(scene.deepest);
                stretch = stretch.max(scene.stretch);
                followed += scene.rope.report().followed;
            }
            println!("thrown at a {name} {rate} Hz: {through} points through, deepest {deepest}, stretch {stretch}, followed {followed}");
        }
    }
}

#[test]
fn slopes() {
    for rate in RATES {
        for friction in [0.1f32, 0.3, 0.6, 1.0] {
            let limit = friction.atan().to_degrees();
            for angle in [limit - 1.0, limit + 1.0] {
                let turn = angle.to_radians();
                let mut slope = thing(block(4000.0, 40.0), move |_| RigidPose { origin: Vec2::ZERO, angle: turn });
                slope.material.friction = friction;
                let along = Vec2::from_angle(turn);
                let settings = RopeSettings { end_position: along, ..free(300.0) };
                let start = along.perp() * -22.5;
                let mut scene = Scene::new(settings, Pose::at(start), vec![slope], rate);
                scene.run(0.5);
                let from = scene.rope.position(10);
                scene.run(3.0);
                println!("friction {friction} {rate} Hz: at {angle:5.1} degrees slides {:8.2} px, asleep {}", (scene.rope.position(10) - from).length(), scene.rope.is_sleeping());
            }
        }
    }
}

#[test]
fn bounces() {
    for rate in RATES {
        for bounce in [0.0, 0.25, 0.5, 0.8, 1.0] {
            let mut floor = still(block(4000.0, 40.0), 0.0, 20.0);
            floor.material.bounce = bounce;
            let settings = RopeSettings { linear_damp: 0.0, air_drag: 0.0, ..free(300.0) };
            let mut scene = Scene::new(settings, Pose::at(Vec2::new(0.0, -302.0)), vec![floor], rate);
            let mut highest = 0.0f32;
            let mut hit = false;
            for _ in 0..(3.0 * rate) as u32 {
                let before = scene.rope.velocity(15).y;
                scene.step();
                let now = scene.rope.velocity(15).y;
                if hit && before < 0.0 && now >= 0.0 { break; }
                hit |= scene.rope.position(15).y > -10.0;
                if hit { highest = highest.max(-2.0 - scene.rope.position(15).y); }
            }
            println!("bounce {bounce} {rate} Hz: {:.3} of the height, ideal {:.3}", highest / 300.0, bounce * bounce);
        }
    }
}

#[test]
fn cost() {
    for (name, slide) in [("lying", 0.0f32), ("slope", 0.9), ("free", 9.0)] {
        let settings = RopeSettings { can_sleep: false, segments: 30, end_position: Vec2::from_angle(if slide < 1.0 { slide } else { 0.0 }), gravity_scale: if slide > 1.0 {0.0} else {1.0}, ..free(300.0) };
        let normal = Vec2::from_angle(slide).perp();
        let mut slope = thing(block(40000.0, 40.0), move |_| RigidPose { origin: Vec2::ZERO, angle: slide });
        slope.material.friction = if slide > 0.0 { 0.3 } else { 1.0 };
        let mut scene = Scene::new(settings, Pose::at(normal * if slide > 1.0 { -500.0 } else { -22.5 }), vec![slope], 60.0);
        scene.gather();
        for _ in 0..60 { scene.rope.step(&Tick { colliders: Some(&scene.colliders), ..Tick::still(1.0 / 60.0, GRAVITY) }); }
        let before = scene.rope.report();
        if std::env::var("ONLY").is_ok_and(|only| only != name) { continue; }
        let began = std::time::Instant::now();
        for _ in 0..20000 { scene.rope.step(&Tick { colliders: Some(&scene.colliders), ..Tick::still(1.0 / 60.0, GRAVITY) }); }
        let report = scene.rope.report();
        println!("{name} Hz: {:.2} us a tick, {} steps a substep", began.elapsed().as_secs_f32() * 1e6 / 20000.0, (report.newton_steps - before.newton_steps) as f32 / 80000.0);
    }
}

/// How near pieces of a rope are that are not neighbours, in px, and how often they cross.
fn nearness(rope: &Rope, apart: usize) -> (f32, usize) {
    let (mut nearest, mut crossings) = (f32::INFINITY, 0);
    let count = rope.point_count() - 1;
    for i in 0..count {
        for j in i + apart + 1..count {
            let (a, b, c, d) = (rope.position(i), rope.position(i + 1), rope.position(j), rope.position(j + 1));
            let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p);
            crossings += usize::from(side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0);
            for s in 0..8 {
                for t in 0..8 {
                    nearest = nearest.min(a.lerp(b, s as f32 / 7.0).distance(c.lerp(d, t as f32 / 7.0)));
                }
            }
        }
    }
    (nearest, crossings)
}

#[test]
fn coils() {
    for rate in RATES {
        let mut settings = RopeSettings { length: 400.0, segments: 80, end_position: Vec2::new(0.02, -1.0), start_pinned: false, ..RopeSettings::default() };
        settings.collision.with_itself = true;
        let mut scene = Scene::new(settings, Pose::at(Vec2::new(0.0, -10.0)), vec![still(block(4000.0, 40.0), 0.0, 20.0)], rate);
        let (mut nearest, mut crossings) = (f32::INFINITY, 0);
        let mut slept = 0.0;
        for tick in 0..(12.0 * rate) as u32 {
            scene.step();
            let near = nearness(&scene.rope, 3);
            nearest = nearest.min(near.0);
            crossings = crossings.max(near.1);
            if !scene.rope.is_sleeping() { slept = tick as f32 / rate; }
        }
        scene.say("coils");
        println!("coils {rate} Hz: nearest {nearest} of 4, crossings {crossings}, now {:?}, asleep after {slept}", nearness(&scene.rope, 3));
    }
}

#[test]
fn hostile() {
    let mut seed = 11;
    let (mut worst, mut most) = (0.0f32, 0.0f32);
    let mut followed = 0;
    let mut ropes = 0;
    for case in 0..1500 {
        let mut between = |a: f32, b: f32| a + (b - a) * chance(&mut seed);
        let wide = |x: f32, a: f32, b: f32| a * (b / a).powf(x);
        let mut things = Vec::new();
        let calm = between(0.0, 1.0) < 0.5;
        for _ in 0..between(1.0, 7.0) as usize {
            let size = wide(between(0.0, 1.0), 2.0, 300.0);
            let outline = match between(0.0, 6.0) as u32 {
                0 => Outline::Circle { radius: size },
                1 => block(size, wide(between(0.0, 1.0), 0.5, 200.0)),
                2 => Outline::Capsule { radius: 0.3 * size, half_line: size },
                3 => Outline::Polygon((0..between(3.0, 8.0) as usize).map(|_| Vec2::new(between(-size, size), between(-size, size))).collect()),
                4 => Outline::Lines((0..4).map(|_| [Vec2::new(between(-size, size), between(-size, size)), Vec2::new(between(-size, size), between(-size, size))]).collect()),
                _ => Outline::HalfPlane { normal: Vec2::from_angle(between(-2.0, -1.0)), distance: between(-100.0, 0.0) },
            };
            let (at, angle) = (Vec2::new(between(-200.0, 200.0), between(0.0, 300.0)), between(0.0, 6.3));
            let (way, spin) = if calm { (Vec2::ZERO, 0.0) } else { (Vec2::new(between(-200.0, 200.0), between(-200.0, 200.0)), between(-20.0, 20.0)) };
            if Shape::new(&outline, Vec2::X, Vec2::Y).is_some() {
                things.push(thing(outline, move |t| RigidPose { origin: at + way * (3.0 * t).sin(), angle: angle + spin * t }));
            }
        }
        let mut settings = RopeSettings {
            length: wide(between(0.0, 1.0), 10.0, 600.0),
            segments: wide(between(0.0, 1.0), 1.0, 60.0) as u32,
            start_pinned: between(0.0, 1.0) < 0.5,
            end_pinned: between(0.0, 1.0) < 0.2,
            end_position: Vec2::new(between(-200.0, 200.0), between(-200.0, 200.0)),
            mass: wide(between(0.0, 1.0), 0.01, 100.0),
            end_mass: if between(0.0, 1.0) < 0.3 { wide(between(0.0, 1.0), 0.1, 100.0) } else { 0.0 },
            bend: if between(0.0, 1.0) < 0.3 { between(0.0, 1.0) } else { 0.0 },
            solver: if between(0.0, 1.0) < 0.15 { supple_sim::rope::Solver::Relaxation } else { supple_sim::rope::Solver::Direct },
            ..RopeSettings::default()
        };
        settings.collision.radius = wide(between(0.0, 1.0), 0.25, 20.0);
        settings.collision.with_itself = between(0.0, 1.0) < 0.2;
        settings.collision.friction = between(0.0, 2.0);
        settings.collision.bounce = between(0.0, 1.0);
        let rate = RATES[between(0.0, 2.99) as usize];
        let direct = settings.solver == supple_sim::rope::Solver::Direct;
        let mut scene = Scene::new(settings, Pose::at(Vec2::new(between(-200.0, 200.0), between(-300.0, 0.0))), things, rate);
        if let Ok(case_wanted) = std::env::var("CASE") {
            if case_wanted.parse() != Ok(case) { continue; }
            scene.gather();
            for c in scene.colliders.all() { println!("SHAPE {:?} {:?}", c.to, c.shape.pieces()); }
            println!("SETTINGS {:?} at {:?}", scene.rope.settings(), scene.rope.pose());
            for tick in 0..(8.0 * rate) as u32 {
                scene.step();
                if tick % (rate as u32 / 10) == 0 || tick < 5 {
                    let line: Vec<String> = (0..scene.rope.point_count()).map(|i| format!("{:.1},{:.1}", scene.rope.position(i).x, scene.rope.position(i).y)).collect();
                    println!("T {tick} fastest {} depth {} stretch {} {:?} {}", scene.fastest, scene.depth(), scene.rope.stretch() - 1.0, scene.rope.report(), line.join(" "));
                }
            }
        }
        scene.run(4.0);
        scene.deepest = 0.0;
        scene.stretch = 0.0;
        scene.run(3.0);
        let report = scene.rope.report();
        let apart = scene.rope.position(0).distance(scene.rope.position(scene.rope.point_count() - 1)) > 0.99 * settings.length;
        let apart = apart && settings.start_pinned && settings.end_pinned;
        // Held inside of something it cannot get out.
        let buried = |i: usize| scene.rope.is_pinned(i) && scene.colliders.all().iter().any(|c| c.shape.pieces().iter().any(|p| p.nearest(Vec2::from_angle(-c.to.angle).rotate(scene.rope.position(i) - c.to.origin)).distance < 0.0));
        let buried = (0..scene.rope.point_count()).any(buried);
        let far = (0..scene.rope.point_count()).map(|i| scene.rope.position(i)).all(|p| p.is_finite());
        assert!(far && scene.rope.recoveries() == 0, "case {case}");
        followed += report.followed;
        ropes += 1;
        if calm && direct && !apart && !buried && (scene.deepest > 0.5 || scene.stretch > 0.01) {
            println!("case {case} {rate} Hz: deepest {} stretch {} followed {} radius {} links {} length {} held {} {}, fastest {}", scene.deepest, scene.stretch, report.followed, settings.collision.radius, scene.rope.lengths().len(), settings.length, settings.start_pinned, settings.end_pinned, scene.fastest);
        }
        if calm && direct && !apart && !buried { worst = worst.max(scene.deepest); most = most.max(scene.stretch); }
    }
    println!("hostile Hz: {ropes} ropes, deepest {worst}, most stretch {most}, followed {followed}");
}

#[test]
fn dragged() {
    for rate in RATES {
        if std::env::var("DBG").is_ok() && rate != 60.0 { continue; }
        for (speed, load) in [(8.0, 5.0), (2.0f32, 0.0), (8.0, 0.0), (20.0, 0.0), (8.0, 5.0), (8.0, 50.0)] {
            let mut things: Vec<Thing> = (0..8).map(|i| still(Outline::Circle { radius: 8.0 }, -200.0 + 57.0 * i as f32, 40.0 + 40.0 * (i % 3) as f32)).collect();
            things.push(still(block(2.0, 100.0), -60.0, 60.0));
            things.push(still(block(120.0, 30.0), 80.0, 170.0));
            things.push(still(block(2000.0, 40.0), 0.0, 320.0));
            let settings = RopeSettings { end_mass: load, length: 300.0, ..RopeSettings::default() };
            let mut scene = Scene::new(settings, Pose::at(Vec2::new(0.0, -50.0)), things, rate);
            scene.run(1.0);
            (scene.deepest, scene.stretch) = (0.0, 0.0);
            for tick in 0..(10.0 * rate) as u32 {
                let t = speed * tick as f32 / rate;
                scene.rope.set_pose(Pose::at(Vec2::new(150.0 * t.sin(), -50.0 + 40.0 * (0.7 * t).sin())));
                scene.step();
            }
            scene.say(&format!("dragged at {} px/s, load {load}", 150.0 * speed));
        }
    }
}

#[test]
fn columns() {
    for rate in RATES {
        for speed in [60.0f32, 300.0] {
            let lift = thing(block(200.0, 20.0), move |t| RigidPose { origin: Vec2::new(0.0, (300.0 - speed * t).max(60.0)), angle: 0.0 });
            let settings = RopeSettings { length: 200.0, ..RopeSettings::default() };
            let mut scene = Scene::new(settings, Pose::at(Vec2::ZERO), vec![lift], rate);
            scene.run(8.0).say("lifted");
        }
        for itself in [false, true] {
            let mut settings = RopeSettings { length: 100.0, ..RopeSettings::default() };
            settings.collision.with_itself = itself;
            let mut scene = Scene::new(settings, Pose::at(Vec2::ZERO), vec![still(block(400.0, 20.0), 0.0, 150.0)], rate);
            for _ in 0..(4.0 * rate) as u32 {
                let length = scene.rope.settings().length + 90.0 / rate;
                scene.rope.set_settings(RopeSettings { length, ..*scene.rope.settings() });
                scene.step();
            }
            for _ in 0..5 { scene.run(1.0); print!("{:.2} ", scene.fastest); }
            scene.run(3.0).say("let down");
        }
    }
}

#[test]
fn thrown_into_corners() {
    let room = || vec![
        still(block(2.0, 400.0), -200.0, 0.0), still(block(2.0, 400.0), 200.0, 0.0),
        still(block(400.0, 2.0), 0.0, -200.0), still(block(400.0, 2.0), 0.0, 200.0),
    ];
    let spikes = || (0..12).map(|i| still(Outline::Polygon(vec![Vec2::new(-13.0, 50.0), Vec2::new(13.0, 50.0), Vec2::new(0.0, 0.0)]), -150.0 + 27.0 * i as f32, 100.0)).chain([still(block(2000.0, 20.0), 0.0, 160.0)]).collect::<Vec<_>>();
    let pegs = || (0..60).map(|i| still(block(2.0, 2.0), -150.0 + 30.0 * (i % 10) as f32, 20.0 * (i / 10) as f32)).collect::<Vec<_>>();
    let notch = || vec![still(Outline::Polygon(vec![Vec2::new(-200.0, -100.0), Vec2::new(0.0, 100.0), Vec2::new(-200.0, 100.0)]), 0.0, 0.0), still(Outline::Polygon(vec![Vec2::new(200.0, -100.0), Vec2::new(0.0, 100.0), Vec2::new(200.0, 100.0)]), 0.0, 0.0)];
    let tiles = || (0..40).map(|i| still(block(16.0, 16.0), -150.0 + 16.0 * (i % 20) as f32, 60.0 + 16.0 * (i / 20) as f32 + if i % 5 == 0 { -16.0 } else { 0.0 })).collect::<Vec<_>>();
    for (name, things) in [("room", &room as &dyn Fn() -> Vec<Thing>), ("spikes", &spikes), ("pegs", &pegs), ("notch", &notch), ("tiles", &tiles)] {
        for rate in RATES {
            let (mut bad, mut long, mut deepest, mut stretch, mut followed) = (0, 0, 0.0f32, 0.0f32, 0);
            let mut seed = 5;
            for case in 0..100 {
                let settings = RopeSettings { segments: 19, end_position: Vec2::from_angle(6.28 * chance(&mut seed)), linear_damp: 0.0, air_drag: 0.0, ..free(152.0) };
                let at = Vec2::new(60.0 * (chance(&mut seed) - 0.5), if name == "room" { 0.0 } else { -190.0 });
                let mut scene = Scene::new(settings, Pose::at(at), things(), rate);
                let speed = 500.0 + 3500.0 * chance(&mut seed);
                let way = if name == "room" { Vec2::from_angle(0.785 + 1.57 * (4.0 * chance(&mut seed)).floor()) } else { Vec2::from_angle(1.57 + 1.2 * (chance(&mut seed) - 0.5)) } * speed;
                for i in 0..scene.rope.point_count() {
                    scene.rope.set_velocity(i, way);
                }
                scene.run(2.0);
                bad += usize::from(scene.deepest > 1.0);
                long += usize::from(scene.stretch > 0.01);
                followed += scene.rope.report().followed;
                if scene.deepest > 1.0 || scene.stretch > 0.01 { println!("CORNER {name} case {case} {rate}: {} {}", scene.deepest, scene.stretch); }
                deepest = deepest.max(scene.deepest);
                stretch = stretch.max(scene.stretch);
            }
            println!("thrown into {name} {rate} Hz: {bad} deeper than 1 px, {long} longer than 1 %, deepest {deepest}, stretch {stretch}, followed {followed}");
        }
    }
}

#[test]
fn loads_over_boxes() {
    for rate in RATES {
        for friction in [0.0f32, 0.2, 1.0] {
            for load in [0.5f32, 5.0, 50.0] {
                let mut box_ = still(block(120.0, 80.0), 0.0, 0.0);
                box_.material.friction = friction;
                let settings = RopeSettings { end_mass: load, length: 260.0, end_position: Vec2::X, ..RopeSettings::default() };
                let mut scene = Scene::new(settings, Pose::at(Vec2::new(-130.0, -44.0)), vec![box_], rate);
                scene.run(4.0);
                (scene.deepest, scene.stretch) = (0.0, 0.0);
                let mut fastest = 0.0f32;
                for tick in 0..(16.0 * rate) as u32 {
                    let t = tick as f32 / rate;
                    // To and fro at 90 px/s.
                    let x = -210.0 + 80.0 * (1.12 * t).cos();
                    scene.rope.set_pose(Pose::at(Vec2::new(x, -44.0 + 40.0 * (0.5 * t).sin())));
                    scene.step();
                    if std::env::var("DBG").is_ok() { if rate == 60.0 && friction == 0.2 && load == 5.0 { let n = scene.rope.point_count(); println!("TICK {tick} {x:.2} fastest {:.0} stretch {:.4} {:?} {:?} {:?}", scene.fastest, scene.rope.stretch()-1.0, scene.rope.position(n-3), scene.rope.position(n-2), scene.rope.position(n-1)); } }
                    fastest = fastest.max(scene.fastest);
                }
                scene.say(&format!("load {load}, friction {friction}, {fastest:.0} px/s"));
            }
        }
    }
}

#[test]
fn nothing_is_stretched_for_ever() {
    for rate in RATES {
        // A lift goes on where the rope cannot.
        let lift = thing(block(200.0, 20.0), move |t| RigidPose { origin: Vec2::new(150.0, (200.0 - 100.0 * t).max(-300.0)), angle: 0.0 });
        let mut scene = Scene::new(both(330.0, Vec2::new(300.0, 0.0)), Pose::at(Vec2::ZERO), vec![lift], rate);
        scene.run(8.0).say("lifted beyond its length");
        println!("now {}", scene.rope.stretch());
    }
}

#[test]
fn hands_stop_at_surfaces() {
    for rate in RATES {
        let mut scene = Scene::new(RopeSettings { length: 300.0, ..RopeSettings::default() }, Pose::at(Vec2::ZERO), vec![still(block(400.0, 20.0), 0.0, 150.0), still(block(20.0, 400.0), 150.0, 0.0)], rate);
        scene.run(3.0);
        let hold = |at: Vec2| supple_sim::rope::Holder { key: 9, pose: Pose::at(at) };
        scene.rope.seize(12, hold(scene.rope.position(12)), Vec2::ZERO, supple_sim::rope::Grip::Hand(0.0));
        (scene.deepest, scene.stretch) = (0.0, 0.0);
        for tick in 0..(6.0 * rate) as u32 {
            let t = tick as f32 / rate;
            let at = Vec2::new(220.0 * (1.1 * t).sin(), 60.0 + 150.0 * (2.3 * t).sin());
            scene.rope.set_holder_pose(9, Pose::at(at));
            scene.step();
        }
        scene.say("a hand that goes anywhere");
    }
}

#[test]
fn look() {
    for rate in RATES {
        let mut scene = Scene::new(free(300.0), Pose::at(Vec2::new(0.0, -50.0)), vec![still(block(1000.0, 40.0), 0.0, 20.0)], rate);
        scene.run(5.0).say("falls flat on a floor");
        let settings = RopeSettings { end_position: Vec2::new(0.3, 1.0), ..free(300.0) };
        let mut scene = Scene::new(settings, Pose::at(Vec2::new(0.0, -400.0)), vec![still(block(1000.0, 40.0), 0.0, 20.0)], rate);
        scene.run(8.0).say("falls steep on a floor");
        let mut scene = Scene::new(free(300.0), Pose::at(Vec2::new(-130.0, -60.0)), vec![still(block(100.0, 100.0), 0.0, 20.0)], rate);
        scene.run(8.0).say("draped over a block");
        let settings = RopeSettings { end_mass: 1.0, ..free(300.0) };
        let pinned = RopeSettings { start_pinned: true, ..settings };
        let mut scene = Scene::new(pinned, Pose::at(Vec2::new(-130.0, -40.0)), vec![still(block(100.0, 100.0), 0.0, 20.0)], rate);
        scene.run(8.0).say("taut with 1 kg over a corner");
        let pinned = RopeSettings { end_mass: 20.0, ..pinned };
        let mut scene = Scene::new(pinned, Pose::at(Vec2::new(-130.0, -40.0)), vec![still(block(100.0, 100.0), 0.0, 20.0)], rate);
        scene.run(8.0).say("taut with 20 kg over a corner");
        let mut scene = Scene::new(both(310.0, Vec2::new(300.0, 0.0)), Pose::at(Vec2::new(-150.0, -40.0)), vec![still(block(2.0, 200.0), 0.0, 60.0)], rate);
        scene.run(8.0).say("over a 2 px wall");
        let notch = Outline::Polygon(vec![Vec2::new(-200.0, -100.0), Vec2::new(0.0, 100.0), Vec2::new(-200.0, 100.0)]);
        let other = Outline::Polygon(vec![Vec2::new(200.0, -100.0), Vec2::new(0.0, 100.0), Vec2::new(200.0, 100.0)]);
        let mut scene = Scene::new(free(300.0), Pose::at(Vec2::new(-150.0, -160.0)), vec![still(notch, 0.0, 0.0), still(other, 0.0, 0.0)], rate);
        scene.run(10.0).say("in a V notch");
        for spin in [2.0, 6.0] {
            let spinning = thing(block(80.0, 80.0), move |t| RigidPose { origin: Vec2::ZERO, angle: spin * t });
            let mut scene = Scene::new(free(400.0), Pose::at(Vec2::new(-200.0, -80.0)), vec![spinning], rate);
            scene.run(8.0).say("over a spinning block");
            let spinning = thing(block(80.0, 80.0), move |t| RigidPose { origin: Vec2::ZERO, angle: spin * t });
            let mut scene = Scene::new(both(340.0, Vec2::new(300.0, 0.0)), Pose::at(Vec2::new(-150.0, -80.0)), vec![spinning], rate);
            scene.run(8.0).say("held over a spinning block");
        }
        let hanging = RopeSettings { length: 300.0, ..RopeSettings::default() };
        let mut scene = Scene::new(hanging, Pose::at(Vec2::new(0.0, -150.0)), vec![still(block(200.0, 20.0), 40.0, 0.0)], rate);
        scene.run(8.0).say("hung through a platform");
        let platform = thing(block(200.0, 20.0), |t| RigidPose { origin: Vec2::new(0.0, 60.0 * (t * 1.7).sin()), angle: 0.0 });
        let mut scene = Scene::new(free(400.0), Pose::at(Vec2::new(-200.0, -80.0)), vec![platform], rate);
        scene.run(8.0).say("on a platform up and down");
        let platform = thing(block(200.0, 20.0), |t| RigidPose { origin: Vec2::new(100.0 * t.sin(), 0.0), angle: 0.0 });
        let mut scene = Scene::new(free(400.0), Pose::at(Vec2::new(-200.0, -80.0)), vec![platform], rate);
        scene.run(8.0).say("on a platform sideways");
        let pegs = (0..12).map(|i| still(Outline::Circle { radius: 6.0 }, -120.0 + 22.0 * i as f32, 30.0 * (i % 3) as f32));
        let mut scene = Scene::new(free(400.0), Pose::at(Vec2::new(-200.0, -80.0)), pegs.collect(), rate);
        scene.run(8.0).say("over pegs");
    }
    let _ = CollisionSettings::default();
}
