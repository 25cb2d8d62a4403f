//! Which bodies are simulated together: those that hold on to the same rigid bodies, and soft bodies that may touch each other or a rope.

use super::rigids::Rigids;
use super::{Body, Mate, Simulated, lock};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Colliders, Grid};
use supple_sim::island::{self, Member, Rigid};
use supple_sim::soft::{Pile, SoftBody};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

/// Bodies that are simulated together, and the rigid bodies on which they hold.
#[derive(Default)]
struct Island {
    bodies: Vec<Arc<dyn Body>>,
    /// How many of these, the first ones, are awake.
    awake: usize,
    rigids: Vec<Rigid>,
    pile: Pile,
}

/// All islands of a tick. The rooms are kept from tick to tick.
#[derive(Default)]
pub struct Islands {
    islands: Vec<Mutex<Island>>,
    count: usize,
    /// For each rigid body that was found: its element among those that are joined, and how it moves.
    roots: HashMap<u64, usize>,
    found: Vec<(usize, Rigid)>,
    parents: Vec<usize>,
    /// The element by which each of the bodies is in its island; None: it is by itself.
    by: Vec<Option<usize>>,
    near: Vec<u32>,
    keys: Vec<u64>,
    /// Soft bodies that may meet others: which of the bodies, where and on what layers.
    meetings: Vec<(usize, Encounter)>,
    grid: Grid,
}

/// Where a soft body may meet others in a tick, or a rope soft bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// A box around all its ways, in global px.
    pub bounds: Bounds,
    /// The layers on which it is, and with which it collides.
    pub layer: u32,
    pub mask: u32,
    /// It is a rope: it meets soft bodies only.
    pub rope: bool,
}

impl Encounter {
    fn meets(&self, other: &Encounter) -> bool {
        (self.mask & other.layer != 0 || other.mask & self.layer != 0) && self.is_beside(other)
    }

    /// Whether they could meet if they are on the right layers.
    pub fn is_beside(&self, other: &Encounter) -> bool {
        !(self.rope && other.rope) && self.bounds.overlaps(&other.bounds)
    }
}

impl Islands {
    /// Finds the rigid bodies on which `bodies` hold or that they may touch in a tick, and puts those together that share any, or may touch each other. Of those that are `resting` what may be
    /// touched goes along. The others stay in `bodies`. Without `softs` there are ropes only, which meet nothing.
    pub fn sort<'a>(
        &mut self,
        bodies: &mut Vec<Arc<dyn Body>>,
        resting: impl Iterator<Item = (&'a Arc<dyn Body>, Encounter)>,
        colliders: &Colliders,
        rigids: &mut Rigids,
        softs: bool,
        delta: f32,
    ) {
        self.roots.clear();
        self.found.clear();
        self.parents.clear();
        self.by.clear();
        self.meetings.clear();
        self.count = 0;
        let any_near = colliders.all().iter().any(|collider| collider.yields);
        for (place, body) in bodies.iter().enumerate() {
            self.keys.clear();
            let flags = body.flags();
            if flags.held.load(super::Relaxed) {
                let holders = body.holders();
                self.keys.extend(holders.iter().filter(|holder| holder.yields).map(|h| h.node.to_i64() as u64));
            }
            if any_near && let Some((bounds, mask)) = body.touch(delta) {
                colliders.near(&bounds, mask, &mut self.near);
                let all = self.near.iter().map(|&index| &colliders.all()[index as usize]);
                let keys = all.filter(|collider| collider.yields).map(|collider| collider.key.body);
                self.keys.extend(keys.filter(|&key| !body.lets_through(key)));
            }
            let mut by = None;
            for index in 0..self.keys.len() {
                let Some(rigid) = self.find(self.keys[index], rigids) else { continue };
                match by {
                    None => by = Some(rigid),
                    Some(other) => self.join(other, rigid),
                }
            }
            self.by.push(by);
            if softs {
                self.meetings.extend(body.meeting(delta).map(|meeting| (place, meeting)));
            }
        }
        let awake = bodies.len();
        self.meet(bodies, resting);
        self.gather(bodies, awake);
    }

