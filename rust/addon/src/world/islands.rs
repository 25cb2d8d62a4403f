//! Which bodies are simulated together: those that hold on to the same rigid bodies.

use super::rigids::Rigids;
use super::{Body, Simulated, lock};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use supple_sim::collide::Colliders;
use supple_sim::island::{self, Member, Rigid};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

/// Bodies that are simulated together, and the rigid bodies on which they hold.
#[derive(Default)]
struct Island {
    bodies: Vec<Arc<dyn Body>>,
    rigids: Vec<Rigid>,
}

/// All islands of a tick. The rooms are kept from tick to tick.
#[derive(Default)]
pub struct Islands {
    islands: Vec<Mutex<Island>>,
    count: usize,
    /// For each rigid body that was found: its island's root, and how it moves.
    roots: HashMap<u64, usize>,
    found: Vec<Rigid>,
    parents: Vec<usize>,
    /// The rigid body by which each of the bodies is in its island; None: it is by itself.
    by: Vec<Option<usize>>,
    near: Vec<u32>,
    keys: Vec<u64>,
}

impl Islands {
    /// Finds the rigid bodies on which `bodies` hold or that they may touch in a tick, and puts those together that share any. The others stay in
    /// `bodies`.
    pub fn sort(&mut self, bodies: &mut Vec<Arc<dyn Body>>, colliders: &Colliders, rigids: &mut Rigids, delta: f32) {
        self.roots.clear();
        self.found.clear();
        self.parents.clear();
        self.by.clear();
        self.count = 0;
        let any_near = colliders.all().iter().any(|collider| collider.yields);
        for body in bodies.iter() {
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
        }
        if self.found.is_empty() {
            return;
        }
        self.gather(bodies);
    }

    /// The index of a rigid body.
    fn find(&mut self, key: u64, rigids: &mut Rigids) -> Option<usize> {
        if let Some(&index) = self.roots.get(&key) {
            return Some(index);
        }
        let rigid = rigids.find(key)?;
        let index = self.found.len();
        self.found.push(rigid);
        self.parents.push(index);
        self.roots.insert(key, index);
        Some(index)
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

    /// Puts the bodies, and the rigid bodies, into their islands.
    fn gather(&mut self, bodies: &mut Vec<Arc<dyn Body>>) {
        // The island of each root.
        let mut places: Vec<Option<usize>> = vec![None; self.found.len()];
        let mut index = 0;
        bodies.retain(|body| {
            let by = self.by[index];
            index += 1;
            let Some(by) = by else { return true };
            let root = self.root(by);
            let place = *places[root].get_or_insert_with(|| {
                self.count += 1;
                if self.islands.len() < self.count {
                    self.islands.push(Mutex::default());
                }
                let island = &mut *lock(&self.islands[self.count - 1]);
                island.bodies.clear();
                island.rigids.clear();
                self.count - 1
            });
            lock(&self.islands[place]).bodies.push(Arc::clone(body));
            false
        });
        for index in 0..self.found.len() {
            if let Some(place) = places[self.root(index)] {
                lock(&self.islands[place]).rigids.push(self.found[index]);
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
        workers.for_each(islands, cost, |island| lock(island).step(tick));
    }

    /// Gives the rigid bodies what they got, and forgets the bodies.
    pub fn apply(&mut self, rigids: &mut Rigids, mut back: impl FnMut(Arc<dyn Body>)) {
        for island in &self.islands[..self.count] {
            let island = &mut *lock(island);
            island.rigids.drain(..).for_each(|rigid| rigids.apply(&rigid));
            island.bodies.drain(..).for_each(&mut back);
        }
        self.count = 0;
    }
}

impl Island {
    fn step(&mut self, tick: &Tick) {
        let mut cores: Vec<MutexGuard<dyn Simulated>> = self.bodies.iter().map(|body| lock(body.core())).collect();
        let before: Vec<_> = cores.iter().map(|core| core.trouble()).collect();
        let mut members: Vec<&mut dyn Member> = cores.iter_mut().filter_map(|core| core.mate()).collect();
        if !island::step(&mut members, &mut self.rigids, tick) {
            self.rigids.clear();
        }
        drop(members);
        drop(cores);
        for (body, before) in self.bodies.iter().zip(before) {
            body.stepped(before, tick);
        }
    }
}
