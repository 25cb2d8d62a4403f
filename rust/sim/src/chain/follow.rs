//! The safety net: follow-the-leader.
//!
//! Each point is set at its link's length from the one before it, in the direction where it was (J. Brown, J.-C. Latombe, K.
//! Montgomery 2004). That always succeeds and keeps the lengths, but it ignores masses and adds energy at the tip;
//! the speed is therefore capped afterwards. Between two held ends it is done from both in turn (FABRIK; A. Aristidou, J. Lasenby
//! 2011).

use crate::points::Points;
use glam::Vec2;

/// How often the two directions alternate between held ends.
const ROUNDS: usize = 12;
/// The speed limit after following, in link lengths a substep.
const LINKS_PER_SUBSTEP: f32 = 2.0;

/// Gives the links from point `first` on their `lengths`, starting from the held end (the first, if neither is).
pub fn follow(points: &mut Points, lengths: &[f32], first: usize) {
    let last = first + lengths.len();
    let held = [points.inv_mass[first] <= 0.0, points.inv_mass[last] <= 0.0];
    match held {
        [true, true] => {
            let ends = [points.position(first), points.position(last)];
            for _ in 0..ROUNDS {
                points.set_position(last, ends[1]);
                backwards(points, lengths, first);
                points.set_position(first, ends[0]);
                forwards(points, lengths, first);
            }
            points.set_position(last, ends[1]);
        }
        [false, true] => backwards(points, lengths, first),
        _ => forwards(points, lengths, first),
    }
}

fn forwards(points: &mut Points, lengths: &[f32], first: usize) {
    for (k, &length) in lengths.iter().enumerate() {
        let (leader, follower) = (first + k, first + k + 1);
        lead(points, leader, follower, length);
    }
}

fn backwards(points: &mut Points, lengths: &[f32], first: usize) {
    for (k, &length) in lengths.iter().enumerate().rev() {
        let (leader, follower) = (first + k + 1, first + k);
        lead(points, leader, follower, length);
    }
}

fn lead(points: &mut Points, leader: usize, follower: usize, length: f32) {
    let leader = points.position(leader);
    let direction = (points.position(follower) - leader).try_normalize().unwrap_or(Vec2::Y);
    points.set_position(follower, leader + direction * length);
}

/// Makes the way since the start of the substep the velocity of the points after `first`, up to the speed limit.
pub fn take_speed(points: &mut Points, lengths: &[f32], first: usize) {
    for (k, &length) in lengths.iter().enumerate() {
        let i = first + k + 1;
        let way = points.position(i) - Vec2::new(points.start_x[i], points.start_y[i]);
        points.set_way(i, way.clamp_length_max(LINKS_PER_SUBSTEP * length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_lengths_from_either_end() {
        for held in [0, 5] {
            let mut points = Points::default();
            points.resize(6);
            for i in 0..6 {
                points.place(i, Vec2::new(i as f32, 77.0 * (i % 2) as f32));
                points.inv_mass[i] = if i == held { 0.0 } else { 1.0 };
            }
            let anchor = points.position(held);
            follow(&mut points, &[10.0; 5], 0);
            assert_eq!(points.position(held), anchor);
            for k in 0..5 {
                assert!((points.position(k).distance(points.position(k + 1)) - 10.0).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn speed_is_capped() {
        let mut points = Points::default();
        points.resize(3);
        points.set_position(2, Vec2::new(1e6, 0.0));
        take_speed(&mut points, &[10.0; 2], 0);
        assert!((points.longest_way() - 20.0).abs() < 0.1);
    }
}
