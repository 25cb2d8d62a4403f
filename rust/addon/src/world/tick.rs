//! The four phases of a tick.

use super::riders::seat_all;
use super::{Body, Encounter, Holder, Member, Shown, WORKERS, WORLDS, World, join, lock, monitors, space_of};
use crate::complain::Callee;
use crate::convert::{key, pose, vec2};
use godot::classes::physics_server_2d::AreaParameter;
use godot::classes::{Node2D, PhysicsServer2D, RigidBody2D};
use godot::prelude::*;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use supple_sim::tick::Tick;
use supple_sim::workers::Workers;

/// A world without bodies and winds is given up after this many ticks.
const IDLE_TICKS: u32 = 120;

/// Each body's surroundings in the tree are looked at every so many ticks.
const SORT_TICKS: u64 = 60;

/// What a tick tells the node that calls it.
pub enum After {
    /// The space has had no bodies and winds for a while.
    GiveUp,
    /// Go on; `moving`: some body is awake.
    GoOn { moving: bool },
}

/// Simulates a tick of `delta` seconds in a space.
pub fn run(space: Rid, delta: f64) -> After {
    let Some(world) = WORLDS.with_borrow(|worlds| worlds.get(&space).map(Rc::clone)) else {
        return After::GiveUp;
    };
    if move_out(&mut world.borrow_mut(), space) {
        return After::GoOn { moving: true };
    }
    crate::anchor::keep_all();
    super::characters::hold_all(&world, delta as f32);
    let (mut sleep_changes, mut recovered, mut reports, mut carriers, mut leaders);
    {
        let world = &mut *world.borrow_mut();
        if world.members.is_empty() {
            monitors::record(&monitors::Record::default());
            world.jobs.clear();
            if world.winds.is_empty() {
                world.idle_ticks += 1;
            } else {
                world.idle_ticks = 0;
                world.gather_winds(space);
            }
            world.time += delta;
            return if world.idle_ticks < IDLE_TICKS { After::GoOn { moving: false } } else { After::GiveUp };
        }
        let began = Instant::now();
        let gravity = vec2(world.read_gravity(space));
        world.gather_winds(space);
        world.bear_characters(delta as f32);
        world.gather();
        world.wake_stirred();
        world.wake_partners();
        let collide = world.gather_colliders(space, delta as f32);
        world.introduce();
        let gathered = Instant::now();
        let (air, colliders) = (world.winds.take_air(), world.colliders.take_colliders());
        let time = world.time;
        let World { islands, rigids, jobs, members, .. } = &mut *world;
        rigids.begin(delta as f32, crate::convert::vector2(gravity));
        let resting = members.iter().filter(|member| member.asleep && member.body.is_sleeping());
        let resting = resting.filter_map(|member| Some((&member.body, member.rests?)));
        let softs = members.iter().any(|member| !member.body.is_rope());
        islands.sort(jobs, resting, &colliders, rigids, softs, delta as f32);
        world.step(&Tick { delta: delta as f32, gravity, time, winds: &air, colliders: Some(&colliders) });
        world.winds.give_back(air);
        world.colliders.give_back(colliders);
        let World { islands, rigids, jobs, .. } = &mut *world;
        islands.apply(rigids, |body| jobs.push(body));
        world.time += delta;
        monitors::record(&monitors::Record {
            bodies: world.members.len(),
            awake: world.jobs.len(),
            gather: gathered - began,
            collide,
            queries: world.colliders.queries,
            colliders: world.colliders.count(),
            step: gathered.elapsed(),
        });
        world.find_blades(space, delta as f32);
        world.settle(delta as f32);
        reports = std::mem::take(&mut world.reports);
        carriers = std::mem::take(&mut world.carriers);
        leaders = std::mem::take(&mut world.leaders);
        sleep_changes = std::mem::take(&mut world.sleep_changes);
        recovered = std::mem::take(&mut world.recovered);
    }
    // What is below another in the tree is moved by that too.
    leaders.sort_by_key(|(_, body)| body.flags().depth.load(Relaxed));
    for (node, body) in leaders.drain(..).filter(|(node, _)| node.is_instance_valid()) {
        body.lead(node);
    }
    for (body, still) in carriers.drain(..) {
        let jumped = body.flags().jumped.swap(false, Relaxed);
        body.flags().carries.store(seat_all(body.as_ref(), still, jumped), Relaxed);
    }
    for node in recovered.drain(..).filter(|node| node.is_instance_valid()) {
        Callee::new(node.upcast(), "physics").complain("a number was not finite, it was laid out anew");
    }
    for node in &mut sleep_changes {
        // An earlier handler may have freed it.
        if node.is_instance_valid() {
            node.emit_signal("sleeping_state_changed", &[]);
        }
    }
    sleep_changes.clear();
    for (node, body) in reports.drain(..).filter(|(node, _)| node.is_instance_valid()) {
        body.report(node);
    }
    let world = &mut *world.borrow_mut();
    (world.reports, world.carriers, world.leaders) = (reports, carriers, leaders);
    (world.sleep_changes, world.recovered) = (sleep_changes, recovered);
    After::GoOn { moving: !world.jobs.is_empty() }
}

