//! What a rope notices of colliders: when it wakes, what it tells of touches, what it lets through, and that it goes on from a saved state.

mod common;

use common::*;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::collide::{Material, Outline, RigidPose, Shape};
use supple_sim::rope::{Rope, RopeSettings};

/// A rope that sleeps on a platform, beside things that it does not touch.
fn asleep(rate: f32) -> Scene {
    let far = || vec![still(block(20.0, 20.0), 0.0, 100.0), still(block(20.0, 20.0), 300.0, 0.0)];
    let mut things = vec![still(block(400.0, 20.0), 0.0, 10.0)];
    things.extend(far());
    let mut scene = Scene::new(free(200.0), Vec2::new(-100.0, -2.5), things, rate);
    scene.run(3.0);
    scene.assert_asleep_since("on a platform", 2.0);
    scene
}

/// Within how many ticks it wakes after a change; None: not within a second.
fn wakes(rate: f32, change: impl Fn(&mut Vec<Thing>)) -> Option<u32> {
    let mut scene = asleep(rate);
    change(&mut scene.things);
    let before = scene.tick;
    scene.step();
    while scene.rope.is_sleeping() && scene.time() < 4.0 {
        scene.step();
    }
    (!scene.rope.is_sleeping()).then(|| scene.tick - before)
}

#[test]
fn it_wakes_when_what_it_lies_on_changes() {
    type Change = fn(&mut Vec<Thing>);
    let changes: [(&str, Change); 9] = [
        ("moves", |things| things[0].path = Box::new(|_| at(0.0, 10.5))),
        ("turns", |things| things[0].path = Box::new(|_| RigidPose { origin: Vec2::new(0.0, 10.0), angle: 0.01 })),
        ("vanishes", |things| drop(things.remove(0))),
        ("changes its shape", |things| things[0].shape = Arc::clone(&still(block(300.0, 20.0), 0.0, 0.0).shape)),
        ("becomes slippery", |things| things[0].material.friction = 0.1),
        ("leaves its layer", |things| things[0].layers = 2),
        ("begins to run", |things| things[0].surface_velocity.0.x = 50.0),
        ("is met from above only", |things| things[0].one_way = Some(Vec2::NEG_Y)),
        ("gets company", |things| things.push(still(block(10.0, 10.0), 0.0, -6.0))),
    ];
    for rate in RATES {
        for (name, change) in changes {
            assert_eq!(wakes(rate, change), Some(1), "{rate} ticks/s: a platform {name}");
        }
    }
}

#[test]
fn it_sleeps_on_when_something_else_changes() {
    type Change = fn(&mut Vec<Thing>);
    let changes: [(&str, Change); 5] = [
        ("nothing", |_| {}),
        ("a thing beside it moves", |things| things[2].path = Box::new(|t| at(300.0, 50.0 * t))),
        ("a thing below it vanishes", |things| drop(things.remove(1))),
        ("one comes far away", |things| things.push(still(block(10.0, 10.0), 0.0, -30.0))),
        ("one comes on another layer", |things| {
            things.push(Thing { layers: 4, ..still(block(10.0, 10.0), 0.0, -6.0) })
        }),
    ];
    for rate in RATES {
        for (name, change) in changes {
            // Those after it keep what tells them from others.
            let change = |things: &mut Vec<Thing>| {
                let count = things.len();
                change(things);
                if things.len() < count {
                    things.insert(1, still(block(1.0, 1.0), 0.0, 1000.0));
                }
            };
            assert_eq!(wakes(rate, change), None, "{rate} ticks/s: {name}");
        }
    }
}

#[test]
fn it_falls_when_what_it_lies_on_vanishes() {
    let mut scene = asleep(60.0);
    let from = scene.rope.position(10).y;
    scene.things.clear();
    scene.run(0.5);
    assert!(scene.rope.position(10).y > from + 80.0, "{}", scene.rope.position(10));
}

