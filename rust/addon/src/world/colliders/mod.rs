//! Gathering: which shapes of the engine are near the bodies of a world, where they are and how they move in a tick.
//!
//! - [`blocks`]: the plane in blocks; one question a block that bodies reach, whatever their number
//! - [`query`]: asking the engine which shapes are in a box
//! - [`bodies`]: the bodies that were found: their poses, layers, materials
//! - [`source`]: from where that is read, their nodes or the server
//! - [`forms`], [`outline`]: the forms of their shapes, baked for the core
//! - [`pose`]: transforms taken apart
//! - [`tiles`]: which shapes of a tile map are one-way
//! - [`sleepers`], [`change`]: whom to wake when something changes
//!
//! Sleeping bodies need no colliders, but have to be told when what they touch changes. Blocks in which all sleep are asked for in turn,
//! every third tick; what may move there by itself, and what something sleeps on, is looked at by its node in every tick. If a shape that
//! moved, came, went or changed has or had a point in the box of a sleeping body, this is shown all that is around it, and compares it with
//! what it fell asleep among.

mod blocks;
mod bodies;
mod change;
mod forms;
mod neighbours;
mod outline;
mod pose;
mod query;
mod sleepers;
mod source;
mod tiles;

use super::Body;
use blocks::{Block, Blocks, for_each_block};
use bodies::{Known, Look};
use change::Change;
use forms::Forms;
use godot::classes::{CharacterBody2D, PhysicsServer2D};
use godot::prelude::*;
pub use neighbours::Neighbour;
use query::{Hit, Names, Space, What};
use sleepers::Sleeper;
use source::Engineering;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, Colliders};

/// What was not needed any more is forgotten every so many ticks.
const TIDY_TICKS: u64 = 64;
/// A body that was not found for so many ticks is forgotten.
const FORGET_TICKS: u64 = 12;

/// Where a body may touch something in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// A box around all its ways.
    pub bounds: Bounds,
    /// The layers with which it collides.
    pub mask: u32,
    /// Layers whose tile maps are one-way where that cannot be read.
    pub one_way_mask: u32,
}

/// The colliders of a physics space.
#[derive(Default)]
pub struct Gatherer {
    /// What it gathers.
    what: What,
    blocks: Blocks,
    bodies: HashMap<u64, Known>,
    forms: Forms,
    engine: Option<Engineering>,
    names: Names,
    sleepers: HashMap<InstanceId, Rc<Sleeper>>,
    /// On what bodies sleepers lie, by their keys, and how many on each.
    beds: HashMap<u64, usize>,
    /// Bodies that came asleep: what was around them when they fell asleep is not known here.
    newcomers: Vec<Sleeper>,
    colliders: Colliders,
    tick: u64,
    /// What was found in this tick, and whether it is near a body that is awake.
    found: Vec<(Hit, bool)>,
    before: Vec<Hit>,
    appeared: Vec<Hit>,
    vanished: Vec<Hit>,
    changes: Vec<Change>,
    /// Sleepers that are to look around in this tick.
    suspects: Vec<Rc<Sleeper>>,
    /// What fast bodies will meet soon.
    ghosts: Vec<Collider>,
    /// What is around those that woke, or the suspects.
    around: Vec<Hit>,
    /// The nodes of those that woke in this tick.
    woken: Vec<InstanceId>,
    /// What the suspects see.
    surroundings: Colliders,
    one_way_mask: u32,
    /// How often the engine was asked in this tick.
    pub queries: u64,
}

impl Gatherer {
    /// One that gathers areas.
    pub fn of_areas() -> Gatherer {
        Gatherer { what: What::Areas, ..Gatherer::default() }
    }

    /// A body fell asleep.
    pub fn add_sleeper(&mut self, node: InstanceId, body: &Arc<dyn Body>, demand: Option<Demand>) {
        self.remove_sleeper(node);
        let Some(demand) = demand else { return };
        let sleeper = Rc::new(Sleeper::new(node, body, demand));
        for key in &sleeper.touched {
            *self.beds.entry(*key).or_default() += 1;
        }
        for_each_block(&demand.bounds, |place| {
            let block = self.blocks.entry(place).or_insert_with(|| Block::new(self.tick));
            block.add_sleeper(place, &sleeper);
            for hit in block.hits() {
                if let Some(known) = self.bodies.get_mut(&hit.rid) {
                    known.near_sleepers = self.tick;
                }
            }
        });
        // It may have been put to sleep without a look around.
        self.suspects.push(Rc::clone(&sleeper));
        self.sleepers.insert(node, sleeper);
    }

    /// A body came that sleeps.
    pub fn add_newcomer(&mut self, node: InstanceId, body: &Arc<dyn Body>, demand: Option<Demand>) {
        self.remove_sleeper(node);
        self.newcomers.extend(demand.map(|demand| Sleeper::new(node, body, demand)));
    }

