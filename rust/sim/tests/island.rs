//! Ropes and rigid bodies, with an engine that moves bodies as Godot does: `v += a dt; x += v dt`.

mod common;

use common::{GRAVITY, RATES, collider};
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, Colliders, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::island::{self, Member, Rigid, Seen, Track};
use supple_sim::rope::{End, Holder, Rope, RopeSettings};
use supple_sim::soft::Pile;
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

/// A square of the engine's.
struct Crate {
    seen: Seen,
    track: Track,
    half: f32,
    gravity: Vec2,
    /// Holds it up, as a floor: the lowest that its centre may be.
    floor: f32,
}

fn crate_of(key: u64, mass: f32, half: f32, center: Vec2) -> Crate {
    let inertia = mass * 4.0 * half * half / 6.0;
    let seen = Seen { key, center, inv_mass: 1.0 / mass, inv_inertia: 1.0 / inertia, ..Seen::default() };
    Crate { seen, track: Track::default(), half, gravity: GRAVITY, floor: f32::INFINITY }
}

impl Crate {
    fn pose(&self) -> Pose {
        let x = Vec2::from_angle(self.seen.angle);
        Pose { origin: self.seen.center, x, y: x.perp() }
    }

    fn mass(&self) -> f32 {
        1.0 / self.seen.inv_mass
    }

    fn collider(&self, rigid: &Rigid, delta: f32) -> Collider {
        let shape = Shape::new(&Outline::Rectangle { half: Vec2::splat(self.half) }, Vec2::X, Vec2::Y);
        let from = RigidPose { origin: self.seen.center, angle: self.seen.angle };
        let to = RigidPose { origin: from.origin + rigid.velocity * delta, angle: from.angle + rigid.spin * delta };
        let shape = Arc::new(shape.expect("a square"));
        Collider { yields: true, ..collider(self.seen.key, &shape, from, to) }
    }
}

struct World {
    ropes: Vec<Rope>,
    crates: Vec<Crate>,
    rate: f32,
    touching: bool,
}

impl World {
    fn new(rate: f32) -> World {
        World { ropes: Vec::new(), crates: Vec::new(), rate, touching: false }
    }

    /// Ties an end of a rope to a crate.
    fn tie(&mut self, rope: usize, end: End, index: usize, offset: Vec2) {
        let held = &self.crates[index];
        let holder = Holder { key: held.seen.key, pose: held.pose() };
        let keys = self.crates.iter().map(|other| other.seen.key).collect();
        self.ropes[rope].attach(end, Some((holder, offset)));
        self.ropes[rope].set_yielding(keys);
    }

    fn tick(&mut self) {
        let delta = 1.0 / self.rate;
        for held in &mut self.crates {
            held.seen.acceleration = held.gravity;
        }
        let mut rigids: Vec<Rigid> = self.crates.iter_mut().map(|held| held.track.predict(&held.seen, delta)).collect();
        let mut colliders = Colliders::default();
        if self.touching {
            colliders.set(self.crates.iter().zip(&rigids).map(|(held, rigid)| held.collider(rigid, delta)));
        }
        for held in &self.crates {
            for rope in &mut self.ropes {
                rope.set_holder_pose(held.seen.key, held.pose());
            }
        }
        let tick = Tick { colliders: Some(&colliders), ..Tick::still(delta, GRAVITY) };
        let mut members: Vec<&mut dyn Member> = self.ropes.iter_mut().map(|rope| rope as &mut dyn Member).collect();
        island::step(&mut members, &mut [], &mut rigids, &tick, &mut Pile::default(), &Workers::default());
        for (held, rigid) in self.crates.iter_mut().zip(&rigids) {
            let impulse = held.track.impulse(&held.seen, rigid, delta).unwrap_or_default();
            let seen = &mut held.seen;
            seen.velocity += impulse.linear * seen.inv_mass + held.gravity * delta;
            seen.spin += impulse.angular * seen.inv_inertia;
            if seen.center.y + seen.velocity.y * delta > held.floor {
                seen.velocity.y = (held.floor - seen.center.y) / delta;
            }
            seen.center += seen.velocity * delta;
            seen.angle += seen.spin * delta;
        }
    }

