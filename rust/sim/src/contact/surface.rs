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
                let inv_mass = contact.inv_mass(&points.inv_mass) + contact.give[1];
                let start = |i: usize| Vec2::new(points.start_x[i], points.start_y[i]);
                let way = contact.at(|i| Vec2::new(slid[0][i], slid[1][i]) - start(i));
                let slip = (way - contact.drift).dot(contact.tangent()) + contact.drag * contact.give[1];
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
            changed |= change.abs() * (contact.inv_mass(&points.inv_mass) + contact.give[1]) > FINE;
        }
        changed
    }

    /// Gives what has struck a surface in this substep of `h` seconds its speed away from it, and what was pushed out of the deep none.
    pub fn bounce(&mut self, points: &mut Points, h: f32) {
        for contact in self.list.iter_mut().filter(|contact| contact.active && contact.push > 0.0) {
            let leaves = contact.at(|i| points.way(i)) - contact.drift;
            let leaves = leaves.dot(contact.normal) + contact.push * contact.give[0];
            let wanted = if contact.lasting {
                leaves.min(0.0)
            } else if contact.approach > SOFTEST_BOUNCE * h {
                contact.bounce * contact.approach
            } else {
                0.0
            };
            let inv_mass = contact.inv_mass(&points.inv_mass) + contact.give[0];
            if leaves != wanted && inv_mass > 0.0 && (!contact.lasting || contact.allowed > 0.0) {
                let more = (wanted - leaves) / inv_mass;
                contact.kick(points, contact.normal, more);
                if contact.give[0] > 0.0 {
                    contact.push += more;
                }
            }
        }
    }
}

/// With what impulse a contact struck in a substep of `h` seconds, in kg px/s; 0: it only lasts.
pub fn impact(contact: &Contact, inv_mass: &[f32], h: f32) -> f32 {
    let strikes = contact.active && contact.push > 0.0 && !contact.lasting && contact.approach > SOFTEST_BOUNCE * h;
    let mass = contact.inv_mass(inv_mass) + contact.give[0];
    if strikes && mass > 0.0 { (1.0 + contact.bounce) * contact.approach / (mass * h) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Obstacle;

    /// A point of 2 kg that lies on a floor, and is pushed out of it with 4 kg px.
    fn lying() -> (Points, Contact) {
        let mut points = Points::default();
        points.resize(1);
        points.inv_mass[0] = 0.5;
        points.begin();
        let contact = Contact {
            point: 0,
            between: false,
            obstacle: Obstacle::Face { normal: Vec2::NEG_Y, offset: 0.0 },
            part: 0.0,
            normal: Vec2::NEG_Y,
            gap: 0.0,
            allowed: 0.0,
            drift: Vec2::ZERO,
            friction: 0.5,
            bounce: 0.25,
            push: 4.0,
            drag: 0.0,
            give: [0.0; 2],
            active: true,
            lasting: false,
            missed: false,
            squeezed: 0.0,
            approach: 3.0,
            range: [0.0; 2],
            near: 0,
            id: 1,
        };
        (points, contact)
    }

    fn only(contact: Contact) -> Contacts {
        let mut contacts = Contacts::default();
        contacts.list.push(contact);
        contacts
    }

    /// Where a point ends up that would slide by `slid` px over a surface that moves by `drift` px.
    fn rubbed(slid: f32, drift: f32) -> f32 {
        let (mut points, contact) = lying();
        let drift = Vec2::new(drift, 0.0);
        let mut contacts = only(Contact { drift, ..contact });
        points.set_position(0, Vec2::new(slid, 0.0));
        contacts.rub(&mut points, [&[slid], &[0.0]]);
        points.x[0]
    }

    #[test]
    fn friction_holds_as_hard_as_it_is_pushed() {
        assert!(rubbed(0.9, 0.0).abs() < 1e-6, "it stays");
        // 0.5 of 4 kg px move 2 kg by a pixel.
        assert!((rubbed(3.0, 0.0) - 2.0).abs() < 1e-6 && (rubbed(-3.0, 0.0) + 2.0).abs() < 1e-6);
        assert!((rubbed(0.0, 0.4) - 0.4).abs() < 1e-6, "it goes with the surface");
        assert!((rubbed(0.0, 7.0) - 1.0).abs() < 1e-6, "the surface slips away below it");
    }

    #[test]
    fn rubbing_again_changes_nothing_once_it_holds() {
        let (mut points, contact) = lying();
        let mut contacts = only(contact);
        points.set_position(0, Vec2::new(0.9, 0.0));
        assert!(contacts.rub(&mut points, [&[0.9], &[0.0]]));
        assert!(!contacts.rub(&mut points, [&[0.0], &[0.0]]));
        contacts.list[0].active = false;
        assert!(contacts.rub(&mut points, [&[0.0], &[0.0]]), "what does not touch is let go");
        assert_eq!(contacts.list[0].drag, 0.0);
    }

    #[test]
    fn only_what_strikes_bounces() {
        let h = 1.0 / 240.0;
        let leaves = |change: fn(&mut Contact)| {
            let (mut points, mut contact) = lying();
            change(&mut contact);
            points.set_way(0, Vec2::new(1.0, 0.5));
            only(contact).bounce(&mut points, h);
            points.way(0)
        };
        assert_eq!(leaves(|_| {}), Vec2::new(1.0, -0.75), "a quarter of 3 px");
        assert_eq!(leaves(|contact| contact.approach = SOFTEST_BOUNCE / 250.0), Vec2::new(1.0, 0.0), "too soft");
        assert_eq!(leaves(|contact| contact.lasting = true), Vec2::new(1.0, 0.5), "it lies");
        assert_eq!(leaves(|contact| contact.push = 0.0), Vec2::new(1.0, 0.5), "it is only near");
    }

    #[test]
    fn an_impact_is_the_change_of_momentum() {
        let (points, contact) = lying();
        // 2 kg come with 720 px/s and leave with a quarter of it.
        assert!((impact(&contact, &points.inv_mass, 1.0 / 240.0) - 1800.0).abs() < 1e-2);
        assert_eq!(impact(&Contact { lasting: true, ..contact }, &points.inv_mass, 1.0 / 240.0), 0.0);
        assert_eq!(impact(&contact, &[0.0], 1.0 / 240.0), 0.0, "what is held feels nothing");
    }
}
