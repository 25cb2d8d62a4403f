//! What a soft body does by itself: it keeps its momentum, hangs, swings, and feels the same at any number of points and ticks.

use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::frame::Pose;
use supple_sim::mesh::Mesh;
use supple_sim::rope::{Grip, Holder};
use supple_sim::soft::{Sides, SoftBody, SoftSettings};
use supple_sim::tick::Tick;

const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);
const TOP: Sides = Sides { top: true, right: false, bottom: false, left: false };

fn grid(points: u32) -> Arc<Mesh> {
    Arc::new(Mesh::rectangle(Vec2::splat(100.0), glam::UVec2::splat(points)))
}

fn square(spacing: f32) -> Arc<Mesh> {
    let corners = [(-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0)].map(Vec2::from);
    Arc::new(Mesh::polygon(&corners, spacing).expect("a square"))
}

fn body(settings: SoftSettings, mesh: Arc<Mesh>) -> SoftBody {
    SoftBody::new(settings, mesh, Pose::IDENTITY)
}

fn hanging(settings: SoftSettings, mesh: Arc<Mesh>) -> SoftBody {
    let top = TOP.points(&mesh);
    let mut body = body(settings, mesh);
    body.pin_at_rest(&top);
    body
}

fn run(body: &mut SoftBody, seconds: f32, rate: f32, gravity: Vec2) {
    for _ in 0..(seconds * rate).round() as u32 {
        body.step(&Tick::still(1.0 / rate, gravity));
    }
}

/// The lesson's body: 5x5 points of 1 kg.
fn lesson() -> SoftSettings {
    SoftSettings {
        particle_mass: 1.0,
        stiffness: 200.0,
        damping: 5.0,
        area_stiffness: 0.0,
        linear_damp: 0.6,
        ..SoftSettings::default()
    }
}

fn momentum(body: &SoftBody) -> (Vec2, f32) {
    let mass = body.mass() / body.point_count() as f32;
    let center = body.center();
    let (mut linear, mut angular) = (Vec2::ZERO, 0.0);
    for i in 0..body.point_count() {
        linear += body.velocity(i) * mass;
        angular += (body.position(i) - center).perp_dot(body.velocity(i)) * mass;
    }
    (linear, angular)
}

#[test]
fn a_free_body_keeps_its_momentum_however_it_wobbles() {
    for stiffness in [0.0, 50.0, 200.0, 1e4, 1e7] {
        for rate in [30.0, 60.0, 240.0] {
            let settings = SoftSettings { stiffness, linear_damp: 0.0, particle_mass: 0.04, ..SoftSettings::default() };
            let mut body = body(settings, grid(5));
            body.set_linear_velocity(Vec2::new(120.0, -30.0));
            body.set_angular_velocity(3.0);
            // A corner is pulled out, which makes it wobble.
            body.set_velocity(0, Vec2::new(-400.0, -300.0));
            body.step(&Tick::still(1.0 / rate, Vec2::ZERO));
            let (linear, angular) = momentum(&body);
            run(&mut body, 2.0, rate, Vec2::ZERO);
            let (after, turning) = momentum(&body);
            assert!(after.distance(linear) < 1e-3 * linear.length(), "{stiffness}, {rate}: {linear} became {after}");
            assert!(
                (turning - angular).abs() < 0.02 * angular.abs(),
                "{stiffness}, {rate}: {angular} became {turning}"
            );
        }
    }
}

#[test]
fn a_spinning_body_spins_on() {
    for (rate, stiffness) in [(60.0, 200.0), (60.0, 1e6), (144.0, 5e3)] {
        let mut body = body(SoftSettings { stiffness, linear_damp: 0.0, ..SoftSettings::default() }, grid(6));
        body.set_angular_velocity(8.0);
        run(&mut body, 5.0, rate, Vec2::ZERO);
        // What is soft spins slower where it is drawn out.
        let least = if stiffness > 1e3 { 7.9 } else { 6.0 };
        assert!((least..8.05).contains(&body.angular_velocity()), "{stiffness}: {}", body.angular_velocity());
    }
}

