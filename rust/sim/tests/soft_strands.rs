//! Ropes and soft bodies on each other.

mod common;

use common::{GRAVITY, RATES, at, block, collider};
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, Colliders, Shape};
use supple_sim::frame::Pose;
use supple_sim::island::{self, Member};
use supple_sim::mesh::Mesh;
use supple_sim::rope::{Rope, RopeSettings};
use supple_sim::soft::{Pile, SoftBody, SoftSettings};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

struct World {
    ropes: Vec<Rope>,
    softs: Vec<SoftBody>,
    walls: Vec<Collider>,
    gravity: Vec2,
    rate: f32,
    pile: Pile,
    workers: Workers,
    colliders: Colliders,
}

impl World {
    fn new(rate: f32) -> World {
        World {
            ropes: Vec::new(),
            softs: Vec::new(),
            walls: Vec::new(),
            gravity: GRAVITY,
            rate,
            pile: Pile::default(),
            workers: Workers::default(),
            colliders: Colliders::default(),
        }
    }

    /// A floor whose surface is at y = 0.
    fn floor(&mut self) {
        let shape = Arc::new(Shape::new(&block(10_000.0, 100.0), Vec2::X, Vec2::Y).expect("a shape"));
        self.walls.push(collider(1, &shape, at(0.0, 50.0), at(0.0, 50.0)));
    }

    fn soft(&mut self, settings: SoftSettings, size: f32, points: u32, center: Vec2) -> &mut SoftBody {
        let mesh = Mesh::rectangle(Vec2::splat(size), glam::UVec2::splat(points));
        let mut body = SoftBody::new(settings, Arc::new(mesh), Pose::at(center));
        body.set_key(1000 + self.softs.len() as u64);
        self.softs.push(body);
        self.softs.last_mut().expect("just added")
    }

    /// A rope from one place to another.
    fn rope(&mut self, settings: RopeSettings, from: Vec2, to: Vec2) -> &mut Rope {
        let length = from.distance(to);
        let settings = RopeSettings { end_position: to - from, length, ..settings };
        let mut rope = Rope::new(settings, Pose::at(from));
        let last = rope.point_count() - 1;
        for i in 0..=last {
            rope.set_position(i, from.lerp(to, i as f32 / last as f32));
        }
        rope.set_key(2000 + self.ropes.len() as u64);
        self.ropes.push(rope);
        self.ropes.last_mut().expect("just added")
    }

    fn tick(&mut self) {
        let delta = 1.0 / self.rate;
        self.colliders.set(self.walls.iter().cloned());
        let tick = Tick { colliders: Some(&self.colliders), ..Tick::still(delta, self.gravity) };
        self.softs.iter_mut().for_each(|soft| soft.notice_colliders(&self.colliders));
        self.ropes.iter_mut().for_each(|rope| rope.notice_colliders(&self.colliders));
        let mut softs: Vec<&mut SoftBody> = self.softs.iter_mut().collect();
        let mut members: Vec<&mut dyn Member> = self.ropes.iter_mut().map(|rope| rope as &mut dyn Member).collect();
        island::step(&mut members, &mut softs, &mut [], &tick, &mut self.pile, &self.workers);
    }

    fn run(&mut self, seconds: f32) {
        (0..(seconds * self.rate).round() as usize).for_each(|_| self.tick());
    }

    /// How deep the middle lines of ropes are in soft bodies, in px.
    fn overlap(&self) -> f32 {
        let mut deepest = 0.0f32;
        for rope in &self.ropes {
            for soft in &self.softs {
                let outline: Vec<Vec2> = soft.mesh().outline.iter().map(|&i| soft.position(i as usize)).collect();
                let sides = || (0..outline.len()).map(|k| (outline[k], outline[(k + 1) % outline.len()]));
                for i in 0..rope.point_count() - 1 {
                    let (from, to) = (rope.position(i), rope.position(i + 1));
                    for step in 0..8 {
                        let at = from.lerp(to, step as f32 / 8.0);
                        if soft.contains(at) {
                            let depth = sides().map(|(a, b)| distance(at, a, b)).fold(f32::INFINITY, f32::min);
                            deepest = deepest.max(depth);
                        }
                    }
                }
            }
        }
        deepest
    }

