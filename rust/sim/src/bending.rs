//! What a rope does against being bent: it resists a little, and it loses motion to internal friction.
//!
//! Air drag slows all motion alike, so that a rope damped by it alone still shivers when its swing has long died down. A real
//! one loses its short waves first, because they bend it most; and pushed together it bows aside instead of folding link
//! by link into a zigzag. Both act on the second difference along the chain, of the ways (the rate of bending) and of the
//! positions (the bend), spread so that momentum does not change. A straight rope that flies or turns as a whole
//! feels nothing; a bent one that turns loses a little to friction, since the second difference does not know the turn.
//! A wave of length `s` decays and is straightened with `s^-4`.

use crate::points::Points;

/// Friction in px4/s. Chosen by looking at ropes that are pulled to and fro: waves of 80 px last a tenth of a second, those of
/// 300 px ten seconds. With a tenth of it the tip of a whipped rope crumples into a zigzag.
pub const FRICTION: f32 = 5e6;
/// Stiffness in px4/s2. Under Godot's default gravity a rope held level droops over a length of `(STIFFNESS / 980)^(1/3)`, 22 px: it
/// shows where a rope is pushed together and nowhere else.
pub const STIFFNESS: f32 = 1e7;
/// The part of the shortest wave that one stride of friction may take in a step, halved: more would turn it round.
const MOST: f32 = 0.25;
/// The most of a bend that one stride of stiffness takes in a step. A wave of three links is in the reach of every stride and has up to
/// `(omega h)^2 = 9 / 64` from each, besides what pulls give it (1.2 at the most, [`crate::chain`]); with all of the friction Verlet is
/// stable up to 2.4.
const STIFFEST: f32 = 1.0 / 64.0;
/// What is left of the wanted effect when no further stride is worth its time.
const ENOUGH: f32 = 0.2;

/// Bends a chain with links of `link` px back, and slows its bending, over a step of `h` seconds. `link_mass` is the mass of a link in
/// kg; `room` has a value for each point.
///
/// The constants are meant for a rope on a node of scale 1. On one of `scale` they grow so that the same rope, seen through a magnifying glass,
/// hangs in the same shape (lengths with the scale, times with its square root).
///
/// On short links an explicit step cannot do enough to long waves. What every point cannot do is then left to every second, what these
/// cannot to every fourth, and so on: a stride of `s` points does as much to a long wave as `s^4` of one.
pub fn resist(points: &mut Points, link: f32, scale: f32, h: f32, link_mass: f32, room: [&mut [f32]; 2]) {
    let [room_x, room_y] = room;
    let size = (link / scale).powi(4);
    let friction = FRICTION * h / (size * scale.sqrt());
    let stiffness = STIFFNESS * h * h / (size * scale);
    let (mut friction_left, mut stiffness_left) = (friction, stiffness);
    let mut stride = 1;
    while 2 * stride < points.len() && (friction_left > ENOUGH * friction || stiffness_left > ENOUGH * stiffness) {
        let reach = (stride as f32).powi(4);
        let taken = MOST * (1.0 - (-friction_left / reach / MOST).exp());
        let parts = Parts { friction: taken / 8.0, stiffness: (stiffness_left / reach).min(STIFFEST), link_mass };
        friction_left -= (taken * reach).min(friction_left);
        stiffness_left -= parts.stiffness * reach;
        axis(&points.x, &mut points.way_x, &points.inv_mass, &parts, stride, room_x);
        axis(&points.y, &mut points.way_y, &points.inv_mass, &parts, stride, room_y);
        stride *= 2;
    }
}

struct Parts {
    friction: f32,
    stiffness: f32,
    link_mass: f32,
}

fn axis(position: &[f32], way: &mut [f32], inv_mass: &[f32], parts: &Parts, stride: usize, bends: &mut [f32]) {
    let count = way.len();
    let (position, bends, inv_mass) = (&position[..count], &mut bends[..count], &inv_mass[..count]);
    let last = count - stride;
    bends[..stride].fill(0.0);
    bends[last..].fill(0.0);
    for i in stride..last {
        let (before, after) = (i - stride, i + stride);
        bends[i] = parts.friction * (way[before] - 2.0 * way[i] + way[after])
            + parts.stiffness * (position[before] - 2.0 * position[i] + position[after]);
    }
    // What one point gives the others take, by their masses; held ones take anything.
    let share = |i: usize| inv_mass[i] * parts.link_mass;
    for i in 0..stride {
        way[i] -= share(i) * bends[i + stride];
    }
    for i in last..count {
        way[i] -= share(i) * bends[i - stride];
    }
    for i in stride..last {
        way[i] -= share(i) * (bends[i - stride] - 2.0 * bends[i] + bends[i + stride]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn moving(velocity: impl Fn(usize) -> f32) -> Points {
        let mut points = Points::default();
        points.resize(20);
        for i in 0..20 {
            points.inv_mass[i] = 1.0;
            points.place(i, Vec2::new(10.0 * i as f32, 0.0));
            points.way_y[i] = velocity(i);
        }
        points
    }

    fn slowed(mut points: Points, steps: usize) -> Points {
        let (mut a, mut b) = (vec![0.0; 20], vec![0.0; 20]);
        (0..steps).for_each(|_| resist(&mut points, 10.0, 1.0, 1.0 / 240.0, 1.0, [&mut a, &mut b]));
        points
    }

    #[test]
    fn flying_and_turning_are_free() {
        let points = slowed(moving(|i| 3.0 + 0.5 * i as f32), 100);
        for i in 0..20 {
            assert!((points.way_y[i] - 3.0 - 0.5 * i as f32).abs() < 1e-3);
        }
    }

    #[test]
    fn short_waves_die_and_momentum_stays() {
        let points = slowed(moving(|i| if i % 4 < 2 { 2.0 } else { 0.0 }), 60);
        let speeds: Vec<f32> = (0..20).map(|i| points.way_y[i]).collect();
        assert!((speeds.iter().sum::<f32>() - 20.0).abs() < 1e-3);
        let bending = speeds.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f32::max);
        assert!(bending < 0.4, "{bending} of 2: {speeds:?}");
    }
}