    fn run(&mut self, seconds: f32) {
        (0..(seconds * self.rate).round() as usize).for_each(|_| self.tick());
    }
}

fn hanging(rate: f32, mass: f32, rope_mass: f32) -> World {
    let mut world = World::new(rate);
    let settings = RopeSettings { mass: rope_mass, length: 200.0, ..RopeSettings::default() };
    world.ropes.push(Rope::new(settings, Pose::IDENTITY));
    world.crates.push(crate_of(7, mass, 20.0, Vec2::new(0.0, 220.0)));
    world.tie(0, End::End, 0, Vec2::new(0.0, -20.0));
    world
}

#[test]
fn any_crate_hangs_by_its_rope() {
    for rate in RATES {
        for mass in [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0] {
            let mut world = hanging(rate, mass, 1.0);
            let mut longest = 0.0f32;
            for _ in 0..(5.0 * rate) as usize {
                world.tick();
                longest = longest.max(world.crates[0].seen.center.y - 220.0);
            }
            let seen = world.crates[0].seen;
            let pull = world.ropes[0].tension(world.ropes[0].lengths().len() - 1) / 980.0;
            assert!((seen.center.y - 220.0).abs() < 0.2, "{rate} {mass}: {}", seen.center);
            assert!(seen.velocity.length() < 0.5, "{rate} {mass}: {}", seen.velocity);
            assert!((pull / mass - 1.0).abs() < 0.05 + 0.03 / mass, "{rate} {mass}: {pull}");
        }
    }
}

#[test]
fn ropes_share_a_load() {
    for rate in RATES {
        for (count, mass) in [(2, 10.0), (5, 10.0), (5, 0.1), (5, 100.0)] {
            let mut world = World::new(rate);
            world.crates.push(crate_of(7, mass, 20.0, Vec2::new(0.0, 220.0)));
            for i in 0..count {
                let x = 10.0 * (i as f32 - 0.5 * (count - 1) as f32);
                let settings = RopeSettings { mass: 1.0, length: 200.0, ..RopeSettings::default() };
                world.ropes.push(Rope::new(settings, Pose::at(Vec2::new(x, 0.0))));
                world.tie(i, End::End, 0, Vec2::new(x, -20.0));
            }
            world.run(5.0);
            let pulls: Vec<f32> =
                world.ropes.iter().map(|rope| rope.tension(rope.lengths().len() - 1) / 980.0).collect();
            let seen = world.crates[0].seen;
            let sum: f32 = pulls.iter().sum();
            assert!((sum / mass - 1.0).abs() < 0.05 + 0.03 * count as f32 / mass, "{sum}");
            for pull in &pulls {
                assert!((pull / (sum / count as f32) - 1.0).abs() < 0.1, "{pulls:?}");
            }
            assert!(seen.velocity.length() < 1.0 && (seen.center.y - 220.0).abs() < 0.5);
        }
    }
}

#[test]
fn a_pushed_crate_swings_with_the_period_of_its_pendulum() {
    for rate in RATES {
        for mass in [0.1, 1.0, 10.0, 100.0] {
            let mut world = hanging(rate, mass, 1.0);
            let settings = *world.ropes[0].settings();
            world.ropes[0].set_settings(RopeSettings { linear_damp: 0.0, ..settings });
            world.crates[0].seen.inv_inertia = 0.0;
            world.run(0.5);
            let speed = 10f32.to_radians() * (980.0f32 * 220.0).sqrt();
            world.crates[0].seen.velocity.x += speed;
            let (mut crossings, mut before, mut time) = (Vec::new(), 0.0f32, 0.0);
            for _ in 0..(12.0 * rate) as usize {
                world.tick();
                time += 1.0 / rate;
                let x = world.crates[0].seen.center.x;
                if x <= 0.0 && before > 0.0 {
                    crossings.push(time - x.abs() / (before - x).max(1e-6) / rate);
                }
                before = x;
            }
            let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f32;
            let length = 200.0;
            let wanted = std::f32::consts::TAU * (length * (mass + 1.0 / 3.0) / (980.0 * (mass + 0.5))).sqrt();
            assert!((period / wanted - 1.0).abs() < 0.01, "{mass} kg at {rate}: {period} s instead of {wanted}");
        }
    }
}

