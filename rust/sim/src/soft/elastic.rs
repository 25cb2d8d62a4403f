//! The hot loop of soft bodies: what all triangles pull at their corners.
//!
//! Triangles are taken in groups of [`LANES`], number by number in arrays, without a branch: so the compiler computes several at once. For the energy see
//! [`super::material`].

use super::material::{CRUMPLED, Material, Moduli, Triangle};
use crate::points::Points;
use glam::Vec2;

/// How many triangles are in a group.
pub(super) const LANES: usize = 8;

type Lane = [f32; LANES];

/// A group of triangles. Those that are missing in the last one have no area.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    corners: [[u32; LANES]; 3],
    /// The gradients of the second and the third corner.
    second: [Lane; 2],
    third: [Lane; 2],
    area: Lane,
    kept: [Lane; 2],
}

/// How a body as a whole is turned, at the start of a substep and now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    pub start: Vec2,
    pub now: Vec2,
}

impl Block {
    /// The group of these triangles.
    pub fn of(triangles: &[Triangle]) -> Block {
        let mut block = Block::default();
        for (lane, triangle) in triangles.iter().enumerate() {
            for (corners, corner) in block.corners.iter_mut().zip(triangle.corners) {
                corners[lane] = corner;
            }
            let [_, second, third] = triangle.gradients;
            (block.second[0][lane], block.second[1][lane]) = (second.x, second.y);
            (block.third[0][lane], block.third[1][lane]) = (third.x, third.y);
            block.area[lane] = triangle.area;
            (block.kept[0][lane], block.kept[1][lane]) = (triangle.kept.x, triangle.kept.y);
        }
        block
    }

    /// Another shear has come to stay in a triangle.
    pub fn keep(&mut self, lane: usize, kept: Vec2) {
        (self.kept[0][lane], self.kept[1][lane]) = (kept.x, kept.y);
    }

    /// How the second and the third corners are beside the first.
    fn sides(&self, x: &[f32], y: &[f32]) -> [Lane; 4] {
        let mut sides = [[0.0; LANES]; 4];
        // Lane by lane, as the arrays lie.
        #[allow(clippy::needless_range_loop)]
        for lane in 0..LANES {
            let [i, j, k] = [0, 1, 2].map(|corner| self.corners[corner][lane] as usize);
            sides[0][lane] = x[j] - x[i];
            sides[1][lane] = y[j] - y[i];
            sides[2][lane] = x[k] - x[i];
            sides[3][lane] = y[k] - y[i];
        }
        sides
    }

    /// What the sides say of `a` and `b`.
    #[inline(always)]
    fn deformation(&self, sides: &[Lane; 4], lane: usize) -> [f32; 4] {
        let (gx, gy) = (self.second[0][lane], self.second[1][lane]);
        let (kx, ky) = (self.third[0][lane], self.third[1][lane]);
        let [qx, qy, rx, ry] = [0, 1, 2, 3].map(|side| sides[side][lane]);
        let (xx, yy) = (gx * qx + kx * rx, gy * qy + ky * ry);
        let (xy, yx) = (gx * qy + kx * ry, gy * qx + ky * rx);
        [xx - yy, xy + yx, xx + yy, xy - yx]
    }
}

impl Material {
    /// Adds to `forces` what the triangles do, in kg px/s2, in a substep of `h` seconds. How many are turned inside out.
    pub fn pull(&self, moduli: &Moduli, h: f32, turns: Turns, points: &Points, forces: [&mut [f32]; 2]) -> usize {
        if moduli.bulk_rate + moduli.shear_rate > 0.0 {
            self.pull_by::<true>(moduli, h, turns, points, forces)
        } else {
            self.pull_by::<false>(moduli, h, turns, points, forces)
        }
    }

    /// How many triangles are turned inside out.
    pub fn inside_out(&self, points: &Points) -> u32 {
        let mut inverted = [0u32; LANES];
        for block in &self.blocks {
            let sides = block.sides(&points.x, &points.y);
            for (lane, inverted) in inverted.iter_mut().enumerate() {
                let [ax, ay, bx, by] = block.deformation(&sides, lane);
                *inverted += u32::from(ax * ax + ay * ay < bx * bx + by * by);
            }
        }
        inverted.iter().sum()
    }

