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
use supple_sim::rope::Load;

/// How far below a standing character its floor is looked for, besides its snapping, in px.
const FEEL: f32 = 1.0;
/// A floor may be steeper than the character's steepest by so much, in radians: the engine allows this too.
const STEEPER: f32 = 0.01;
/// Feet are so near to the middle of what stands on them, as a part of half its width.
const STANCE: f32 = 0.9;

/// Room for what characters do to bodies.
#[derive(Default)]
pub struct Walkers {
    /// By the node's instance id.
    loads: Vec<(i64, Load)>,
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
        walkers.loads.clear();
        for mut character in self.colliders.characters() {
            self.read(&mut character, delta, &mut walkers.loads);
        }
        // Stable: loads of one character stay in their order.
        walkers.loads.sort_by_key(|(node, load)| (*node, load.key));
        let body_of = |node: i64| {
            let place = self.places.get(&InstanceId::try_from_i64(node)?)?;
            Some(&self.members[*place].body)
        };
        let mut borne: Vec<Load> = Vec::new();
        for &node in &walkers.bearers {
            if walkers.loads.binary_search_by_key(&node, |(node, _)| *node).is_err()
                && let Some(body) = body_of(node)
            {
                body.bear(&mut borne);
            }
        }
        walkers.bearers.clear();
        for group in walkers.loads.chunk_by(|one, other| one.0 == other.0) {
            borne.clear();
            borne.extend(group.iter().map(|(_, load)| *load));
            if let Some(body) = body_of(group[0].0) {
                body.bear(&mut borne);
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

    fn read(&self, character: &mut Gd<CharacterBody2D>, delta: f32, loads: &mut Vec<(i64, Load)>) {
        let key = character.instance_id().to_i64() as u64;
        let on_floor = character.is_on_floor();
        let up = character.get_up_direction();
        let steepest = (character.get_floor_max_angle() + STEEPER).cos();
        let is_floor = |normal: Vector2| on_floor && normal.dot(up) >= steepest;
        let mut floors = 0;
        for index in 0..character.get_slide_collision_count() {
            let Some(touch) = character.get_slide_collision(index) else { continue };
            let stands = is_floor(touch.get_normal());
            floors += i32::from(stands);
            let node = touch.get_collider_id() as i64;
            if !self.is_present(node) {
                continue;
            }
            let velocity = (touch.get_travel() + touch.get_remainder()) / delta;
            if stands {
                if loads.iter().all(|(other, load)| *other != node || load.key != key || !load.stands) {
                    add_feet(&touch, node, key, up, velocity, loads);
                }
            } else {
                loads.push((node, load_of(&touch, key, velocity, 1.0, touch.get_position(), false)));
            }
        }
        if on_floor && floors == 0 {
            let down = -up * (character.get_floor_snap_length() + FEEL);
            let margin = character.get_safe_margin();
            let found = character
                .move_and_collide_ex(down)
                .test_only(true)
                .safe_margin(margin)
                .recovery_as_collision(true)
                .done();
            if let Some(touch) = found.filter(|touch| is_floor(touch.get_normal())) {
                let node = touch.get_collider_id() as i64;
                if self.is_present(node) {
                    add_feet(&touch, node, key, up, Vector2::ZERO, loads);
                }
            }
        }
    }
}

fn load_of(
    touch: &Gd<KinematicCollision2D>,
    key: u64,
    velocity: Vector2,
    part: f32,
    at: Vector2,
    stands: bool,
) -> Load {
    let normal = vec2(touch.get_normal());
    Load { key, at: vec2(at), normal, velocity: vec2(velocity), mass: part, stands }
}

/// Adds what stands on a body: on one foot in its middle if it is round below, otherwise on two.
fn add_feet(
    touch: &Gd<KinematicCollision2D>,
    node: i64,
    key: u64,
    up: Vector2,
    velocity: Vector2,
    loads: &mut Vec<(i64, Load)>,
) {
    let along = up.orthogonal();
    let contact = touch.get_position();
    let (middle, half) = stance(touch, along).unwrap_or((contact, 0.0));
    let center = contact + along * (middle - contact).dot(along);
    if half <= 0.0 {
        loads.push((node, load_of(touch, key, velocity, 1.0, center, true)));
        return;
    }
    for side in [-half, half] {
        loads.push((node, load_of(touch, key, velocity, 0.5, center + along * side, true)));
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
    let half = if round { 0.0 } else { 0.5 * STANCE * half };
    (middle.is_finite() && half.is_finite()).then_some((middle, half))
}
