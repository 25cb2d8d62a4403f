//! Soft bodies on each other and on rigid bodies, with an engine that moves bodies as Godot does: `v += a dt; x += v dt`.

mod common;

use common::{GRAVITY, at, block, collider};
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::island::{self, Rigid, Seen, Track};
use supple_sim::mesh::Mesh;
use supple_sim::soft::{Pile, SoftBody, SoftSettings};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

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

fn jelly() -> SoftSettings {
    SoftSettings::default()
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
        let shape = Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape"));
        self.walls.push(collider(1 + self.walls.len() as u64, &shape, at(x, y), at(x, y)));
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
            let to = RigidPose { origin: from.origin + rigid.velocity * delta, angle: from.angle + rigid.spin * delta };
            let seen = collider(thing.seen.key, &thing.shape, from, to);
            Collider { material: thing.material, yields: true, ..seen }
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

/// How deep the surface of a soft body is in a square of the engine's, in px: its corners, and the corners in it.
fn depth_in(soft: &SoftBody, thing: &Thing, half: f32) -> f32 {
    let outline: Vec<Vec2> = soft.mesh().outline.iter().map(|&i| soft.position(i as usize)).collect();
    let back = Vec2::from_angle(-thing.seen.angle);
    let mut deepest = 0.0f32;
    for (k, &from) in outline.iter().enumerate() {
        let to = outline[(k + 1) % outline.len()];
        for step in 0..10 {
            let local = back.rotate(from.lerp(to, step as f32 / 10.0) - thing.seen.center).abs();
            deepest = deepest.max((half - local.max_element()).min(half));
        }
    }
    deepest
}

fn standing_stack(rate: f32, count: usize) -> World {
    let mut world = World::new(rate);
    world.floor();
    for k in 0..count {
        world.soft(jelly(), Vec2::splat(100.0), 5, Vec2::new(0.0, -52.0 - 103.0 * k as f32));
    }
    world
}

fn heap(count: usize, workers: Workers) -> World {
    let size = 60.0;
    let mut world = World { workers, ..World::new(60.0) };
    world.floor();
    for side in [-1.0, 1.0] {
        world.wall(block(100.0, 9000.0), side * 400.0, -4000.0);
    }
    for k in 0..count {
        let at = Vec2::new((k % 8) as f32 * 78.0 - 280.0 + ((k * 7919) % 13) as f32, -60.0 - (k / 8) as f32 * 84.0);
        let x = Vec2::from_angle(k as f32 * 0.7);
        let mesh = Mesh::rectangle(Vec2::splat(size), glam::UVec2::splat(6));
        let mut body = SoftBody::new(jelly(), Arc::new(mesh), Pose { origin: at, x, y: x.perp() });
        body.set_key(1000 + k as u64);
        world.softs.push(body);
    }
    world
}

#[test]
fn a_stack_of_ten_stands_and_sleeps() {
    for rate in [30.0, 60.0, 144.0, 240.0] {
        let mut world = standing_stack(rate, 10);
        world.run(8.0);
        for pair in world.softs.windows(2) {
            let [below, above] = pair else { continue };
            let way = above.center() - below.center();
            assert!(way.y < -70.0 && way.x.abs() < 20.0, "{rate}: {way}");
        }
        assert!(world.softs.iter().all(SoftBody::is_sleeping), "{rate}");
        assert!(world.overlap() < 0.5, "{rate}: {}", world.overlap());
    }
}

#[test]
fn a_heap_comes_to_rest_and_overlaps_nowhere() {
    let mut world = heap(60, Workers::default());
    let mut deepest = 0.0f32;
    for _ in 0..12 {
        world.run(1.0);
        deepest = deepest.max(world.overlap());
    }
    assert!(deepest < 2.0, "{deepest}");
    let awake = world.softs.iter().filter(|soft| !soft.is_sleeping()).count();
    assert!(awake == 0, "{awake} are awake");
    let least = world.softs.iter().map(|soft| soft.area() / soft.rest_area()).fold(f32::INFINITY, f32::min);
    assert!(least > 0.8, "{least}");
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let hashes = |workers: Workers| {
        let mut world = heap(56, workers);
        world.run(3.0);
        world.softs.iter().map(SoftBody::state_hash).collect::<Vec<_>>()
    };
    let one = hashes(Workers::default());
    for count in [2, 3] {
        assert!(hashes(Workers::new(count)) == one, "{count} threads");
    }
}

#[test]
fn a_heavy_crate_dents_a_jelly_and_lies_still() {
    for rate in [30.0, 60.0, 120.0] {
        for (mass, stiffness) in [(0.1, 200.0), (1.0, 200.0), (50.0, 200.0), (50.0, 2000.0), (50.0, 1e5), (500.0, 50.0)]
        {
            let mut world = World::new(rate);
            world.floor();
            let settings = SoftSettings { stiffness, damping: 10.0, ..jelly() };
            world.soft(settings, Vec2::new(300.0, 80.0), 12, Vec2::new(0.0, -41.0));
            world.square(mass, 60.0, Vec2::new(0.0, -140.0));
            let mut deepest = 0.0f32;
            for _ in 0..(5.0 * rate) as usize {
                world.tick();
                deepest = deepest.max(depth_in(&world.softs[0], &world.things[0], 30.0));
            }
            let seen = world.things[0].seen;
            let about = format!("{mass} kg on {stiffness} at {rate}");
            assert!(
                seen.velocity.length() < 1.0 && seen.spin.abs() < 0.05,
                "{about}: {}, {}",
                seen.velocity,
                seen.spin
            );
            assert!((-115.0..-40.0).contains(&seen.center.y) && seen.center.x.abs() < 60.0, "{about}: {}", seen.center);
            assert!(deepest < 1.0, "{about}: {deepest} px deep");
        }
    }
}

#[test]
fn what_strikes_keeps_the_momentum() {
    for rate in [30.0, 60.0, 240.0] {
        for off in [0.0, 25.0, 45.0] {
            for stiffness in [50.0, 200.0, 1e5] {
                for (partner, bounce) in [("crate", 0.0), ("crate", 0.7), ("jelly", 0.0), ("jelly", 0.7)] {
                    let mut world = World { gravity: Vec2::ZERO, ..World::new(rate) };
                    let mut settings = SoftSettings { linear_damp: 0.0, stiffness, ..jelly() };
                    settings.collision.bounce = bounce;
                    let body = world.soft(settings, Vec2::splat(100.0), 6, Vec2::ZERO);
                    body.set_linear_velocity(Vec2::new(500.0, 20.0));
                    if partner == "crate" {
                        world.square(2.0, 60.0, Vec2::new(150.0, off));
                    } else {
                        world.soft(settings, Vec2::splat(100.0), 6, Vec2::new(150.0, off));
                    }
                    let before = world.momentum();
                    world.run(1.0);
                    let about = format!("{partner} {off} px off, {stiffness}, bounce {bounce}, at {rate}");
                    let change = world.momentum().distance(before) / before.length();
                    assert!(change < 0.01, "{about}: {change}");
                    let moved =
                        world.things.first().map_or_else(|| world.softs[1].center().x, |thing| thing.seen.center.x);
                    assert!(moved > 160.0, "{about}: it was not struck");
                }
            }
        }
    }
}

#[test]
fn a_ball_comes_back_the_higher_the_more_it_bounces() {
    for (stiffness, mass) in [(200.0, 1.0), (2000.0, 1.0), (2000.0, 5.0), (20_000.0, 0.2)] {
        let mut before = 0.0;
        for bounce in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let mut world = World::new(60.0);
            world.floor();
            let mut settings = SoftSettings { stiffness, mass: 2.0, ..jelly() };
            settings.collision.bounce = bounce;
            let body = world.soft(settings, Vec2::new(300.0, 80.0), 10, Vec2::new(0.0, -41.0));
            let ends: Vec<usize> = (0..10).flat_map(|row| [10 * row, 10 * row + 9]).collect();
            body.pin_at_rest(&ends);
            world.run(1.0);
            let top = world.softs[0].bounds().min.y - 21.0;
            world.ball(mass, 20.0, Vec2::new(0.0, top - 200.0));
            let (mut struck, mut high) = (false, top);
            for _ in 0..120 {
                world.tick();
                let seen = world.things[0].seen;
                struck |= seen.center.y > top;
                if struck && seen.velocity.y < 0.0 {
                    high = high.min(seen.center.y);
                }
                if high < top && seen.velocity.y > 0.0 {
                    break;
                }
            }
            let part = (top - high) / 200.0;
            let about = format!("{mass} kg, {stiffness}, bounce {bounce}: {part}");
            assert!(part > before - 0.02, "{about}, less than {before}");
            assert!((0.13..0.97).contains(&part), "{about}");
            assert!(bounce < 1.0 || part > 0.8, "{about}");
            before = part;
        }
    }
}

