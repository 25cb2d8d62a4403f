//! Ropes among colliders, for the tests of contacts.

// Not every test file needs all of it.
#![allow(dead_code)]

use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Material, Outline, RigidPose, Shape};
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings};
use supple_sim::tick::Tick;

pub const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);
/// The tick rates at which all has to hold.
pub const RATES: [f32; 3] = [30.0, 60.0, 120.0];
/// How deep in px the surface of a rope may be in a collider: no eye sees a tenth of a pixel.
pub const SHALLOW: f32 = 0.1;
/// How much longer than it is a rope may be, as a part: a little more than where the solver stops.
pub const EXACT: f32 = 2e-4;
/// The limit on stretch, as a part: where a rope is thrown or torn about.
pub const TIGHT: f32 = 0.01;

/// Depths are measured at places at most so far from each other along a link, in px, but at no more than so many.
const SAMPLE: f32 = 2.0;
const MOST_SAMPLES: f32 = 100.0;

/// A collider that moves by a function of time.
pub struct Thing {
    pub shape: Arc<Shape>,
    pub path: Box<dyn Fn(f32) -> RigidPose>,
    pub layers: u32,
    pub material: Material,
    pub surface_velocity: (Vec2, f32),
    pub one_way: Option<Vec2>,
    pub yields: bool,
}

pub fn thing(outline: Outline, path: impl Fn(f32) -> RigidPose + 'static) -> Thing {
    let shape = Shape::new(&outline, Vec2::X, Vec2::Y).expect("a shape");
    Thing {
        shape: Arc::new(shape),
        path: Box::new(path),
        layers: 1,
        material: Material::default(),
        surface_velocity: (Vec2::ZERO, 0.0),
        one_way: None,
        yields: false,
    }
}

/// A collider without friction of its own, sliding or one-way sides, that moves so in a tick; `body` tells it from others.
pub fn collider(body: u64, shape: &Arc<Shape>, from: RigidPose, to: RigidPose) -> Collider {
    Collider {
        key: ColliderKey { body, ..ColliderKey::default() },
        shape: Arc::clone(shape),
        from,
        to,
        layers: 1,
        material: Material::default(),
        surface_velocity: (Vec2::ZERO, 0.0),
        yields: false,
        one_way: None,
    }
}

/// One that stands still.
pub fn still(outline: Outline, x: f32, y: f32) -> Thing {
    thing(outline, move |_| at(x, y))
}

pub fn at(x: f32, y: f32) -> RigidPose {
    RigidPose { origin: Vec2::new(x, y), angle: 0.0 }
}

pub fn block(width: f32, height: f32) -> Outline {
    Outline::Rectangle { half: Vec2::new(0.5 * width, 0.5 * height) }
}

/// A floor whose surface is at y = 0.
pub fn floor() -> Thing {
    still(block(4000.0, 40.0), 0.0, 20.0)
}

/// A valley with sides of 45 degrees, whose bottom is at (0, 100).
pub fn notch() -> Vec<Thing> {
    let side = |x: f32| Outline::Polygon(vec![Vec2::new(x, -100.0), Vec2::new(0.0, 100.0), Vec2::new(x, 100.0)]);
    vec![still(side(-200.0), 0.0, 0.0), still(side(200.0), 0.0, 0.0)]
}

/// A rope without pins, laid to the right.
pub fn free(length: f32) -> RopeSettings {
    RopeSettings { length, start_pinned: false, end_position: Vec2::X, ..RopeSettings::default() }
}

/// The same without anything that slows it.
pub fn undamped(length: f32) -> RopeSettings {
    RopeSettings { linear_damp: 0.0, air_drag: 0.0, ..free(length) }
}

/// A rope that is held at both ends.
pub fn both(length: f32, end: Vec2) -> RopeSettings {
    RopeSettings { length, end_pinned: true, end_position: end, ..RopeSettings::default() }
}

/// A rope that hangs from its node.
pub fn hanging(length: f32) -> RopeSettings {
    RopeSettings { length, ..RopeSettings::default() }
}

/// A rope among things, and the worst that happened to it.
pub struct Scene {
    pub rope: Rope,
    pub things: Vec<Thing>,
    pub colliders: Colliders,
    pub rate: f32,
    pub tick: u32,
    /// The deepest that the rope's surface was in anything, in px.
    pub deepest: f32,
    /// The most that a link was longer than it is, as a part of its length.
    pub stretch: f32,
    /// When it was last awake, in seconds.
    pub awake: f32,
}

impl Scene {
    pub fn new(settings: RopeSettings, place: Vec2, things: Vec<Thing>, rate: f32) -> Scene {
        let rope = Rope::new(settings, Pose::at(place));
        let mut scene = Scene {
            rope,
            things,
            colliders: Colliders::default(),
            rate,
            tick: 0,
            deepest: 0.0,
            stretch: 0.0,
            awake: 0.0,
        };
        scene.gather();
        scene
    }

    pub fn time(&self) -> f32 {
        self.tick as f32 / self.rate
    }

