//! What a rope does against being bent: it resists a little, and it loses motion to internal friction.
//!
//! Air drag slows all motion alike, so that a rope damped by it alone still shivers when its swing has long died down. A real
//! one loses its short waves first, because they bend it most; and pushed together it bows aside instead of folding link
//! by link into a zigzag. Both act on the second difference along the chain, of the ways (the rate of bending) and of the
//! positions (the bend), spread so that momentum does not change. A straight rope that flies or turns as a whole
//! feels nothing; a bent one that turns loses a little to friction, since the second difference does not know the turn.
//! A wave of length `s` decays and is straightened with `s^-4`.

use crate::points::Points;
use crate::substeps::INNER_STEP;
use glam::Vec2;

/// Friction in px4/s. Chosen by looking at ropes that are pulled to and fro: waves of 80 px last a tenth of a second, those of
/// 300 px ten seconds. With a tenth of it the tip of a whipped rope crumples into a zigzag.
pub const FRICTION: f32 = 5e6;
/// Stiffness in px4/s2. Under Godot's default gravity a rope held level droops over a length of `(STIFFNESS / 980)^(1/3)`, 22 px: it
/// shows where a rope is pushed together and nowhere else.
pub const STIFFNESS: f32 = 1e7;
/// How many times as stiff the stiffest rope is: under Godot's default gravity it droops over 220 px.
const STIFFEST_ROPE: f32 = 1e3;
/// The part of the shortest wave that one stride of friction may take in a step, halved: more would turn it round.
const MOST: f32 = 0.25;
/// The most of a bend that one stride of stiffness takes in a step. A wave of three links is in the reach of every stride and has up to
/// `(omega h)^2 = 9 / 64` from each, besides what pulls give it (1.2 at the most, [`crate::chain`]); with all of the friction Verlet is
/// stable up to 2.4.
const STIFFEST: f32 = 1.0 / 64.0;
/// The chord over a bend as a part of the way, below which nothing holds the bend; and the mark of such a one.
const FOLDED: f32 = 0.7;
const NOT_BENT: f32 = 1e30;
/// What is left of the wanted effect when no further stride is worth its time.
const ENOUGH: f32 = 0.2;

/// How a chain resists being bent.
#[derive(Clone, Copy, Debug)]
pub struct Bending<'a> {
    /// Length of a link in px.
    pub link: f32,
    /// Mass of a link in kg.
    pub link_mass: f32,
    /// Scale of the node. The constants are meant for a rope on a node of scale 1; with it they grow so that the same rope, seen through a
    /// magnifying glass, hangs in the same shape (lengths with the scale, times with its square root).
    pub scale: f32,
    /// From 0, a limp rope, to 1, a rod; the droop grows evenly on a logarithmic scale.
    pub bend: f32,
    /// The direction (unit vector, away from the rope's start into it) in which the start is clamped, and how firmly, 0 to 1.
    pub clamp: Option<(Vec2, f32)>,
    /// What each stride (1, 2, 4, ...) is bent at rest, see [`rest_bends`]; empty: nothing.
    pub rest: &'a [Vec<f32>],
}

/// Bends a chain back, and slows its bending, over a step of `h` seconds. `room` has a value for each point.
///
/// On short links an explicit step cannot do enough to long waves. What every point cannot do is then left to every second, what these
/// cannot to every fourth, and so on: a stride of `s` points does as much to a long wave as `s^4` of one.
pub fn resist(points: &mut Points, bending: &Bending, h: f32, room: [&mut [f32]; 2]) {
    let [room_x, room_y] = room;
    let Bending { link, scale, .. } = *bending;
    let size = (link / scale).powi(4);
    let times = STIFFEST_ROPE.powf(bending.bend);
    // A stiffer rope swings faster in the same shape; friction grows with it so that it rings no longer.
    let friction = FRICTION * times.sqrt() * h / (size * scale.sqrt());
    // What the limits leave of the stiffness must not depend on the step: each time that changed, the rope would hang in another shape,
    // and swing for ever.
    let usual = h.max(INNER_STEP);
    let part = (h / usual).powi(2);
    let stiffness = STIFFNESS * times * usual * usual / (size * scale);
    let (mut friction_left, mut stiffness_left) = (friction, stiffness);
    let mut stride = 1;
    let mut level = 0;
    while 2 * stride < points.len() && (friction_left > ENOUGH * friction || stiffness_left > ENOUGH * stiffness) {
        let reach = (stride as f32).powi(4);
        let taken = MOST * (1.0 - (-friction_left / reach / MOST).exp());
        let (friction, stiffness) = (taken / 8.0, (stiffness_left / reach).min(STIFFEST));
        friction_left -= (taken * reach).min(friction_left);
        stiffness_left -= stiffness * reach;
        let rest = bending.rest.get(level).filter(|rest| rest.len() == points.len());
        for (vertical, room) in [(false, &mut *room_x), (true, &mut *room_y)] {
            let clamp = bending.clamp.map(|(direction, firmness)| {
                let step = if vertical { direction.y } else { direction.x };
                (-link * step, firmness)
            });
            let parts = Parts { friction, stiffness: stiffness * part, link_mass: bending.link_mass, clamp };
            let Points { x, y, way_x, way_y, inv_mass, .. } = &mut *points;
            let (position, way) = if vertical { (&*y, way_y) } else { (&*x, way_x) };
            bends(position, way, &parts, stride, room);
            if let Some(rest) = rest {
                unbend([x, y], rest, parts.stiffness, stride, vertical, room);
            }
            give(way, inv_mass, &parts, stride, room);
        }
        stride *= 2;
        level += 1;
    }
}