#[test]
fn what_sleeps_wakes_when_another_leaves_or_comes() {
    let mut world = standing_stack(60.0, 2);
    world.run(6.0);
    assert!(world.softs.iter().all(SoftBody::is_sleeping));
    let pressed = world.softs[0].center().y;
    world.softs[1].set_linear_velocity(Vec2::new(0.0, -500.0));
    world.run(0.3);
    assert!(!world.softs[0].is_sleeping() && world.softs[0].center().y < pressed - 0.2, "it is relieved");
    world.run(6.0);
    assert!(world.softs.iter().all(SoftBody::is_sleeping) && world.overlap() < 0.5);
    let place = (world.softs[0].center().y - pressed).abs();
    assert!(place < 1.0, "as before: {place}");
}

#[test]
fn layers_decide_who_gives_way() {
    for (one, other) in [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 1), (1, 1)), ((1, 2), (1, 2))] {
        let mut world = World { gravity: Vec2::ZERO, ..World::new(60.0) };
        for (k, (layer, mask)) in [one, other].into_iter().enumerate() {
            let mut settings = SoftSettings { linear_damp: 0.0, ..jelly() };
            (settings.collision.layer, settings.collision.mask) = (layer, mask);
            world.soft(settings, Vec2::splat(60.0), 5, Vec2::new(80.0 * k as f32, 0.0));
        }
        world.softs[0].set_linear_velocity(Vec2::new(200.0, 0.0));
        world.run(1.0);
        let [first, second] = [0, 1].map(|k| world.softs[k].linear_velocity().x);
        let sees = |mine: (u32, u32), theirs: (u32, u32)| mine.1 & theirs.0 != 0;
        assert_eq!(second > 20.0, sees(other, one), "{one:?} {other:?}: {first}, {second}");
        assert_eq!(first < 190.0, sees(one, other), "{one:?} {other:?}: {first}, {second}");
    }
}

