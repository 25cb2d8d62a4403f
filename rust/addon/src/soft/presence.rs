//! A soft body's presence: the hulls of a few pieces of its outline, where they will be after the tick.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::contacts::layer_bit;
use crate::convert::{vec2, vector2};
use crate::world::{
    Company, FASTEST_RISE, Hulls, Manner, Meeting, Meets, Neighbour, Stage, Tread, fill_loads, lock, move_on,
    neighbourhood, velocity_at,
};
use godot::classes::Node2D;
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::mesh::Mesh;
use supple_sim::rope::{Grip, Load, MOST_CHARACTER_MASS};
use supple_sim::soft::{Partition, SoftBody, hull, skin};

/// A body that has been turned by more than this cosine, about 55 degrees, is divided anew, for one of four directions: what is upwards is followed best.
const TURNED: f32 = 0.57;
/// What is beside a character by less than this, in px, may be over it.
const BESIDE: f32 = 6.0;
/// So many divisions are kept for bodies of the same shape.
const MOST_KEPT: usize = 256;

thread_local! {
    /// Divisions, by the shape and the direction that is upwards.
    static DIVISIONS: RefCell<HashMap<(u64, i8), Arc<Partition>>> = RefCell::default();
}

/// The division of a body for what is upwards in the directions of its shape at rest; bodies of the same shape share it.
fn division(core: &SoftBody, up: Vec2) -> Arc<Partition> {
    let (direction, up) = match up {
        up if up == Vec2::ZERO => (0, up),
        up if up.x.abs() > up.y.abs() => (if up.x > 0.0 { 1 } else { 2 }, Vec2::new(up.x.signum(), 0.0)),
        up => (if up.y > 0.0 { 3 } else { 4 }, Vec2::new(0.0, up.y.signum())),
    };
    let key = (core.shape_hash(), direction);
    if let Some(known) = DIVISIONS.with_borrow(|divisions| divisions.get(&key).cloned()) {
        return known;
    }
    let made = Arc::new(core.partition(up));
    DIVISIONS.with_borrow_mut(|divisions| {
        if divisions.len() >= MOST_KEPT {
            divisions.clear();
        }
        divisions.insert(key, Arc::clone(&made));
    });
    made
}

/// What a soft body is for others.
#[derive(Default)]
pub struct Present {
    hulls: Option<Hulls>,
    partition: Arc<Partition>,
    /// The shape that was divided.
    mesh: Option<Arc<Mesh>>,
    /// By points: where they will be, where they were shown last, and how they move.
    points: Vec<Vec2>,
    shown: Vec<Vec2>,
    velocities: Vec<Vec2>,
    /// The outline and how it moves, closed.
    line: Vec<Vec2>,
    flow: Vec<Vec2>,
    /// How far the surface is from the outline where it was shown.
    radius: f32,
    /// What characters have done to it in the last tick.
    pub treads: Vec<Tread>,
    /// Against gravity; zero where there is none.
    up: Vec2,
    loads: Vec<Load>,
    /// Who is near.
    pub company: Company,
    /// Room for a piece's points, its hull and its skin.
    room: [Vec<Vec2>; 3],
}

impl SharedSoft {
    /// Shows the engine where it will be after this tick.
    pub(super) fn show_itself(&self, node: &Gd<Node2D>, stage: &Stage) {
        let idle = self.flags.is_idle();
        if idle || lock(&self.core).is_fresh() {
            self.catch_up(|| node.get_global_transform());
        }
        let core = lock(&self.core);
        let collision = core.settings().collision;
        let present = &mut *lock(&self.present);
        present.up = stage.up;
        if collision.layer == 0 {
            drop(core);
            self.flags.present.store(false, Relaxed);
            self.flags.unsorted.store(true, Relaxed);
            *present = Present::default();
            return;
        }
        let still = idle || core.is_sleeping();
        let ahead = if still { 0.0 } else { stage.delta };
        present.points.clear();
        present.points.extend((0..core.point_count()).map(|i| core.position(i) + core.velocity(i) * ahead));
        if present.points.iter().any(|point| !point.is_finite()) {
            return;
        }
        let anew = present.divide(&core, stage);
        let radius = core.surface_radius();
        drop(core);
        let material = (collision.friction, collision.bounce);
        let manner = Manner { space: stage.space, layer: collision.layer, material };
        present.show(node.instance_id(), manner, radius, anew, stage);
    }

