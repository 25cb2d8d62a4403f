//! Ropes that lie, slide, bounce, hang and are pulled over colliders.

mod common;

use common::*;
use supple_sim::Vec2;
use supple_sim::collide::{Outline, RigidPose};
use supple_sim::frame::Pose;
use supple_sim::rope::{Grip, Holder, Rope, RopeSettings};

/// Lets it be for some seconds: it neither pierces nor stretches, and sleeps since `rest` seconds after the start.
#[track_caller]
fn comes_to_rest(name: &str, settings: RopeSettings, place: Vec2, things: impl Fn() -> Vec<Thing>, rest: f32) {
    for rate in RATES {
        let mut scene = Scene::new(settings, place, things(), rate);
        scene.run(rest + 1.0);
        scene.assert_held(name, SHALLOW, EXACT);
        scene.assert_asleep_since(name, rest);
    }
}

/// Lets it be for 8 s among things that do not come to rest.
#[track_caller]
fn keeps_out(name: &str, settings: RopeSettings, place: Vec2, things: impl Fn() -> Vec<Thing>, stretch: f32) {
    for rate in RATES {
        let mut scene = Scene::new(settings, place, things(), rate);
        scene.run(8.0).assert_held(name, 0.3, stretch);
    }
}

#[test]
fn what_falls_on_a_floor_comes_to_rest_and_sleeps() {
    comes_to_rest("flat", free(300.0), Vec2::new(0.0, -50.0), || vec![floor()], 2.0);
    let steep = RopeSettings { end_position: Vec2::new(0.3, 1.0), ..free(300.0) };
    comes_to_rest("steep", steep, Vec2::new(0.0, -400.0), || vec![floor()], 6.0);
    comes_to_rest("in a notch", free(300.0), Vec2::new(-150.0, -160.0), notch, 6.0);
}

#[test]
fn what_lies_over_the_seams_of_tiles_does_not_hop() {
    for size in [150.0f32, 16.0, 10.0] {
        let tiles = || (0..30).map(|i| still(block(size, size), size * (i as f32 - 14.5), 0.5 * size)).collect();
        // Its points lie on the seams, or beside them.
        for x in [-100.0, -97.0] {
            comes_to_rest("on tiles", free(200.0), Vec2::new(x, -2.5), tiles, 1.5);
        }
    }
}

#[test]
fn friction_holds_on_a_slope_as_far_as_it_says() {
    for rate in RATES {
        for friction in [0.1f32, 0.3, 0.6, 1.0] {
            let slid = |degrees: f32| {
                let turn = (friction.atan().to_degrees() + degrees).to_radians();
                let mut slope = thing(block(4000.0, 40.0), move |_| RigidPose { origin: Vec2::ZERO, angle: turn });
                slope.material.friction = friction;
                let along = Vec2::from_angle(turn);
                let settings = RopeSettings { end_position: along, ..free(300.0) };
                let mut scene = Scene::new(settings, along.perp() * -22.5, vec![slope], rate);
                scene.run(0.5);
                let from = scene.rope.position(10);
                scene.run(3.0).assert_held("on a slope", SHALLOW, EXACT);
                (scene.rope.position(10).distance(from), scene.rope.is_sleeping())
            };
            let (less, more) = (slid(-1.0), slid(1.0));
            println!("friction {friction}, {rate} ticks/s: {less:?} below, {more:?} above");
            assert!(less.0 < 0.01 && less.1, "friction {friction}, {rate} ticks/s: holds not, {less:?}");
            assert!(more.0 > 20.0 && !more.1, "friction {friction}, {rate} ticks/s: slides not, {more:?}");
        }
    }
}