#[test]
fn it_feels_the_same_at_any_number_of_points() {
    let feel = |mesh: Arc<Mesh>| {
        let mut body = hanging(SoftSettings::default(), mesh);
        run(&mut body, 8.0, 60.0, GRAVITY);
        let sag = body.bounds().max.y - 50.0;
        let rest = body.center();
        // The period along, from the crossings of its middle.
        body.apply_central_impulse(Vec2::new(0.0, 30.0));
        let (mut before, mut times) = (0.0, Vec::new());
        for t in 0..240 {
            body.step(&Tick::still(1.0 / 240.0, GRAVITY));
            let off = body.center().y - rest.y;
            if before * off < 0.0 {
                times.push((t as f32 - off / (off - before)) / 240.0);
            }
            before = off;
        }
        (sag, 2.0 * (times[1] - times[0]))
    };
    let (sag, period) = feel(grid(8));
    for (name, mesh) in
        [("4x4", grid(4)), ("5x5", grid(5)), ("16x16", grid(16)), ("24 px", square(24.0)), ("8 px", square(8.0))]
    {
        let (other, time) = feel(mesh);
        assert!((other / sag - 1.0).abs() < 0.1, "{name}: sags {other}, not {sag}");
        assert!((time / period - 1.0).abs() < 0.1, "{name}: swings in {time}, not {period}");
    }
}

#[test]
fn it_moves_the_same_at_any_tick_rate() {
    // Swings in its lowest ways: a calm motion, that is not chaotic.
    let path = |rate: f32| {
        let mut body = hanging(SoftSettings { damping: 0.5, ..SoftSettings::default() }, grid(5));
        run(&mut body, 3.0, 240.0, GRAVITY);
        body.apply_central_impulse(Vec2::new(60.0, 20.0));
        let mut places = Vec::new();
        for _ in 0..15 {
            run(&mut body, 0.1, rate, GRAVITY);
            places.push(body.center());
        }
        places
    };
    let usual = path(240.0);
    let far = usual.iter().map(|place| place.distance(usual[14])).fold(0.0, f32::max);
    for rate in [10.0, 30.0, 60.0, 120.0, 480.0] {
        let off = path(rate).iter().zip(&usual).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 0.15 * far, "{rate} ticks/s: {off} px off, of {far}");
    }
}

#[test]
fn the_lessons_body_hangs_as_its_springs_say() {
    // Rows of 5 kg on five springs of 200 kg/s2: the first carries four rows. What joins them across helps by up to a third.
    let mut body = hanging(lesson(), grid(5));
    run(&mut body, 10.0, 60.0, GRAVITY);
    let sag = body.bounds().max.y - 50.0;
    let by_hand: f32 = [4.0, 3.0, 2.0, 1.0].iter().map(|rows| rows * 5.0 * 980.0 / (5.0 * 200.0)).sum();
    assert!((0.6 * by_hand..1.1 * by_hand).contains(&sag), "{sag}, by hand {by_hand}");
    // The position pass draws it together.
    let mut tight = hanging(SoftSettings { iteration_count: 5, ..lesson() }, grid(5));
    run(&mut tight, 10.0, 60.0, GRAVITY);
    let tight = tight.bounds().max.y - 50.0;
    assert!(tight < 0.6 * sag && tight > 0.0, "{tight} with passes, {sag} without");
}

#[test]
fn what_is_held_stretched_by_a_corner_stands_still_with_any_number_of_passes() {
    // 5 passes a tick at 60 are one and a quarter in each of 4 substeps.
    for iteration_count in [1, 2, 5, 7, 20] {
        let mut body =
            hanging(SoftSettings { area_stiffness: 1.0, iteration_count, can_sleep: false, ..lesson() }, grid(5));
        body.pin(24, None);
        body.set_pin_position(24, Vec2::new(100.0, 110.0));
        run(&mut body, 3.0, 60.0, GRAVITY);
        let fastest = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
        assert!(fastest < 5.0, "{iteration_count} passes: {fastest} px/s");
    }
}