    /// It is not there any more.
    pub(super) fn withdraw(&self) {
        let present = std::mem::take(&mut *lock(&self.present));
        drop(present);
    }

    /// These bodies are around.
    pub(super) fn meet(&self, neighbours: &[Neighbour]) {
        let core = lock(&self.core);
        let (layer, mask) = (core.settings().collision.layer, core.settings().collision.mask);
        let reach = core.reach(0.0);
        let at = Meeting { layer, mask, near: neighbourhood(&reach) };
        let mut guard = lock(&self.present);
        let Present { company, hulls, treads, up, .. } = &mut *guard;
        let met = hulls.as_mut().map(|hulls| hulls as &mut dyn Meets);
        let under = |body: &Neighbour, before: bool| {
            let stands = treads.iter().any(|tread| tread.piece != 0 && tread.load.key == body.key);
            let touches = || core.touches().iter().any(|touch| touch.key.body == body.key);
            !stands && (before && touches() || is_above(&core, &body.bounds, *up))
        };
        let changed = company.meet(neighbours, &at, met, under);
        drop(core);
        if let Some(before) = changed {
            let now = company.walkers.clone();
            drop(guard);
            self.exchange_walkers(&before, &now);
        }
    }

    /// These stand on it and run against it.
    pub(super) fn bear_treads(&self, treads: &[Tread]) {
        let mut core = lock(&self.core);
        let mass = core.settings().collision.character_mass;
        let present = &mut *lock(&self.present);
        present.treads.clear();
        present.treads.extend_from_slice(treads);
        fill_loads(treads, mass, &mut present.loads);
        let slept = core.is_sleeping();
        core.bear(&present.loads);
        if slept && !core.is_sleeping() {
            self.flags.touched.store(true, Relaxed);
        }
    }
}

/// Whether a body that nothing holds is above the middle of what is in a box, as far as it is over or under that.
fn is_above(core: &SoftBody, bounds: &Bounds, up: Vec2) -> bool {
    if up == Vec2::ZERO || core.pins().iter().any(|pin| pin.grip == Grip::Firm) {
        return false;
    }
    let (middle, half) = (0.5 * (bounds.min + bounds.max), 0.5 * (bounds.max - bounds.min));
    let along = up.perp();
    let wide = half.dot(along.abs()) + BESIDE;
    let outline = &core.mesh().outline;
    let at = |k: usize| core.position(outline[k % outline.len()] as usize) - middle;
    let mut lowest = f32::INFINITY;
    for k in 0..outline.len() {
        let (from, to) = (at(k), at(k + 1));
        let (begin, end) = (from.dot(along), to.dot(along));
        if begin.max(end) < -wide || begin.min(end) > wide {
            continue;
        }
        // The height of the part of the side that is over it.
        let height = |side: f32| {
            let part = (side - begin) / (end - begin);
            from.lerp(to, if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }).dot(up)
        };
        lowest = lowest.min(height(begin.clamp(-wide, wide))).min(height(end.clamp(-wide, wide)));
    }
    (0.0..f32::INFINITY).contains(&lowest)
}

impl Present {
    /// Divides the outline, if it is another than before, or was turned. True if so.
    fn divide(&mut self, core: &SoftBody, stage: &Stage) -> bool {
        let up = core.up_at_rest(stage.up);
        let known = self.mesh.as_ref().is_some_and(|mesh| Arc::ptr_eq(mesh, core.mesh()));
        if known && (stage.up == Vec2::ZERO || self.partition.up.dot(up) > TURNED) {
            return false;
        }
        self.mesh = Some(Arc::clone(core.mesh()));
        self.partition = division(core, up);
        true
    }