#[test]
fn touches_tell_of_a_fall_how_hard_it_was() {
    for rate in RATES {
        for (bounce, mass) in [(0.0f32, 0.5f32), (0.4, 2.0), (1.0, 0.1)] {
            let mut ground = floor();
            ground.material.bounce = bounce;
            let settings = RopeSettings { mass, ..undamped(300.0) };
            let mut scene =
                Scene::new(settings, Vec2::new(0.0, -102.0), vec![still(block(9.0, 9.0), 0.0, -500.0), ground], rate);
            while scene.rope.touches().is_empty() && scene.time() < 2.0 {
                scene.step();
            }
            let [touch] = scene.rope.touches() else { panic!("{rate} ticks/s: {:?}", scene.rope.touches()) };
            let ideal = mass * (2.0 * 980.0 * 100.0f32).sqrt() * (1.0 + bounce);
            println!("{rate} ticks/s, bounce {bounce}: {} kg px/s, {ideal} would be right", touch.impulse);
            assert!(
                (touch.impulse / ideal - 1.0).abs() < 0.05,
                "{rate} ticks/s, bounce {bounce}: {touch:?}, not {ideal}"
            );
            assert_eq!((touch.key.body, touch.normal), (2, Vec2::NEG_Y));
            assert!(touch.position.y.abs() < 4.0 && (0.0..=300.0).contains(&touch.position.x), "{touch:?}");
            assert!((touch.position.x - scene.rope.position(touch.point).x).abs() < 10.0, "{touch:?}");
        }
    }
}

#[test]
fn what_only_lies_touches_without_an_impulse() {
    for rate in RATES {
        // Over two blocks side by side.
        let things = vec![still(block(150.0, 20.0), -75.0, 10.0), still(block(150.0, 20.0), 75.0, 10.0)];
        let settings = RopeSettings { can_sleep: false, ..free(200.0) };
        let mut scene = Scene::new(settings, Vec2::new(-100.0, -2.5), things, rate);
        scene.run(1.0);
        for _ in 0..20 {
            scene.step();
            let touches: Vec<_> = scene.rope.touches().iter().map(|touch| (touch.key.body, touch.impulse)).collect();
            assert_eq!(touches, [(1, 0.0), (2, 0.0)], "{rate} ticks/s");
        }
        scene.things.truncate(1);
        scene.step();
        let touches: Vec<_> = scene.rope.touches().iter().map(|touch| touch.key.body).collect();
        assert_eq!(touches, [1], "{rate} ticks/s");
    }
}

#[test]
fn what_is_laid_out_has_not_struck_anything() {
    let mut scene = Scene::new(free(300.0), Vec2::new(-130.0, 0.0), vec![still(block(100.0, 100.0), 0.0, 20.0)], 60.0);
    scene.step();
    assert!(scene.rope.touches().iter().all(|touch| touch.impulse < 1.0), "{:?}", scene.rope.touches());
}

#[test]
fn exceptions_and_other_layers_are_let_through() {
    for rate in RATES {
        let things =
            || vec![Thing { layers: 4, ..still(block(400.0, 20.0), 0.0, 40.0) }, still(block(400.0, 20.0), 0.0, 80.0)];
        let lies_at = |mask: u32, exceptions: &[u64]| {
            let mut settings = free(200.0);
            settings.collision.mask = mask;
            let mut scene = Scene::new(settings, Vec2::new(-100.0, 0.0), things(), rate);
            scene.rope.set_exceptions(exceptions.to_vec());
            scene.run(1.5).rope.position(10).y
        };
        let near = |y: f32, to: f32| assert!((y - to).abs() < 0.1, "{rate} ticks/s: lies at {y}, not {to}");
        near(lies_at(5, &[]), 28.0);
        near(lies_at(1, &[]), 68.0);
        near(lies_at(5, &[1]), 68.0);
        near(lies_at(5, &[2, 9]), 28.0);
        assert!(lies_at(5, &[2, 1]) > 200.0 && lies_at(0, &[]) > 200.0 && lies_at(2, &[]) > 200.0);
    }
}

