//! Places that push at each other, and how hard.
//!
//! Each push is found in turn, again and again: not negative along the normal, along the surface within the cone of friction (projected Gauss-Seidel), beginning with those of the
//! last substep. How places move for pushes is what the bodies [respond](super::response).

use super::response::{Place, Response};
use super::strand::{Reply, Stretch};
use crate::island::Rigid;
use glam::Vec2;

/// A change in px that ends the rounds.
const FINE: f32 = 1e-4;

/// What is on the other side of a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Other {
    /// What goes its way whatever pushes at it.
    #[default]
    Still,
    /// A rigid body that yields, by its index, at a place `arm` beside its centre of mass.
    Rigid { rigid: usize, arm: Vec2 },
    /// Another body.
    Soft { body: usize, place: Place },
    /// A rope of the pile, by its number.
    Strand { strand: usize, place: Stretch },
}

/// Two places that push at each other, or a place and a hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// The body, by its index, and the place on it.
    pub body: usize,
    pub place: Place,
    pub other: Other,
    /// Unit vector towards the body.
    pub normal: Vec2,
    /// How far it is from where it is wanted: along the normal (negative: too deep), and along the surface.
    pub gap: f32,
    pub slip: f32,
    pub friction: f32,
    /// It may also hold back.
    pub holds: bool,
    /// The most force of a hand, in kg px; 0: any. None: it is no hand.
    pub hand: Option<f32>,
    /// The push that has been applied, and what is found besides, in kg px.
    pub push: Vec2,
    pub more: Vec2,
    /// How far a push of 1 moves it along the normal, along the surface, and at least.
    pub(super) gives: [f32; 3],
}

/// How a rigid body is moved by what was found, and by what.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pushed {
    moved: Vec2,
    turned: f32,
    pub impulse: Vec2,
    pub twist: f32,
}

impl Pushed {
    /// As it is moved by what has pulled at it in this substep.
    pub fn new(rigid: &Rigid) -> Pushed {
        let (moved, turned) = rigid.pulled_way();
        Pushed { moved, turned, ..Pushed::default() }
    }
}

/// What rows push at. The bodies are those from the index `first` on.
pub(super) struct Field<'a> {
    pub first: usize,
    pub bodies: &'a mut [Response],
    pub rigids: &'a [Rigid],
    pub pushed: &'a mut [Pushed],
    pub strands: &'a mut [Reply],
}

impl<'a> Field<'a> {
    /// One body by itself.
    pub fn alone(body: &'a mut Response) -> Field<'a> {
        let bodies = std::slice::from_mut(body);
        Field { first: 0, bodies, rigids: &[], pushed: &mut [], strands: &mut [] }
    }
}

impl Row {
    /// Finds the places among those that their bodies know.
    pub fn resolve(&mut self, field: &Field) {
        let Field { first, bodies, rigids, strands, .. } = field;
        bodies[self.body - first].resolve(&mut self.place);
        if let Other::Soft { body, place } = &mut self.other {
            bodies[*body - first].resolve(place);
        }
        let give = |direction: Vec2| {
            let other = match &self.other {
                Other::Still => 0.0,
                Other::Rigid { rigid, arm } => {
                    let (moved, turned) = rigids[*rigid].way(direction, arm.perp_dot(direction));
                    (moved + arm.perp() * turned).dot(direction)
                }
                Other::Soft { place, .. } => place.give(direction),
                Other::Strand { strand, place } => strands[*strand].give(place),
            };
            (self.place.give(direction) + other).max(f32::MIN_POSITIVE)
        };
        let along = if self.hand.is_some() {
            [give(Vec2::X), give(Vec2::Y)]
        } else {
            [give(self.normal), give(self.normal.perp())]
        };
        self.gives = [along[0], along[1], along[0].min(along[1])];
    }

    /// Whether anything gives way.
    pub fn gives(&self) -> bool {
        self.place.gives()
            || match &self.other {
                Other::Still => false,
                Other::Rigid { .. } => true,
                Other::Soft { place, .. } => place.gives(),
                Other::Strand { place, .. } => place.gives(),
            }
    }

