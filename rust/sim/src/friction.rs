//! Internal friction: what a rope loses when it is bent to and fro.
//!
//! Air drag slows all motion alike, so that a rope damped by it alone still shivers when its swing has long died down. A real
//! one loses its short waves first, because they bend it most. The friction acts on the second difference of the
//! velocities along the chain (the rate of bending), spread so that neither momentum nor angular momentum changes:
//! a rope that flies or turns as a whole feels nothing, and a wave of length `s` decays with `s^-4`.

use crate::points::Points;

/// Strength in px4/s. Chosen by eye and by the decay of a whipped rope: on links of 10 px waves of 40 px are gone in a tenth of a
/// second, the swing of a 200 px rope loses under 1 % of its height a period.
pub const INTERNAL_FRICTION: f32 = 5e5;
/// The part of the shortest wave that one step may take, halved: more would turn it round.
const MOST: f32 = 0.25;

/// Slows the bending of a chain with links of `link` px over a step of `h` seconds. `rates` is scratch space, a value a point.
pub fn slow_bending(points: &mut Points, link: f32, h: f32, rates: [&mut [f32]; 2]) {
    let part = MOST * (1.0 - (-INTERNAL_FRICTION / MOST * h / link.powi(4)).exp());
    let [rates_x, rates_y] = rates;
    axis(&mut points.way_x, &points.inv_mass, part, rates_x);
    axis(&mut points.way_y, &points.inv_mass, part, rates_y);
}

fn axis(way: &mut [f32], inv_mass: &[f32], part: f32, rates: &mut [f32]) {
    let count = way.len();
    if count < 3 {
        return;
    }
    let rates = &mut rates[..count];
    rates[0] = 0.0;
    rates[count - 1] = 0.0;
    for (rate, ways) in rates[1..count - 1].iter_mut().zip(way.windows(3)) {
        *rate = ways[0] - 2.0 * ways[1] + ways[2];
    }
    let part = part / 8.0;
    let free = |i: usize| if inv_mass[i] > 0.0 { part } else { 0.0 };
    way[0] -= free(0) * rates[1];
    way[count - 1] -= free(count - 1) * rates[count - 2];
    let inner = way[1..count - 1].iter_mut().zip(&inv_mass[1..count - 1]);
    for ((way, &inv_mass), rates) in inner.zip(rates.windows(3)) {
        let part = if inv_mass > 0.0 { part } else { 0.0 };
        *way -= part * (rates[0] - 2.0 * rates[1] + rates[2]);
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
        (0..steps).for_each(|_| slow_bending(&mut points, 10.0, 1.0 / 240.0, [&mut a, &mut b]));
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
