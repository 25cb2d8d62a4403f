//! What cuts: bodies and areas on the layers of a body's cut mask.
//!
//! They are gathered by themselves, for those bodies only that can be cut, asleep or not.

use super::colliders::Gatherer;
use super::{Member, World};
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

/// What cuts in a physics space.
pub struct Blades {
    bodies: Gatherer,
    areas: Gatherer,
    /// Something can be cut.
    used: bool,
}

impl Default for Blades {
    fn default() -> Self {
        Blades { bodies: Gatherer::default(), areas: Gatherer::of_areas(), used: false }
    }
}

/// Whether a body can be cut in this tick.
fn is_cuttable(member: &&Member) -> bool {
    let flags = member.body.flags();
    let idle = [&flags.paused, &flags.still, &flags.resumed].iter().any(|flag| flag.load(Relaxed));
    flags.cuttable.load(Relaxed) && !idle
}

impl World {
    /// Tells bodies that can be cut of what went over them in this tick.
    pub(super) fn find_blades(&mut self, space: Rid, delta: f32) {
        let World { members, blades, .. } = self;
        let mut cuttable = members.iter().filter(is_cuttable).peekable();
        if cuttable.peek().is_none() {
            if std::mem::take(&mut blades.used) {
                *blades = Blades::default();
            }
            return;
        }
        blades.used = true;
        let demands = || members.iter().filter(is_cuttable).filter_map(|member| member.body.cut_demand());
        blades.bodies.gather(space, delta, demands());
        blades.areas.gather(space, delta, demands());
        let found = [blades.bodies.take_colliders(), blades.areas.take_colliders()];
        if found.iter().any(|colliders| !colliders.all().is_empty()) {
            cuttable.for_each(|member| member.body.notice_blades(&member.node, &found));
        } else {
            cuttable.for_each(|member| member.body.notice_blades(&member.node, &[]));
        }
        let [bodies, areas] = found;
        blades.bodies.give_back(bodies);
        blades.areas.give_back(areas);
    }
}
