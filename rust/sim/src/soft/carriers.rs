//! Rigid bodies that yield, among what a soft body touches.

use super::SoftBody;
use crate::collide::Colliders;
use crate::contact::near::{Carried, Carrier, Turn};
use crate::island::Rigid;

impl SoftBody {
    /// Finds out, at the beginning of a tick, which rigid bodies it pushes when it touches them.
    pub(super) fn couple(&mut self, colliders: Option<&Colliders>, rigids: &[Rigid]) {
        let nearby = &mut self.collision.nearby;
        nearby.carriers.clear();
        let Some(colliders) = colliders.filter(|_| self.settings.collision.push_bodies && !rigids.is_empty()) else {
            return nearby.pieces.iter_mut().for_each(|near| near.carrier = None);
        };
        for near in &mut nearby.pieces {
            near.carrier = None;
            let collider = &colliders.all()[near.collider];
            let Ok(index) = rigids.binary_search_by_key(&collider.key.body, |rigid| rigid.key) else { continue };
            let rigid = &rigids[index];
            if rigid.inv_mass <= 0.0 {
                continue;
            }
            near.still = false;
            near.carrier = Some(nearby.carriers.len());
            let carried = Carried {
                center: self.frame.to_local(rigid.center),
                arm: collider.from.origin - rigid.center,
                angle: collider.from.angle,
            };
            nearby.carriers.push(Carrier { rigid: index, carried, begin: Turn::default(), end: Turn::default() });
        }
    }

    /// Takes down how they move in this substep.
    pub(super) fn carry_nearby(&mut self, rigids: &[Rigid]) {
        for carrier in &mut self.collision.nearby.carriers {
            let rigid = &rigids[carrier.rigid];
            carrier.begin = carrier.carried.at(&rigid.start);
            carrier.end = carrier.carried.at(&rigid.now);
        }
    }
}
