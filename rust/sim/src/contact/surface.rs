//! Friction and bounce.
//!
//! Friction is Coulomb's: along the surface a contact is dragged as hard as needed to stay where it is on the surface, but not harder than
//! its friction times how hard it is pushed. The drag is remembered from substep to substep, so what lies on a slope finds the drag that holds
//! it and stays (warm starting; E. Catto 2005).

use super::{Contact, meet::Contacts};
use crate::points::Points;
use glam::Vec2;

/// Drags that move points by less than this in px a substep are as good as none.
const FINE: f32 = 2e-4;
/// A slower approach than this in px/s does not bounce.
const SOFTEST_BOUNCE: f32 = 12.0;

impl Contacts {
    /// Takes the drags, which are forces, as impulses of this substep; `factor` is what a step adds to a position for an acceleration of 1.
    pub fn use_forces(&mut self, factor: f32) {
        self.list.iter_mut().for_each(|contact| contact.drag *= factor);
    }

    /// Drags the points.
    pub fn drag(&self, points: &mut Points) {
        for contact in self.list.iter().filter(|contact| contact.active && contact.drag != 0.0) {
            contact.shove(points, contact.tangent(), contact.drag);
        }
    }

    /// Brings the drags to what holds the contacts where they are on the surfaces, as far as their friction goes. `slid` holds the points after
    /// solving, and `points` before: these are moved by what changes. True if that is worth solving again.
    pub fn rub(&mut self, points: &mut Points, slid: [&[f32]; 2]) -> bool {
        let mut changed = false;
        for contact in self.list.iter_mut() {
            let most = contact.friction * contact.push.max(0.0);
            let wanted = if contact.active {
                let inv_mass = contact.inv_mass(&points.inv_mass);
                let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
                let way = contact.at(|i| Vec2::new(slid[0][i], slid[1][i]) - start(i));
                let slip = (way - contact.drift).dot(contact.tangent());
                (contact.drag - slip / inv_mass.max(f32::MIN_POSITIVE)).clamp(-most, most)
            } else {
                0.0
            };
            let change = wanted - contact.drag;
            if change == 0.0 {
                continue;
            }
            contact.drag = wanted;
            contact.shove(points, contact.tangent(), change);
            changed |= change.abs() * contact.inv_mass(&points.inv_mass) > FINE;
        }
        changed
    }

    /// Gives what has struck a surface in this substep of `h` seconds its speed away from it, and what was pushed out of the deep none.
    pub fn bounce(&self, points: &mut Points, h: f32) {
        for contact in self.list.iter().filter(|contact| contact.active && contact.push > 0.0) {
            let leaves = contact.at(|i| points.way(i)) - contact.drift;
            let leaves = leaves.dot(contact.normal);
            let wanted = if contact.lasting {
                leaves.min(0.0)
            } else if contact.approach > SOFTEST_BOUNCE * h {
                contact.bounce * contact.approach
            } else {
                0.0
            };
            let inv_mass = contact.inv_mass(&points.inv_mass);
            if leaves != wanted && inv_mass > 0.0 && (!contact.lasting || contact.allowed > 0.0) {
                contact.kick(points, contact.normal, (wanted - leaves) / inv_mass);
            }
        }
    }
}

/// With what impulse a contact struck in a substep of `h` seconds, in kg px/s; 0: it only lasts.
pub fn impact(contact: &Contact, inv_mass: &[f32], h: f32) -> f32 {
    let strikes = contact.active && contact.push > 0.0 && !contact.lasting && contact.approach > SOFTEST_BOUNCE * h;
    let mass = contact.inv_mass(inv_mass);
    if strikes && mass > 0.0 { (1.0 + contact.bounce) * contact.approach / (mass * h) } else { 0.0 }
}
