//! The engine-free twin of the lesson's rope: 10 points a metre apart, g = 9.8 m/s2, 8 passes, 60 ticks a second.
//!
//! Laid out level and let go, it prints the height of its tip below the anchor: it grows, swings, and settles near the
//! rope's length of 9 m. Run it with `cargo run -p supple-sim --example rope_lesson`.
//!
//! The core knows no units. The lesson counts in metres, so 1 stands for a metre here and not for a pixel.

use supple_sim::Vec2;
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings, Solver};
use supple_sim::tick::Tick;

const POINTS: u32 = 10;
const LINK: f32 = 1.0;
const TICKS: usize = 120;
const TICK: Tick<'static> = Tick::still(1.0 / 60.0, Vec2::new(0.0, 9.8));
/// The lesson keeps 0.99 of the motion a tick: exp(-0.603 / 60).
const LINEAR_DAMP: f32 = 0.603;

fn main() {
    let settings = RopeSettings {
        length: LINK * (POINTS - 1) as f32,
        segments: POINTS - 1,
        end_position: Vec2::X,
        solver: Solver::Relaxation,
        iteration_count: 8,
        substeps: 1,
        linear_damp: LINEAR_DAMP,
        air_drag: 0.0,
        can_sleep: false,
        ..RopeSettings::default()
    };
    let mut rope = Rope::new(settings, Pose::IDENTITY);
    let tip = POINTS as usize - 1;
    for tick in 0..=TICKS {
        if tick % 10 == 0 {
            println!("tick {tick:3}: the tip is {:6.3} m below the anchor", rope.position(tip).y);
        }
        rope.step(&TICK);
    }
    (0..60 * 30).for_each(|_| rope.step(&TICK));
    let settled = rope.position(tip).y;
    println!("after 30 s more: {settled:.3} m; the rope is {:.1} m long", settings.length);
}