#[test]
fn it_bounces_as_high_as_its_bounce_says() {
    const HEIGHT: f32 = 300.0;
    for rate in RATES {
        for bounce in [0.0f32, 0.25, 0.5, 0.8, 1.0] {
            let mut floor = floor();
            floor.material.bounce = bounce;
            let mut scene = Scene::new(undamped(300.0), Vec2::new(0.0, -2.0 - HEIGHT), vec![floor], rate);
            let (mut struck, mut highest) = (false, 0.0f32);
            while scene.time() < 3.0 {
                let before = scene.velocity().y;
                scene.step();
                let now = scene.velocity().y;
                if struck && now >= 0.0 {
                    break;
                }
                struck |= now < 0.5 * before;
                if struck {
                    highest = highest.max(-2.0 - scene.rope.position(15).y);
                }
            }
            scene.assert_held("dropped", SHALLOW, EXACT);
            let (part, ideal) = (highest / HEIGHT, bounce * bounce);
            println!("bounce {bounce}, {rate} ticks/s: {part:.4} of the height, {ideal:.4} would be right");
            assert!(struck, "bounce {bounce}, {rate} ticks/s: never came down");
            assert!(
                (part - ideal).abs() <= 0.1 * ideal + 0.001,
                "bounce {bounce}, {rate} ticks/s: {part}, not {ideal}"
            );
        }
    }
}

#[test]
fn a_rope_is_laid_over_what_is_in_its_way() {
    let things = || vec![still(block(100.0, 100.0), 0.0, 20.0)];
    comes_to_rest("over a block", free(300.0), Vec2::new(-130.0, -60.0), things, 6.0);
    comes_to_rest("through a block", free(300.0), Vec2::new(-130.0, 0.0), things, 5.0);
    let wall = || vec![still(block(2.0, 200.0), 0.0, 60.0)];
    comes_to_rest("over a wall", both(310.0, Vec2::new(300.0, 0.0)), Vec2::new(-150.0, -40.0), wall, 4.0);
    comes_to_rest("slack over a wall", both(400.0, Vec2::new(300.0, 0.0)), Vec2::new(-150.0, -40.0), wall, 4.0);
    let platform = || vec![still(block(200.0, 20.0), 40.0, 0.0)];
    comes_to_rest("through a platform", hanging(300.0), Vec2::new(0.0, -150.0), platform, 4.0);
    let pegs = || {
        (0..12)
            .map(|i| still(Outline::Circle { radius: 6.0 }, -120.0 + 22.0 * i as f32, 30.0 * (i % 3) as f32))
            .collect()
    };
    comes_to_rest("over pegs", free(400.0), Vec2::new(-200.0, -80.0), pegs, 8.0);
}

#[test]
fn a_taut_rope_runs_round_a_corner() {
    let corner = || vec![still(block(100.0, 100.0), 0.0, 20.0)];
    for load in [1.0, 20.0] {
        let settings = RopeSettings { end_mass: load, start_pinned: true, ..free(300.0) };
        comes_to_rest(&format!("{load} kg"), settings, Vec2::new(-130.0, -40.0), corner, 7.0);
    }
    let edge =
        || vec![still(Outline::Polygon(vec![Vec2::new(-4.0, 200.0), Vec2::new(4.0, 200.0), Vec2::ZERO]), 0.0, 0.0)];
    let settings = RopeSettings { end_mass: 5.0, start_pinned: true, ..free(300.0) };
    comes_to_rest("over a blade", settings, Vec2::new(-130.0, -40.0), edge, 7.0);
}

#[test]
fn moving_things_carry_and_push_it() {
    for spin in [2.0, 6.0] {
        let block = move || vec![thing(block(80.0, 80.0), move |t| RigidPose { origin: Vec2::ZERO, angle: spin * t })];
        keeps_out("over a spinning block", free(400.0), Vec2::new(-200.0, -80.0), block, EXACT);
        let held = both(340.0, Vec2::new(300.0, 0.0));
        keeps_out("held over a spinning block", held, Vec2::new(-150.0, -80.0), block, TIGHT);
    }
    let up_and_down = || vec![thing(block(200.0, 20.0), |t| at(0.0, 60.0 * (1.7 * t).sin()))];
    keeps_out("up and down", free(400.0), Vec2::new(-200.0, -80.0), up_and_down, EXACT);
    let to_and_fro = || vec![thing(block(200.0, 20.0), |t| at(100.0 * t.sin(), 0.0))];
    keeps_out("to and fro", free(400.0), Vec2::new(-200.0, -80.0), to_and_fro, EXACT);
}