#[test]
fn no_slider_makes_the_lessons_body_explode_or_tremble() {
    for stiffness in [0.0, 10.0, 200.0, 1e4, 1e7] {
        for damping in [0.0, 5.0, 1e4] {
            for particle_mass in [0.001, 1.0, 1000.0] {
                for iteration_count in [0, 1, 5, 50] {
                    let settings = SoftSettings { stiffness, damping, particle_mass, iteration_count, ..lesson() };
                    let mut body = hanging(settings, grid(5));
                    run(&mut body, 5.0, 60.0, GRAVITY);
                    body.apply_central_impulse(Vec2::new(500.0, 300.0) * body.mass());
                    run(&mut body, 12.0, 60.0, GRAVITY);
                    let name = format!("{stiffness}, {damping}, {particle_mass}, {iteration_count}");
                    let fastest = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
                    // Without stiffness there is nothing but points that fall.
                    let falls = (stiffness == 0.0 || stiffness / particle_mass < 20.0) && iteration_count == 0;
                    assert!(falls || fastest < 40.0, "{name}: {fastest} px/s");
                    assert!(falls || body.bounds().max.y < 900.0, "{name}: {:?}", body.bounds());
                    assert_eq!(body.recoveries(), 0, "{name}");
                }
            }
        }
    }
}

#[test]
fn held_points_are_where_they_are_held() {
    let mut body = hanging(SoftSettings::default(), grid(5));
    for t in 0..240 {
        let place = Vec2::new(80.0 * (0.1 * t as f32).sin(), -30.0 * (0.07 * t as f32).sin());
        let turn = Vec2::from_angle(0.5 * (0.05 * t as f32).sin());
        let pose = Pose { origin: place, x: turn, y: turn.perp() };
        body.set_pose(pose);
        body.step(&Tick::still(1.0 / 60.0, GRAVITY));
        for i in 0..5 {
            let wanted = place + pose.turn(body.mesh().points[i]);
            assert!(body.position(i).distance(wanted) < 1e-3, "point {i} at {t}");
        }
    }
}

#[test]
fn one_pin_is_a_hinge_and_its_swing_a_pendulums() {
    // A stiff square on its corner: a physical pendulum, of 2 pi sqrt(I / (m g d)).
    let settings = SoftSettings { stiffness: 1e6, linear_damp: 0.0, particle_mass: 0.01, ..SoftSettings::default() };
    let mut body = body(settings, grid(6));
    body.pin(0, None);
    let corner = body.position(0);
    // I of 36 equal points about the corner, by the points themselves.
    let inertia: f32 = (0..36).map(|i| body.position(i).distance_squared(corner)).sum::<f32>() / 36.0;
    let arm = body.center().distance(corner);
    let wanted = std::f32::consts::TAU * (inertia / (980.0 * arm)).sqrt();
    // It hangs, and is pushed a little.
    let down = |body: &SoftBody| (body.center() - corner).normalize();
    body.set_settings(SoftSettings { linear_damp: 4.0, ..*body.settings() });
    run(&mut body, 8.0, 60.0, GRAVITY);
    assert!(down(&body).x.abs() < 0.02, "hangs {}", down(&body));
    body.set_settings(settings);
    body.apply_central_impulse(Vec2::new(20.0, 0.0) * body.mass());
    let (mut before, mut times) = (0.0, Vec::new());
    for t in 0..800 {
        body.step(&Tick::still(1.0 / 120.0, GRAVITY));
        let off = down(&body).x;
        if before * off < 0.0 {
            times.push((t as f32 - off / (off - before)) / 120.0);
        }
        before = off;
    }
    let period = 2.0 * (times[3] - times[0]) / 3.0;
    assert!((period / wanted - 1.0).abs() < 0.02, "{period} s, a pendulum {wanted} s");
    assert!(body.position(0).distance(corner) < 1e-3);
}

