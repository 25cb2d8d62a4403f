//! Contacts: where points and the pieces between them touch colliders in a substep.
//!
//! - this file: a contact, and what is remembered of it
//! - [`near`]: which colliders a body can touch in a tick
//! - [`meet`]: where it touches them in a substep
//! - [`surface`]: friction and bounce
//! - [`itself`]: a chain that touches itself
//!
//! A point touches a face or a corner; a piece between two points touches a corner. Everything a convex polygon can do to a chain is made of
//! these. Nothing passes through anything within a substep: the way of a point that is fast for its thickness is traced, and a corner
//! that was on one side of a piece at the start of the substep stays there.

pub mod itself;
pub mod meet;
pub mod near;
pub mod surface;

use crate::points::Points;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// How deep in px a contact may stay: what is resting touches, and does not come and go.
pub const SLOP: f32 = 0.005;

/// What of a collider is touched, relative to the body's frame, at the end of the substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle {
    /// By a point: all that is below a line along `normal`.
    Face {
        /// Unit vector out of it.
        normal: Vec2,
        /// How far the touching point is from the origin at least, along the normal.
        offset: f32,
    },
    /// By a point: all that is near a corner.
    Corner {
        /// Where.
        corner: Vec2,
        /// How near it may come.
        radius: f32,
    },
    /// By a piece between two points: a corner beside it.
    Beside {
        /// Where.
        corner: Vec2,
        /// 1 if the corner is on the right of the piece as it goes from its first to its second point, with y down; otherwise -1.
        side: f32,
        /// How near it may come.
        radius: f32,
    },
}

/// A point, or a place between it and the next, that touches a collider or may do so in this substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The point, or the first point of the piece.
    pub point: usize,
    /// Whether it is the piece that touches, and not the point.
    pub between: bool,
    /// What it touches.
    pub obstacle: Obstacle,
    /// The place on the piece, 0 to 1; 0 for a point.
    pub part: f32,
    /// Unit vector out of the collider.
    pub normal: Vec2,
    /// How far it is away, in px; negative: it is too deep.
    pub gap: f32,
    /// How deep it is left for now: what has begun too deep comes out little by little.
    pub allowed: f32,
    /// The part of that for want of room between two surfaces.
    pub squeezed: f32,
    /// How the collider's surface moves there in this substep, in px.
    pub drift: Vec2,
    /// Friction and bounce of both surfaces.
    pub friction: f32,
    /// See `friction`.
    pub bounce: f32,
    /// How hard it is pushed out, in kg px as [`crate::chain::ChainSolver::pulls`].
    pub push: f32,
    /// How hard it is dragged along the surface, in the same unit: positive along the normal turned to the right.
    pub drag: f32,
    /// How far what is touched gives way when it is pushed, and when it is dragged: inverse masses in 1/kg; 0: it does not.
    pub give: [f32; 2],
    /// It takes part in solving.
    pub active: bool,
    /// It touched in the last substep too.
    pub lasting: bool,
    /// It was found in the last look at the solution.
    pub missed: bool,
    /// How fast it approached, in px a substep.
    pub approach: f32,
    /// From where to where the face goes, along the normal turned to the right; nowhere if that is not known.
    pub range: [f32; 2],
    /// Which of the near pieces it touches.
    pub near: usize,
    /// What tells it from the others of the body.
    pub id: u64,
}

/// What is remembered of a contact from substep to substep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    id: u64,
    /// Force along the surface, in kg px/s2.
    drag: f32,
}

impl Memory {
    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        self.drag.is_finite()
    }

    /// The same without what tells it from others, which differs between runs.
    pub fn anonymous(&self) -> Memory {
        Memory { id: 0, ..*self }
    }
}

impl Contact {
    /// Takes down where it is now, and how near.
    pub fn measure(&mut self, x: &[f32], y: &[f32]) {
        let at = |i: usize| Vec2::new(x[i], y[i]);
        let a = at(self.point);
        match self.obstacle {
            Obstacle::Face { normal, offset } => {
                self.normal = normal;
                self.gap = normal.dot(a) - offset;
            }
            Obstacle::Corner { corner, radius } => {
                let away = a - corner;
                let distance = away.length();
                if distance > f32::MIN_POSITIVE {
                    self.normal = away / distance;
                }
                self.gap = distance - radius;
            }
            Obstacle::Beside { corner, side, radius } => {
                let piece = at(self.point + 1) - a;
                let length = piece.length().max(f32::MIN_POSITIVE);
                let along = piece / length;
                self.part = ((corner - a).dot(along) / length).clamp(0.0, 1.0);
                self.normal = along.perp() * -side;
                self.gap = along.perp_dot(corner - a) * side - radius;
            }
        }
        self.gap += self.allowed + self.push * self.give[0];
    }

    /// How much of it each of its two points carries.
    pub fn shares(&self) -> [f32; 2] {
        [1.0 - self.part, self.part]
    }

    /// The direction along the surface.
    pub fn tangent(&self) -> Vec2 {
        self.normal.perp()
    }

    /// What it sets against being moved, inverse: 1/kg.
    pub fn inv_mass(&self, inv_mass: &[f32]) -> f32 {
        let [first, second] = self.shares();
        let next = if self.between { inv_mass[self.point + 1] } else { 0.0 };
        first * first * inv_mass[self.point] + second * second * next
    }

    /// The value at its place of what the points have.
    pub fn at(&self, values: impl Fn(usize) -> Vec2) -> Vec2 {
        let [first, second] = self.shares();
        if self.between { values(self.point) * first + values(self.point + 1) * second } else { values(self.point) }
    }

    /// Moves its points by an impulse of `strength` (kg px) along `direction`; the way becomes part of their velocity.
    pub fn shove(&self, points: &mut Points, direction: Vec2, strength: f32) {
        for (i, share) in self.carriers() {
            let way = direction * (strength * share * points.inv_mass[i]);
            points.move_to(i, points.position(i) + way);
        }
    }

    /// Changes the way of its points in the last substep by an impulse of `strength` (kg px) along `direction`, and nothing else.
    pub fn kick(&self, points: &mut Points, direction: Vec2, strength: f32) {
        for (i, share) in self.carriers() {
            let way = direction * (strength * share * points.inv_mass[i]);
            points.set_way(i, points.way(i) + way);
        }
    }

    /// The points that carry it, and how much of it each.
    fn carriers(&self) -> impl Iterator<Item = (usize, f32)> {
        [self.point, self.point + 1].into_iter().zip(self.shares()).take(1 + usize::from(self.between))
    }
}