#[test]
fn it_passes_a_one_way_platform_from_below_and_lies_on_it() {
    for rate in RATES {
        // A wide one meets points, a narrow one the pieces between them.
        for width in [400.0f32, 4.0] {
            let platform = || vec![Thing { one_way: Some(Vec2::NEG_Y), ..still(block(width, 10.0), 0.0, 0.0) }];
            let settings = RopeSettings { segments: 8, ..undamped(160.0) };
            let start = Vec2::new(-80.0, 60.0);
            let mut scene = Scene::new(settings, start, platform(), rate);
            // 100 px above the start it turns round.
            (0..9).for_each(|i| scene.rope.set_velocity(i, Vec2::new(0.0, -(2.0 * 980.0 * 100.0f32).sqrt())));
            let mut highest = f32::INFINITY;
            while scene.time() < 0.5 {
                scene.step();
                highest = highest.min(scene.rope.position(4).y);
            }
            assert!((highest + 40.0).abs() < 2.0, "{width} px, {rate} ticks/s: came to {highest}, not -40");
            while scene.time() < 2.0 {
                scene.step();
                let middle = scene.rope.position(4).y;
                assert!(scene.time() < 1.0 || middle < -6.0, "{width} px, {rate} ticks/s: lies at {middle}");
            }
            // From below nothing stops it, and what is already below falls on.
            let mut scene = Scene::new(settings, Vec2::new(-80.0, 0.0), platform(), rate);
            let fallen = scene.run(1.0).rope.position(4).y;
            assert!((fallen - 490.0).abs() < 10.0, "{width} px, {rate} ticks/s: falls to {fallen}");
        }
    }
}

/// A rope that hangs over a block and swings.
fn swinging(rate: f32) -> Scene {
    let mut settings = RopeSettings { end_mass: 1.0, ..hanging(300.0) };
    settings.collision.with_itself = true;
    settings.end_position = Vec2::X;
    let things = vec![
        still(block(100.0, 100.0), 0.0, 20.0),
        thing(Outline::Circle { radius: 12.0 }, |t| at(80.0, 80.0 * t.sin())),
    ];
    Scene::new(settings, Vec2::new(-130.0, -40.0), things, rate)
}

/// A rope that friction holds on a slope.
fn held_by_friction(rate: f32) -> Scene {
    let mut slope = thing(block(4000.0, 40.0), |_| RigidPose { origin: Vec2::ZERO, angle: 0.5 });
    slope.material = Material { friction: 0.6, bounce: 0.0 };
    let along = Vec2::from_angle(0.5);
    let settings = RopeSettings { end_position: along, can_sleep: false, ..free(200.0) };
    Scene::new(settings, along.perp() * -22.5, vec![slope], rate)
}

#[test]
fn a_saved_rope_goes_on_bit_for_bit() {
    for rate in RATES {
        for (name, scene) in [("swings", &swinging as &dyn Fn(f32) -> Scene), ("held by friction", &held_by_friction)] {
            for seconds in [0.5, 2.0] {
                let (mut one, mut other) = (scene(rate), scene(rate));
                one.run(seconds);
                assert!(!one.rope.touches().is_empty(), "{name}: touches nothing");
                other.rope = Rope::load(&one.rope.save(|_| None), |_| None).expect("a rope");
                other.tick = one.tick;
                for tick in 0..120 {
                    assert_eq!(one.rope.state_hash(), other.rope.state_hash(), "{name}, {rate} ticks/s, tick {tick}");
                    one.step();
                    other.step();
                    assert_eq!(one.rope.touches(), other.rope.touches(), "{name}, {rate} ticks/s, tick {tick}");
                }
            }
        }
    }
}

#[test]
fn equal_runs_give_equal_states() {
    for rate in RATES {
        for scene in [swinging, held_by_friction] {
            let (mut one, mut other) = (scene(rate), scene(rate));
            for _ in 0..(3.0 * rate) as u32 {
                one.step();
                other.step();
                assert_eq!(one.rope.state_hash(), other.rope.state_hash(), "{rate} ticks/s");
            }
        }
    }
}

#[test]
fn a_shape_made_anew_wakes_nobody() {
    let mut scene = asleep(60.0);
    scene.things[0].shape = Arc::new(Shape::new(&block(400.0, 20.0), Vec2::X, Vec2::Y).expect("a block"));
    scene.run(0.5);
    assert!(scene.rope.is_sleeping());
}
