//! A rope's presence: its links as capsules, where they will be after the tick.

use super::VerletRope2D;
use super::body::RopeBody;
use crate::contacts::layer_bit;
use crate::convert::vector2;
use crate::world::{Form, Manner, Neighbour, Piece, Presence, Stage, Tread, lock};
use godot::classes::{CollisionObject2D, Node2D};
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::rope::{Load, MOST_CHARACTER_MASS};

/// The most pieces: a rope of more links has several in one.
const MOST_PIECES: usize = 256;
/// What has moved by less than this in px stays where it was shown.
const STILL: f32 = 0.25;
/// The rope carries what stands on it not faster upwards than this, in px/s: a fast rise would count twice, since the engine also pushes out.
const FASTEST_RISE: f32 = 250.0;
/// Who stands on a piece stands on so many beside it, too.
const BESIDE: usize = 2;
/// What goes farther than by this speed in px/s has not moved but been put there.
const TELEPORT_SPEED: f32 = 20_000.0;
/// Rigid bodies that are nearer than this, in px, may reach the rope in a few ticks.
const NEAR: f32 = 160.0;

/// Where others have to be known.
pub fn neighbourhood(reach: &Bounds) -> Bounds {
    Bounds { min: reach.min - NEAR, max: reach.max + NEAR }
}

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
    /// Bodies that hold the rope, or are let through because the user says so: by their RIDs.
    attached: Vec<u64>,
    /// Characters that meet the presence, not the core: by their keys, sorted.
    pub walkers: Vec<u64>,
    /// Room for RIDs, and keys.
    room: Vec<u64>,
}

impl RopeBody {
    /// Shows the engine where it will be after this tick.
    pub(super) fn publish(&self, node: &Gd<Node2D>, stage: &Stage) {
        let idle = [&self.flags.paused, &self.flags.resumed, &self.flags.placed].iter().any(|flag| flag.load(Relaxed));
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
        let near = neighbourhood(&reach);
        let mut guard = lock(&self.present);
        let present = &mut *guard;
        let room = &mut present.room;
        room.clear();
        room.extend_from_slice(&present.attached);
        let pushed = |body: &&Neighbour| {
            body.rigid && body.mask & layer != 0 && body.layers & mask != 0 && near.overlaps(&body.bounds)
        };
        room.extend(neighbours.iter().filter(pushed).map(|body| body.rid));
        room.sort_unstable();
        room.dedup();
        if let Some(presence) = &mut present.presence {
            presence.except(room);
            let around = neighbours.iter().filter(|body| near.overlaps(&body.bounds));
            room.extend(around.map(|body| body.rid));
            room.sort_unstable();
            room.dedup();
            presence.keep_clear(room);
        }
        room.clear();
        room.extend(neighbours.iter().filter(|body| !body.rigid && body.mask & layer != 0).map(|body| body.key));
        room.sort_unstable();
        room.dedup();
        if *room != present.walkers {
            std::mem::swap(room, &mut present.walkers);
            let (before, now) = (present.room.clone(), present.walkers.clone());
            drop(guard);
            self.exchange_walkers(&before, &now);
        }
    }

    /// These bodies, by their keys, are let through because they hold it, or the user says so.
    pub(super) fn note_attached(&self, keys: &[u64]) {
        let body = |&key: &u64| {
            let id = InstanceId::try_from_i64(i64::try_from(key).ok()?)?;
            Some(Gd::<CollisionObject2D>::try_from_instance_id(id).ok()?.get_rid().to_u64())
        };
        lock(&self.present).attached = keys.iter().filter_map(body).collect();
    }

    /// These stand on it and run against it.
    pub(super) fn bear(&self, treads: &[Tread]) {
        let mut rope = lock(&self.rope);
        let mass = rope.settings().collision.character_mass;
        let present = &mut *lock(&self.present);
        present.treads.clear();
        present.treads.extend_from_slice(treads);
        let loads = &mut present.loads;
        loads.clear();
        loads.extend(treads.iter().map(|Tread { load, .. }| Load { mass: load.mass * mass, ..*load }));
        let slept = rope.is_sleeping();
        rope.bear(loads);
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
        let farthest = TELEPORT_SPEED * stage.delta;
        velocities.clear();
        velocities.extend(shown.iter_mut().zip(points).map(|(shown, point)| {
            let way = *point - *shown;
            if way.length_squared() < STILL * STILL {
                return Vec2::ZERO;
            }
            *shown = *point;
            if way.length() > farthest {
                return Vec2::ZERO;
            }
            way / stage.delta
        }));
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

/// How the place of a rope moves that is nearest to `at`, by its points and their velocities.
fn velocity_at(points: &[Vec2], velocities: &[Vec2], at: Vec2) -> Vec2 {
    let mut best = (f32::INFINITY, Vec2::ZERO);
    for (ends, velocities) in points.windows(2).zip(velocities.windows(2)) {
        let line = ends[1] - ends[0];
        let part = ((at - ends[0]).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let distance = at.distance_squared(ends[0] + line * part);
        if distance < best.0 {
            best = (distance, velocities[0].lerp(velocities[1], part));
        }
    }
    best.1
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