/// Lets bodies whose space is not this any more join another world; true if there were any. The engine does not tell nodes of every change
/// of a viewport's world, so one member is looked at in each tick, in turn.
fn move_out(world: &mut World, space: Rid) -> bool {
    world.checked = (world.checked + 1) % world.members.len().max(1);
    let stranger = |member: &Member| space_of(&member.node) != Some(space);
    if !world.members.get(world.checked).is_some_and(stranger) {
        return false;
    }
    let strangers = world.members.iter().filter(|member| stranger(member));
    let strangers: Vec<_> = strangers.map(|member| (member.node.clone(), Arc::clone(&member.body))).collect();
    for (mut node, body) in strangers {
        world.remove(node.instance_id());
        // Later, when nothing is borrowed.
        node.run_deferred_gd(move |node| {
            if node.is_instance_valid() && node.is_inside_tree() && body.flags().joined.load(Relaxed) {
                join(node, body);
            }
        });
    }
    true
}

/// Puts new anchors in their places before they are shown for the first time.
pub fn receive_anchors(space: Rid) {
    if !crate::anchor::any_new() {
        return;
    }
    crate::anchor::keep_all();
    let Some(world) = WORLDS.with_borrow(|worlds| worlds.get(&space).map(Rc::clone)) else {
        return;
    };
    let carriers: Vec<_> = {
        let world = world.borrow();
        let carries = |member: &&Member| member.body.flags().carries.load(Relaxed);
        world.members.iter().filter(carries).map(|member| Arc::clone(&member.body)).collect()
    };
    carriers.iter().for_each(|body| {
        seat_all(body.as_ref(), true, false);
    });
}

/// Draws the bodies of a space whose picture in this frame differs from the last: what moved in a tick, what lies between two
/// ticks if the project `interpolates`, and what is held by a node that was moved since. Call it when nothing can move any more.
pub fn draw(space: Rid, interpolates: bool) {
    let Some(world) = WORLDS.with_borrow(|worlds| worlds.get(&space).map(Rc::clone)) else {
        return;
    };
    for member in &mut world.borrow_mut().members {
        let flags = member.body.flags();
        let mut dragged =
            flags.held.load(Relaxed) && notice(member.body.holders().iter_mut().map(|h| (h.node, &mut h.shown)));
        dragged |=
            flags.carries.load(Relaxed) && notice(member.body.riders().iter_mut().map(|r| (r.node, &mut r.shown)));
        let dirty = flags.dirty.swap(false, Relaxed);
        let between = interpolates && !member.asleep && !flags.paused.load(Relaxed);
        if (dirty || dragged || between) && !flags.hidden.load(Relaxed) {
            member.body.draw(&mut member.node, interpolates);
        }
    }
}

impl World {
    fn read_gravity(&mut self, space: Rid) -> Vector2 {
        let server = PhysicsServer2D::singleton();
        let size = server.area_get_param(space, AreaParameter::GRAVITY).try_to::<f32>();
        let direction = server.area_get_param(space, AreaParameter::GRAVITY_VECTOR).try_to::<Vector2>();
        let gravity = direction.unwrap_or(Vector2::DOWN) * size.unwrap_or(0.0);
        if gravity != self.gravity {
            self.gravity = gravity;
            self.members.iter().for_each(|member| {
                member.body.wake();
                member.body.flags().touched.store(true, Relaxed);
            });
        }
        gravity
    }