    /// Puts soft bodies together that may touch each other, and adds those that rest.
    fn meet<'a>(
        &mut self,
        bodies: &mut Vec<Arc<dyn Body>>,
        resting: impl Iterator<Item = (&'a Arc<dyn Body>, Encounter)>,
    ) {
        if self.meetings.is_empty() {
            return;
        }
        let awake = self.meetings.len();
        for (body, meeting) in resting {
            self.meetings.push((bodies.len(), meeting));
            self.by.push(None);
            bodies.push(Arc::clone(body));
        }
        if self.meetings.len() < 2 {
            return;
        }
        let mut grid = std::mem::take(&mut self.grid);
        grid.set(self.meetings.iter().map(|(_, meeting)| meeting.bounds));
        for index in 0..awake {
            let (place, meeting) = self.meetings[index];
            self.near.clear();
            let near = &mut self.near;
            grid.visit(&meeting.bounds, |other| near.push(other));
            for other in 0..self.near.len() {
                let other = self.near[other] as usize;
                let (theirs, known) = (self.meetings[other].0, other >= awake || other > index);
                if known && meeting.meets(&self.meetings[other].1) {
                    let [one, other] = [place, theirs].map(|place| self.element(place));
                    self.join(one, other);
                }
            }
        }
        self.grid = grid;
    }

    /// The element of a body.
    fn element(&mut self, place: usize) -> usize {
        if let Some(element) = self.by[place] {
            return element;
        }
        self.parents.push(self.parents.len());
        self.by[place] = Some(self.parents.len() - 1);
        self.parents.len() - 1
    }

    /// The element of a rigid body.
    fn find(&mut self, key: u64, rigids: &mut Rigids) -> Option<usize> {
        if let Some(&element) = self.roots.get(&key) {
            return Some(element);
        }
        let rigid = rigids.find(key)?;
        let element = self.parents.len();
        self.found.push((element, rigid));
        self.parents.push(element);
        self.roots.insert(key, element);
        Some(element)
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// Puts the bodies, of which the first ones are `awake`, and the rigid bodies, into their islands.
    fn gather(&mut self, bodies: &mut Vec<Arc<dyn Body>>, awake: usize) {
        // The island of each root.
        let mut places: Vec<Option<usize>> = vec![None; self.parents.len()];
        let mut index = 0;
        bodies.retain(|body| {
            let (place, by) = (index, self.by[index]);
            index += 1;
            let Some(by) = by else { return place < awake };
            let root = self.root(by);
            let place_of = *places[root].get_or_insert_with(|| {
                self.count += 1;
                if self.islands.len() < self.count {
                    self.islands.push(Mutex::default());
                }
                let island = &mut *lock(&self.islands[self.count - 1]);
                island.bodies.clear();
                island.rigids.clear();
                island.awake = 0;
                self.count - 1
            });
            let island = &mut *lock(&self.islands[place_of]);
            island.bodies.push(Arc::clone(body));
            island.awake += usize::from(place < awake);
            false
        });
        for index in 0..self.found.len() {
            let (element, rigid) = self.found[index];
            if let Some(place) = places[self.root(element)] {
                lock(&self.islands[place]).rigids.push(rigid);
            }
        }
        for island in &self.islands[..self.count] {
            lock(island).rigids.sort_unstable_by_key(|rigid| rigid.key);
        }
    }

    /// Simulates a tick of all islands.
    pub fn step(&self, tick: &Tick, workers: &Workers) {
        let islands = &self.islands[..self.count];
        let cost_of = |island: &Mutex<Island>| lock(island).bodies.iter().map(|body| 2 * body.cost()).sum::<usize>();
        let cost = islands.iter().map(cost_of).sum();
        workers.for_each(islands, cost, |island| lock(island).step(tick, workers));
    }

    /// Gives the rigid bodies what they got, and forgets the bodies.
    pub fn apply(&mut self, rigids: &mut Rigids, mut back: impl FnMut(Arc<dyn Body>)) {
        for island in &self.islands[..self.count] {
            let island = &mut *lock(island);
            island.rigids.drain(..).for_each(|rigid| rigids.apply(&rigid));
            island.bodies.drain(..).take(island.awake).for_each(&mut back);
        }
        self.count = 0;
    }
}

impl Island {
    fn step(&mut self, tick: &Tick, workers: &Workers) {
        let mut cores: Vec<MutexGuard<dyn Simulated>> = self.bodies.iter().map(|body| lock(body.core())).collect();
        let before: Vec<_> = cores.iter().map(|core| core.trouble()).collect();
        let mut members: Vec<&mut dyn Member> = Vec::new();
        let mut softs: Vec<&mut SoftBody> = Vec::new();
        for core in &mut cores {
            match core.mate() {
                Some(Mate::Member(member)) => members.push(member),
                Some(Mate::Soft(soft)) => softs.push(soft),
                None => (),
            }
        }
        if !island::step(&mut members, &mut softs, &mut self.rigids, tick, &mut self.pile, workers) {
            self.rigids.clear();
        }
        drop((members, softs));
        drop(cores);
        for (body, before) in self.bodies.iter().zip(before) {
            body.stepped(before, tick);
        }
    }
}
