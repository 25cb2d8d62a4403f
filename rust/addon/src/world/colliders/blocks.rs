//! The plane in blocks of cells. One question is asked for each block in which a body is that may collide: for the box of all cells in it
//! that they reach.

use super::query::{Hit, Query, Space};
use super::sleepers::Sleeper;
use godot::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use supple_sim::bounds::Bounds;

/// A cell's side in px.
const CELL: f32 = 512.0;
/// How many cells a block has along each side.
const ALONG: i32 = 4;
/// What is asked for around a box, in px: what comes fast is known before it touches.
const MARGIN: f32 = 64.0;
/// A box that reaches more blocks than this is cut off.
const MOST_BLOCKS: i32 = 1024;
/// So is what is farther from the origin than this, in px.
const FARTHEST: f32 = 2.0 * supple_sim::rope::FARTHEST;
/// Blocks in which all sleep are looked at in turn, each every so many ticks.
pub const TURNS: u64 = 3;
/// In one of so many questions it is asked for all there is.
const COUNT_EVERY: u64 = 32;
/// A block that was not needed for so many ticks is forgotten.
const FORGET_TICKS: u64 = 120;

/// Where a block is, in blocks.
pub type Place = (i32, i32);

/// Blocks by their places.
pub type Blocks = HashMap<Place, Block, BuildHasherDefault<PlaceHasher>>;

/// A hash of a place: every body looks for its blocks in every tick, and nobody attacks.
#[derive(Default)]
pub struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i32(i32::from(*byte)));
    }

    fn write_i32(&mut self, number: i32) {
        // Odd, near 2^64 over the golden ratio (D. Knuth 1973): neighbours are spread over all bits.
        self.0 = (self.0.rotate_left(29) ^ number as u32 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A box of cells within a block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cells {
    min: (i32, i32),
    max: (i32, i32),
}

impl Cells {
    fn of(bounds: &Bounds) -> Cells {
        let cell = |at: f32| (at.clamp(-FARTHEST, FARTHEST) / CELL).floor() as i32;
        Cells { min: (cell(bounds.min.x), cell(bounds.min.y)), max: (cell(bounds.max.x), cell(bounds.max.y)) }
    }

    fn with(&self, other: &Cells) -> Cells {
        Cells {
            min: (self.min.0.min(other.min.0), self.min.1.min(other.min.1)),
            max: (self.max.0.max(other.max.0), self.max.1.max(other.max.1)),
        }
    }

    /// What of it is in a block.
    fn within(&self, place: Place) -> Cells {
        let (left, top) = (place.0 * ALONG, place.1 * ALONG);
        Cells {
            min: (self.min.0.max(left), self.min.1.max(top)),
            max: (self.max.0.min(left + ALONG - 1), self.max.1.min(top + ALONG - 1)),
        }
    }

    fn area(&self) -> Rect2 {
        let corner = Vector2::new(self.min.0 as f32, self.min.1 as f32) * CELL;
        let size = Vector2::new((self.max.0 - self.min.0 + 1) as f32, (self.max.1 - self.min.1 + 1) as f32) * CELL;
        Rect2::new(corner, size).grow(MARGIN)
    }
}

/// Calls `visit` with each block that a box reaches; not at all if it is empty or not finite.
pub fn for_each_block(bounds: &Bounds, mut visit: impl FnMut(Place)) {
    let sound = bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all();
    if !sound {
        return;
    }
    let block = |at: f32| (at.clamp(-FARTHEST, FARTHEST) / (CELL * ALONG as f32)).floor() as i32;
    let (min, max) = ((block(bounds.min.x), block(bounds.min.y)), (block(bounds.max.x), block(bounds.max.y)));
    let rows = (max.1 - min.1 + 1).min(MOST_BLOCKS);
    let columns = (max.0 - min.0 + 1).min(MOST_BLOCKS / rows);
    for y in min.1..min.1 + rows {
        for x in min.0..min.0 + columns {
            visit((x, y));
        }
    }
}

/// A part of the plane.
pub struct Block {
    query: Query,
    /// The cells in it that are reached in this tick, and the layers that matter.
    awake: Option<(Cells, u32)>,
    /// The same of what sleeps.
    asleep: Option<(Cells, u32)>,
    sleepers: Vec<Rc<Sleeper>>,
    /// The tick in which it was asked for last, and how often it was.
    asked: u64,
    times: u64,
}

impl Block {
    pub fn new(tick: u64) -> Block {
        Block { query: Query::new(), awake: None, asleep: None, sleepers: Vec::new(), asked: tick, times: 0 }
    }

    /// A body is awake in it.
    pub fn want(&mut self, place: Place, bounds: &Bounds, mask: u32) {
        add(&mut self.awake, Cells::of(bounds).within(place), mask);
    }

    /// Forgets what was awake.
    pub fn rest(&mut self) {
        self.awake = None;
    }

    pub fn add_sleeper(&mut self, place: Place, sleeper: &Rc<Sleeper>) {
        self.sleepers.push(Rc::clone(sleeper));
        add(&mut self.asleep, Cells::of(&sleeper.demand.bounds).within(place), sleeper.demand.mask);
    }

    pub fn remove_sleeper(&mut self, place: Place, node: InstanceId) {
        self.sleepers.retain(|sleeper| sleeper.node != node);
        self.asleep = None;
        for sleeper in &self.sleepers {
            add(&mut self.asleep, Cells::of(&sleeper.demand.bounds).within(place), sleeper.demand.mask);
        }
    }

    pub fn sleepers(&self) -> &[Rc<Sleeper>] {
        &self.sleepers
    }

    /// What was found last, sorted.
    pub fn hits(&self) -> &[Hit] {
        self.query.hits()
    }

    /// Whether a body is awake in it.
    pub fn is_awake(&self) -> bool {
        self.awake.is_some()
    }

    /// Whether it was not needed for a while.
    pub fn is_idle(&self, tick: u64) -> bool {
        self.sleepers.is_empty() && tick - self.asked > FORGET_TICKS
    }

    /// Asks for what is in it, if that is wanted or its turn. None: it was not asked; false: the same as last time. What was found last
    /// time comes into `before`.
    pub fn ask(&mut self, place: Place, space: &mut Space<'_>, tick: u64, before: &mut Vec<Hit>) -> Option<bool> {
        let turn = tick.wrapping_add((place.0 as i64 + 2 * place.1 as i64) as u64).is_multiple_of(TURNS);
        let mut wanted = self.awake;
        if let Some((cells, mask)) = self.asleep.filter(|_| turn || wanted.is_some()) {
            add(&mut wanted, cells, mask);
        }
        let (cells, mask) = wanted?;
        let area = cells.area();
        self.asked = tick;
        if self.times.is_multiple_of(COUNT_EVERY) {
            self.query.count_all(space, area);
        }
        self.times += 1;
        Some(self.query.renew(space, area, mask, before))
    }
}

fn add(wanted: &mut Option<(Cells, u32)>, cells: Cells, mask: u32) {
    *wanted = Some(match wanted {
        None => (cells, mask),
        Some((others, layers)) => (others.with(&cells), *layers | mask),
    });
}