#[test]
fn a_hand_pulls_no_harder_than_it_may() {
    let hold = |force: f32| {
        let mut body = hanging(SoftSettings::default(), grid(5));
        run(&mut body, 3.0, 60.0, GRAVITY);
        let at = body.position(22);
        let mut holder = Holder { key: 7, pose: Pose::at(at) };
        body.seize(22, holder, Vec2::ZERO, Grip::Hand(force));
        for t in 0..120 {
            holder.pose = Pose::at(at + Vec2::new(0.0, 0.5 * (t + 1) as f32));
            body.set_holder_pose(7, holder.pose);
            body.step(&Tick::still(1.0 / 60.0, GRAVITY));
        }
        run(&mut body, 2.0, 60.0, GRAVITY);
        (body.position(22).y - at.y, body)
    };
    let (any, _) = hold(0.0);
    assert!((any - 60.0).abs() < 0.5, "a hand of any force brings it there: {any}");
    let (weak, mut body) = hold(1000.0);
    assert!((2.0..40.0).contains(&weak), "a weak one slips: {weak}");
    body.let_go(7);
    run(&mut body, 5.0, 60.0, GRAVITY);
    assert!(body.is_sleeping() && body.pins().len() == 5);
}

#[test]
fn its_node_is_where_it_is_and_takes_it_along() {
    let mut body = body(SoftSettings::default(), grid(5));
    body.set_angular_velocity(2.0);
    run(&mut body, 0.5, 60.0, GRAVITY);
    let pose = body.rigid_pose();
    assert!(pose.origin.distance(body.center()) < 1e-3, "the grid's middle is its node's origin");
    assert!((pose.x.to_angle() - body.turned()).abs() < 1e-5);
    body.note_pose(pose);
    let (velocity, spin, shape) = (body.linear_velocity(), body.angular_velocity(), body.area());
    let turn = Vec2::from_angle(1.0);
    let there = Pose { origin: Vec2::new(5000.0, -3000.0), x: turn.rotate(pose.x), y: turn.rotate(pose.y) };
    body.set_pose(there);
    assert!(body.center().distance(there.origin) < 0.01);
    assert!(body.linear_velocity().distance(velocity) < 0.01 && (body.angular_velocity() - spin).abs() < 1e-3);
    assert!((body.area() - shape).abs() < 0.5);
    let seen = body.rigid_pose();
    assert!(seen.origin.distance(there.origin) < 0.01 && seen.x.distance(there.x) < 1e-3);
}

#[test]
fn scaled_skewed_and_mirrored_nodes_lay_it_out_so() {
    let poses = [
        Pose { origin: Vec2::new(9.0, 4.0), x: Vec2::new(2.0, 0.0), y: Vec2::new(0.0, 0.5) },
        Pose { origin: Vec2::ZERO, x: Vec2::new(-1.0, 0.0), y: Vec2::new(0.0, 1.0) },
        Pose { origin: Vec2::ZERO, x: Vec2::new(0.6, 0.8), y: Vec2::new(0.2, 1.5) },
    ];
    for pose in poses {
        let mut body = SoftBody::new(SoftSettings::default(), grid(5), pose);
        for i in 0..25 {
            assert!(body.position(i).distance(pose.origin + pose.turn(body.mesh().points[i])) < 1e-3);
        }
        assert!((body.area() - body.rest_area()).abs() < 1.0 && body.area() > 0.0);
        run(&mut body, 1.0, 60.0, Vec2::ZERO);
        assert!(body.inverted() == 0 && body.stretch() < 1e-4, "{pose:?}: {}", body.stretch());
        let seen = body.rigid_pose();
        assert!(
            seen.x.distance(pose.x) < 1e-3
                && seen.y.distance(pose.y) < 1e-3
                && seen.origin.distance(pose.origin) < 1e-2
        );
    }
}

#[test]
fn far_from_the_origin_it_is_as_steady() {
    let drop = |at: Vec2| {
        let mut body = SoftBody::new(SoftSettings::default(), grid(5), Pose::at(at));
        body.set_velocity(3, Vec2::new(300.0, 100.0));
        run(&mut body, 1.0, 60.0, Vec2::ZERO);
        (0..25).map(|i| body.place_between(i, 1.0, body.position(0))).collect::<Vec<_>>()
    };
    let (near, far) = (drop(Vec2::ZERO), drop(Vec2::new(1e6, -1e6)));
    let off = near.iter().zip(&far).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // Positions there have steps of 0.06 px; the motion has none.
    assert!(off < 0.2, "{off}");
}