#[test]
fn what_lies_on_a_platform_goes_with_it() {
    for rate in RATES {
        let platform = thing(block(400.0, 20.0), |t| at(80.0 * (t - 1.0).max(0.0), 0.0));
        let mut scene = Scene::new(free(300.0), Vec2::new(-150.0, -12.5), vec![platform], rate);
        scene.run(2.0);
        let from = scene.rope.position(15).x;
        let way = scene.run(2.0).rope.position(15).x - from;
        scene.assert_held("on a platform", SHALLOW, EXACT);
        assert!((way - 160.0).abs() < 0.5, "{rate} ticks/s: moved by {way} px, not 160");
    }
}

#[test]
fn a_conveyor_takes_it_along() {
    for rate in RATES {
        let mut belt = floor();
        belt.surface_velocity = (Vec2::new(100.0, 0.0), 0.0);
        let mut scene = Scene::new(free(300.0), Vec2::new(0.0, -2.5), vec![belt], rate);
        scene.run(2.0).assert_held("on a conveyor", SHALLOW, EXACT);
        let velocity = scene.velocity();
        assert!(velocity.distance(Vec2::new(100.0, 0.0)) < 1.0, "{rate} ticks/s: moves at {velocity}");
        assert!(!scene.rope.is_sleeping());
        // A turning one, as it would be if its surface were a wheel's: 200 px above its middle it runs at 200 px/s.
        let mut wheel = still(Outline::Circle { radius: 198.0 }, 0.0, 198.0);
        wheel.surface_velocity = (Vec2::ZERO, 1.0);
        let settings = RopeSettings { segments: 4, ..free(40.0) };
        let mut scene = Scene::new(settings, Vec2::new(-20.0, -4.5), vec![wheel], rate);
        let mut fastest = 0.0f32;
        while scene.time() < 0.3 {
            scene.step();
            fastest = fastest.max(scene.velocity().x);
        }
        assert!((fastest - 200.0).abs() < 10.0, "{rate} ticks/s: the wheel takes it along at {fastest} px/s");
    }
}

/// How often pieces of a rope cross that are not neighbours.
fn crossings(rope: &Rope) -> usize {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p);
    let count = rope.point_count() - 1;
    let pairs = (0..count).flat_map(|i| (i + 4..count).map(move |j| (i, j)));
    let crosses = |&(i, j): &(usize, usize)| {
        let [a, b, c, d] = [i, i + 1, j, j + 1].map(|k| rope.position(k));
        // In line they are on both sides of each other by rounding.
        side(a, b, c) * side(a, b, d) < -1e-3 && side(c, d, a) * side(c, d, b) < -1e-3
    };
    pairs.filter(crosses).count()
}

#[test]
fn coils_never_cross_and_come_to_rest() {
    for rate in RATES {
        // How long such a pile stands before it falls over is luck: 3 to 27 s for directions a hair apart.
        let end_position = Vec2::new(0.025, -1.0);
        let mut settings = RopeSettings { segments: 80, end_position, ..free(400.0) };
        settings.collision.with_itself = true;
        let mut scene = Scene::new(settings, Vec2::new(0.0, -10.0), vec![floor()], rate);
        while scene.time() < 10.0 && !scene.rope.is_sleeping() {
            scene.step();
            let crossings = crossings(&scene.rope);
            assert_eq!(crossings, 0, "{}", scene.say("crosses itself"));
        }
        scene.assert_held("coils", SHALLOW, EXACT);
        scene.assert_asleep_since("coils", 10.0);
    }
}