#[test]
fn a_rope_between_two_bodies_keeps_momentum() {
    for rate in RATES {
        for (one, other) in [(1.0, 1.0), (1.0, 10.0), (0.1, 10.0)] {
            let mut world = World::new(rate);
            for (index, (mass, x)) in [(one, 0.0), (other, 150.0)].into_iter().enumerate() {
                let mut held = crate_of(index as u64 + 1, mass, 10.0, Vec2::new(x, 0.0));
                held.gravity = Vec2::ZERO;
                world.crates.push(held);
            }
            let settings = RopeSettings {
                mass: 0.01,
                length: 150.0,
                gravity_scale: 0.0,
                linear_damp: 0.0,
                start_pinned: false,
                ..RopeSettings::default()
            };
            world.ropes.push(Rope::new(settings, Pose::IDENTITY));
            world.tie(0, End::Start, 0, Vec2::ZERO);
            world.tie(0, End::End, 1, Vec2::ZERO);
            world.crates[0].seen.velocity = Vec2::new(-300.0, 40.0);
            let momentum = |world: &World| {
                let rope = &world.ropes[0];
                let n = rope.point_count();
                let points: Vec2 = (0..n).map(|i| rope.velocity(i) * (0.01 / (n - 1) as f32)).skip(1).take(n - 2).sum();
                world.crates.iter().map(|held| held.seen.velocity * held.mass()).sum::<Vec2>() + points
            };
            let before = momentum(&world);
            let energy = |world: &World| {
                world.crates.iter().map(|held| held.seen.velocity.length_squared() * held.mass()).sum::<f32>()
            };
            let mut worst = 0.0f32;
            let e0 = energy(&world);
            let mut e = e0;
            for _ in 0..(4.0 * rate) as usize {
                world.tick();
                worst = worst.max(momentum(&world).distance(before) / before.length());
                e = e.max(energy(&world));
            }
            let apart = world.crates[0].seen.center.distance(world.crates[1].seen.center);
            assert!(apart < 150.1, "{rate}: {apart} px apart");
            assert!(worst < 0.01);
        }
    }
}

/// A row of crates under each other, the first of which hangs on the origin by as many ropes as each of the others on the one before.
fn hanging_row(rate: f32, count: usize, mass: f32, ropes: usize) -> World {
    let mut world = World::new(rate);
    for i in 0..count {
        world.crates.push(crate_of(i as u64 + 1, mass, 10.0, Vec2::new(0.0, 80.0 * (i + 1) as f32)));
        for _ in 0..ropes {
            world.link(i.checked_sub(1), i);
        }
    }
    world
}

impl World {
    /// A rope of 80 px from a crate, or from above, to another.
    fn link(&mut self, from: Option<usize>, to: usize) {
        let above = self.crates[to].seen.center - Vec2::new(0.0, 80.0);
        let at = from.map_or(above, |from| self.crates[from].seen.center);
        let settings = RopeSettings { length: 80.0, start_pinned: from.is_none(), ..RopeSettings::default() };
        self.ropes.push(Rope::new(settings, Pose::at(at)));
        let index = self.ropes.len() - 1;
        if let Some(from) = from {
            self.tie(index, End::Start, from, Vec2::ZERO);
        }
        self.tie(index, End::End, to, Vec2::ZERO);
    }

