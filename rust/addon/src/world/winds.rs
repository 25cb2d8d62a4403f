//! The winds of a world.

use super::{Member, World, space_of};
use crate::wind::WindState;
use godot::classes::Node2D;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::wind::Wind;

struct WindMember {
    node: Gd<Node2D>,
    state: Arc<WindState>,
    /// What it blew in the last tick.
    wind: Option<Wind>,
}

/// The winds of a physics space.
#[derive(Default)]
pub(super) struct Winds {
    /// In the order in which they came: it decides how their sum is rounded.
    members: Vec<WindMember>,
    /// What blows in this tick.
    air: Vec<Wind>,
    /// Winds that appeared, vanished or changed since the last tick, as they were and as they are.
    changed: Vec<Wind>,
    /// The member whose space is looked at in the next tick.
    checked: usize,
}

impl Winds {
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn add(&mut self, node: Gd<Node2D>, state: Arc<WindState>, now: f64) {
        self.remove(node.instance_id());
        state.begin(now);
        self.members.push(WindMember { node, state, wind: None });
    }

    pub fn remove(&mut self, node: InstanceId) {
        if let Some(place) = self.members.iter().position(|member| member.node.instance_id() == node) {
            let member = self.members.remove(place);
            member.state.end();
            self.changed.extend(member.wind);
        }
    }

    /// What blows in this tick.
    pub fn air(&self) -> &[Wind] {
        &self.air
    }

    /// The same to keep for a while; give it back after.
    pub fn take_air(&mut self) -> Vec<Wind> {
        std::mem::take(&mut self.air)
    }

    pub fn give_back(&mut self, air: Vec<Wind>) {
        self.air = air;
    }

    /// Brings down what blows at `now`, and tells the bodies of what changed.
    fn gather(&mut self, now: f64, bodies: &[Member]) {
        for member in &mut self.members {
            let wind = member.state.gather(&member.node, now);
            if wind != member.wind {
                self.changed.extend(wind.clone());
                self.changed.extend(std::mem::replace(&mut member.wind, wind));
            }
        }
        if self.changed.is_empty() {
            return;
        }
        self.air.clear();
        self.air.extend(self.members.iter().filter_map(|member| member.wind.clone()));
        // A paused body is told of all that blows when it goes on.
        for member in bodies.iter().filter(|member| !member.body.flags().paused.load(Relaxed)) {
            member.body.notice_winds(&self.changed);
        }
        self.changed.clear();
    }

    /// One whose space is not `space` any more, if it is its turn to be looked at.
    fn stranger(&mut self, space: Rid) -> Option<(Gd<Node2D>, Arc<WindState>)> {
        self.checked = (self.checked + 1) % self.members.len().max(1);
        let member = self.members.get(self.checked).filter(|member| space_of(&member.node) != Some(space))?;
        Some((member.node.clone(), Arc::clone(&member.state)))
    }
}

impl World {
    /// Reads the winds of this tick. One that is not in this space any more joins that in which it is.
    pub(super) fn gather_winds(&mut self, space: Rid) {
        if let Some((mut node, state)) = self.winds.stranger(space) {
            self.winds.remove(node.instance_id());
            // Later, when nothing is borrowed.
            node.run_deferred_gd(move |node| {
                if node.is_instance_valid() && node.is_inside_tree() {
                    super::join_wind(node, state);
                }
            });
        }
        self.winds.gather(self.time, &self.members);
    }
}
