//! What winds do to a rope, measured on the core alone.

use supple_sim::Vec2;
use supple_sim::collide::Outline;
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings, Solver};
use supple_sim::tick::Tick;
use supple_sim::wind::{Region, Shape, Wind};

const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);

fn scarf() -> RopeSettings {
    RopeSettings {
        length: 200.0,
        segments: 20,
        end_position: Vec2::Y,
        linear_damp: 0.0,
        air_drag: 5.0,
        can_sleep: false,
        ..RopeSettings::default()
    }
}

fn turbulent(velocity: Vec2) -> Wind {
    Wind { turbulence: 0.35, ..Wind::steady(velocity) }
}

fn circle(middle: Vec2, radius: f32) -> Region {
    Region::Circle { middle, radius }
}

/// Runs a rope that hangs at the origin for so many seconds; `look` sees it after every tick.
fn run(rope: &mut Rope, winds: &[Wind], rate: f32, seconds: f32, mut look: impl FnMut(&Rope)) {
    for i in 0..(seconds * rate).round() as u32 {
        let time = f64::from(i) / f64::from(rate);
        rope.step(&Tick { time, winds, ..Tick::still(1.0 / rate, GRAVITY) });
        look(rope);
    }
}

fn tip(rope: &Rope) -> Vec2 {
    rope.position(rope.point_count() - 1)
}

/// The mean angle of the tip from straight down, after 10 s for 10 s, in radians.
fn mean_angle(settings: RopeSettings, winds: &[Wind], rate: f32) -> f32 {
    let mut rope = Rope::new(settings, Pose::IDENTITY);
    run(&mut rope, winds, rate, 10.0, |_| ());
    let (mut sum, mut count) = (0.0, 0.0);
    run(&mut rope, winds, rate, 10.0, |rope| {
        sum += tip(rope).x.atan2(tip(rope).y);
        count += 1.0;
    });
    sum / count
}

#[test]
fn a_rope_in_a_wind_hangs_at_the_angle_of_drag_and_weight() {
    for solver in [Solver::Direct, Solver::Relaxation] {
        for speed in [100.0, 300.0, 600.0] {
            let settings = RopeSettings { solver, iteration_count: 40, ..scarf() };
            let angle = mean_angle(settings, &[Wind::steady(Vec2::new(speed, 0.0))], 60.0);
            let exact = (settings.air_drag / 1000.0 * speed * speed / GRAVITY.y).atan();
            assert!((angle / exact - 1.0).abs() < 0.03, "{solver:?}, {speed} px/s: {angle}, not {exact}");
        }
    }
}

#[test]
fn a_rope_dragged_through_still_air_trails_as_in_a_wind() {
    let speed = 300.0;
    let mut rope = Rope::new(scarf(), Pose::IDENTITY);
    let (mut sum, mut count) = (0.0, 0.0);
    for i in 1..=1200 {
        let at = Vec2::new(speed * i as f32 / 60.0, 0.0);
        rope.set_pose(Pose::at(at));
        rope.step(&Tick::still(1.0 / 60.0, GRAVITY));
        if i > 600 {
            let off = tip(&rope) - at;
            sum += (-off.x).atan2(off.y);
            count += 1.0;
        }
    }
    let blown = mean_angle(scarf(), &[Wind::steady(Vec2::new(speed, 0.0))], 60.0);
    assert!((sum / count / blown - 1.0).abs() < 0.03, "dragged {}, blown {blown}", sum / count);
}

#[test]
fn the_angle_does_not_depend_on_the_tick_rate() {
    let winds = [turbulent(Vec2::new(300.0, 0.0))];
    let angles = [30.0, 60.0, 120.0, 240.0].map(|rate| mean_angle(scarf(), &winds, rate));
    println!("{angles:?}");
    for angle in angles {
        assert!((angle / angles[3] - 1.0).abs() < 0.02, "{angles:?}");
    }
}