#[test]
fn sides_are_the_points_on_them() {
    use supple_sim::soft::Sides;
    let top = Sides { top: true, ..Sides::default() };
    for points in [2, 5, 16, 64] {
        assert_eq!(top.points(&grid(points)), (0..points as usize).collect::<Vec<_>>(), "{points}x{points}");
        let sides = Sides { left: true, right: true, ..Sides::default() };
        assert_eq!(sides.points(&grid(points)).len(), 2 * points as usize, "{points}x{points}");
    }
    let ellipse = Mesh::ellipse(Vec2::new(100.0, 100.0), 8.0);
    let held = top.points(&ellipse);
    assert!((3..=9).contains(&held.len()) && held.iter().all(|&i| ellipse.points[i].y < -40.0), "{held:?}");
}

#[test]
fn a_saved_body_goes_on_bit_for_bit() {
    let mut body = hanging(SoftSettings { plasticity: 0.5, iteration_count: 3, ..SoftSettings::default() }, grid(6));
    body.apply_central_impulse(Vec2::new(200.0, -100.0));
    run(&mut body, 0.7, 60.0, GRAVITY);
    let bytes = body.save(|_| None);
    let mut other = SoftBody::load(&bytes, |_| None).expect("a body");
    assert_eq!(other.state_hash(), body.state_hash());
    for _ in 0..120 {
        body.step(&Tick::still(1.0 / 60.0, GRAVITY));
        other.step(&Tick::still(1.0 / 60.0, GRAVITY));
        assert_eq!(other.state_hash(), body.state_hash());
    }
}

#[test]
fn damaged_and_foreign_states_are_refused() {
    let body = body(SoftSettings::default(), grid(3));
    let bytes = body.save(|_| None);
    assert!(SoftBody::load(&bytes, |_| None).is_some());
    assert!(SoftBody::load(b"", |_| None).is_none());
    assert!(SoftBody::load(b"SUPR\x03........", |_| None).is_none());
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x40;
        assert!(SoftBody::load(&damaged, |_| None).is_none(), "{place}");
        assert!(SoftBody::load(&bytes[..place], |_| None).is_none(), "{place}");
    }
}

#[test]
fn settings_out_of_range_become_something_sensible() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30, 0.0] {
        let settings = SoftSettings {
            mass: value,
            particle_mass: value,
            stiffness: value,
            damping: value,
            shear_ratio: value,
            area_stiffness: value,
            pressure: value,
            shape_memory: value,
            plasticity: value,
            max_stretch: value,
            linear_damp: value,
            gravity_scale: value,
            iteration_count: u32::MAX,
            substeps: u32::MAX,
            ..SoftSettings::default()
        }
        .clamped(&SoftSettings::default());
        assert_eq!(settings, settings.clamped(&SoftSettings::default()));
        let mut body = body(SoftSettings { iteration_count: 2, ..settings }, grid(4));
        run(&mut body, 1.0, 60.0, GRAVITY);
        assert_eq!(body.recoveries(), 0, "{value}");
    }
}

#[test]
fn plastic_bodies_keep_a_part_and_shape_memory_brings_it_back() {
    let pressed = |settings: SoftSettings| {
        let mut body = body(settings, grid(6));
        // Pulled apart sideways for a second.
        for _ in 0..60 {
            for i in 0..36 {
                let side = body.mesh().points[i].x.signum();
                body.apply_force(i, Vec2::new(side * 1200.0, 0.0));
            }
            body.step(&Tick::still(1.0 / 60.0, Vec2::ZERO));
        }
        run(&mut body, 4.0, 60.0, Vec2::ZERO);
        let size = body.bounds().max - body.bounds().min;
        size.x / size.y
    };
    let elastic = pressed(SoftSettings::default());
    let plastic = pressed(SoftSettings { plasticity: 1.0, ..SoftSettings::default() });
    assert!((elastic - 1.0).abs() < 0.02, "{elastic}");
    assert!(plastic > 1.15, "{plastic}");
    let drawn = pressed(SoftSettings { plasticity: 1.0, shape_memory: 0.5, ..SoftSettings::default() });
    // Up to what yields.
    assert!(drawn < 1.0 + 0.5 * (plastic - 1.0), "{drawn}, without {plastic}");
}

