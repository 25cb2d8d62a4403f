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

/// Follows from both held ends and takes the mean, weighted by the distance from them: what cannot be kept is then spread over all
/// links. With a free end, it only follows. `scratch` has room for the points of the span.
pub fn spread(points: &mut Points, lengths: &[f32], first: usize, scratch: [&mut [f32]; 2]) {
    let links = lengths.len();
    let last = first + links;
    if points.inv_mass[first] > 0.0 || points.inv_mass[last] > 0.0 {
        return follow(points, lengths, first);
    }
    let [from_x, from_y] = scratch;
    let end = points.position(last);
    forwards(points, lengths, first);
    from_x[..=links].copy_from_slice(&points.x[first..=last]);
    from_y[..=links].copy_from_slice(&points.y[first..=last]);
    points.set_position(last, end);
    let start = points.position(first);
    backwards(points, lengths, first);
    points.set_position(first, start);
    for k in 1..links {
        let from = Vec2::new(from_x[k], from_y[k]);
        let to = points.position(first + k);
        points.set_position(first + k, from.lerp(to, k as f32 / links as f32));
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

/// Makes the way since the start of the substep the velocity of the free points from `first` on: no more than `fastest` px, since
/// following must not make anything faster than it was, nor than the speed limit.
pub fn take_speed(points: &mut Points, lengths: &[f32], first: usize, fastest: f32) {
    for k in 0..=lengths.len() {
        let i = first + k;
        if points.inv_mass[i] > 0.0 {
            let length = lengths[k.min(lengths.len() - 1)];
            let way = points.position(i) - Vec2::new(points.start_x[i], points.start_y[i]);
            points.set_way(i, way.clamp_length_max(fastest.min(LINKS_PER_SUBSTEP * length)));
        }
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
    fn the_speed_of_every_free_point_is_capped() {
        for held in [None, Some(0), Some(2)] {
            let mut points = Points::default();
            points.resize(3);
            points.inv_mass.fill(1.0);
            (0..3).for_each(|i| points.move_to(i, Vec2::new(1e6, 0.0)));
            if let Some(held) = held {
                points.inv_mass[held] = 0.0;
            }
            take_speed(&mut points, &[10.0; 2], 0, f32::INFINITY);
            for i in (0..3).filter(|&i| Some(i) != held) {
                assert!((points.way(i).length() - 20.0).abs() < 0.1, "{held:?}, {i}");
            }
        }
    }

    #[test]
    fn what_cannot_be_kept_is_spread() {
        let mut points = Points::default();
        points.resize(11);
        for i in 0..11 {
            points.place(i, Vec2::new(11.0 * i as f32, (i % 3) as f32));
            points.inv_mass[i] = if i % 10 == 0 { 0.0 } else { 1.0 };
        }
        let (mut x, mut y) = ([0.0; 11], [0.0; 11]);
        let ends = [points.position(0), points.position(10)];
        spread(&mut points, &[10.0; 10], 0, [&mut x, &mut y]);
        assert_eq!([points.position(0), points.position(10)], ends);
        for k in 0..10 {
            let length = points.position(k).distance(points.position(k + 1));
            assert!((9.0..13.0).contains(&length), "{k}: {length}");
        }
    }
}