#[test]
fn exceptions_go_through_each_other() {
    let mut world = standing_stack(60.0, 2);
    world.softs[0].set_exceptions(vec![1001]);
    world.run(2.0);
    assert!(world.softs[1].center().y > -60.0, "{}", world.softs[1].center());
}

#[test]
fn states_go_on_bit_for_bit_in_a_heap() {
    let mut world = heap(12, Workers::default());
    world.run(1.5);
    let states: Vec<Vec<u8>> = world.softs.iter().map(|soft| soft.save(|_| None)).collect();
    world.run(1.0);
    let after: Vec<u64> = world.softs.iter().map(SoftBody::state_hash).collect();
    for (k, state) in states.iter().enumerate() {
        world.softs[k] = SoftBody::load(state, |_| None).expect("a state");
        world.softs[k].set_key(1000 + k as u64);
    }
    world.run(1.0);
    let again: Vec<u64> = world.softs.iter().map(SoftBody::state_hash).collect();
    assert_eq!(after, again);
}

#[test]
fn a_sleeping_stack_falls_when_its_floor_goes() {
    for (rate, count) in [(30.0, 2), (60.0, 2), (60.0, 3), (60.0, 6), (120.0, 4)] {
        let mut world = standing_stack(rate, count);
        world.run(8.0);
        assert!(world.softs.iter().all(SoftBody::is_sleeping));
        world.walls.clear();
        world.run(1.0);
        for (k, soft) in world.softs.iter().enumerate() {
            assert!(soft.linear_velocity().y > 300.0, "{rate}: {k} of {count} hangs: {}", soft.linear_velocity());
        }
    }
}

