//! Characters on bodies: who stands where on a presence, and who runs against it.
//!
//! A character tells what it has touched in its last `move_and_slide`. One that stands still on a floor does not: the engine finds the floor for it by
//! snapping, of which it does not tell. Then it is asked what it would touch if it moved down a little.

use super::World;
use crate::convert::vec2;
use godot::classes::{
    CapsuleShape2D, CharacterBody2D, CircleShape2D, CollisionPolygon2D, CollisionShape2D, KinematicCollision2D,
};
use godot::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::rope::Load;

/// How far from the box of a character, in px, what it touches may be besides its way in a tick.
const BESIDE: f32 = 8.0;
/// How far below a standing character its floor is looked for, besides its snapping, in px.
const FEEL: f32 = 1.0;
/// Legs reach so far, in px: who hops by less goes on weighing on what is below for so many seconds. Without its load a tight rope would snap back
/// within a tick, and throw it.
const LEGS: f32 = 4.0;
const HOP_TIME: f32 = 0.12;
/// Who walks downhill is taken along down faster than the slope by this factor: what is below gives way besides. It is pushed out of what it is pressed
/// into, but nothing brings it down again when it hops. And not steeper than this tangent.
const PRESSED: f32 = 2.0;
const STEEPEST_WAY: f32 = 0.8;
/// A floor may be steeper than the character's steepest by so much, in radians: the engine allows this too.
const STEEPER: f32 = 0.01;
/// What touches at a steeper place than this cosine says does not weigh on it, but pushes.
const STEEPEST: f32 = 0.3;
/// Feet are so near to the middle of what stands on them, as a part of half its width.
const STANCE: f32 = 0.9;
const ROUND: f32 = 0.8;

/// What a character does to a body.
#[derive(Clone, Copy, Debug)]
pub struct Tread {
    /// The mass is a part of a character's.
    pub load: Load,
    /// The piece of the presence on which it stands, by its RID; 0: it only pushes.
    pub piece: u64,
    /// How fast it goes down along the surface by walking, in px/s.
    pub descent: Vec2,
}

/// What characters of this mass in kg do to a body, instead of what was in `loads`.
pub fn fill_loads(treads: &[Tread], mass: f32, loads: &mut Vec<Load>) {
    loads.clear();
    loads.extend(treads.iter().map(|Tread { load, .. }| Load { mass: load.mass * mass, ..*load }));
}

/// Room for what characters do to bodies.
#[derive(Default)]
pub struct Walkers {
    /// By the node's instance id.
    treads: Vec<(i64, Tread)>,
    /// Who stood on a presence lately, by its key, and for how many seconds it may still hop.
    stood: Vec<(u64, f32)>,
    /// The nodes that bore something in the last tick.
    bearers: Vec<i64>,
}

impl World {
    /// Tells bodies what stands on them and runs against them.
    pub(super) fn bear_characters(&mut self, delta: f32) {
        if self.presences == 0 && self.walkers.bearers.is_empty() {
            return;
        }
        let mut walkers = std::mem::take(&mut self.walkers);
        walkers.treads.clear();
        for (mut character, bounds) in self.colliders.characters() {
            self.read(&mut character, &bounds, delta, &mut walkers);
        }
        walkers.stood.retain_mut(|(_, left)| {
            *left -= delta;
            *left > 0.0
        });
        // Stable: loads of one character stay in their order.
        walkers.treads.sort_by_key(|(node, tread)| (*node, tread.load.key));
        let body_of = |node: i64| {
            let place = self.places.get(&InstanceId::try_from_i64(node)?)?;
            Some(&self.members[*place].body)
        };
        let mut borne: Vec<Tread> = Vec::new();
        for &node in &walkers.bearers {
            if walkers.treads.binary_search_by_key(&node, |(node, _)| *node).is_err()
                && let Some(body) = body_of(node)
            {
                body.bear(&borne);
            }
        }
        walkers.bearers.clear();
        for group in walkers.treads.chunk_by(|one, other| one.0 == other.0) {
            borne.clear();
            borne.extend(group.iter().map(|(_, tread)| *tread));
            if let Some(body) = body_of(group[0].0) {
                body.bear(&borne);
                walkers.bearers.push(group[0].0);
            }
        }
        self.walkers = walkers;
    }

    /// Whether a node is a body with a presence here.
    fn is_present(&self, node: i64) -> bool {
        let place = InstanceId::try_from_i64(node).and_then(|id| self.places.get(&id));
        place.is_some_and(|&place| self.members[place].body.flags().present.load(Relaxed))
    }

