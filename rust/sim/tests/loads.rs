//! What stands on ropes, and runs against them.

use supple_sim::Vec2;
use supple_sim::frame::Pose;
use supple_sim::rope::{Load, Rope, RopeSettings};
use supple_sim::tick::{DEFAULT_GRAVITY, Tick};

const GRAVITY: Vec2 = Vec2::new(0.0, DEFAULT_GRAVITY);
const TICK: f32 = 1.0 / 60.0;

fn bridge() -> Rope {
    let settings = RopeSettings {
        length: 612.0,
        segment_length: 14.0,
        end_position: Vec2::new(600.0, 0.0),
        end_pinned: true,
        mass: 20.0,
        linear_damp: 2.0,
        ..RopeSettings::default()
    };
    Rope::new(settings, Pose::IDENTITY)
}

fn load(at: Vec2, mass: f32) -> Load {
    Load { key: 1, at, normal: Vec2::NEG_Y, velocity: Vec2::ZERO, mass, stands: true }
}

fn simulate(rope: &mut Rope, seconds: f32, mut loads: impl FnMut(&Rope) -> Vec<Load>) {
    for _ in 0..(seconds / TICK).round() as u32 {
        let loads = loads(rope);
        rope.bear(&loads);
        rope.step(&Tick::still(TICK, GRAVITY));
    }
}

fn middle(rope: &Rope) -> Vec2 {
    rope.position(rope.point_count() / 2)
}

#[test]
fn what_stands_on_the_end_pulls_like_what_hangs_there() {
    let mut rope = Rope::new(RopeSettings { mass: 1.0, ..RopeSettings::default() }, Pose::IDENTITY);
    simulate(&mut rope, 10.0, |rope| vec![load(rope.position(rope.point_count() - 1), 7.0)]);
    let tension = rope.tension(0);
    assert!((tension / (8.0 * DEFAULT_GRAVITY) - 1.0).abs() < 0.02, "{tension}");
}

#[test]
fn a_bridge_sags_deeper_under_more() {
    let depth = |mass: f32| {
        let mut rope = bridge();
        simulate(&mut rope, 10.0, |rope| vec![load(middle(rope), mass)]);
        assert!(rope.stretch() < 1.01, "{mass} kg stretch it to {}", rope.stretch());
        middle(&rope).y
    };
    let depths = [0.0, 10.0, 50.0, 200.0].map(depth);
    assert!(depths.windows(2).all(|pair| pair[1] > pair[0] + 0.2), "{depths:?}");
    // It is no longer than it is.
    assert!((depth(1e5) - (306.0f32.powi(2) - 300.0f32.powi(2)).sqrt()).abs() < 1.0, "{}", depth(1e5));
}

#[test]
fn what_lands_gives_its_speed_and_what_leaves_takes_none() {
    let mut rope = bridge();
    simulate(&mut rope, 0.1, |_| vec![]);
    let at = middle(&rope);
    rope.bear(&[Load { velocity: Vec2::new(90.0, 300.0), ..load(at, 1000.0) }]);
    let struck = rope.velocity(rope.point_count() / 2);
    assert!(struck.y > 290.0 && struck.y <= 300.0 && struck.x.abs() < 10.0, "{struck}");
    let before: Vec<Vec2> = (0..rope.point_count()).map(|i| rope.velocity(i)).collect();
    rope.bear(&[]);
    let after: Vec<Vec2> = (0..rope.point_count()).map(|i| rope.velocity(i)).collect();
    assert_eq!(before, after);
    assert!(!rope.is_loaded());
}

#[test]
fn what_runs_against_a_rope_pushes_it_along_and_does_not_pull() {
    let mut rope = Rope::new(RopeSettings::default(), Pose::IDENTITY);
    simulate(&mut rope, 0.1, |_| vec![]);
    let i = rope.point_count() / 2;
    let push =
        Load { normal: Vec2::NEG_X, velocity: Vec2::new(200.0, 0.0), stands: false, ..load(rope.position(i), 50.0) };
    rope.bear(&[push]);
    assert!((150.0..=200.0).contains(&rope.velocity(i).x), "{}", rope.velocity(i));
    let fast = rope.velocity(i);
    rope.bear(&[Load { velocity: Vec2::new(-200.0, 0.0), ..push }]);
    assert_eq!(rope.velocity(i), fast);
}

#[test]
fn it_sleeps_under_what_stands_still_and_wakes_when_that_walks() {
    let mut rope = bridge();
    simulate(&mut rope, 20.0, |rope| vec![load(middle(rope), 50.0)]);
    assert!(rope.is_sleeping());
    let at = middle(&rope);
    rope.bear(&[load(at + Vec2::new(0.3, 0.0), 50.0)]);
    assert!(rope.is_sleeping());
    rope.bear(&[load(at + Vec2::new(3.0, 0.0), 50.0)]);
    assert!(!rope.is_sleeping());
}

#[test]
fn a_walk_from_end_to_end_stretches_nothing_whatever_the_mass() {
    for mass in [0.1, 50.0, 1e5] {
        for rope_mass in [0.1, 20.0] {
            let mut rope = bridge();
            rope.set_settings(RopeSettings { mass: rope_mass, ..*rope.settings() });
            let mut x = 0.0;
            let mut worst: f32 = 1.0;
            simulate(&mut rope, 3.0, |rope| {
                x += 200.0 * TICK;
                worst = worst.max(rope.stretch());
                let near = (0..rope.point_count())
                    .min_by(|&a, &b| (rope.position(a).x - x).abs().total_cmp(&(rope.position(b).x - x).abs()));
                vec![load(rope.position(near.unwrap_or(0)), mass)]
            });
            assert!(worst < 1.02, "{mass} kg on {rope_mass} kg: {worst}");
            assert_eq!(rope.recoveries(), 0);
        }
    }
}

#[test]
fn nonsense_is_not_borne() {
    let mut rope = bridge();
    for bad in [f32::NAN, f32::INFINITY, -1.0] {
        rope.bear(&[load(middle(&rope), bad)]);
        rope.bear(&[load(Vec2::splat(bad), bad)]);
        rope.bear(&[Load { normal: Vec2::splat(bad), velocity: Vec2::splat(f32::NAN), ..load(middle(&rope), 1.0) }]);
        rope.step(&Tick::still(TICK, GRAVITY));
        assert!(!rope.is_loaded());
    }
    assert!(rope.position(3).is_finite());
}

#[test]
fn a_saved_rope_goes_on_with_what_stands_on_it() {
    let mut rope = bridge();
    simulate(&mut rope, 1.0, |rope| vec![load(middle(rope), 50.0)]);
    let mut copy = Rope::load(&rope.save(|_| None), |_| None).expect("it is sound");
    for rope in [&mut rope, &mut copy] {
        simulate(rope, 0.5, |rope| vec![load(middle(rope), 50.0)]);
    }
    assert_eq!(rope.state_hash(), copy.state_hash());
}