    fn fastest(&self) -> f32 {
        self.crates.iter().map(|held| held.seen.velocity.length()).fold(0.0, f32::max)
    }

    fn stretch(&self) -> f32 {
        self.ropes.iter().map(Rope::stretch).fold(0.0, f32::max) - 1.0
    }
}

#[test]
fn rows_of_crates_swing_and_are_not_stretched() {
    for rate in RATES {
        for (count, mass, ropes) in [(2, 1.0, 1), (8, 1.0, 1), (1, 1.0, 2), (2, 1.0, 2), (4, 5.0, 1)] {
            let mut world = hanging_row(rate, count, mass, ropes);
            world.crates[count - 1].seen.velocity.x = 100.0;
            for _ in 0..(4.0 * rate) as usize {
                world.tick();
                let what = format!("{count} of {mass} kg on {ropes} each at {rate}");
                assert!(world.fastest() < 250.0, "{what}: {} px/s", world.fastest());
                assert!(world.stretch() < 5e-3, "{what}: {}", world.stretch());
            }
        }
    }
}

#[test]
fn a_net_of_crates_comes_to_rest() {
    for rate in RATES {
        let mut world = World::new(rate);
        for i in 0..20 {
            let place = Vec2::new((i % 5) as f32 * 80.0, (i / 5) as f32 * 80.0);
            world.crates.push(crate_of(i as u64 + 1, 1.0, 10.0, place));
        }
        for i in 0..20usize {
            world.link(i.checked_sub(5), i);
            if i % 5 < 4 {
                world.link(Some(i), i + 1);
            }
            if i % 5 == 0 {
                // Two side by side.
                world.link(Some(i), i + 1);
            }
        }
        assert_eq!(world.ropes.len(), 40);
        for _ in 0..(20.0 * rate) as usize {
            world.tick();
            assert!(world.stretch() < 2e-3, "{rate}: {}", world.stretch());
        }
        assert!(world.fastest() < 2.0, "{rate}: {} px/s", world.fastest());
    }
}

#[test]
fn a_dropped_crate_stays_in_reach() {
    for rate in RATES {
        for mass in [0.1, 1.0, 10.0, 100.0] {
            let mut world = hanging(rate, mass, 1.0);
            world.crates[0].seen.center = Vec2::new(120.0, 20.0);
            for _ in 0..(6.0 * rate) as usize {
                world.tick();
                let pose = world.crates[0].pose();
                let reach = (pose.origin + pose.turn(Vec2::new(0.0, -20.0))).length();
                assert!(reach < 200.2, "{mass} kg at {rate}: {reach}");
                assert!(world.fastest() < 750.0, "{mass} kg at {rate}: {}", world.fastest());
            }
        }
    }
}

#[test]
fn a_crate_falls_on_a_bridge_and_lies_there() {
    for rate in RATES {
        for mass in [0.1, 1.0, 10.0, 100.0] {
            let mut world = World::new(rate);
            world.touching = true;
            let settings = RopeSettings {
                mass: 1.0,
                length: 420.0,
                end_position: Vec2::new(400.0, 0.0),
                end_pinned: true,
                ..RopeSettings::default()
            };
            world.ropes.push(Rope::new(settings, Pose::IDENTITY));
            world.crates.push(crate_of(3, mass, 15.0, Vec2::new(200.0, 0.0)));
            world.run(10.0);
            let seen = world.crates[0].seen;
            // It lies in the middle of a rope of 420 px over 400, half above it.
            assert!((35.0..48.0).contains(&seen.center.y), "{mass} kg at {rate}: {}", seen.center);
            assert!((190.0..210.0).contains(&seen.center.x), "{mass} kg at {rate}: {}", seen.center);
            assert!(seen.velocity.length() < 8.0, "{mass} kg at {rate}: {}", seen.velocity);
            assert!(world.stretch() < 2e-3, "{mass} kg at {rate}: {}", world.stretch());
        }
    }
}