    /// Takes down where the things are.
    pub fn gather(&mut self) {
        let (from, to) = (self.tick.saturating_sub(1) as f32 / self.rate, self.time());
        let colliders = self.things.iter().enumerate().map(|(i, thing)| Collider {
            key: ColliderKey { body: i as u64 + 1, part: 0, shape: 0 },
            shape: Arc::clone(&thing.shape),
            from: (thing.path)(from),
            to: (thing.path)(to),
            layers: thing.layers,
            material: thing.material,
            surface_velocity: thing.surface_velocity,
            yields: thing.yields,
            one_way: thing.one_way,
        });
        self.colliders.set(colliders);
    }

    pub fn step(&mut self) {
        self.tick += 1;
        self.gather();
        self.rope.notice_colliders(&self.colliders);
        self.rope.step(&Tick { colliders: Some(&self.colliders), ..Tick::still(1.0 / self.rate, GRAVITY) });
        self.stretch = self.stretch.max(self.rope.stretch() - 1.0);
        self.deepest = self.deepest.max(self.depth());
        if !self.rope.is_sleeping() {
            self.awake = self.time();
        }
    }

    pub fn run(&mut self, seconds: f32) -> &mut Scene {
        for _ in 0..(seconds * self.rate).round() as u32 {
            self.step();
        }
        self
    }

    /// Forgets the worst that has happened.
    pub fn forget(&mut self) {
        (self.deepest, self.stretch) = (0.0, 0.0);
    }

    /// How deep the surface is in anything that is met from all sides, in px; 0: it only touches.
    pub fn depth(&self) -> f32 {
        let radius = self.rope.settings().collision.radius;
        let mask = self.rope.settings().collision.mask;
        let mut deepest = 0.0f32;
        let met = |collider: &&Collider| collider.one_way.is_none() && collider.layers & mask != 0;
        let rope = Bounds::of((0..self.rope.point_count()).map(|i| self.rope.position(i)));
        let rope = Bounds { min: rope.min - radius, max: rope.max + radius };
        for collider in self.colliders.all().iter().filter(met) {
            if !collider.bounds().overlaps(&rope) {
                continue;
            }
            let turn = Vec2::from_angle(-collider.to.angle);
            let local = |i: usize| turn.rotate(self.rope.position(i) - collider.to.origin);
            for k in 0..self.rope.point_count() - 1 {
                let (a, b) = (local(k), local(k + 1));
                let link = Bounds { min: a.min(b) - radius, max: a.max(b) + radius };
                for piece in collider.shape.pieces().iter().filter(|piece| piece.bounds().overlaps(&link)) {
                    let samples = (a.distance(b) / SAMPLE).ceil().clamp(1.0, MOST_SAMPLES) as u32;
                    for sample in 0..=samples {
                        let place = a.lerp(b, sample as f32 / samples as f32);
                        deepest = deepest.max(radius - piece.nearest(place).distance);
                    }
                }
            }
        }
        deepest
    }

    pub fn fastest(&self) -> f32 {
        (0..self.rope.point_count()).map(|i| self.rope.velocity(i).length()).fold(0.0, f32::max)
    }

    /// The mean velocity of the points.
    pub fn velocity(&self) -> Vec2 {
        (0..self.rope.point_count()).map(|i| self.rope.velocity(i)).sum::<Vec2>() / self.rope.point_count() as f32
    }

    /// Everything that a failing test wants to know.
    pub fn say(&self, name: &str) -> String {
        format!(
            "{name}, {} ticks/s, after {:.2} s: {:.3} px deep, {:.4} % stretched, {:.2} px/s fast, asleep: {}, awake at {:.2} s, {:?}",
            self.rate,
            self.time(),
            self.deepest,
            100.0 * self.stretch,
            self.fastest(),
            self.rope.is_sleeping(),
            self.awake,
            self.rope.report()
        )
    }

    /// It was never deeper and never longer than this.
    #[track_caller]
    pub fn assert_held(&self, name: &str, deepest: f32, stretch: f32) {
        println!("{}", self.say(name));
        assert!(self.deepest <= deepest, "deep: {}", self.say(name));
        assert!(self.stretch <= stretch, "stretched: {}", self.say(name));
        assert_eq!(self.rope.recoveries(), 0, "{name}");
    }

    /// It sleeps, and has since so many seconds after the start at the latest.
    #[track_caller]
    pub fn assert_asleep_since(&self, name: &str, seconds: f32) {
        assert!(self.rope.is_sleeping() && self.awake <= seconds, "awake: {}", self.say(name));
    }
}

/// Random numbers, the same in each run (D. E. Knuth's linear congruential generator).
pub struct Dice(pub u64);

impl Dice {
    /// A number from `least` to `most`.
    pub fn between(&mut self, least: f32, most: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        least + (most - least) * ((self.0 >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// As often between 1 and 2 as between 10 and 20.
    pub fn size(&mut self, least: f32, most: f32) -> f32 {
        self.between(least.ln(), most.ln()).exp()
    }

    pub fn chance(&mut self, part: f32) -> bool {
        self.between(0.0, 1.0) < part
    }

    pub fn vector(&mut self, most: f32) -> Vec2 {
        Vec2::new(self.between(-most, most), self.between(-most, most))
    }

    pub fn direction(&mut self) -> Vec2 {
        Vec2::from_angle(self.between(0.0, std::f32::consts::TAU))
    }
}