    /// Tells every body that is awake, or was touched, where its node and its holders are.
    fn gather(&mut self) {
        self.jobs.clear();
        self.tick += 1;
        let mut any_watch_moved = false;
        for watch in self.watches.values_mut() {
            let transform = watch.parent.get_global_transform();
            watch.moved = transform != watch.transform;
            watch.transform = transform;
            any_watch_moved |= watch.moved;
        }
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let flags = member.body.flags();
            let parent_moved = any_watch_moved
                && member.watched.is_some_and(|id| self.watches.get(&id).is_some_and(|watch| watch.moved));
            let stirred = flags.touched.load(Relaxed) || parent_moved || flags.held.load(Relaxed);
            if stirred || !member.asleep {
                self.gather_member(index);
            }
        }
    }

    /// Tells a body where its node and its holders are, and puts it among those to be simulated if it is awake.
    fn gather_member(&mut self, index: usize) {
        let member = &self.members[index];
        let flags = member.body.flags();
        let touched = flags.touched.swap(false, Relaxed);
        let unseen = flags.away.load(Relaxed) && !flags.hidden.load(Relaxed) && !member.body.is_touching();
        if flags.paused.load(Relaxed) || unseen {
            flags.resumed.store(true, Relaxed);
            if touched {
                member.body.drop_forces();
                if !flags.still.load(Relaxed) {
                    self.stirred.extend(member.body.stirs());
                }
            }
            return;
        }
        if flags.held.load(Relaxed) {
            gather_holders(member.body.as_ref());
        }
        let transform = member.node.get_global_transform();
        let resumed = flags.resumed.swap(false, Relaxed);
        if flags.placed.swap(false, Relaxed) {
            member.body.place_at(transform);
        } else if resumed {
            member.body.carry_to(transform);
            member.body.notice_winds(self.winds.air());
        } else {
            member.body.set_pose(transform);
        }
        if flags.still.load(Relaxed) {
            return;
        }
        if touched {
            self.stirred.extend(member.body.stirs());
        }
        if member.asleep && member.body.is_sleeping() {
            if touched {
                self.members[index].rests = member.body.meeting(0.0);
                let member = &self.members[index];
                // It may have been put elsewhere.
                self.colliders.add_sleeper(member.node.instance_id(), &member.body, member.body.demand(0.0));
            }
            return;
        }
        let turn = (index as u64).wrapping_add(self.tick).is_multiple_of(SORT_TICKS);
        if flags.unsorted.swap(false, Relaxed) || turn {
            member.body.find_exceptions(&member.node);
            member.body.find_characters(&member.node);
        }
        self.jobs.push(Arc::clone(&member.body));
    }

    /// Wakes soft bodies beside which one or a rope was that is not there any more, and ropes beside which a soft body was.
    fn wake_stirred(&mut self) {
        let mut stirred = std::mem::take(&mut self.stirred);
        for index in 0..self.members.len() {
            if stirred.is_empty() {
                break;
            }
            let member = &self.members[index];
            let reached = |meeting: Encounter| stirred.iter().any(|other| other.is_beside(&meeting));
            if member.asleep && member.rests.is_some_and(reached) && member.body.is_sleeping() {
                member.body.wake();
                self.gather_member(index);
            }
        }
        stirred.clear();
        self.stirred.clear();
        std::mem::swap(&mut self.stirred, &mut stirred);
    }

    /// Wakes those that hold on to the same rigid bodies as others that are awake: without them these would fall.
    fn wake_partners(&mut self) {
        let mut next = 0;
        let mut held = std::mem::take(&mut self.held);
        held.clear();
        let yields = |holder: &Holder| {
            let body = Gd::<RigidBody2D>::try_from_instance_id(holder.node);
            holder.yields && body.is_ok_and(|body| !body.is_freeze_enabled())
        };
        while next < self.jobs.len() {
            for body in &self.jobs[next..] {
                if body.flags().held.load(Relaxed) {
                    held.extend(body.holders().iter().filter(|holder| yields(holder)).map(|holder| key(holder.node)));
                }
                body.for_each_pushed(&mut |key| {
                    held.insert(key);
                });
            }
            next = self.jobs.len();
            if held.is_empty() {
                break;
            }
            for index in 0..self.members.len() {
                let member = &self.members[index];
                if !member.asleep || !member.body.is_sleeping() || member.body.flags().paused.load(Relaxed) {
                    continue;
                }
                let mut shares = member.body.flags().held.load(Relaxed)
                    && member.body.holders().iter().any(|holder| holder.yields && held.contains(&key(holder.node)));
                if !shares {
                    member.body.for_each_pushed(&mut |key| shares |= held.contains(&key));
                }
                if shares {
                    member.body.wake();
                    self.gather_member(index);
                }
            }
        }
        self.held = held;
    }

    /// Finds what is near the bodies that are awake, and wakes those near which something has changed.
    fn gather_colliders(&mut self, space: Rid, delta: f32) -> Duration {
        let began = Instant::now();
        let demands = self.jobs.iter().filter_map(|body| body.demand(delta));
        self.colliders.gather(space, delta, demands);
        let mut woken = self.colliders.take_woken();
        for index in woken.drain(..).filter_map(|node| self.places.get(&node).copied()).collect::<Vec<_>>() {
            self.gather_member(index);
        }
        self.colliders.give_back_woken(woken);
        began.elapsed()
    }

    fn step(&mut self, tick: &Tick) {
        let cost = self.jobs.iter().map(|body| body.cost()).sum();
        let workers = &mut *lock(&WORKERS);
        let workers = workers.get_or_insert_with(Workers::for_this_machine);
        workers.for_each(&self.jobs, cost, |body| {
            let before = {
                let core = &mut *lock(body.core());
                let before = core.trouble();
                core.step(tick);
                before
            };
            body.stepped(before, tick);
        });
        self.islands.step(tick, workers);
    }

    /// Collects what is to be reported, and puts members to sleep and awake.
    fn settle(&mut self, delta: f32) {
        for index in 0..self.members.len() {
            let member = &mut self.members[index];
            let sleeps = member.body.is_sleeping();
            let flags = member.body.flags();
            if flags.reports.swap(false, Relaxed) | flags.untied.load(Relaxed) {
                self.reports.push((member.node.clone(), Arc::clone(&member.body)));
            }
            if flags.carries.load(Relaxed) {
                self.carriers.push((Arc::clone(&member.body), sleeps && member.asleep));
            }
            if flags.recovered.swap(false, Relaxed) {
                self.recovered.push(member.node.clone());
            }
            let idle = [&flags.still, &flags.resumed].iter().any(|flag| flag.load(Relaxed));
            let nothing_new = (sleeps && member.asleep) || idle;
            if !nothing_new {
                flags.dirty.store(true, Relaxed);
                if flags.leads.load(Relaxed) {
                    self.leaders.push((member.node.clone(), Arc::clone(&member.body)));
                }
            }
            if sleeps == member.asleep {
                continue;
            }
            member.asleep = sleeps;
            self.sleep_changes.push(member.node.clone());
            let id = member.node.instance_id();
            member.rests = if sleeps && !idle { member.body.meeting(0.0) } else { None };
            if sleeps {
                member.watch(&mut self.watches);
                let demand = if idle { None } else { member.body.demand(delta) };
                self.colliders.add_sleeper(id, &member.body, demand);
            } else {
                member.unwatch(&mut self.watches);
                self.colliders.remove_sleeper(id);
            }
        }
    }
}

