//! Who is near a presence: who of them goes through it, and who meets it instead of the body in the core.

use super::Neighbour;
use godot::classes::CollisionObject2D;
use godot::prelude::*;
use supple_sim::bounds::Bounds;

/// Rigid bodies that are nearer than this, in px, may reach a body in a few ticks.
const NEAR: f32 = 160.0;

/// Where others have to be known.
pub fn neighbourhood(reach: &Bounds) -> Bounds {
    Bounds { min: reach.min - NEAR, max: reach.max + NEAR }
}

/// What others meet of a body.
pub trait Meets {
    /// From now on just these bodies, by their sorted RIDs, do not meet it.
    fn except(&mut self, bodies: &[u64]);
    /// These bodies, by their sorted RIDs, are near: they are not to meet what is there for areas.
    fn keep_clear(&mut self, bodies: &[u64]);
}

/// On which layers a body is, which it looks at, and where others may reach it soon.
pub struct Meeting {
    pub layer: u32,
    pub mask: u32,
    pub near: Bounds,
}

/// Who is near a body.
#[derive(Default)]
pub struct Company {
    /// Bodies that hold it, or are let through because the user says so: by their RIDs.
    attached: Vec<u64>,
    /// Characters that meet the presence, not the core: by their keys, sorted.
    pub walkers: Vec<u64>,
    /// Characters on whose heads it is: they meet the core, not the presence.
    beneath: Vec<u64>,
    /// Rigid bodies and characters that are near, by their keys, sorted.
    pub near: Vec<u64>,
    /// Room for RIDs, and keys.
    room: Vec<u64>,
}

impl Company {
    /// These bodies, by their keys, are let through because they hold it, or the user says so.
    pub fn note_attached(&mut self, keys: &[u64]) {
        let body = |&key: &u64| {
            let id = InstanceId::try_from_i64(i64::try_from(key).ok()?)?;
            Some(Gd::<CollisionObject2D>::try_from_instance_id(id).ok()?.get_rid().to_u64())
        };
        self.attached = keys.iter().filter_map(body).collect();
    }

    /// These bodies are around: rigid ones that the core lets it push go through what is `met` of it, and characters who meet that are none of the core's.
    /// But what comes down on a character would be pushed out by the engine into the ground: those that are `under` it, as it is told whether it was so before, are met in the core.
    /// If these are others than before: those who were it before.
    pub fn meet(
        &mut self,
        neighbours: &[Neighbour],
        at: &Meeting,
        met: Option<&mut dyn Meets>,
        under: impl Fn(&Neighbour, bool) -> bool,
    ) -> Option<Vec<u64>> {
        let &Meeting { layer, mask, near } = at;
        let sort = |list: &mut Vec<u64>| {
            list.sort_unstable();
            list.dedup();
        };
        let room = &mut self.room;
        room.clear();
        room.extend_from_slice(&self.attached);
        let pushed = |body: &&Neighbour| {
            body.rigid && body.mask & layer != 0 && body.layers & mask != 0 && near.overlaps(&body.bounds)
        };
        room.extend(neighbours.iter().filter(pushed).map(|body| body.rid));
        let before = std::mem::take(&mut self.beneath);
        let walks = |body: &&Neighbour| !body.rigid && body.mask & layer != 0;
        let is_under = |body: &&Neighbour| {
            body.layers & mask != 0 && near.overlaps(&body.bounds) && under(body, before.contains(&body.key))
        };
        for body in neighbours.iter().filter(walks).filter(is_under) {
            room.push(body.rid);
            self.beneath.push(body.key);
        }
        sort(room);
        let around = || neighbours.iter().filter(|body| near.overlaps(&body.bounds));
        if let Some(met) = met {
            met.except(room);
            room.extend(around().map(|body| body.rid));
            sort(room);
            met.keep_clear(room);
        }
        self.near.clear();
        self.near.extend(around().map(|body| body.key));
        sort(&mut self.near);
        room.clear();
        let beneath = &self.beneath;
        room.extend(neighbours.iter().filter(walks).map(|body| body.key).filter(|key| !beneath.contains(key)));
        sort(room);
        if *room == self.walkers {
            return None;
        }
        Some(std::mem::replace(&mut self.walkers, std::mem::take(room)))
    }
}