#[test]
fn a_gale_blows_no_rope_apart_at_any_setting() {
    for solver in [Solver::Direct, Solver::Relaxation] {
        for (substeps, rate) in [(0, 60.0), (1, 60.0), (1, 30.0), (1, 10.0)] {
            for air_drag in [0.5, 10.0, 1000.0] {
                let settings = RopeSettings { solver, substeps, air_drag, ..scarf() };
                let mut rope = Rope::new(settings, Pose::IDENTITY);
                let winds = [Wind { turbulence: 1.0, ..Wind::steady(Vec2::new(5000.0, 0.0)) }];
                let what = format!("{solver:?}, {substeps} substeps at {rate}, drag {air_drag}");
                run(&mut rope, &winds, rate, 10.0, |rope| {
                    assert!(tip(rope).is_finite() && tip(rope).length() < 3000.0, "{what}: {}", tip(rope));
                    if solver == Solver::Direct {
                        assert!(rope.stretch() < 1.01, "{what}: {}", rope.stretch());
                    }
                });
                assert_eq!(rope.recoveries(), 0, "{what}");
                // What is blown away from the start hangs down-wind.
                assert!(tip(&rope).x > 100.0, "{what}: {}", tip(&rope));
            }
        }
    }
}

#[test]
fn the_same_wind_gives_the_same_bits() {
    let hash = || {
        let mut rope = Rope::new(scarf(), Pose::IDENTITY);
        run(&mut rope, &[turbulent(Vec2::new(300.0, -40.0))], 60.0, 5.0, |_| ());
        rope.state_hash()
    };
    assert_eq!(hash(), hash());
}

#[test]
fn wind_scale_multiplies_and_turns_the_wind() {
    let winds = [Wind::steady(Vec2::new(300.0, 0.0))];
    let angle = |wind_scale: f32| mean_angle(RopeSettings { wind_scale, ..scarf() }, &winds, 60.0);
    assert_eq!(angle(0.0), mean_angle(scarf(), &[], 60.0));
    assert!((angle(-1.0) + angle(1.0)).abs() < 0.01);
    let twice = mean_angle(scarf(), &[Wind::steady(Vec2::new(600.0, 0.0))], 60.0);
    assert!((angle(2.0) - twice).abs() < 0.01);
}

#[test]
fn a_wind_straight_against_a_hanging_rope_turns_it_over() {
    let mut rope = Rope::new(RopeSettings { air_drag: 10.0, ..scarf() }, Pose::IDENTITY);
    run(&mut rope, &[Wind::steady(Vec2::new(0.0, -600.0))], 60.0, 10.0, |_| ());
    assert!(tip(&rope).y < -100.0, "{}", tip(&rope));
}

fn asleep(winds: &[Wind], seconds: f32) -> Rope {
    let settings = RopeSettings { linear_damp: 1.5, can_sleep: true, ..scarf() };
    let mut rope = Rope::new(settings, Pose::IDENTITY);
    run(&mut rope, winds, 60.0, seconds, |_| ());
    rope
}

#[test]
fn a_rope_sleeps_in_a_steady_wind_and_not_in_gusts() {
    let steady = [Wind::steady(Vec2::new(300.0, 0.0))];
    let rope = asleep(&steady, 30.0);
    assert!(rope.is_sleeping());
    assert!(tip(&rope).x > 50.0, "{}", tip(&rope));
    assert!(!asleep(&[turbulent(Vec2::new(300.0, 0.0))], 30.0).is_sleeping());
    assert!(!asleep(&[turbulent(Vec2::new(5.0, 0.0))], 30.0).is_sleeping());
    let far = Wind { region: circle(Vec2::new(900.0, 0.0), 200.0), ..turbulent(Vec2::new(300.0, 0.0)) };
    assert!(asleep(&[far], 30.0).is_sleeping());
}

#[test]
fn a_rope_that_a_wind_begins_to_move_is_not_at_rest() {
    let settings = RopeSettings { gravity_scale: 0.0, air_drag: 0.5, can_sleep: true, ..scarf() };
    let mut rope = Rope::new(settings, Pose::IDENTITY);
    run(&mut rope, &[Wind::steady(Vec2::new(60.0, 0.0))], 60.0, 10.0, |_| ());
    assert!(tip(&rope).x > 50.0, "{}", tip(&rope));
}

