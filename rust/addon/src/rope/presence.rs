//! A rope's presence: its links as capsules, where they will be after the tick.

use super::VerletRope2D;
use super::body::RopeBody;
use crate::contacts::layer_bit;
use crate::convert::vector2;
use crate::world::{
    Company, FASTEST_RISE, Form, Manner, Meeting, Meets, Neighbour, Piece, Presence, Stage, Tread, fill_loads, lock,
    move_on, neighbourhood, velocity_at,
};
use godot::classes::Node2D;
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::rope::{Load, MOST_CHARACTER_MASS};

/// The most pieces: a rope of more links has several in one.
const MOST_PIECES: usize = 256;
/// Who stands on a piece stands on so many beside it, too.
const BESIDE: usize = 2;

/// What a rope is for others.
#[derive(Default)]
pub struct Present {
    presence: Option<Presence>,
    /// Where the points will be, and where they were shown last.
    points: Vec<Vec2>,
    shown: Vec<Vec2>,
    velocities: Vec<Vec2>,
    /// What characters have done to it in the last tick.
    treads: Vec<Tread>,
    loads: Vec<Load>,
    /// Who is near.
    pub company: Company,
}

impl RopeBody {
    /// Shows the engine where it will be after this tick.
    pub(super) fn publish(&self, node: &Gd<Node2D>, stage: &Stage) {
        let idle = self.flags.is_idle();
        if idle || lock(&self.rope).is_fresh() {
            self.catch_up(|| node.get_global_transform());
        }
        let rope = lock(&self.rope);
        let collision = rope.settings().collision;
        let present = &mut *lock(&self.present);
        if collision.layer == 0 {
            drop(rope);
            self.flags.present.store(false, Relaxed);
            self.flags.unsorted.store(true, Relaxed);
            *present = Present::default();
            return;
        }
        let still = idle || rope.is_sleeping();
        let ahead = if still { 0.0 } else { stage.delta };
        present.points.clear();
        present.points.extend((0..rope.point_count()).map(|i| rope.position(i) + rope.velocity(i) * ahead));
        let radius = rope.surface_radius();
        drop(rope);
        if present.points.iter().any(|point| !point.is_finite()) {
            return;
        }
        let material = (collision.friction, collision.bounce);
        present.show(
            node.instance_id(),
            Manner { space: stage.space, layer: collision.layer, material },
            radius,
            stage,
        );
    }

    /// It is not there any more.
    pub(super) fn withdraw(&self) {
        let present = std::mem::take(&mut *lock(&self.present));
        drop(present);
    }

    /// These bodies are around: rigid ones that the core lets it push go through the presence, and characters who meet the presence are none of
    /// the core's.
    pub(super) fn meet_neighbours(&self, neighbours: &[Neighbour]) {
        let rope = lock(&self.rope);
        let (layer, mask) = (rope.settings().collision.layer, rope.settings().collision.mask);
        let reach = rope.reach(0.0);
        drop(rope);
        let at = Meeting { layer, mask, near: neighbourhood(&reach) };
        let mut guard = lock(&self.present);
        let Present { company, presence, .. } = &mut *guard;
        let met = presence.as_mut().map(|presence| presence as &mut dyn Meets);
        if let Some(before) = company.meet(neighbours, &at, met, |_, _| false) {
            let now = company.walkers.clone();
            drop(guard);
            self.exchange_walkers(&before, &now);
        }
    }

    /// These bodies, by their keys, are let through because they hold it, or the user says so.
    pub(super) fn note_attached(&self, keys: &[u64]) {
        lock(&self.present).company.note_attached(keys);
    }

    /// These stand on it and run against it.
    pub(super) fn bear(&self, treads: &[Tread]) {
        let mut rope = lock(&self.rope);
        let mass = rope.settings().collision.character_mass;
        let present = &mut *lock(&self.present);
        present.treads.clear();
        present.treads.extend_from_slice(treads);
        fill_loads(treads, mass, &mut present.loads);
        let slept = rope.is_sleeping();
        rope.bear(&present.loads);
        if slept && !rope.is_sleeping() {
            self.flags.touched.store(true, Relaxed);
        }
    }
}