#[test]
fn a_body_that_was_struck_comes_back_into_shape() {
    for speed in [500.0, 1000.0, 4000.0] {
        for partner in ["crate", "jelly"] {
            let mut world = World { gravity: Vec2::ZERO, ..World::new(60.0) };
            let settings = SoftSettings { linear_damp: 0.0, gravity_scale: 0.0, ..jelly() };
            let body = world.soft(settings, Vec2::splat(100.0), 5, Vec2::ZERO);
            body.set_linear_velocity(Vec2::new(speed, 0.0));
            if partner == "crate" {
                world.square(50.0, 60.0, Vec2::new(120.0, 0.0));
            } else {
                world.soft(settings, Vec2::splat(100.0), 5, Vec2::new(150.0, 0.0));
            }
            world.gravity = GRAVITY;
            world.things.iter_mut().for_each(|thing| thing.seen.acceleration = Vec2::ZERO);
            world.run(1.5);
            for soft in &world.softs {
                let part = soft.area() / soft.rest_area();
                assert!(part > 0.98, "{partner} at {speed} px/s: {part}");
            }
        }
    }
}

#[test]
fn a_hit_in_the_middle_turns_nothing() {
    for speed in [150.0, 600.0, 900.0] {
        for bounce in [0.0, 0.8] {
            let mut world = World { gravity: Vec2::ZERO, ..World::new(60.0) };
            let mut settings = SoftSettings { linear_damp: 0.0, ..jelly() };
            settings.collision.bounce = bounce;
            let body = world.soft(settings, Vec2::splat(100.0), 5, Vec2::ZERO);
            body.set_linear_velocity(Vec2::new(speed, 0.0));
            world.square(20.0, 60.0, Vec2::new(120.0, 0.0));
            world.run(1.2);
            let (seen, soft) = (world.things[0].seen, &world.softs[0]);
            let about =
                format!("{speed} px/s, bounce {bounce}: {} {}, {}", seen.velocity, seen.spin, soft.linear_velocity());
            assert!(seen.velocity.x > 0.01 * speed, "{about}");
            assert!(seen.velocity.y.abs() < 0.002 * speed && soft.linear_velocity().y.abs() < 0.02 * speed, "{about}");
            assert!(
                seen.spin.abs() < 0.05 && soft.angular_velocity().abs() < 0.3,
                "{about}, {}",
                soft.angular_velocity()
            );
        }
    }
}

#[test]
fn what_is_in_another_comes_apart_and_into_shape() {
    let square = Vec2::splat(60.0);
    let (lying, standing) = (Vec2::new(180.0, 40.0), Vec2::new(40.0, 180.0));
    let cases = [
        ("one in the other", square, square, Vec2::new(8.0, 3.0)),
        ("in one place", square, square, Vec2::ZERO),
        ("a small one in a large one", Vec2::splat(160.0), Vec2::splat(30.0), Vec2::new(20.0, -10.0)),
        ("across each other", lying, standing, Vec2::new(5.0, 10.0)),
        ("by their corners", square, square, Vec2::new(45.0, 40.0)),
    ];
    for rate in [30.0, 60.0, 120.0] {
        for (name, one, other, off) in cases {
            let what = format!("{name}, {rate} ticks");
            let mut world = World { gravity: Vec2::ZERO, ..World::new(rate) };
            world.soft(jelly(), one, 8, Vec2::ZERO);
            world.soft(jelly(), other, 8, off);
            world.run(3.0);
            let [one, other] = &world.softs[..] else { unreachable!("there are two") };
            let into = |one: &SoftBody, other: &SoftBody| {
                (0..one.point_count()).filter(|&i| other.contains(one.position(i))).count()
            };
            assert_eq!(into(one, other) + into(other, one), 0, "{what}: points in the other");
            for body in [one, other] {
                let area = body.area() / body.rest_area();
                assert!((area - 1.0).abs() < 0.02, "{what}: area {area}");
            }
            let momentum = one.linear_velocity() * one.mass() + other.linear_velocity() * other.mass();
            assert!(momentum.length() < 10.0, "{what}: momentum {momentum}");
            let apart = (one.linear_velocity() - other.linear_velocity()).length();
            assert!(apart < 400.0, "{what}: they fly apart at {apart} px/s");
        }
    }
}
