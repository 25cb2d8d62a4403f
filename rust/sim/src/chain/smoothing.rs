//! Keeping stiff chains quiet.
//!
//! A pull is stiff against waves across the chain. With a pull that moves a point by `q` link lengths a substep, the shortest wave, a
//! zigzag, has `(omega h)^2 = 4 q`. Verlet is stable up to 4, and only up to 2 when the internal friction takes all of a zigzag's velocity
//! in a step: beyond, a chain of short links, a long or a taut one shivers for ever.
//!
//! Such waves are shorter than what a rope of these links can show. If the pulls act along directions that are averaged with their neighbours
//! (1/4, 1/2, 1/4), `m` times, a wave with the angle `t` between neighbouring links has `4 q sin^2(t/2) cos^(2m)(t/2)`: a
//! zigzag feels no pull at all, and the stiffest wave that is left has `4 q / (m + 1) (m / (m + 1))^m`. Long waves keep theirs.

/// The largest `(omega h)^2` that is allowed. It is above what automatic substeps leave: smoothed pulls are not quite along their links, and where
/// friction is weak (long links) they feed a swing with energy, so a finer step comes first.
const LARGEST: f32 = 1.9;
/// The most smoothings; enough for a `q` of 25.
const MOST: usize = 32;

/// How many smoothings a chain needs whose pull moves a point by `q` link lengths a substep.
pub fn needed(q: f32) -> usize {
    let stiffest = |m: usize| {
        let m = m as f32;
        4.0 * q / (m + 1.0) * (m / (m + 1.0)).powf(m)
    };
    (0..MOST).find(|&m| stiffest(m) <= LARGEST).unwrap_or(MOST)
}

/// Averages one coordinate of the directions with their neighbours.
pub fn smooth(direction: &mut [f32], before: &mut [f32]) {
    let count = direction.len();
    if count < 3 {
        return;
    }
    before.copy_from_slice(direction);
    for (direction, around) in direction[1..count - 1].iter_mut().zip(before.windows(3)) {
        *direction = 0.25 * around[0] + 0.5 * around[1] + 0.25 * around[2];
    }
    direction[0] = 0.75 * before[0] + 0.25 * before[1];
    direction[count - 1] = 0.75 * before[count - 1] + 0.25 * before[count - 2];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zigzag_vanishes_and_a_straight_line_stays() {
        let mut zigzag: Vec<f32> = (0..20).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let mut straight = vec![0.7; 20];
        let mut room = vec![0.0; 20];
        smooth(&mut zigzag, &mut room);
        smooth(&mut straight, &mut room);
        assert!(zigzag[1..19].iter().all(|v| v.abs() < 1e-6));
        assert!(straight.iter().all(|v| (v - 0.7).abs() < 1e-6));
    }

    #[test]
    fn stiffer_chains_need_more_and_soft_ones_none() {
        assert_eq!(needed(0.0), 0);
        assert_eq!(needed(0.3), 0);
        assert!(needed(1.0) >= 1 && needed(10.0) > needed(1.0));
        assert_eq!(needed(f32::INFINITY), MOST);
        assert_eq!(needed(f32::NAN), MOST);
    }
}