#[test]
fn pressure_blows_it_up_and_max_stretch_stops_it() {
    let blown = |settings: SoftSettings| {
        let mut body = body(settings, grid(6));
        run(&mut body, 4.0, 60.0, Vec2::ZERO);
        assert_eq!(body.inverted(), 0);
        (body.area() / body.rest_area(), body.stretch())
    };
    let soft = SoftSettings { area_stiffness: 0.0, ..SoftSettings::default() };
    let (area, _) = blown(SoftSettings { pressure: 200.0, ..soft });
    assert!(area > 1.2, "{area}");
    let (more, _) = blown(SoftSettings { pressure: 1000.0, ..soft });
    assert!(more > area && more < 50.0, "{more}");
    let (_, stretch) = blown(SoftSettings { pressure: 1e4, max_stretch: 1.1, ..soft });
    assert!(stretch < 0.15, "{stretch}");
    // It hangs still, in few substeps and in many.
    for substeps in [0, 8, 32] {
        let settings = SoftSettings { max_stretch: 1.066, mass: 20.0, substeps, can_sleep: false, ..soft };
        let mut body = hanging(settings, grid(5));
        run(&mut body, 6.0, 60.0, GRAVITY);
        let fastest = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
        assert!(body.stretch() < 0.1 && fastest < 20.0, "{substeps} substeps: {}, {fastest} px/s", body.stretch());
    }
}

#[test]
fn passes_of_relaxation_and_a_hand_do_not_fight() {
    for (area_stiffness, force) in [(1.0, 0.0), (1.0, 2e5), (100.0, 0.0)] {
        let mut body = hanging(SoftSettings { iteration_count: 5, area_stiffness, ..lesson() }, grid(5));
        run(&mut body, 3.0, 60.0, GRAVITY);
        let at = body.position(24);
        let mut holder = Holder { key: 7, pose: Pose::at(at) };
        body.seize(24, holder, Vec2::ZERO, Grip::Hand(force));
        for t in 0..60 {
            holder.pose = Pose::at(at + Vec2::new(50.0, 60.0) * ((t + 1) as f32 / 30.0).min(1.0));
            body.set_holder_pose(7, holder.pose);
            body.step(&Tick::still(1.0 / 60.0, GRAVITY));
        }
        let fastest = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
        assert!(fastest < 60.0, "{area_stiffness}, {force}: {fastest} px/s while the hand stands still");
        body.let_go(7);
        for _ in 0..360 {
            body.step(&Tick::still(1.0 / 60.0, GRAVITY));
            assert!(body.bounds().min.y > -150.0, "{area_stiffness}, {force}: {:?}", body.bounds());
        }
        let speed = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
        assert_eq!(
            body.inverted(),
            0,
            "{area_stiffness}, {force}: {:?}, {speed} px/s, asleep {}",
            body.bounds(),
            body.is_sleeping()
        );
        assert!((body.area() / body.rest_area() - 1.0).abs() < 0.1, "{}", body.area());
    }
}

