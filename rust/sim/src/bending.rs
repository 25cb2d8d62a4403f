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
/// The part of the shortest wave that one step of friction may take, halved: more would turn it round.
const MOST: f32 = 0.25;
/// Below this part a stride is not worth its time.
const LEAST: f32 = 0.02;
/// The most of a bend that stiffness takes in a step. A zigzag then has `(omega h)^2 = 16 / 16`; Verlet is stable up to 4, and up to 3
/// with all of the friction.
const STIFFEST: f32 = 1.0 / 16.0;

/// Bends a chain with links of `link` px back, and slows its bending, over a step of `h` seconds. `room` has a value for each point.
///
/// The constants are meant for a rope on a node of scale 1. On one of `scale` they grow so that the same rope, seen through a magnifying glass,
/// hangs in the same shape (lengths with the scale, times with its square root).
///
/// On short links an explicit step cannot do enough to long waves, so the same is done for every second point, every
/// fourth, and so on, each stride taking care of the waves of its size.
pub fn resist(points: &mut Points, link: f32, scale: f32, h: f32, room: [&mut [f32]; 2]) {
    let [room_x, room_y] = room;
    let mut stride = 1;
    while 2 * stride < points.len() {
        let size = (link / scale * stride as f32).powi(4);
        let wanted = FRICTION * h / (size * scale.sqrt());
        if wanted < LEAST && stride > 1 {
            break;
        }
        let parts = Parts {
            friction: MOST * (1.0 - (-wanted / MOST).exp()) / 8.0,
            stiffness: (STIFFNESS * h * h / (size * scale)).min(STIFFEST),
        };
        axis(&points.x, &mut points.way_x, &points.inv_mass, &parts, stride, room_x);
        axis(&points.y, &mut points.way_y, &points.inv_mass, &parts, stride, room_y);
        stride *= 2;
    }
}

struct Parts {
    friction: f32,
    stiffness: f32,
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
    let free = |i: usize| if inv_mass[i] > 0.0 { 1.0 } else { 0.0 };
    for i in 0..stride {
        way[i] -= free(i) * bends[i + stride];
    }
    for i in last..count {
        way[i] -= free(i) * bends[i - stride];
    }
    for i in stride..last {
        way[i] -= free(i) * (bends[i - stride] - 2.0 * bends[i] + bends[i + stride]);
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
        (0..steps).for_each(|_| resist(&mut points, 10.0, 1.0, 1.0 / 240.0, [&mut a, &mut b]));
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
