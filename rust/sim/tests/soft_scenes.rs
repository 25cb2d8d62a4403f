//! Soft bodies among colliders: dropped, pressed, folded, and materials of every kind.

mod common;

use common::*;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Collider, ColliderKey, Colliders, Outline, RigidPose};
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::soft::{SoftBody, SoftSettings};
use supple_sim::tick::Tick;

/// How deep in px the surface may be in a collider, or a collider's corner in the body: the limit is 2.
const DEEPEST: f32 = 0.5;

fn grid(points: u32) -> Arc<Mesh> {
    Arc::new(Mesh::rectangle(Vec2::splat(100.0), glam::UVec2::splat(points)))
}

fn jelly(points: u32, x: f32, y: f32) -> SoftBody {
    SoftBody::new(SoftSettings::default(), grid(points), Pose::at(Vec2::new(x, y)))
}

/// A body among colliders that move by functions of time.
struct Play {
    body: SoftBody,
    things: Vec<Thing>,
    colliders: Colliders,
    rate: f32,
    ticks: u32,
    /// How deep anything has been.
    deepest: f32,
    /// For how many ticks a triangle has been inside out at most, and each of them now.
    inside_out: u32,
    streaks: Vec<u32>,
}

impl Play {
    fn new(body: SoftBody, things: Vec<Thing>, rate: f32) -> Play {
        let streaks = vec![0; body.mesh().triangles.len()];
        Play { body, things, colliders: Colliders::default(), rate, ticks: 0, deepest: 0.0, inside_out: 0, streaks }
    }

    fn time(&self) -> f32 {
        self.ticks as f32 / self.rate
    }

    fn step(&mut self) {
        let (before, now) = (self.time(), (self.ticks + 1) as f32 / self.rate);
        self.colliders.set(self.things.iter().enumerate().map(|(i, thing)| Collider {
            key: ColliderKey { body: i as u64 + 1, ..ColliderKey::default() },
            shape: Arc::clone(&thing.shape),
            from: (thing.path)(before),
            to: (thing.path)(now),
            layers: thing.layers,
            material: thing.material,
            surface_velocity: thing.surface_velocity,
            yields: thing.yields,
            one_way: thing.one_way,
        }));
        self.body.notice_colliders(&self.colliders);
        let tick = Tick { colliders: Some(&self.colliders), ..Tick::still(1.0 / self.rate, GRAVITY) };
        self.body.step(&tick);
        self.ticks += 1;
        self.deepest = self.deepest.max(self.depth());
        for (triangle, streak) in self.streaks.iter_mut().enumerate() {
            *streak = if self.body.is_inverted(triangle) { *streak + 1 } else { 0 };
            self.inside_out = self.inside_out.max(*streak);
        }
    }

    fn run(&mut self, seconds: f32) -> &mut Play {
        for _ in 0..(seconds * self.rate).round() as u32 {
            self.step();
        }
        self
    }