    /// A body woke up, or left.
    pub fn remove_sleeper(&mut self, node: InstanceId) {
        self.newcomers.retain(|sleeper| sleeper.node != node);
        self.suspects.retain(|sleeper| sleeper.node != node);
        let Some(sleeper) = self.sleepers.remove(&node) else { return };
        for key in &sleeper.touched {
            if let Some(count) = self.beds.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    self.beds.remove(key);
                }
            }
        }
        for_each_block(&sleeper.demand.bounds, |place| {
            if let Some(block) = self.blocks.get_mut(&place) {
                block.remove_sleeper(place, node);
            }
        });
    }

    /// Whether nothing has to be gathered.
    fn is_idle(&self) -> bool {
        self.sleepers.is_empty() && self.newcomers.is_empty()
    }

    /// Finds what is near bodies with these demands, and wakes those that sleep if something near them has changed.
    pub fn gather(&mut self, space: Rid, delta: f32, demands: impl Iterator<Item = Demand>) {
        self.tick += 1;
        self.queries = 0;
        self.blocks.values_mut().for_each(Block::rest);
        let mut one_way_mask = self.sleepers.values().fold(0, |mask, sleeper| mask | sleeper.demand.one_way_mask);
        let (blocks, tick) = (&mut self.blocks, self.tick);
        let mut any = false;
        for demand in demands.chain(self.newcomers.iter().map(|sleeper| sleeper.demand)) {
            one_way_mask |= demand.one_way_mask;
            for_each_block(&demand.bounds, |place| {
                any = true;
                let block = blocks.entry(place).or_insert_with(|| Block::new(tick));
                block.want(place, &demand.bounds, demand.mask);
            });
        }
        self.one_way_mask = one_way_mask;
        if !any && self.is_idle() && self.blocks.is_empty() {
            return;
        }
        self.ask(space);
        self.read(delta);
        self.tell();
        self.found.retain(|(_, awake)| *awake);
        self.add_woken();
        let (bodies, found) = (&self.bodies, &self.found);
        self.colliders.set(found.iter().filter_map(|(hit, _)| bodies.get(&hit.rid)?.collider(hit, tick, one_way_mask)));
        self.receive();
        if tick.is_multiple_of(TIDY_TICKS) {
            self.tidy();
        }
    }

    /// How many colliders were gathered in this tick.
    pub fn count(&self) -> usize {
        self.colliders.all().len()
    }

    /// What was gathered in this tick; give it back after.
    pub fn take_colliders(&mut self) -> Colliders {
        std::mem::take(&mut self.colliders)
    }

    pub fn give_back(&mut self, colliders: Colliders) {
        self.colliders = colliders;
    }

    /// The rigid bodies and characters that were found lately.
    pub fn neighbours(&self) -> impl Iterator<Item = Neighbour> {
        self.bodies.values().filter_map(Known::neighbour)
    }

    /// The characters among them that are in the tree.
    pub fn characters(&self) -> impl Iterator<Item = Gd<CharacterBody2D>> {
        self.bodies.values().filter_map(Known::character)
    }

    /// Asks the engine what is in the blocks.
    fn ask(&mut self, space: Rid) {
        self.found.clear();
        self.appeared.clear();
        self.vanished.clear();
        let Some(mut space) = Space::open(space, &self.names, self.what) else { return };
        for (&place, block) in &mut self.blocks {
            let Some(changed) = block.ask(place, &mut space, self.tick, &mut self.before) else { continue };
            if changed && !block.sleepers().is_empty() {
                compare(&self.before, block.hits(), &mut self.vanished, &mut self.appeared);
            }
            let awake = block.is_awake();
            self.found.extend(block.hits().iter().map(|hit| (*hit, awake)));
            if !block.sleepers().is_empty() {
                for hit in block.hits() {
                    if let Some(known) = self.bodies.get_mut(&hit.rid) {
                        known.near_sleepers = self.tick;
                    }
                }
            }
        }
        // Those near what is awake first: they stay when others are the same.
        self.found.sort_unstable_by_key(|(hit, awake)| (*hit, !awake));
        self.found.dedup_by_key(|(hit, _)| *hit);
        self.queries = space.queries;
        if self.what == What::Areas {
            // One without a node cannot be read as a body is.
            self.found.retain(|(hit, _)| hit.object != 0);
        }
    }

    /// Reads what was found.
    fn read(&mut self, delta: f32) {
        self.changes.clear();
        let told = !self.sleepers.is_empty();
        let engine = *self.engine.get_or_insert_with(Engineering::look);
        let mut look = Look {
            server: &PhysicsServer2D::singleton(),
            forms: &mut self.forms,
            tick: self.tick,
            delta,
            told,
            changes: &mut self.changes,
        };
        for shapes in self.found.chunk_by(|(one, _), (other, _)| one.rid == other.rid) {
            let first = &shapes[0].0;
            let known = self.bodies.entry(first.rid).or_insert_with(|| Known::new(first, engine));
            if known.object != first.object {
                *known = Known::new(first, engine);
            }
            known.update(&mut look, shapes.iter().map(|(hit, _)| hit));
        }
        if !told {
            return;
        }
        for known in self.bodies.values_mut() {
            let near = self.tick - known.near_sleepers <= blocks::TURNS;
            if known.updated != self.tick && near && (known.moves() || self.beds.contains_key(&known.key)) {
                known.glance(&mut look);
            }
        }
        for hit in &self.vanished {
            if let Some(known) = self.bodies.get_mut(&hit.rid) {
                self.changes.extend(known.last(hit.shape));
                if known.updated != self.tick {
                    known.lose(hit.shape);
                }
            }
        }
        let came = self.appeared.iter().filter_map(|hit| self.bodies.get(&hit.rid)?.last(hit.shape));
        self.changes.extend(came);
    }

    /// Lets those sleepers look around that may have been reached by a change.
    fn tell(&mut self) {
        let suspects = &mut self.suspects;
        self.ghosts.clear();
        for change in &self.changes {
            let before = suspects.len();
            let bounds = change.bounds();
            if bounds.min.is_finite() && bounds.max.is_finite() {
                for_each_block(&bounds, |place| {
                    let sleepers = self.blocks.get(&place).map_or(&[][..], |block| block.sleepers());
                    suspects.extend(sleepers.iter().filter(|sleeper| sleeper.is_reached_by(change)).cloned());
                });
            } else {
                suspects.extend(self.sleepers.values().filter(|sleeper| sleeper.is_reached_by(change)).cloned());
            }
            if suspects.len() > before {
                self.ghosts.extend(change.ghosts());
            }
        }
        if suspects.is_empty() {
            return;
        }
        suspects.sort_unstable_by_key(|sleeper| sleeper.node);
        suspects.dedup_by_key(|sleeper| sleeper.node);
        self.around.clear();
        for sleeper in &*suspects {
            add_around(&self.blocks, sleeper, &mut self.around);
        }
        self.around.sort_unstable();
        self.around.dedup();
        let (bodies, mask, tick) = (&self.bodies, self.one_way_mask, self.tick);
        let known = self.around.iter().filter_map(|hit| bodies.get(&hit.rid)?.collider(hit, tick, mask));
        self.surroundings.set(known.chain(self.ghosts.drain(..)));
        for sleeper in suspects.drain(..) {
            // One that was woken since it fell asleep is simulated in this tick anyway.
            let slept = sleeper.body.is_sleeping();
            sleeper.body.notice_colliders(&self.surroundings);
            if slept && !sleeper.body.is_sleeping() {
                self.woken.push(sleeper.node);
            }
        }
    }

    /// What is around those that have just woken counts as found in this tick.
    fn add_woken(&mut self) {
        if self.woken.is_empty() {
            return;
        }
        self.around.clear();
        for sleeper in self.woken.iter().filter_map(|node| self.sleepers.get(node)) {
            add_around(&self.blocks, sleeper, &mut self.around);
        }
        self.found.extend(self.around.iter().map(|hit| (*hit, true)));
        self.found.sort_unstable();
        self.found.dedup();
    }

    /// The nodes of the bodies that woke in this tick; give the list back after.
    pub fn take_woken(&mut self) -> Vec<InstanceId> {
        std::mem::take(&mut self.woken)
    }

    pub fn give_back_woken(&mut self, woken: Vec<InstanceId>) {
        self.woken = woken;
    }

    /// Lets those look around that came asleep.
    fn receive(&mut self) {
        for newcomer in std::mem::take(&mut self.newcomers) {
            newcomer.body.notice_colliders(&self.colliders);
            if newcomer.body.is_sleeping() {
                self.add_sleeper(newcomer.node, &newcomer.body, Some(newcomer.demand));
            }
        }
    }

    /// Forgets what is not needed any more.
    fn tidy(&mut self) {
        let tick = self.tick;
        self.blocks.retain(|_, block| !block.is_idle(tick));
        self.bodies.retain(|_, known| tick - known.updated < FORGET_TICKS);
        self.forms.forget(tick);
    }
}

/// Adds what was found last around a sleeper.
fn add_around(blocks: &Blocks, sleeper: &Sleeper, around: &mut Vec<Hit>) {
    for_each_block(&sleeper.demand.bounds, |place| {
        around.extend(blocks.get(&place).map_or(&[][..], |block| block.hits()));
    });
}

/// Adds what is only in one of two sorted lists.
fn compare(before: &[Hit], now: &[Hit], vanished: &mut Vec<Hit>, appeared: &mut Vec<Hit>) {
    vanished.extend(before.iter().filter(|hit| now.binary_search(hit).is_err()));
    appeared.extend(now.iter().filter(|hit| before.binary_search(hit).is_err()));
}
