//! Rigid bodies that yield, among what a soft body touches.

use super::SoftBody;
use super::collide::Collision;
use crate::collide::Colliders;
use crate::contact::near::Carrier;
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
            nearby.carriers.push(Carrier::new(index, rigid, collider, &self.frame));
        }
    }

    /// Takes down, at the end of a tick, which of them it touches; whether one of them is awake.
    pub(super) fn note_pushed(&mut self, rigids: &[Rigid]) -> bool {
        let Collision { nearby, contacts, pushed, .. } = &mut self.collision;
        pushed.clear();
        let mut awake = false;
        for contact in contacts.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            let Some(rigid) = nearby.carrier_of(contact.near).and_then(|carrier| rigids.get(carrier.rigid)) else {
                continue;
            };
            awake |= !rigid.sleeping;
            if !pushed.contains(&rigid.key) {
                pushed.push(rigid.key);
            }
        }
        awake
    }

    /// Calls `visit` with the key of each rigid body that yields and that it touched when it was simulated last.
    pub fn for_each_pushed(&self, visit: &mut dyn FnMut(u64)) {
        self.collision.pushed.iter().for_each(|&key| visit(key));
    }
}