    /// How far its places are moved from each other by what was found.
    fn moved(&self, field: &Field) -> Vec2 {
        let other = match &self.other {
            Other::Still => Vec2::ZERO,
            Other::Rigid { rigid, arm } => {
                let pushed = &field.pushed[*rigid];
                pushed.moved + arm.perp() * pushed.turned
            }
            Other::Soft { body, place } => field.bodies[body - field.first].moved(place),
            Other::Strand { strand, place } => field.strands[*strand].moved(place),
        };
        field.bodies[self.body - field.first].moved(&self.place) - other
    }

    /// How far apart its places are to get in this substep, if it pushes, in px.
    pub fn wanted(&self) -> f32 {
        if self.push + self.more == Vec2::ZERO {
            0.0
        } else if self.hand.is_some() {
            Vec2::new(self.gap, self.slip).length()
        } else {
            let slides = if self.friction > 0.0 { self.slip.abs() } else { 0.0 };
            slides.max(-self.gap)
        }
    }

    /// Finds its places, and begins, if it is the first time in a substep, with what pushed in the last one.
    pub fn begin(&mut self, field: &mut Field, first: bool) {
        self.resolve(field);
        if first && self.push != Vec2::ZERO {
            let push = std::mem::take(&mut self.push);
            self.shove(field, push);
        }
    }

    /// Pushes more.
    fn shove(&mut self, field: &mut Field, push: Vec2) {
        self.more += push;
        if self.place.gives() {
            field.bodies[self.body - field.first].push(&self.place, push);
        }
        match &self.other {
            Other::Still => (),
            Other::Rigid { rigid, arm } => {
                let twist = -arm.perp_dot(push);
                let (moved, turned) = field.rigids[*rigid].way(-push, twist);
                let pushed = &mut field.pushed[*rigid];
                pushed.moved += moved;
                pushed.turned += turned;
                pushed.impulse -= push;
                pushed.twist += twist;
            }
            Other::Soft { body, place } => {
                if place.gives() {
                    field.bodies[body - field.first].push(place, -push);
                }
            }
            Other::Strand { strand, place } => field.strands[*strand].push(place, -push),
        }
    }

    /// Finds its push anew; by how many px that moves it.
    pub fn solve(&mut self, field: &mut Field) -> f32 {
        if !self.gives() {
            return 0.0;
        }
        let moved = self.moved(field);
        let total = self.push + self.more;
        let [own, along, least] = self.gives;
        let change = match self.hand {
            Some(most) => {
                let wanted = total + (Vec2::new(self.gap, self.slip) - moved) / own.max(along);
                let wanted = if most > 0.0 { wanted.clamp_length_max(most) } else { wanted };
                wanted - total
            }
            None => {
                let tangent = self.normal.perp();
                let (push, drag) = (total.dot(self.normal), total.dot(tangent));
                let push_wanted = push - (self.gap + moved.dot(self.normal)) / own;
                let push_wanted = if self.holds { push_wanted } else { push_wanted.max(0.0) };
                let most = self.friction * push_wanted;
                let drag_wanted = (drag - (self.slip + moved.dot(tangent)) / along).max(-most).min(most);
                self.normal * (push_wanted - push) + tangent * (drag_wanted - drag)
            }
        };
        if change == Vec2::ZERO || !change.is_finite() {
            return 0.0;
        }
        self.shove(field, change);
        change.length() * least
    }
}

/// Finds the pushes, one after the other, or from the last to the first; the farthest that one has moved in px.
pub(super) fn sweep<'a>(rows: impl DoubleEndedIterator<Item = &'a mut Row>, back: bool, field: &mut Field) -> f32 {
    let solve = |most: f32, row: &mut Row| most.max(row.solve(field));
    if back { rows.rev().fold(0.0, solve) } else { rows.fold(0.0, solve) }
}

/// The farthest that anything is to get in a substep by what was found, in px.
pub(super) fn farthest<'a>(rows: impl Iterator<Item = &'a Row>) -> f32 {
    rows.map(Row::wanted).fold(0.0, f32::max)
}

/// Finds the pushes, in so many rounds at most.
pub(super) fn solve(rows: &mut [Row], field: &mut Field, rounds: usize) {
    for _ in 0..rounds {
        if sweep(rows.iter_mut(), false, field) < FINE {
            break;
        }
    }
}