    /// How deep points are in colliders, or corners in the body.
    fn depth(&self) -> f32 {
        let body = &self.body;
        let outline = &body.mesh().outline;
        let at = |k: usize| body.position(outline[k % outline.len()] as usize);
        let mut deepest = 0.0f32;
        for collider in self.colliders.all() {
            let RigidPose { origin, angle } = collider.to;
            let (turn, back) = (Vec2::from_angle(angle), Vec2::from_angle(-angle));
            for piece in collider.shape.pieces() {
                for i in 0..body.point_count() {
                    deepest = deepest.max(-piece.nearest(back.rotate(body.position(i) - origin)).distance);
                }
                for corner in piece.corners.iter().map(|&corner| origin + turn.rotate(corner)) {
                    if body.contains(corner) {
                        let off = |k: usize| {
                            let way = at(k + 1) - at(k);
                            let part = ((corner - at(k)).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
                            corner.distance(at(k) + way * part)
                        };
                        deepest = deepest.max((0..outline.len()).map(off).fold(f32::INFINITY, f32::min));
                    }
                }
            }
        }
        deepest
    }

    /// How far the points are from the rest shape, root mean square, as a part of its size.
    fn off_shape(&self) -> f32 {
        let (pose, mesh) = (self.body.rigid_pose(), self.body.mesh());
        let off = |(i, &rest): (usize, &Vec2)| (pose.origin + pose.turn(rest)).distance_squared(self.body.position(i));
        let sum: f32 = mesh.points.iter().enumerate().map(off).sum();
        (sum / mesh.points.len() as f32).sqrt() / 100.0
    }

    /// It has come back into shape, and nothing was ever deep.
    fn assert_whole(&self, name: &str) {
        let (area, shape) = (self.body.area() / self.body.rest_area(), self.off_shape());
        assert!((area - 1.0).abs() < 0.02, "{name}: area {area}");
        assert!(shape < 0.05, "{name}: {shape} off its shape");
        assert!(self.deepest < DEEPEST, "{name}: {} px deep", self.deepest);
        assert_eq!(self.body.inverted(), 0, "{name}");
    }
}

fn tipped(points: &[(f32, f32)]) -> Outline {
    Outline::Polygon(points.iter().copied().map(Vec2::from).collect())
}

#[test]
fn an_untouched_body_stands_wobbles_rests_and_sleeps() {
    for rate in [30.0, 60.0, 120.0, 240.0] {
        let mut play = Play::new(jelly(5, 0.0, -351.0), vec![floor()], rate);
        let (mut lows, mut heights) = (0, [100.0f32; 2]);
        let mut landed = None;
        while !play.body.is_sleeping() && play.time() < 8.0 {
            play.step();
            let bounds = play.body.bounds();
            let height = bounds.max.y - bounds.min.y;
            if landed.is_none() && bounds.max.y > -1.5 {
                landed = Some(play.time());
            }
            if landed.is_some() && heights[1] < heights[0] && heights[1] < height && heights[1] < 98.0 {
                lows += 1;
            }
            heights = [heights[1], height];
        }
        let landed = landed.expect("it falls");
        assert!(
            play.body.is_sleeping() && play.time() - landed < 3.0,
            "{rate}: rests after {} s",
            play.time() - landed
        );
        assert!((1..=4).contains(&lows), "{rate}: wobbles {lows} times");
        assert!(heights[1] > 95.0, "{rate}: stands {} px high", heights[1]);
        play.assert_whole(&format!("{rate} ticks/s"));
    }
}

#[test]
fn it_comes_back_into_shape_on_whatever_it_is_dropped() {
    let slope = |angle: f32| thing(block(40_000.0, 100.0), move |_| RigidPose { angle, ..RigidPose::default() });
    let spike = |x: f32, half: f32| still(tipped(&[(-half, 0.0), (0.0, -60.0), (half, 0.0)]), x, 0.0);
    let tiles = |step: f32| (-40..80).map(move |k| still(block(16.0, 16.0), 16.0 * k as f32, 8.0 + step * k as f32));
    let pegs = || {
        let rows = (0..4).flat_map(|row| (-8..8).map(move |k| (row, k)));
        rows.map(|(row, k)| {
            still(
                Outline::Circle { radius: 12.0 },
                120.0 * k as f32 + 60.0 * (row % 2) as f32,
                -60.0 * row as f32 - 90.0,
            )
        })
    };
    let lift =
        |t: f32| RigidPose { origin: Vec2::new(100.0 * t.sin(), 20.0 + 60.0 * (2.0 * t).sin()), angle: 0.1 * t.sin() };
    for points in [4, 5, 8] {
        for rate in [30.0, 60.0, 120.0] {
            let scenes: Vec<(&str, Vec<Thing>)> = vec![
                ("floor", vec![floor()]),
                ("gentle slope", vec![slope(0.1), floor()]),
                ("spike", vec![spike(0.0, 20.0), floor()]),
                ("spike beside its middle", vec![spike(14.0, 20.0), floor()]),
                ("needle", vec![spike(5.0, 3.0), floor()]),
                ("tiles", tiles(0.0).collect()),
                ("pegs", pegs().chain([floor()]).collect()),
                ("platform", vec![thing(block(600.0, 40.0), lift)]),
            ];
            for (name, things) in scenes {
                let mut play = Play::new(jelly(points, 3.0, -420.0), things, rate);
                play.run(10.0);
                // On what moves it goes on wobbling a little.
                play.assert_whole(&format!("{name}, {points}x{points}, {rate} ticks/s"));
            }
        }
    }
}

#[test]
fn pressed_flat_it_springs_back() {
    for gap in [40.0, 10.0, 4.0] {
        for rate in [30.0, 60.0, 120.0] {
            // Down in 0.7 s, a rest of a second, and up.
            let plate = move |t: f32| {
                let down = (t / 0.7).min(1.0).min((2.4 - t).max(-1.0) / 0.7);
                at(0.0, -180.0 + (180.0 - gap) * down - 20.0)
            };
            let mut play = Play::new(jelly(5, 0.0, -51.0), vec![floor(), thing(block(600.0, 40.0), plate)], rate);
            play.run(1.4);
            let height = play.body.bounds().max.y - play.body.bounds().min.y;
            assert!(height < gap, "{gap}: {height} px high");
            play.run(6.0);
            play.assert_whole(&format!("gap {gap}, {rate} ticks/s"));
        }
    }
}

#[test]
fn turned_inside_out_folded_or_scrambled_it_comes_back() {
    let wild = |i: usize| Vec2::from_angle(2.4 * i as f32) * ((i * 7919) % 90) as f32;
    type Way = Box<dyn Fn(usize, Vec2) -> Vec2>;
    let ways: [(&str, Way); 5] = [
        ("mirrored", Box::new(|_, p| Vec2::new(-p.x, p.y))),
        ("folded", Box::new(|_, p| Vec2::new(-p.x.abs(), p.y))),
        ("upside down and mirrored", Box::new(|_, p| Vec2::new(p.x, -160.0 - p.y))),
        ("in one point", Box::new(|_, _| Vec2::new(3.0, -80.0))),
        ("scrambled", Box::new(move |i, _| Vec2::new(0.0, -100.0) + wild(i))),
    ];
    for (name, way) in ways {
        for points in [3, 5, 8] {
            let mut play = Play::new(jelly(points, 0.0, -80.0), vec![floor()], 60.0);
            for i in 0..play.body.point_count() {
                let place = way(i, play.body.position(i));
                play.body.set_position(i, place);
            }
            play.run(9.0);
            play.assert_whole(&format!("{name}, {points}x{points}"));
        }
    }
}

#[test]
fn what_cannot_be_ends_well() {
    // A crusher that goes right through the floor, and up again.
    let plate = |t: f32| at(0.0, -200.0 + 240.0 * (1.5 * t).sin().max(0.0) - 20.0);
    let mut play =
        Play::new(jelly(5, 0.0, -51.0), vec![floor(), thing(block(600.0, 40.0), move |t| plate(t.min(2.5)))], 60.0);
    play.run(14.0);
    play.deepest = play.depth();
    play.assert_whole("crushed into the floor");
}

#[test]
fn no_material_breaks_at_2000_px_a_second() {
    let mut worst = (0, String::new());
    let mut all = 0;
    for points in [2, 5, 14] {
        for stiffness in [0.0, 200.0, 1e7] {
            for mass in [0.001, 1.0, 1000.0] {
                for damping in [0.0, 1e4] {
                    for area_stiffness in [0.0, 1.0, 1e4] {
                        let rate = [30.0, 60.0, 240.0][all % 3];
                        let settings = SoftSettings {
                            stiffness,
                            damping,
                            area_stiffness,
                            mass,
                            linear_damp: 1.0,
                            ..SoftSettings::default()
                        };
                        let turn = Vec2::from_angle(0.3);
                        let pose = Pose { x: turn, y: turn.perp(), ..Pose::at(Vec2::new(0.0, -151.0)) };
                        let wide = still(block(200_000.0, 40.0), 0.0, 20.0);
                        let mut play = Play::new(SoftBody::new(settings, grid(points), pose), vec![wide], rate);
                        play.body.set_linear_velocity(Vec2::new(300.0, 2000.0));
                        play.run(10.0);
                        let name = format!(
                            "{points}x{points}, stiffness {stiffness}, {mass} kg, damping {damping}, area {area_stiffness}, {rate} ticks/s"
                        );
                        assert_eq!(play.body.recoveries(), 0, "{name}");
                        assert!(play.deepest < DEEPEST, "{name}: {} px deep", play.deepest);
                        let fastest =
                            (0..play.body.point_count()).map(|i| play.body.velocity(i).length()).fold(0.0, f32::max);
                        assert!(fastest < 10.0, "{name}: {fastest} px/s after 10 s");
                        let ticks = if area_stiffness > 0.0 { play.inside_out } else { 0 };
                        all += 1;
                        if ticks > worst.0 {
                            worst = (ticks, name);
                        }
                    }
                }
            }
        }
    }
    println!("{all} materials inside out for at most {} ticks: {}", worst.0, worst.1);
    assert!(worst.0 <= 5, "{worst:?}");
}

#[test]
fn friction_holds_it_on_a_slope_and_ice_does_not() {
    let slide = |friction: f32, angle: f32| {
        let slope = thing(block(40_000.0, 100.0), move |_| RigidPose { angle, ..RigidPose::default() });
        let turn = Vec2::from_angle(angle);
        let up = Vec2::new(angle.sin(), -angle.cos());
        let pose = Pose { x: turn, y: turn.perp(), ..Pose::at(up * 101.5) };
        let mut settings = SoftSettings { linear_damp: 0.0, ..SoftSettings::default() };
        settings.collision.friction = friction;
        let mut play = Play::new(SoftBody::new(settings, grid(5), pose), vec![slope], 60.0);
        let start = play.body.center();
        play.run(3.0);
        play.body.center().distance(start)
    };
    let held = slide(0.5, 0.35);
    assert!(held < 10.0, "held within the angle of friction: {held}");
    let slid = slide(0.2, 0.35);
    // (sin a - f cos a) g t^2 / 2 = 682 px.
    assert!((550.0..760.0).contains(&slid), "slides beyond it: {slid}");
}

#[test]
fn bounce_throws_it_back() {
    let rebound = |bounce: f32| {
        let mut settings = SoftSettings { stiffness: 5000.0, linear_damp: 0.0, ..SoftSettings::default() };
        settings.collision.bounce = bounce;
        let body = SoftBody::new(settings, grid(5), Pose::at(Vec2::new(0.0, -251.0)));
        let mut play = Play::new(body, vec![floor()], 120.0);
        let mut highest = f32::NEG_INFINITY;
        let mut landed = false;
        for _ in 0..360 {
            play.step();
            landed |= play.body.bounds().max.y > -1.5;
            if landed {
                highest = highest.max(-1.0 - play.body.bounds().max.y);
            }
        }
        highest / 200.0
    };
    let (none, half, full) = (rebound(0.0), rebound(0.5), rebound(1.0));
    assert!(none < 0.12 && (0.15..0.4).contains(&half) && (0.7..1.05).contains(&full), "{none}, {half}, {full}");
}

#[test]
fn one_way_platforms_are_stood_on_and_passed_from_below() {
    let platform = Thing { one_way: Some(Vec2::NEG_Y), ..still(block(400.0, 10.0), 0.0, 5.0) };
    let mut play = Play::new(jelly(5, 0.0, 120.0), vec![platform], 60.0);
    play.body.set_linear_velocity(Vec2::new(0.0, -900.0));
    play.run(6.0);
    assert!(play.body.is_sleeping(), "{:?}", play.body.bounds());
    assert!((play.body.bounds().max.y + 1.0).abs() < 0.5, "{:?}", play.body.bounds());
}

#[test]
fn it_wakes_when_its_floor_goes() {
    let mut play = Play::new(
        jelly(5, 0.0, -51.0),
        vec![thing(block(600.0, 40.0), |t| at(0.0, 20.0 + 200.0 * (t - 4.0).max(0.0)))],
        60.0,
    );
    play.run(3.9);
    assert!(play.body.is_sleeping());
    play.run(0.5);
    assert!(!play.body.is_sleeping() && play.body.bounds().max.y > 3.0);
}

#[test]
fn a_fold_does_not_go_through_itself() {
    // The arms of a C sink onto each other.
    let mut settings = SoftSettings { stiffness: 100.0, ..SoftSettings::default() };
    let outline = [(-100, -100), (100, -100), (100, -60), (-60, -60), (-60, 60), (100, 60), (100, 100), (-100, 100)];
    let outline = outline.map(|(x, y)| Vec2::new(x as f32, y as f32));
    let mesh = Arc::new(Mesh::polygon(&outline, 20.0).expect("a mesh"));
    let mut crossings = |with_itself: bool| {
        settings.collision.with_itself = with_itself;
        let body = SoftBody::new(settings, Arc::clone(&mesh), Pose::at(Vec2::new(5.0, -110.0)));
        let mut play = Play::new(body, vec![floor()], 60.0);
        play.run(8.0);
        assert!(play.deepest < DEEPEST && play.body.recoveries() == 0, "{}", play.deepest);
        let outline = &play.body.mesh().outline;
        let side = |k: usize| [k, k + 1].map(|k| play.body.position(outline[k % outline.len()] as usize));
        let apart = |from: Vec2, to: Vec2, at: Vec2| (to - from).perp_dot(at - from);
        let mut crossings = 0;
        for k in 0..outline.len() {
            for l in k + 2..outline.len() {
                let ([a, b], [c, d]) = (side(k), side(l));
                let crosses = apart(a, b, c) * apart(a, b, d) < 0.0 && apart(c, d, a) * apart(c, d, b) < 0.0;
                crossings += usize::from(crosses);
            }
        }
        crossings
    };
    let (kept_apart, through) = (crossings(true), crossings(false));
    assert!(kept_apart == 0 && through > 0, "{kept_apart}, and {through} without");
}

#[test]
fn what_begins_inside_of_a_floor_comes_out_on_top() {
    for points in [5, 8, 12, 20] {
        for deep in [5.0, 20.0, 50.0] {
            let mut play = Play::new(jelly(points, 0.0, deep - 51.0), vec![floor()], 60.0);
            play.run(6.0);
            play.deepest = play.depth();
            play.assert_whole(&format!("{points}x{points}, {deep} px"));
            assert!(play.body.bounds().max.y < 0.0 && play.body.is_sleeping(), "{points}x{points}, {deep} px");
        }
    }
}

#[test]
fn a_body_with_very_many_contacts_is_solved_for() {
    for (columns, y) in [(120, -20.0), (400, -20.0), (1000, -20.0), (1000, -7.0)] {
        let mesh = Arc::new(Mesh::rectangle(Vec2::new(4.0 * columns as f32, 12.0), glam::UVec2::new(columns, 4)));
        let body = SoftBody::new(SoftSettings::default(), mesh, Pose::at(Vec2::new(0.0, y)));
        let mut play = Play::new(body, vec![still(block(20_000.0, 40.0), 0.0, 20.0)], 60.0);
        play.run(1.0);
        let fastest = (0..play.body.point_count()).map(|i| play.body.velocity(i).length()).fold(0.0, f32::max);
        assert!(fastest < 300.0 && play.body.recoveries() == 0, "{columns}: {fastest} px/s");
        assert!(play.deepest < DEEPEST, "{columns}: {} px deep", play.deepest);
    }
}

#[test]
fn a_squeezed_body_does_not_spring_through_shelves() {
    for stiffness in [200.0, 1500.0, 5000.0] {
        for rate in [30.0, 60.0] {
            // Two plates press it flat; they go away at once, and there are shelves beyond.
            let plate = |side: f32| move |t: f32| at(0.0, side * (60.0 - 46.0 * t.min(1.0) + 20.0));
            let things = vec![
                thing(block(600.0, 40.0), plate(-1.0)),
                thing(block(600.0, 40.0), plate(1.0)),
                still(block(2000.0, 4.0), 0.0, 62.0),
                still(block(2000.0, 4.0), 0.0, -62.0),
            ];
            let settings = SoftSettings { stiffness, mass: 0.2, gravity_scale: 0.0, ..SoftSettings::default() };
            let body = SoftBody::new(settings, grid(5), Pose::IDENTITY);
            let mut play = Play::new(body, things, rate);
            // The plates come through the shelves; these hold only afterwards.
            play.things[2].layers = 2;
            play.things[3].layers = 2;
            play.run(1.5);
            play.things.iter_mut().zip([2, 2, 1, 1]).for_each(|(thing, layers)| thing.layers = layers);
            play.run(3.0);
            let bounds = play.body.bounds();
            assert!(bounds.max.y < 61.0 && bounds.min.y > -61.0, "{stiffness}, {rate} ticks/s: {bounds:?}");
        }
    }
}

#[test]
fn states_go_on_bit_for_bit_among_colliders() {
    let wild = |i: usize| Vec2::from_angle(2.4 * i as f32) * ((i * 7919) % 90) as f32;
    for save_at in [1, 5, 20, 60, 120] {
        let mut play = Play::new(jelly(6, 0.0, -60.0), vec![floor()], 60.0);
        for i in 0..play.body.point_count() {
            let place = Vec2::new(0.0, -50.0) + wild(i);
            play.body.set_position(i, place);
        }
        play.run(save_at as f32 / 60.0);
        let saved = SoftBody::load(&play.body.save(|_| None), |_| None).expect("a body");
        let mut other = Play::new(saved, vec![floor()], 60.0);
        other.ticks = play.ticks;
        for _ in 0..90 {
            play.step();
            other.step();
            assert_eq!(play.body.state_hash(), other.body.state_hash(), "saved after {save_at} ticks");
        }
    }
}

#[test]
fn every_edge_of_the_outline_keeps_a_spike_out() {
    // The last edge runs from the point before the first to the first.
    for pinned in [0, 5] {
        let tip = tipped(&[(-60.0, -6.0), (0.0, 0.0), (-60.0, 6.0)]);
        let mut body =
            SoftBody::new(SoftSettings { gravity_scale: 0.0, ..SoftSettings::default() }, grid(5), Pose::IDENTITY);
        body.pin(pinned, None);
        let mut play = Play::new(body, vec![thing(tip, |t| at(-70.0 + 30.0 * t.min(1.5), -37.0))], 60.0);
        play.run(3.0);
        assert!(play.deepest < DEEPEST, "pinned {pinned}: {} px deep", play.deepest);
    }
}

#[test]
fn spikes_beside_pins_throw_nothing() {
    let mut dice = Dice(5);
    for case in 0..300 {
        let points = 3 + (case % 4) as u32;
        let mut settings = SoftSettings { stiffness: [10.0, 200.0, 1e4][case % 3], ..SoftSettings::default() };
        settings.collision.friction = (case % 2) as f32;
        let mut body = SoftBody::new(settings, grid(points), Pose::IDENTITY);
        for _ in 0..1 + case % 3 {
            let outline = &body.mesh().outline;
            let i = outline[dice.between(0.0, outline.len() as f32 - 0.01) as usize] as usize;
            body.pin(i, None);
        }
        let angle = dice.between(0.0, std::f32::consts::TAU);
        let (way, off) = (Vec2::from_angle(angle), dice.between(-70.0, 70.0));
        let (half, speed, deep) = (dice.between(1.0, 20.0), dice.between(100.0, 1500.0), dice.between(20.0, 140.0));
        let tip = tipped(&[(-80.0, -half), (0.0, 0.0), (-80.0, half)]);
        let path = move |t: f32| RigidPose { origin: way * (-110.0 + (speed * t).min(deep)) + way.perp() * off, angle };
        let mut play = Play::new(body, vec![thing(tip, path)], 60.0);
        for _ in 0..60 {
            play.step();
            let fastest = (0..play.body.point_count()).map(|i| play.body.velocity(i).length()).fold(0.0, f32::max);
            assert!(fastest < 12.0 * speed + 5000.0, "case {case}: {fastest} px/s, the spike {speed}");
        }
        assert_eq!(play.body.recoveries(), 0, "case {case}");
        assert!(SoftBody::load(&play.body.save(|_| None), |_| None).is_some(), "case {case}");
    }
}

#[test]
fn held_inside_of_a_ceiling_it_hangs_out_of_it() {
    let mut body = SoftBody::new(SoftSettings::default(), grid(5), Pose::IDENTITY);
    body.pin_at_rest(&[0, 1, 2, 3, 4]);
    let mut play = Play::new(body, vec![still(block(600.0, 100.0), 0.0, -60.0)], 60.0);
    play.run(5.0);
    assert!(play.body.stretch() < 0.3, "{}", play.body.stretch());
    assert!(play.body.bounds().max.y > 45.0 && play.body.is_sleeping(), "{:?}", play.body.bounds());
}

#[test]
fn what_was_saved_asleep_falls_where_there_is_no_floor() {
    let mut play = Play::new(jelly(5, 0.0, -51.0), vec![floor()], 60.0);
    play.run(4.0);
    assert!(play.body.is_sleeping());
    let load = |play: &Play| SoftBody::load(&play.body.save(|_| None), |_| None).expect("a body");
    let mut without = Play::new(load(&play), vec![], 60.0);
    without.run(0.5);
    assert!(without.body.bounds().max.y > 50.0, "{:?}", without.body.bounds());
    let mut with = Play::new(load(&play), vec![floor()], 60.0);
    with.run(0.5);
    assert!(with.body.is_sleeping());
}

#[test]
fn another_shape_of_as_many_points_meets_all_there_is() {
    let wide = |across, down| Arc::new(Mesh::rectangle(Vec2::splat(100.0), glam::UVec2::new(across, down)));
    for [from, to] in [[(2, 12), (4, 6)], [(4, 6), (6, 4)], [(12, 2), (2, 12)]] {
        let spike = still(tipped(&[(-8.0, 60.0), (0.0, 0.0), (8.0, 60.0)]), 7.0, -40.0);
        let body = SoftBody::new(SoftSettings::default(), wide(from.0, from.1), Pose::at(Vec2::new(0.0, -100.0)));
        let mut play = Play::new(body, vec![spike, floor()], 60.0);
        play.run(0.2);
        play.body.set_mesh(wide(to.0, to.1));
        play.run(3.0);
        assert!(play.deepest < DEEPEST, "{from:?} to {to:?}: {} px deep", play.deepest);
    }
}

#[test]
fn what_may_not_turn_is_thrown_by_no_landing() {
    for (size, points) in [((10.0, 100.0), (5, 5)), ((100.0, 100.0), (5, 5)), ((25.0, 140.0), (3, 9))] {
        for k in 0..10 {
            let turn = Vec2::from_angle(-1.5 + 0.3 * k as f32);
            let settings = SoftSettings { lock_rotation: true, ..SoftSettings::default() };
            let mesh = Arc::new(Mesh::rectangle(Vec2::from(size), points.into()));
            let pose = Pose { x: turn, y: turn.perp(), ..Pose::at(Vec2::new(0.0, -300.0)) };
            let mut play = Play::new(SoftBody::new(settings, mesh, pose), vec![floor()], 60.0);
            for _ in 0..360 {
                play.step();
                let speed = play.body.linear_velocity().length();
                assert!(speed < 800.0, "{size:?}, case {k}: {speed} px/s");
            }
            let (turned, speed) = (play.body.turned(), play.body.linear_velocity().length());
            assert!(turned.abs() < 0.1 && speed < 30.0, "{size:?}, case {k}: turned {turned}, {speed} px/s");
        }
    }
}

#[test]
fn what_winds_twice_around_a_point_unwinds_though_it_may_not_sleep() {
    // A corner is pulled right through the body.
    let from = Vec2::new(50.0, -1.0);
    for degrees in (216..240).step_by(2) {
        let settings = SoftSettings { can_sleep: degrees % 4 == 0, ..SoftSettings::default() };
        let body = SoftBody::new(settings, grid(5), Pose::at(Vec2::new(0.0, -51.0)));
        let mut play = Play::new(body, vec![floor()], 60.0);
        play.run(0.1);
        let mut holder = supple_sim::rope::Holder { key: 7, pose: Pose::at(from) };
        play.body.seize(24, holder, Vec2::ZERO, supple_sim::rope::Grip::Hand(0.0));
        for t in 1..=9 {
            let way = Vec2::from_angle((degrees as f32).to_radians()) * 2200.0 * t as f32 / 60.0;
            holder.pose = Pose::at(from + way);
            play.body.set_holder_pose(7, holder.pose);
            play.step();
        }
        play.body.let_go(7);
        play.run(6.0);
        assert!(play.off_shape() < 0.1, "{degrees} degrees: {} off its shape", play.off_shape());
    }
}

#[test]
fn another_shape_flies_on() {
    let mut body = jelly(5, 0.0, -500.0);
    body.set_linear_velocity(Vec2::new(100.0, -300.0));
    body.step(&Tick::still(1.0 / 60.0, GRAVITY));
    let velocity = body.linear_velocity();
    body.set_mesh(grid(8));
    assert!(body.linear_velocity().distance(velocity) < 0.1, "{} became {}", velocity, body.linear_velocity());
    // Before its first tick too, and its node still takes it along.
    let mut body = jelly(5, 0.0, -500.0);
    body.set_linear_velocity(velocity);
    body.set_mesh(grid(8));
    body.pin_at_rest(&[]);
    body.set_pose(Pose::at(Vec2::new(30.0, -400.0)));
    assert!(body.linear_velocity().distance(velocity) < 0.1 && body.is_fresh(), "{}", body.linear_velocity());
    assert!(body.center().distance(Vec2::new(30.0, -400.0)) < 0.1);
}

#[test]
fn a_hand_pulls_nothing_through_a_floor() {
    for point in [12, 22, 7] {
        let mut play = Play::new(jelly(5, 0.0, -51.0), vec![still(block(4000.0, 20.0), 0.0, 10.0)], 60.0);
        play.run(1.0);
        let from = play.body.position(point);
        let mut holder = supple_sim::rope::Holder { key: 7, pose: Pose::at(from) };
        play.body.seize(point, holder, Vec2::ZERO, supple_sim::rope::Grip::Hand(0.0));
        for t in 0..60 {
            holder.pose = Pose::at(from + Vec2::new(0.0, 160.0 * (t + 1) as f32 / 60.0));
            play.body.set_holder_pose(7, holder.pose);
            play.step();
            assert!(play.body.position(point).y < 0.5, "point {point} at {}", play.body.position(point));
        }
        play.body.let_go(7);
        play.run(6.0);
        play.assert_whole(&format!("point {point}"));
    }
}

#[test]
fn what_has_got_behind_a_thin_floor_comes_back() {
    // By a larger shape, and by being put there.
    let thin = || vec![still(block(4000.0, 20.0), 0.0, 10.0)];
    let mut play = Play::new(jelly(5, 0.0, -51.0), thin(), 60.0);
    play.run(2.0);
    play.body.set_mesh(Arc::new(Mesh::rectangle(Vec2::splat(140.0), glam::UVec2::splat(5))));
    play.run(6.0);
    assert!(play.body.bounds().max.y < 0.0, "{:?}", play.body.bounds());
    let mut play = Play::new(jelly(5, 0.0, -51.0), thin(), 60.0);
    play.run(2.0);
    play.body.set_position(12, Vec2::new(0.0, 60.0));
    play.run(6.0);
    assert!(play.body.bounds().max.y < 0.0, "{:?}", play.body.bounds());
}