#[test]
fn columns_buckle_and_come_to_rest() {
    for rate in RATES {
        for speed in [60.0f32, 300.0] {
            let lift = thing(block(200.0, 20.0), move |t| at(0.0, (300.0 - speed * t).max(60.0)));
            let mut scene = Scene::new(hanging(200.0), Vec2::ZERO, vec![lift], rate);
            scene.run(8.0).assert_held("lifted", SHALLOW, EXACT);
            scene.assert_asleep_since("lifted", 7.5);
        }
        for with_itself in [false, true] {
            let mut settings = hanging(100.0);
            settings.collision.with_itself = with_itself;
            let mut scene = Scene::new(settings, Vec2::ZERO, vec![still(block(400.0, 20.0), 0.0, 150.0)], rate);
            while scene.time() < 4.0 {
                let length = scene.rope.settings().length + 90.0 / rate;
                scene.rope.set_settings(RopeSettings { length, ..*scene.rope.settings() });
                scene.step();
            }
            scene.run(8.0).assert_held("let down", SHALLOW, EXACT);
            scene.assert_asleep_since("let down", 11.5);
        }
    }
}

#[test]
fn it_is_dragged_through_pegs_walls_and_blocks() {
    for rate in RATES {
        // Heavy loads that are dragged fast stretch it while it is pinched; it pierces nothing.
        let rides = [(2.0f32, 0.0, TIGHT), (8.0, 0.0, TIGHT), (2.0, 5.0, TIGHT), (8.0, 5.0, 0.05), (8.0, 50.0, 0.3)];
        for (speed, load, stretch) in rides {
            let peg = |i: usize| {
                still(Outline::Circle { radius: 8.0 }, -200.0 + 57.0 * i as f32, 40.0 + 40.0 * (i % 3) as f32)
            };
            let mut things: Vec<Thing> = (0..8).map(peg).collect();
            things.push(still(block(2.0, 100.0), -60.0, 60.0));
            things.push(still(block(120.0, 30.0), 80.0, 170.0));
            things.push(still(block(2000.0, 40.0), 0.0, 320.0));
            let settings = RopeSettings { end_mass: load, ..hanging(300.0) };
            let mut scene = Scene::new(settings, Vec2::new(0.0, -50.0), things, rate);
            scene.run(1.0).forget();
            while scene.time() < 11.0 {
                let t = speed * (scene.time() - 1.0);
                scene.rope.set_pose(Pose::at(Vec2::new(150.0 * t.sin(), -50.0 + 40.0 * (0.7 * t).sin())));
                scene.step();
            }
            scene.assert_held(&format!("dragged at {} px/s, load {load}", 150.0 * speed), 0.5, stretch);
        }
    }
}

#[test]
fn loads_are_pulled_over_boxes() {
    for rate in RATES {
        for friction in [0.0f32, 0.2, 1.0] {
            for load in [0.5f32, 5.0, 50.0] {
                let mut thing = still(block(120.0, 80.0), 0.0, 0.0);
                thing.material.friction = friction;
                let settings = RopeSettings { end_mass: load, end_position: Vec2::X, ..hanging(260.0) };
                let mut scene = Scene::new(settings, Vec2::new(-130.0, -44.0), vec![thing], rate);
                scene.run(4.0).forget();
                while scene.time() < 16.0 {
                    // To and fro at 90 px/s.
                    let t = scene.time() - 4.0;
                    let place = Vec2::new(-210.0 + 80.0 * (1.12 * t).cos(), -44.0 + 40.0 * (0.5 * t).sin());
                    scene.rope.set_pose(Pose::at(place));
                    scene.step();
                }
                scene.assert_held(&format!("{load} kg, friction {friction}"), 0.5, TIGHT);
            }
        }
    }
}

