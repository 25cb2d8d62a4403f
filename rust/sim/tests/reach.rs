//! How far an end gets before the rope holds it back, around what the rope touches.

mod common;

use common::{RATES, Scene, at, block, hanging, still, thing};
use supple_sim::Vec2;
use supple_sim::collide::Outline;
use supple_sim::frame::Pose;
use supple_sim::rope::{End, Holder, Leash, Rope, RopeSettings};

/// The rope ends where a holder has it, which goes evenly to `to` in so many seconds.
fn pull(scene: &mut Scene, from: Vec2, to: Vec2, seconds: f32) {
    let ticks = (seconds * scene.rate).round() as u32;
    for tick in 1..=ticks {
        hold(&mut scene.rope, from.lerp(to, tick as f32 / ticks as f32));
        scene.step();
    }
}

fn hold(rope: &mut Rope, place: Vec2) {
    let holder = Holder { key: 7, pose: Pose::at(place) };
    if !rope.set_holder_pose(7, holder.pose) {
        rope.attach(End::End, Some((holder, Vec2::ZERO)));
    }
}

fn leash(rope: &mut Rope, end: End, hold: Vec2, place: Vec2) -> Leash {
    let anchor = rope.anchor(end).expect("the other end is held");
    rope.leash(end, &anchor, hold, place, 1.0 / 60.0)
}

/// A rope of 300 px from (0, 0) over a block to its right, whose end hangs beside it.
fn over_a_block(rate: f32) -> Scene {
    let settings = RopeSettings { end_position: Vec2::new(1.0, 0.2), ..hanging(300.0) };
    let mut scene = Scene::new(settings, Vec2::ZERO, vec![still(block(100.0, 40.0), 90.0, 40.0)], rate);
    pull(&mut scene, Vec2::new(290.0, 0.0), Vec2::new(200.0, 60.0), 0.5);
    pull(&mut scene, Vec2::new(200.0, 60.0), Vec2::new(150.0, 150.0), 0.5);
    scene
}

#[test]
fn around_a_corner_there_is_less_rope_left() {
    for rate in RATES {
        let mut scene = over_a_block(rate);
        // As far down as it gets.
        let mut place = Vec2::new(150.0, 150.0);
        for _ in 0..(2.0 * rate) as u32 {
            let wanted = place + Vec2::new(0.0, 300.0 / rate);
            let reach = leash(&mut scene.rope, End::End, Vec2::ZERO, wanted);
            place = wanted + reach.pull(wanted) * reach.excess(wanted).max(0.0);
            hold(&mut scene.rope, place);
            scene.step();
        }
        let reach = leash(&mut scene.rope, End::End, Vec2::ZERO, place);
        println!("{rate}: {place} {reach:?} {} long", scene.rope.current_length());
        assert!(reach.corner && reach.from.distance(Vec2::new(140.0, 20.0)) < 15.0, "{reach:?}");
        assert!((scene.rope.current_length() - 300.0).abs() < 0.5, "{}", scene.rope.current_length());
        // The other end is held from the same corner: the near one is below its way.
        let back = leash(&mut scene.rope, End::Start, place, Vec2::ZERO);
        assert!(back.corner && back.from.distance(Vec2::new(140.0, 20.0)) < 15.0, "{back:?}");
        assert!(back.excess(Vec2::ZERO).abs() < 0.5, "{back:?}");
        // It swings off when it is lifted.
        let up = leash(&mut scene.rope, End::End, Vec2::ZERO, Vec2::new(290.0, -60.0));
        assert!(!up.corner && up.from == Vec2::ZERO && (up.free - 300.0).abs() < 0.01, "{up:?}");
    }
}

#[test]
fn asleep_it_knows_its_corners() {
    let mut scene = over_a_block(60.0);
    scene.run(3.0);
    scene.rope.sleep();
    scene.run(1.0);
    assert!(scene.rope.is_sleeping(), "{}", scene.say("asleep"));
    let place = scene.rope.position(scene.rope.point_count() - 1);
    let far = leash(&mut scene.rope, End::End, Vec2::ZERO, place + Vec2::new(0.0, 300.0));
    assert!(far.corner, "{far:?}");
    assert!((far.free - 150.0).abs() < 20.0, "{far:?}");
}

#[test]
fn a_pile_on_the_floor_holds_nothing() {
    for rate in RATES {
        let floor = still(block(4000.0, 40.0), 0.0, 120.0);
        let mut scene = Scene::new(hanging(400.0), Vec2::ZERO, vec![floor], rate);
        pull(&mut scene, Vec2::new(200.0, 97.0), Vec2::new(200.0, 97.0), 1.0);
        pull(&mut scene, Vec2::new(200.0, 97.0), Vec2::new(-100.0, 97.0), 1.0);
        for i in -30..30 {
            let place = Vec2::new(10.0 * i as f32, 97.0);
            let reach = leash(&mut scene.rope, End::End, Vec2::ZERO, place);
            assert!(reach.excess(place) < 0.0, "{place} {reach:?}");
        }
    }
}

#[test]
fn a_round_post_is_wound_around() {
    let post = || thing(Outline::Circle { radius: 30.0 }, |_| at(100.0, 0.0));
    for rate in RATES {
        let settings = RopeSettings { end_position: Vec2::X, gravity_scale: 0.0, ..hanging(500.0) };
        let mut scene = Scene::new(settings, Vec2::new(0.0, -33.0), vec![post()], rate);
        let mut place = Vec2::new(480.0, -33.0);
        let mut worst = 0.0f32;
        // Around it as far as the rope lets it.
        for i in 0..(3.0 * rate) as u32 {
            let angle = -0.1 + 6.0 * i as f32 / (3.0 * rate);
            let wanted = Vec2::new(100.0, 0.0) + Vec2::from_angle(angle) * 600.0;
            let step = place + (wanted - place).clamp_length_max(1500.0 / rate);
            let reach = leash(&mut scene.rope, End::End, Vec2::new(0.0, -33.0), step);
            place = step + reach.pull(step) * reach.excess(step).max(0.0);
            hold(&mut scene.rope, place);
            scene.step();
            worst = worst.max(scene.rope.current_length() - 500.0);
        }
        println!("{rate}: {worst} longer at the worst");
        assert!(worst < 0.3, "{worst}");
        assert!(leash(&mut scene.rope, End::End, Vec2::new(0.0, -33.0), place).corner);
    }
}