/// Tells a body where the nodes that hold it are. One that is not in the tree holds on where it was last.
fn gather_holders(body: &dyn Body) {
    let mut holders = body.holders();
    holders.retain_mut(|holder| {
        let Ok(node) = Gd::<Node2D>::try_from_instance_id(holder.node) else {
            return body.set_holder_pose(holder.node, None);
        };
        if node.is_inside_tree() {
            let transform = node.get_global_transform();
            holder.shown = Shown { before: holder.shown.noticed, noticed: transform };
            if holder.yields
                && node.try_cast::<RigidBody2D>().is_ok_and(|body| !body.is_sleeping() && !body.is_freeze_enabled())
            {
                // What hangs on it would fall.
                body.wake();
            }
        }
        body.set_holder_pose(holder.node, Some(pose(holder.shown.noticed)))
    });
    body.flags().held.store(!holders.is_empty(), Relaxed);
}

/// Looks where the nodes are that hold a body, or ride on it; true if one moved since we last looked.
fn notice<'a>(nodes: impl Iterator<Item = (InstanceId, &'a mut Shown)>) -> bool {
    let mut moved = false;
    for (node, shown) in nodes {
        if let Some(transform) = transform_of(node) {
            moved |= shown.noticed != transform;
            shown.noticed = transform;
        }
    }
    moved
}

/// Where a node that holds a body, or rides on it, is; None if it was freed or is not in the tree.
pub fn transform_of(node: InstanceId) -> Option<Transform2D> {
    let node = Gd::<Node2D>::try_from_instance_id(node).ok().filter(|node| node.is_inside_tree());
    node.map(|node| node.get_global_transform())
}