#[test]
fn winds_wake_the_ropes_that_they_reach() {
    let rope = asleep(&[], 10.0);
    assert!(rope.is_sleeping());
    let wakes = |rope: &Rope, wind: Wind| {
        let mut rope = rope.clone();
        rope.notice_winds(&[wind]);
        !rope.is_sleeping()
    };
    let wind = Wind::steady(Vec2::new(300.0, 0.0));
    let within = |region: Region| Wind { region, ..Wind::steady(Vec2::new(300.0, 0.0)) };
    assert!(wakes(&rope, wind.clone()));
    assert!(!wakes(&rope, Wind::steady(Vec2::ZERO)));
    assert!(wakes(&rope, within(circle(Vec2::new(50.0, 100.0), 60.0))));
    assert!(!wakes(&rope, within(circle(Vec2::new(50.0, 100.0), 45.0))));
    assert!(!wakes(&rope, within(circle(Vec2::new(40.0, 240.0), 50.0))));
    let door = Outline::Rectangle { half: Vec2::new(30.0, 30.0) };
    let shapes = |at: Vec2| Region::Shapes(Shape::new(&door, Pose::at(at)).into_iter().collect());
    assert!(wakes(&rope, within(shapes(Vec2::new(20.0, 150.0)))));
    assert!(!wakes(&rope, within(shapes(Vec2::new(50.0, 150.0)))));
    for change in [|s: &mut RopeSettings| s.wind_scale = 0.0, |s: &mut RopeSettings| s.air_drag = 0.0] {
        let mut rope = rope.clone();
        let mut settings = *rope.settings();
        change(&mut settings);
        rope.set_settings(settings);
        run(&mut rope, std::slice::from_ref(&wind), 60.0, 5.0, |_| ());
        assert!(rope.is_sleeping());
        assert!(!wakes(&rope, wind.clone()));
    }
}

#[test]
fn a_wind_in_a_region_moves_only_what_is_in_it() {
    // The lower half of the rope.
    let region = circle(Vec2::new(0.0, 250.0), 150.0);
    let mut rope = Rope::new(RopeSettings { linear_damp: 2.0, ..scarf() }, Pose::IDENTITY);
    let winds = [Wind { region, ..Wind::steady(Vec2::new(300.0, 0.0)) }];
    run(&mut rope, &winds, 60.0, 20.0, |_| ());
    let lean = |i: usize| rope.position(i + 1) - rope.position(i);
    let (upper, lower) = (lean(2), lean(18));
    assert!(lower.x / lower.y > 1.3 * upper.x / upper.y, "upper {upper}, lower {lower}");
    let whole = mean_angle(scarf(), &[Wind::steady(Vec2::new(300.0, 0.0))], 60.0);
    let angle = tip(&rope).x.atan2(tip(&rope).y);
    assert!(angle > 0.3 * whole && angle < 0.95 * whole, "{angle} of {whole}");
}

#[test]
fn gusts_roll_along_a_row_of_ropes() {
    // The tips of two ropes 300 px apart in a wind of 300 px/s swing alike a second apart.
    let winds = [Wind { turbulence: 0.5, ..Wind::steady(Vec2::new(300.0, 0.0)) }];
    let sway = |x: f32| {
        let settings = RopeSettings { linear_damp: 3.0, length: 60.0, segments: 6, ..scarf() };
        let mut rope = Rope::new(settings, Pose::at(Vec2::new(x, 0.0)));
        let mut sway = vec![];
        run(&mut rope, &winds, 60.0, 120.0, |rope| sway.push(tip(rope).x - x));
        sway.split_off(300)
    };
    let (first, second) = (sway(0.0), sway(300.0));
    let correlation = |lag: usize| {
        let n = first.len() - lag;
        let (a, b) = (&first[..n], &second[lag..]);
        let mean = |v: &[f32]| v.iter().sum::<f32>() / n as f32;
        let (ma, mb) = (mean(a), mean(b));
        let product =
            |a: &[f32], ma: f32, b: &[f32], mb: f32| -> f32 { a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum() };
        product(a, ma, b, mb) / (product(a, ma, a, ma) * product(b, mb, b, mb)).sqrt()
    };
    println!("at once {}, a second later {}", correlation(0), correlation(60));
    assert!(correlation(60) > 0.95 && correlation(0) < 0.6, "{} {}", correlation(0), correlation(60));
}