#[test]
fn a_body_that_may_not_turn_keeps_its_angle_and_is_thrown_by_nothing() {
    let settings = SoftSettings { lock_rotation: true, ..SoftSettings::default() };
    let mut locked = body(settings, grid(5));
    locked.apply_impulse(0, Vec2::new(30.0, 0.0));
    run(&mut locked, 1.0, 60.0, Vec2::ZERO);
    assert!(locked.turned().abs() < 1e-3 && locked.linear_velocity().x > 10.0);
    // Its node is turned by a script.
    let fastest = |body: &SoftBody| (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
    let pose = locked.rigid_pose();
    locked.note_pose(pose);
    let turn = Vec2::from_angle(1.0);
    locked.set_pose(Pose { x: turn, y: turn.perp(), ..pose });
    run(&mut locked, 0.5, 60.0, Vec2::ZERO);
    assert!((locked.turned() - 1.0).abs() < 1e-2 && fastest(&locked) < 60.0, "{}", fastest(&locked));
    // Locked while it turns: it stops where it is.
    let mut turning = body(SoftSettings::default(), grid(5));
    turning.set_angular_velocity(2.0);
    run(&mut turning, 0.5, 60.0, Vec2::ZERO);
    let angle = turning.turned();
    turning.set_settings(settings);
    run(&mut turning, 0.5, 60.0, Vec2::ZERO);
    assert!((turning.turned() - angle).abs() < 0.02 && fastest(&turning) < 60.0, "{}", fastest(&turning));
}

#[test]
fn a_body_that_hangs_on_its_node_is_mirrored_with_it() {
    let mut body = hanging(SoftSettings::default(), grid(5));
    run(&mut body, 2.0, 60.0, GRAVITY);
    let before = body.bounds();
    body.set_pose(Pose { x: Vec2::NEG_X, ..Pose::IDENTITY });
    for _ in 0..120 {
        body.step(&Tick::still(1.0 / 60.0, GRAVITY));
        let fastest = (0..25).map(|i| body.velocity(i).length()).fold(0.0, f32::max);
        assert!(fastest < 50.0, "{fastest} px/s");
    }
    assert!(body.bounds().min.distance(before.min) < 1.0 && body.bounds().max.distance(before.max) < 1.0);
    assert_eq!(body.inverted(), 0);
}

#[test]
fn a_hand_throws_as_fast_at_any_tick_rate() {
    let thrown = |rate: f32| {
        let mut body = body(SoftSettings { linear_damp: 0.0, ..SoftSettings::default() }, grid(5));
        let mut holder = Holder { key: 7, pose: Pose::IDENTITY };
        body.seize(12, holder, Vec2::ZERO, Grip::Hand(0.0));
        for t in 0..(0.4 * rate) as u32 {
            holder.pose = Pose::at(Vec2::new(1500.0 * (t + 1) as f32 / rate, 0.0));
            body.set_holder_pose(7, holder.pose);
            body.step(&Tick::still(1.0 / rate, Vec2::ZERO));
        }
        let velocity = body.linear_velocity().x;
        body.let_go(7);
        velocity
    };
    let usual = thrown(240.0);
    for rate in [30.0, 60.0, 120.0] {
        assert!((thrown(rate) / usual - 1.0).abs() < 0.1, "{rate}: {} and {usual}", thrown(rate));
    }
}

#[test]
fn a_velocity_that_is_set_before_the_first_tick_is_carried_to_its_place() {
    let mut body = body(SoftSettings::default(), grid(5));
    body.set_linear_velocity(Vec2::new(200.0, 0.0));
    body.set_pose(Pose { origin: Vec2::new(50.0, 60.0), x: Vec2::X * 2.0, y: Vec2::Y * 2.0 });
    assert!((body.bounds().max - body.bounds().min).distance(Vec2::splat(200.0)) < 0.1);
    assert!((body.linear_velocity().x - 200.0).abs() < 0.1);
}

#[test]
fn huge_and_tiny_nodes_lay_it_out_finite() {
    for scale in [1e30, 1e18, 1e6, 1e-6, 0.0, f32::MAX] {
        let pose = Pose { x: Vec2::X * scale, y: Vec2::Y * scale, ..Pose::IDENTITY };
        let mut body = SoftBody::new(SoftSettings::default(), grid(4), pose);
        run(&mut body, 0.5, 60.0, GRAVITY);
        assert!(body.center().is_finite() && body.recoveries() == 0, "{scale}: {}", body.recoveries());
    }
}

#[test]
fn a_reset_body_is_as_a_new_one() {
    let mut used = hanging(SoftSettings::default(), grid(5));
    used.apply_central_impulse(Vec2::new(900.0, -400.0));
    run(&mut used, 0.7, 60.0, GRAVITY);
    used.reset();
    let mut fresh = hanging(SoftSettings::default(), grid(5));
    run(&mut used, 1.0, 60.0, GRAVITY);
    run(&mut fresh, 1.0, 60.0, GRAVITY);
    for i in 0..25 {
        assert_eq!(used.position(i), fresh.position(i));
    }
}