    fn show(&mut self, owner: InstanceId, manner: Manner, radius: f32, anew: bool, stage: &Stage) {
        let Present { hulls, partition, mesh, points, shown, velocities, line, flow, treads, room, company, .. } = self;
        let Some(mesh) = mesh else { return };
        let hulls = hulls.get_or_insert_with(|| Hulls::new(owner, manner));
        hulls.behave(manner);
        let count = partition.pieces.len();
        let origin = points.iter().sum::<Vec2>() / points.len().max(1) as f32;
        let mut moved = anew || hulls.len() != count || radius != self.radius || hulls.is_far(origin);
        self.radius = radius;
        hulls.resize(count);
        hulls.come_near(origin);
        // Without a way from where they were, points are as if at rest; how they move is told in the next tick.
        if shown.len() != points.len() {
            shown.clone_from(points);
            moved = true;
        }
        moved |= move_on(shown, points, velocities, stage.delta);
        let [corners, around, surface] = room;
        if moved {
            for (index, piece) in partition.pieces.iter().enumerate() {
                corners.clear();
                corners.extend(piece.iter().map(|&i| shown[i as usize]));
                hull(corners, around);
                skin(around, radius, surface);
                hulls.show(index, surface);
            }
        }
        if !treads.is_empty() {
            let outline = || mesh.outline.iter().chain(mesh.outline.first()).map(|&i| i as usize);
            line.clear();
            line.extend(outline().map(|i| shown[i]));
            flow.clear();
            flow.extend(outline().map(|i| velocities[i]));
        }
        let up = vector2(stage.up);
        if company.walkers.is_empty() && treads.is_empty() {
            (0..count).for_each(|index| hulls.carry(index, None, moved));
            return;
        }
        for (index, piece) in partition.pieces.iter().enumerate() {
            let sum: Vec2 = piece.iter().map(|&i| velocities[i as usize]).sum();
            let mut velocity = vector2(sum / piece.len().max(1) as f32);
            let stands = |tread: &&Tread| hulls.is_body(index, tread.piece);
            let on_any = |tread: &&Tread| tread.piece != 0;
            // Who stands there goes with it; where nobody stands it may spring back fast, and would throw whom it strikes.
            let most = match treads.iter().find(stands).or_else(|| treads.iter().find(on_any)) {
                None => 0.0,
                Some(tread) => {
                    let feet = || treads.iter().filter(|other| other.piece != 0 && other.load.key == tread.load.key);
                    let sum: Vec2 = feet().map(|foot| velocity_at(line, flow, foot.load.at)).sum();
                    let carried = vector2(sum / feet().count().max(1) as f32);
                    if stands(&tread) {
                        velocity = carried + vector2(tread.descent);
                    }
                    carried.dot(up).clamp(0.0, FASTEST_RISE)
                }
            };
            velocity -= up * (velocity.dot(up) - most).max(0.0);
            hulls.carry(index, Some(velocity), moved);
        }
    }
}

impl SoftBody2D {
    pub(super) fn change_layer(&mut self, layer: u32) {
        self.set(|settings| settings.collision.layer = layer);
        self.follow_layer();
    }

    /// The world step looks whether it is there for others.
    pub(super) fn follow_layer(&mut self) {
        self.body.flags.present.fetch_or(self.settings().collision.layer != 0, Relaxed);
        self.body.flags.unsorted.store(true, Relaxed);
    }

    pub(super) fn change_layer_value(&mut self, layer: i32, value: bool) {
        let callee = self.callee("set_collision_layer_value()");
        let Some(bit) = layer_bit(&callee, layer) else { return };
        let layers = self.settings().collision.layer;
        self.change_layer(if value { layers | bit } else { layers & !bit });
    }

    pub(super) fn layer_value(&self, layer: i32) -> bool {
        let bit = layer_bit(&self.callee("get_collision_layer_value()"), layer);
        bit.is_some_and(|bit| self.settings().collision.layer & bit != 0)
    }

    pub(super) fn change_character_mass(&mut self, mass: f64) {
        let Some(mass) = self.callee("character_mass").number(mass, 0.0..=MOST_CHARACTER_MASS) else { return };
        self.set(|settings| settings.collision.character_mass = mass);
    }

    /// How its surface moves where it is nearest to a global position, in px/s.
    pub(super) fn velocity_of_surface(&self, position: Vector2) -> Vector2 {
        let callee = self.callee("get_surface_velocity()");
        let Some(position) = callee.place("position", position) else { return Vector2::ZERO };
        vector2(self.core().surface_velocity(vec2(position)))
    }

    pub(super) fn stands(&self, max_angle: f64) -> bool {
        if !(0.0..=std::f64::consts::PI).contains(&max_angle) {
            self.callee("is_on_floor()").complain(format_args!("max_angle {max_angle} is not in 0 to PI"));
            return false;
        }
        self.core().is_on_floor(max_angle as f32)
    }
}