#[test]
fn what_strikes_a_free_rope_keeps_the_momentum_of_both() {
    for rate in RATES {
        for (mass, speed) in [(1.0, 300.0), (1.0, 2000.0), (10.0, 600.0), (0.1, 600.0)] {
            let mut world = World::new(rate);
            world.touching = true;
            let settings = RopeSettings {
                length: 200.0,
                start_pinned: false,
                gravity_scale: 0.0,
                linear_damp: 0.0,
                air_drag: 0.0,
                ..RopeSettings::default()
            };
            world.ropes.push(Rope::new(settings, Pose::IDENTITY));
            let mut held = crate_of(3, mass, 12.0, Vec2::new(-100.0, 90.0));
            held.seen.velocity = Vec2::new(speed, 0.0);
            held.gravity = Vec2::ZERO;
            world.crates.push(held);
            let momentum = |world: &World| {
                let rope = &world.ropes[0];
                let last = rope.point_count() - 1;
                let share = |i: usize| if i == 0 || i == last { 0.5 } else { 1.0 };
                let all = (0..=last).map(|i| rope.velocity(i) * share(i) * rope.settings().mass / last as f32);
                all.sum::<Vec2>() + world.crates[0].seen.velocity * mass
            };
            let before = momentum(&world);
            // The mean of the last tick is told of the one, the last substep of the other: when all is over.
            world.run(0.6);
            let off = momentum(&world).distance(before) / before.length();
            assert!(off < 0.01, "{mass} kg with {speed} px/s at {rate}: {off}, {}", world.crates[0].seen.velocity);
            assert!(world.crates[0].seen.velocity.x < 0.99 * speed, "it was struck");
        }
    }
}

#[test]
fn a_light_hook_carries_a_heavy_load() {
    // The ties are beside its middle: a strong pull turns it fast.
    for rate in RATES {
        for (hook, load) in [(1.0, 30.0), (1.0, 100.0), (3.0, 100.0), (0.1, 100.0)] {
            let mut world = World::new(rate);
            world.crates.push(crate_of(1, hook, 15.0, Vec2::new(0.0, 115.0)));
            world.crates.push(crate_of(2, load, 15.0, Vec2::new(40.0, 225.0)));
            for i in 0..2 {
                let settings = RopeSettings { length: 100.0, start_pinned: i == 0, ..RopeSettings::default() };
                world.ropes.push(Rope::new(settings, Pose::at(Vec2::new(0.0, 130.0 * i as f32))));
                world.tie(i, End::End, i, Vec2::new(0.0, -15.0));
            }
            world.tie(1, End::Start, 0, Vec2::new(0.0, 15.0));
            for _ in 0..(6.0 * rate) as usize {
                world.tick();
                let what = format!("{hook} kg and {load} kg at {rate}");
                assert!(world.fastest() < 2000.0, "{what}: {} px/s", world.fastest());
                assert!(world.crates[0].seen.spin.abs() < 60.0, "{what}: {} rad/s", world.crates[0].seen.spin);
            }
        }
    }
}

#[test]
fn what_falls_into_its_rope_is_not_thrown_back() {
    for rate in RATES {
        for mass in [1.0, 10.0, 100.0] {
            let mut world = hanging(rate, mass, 0.5);
            world.crates[0].seen.inv_inertia = 0.0;
            world.crates[0].seen.center = Vec2::new(0.0, 120.0);
            let (mut fell, mut thrown) = (0.0f32, 0.0f32);
            for _ in 0..(1.5 * rate) as usize {
                world.tick();
                fell = fell.max(world.crates[0].seen.velocity.y);
                thrown = thrown.max(-world.crates[0].seen.velocity.y);
            }
            assert!(fell > 400.0 && thrown < 60.0, "{mass} kg at {rate}: fell with {fell}, rose with {thrown} px/s");
        }
    }
}