/// How much a chain in this shape is bent, for each stride that [`resist`] may use: the second difference of a point's place across the
/// line between its neighbours, in px.
pub fn rest_bends(points: &Points) -> Vec<Vec<f32>> {
    let count = points.len();
    let strides = std::iter::successors(Some(1), |stride| Some(2 * stride)).take_while(|stride| 2 * stride < count);
    let bend = |i: usize, stride: usize| {
        if i < stride || i + stride >= count {
            return 0.0;
        }
        let (before, here, after) = (points.position(i - stride), points.position(i), points.position(i + stride));
        let (chord, way) = (after - before, before.distance(here) + here.distance(after));
        // Nearly folded, the chord has no direction to speak of.
        if chord.length() < FOLDED * way {
            NOT_BENT
        } else {
            chord.normalize_or_zero().perp_dot(before - 2.0 * here + after)
        }
    };
    strides.map(|stride| (0..count).map(|i| bend(i, stride)).collect()).collect()
}

struct Parts {
    friction: f32,
    stiffness: f32,
    link_mass: f32,
    /// From one point before the start to the next farther out, in px, and how firmly they are held.
    clamp: Option<(f32, f32)>,
}

/// What each point is bent and bending, times the parts that are taken of it.
fn bends(position: &[f32], way: &[f32], parts: &Parts, stride: usize, bends: &mut [f32]) {
    let count = way.len();
    let (position, bends) = (&position[..count], &mut bends[..count]);
    let last = count - stride;
    bends[..stride].fill(0.0);
    bends[last..].fill(0.0);
    for i in stride..last {
        let (before, after) = (i - stride, i + stride);
        bends[i] = parts.friction * (way[before] - 2.0 * way[i] + way[after])
            + parts.stiffness * (position[before] - 2.0 * position[i] + position[after]);
    }
    // A clamped start goes on backwards as a straight row of points that nothing moves but the start.
    if let Some((step, firmness)) = parts.clamp {
        for i in 0..stride {
            let before = position[0] + step * (stride - i) as f32;
            let after = i + stride;
            bends[i] = firmness
                * (parts.friction * (way[0] - 2.0 * way[i] + way[after])
                    + parts.stiffness * (before - 2.0 * position[i] + position[after]));
        }
    }
}

/// Takes the bends that the chain has at rest from the `bends`.
fn unbend([x, y]: [&[f32]; 2], rest: &[f32], stiffness: f32, stride: usize, vertical: bool, bends: &mut [f32]) {
    for i in stride..rest.len() - stride {
        let along = Vec2::new(x[i + stride] - x[i - stride], y[i + stride] - y[i - stride]).normalize_or_zero();
        let across = if vertical { along.x } else { -along.y };
        if rest[i] == NOT_BENT {
            let axis = if vertical { y } else { x };
            bends[i] -= stiffness * (axis[i - stride] - 2.0 * axis[i] + axis[i + stride]);
        } else {
            bends[i] -= stiffness * rest[i] * across;
        }
    }
}

/// Moves every point against its bend and its neighbours with it: what one gives the others take, by their masses; held ones take anything.
fn give(way: &mut [f32], inv_mass: &[f32], parts: &Parts, stride: usize, bends: &[f32]) {
    let count = way.len();
    let (bends, inv_mass) = (&bends[..count], &inv_mass[..count]);
    let last = count - stride;
    let share = |i: usize| inv_mass[i] * parts.link_mass;
    // Without a clamp the first bends are 0.
    for i in 0..stride {
        way[i] -= share(i) * (bends[i + stride] - 2.0 * bends[i]);
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
        let bending = Bending { link: 10.0, link_mass: 1.0, scale: 1.0, bend: 0.0, clamp: None, rest: &[] };
        (0..steps).for_each(|_| resist(&mut points, &bending, 1.0 / 240.0, [&mut a, &mut b]));
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