#[test]
fn hands_stop_at_surfaces() {
    for rate in RATES {
        let things = vec![still(block(400.0, 20.0), 0.0, 150.0), still(block(20.0, 400.0), 150.0, 0.0)];
        let mut scene = Scene::new(hanging(300.0), Vec2::ZERO, things, rate);
        scene.run(3.0).forget();
        let hold = Holder { key: 9, pose: Pose::at(scene.rope.position(12)) };
        scene.rope.seize(12, hold, Vec2::ZERO, Grip::Hand(0.0));
        while scene.time() < 9.0 {
            let t = scene.time() - 3.0;
            let place = Vec2::new(220.0 * (1.1 * t).sin(), 60.0 + 150.0 * (2.3 * t).sin());
            scene.rope.set_holder_pose(9, Pose::at(place));
            scene.step();
        }
        scene.assert_held("a hand that goes anywhere", SHALLOW, EXACT);
    }
}

#[test]
fn nothing_is_stretched_for_ever() {
    for rate in RATES {
        // A lift goes on where the rope cannot.
        let lift = thing(block(200.0, 20.0), move |t| at(150.0, (200.0 - 100.0 * t).max(-300.0)));
        let mut scene = Scene::new(both(330.0, Vec2::new(300.0, 0.0)), Vec2::ZERO, vec![lift], rate);
        let mut stretched = 0.0;
        while scene.time() < 8.0 {
            scene.step();
            stretched += if scene.rope.stretch() > 1.02 { 1.0 / rate } else { 0.0 };
        }
        println!("{}, stretched for {stretched} s", scene.say("lifted"));
        assert!(stretched > 0.0, "{}", scene.say("the lift did not stretch it"));
        assert!(stretched < 0.5, "stretched for {stretched} s: {}", scene.say("lifted"));
        assert!(scene.stretch < 0.1 && scene.rope.stretch() - 1.0 < EXACT, "{}", scene.say("lifted"));
    }
}

/// A crate sinks in a little when it strikes a floor, and comes back. Ropes do not stop it.
#[test]
fn what_a_crate_falls_on_lies_still() {
    for rate in RATES {
        for shift in [0.0f32, 3.0, 6.0] {
            let strikes = (121.0f32 / 490.0).sqrt();
            let height = move |t: f32| {
                if t < strikes { -151.0 + 490.0 * t * t } else { -30.0 + 1.15 * (-8.0 * (t - strikes)).exp() }
            };
            let path = move |t: f32| RigidPose { origin: Vec2::new(shift, height(t)), angle: 0.0 };
            let falls = Thing { yields: true, ..thing(block(60.0, 60.0), path) };
            let floor = still(block(600.0, 40.0), 0.0, 20.0);
            let mut scene = Scene::new(free(180.0), Vec2::new(-90.0, -2.0), vec![floor, falls], rate);
            while scene.time() < 3.0 {
                scene.step();
                let what = format!("{shift} px aside, {rate} ticks/s: {} px/s", scene.fastest());
                assert!(scene.fastest() < 50.0 && scene.rope.stretch() < 1.001, "{what}");
            }
            let lies = (0..scene.rope.point_count()).all(|i| (scene.rope.position(i).y + 2.0).abs() < 0.1);
            assert!(lies && scene.rope.is_sleeping(), "{shift} px aside, {rate} ticks/s");
        }
    }
}

/// A wall appears across a free rope: the half above goes up, the half below goes down, and the link between them spans it.
#[test]
fn what_appears_across_a_free_rope_lets_it_go() {
    for rate in RATES {
        for thick in [20.0f32, 60.0, 120.0] {
            let wall = thing(block(400.0, thick), move |t| at(0.0, if t < 0.5 { 5000.0 } else { 150.0 }));
            let floor = still(block(2000.0, 40.0), 0.0, 620.0);
            let settings = RopeSettings { end_position: Vec2::Y, ..free(300.0) };
            let mut scene = Scene::new(settings, Vec2::new(0.0, -120.0), vec![wall, floor], rate);
            while scene.time() < 6.0 {
                scene.step();
            }
            assert!(scene.rope.stretch() < 1.001, "{thick} px, {}", scene.say("a wall appears"));
        }
    }
}