    fn momentum(&self) -> Vec2 {
        let softs = self.softs.iter().map(|soft| soft.linear_velocity() * soft.mass()).sum::<Vec2>();
        let of = |rope: &Rope| -> Vec2 {
            let count = rope.point_count();
            let mass = rope.settings().mass / (count - 1) as f32;
            let share = |i: usize| if i == 0 || i == count - 1 { 0.5 * mass } else { mass };
            (0..count).map(|i| rope.velocity(i) * share(i)).sum()
        };
        softs + self.ropes.iter().map(of).sum::<Vec2>()
    }

    fn asleep(&self) -> bool {
        self.ropes.iter().all(Rope::is_sleeping) && self.softs.iter().all(SoftBody::is_sleeping)
    }

    fn is_sound(&self) -> bool {
        self.ropes.iter().all(|rope| rope.recoveries() == 0)
            && self.softs.iter().all(|soft| soft.recoveries() == 0 && soft.center().is_finite())
    }
}

fn distance(at: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let part = ((at - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    at.distance(from + along * part)
}

fn jelly() -> SoftSettings {
    let mut settings = SoftSettings::default();
    settings.collision.layer = 1;
    settings.collision.radius = 1.0;
    settings
}

fn free() -> RopeSettings {
    RopeSettings { start_pinned: false, end_pinned: false, ..RopeSettings::default() }
}

fn bridge() -> RopeSettings {
    RopeSettings { start_pinned: true, end_pinned: true, ..RopeSettings::default() }
}

/// A rope that fell over a jelly on a floor.
fn draped(rate: f32) -> World {
    let mut world = World::new(rate);
    world.floor();
    world.soft(jelly(), 60.0, 5, Vec2::new(0.0, -31.0));
    world.rope(free(), Vec2::new(-90.0, -120.0), Vec2::new(110.0, -120.0));
    world
}

/// A jelly that falls on a slack rope between two pins.
fn bridged(rate: f32, mass: f32) -> World {
    let mut world = World::new(rate);
    world.soft(SoftSettings { mass, ..jelly() }, 60.0, 5, Vec2::new(10.0, -100.0));
    world.rope(bridge(), Vec2::new(-120.0, 0.0), Vec2::new(120.0, 0.0));
    let settings = RopeSettings { length: 280.0, ..*world.ropes[0].settings() };
    world.ropes[0].set_settings(settings);
    world
}

/// A rope that flies at a jelly at 2000 px/s, without gravity and damping.
fn whipped(rate: f32) -> World {
    let mut world = World::new(rate);
    world.gravity = Vec2::ZERO;
    world.soft(SoftSettings { linear_damp: 0.0, ..jelly() }, 60.0, 5, Vec2::new(60.0, 0.0));
    let settings = RopeSettings { linear_damp: 0.0, air_drag: 0.0, ..free() };
    let rope = world.rope(settings, Vec2::new(0.0, -80.0), Vec2::new(0.0, 80.0));
    (0..rope.point_count()).for_each(|i| rope.set_velocity(i, Vec2::new(2000.0, 0.0)));
    world
}

#[test]
fn a_rope_drapes_over_a_jelly_and_sleeps() {
    for rate in RATES {
        let mut world = draped(rate);
        for _ in 0..(6.0 * rate) as usize {
            world.tick();
            assert!(world.overlap() < 1.0, "{rate}: {}", world.overlap());
        }
        let rope = &world.ropes[0];
        let middle = rope.position(rope.point_count() / 2);
        assert!(middle.y < -60.0 && middle.y > -70.0, "{rate}: lies on top at {middle}");
        assert!(rope.position(0).y > -20.0, "{rate}: hangs down at {}", rope.position(0));
        assert!(world.asleep(), "{rate}: asleep");
        let places: Vec<Vec2> = (0..rope.point_count()).map(|i| rope.position(i)).collect();
        world.run(1.0);
        let rope = &world.ropes[0];
        assert!((0..rope.point_count()).all(|i| rope.position(i) == places[i]), "{rate}: stays");
        assert!(world.ropes[0].touches().iter().any(|touch| touch.key.body == 1000), "the rope knows");
        assert!(world.softs[0].touches().iter().any(|touch| touch.key.body == 2000), "the jelly knows");
    }
}

#[test]
fn friction_holds_a_rope_that_hangs_down_on_one_side() {
    for rate in RATES {
        let slid = |friction: f32| {
            let mut world = World::new(rate);
            world.floor();
            let mut settings = SoftSettings { mass: 5.0, stiffness: 5000.0, ..jelly() };
            settings.collision.friction = friction;
            world.soft(settings, 120.0, 7, Vec2::new(0.0, -61.0));
            let rope = RopeSettings { segment_length: 8.0, ..free() };
            world.rope(rope, Vec2::new(-50.0, -126.0), Vec2::new(90.0, -126.0));
            world.run(2.0);
            world.ropes[0].position(0).y > -60.0 || world.ropes[0].position(0).x > 0.0
        };
        assert!(slid(0.0), "{rate}: without friction it slides off");
        assert!(!slid(1.0), "{rate}: with friction it stays");
    }
}

#[test]
fn a_rope_bridge_carries_a_jelly() {
    for rate in RATES {
        for mass in [0.2, 1.0, 5.0] {
            let mut world = bridged(rate, mass);
            for _ in 0..(6.0 * rate) as usize {
                world.tick();
                assert!(world.overlap() < 2.0, "{rate} {mass}: {}", world.overlap());
            }
            let (rope, soft) = (&world.ropes[0], &world.softs[0]);
            assert!(soft.center().y < 60.0, "{rate} {mass}: at {}", soft.center());
            assert!(rope.stretch() < 1.02, "{rate} {mass}: stretched {}", rope.stretch());
            assert!(world.asleep(), "{rate} {mass}: asleep {} {}", rope.is_sleeping(), soft.is_sleeping());
        }
    }
}

#[test]
fn a_fast_rope_does_not_go_through() {
    for rate in RATES {
        let mut world = whipped(rate);
        let before = world.momentum();
        for _ in 0..(0.5 * rate) as usize {
            world.tick();
            let (rope, soft) = (&world.ropes[0], &world.softs[0]);
            let middle = rope.position(rope.point_count() / 2);
            assert!(middle.x < soft.center().x, "{rate}: {middle} behind {}", soft.center());
            assert!(world.overlap() < 1.0, "{rate}: {}", world.overlap());
            let lost = (world.momentum() - before).length() / before.length();
            assert!(lost < 0.01, "{rate}: lost {lost}");
        }
        assert!(world.softs[0].linear_velocity().x > 50.0, "{rate}: pushed away");
        assert!(world.is_sound());
    }
}

#[test]
fn what_is_not_in_a_mask_is_let_through() {
    for masked in [false, true] {
        let mut world = bridged(60.0, 1.0);
        if masked {
            let mut settings = *world.ropes[0].settings();
            settings.collision.mask = 2;
            world.ropes[0].set_settings(settings);
        } else {
            world.softs[0].set_exceptions(vec![2000]);
        }
        world.run(2.0);
        assert!(world.softs[0].center().y > 300.0, "{masked}: fell to {}", world.softs[0].center());
    }
}

#[test]
fn a_rope_that_does_not_push_is_pushed_only() {
    let mut world = bridged(60.0, 1.0);
    let mut settings = *world.ropes[0].settings();
    settings.collision.push_bodies = false;
    world.ropes[0].set_settings(settings);
    world.run(0.35);
    let mut sag = 0.0f32;
    for _ in 0..60 {
        world.tick();
        sag = (0..world.ropes[0].point_count()).map(|i| world.ropes[0].position(i).y).fold(sag, f32::max);
    }
    assert!(world.softs[0].center().y > 300.0, "it falls through: {}", world.softs[0].center());
    assert!(sag > 65.0, "it was pushed down to {sag}");
    assert!(world.is_sound());
}

#[test]
fn a_sleeping_rope_wakes_when_the_jelly_moves_or_goes() {
    for goes in [false, true] {
        let mut world = draped(60.0);
        world.run(6.0);
        assert!(world.asleep(), "asleep");
        if goes {
            let pose = Pose::at(Vec2::new(2000.0, -31.0));
            world.softs[0].place_at(pose);
            world.ropes[0].wake();
            world.run(2.0);
            let rope = &world.ropes[0];
            let lowest = (0..rope.point_count()).map(|i| rope.position(i).y).fold(f32::INFINITY, f32::min);
            assert!(lowest > -40.0, "fell to the floor: {lowest}");
        } else {
            world.softs[0].apply_central_impulse(Vec2::new(0.0, -400.0));
            world.run(0.2);
            assert!(!world.ropes[0].is_sleeping(), "awake");
        }
    }
}

#[test]
fn the_same_bits_with_any_number_of_threads() {
    let run = |threads: usize| {
        let mut world = World::new(60.0);
        world.workers = Workers::new(threads);
        world.floor();
        for k in 0..12 {
            let x = 70.0 * (k % 4) as f32;
            world.soft(jelly(), 60.0, 5, Vec2::new(x, -40.0 - 70.0 * (k / 4) as f32));
        }
        for k in 0..4 {
            let y = -260.0 - 10.0 * k as f32;
            world.rope(free(), Vec2::new(-40.0, y), Vec2::new(260.0, y));
        }
        world.run(3.0);
        let softs = world.softs.iter().flat_map(|soft| (0..soft.point_count()).map(|i| soft.position(i)));
        let ropes = world.ropes.iter().flat_map(|rope| (0..rope.point_count()).map(|i| rope.position(i)));
        softs.chain(ropes).flat_map(|at| [at.x.to_bits(), at.y.to_bits()]).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn big_piles_carry_ropes() {
    let mut world = World::new(60.0);
    world.floor();
    for k in 0..60 {
        let x = 64.0 * (k % 10) as f32;
        world.soft(jelly(), 60.0, 3, Vec2::new(x, -40.0 - 70.0 * (k / 10) as f32));
    }
    for k in 0..3 {
        let y = -460.0 - 10.0 * k as f32;
        world.rope(free(), Vec2::new(100.0, y), Vec2::new(450.0, y));
    }
    world.run(5.0);
    assert!(world.overlap() < 3.0, "{}", world.overlap());
    for rope in &world.ropes {
        assert!(rope.position(rope.point_count() / 2).y < -250.0, "{}", rope.position(rope.point_count() / 2));
    }
    assert!(world.is_sound());
}

#[test]
fn wild_scenes_stay_finite() {
    let mut world = World::new(60.0);
    world.floor();
    for k in 0..6 {
        let mass = [0.01, 1.0, 1000.0][k % 3];
        let settings = SoftSettings { mass, stiffness: [10.0, 1e6][k % 2], ..jelly() };
        world.soft(settings, 60.0, 4, Vec2::new(50.0 * k as f32, -60.0));
    }
    for k in 0..6 {
        let settings = RopeSettings { mass: [0.01, 1.0, 500.0][k % 3], ..if k % 2 == 0 { free() } else { bridge() } };
        // Some begin inside.
        world.rope(settings, Vec2::new(-40.0, -10.0 - 30.0 * k as f32), Vec2::new(300.0, -70.0));
    }
    for tick in 0..600usize {
        let rope = &mut world.ropes[tick % 6];
        let i = tick * 7 % rope.point_count();
        rope.set_velocity(i, Vec2::from_angle(tick as f32) * 5000.0);
        if tick % 50 == 0 {
            let mut settings = *world.ropes[tick / 50 % 6].settings();
            settings.collision.mask ^= 1;
            world.ropes[tick / 50 % 6].set_settings(settings);
            world.softs[tick / 50 % 6].apply_central_impulse(Vec2::new(0.0, -5000.0));
        }
        world.tick();
        assert!(world.is_sound(), "{tick}");
    }
}

#[test]
#[ignore = "measures"]
fn costs() {
    for mask in [0, 1] {
        let mut world = draped(60.0);
        let mut settings = *world.ropes[0].settings();
        (settings.can_sleep, settings.collision.mask) = (false, if mask == 0 { 2 } else { 1 });
        world.ropes[0].set_settings(settings);
        let mut jelly = *world.softs[0].settings();
        jelly.can_sleep = false;
        world.softs[0].set_settings(jelly);
        world.run(3.0);
        let began = std::time::Instant::now();
        world.run(20.0);
        let tick = began.elapsed().as_secs_f64() * 1e6 / 1200.0;
        println!("mask {mask}: {tick:.1} us a tick, {} points", world.ropes[0].point_count());
    }
}