    fn pull_by<const VISCOUS: bool>(
        &self,
        moduli: &Moduli,
        h: f32,
        turns: Turns,
        points: &Points,
        [force_x, force_y]: [&mut [f32]; 2],
    ) -> usize {
        let Moduli { bulk, shear, bulk_rate, shear_rate, area, pressure } = *moduli;
        let (bulk_rate, shear_rate) = (bulk_rate / h, shear_rate / h);
        let half_pressure = 0.5 * pressure;
        let Vec2 { x: turn_x, y: turn_y } = turns.now;
        let whole = turns.now.rotate(Vec2::new(turns.start.x, -turns.start.y));
        let mut inverted = [0u32; LANES];
        for block in &self.blocks {
            let sides = block.sides(&points.x, &points.y);
            let start = if VISCOUS { block.sides(&points.start_x, &points.start_y) } else { [[0.0; LANES]; 4] };
            let mut pulls = [[0.0f32; LANES]; 4];
            for lane in 0..LANES {
                let [ax, ay, bx, by] = block.deformation(&sides, lane);
                let (size2, skew2) = (ax * ax + ay * ay, bx * bx + by * by);
                let upright = size2 > skew2;
                inverted[lane] += u32::from(!upright & (block.area[lane] > 0.0));
                // Inside out and crumpled it has no rotation of its own.
                let own = upright & (size2 > f32::MIN_POSITIVE) | (size2 > CRUMPLED);
                let per_size = 1.0 / size2.max(f32::MIN_POSITIVE).sqrt();
                let way_x = if own { ax * per_size } else { turn_x };
                let way_y = if own { ay * per_size } else { turn_y };
                let full = (1.0 + skew2).sqrt();
                let shrunk = area * ((ax * way_x + ay * way_y - full) / full);
                let (kept_x, kept_y) = (block.kept[0][lane], block.kept[1][lane]);
                let solid = bulk + area - half_pressure;
                let sized = bulk + area * full;
                let mut out_x = solid * ax - sized * way_x;
                let mut out_y = solid * ay - sized * way_y;
                let aside = shear + half_pressure - shrunk;
                let mut aside_x = aside * bx - shear * (way_x * kept_x - way_y * kept_y);
                let mut aside_y = aside * by - shear * (way_x * kept_y + way_y * kept_x);
                if VISCOUS {
                    let [a0x, a0y, b0x, b0y] = block.deformation(&start, lane);
                    let size0 = a0x * a0x + a0y * a0y;
                    // How it has been turned in this substep.
                    let known = own & (size0 > CRUMPLED);
                    let per_size = 1.0 / size0.max(f32::MIN_POSITIVE).sqrt();
                    let by_x = if known { (way_x * a0x + way_y * a0y) * per_size } else { whole.x };
                    let by_y = if known { (way_y * a0x - way_x * a0y) * per_size } else { whole.y };
                    out_x += bulk_rate * (ax - (by_x * a0x - by_y * a0y));
                    out_y += bulk_rate * (ay - (by_x * a0y + by_y * a0x));
                    aside_x += shear_rate * (bx - (by_x * b0x - by_y * b0y));
                    aside_y += shear_rate * (by - (by_x * b0y + by_y * b0x));
                }
                // What leads to `a` leads back by its conjugate.
                let strength = -4.0 * block.area[lane];
                let (gx, gy) = (block.second[0][lane], block.second[1][lane]);
                let (kx, ky) = (block.third[0][lane], block.third[1][lane]);
                let (sum_x, sum_y) = (out_x + aside_x, out_y + aside_y);
                let (off_x, off_y) = (out_x - aside_x, out_y - aside_y);
                pulls[0][lane] = strength * (gx * sum_x + gy * off_y);
                pulls[1][lane] = strength * (gx * sum_y - gy * off_x);
                pulls[2][lane] = strength * (kx * sum_x + ky * off_y);
                pulls[3][lane] = strength * (kx * sum_y - ky * off_x);
            }
            #[allow(clippy::needless_range_loop)]
            for lane in 0..LANES {
                let [i, j, k] = [0, 1, 2].map(|corner| block.corners[corner][lane] as usize);
                let [second_x, second_y, third_x, third_y] = [0, 1, 2, 3].map(|pull| pulls[pull][lane]);
                force_x[i] -= second_x + third_x;
                force_y[i] -= second_y + third_y;
                force_x[j] += second_x;
                force_y[j] += second_y;
                force_x[k] += third_x;
                force_y[k] += third_y;
            }
        }
        inverted.iter().sum::<u32>() as usize
    }
}