    fn read(&self, character: &mut Gd<CharacterBody2D>, bounds: &Bounds, delta: f32, walkers: &mut Walkers) {
        let Walkers { treads, stood, .. } = walkers;
        if !character.can_process() {
            // The engine may have taken it out of its world.
            return;
        }
        let key = character.instance_id().to_i64() as u64;
        let on_floor = character.is_on_floor();
        let up = character.get_up_direction();
        let steepest = (character.get_floor_max_angle() + STEEPER).cos();
        let is_floor = |normal: Vector2| on_floor && normal.dot(up) >= steepest;
        let mut floor: Option<Gd<KinematicCollision2D>> = None;
        let mut stands_on = 0;
        let mut motion = Vector2::ZERO;
        for index in 0..character.get_slide_collision_count() {
            let Some(touch) = character.get_slide_collision(index) else { continue };
            let node = touch.get_collider_id() as i64;
            let normal = touch.get_normal();
            let way = touch.get_travel() + touch.get_remainder();
            let velocity = way / delta;
            // One that is moved otherwise goes on telling of its last slide.
            let most = Vec2::splat(BESIDE + way.length());
            let near = Bounds { min: bounds.min - most, max: bounds.max + most };
            if !near.overlaps(&Bounds::around(vec2(touch.get_position()), Vec2::ZERO)) {
                continue;
            }
            // The last floor is that with which the engine carries it.
            if is_floor(normal) || (normal.dot(up) > STEEPEST && self.is_present(node)) {
                if motion == Vector2::ZERO {
                    motion = velocity;
                }
                stands_on = node;
                floor = Some(touch);
            } else if self.is_present(node) {
                let load = Load {
                    key,
                    at: vec2(touch.get_position()),
                    normal: vec2(normal),
                    velocity: vec2(velocity),
                    mass: 1.0,
                    stands: false,
                };
                treads.push((node, Tread { load, piece: 0, descent: Vec2::ZERO }));
            }
        }
        let hops = || stood.iter().any(|(other, _)| *other == key);
        let hopping = floor.is_none() && !on_floor && hops();
        if (on_floor && floor.is_none()) || hopping {
            let down = -up * if hopping { LEGS } else { character.get_floor_snap_length() + FEEL };
            let margin = character.get_safe_margin();
            let feeler = character.move_and_collide_ex(down).test_only(true).recovery_as_collision(true);
            floor = feeler.safe_margin(margin).done().filter(|touch| touch.get_normal().dot(up) > STEEPEST);
            stands_on = floor.as_ref().map_or(0, |touch| touch.get_collider_id() as i64);
        }
        // Who stands on something does not push it besides.
        treads.retain(|(node, tread)| tread.load.key != key || *node != stands_on);
        if let Some(floor) = floor.filter(|_| self.is_present(stands_on)) {
            if !hopping {
                stood.retain(|(other, _)| *other != key);
                stood.push((key, HOP_TIME));
            }
            let own = if on_floor { character.get_velocity() } else { Vector2::ZERO };
            let descent = descent_of(own, floor.get_normal(), up);
            let normal = vec2(floor.get_normal());
            let load = Load { key, at: Vec2::ZERO, normal, velocity: vec2(motion), mass: 1.0, stands: true };
            let tread = Tread { load, piece: floor.get_collider_rid().to_u64(), descent: vec2(descent) };
            add_feet(&floor, stands_on, up, tread, treads);
        }
    }
}

/// How fast what walks with a velocity goes down on a floor with this normal; not at all if it goes up, or jumps.
fn descent_of(velocity: Vector2, normal: Vector2, up: Vector2) -> Vector2 {
    let steep = normal.dot(up);
    if steep < STEEPEST || velocity.dot(up) > 0.0 {
        return Vector2::ZERO;
    }
    let level = velocity - up * velocity.dot(up);
    -up * (PRESSED * level.dot(normal) / steep).clamp(0.0, STEEPEST_WAY * level.length())
}

/// Adds what stands on a body: on two feet, below its sides.
fn add_feet(touch: &Gd<KinematicCollision2D>, node: i64, up: Vector2, tread: Tread, treads: &mut Vec<(i64, Tread)>) {
    let along = up.orthogonal();
    let contact = touch.get_position();
    let (middle, half) = stance(touch, along).unwrap_or((contact, 0.0));
    let center = contact + along * (middle - contact).dot(along);
    for side in [-half, half] {
        let load = Load { at: vec2(center + along * side), mass: 0.5, ..tread.load };
        treads.push((node, Tread { load, ..tread }));
    }
}

/// Where the middle of the touching shape is, and how far from it its feet are; None: that cannot be told.
fn stance(touch: &Gd<KinematicCollision2D>, along: Vector2) -> Option<(Vector2, f32)> {
    let owner = touch.get_local_shape()?;
    let (transform, rect, round) = match owner.try_cast::<CollisionShape2D>() {
        Ok(owner) => {
            let shape = owner.get_shape()?;
            let round =
                shape.clone().try_cast::<CapsuleShape2D>().is_ok() || shape.clone().try_cast::<CircleShape2D>().is_ok();
            (owner.get_global_transform(), shape.get_rect(), round)
        }
        Err(owner) => {
            let owner = owner.try_cast::<CollisionPolygon2D>().ok()?;
            let corners = owner.get_polygon();
            let first = *corners.as_slice().first()?;
            let around = Rect2::new(first, Vector2::ZERO);
            let rect = corners.as_slice().iter().fold(around, |rect, corner| rect.expand(*corner));
            (owner.get_global_transform(), rect, false)
        }
    };
    let middle = transform * rect.center();
    let half = (transform.a.dot(along) * rect.size.x).abs() + (transform.b.dot(along) * rect.size.y).abs();
    let half = 0.5 * if round { ROUND } else { STANCE } * half;
    (middle.is_finite() && half.is_finite()).then_some((middle, half))
}
