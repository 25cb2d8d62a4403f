//! What several bodies hold on to is solved for at once.
//!
//! Every pull `p_i` at a rigid body moves it by `y = M^-1 sum(j_i p_i)`, with the row `j_i` of the pull. A chain answers to that linearly: `C p + j . y = e`, where `C` is how
//! much it gives by itself, a small matrix for each chain. Without the bodies that is `(C + J M^-1 J^T) p = e`, symmetric and positive: solved by conjugate gradients (M.
//! Hestenes, E. Stiefel 1952), beginning with the pulls that each found by itself.

use super::{Member, Rigid};
use glam::{DVec3, Vec3};

/// The most steps, and the part of the first error that ends it.
const MOST_STEPS: usize = 100;
const TOLERANCE: f64 = 1e-5;
/// How soft every hold is besides, as a part of what is held. Loads are even then where nothing else tells them apart.
const SOFT: f64 = 0.1;

/// A pull at a rigid body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grip {
    /// The body's index.
    pub rigid: usize,
    /// How the pull moves along itself when the body's centre of mass moves by 1 along x and y, and when it turns by 1.
    pub row: Vec3,
    /// How hard it pulls, in kg px.
    pub pull: f64,
    /// What pulls it, for what it gives: `e`.
    pub excess: f64,
    /// How much the body gives along it by itself: `j M^-1 j`; how soft it is held besides.
    give: f64,
    soft: f64,
    error: f64,
    way: f64,
    answer: f64,
}

/// All pulls of a body that is coupled.
#[derive(Clone, Debug, Default)]
pub struct Grips {
    /// The pulls.
    pub list: Vec<Grip>,
    /// How much each gives by itself for the pulls of all, row by row: `C`.
    pub soft: Vec<f64>,
}

impl Grip {
    /// A pull at a rigid body, as hard as it was found by itself.
    pub fn new(rigid: usize, row: Vec3, pull: f64) -> Grip {
        Grip { rigid, row, pull, ..Grip::default() }
    }
}

impl Grips {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.soft.clear();
    }

    /// How much `i` gives for what `value` says of each.
    fn gives(&self, i: usize, value: impl Fn(&Grip) -> f64) -> f64 {
        let count = self.list.len();
        let own = self.list[i].soft * value(&self.list[i]);
        own + self.list.iter().zip(&self.soft[i * count..]).map(|(grip, soft)| soft * value(grip)).sum::<f64>()
    }
}

/// Solves for all grips of the `members`, and pulls at the bodies with what was found.
pub fn balance(members: &mut [&mut &mut dyn Member], rigids: &mut [Rigid]) {
    // Two grips at least that share a body, or there is nothing to be found.
    if !rigids.iter().any(|rigid| rigid.holds() > 1) {
        pull(members, rigids);
        return;
    }
    // With what pulls at the bodies besides.
    rigids.iter_mut().for_each(|rigid| rigid.answer = rigid.respond(rigid.pull.extend(rigid.twist).as_dvec3()));
    for member in &mut *members {
        for grip in &mut member.grips().list {
            let rigid = &rigids[grip.rigid];
            grip.give = rigid.respond(grip.row.as_dvec3()).dot(grip.row.as_dvec3());
            grip.soft = SOFT * f64::from(rigid.inv_mass);
            grip.excess -= rigid.answer.dot(grip.row.as_dvec3());
        }
    }
    apply(members, rigids, |grip| grip.pull);
    let mut error = 0.0;
    for_each(members, |grip| {
        grip.error = grip.excess - grip.answer;
        grip.way = grip.error / weight(grip);
        error += grip.error * grip.way;
    });
    let enough = error * TOLERANCE * TOLERANCE;
    for _ in 0..MOST_STEPS {
        if error.is_nan() || error <= enough.max(f64::MIN_POSITIVE) {
            break;
        }
        apply(members, rigids, |grip| grip.way);
        let mut slope = 0.0;
        for_each(members, |grip| slope += grip.way * grip.answer);
        if slope.is_nan() || slope <= f64::MIN_POSITIVE {
            break;
        }
        let (length, mut next) = (error / slope, 0.0);
        for_each(members, |grip| {
            grip.pull += length * grip.way;
            grip.error -= length * grip.answer;
            next += grip.error * grip.error / weight(grip);
        });
        let turn = next / error;
        for_each(members, |grip| grip.way = grip.error / weight(grip) + turn * grip.way);
        error = next;
    }
    pull(members, rigids);
}

/// What a grip's own pull is scaled by.
fn weight(grip: &Grip) -> f64 {
    grip.give.max(f64::MIN_POSITIVE)
}

fn for_each(members: &mut [&mut &mut dyn Member], mut visit: impl FnMut(&mut Grip)) {
    members.iter_mut().for_each(|member| member.grips().list.iter_mut().for_each(&mut visit));
}

/// How all holds and bodies give to what `value` says of each grip.
fn apply(members: &mut [&mut &mut dyn Member], rigids: &mut [Rigid], value: impl Fn(&Grip) -> f64) {
    rigids.iter_mut().for_each(|rigid| rigid.answer = DVec3::ZERO);
    for_each(members, |grip| rigids[grip.rigid].answer += grip.row.as_dvec3() * value(grip));
    rigids.iter_mut().for_each(|rigid| rigid.answer = rigid.respond(rigid.answer));
    for member in &mut *members {
        let grips = member.grips();
        for i in 0..grips.list.len() {
            let own = grips.gives(i, &value);
            let grip = &mut grips.list[i];
            grip.answer = own + rigids[grip.rigid].answer.dot(grip.row.as_dvec3());
        }
    }
}

/// Pulls at the bodies.
fn pull(members: &mut [&mut &mut dyn Member], rigids: &mut [Rigid]) {
    for_each(members, |grip| {
        let pull = (grip.row.as_dvec3() * grip.pull).as_vec3();
        rigids[grip.rigid].pull += pull.truncate();
        rigids[grip.rigid].twist += pull.z;
    });
}