impl Present {
    fn show(&mut self, owner: InstanceId, manner: Manner, radius: f32, stage: &Stage) {
        let links = self.points.len() - 1;
        let stride = links.div_ceil(MOST_PIECES);
        let count = links.div_ceil(stride);
        let presence = self.presence.get_or_insert_with(|| Presence::new(owner, manner));
        presence.behave(manner);
        let Present { points, shown, velocities, treads, .. } = self;
        let ends = |index: usize| (index * stride, ((index + 1) * stride).min(links));
        // Without a way from where they were, points are as if at rest; how they move is told in the next tick.
        if shown.len() != points.len() || presence.len() != count {
            presence.resize(count, |index| {
                let (from, to) = ends(index);
                piece((points[from], Vec2::ZERO), (points[to], Vec2::ZERO), radius)
            });
            shown.clone_from(points);
        }
        move_on(shown, points, velocities, stage.delta);
        for index in 0..count {
            let (from, to) = ends(index);
            let mut piece = piece((shown[from], velocities[from]), (shown[to], velocities[to]), radius);
            // Where nobody stands a rope swings back fast, and would throw whom it strikes, however heavy.
            let beside = |tread: &&Tread| {
                (index.saturating_sub(BESIDE)..=index + BESIDE).any(|near| presence.is_body(near, tread.piece))
            };
            let up = vector2(stage.up);
            match treads.iter().find(beside) {
                None => piece.velocity -= up * piece.velocity.dot(up).max(0.0),
                Some(tread) => {
                    let feet = || treads.iter().filter(|other| other.piece != 0 && other.load.key == tread.load.key);
                    let sum: Vec2 = feet().map(|foot| velocity_at(shown, velocities, foot.load.at)).sum();
                    let carried = vector2(sum / feet().count().max(1) as f32);
                    if presence.is_body(index, tread.piece) {
                        // Who walks downhill is taken along downwards: the engine alone lets it walk off into the air, and fall back.
                        piece.velocity = carried + vector2(tread.descent);
                    }
                    let most = carried.dot(up).clamp(0.0, FASTEST_RISE);
                    piece.velocity -= up * (piece.velocity.dot(up) - most).max(0.0);
                }
            }
            presence.show(index, piece);
        }
        presence.done();
    }
}

/// The capsule around a piece of rope whose ends move so.
fn piece((from, from_velocity): (Vec2, Vec2), (to, to_velocity): (Vec2, Vec2), radius: f32) -> Piece {
    let line = to - from;
    let velocity = 0.5 * (from_velocity + to_velocity);
    Piece {
        form: Form::capsule(line.length(), radius),
        place: vector2(0.5 * (from + to)),
        angle: line.to_angle(),
        velocity: vector2(velocity),
    }
}

impl VerletRope2D {
    pub(super) fn change_layer(&mut self, layer: u32) {
        self.set(|settings| settings.collision.layer = layer);
        self.follow_layer();
    }

    /// The world step looks whether it is there for others.
    pub(super) fn follow_layer(&mut self) {
        self.body.flags.present.fetch_or(self.collision_settings().layer != 0, Relaxed);
        self.body.flags.unsorted.store(true, Relaxed);
    }

    pub(super) fn change_layer_value(&mut self, layer: i32, value: bool) {
        let callee = self.callee("set_collision_layer_value()");
        let Some(bit) = layer_bit(&callee, layer) else { return };
        let layers = self.collision_settings().layer;
        self.change_layer(if value { layers | bit } else { layers & !bit });
    }

    pub(super) fn layer_value(&self, layer: i32) -> bool {
        let bit = layer_bit(&self.callee("get_collision_layer_value()"), layer);
        bit.is_some_and(|bit| self.collision_settings().layer & bit != 0)
    }

    pub(super) fn change_character_mass(&mut self, mass: f64) {
        let Some(mass) = self.callee("character_mass").number(mass, 0.0..=MOST_CHARACTER_MASS) else { return };
        self.set(|settings| settings.collision.character_mass = mass);
    }
}
