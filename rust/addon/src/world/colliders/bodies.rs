//! Bodies of the engine that were found: where they and their shapes are, and what they are made of.
//!
//! What is cheap to read is read in every tick, the rest every few.

use super::change::Change;
use super::forms::{Forms, Origin};
use super::pose::{Stretch, take_apart, unwind};
use super::query::Hit;
use super::source::{Engineering, Source};
use super::tiles;
use crate::convert::vec2;
use godot::classes::PhysicsServer2D;
use godot::prelude::*;
use std::sync::Arc;
use supple_sim::Vec2;
use supple_sim::bounds::Bounds;
use supple_sim::collide::{Collider, ColliderKey, Material, RigidPose, Shape};

/// What seldom changes is read every so many ticks.
const LOOK_TICKS: u64 = 4;
/// A pose that was noticed at most so many ticks ago is where a body comes from.
const FRESH_TICKS: u64 = 3;
/// What moves by less, in px and radians, does not wake what sleeps on it.
const STILL: f32 = 0.01;
const STILL_ANGLE: f32 = 1e-4;
/// Faster than this, in px/s, nothing moves: it was put there.
const TELEPORT_SPEED: f32 = 20_000.0;
/// What is to be moved by more than this in px in a tick has begun to move.
const STARTS: f32 = 1.0;
/// The key of a body without a node. No instance id of a node has this bit.
const NODELESS: u64 = 1 << 63;

/// What the world is while bodies are read.
pub struct Look<'a> {
    pub server: &'a Gd<PhysicsServer2D>,
    pub forms: &'a mut Forms,
    pub tick: u64,
    pub delta: f32,
    /// Sleeping bodies have to be told of what changes.
    pub told: bool,
    /// What changed: where it was, and where it is.
    pub changes: &'a mut Vec<Change>,
}

/// One of a body's shapes.
struct Part {
    index: u32,
    rid: Rid,
    local: Transform2D,
    stretch: Stretch,
    version: u64,
    shape: Option<Arc<Shape>>,
    from: RigidPose,
    to: RigidPose,
    /// Where it was when sleeping bodies were told of it last.
    told: RigidPose,
    /// None: that cannot be read.
    one_way: Option<bool>,
    updated: u64,
    /// The engine did not find it any more.
    gone: bool,
}

/// A body.
pub struct Known {
    /// What the core calls it.
    pub key: u64,
    /// The instance id of its node; 0: it has none.
    pub object: u64,
    source: Source,
    transform: Transform2D,
    layers: u32,
    material: Material,
    /// How its surface moves: px/s and rad/s around its origin.
    flow: (Vector2, f32),
    /// How the engine will move it in this tick: px and radians; None: where it is now it has been moved to.
    coming: Option<(Vec2, f32)>,
    parts: Vec<Part>,
    /// The tick in which it was read last.
    pub updated: u64,
    /// The tick in which it was last read what seldom changes.
    looked: u64,
    /// Parts that were read in the first of these ticks were still there in the second.
    stood: (u64, u64),
    /// The last tick in which something slept near it.
    pub near_sleepers: u64,
}

impl Known {
    pub fn new(hit: &Hit, engine: Engineering) -> Known {
        Known {
            key: if hit.object == 0 { hit.rid | NODELESS } else { hit.object },
            object: hit.object,
            source: Source::new(hit, engine),
            transform: Transform2D::IDENTITY,
            layers: 0,
            material: Material::default(),
            flow: (Vector2::ZERO, 0.0),
            coming: None,
            parts: Vec::new(),
            updated: 0,
            looked: 0,
            stood: (0, 0),
            near_sleepers: 0,
        }
    }

    /// Reads it anew; the engine has named its shapes `hits` in this tick.
    pub fn update<'h>(&mut self, look: &mut Look<'_>, hits: impl Iterator<Item = &'h Hit>) {
        let is_new = self.updated == 0;
        self.updated = look.tick;
        self.source.begin();
        self.transform = self.source.transform(look.server);
        self.coming = self.source.coming(look.delta);
        let fixed = self.source.is_fixed() && !is_new;
        let layers = if fixed { self.layers } else { self.source.layers(look.server) };
        let other_layers = !is_new && layers != self.layers;
        if other_layers && look.told {
            self.parts.iter().for_each(|part| look.changes.extend(self.change(part, Vec2::ZERO)));
        }
        self.layers = layers;
        let turn = look.tick.wrapping_add(self.key).is_multiple_of(LOOK_TICKS);
        // Where all sleep, it may be asked for in the ticks between its turns only.
        let looks = is_new || (!fixed && (turn || look.tick - self.looked >= LOOK_TICKS));
        let mut other_surface = false;
        if looks {
            self.looked = look.tick;
            let surface = (self.source.material(look.server), self.source.flow(look.server));
            other_surface = !is_new && surface != (self.material, self.flow);
            (self.material, self.flow) = surface;
        }
        let starts = self.starts(self.coming, look.delta);
        for hit in hits {
            let place = self.parts.partition_point(|part| part.index < hit.shape);
            if self.parts.get(place).is_none_or(|part| part.index != hit.shape) {
                self.parts.insert(place, Part::new(hit.shape));
            }
            self.update_part(look, place, looks, other_surface, starts);
            if other_layers && look.told {
                look.changes.extend(self.change(&self.parts[place], Vec2::ZERO));
            }
        }
    }

    /// Reads a shape anew. `looks`, `other_surface`: its surface is read in this tick, and is another; `starts`: so far the engine will move it.
    fn update_part(
        &mut self,
        look: &mut Look<'_>,
        place: usize,
        looks: bool,
        other_surface: bool,
        starts: Option<Vec2>,
    ) {
        let (part, source) = (&self.parts[place], &self.source);
        let (tick, index) = (look.tick, part.index as i32);
        let known = part.rid.is_valid() && source.is_fixed();
        let (rid, local) = if known { (part.rid, part.local) } else { source.shape(look.server, index) };
        if !rid.is_valid() {
            self.parts[place].shape = None;
            return;
        }
        let other = rid != part.rid;
        let find = || source.resource(index).filter(|shape| shape.get_rid() == rid);
        let origin = if source.is_tiles() { Origin::Fixed } else { Origin::Resource(&find) };
        let form = look.forms.of(look.server, rid, tick, origin);
        let apart = take_apart(self.transform * local);
        let (pose, stretch) = apart.unwrap_or_default();
        let stretched = !stretch.is_like(&part.stretch);
        let changed = other || stretched || form.version != part.version;
        let shape = match (apart, changed) {
            (None, _) => None,
            (_, true) => form.bake(&stretch),
            _ => part.shape.clone(),
        };
        let one_way = match (source.layer(), form.outline()) {
            (Some(layer), Some(outline)) if other => {
                tiles::is_one_way(layer, outline, self.transform * local, self.layers)
            }
            (None, _) if (looks || other) && !source.is_tiles() => Some(source.is_one_way(index)),
            _ => part.one_way,
        };
        let version = form.version;
        let moved = part.has_moved_to(&pose) || changed || other_surface || one_way != part.one_way || starts.is_some();
        let old = (moved && look.told).then(|| self.change(part, Vec2::ZERO)).flatten();
        let part = &mut self.parts[place];
        part.go_to(pose, &stretch, look, self.stood);
        if changed {
            part.stretch = stretch;
        }
        (part.shape, part.rid, part.local) = (shape, rid, local);
        (part.version, part.one_way, part.gone) = (version, one_way, false);
        if moved {
            part.told = pose;
        }
        if moved && look.told {
            let ahead = starts.unwrap_or(part.to.origin - part.from.origin);
            look.changes.extend(old);
            look.changes.extend(self.change(&self.parts[place], ahead));
        }
    }

    /// A body that was not named in this tick: looks by its node whether it has moved, and says where it was and is.
    pub fn glance(&mut self, look: &mut Look<'_>) {
        let moved = self.source.transform_by_node().filter(|transform| *transform != self.transform);
        let Some(transform) = moved else {
            if let Some(ahead) = self.starts(self.source.coming(look.delta), look.delta) {
                look.changes.extend(self.parts.iter().filter_map(|part| self.change(part, ahead)));
            }
            self.stood = (self.updated, look.tick);
            return;
        };
        self.updated = look.tick;
        self.transform = transform;
        for place in 0..self.parts.len() {
            let part = &self.parts[place];
            let Some((pose, stretch)) = take_apart(transform * part.local).filter(|_| !part.gone) else { continue };
            let moved = part.has_moved_to(&pose);
            if moved {
                look.changes.extend(self.change(part, Vec2::ZERO));
            }
            let part = &mut self.parts[place];
            part.go_to(pose, &stretch, look, self.stood);
            if !moved {
                continue;
            }
            part.told = pose;
            let ahead = part.to.origin - part.from.origin;
            look.changes.extend(self.change(&self.parts[place], ahead));
        }
    }

    /// By how many px the engine will move it in this tick, if that is soon to be noticed: a script may have given it a velocity since it lay still. `coming` is what its node says.
    fn starts(&self, coming: Option<(Vec2, f32)>, delta: f32) -> Option<Vec2> {
        let asleep = || self.source.new_velocity().map(|velocity| velocity * delta);
        let linear = coming.map(|(linear, _)| linear).or_else(asleep);
        linear.filter(|linear| linear.length() > STARTS)
    }

    /// Whether it may move by itself, while nobody asks the engine for it.
    pub fn moves(&self) -> bool {
        self.source.moves
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// A box around all of it that was found.
    pub fn bounds(&self) -> Option<Bounds> {
        let parts = self.parts.iter().filter(|part| !part.gone);
        let boxes = parts.filter_map(|part| Some(self.change(part, Vec2::ZERO)?.bounds()));
        boxes.reduce(|one, other| one.with(&other))
    }

    fn part(&self, index: u32) -> Option<&Part> {
        self.parts.binary_search_by_key(&index, |part| part.index).ok().map(|place| &self.parts[place])
    }

    fn change(&self, part: &Part, ahead: Vec2) -> Option<Change> {
        let shape = Arc::clone(part.shape.as_ref()?);
        Some(Change { body: self.key, layers: self.layers, shape, pose: part.to, ahead })
    }

    /// A shape as it was seen last.
    pub fn last(&self, index: u32) -> Option<Change> {
        self.change(self.part(index)?, Vec2::ZERO)
    }

    /// The engine did not find a shape any more where it was.
    pub fn lose(&mut self, index: u32) {
        if let Ok(place) = self.parts.binary_search_by_key(&index, |part| part.index) {
            self.parts[place].gone = true;
        }
    }

    /// A shape as the core sees it.
    pub fn collider(&self, hit: &Hit, tick: u64, one_way_mask: u32) -> Option<Collider> {
        let part = self.part(hit.shape)?;
        let one_way = part.one_way.unwrap_or(self.layers & one_way_mask != 0);
        let (linear, angular) = (vec2(self.flow.0), self.flow.1);
        // Around the origin of the shape instead of the body's.
        let arm = part.to.origin - vec2(self.transform.origin);
        let (from, to) = match self.coming.filter(|_| part.updated == tick) {
            // The engine moves it after this step, from where it is now.
            Some((way, turn)) => {
                let place = vec2(self.transform.origin) + way + Vec2::from_angle(turn).rotate(arm);
                (part.to, RigidPose { origin: place, angle: part.to.angle + turn })
            }
            // What was not looked at in this tick stands still.
            None => (if part.updated == tick { part.from } else { part.to }, part.to),
        };
        Some(Collider {
            key: ColliderKey { body: self.key, part: hit.rid, shape: hit.shape },
            shape: Arc::clone(part.shape.as_ref()?),
            from,
            to,
            layers: self.layers,
            material: self.material,
            surface_velocity: (linear + angular * arm.perp(), angular),
            yields: self.source.moves,
            one_way: one_way.then(|| part.stretch.up()),
        })
    }
}

impl Part {
    fn new(index: u32) -> Part {
        Part {
            index,
            rid: Rid::Invalid,
            local: Transform2D::IDENTITY,
            stretch: Stretch::default(),
            version: 0,
            shape: None,
            from: RigidPose::default(),
            to: RigidPose::default(),
            told: RigidPose::default(),
            one_way: None,
            updated: 0,
            gone: false,
        }
    }

    /// Notes where it is in this tick, with the stretch of now; it came from where it was, unless it was put there.
    fn go_to(&mut self, pose: RigidPose, stretch: &Stretch, look: &Look<'_>, stood: (u64, u64)) {
        let seen = if self.updated == stood.0 { stood.1 } else { self.updated };
        let ticks = look.tick - seen;
        let recent = self.updated != 0 && ticks <= FRESH_TICKS;
        let reach = TELEPORT_SPEED * look.delta * ticks as f32;
        let put = !recent || stretch.is_mirror_of(&self.stretch) || pose.origin.distance(self.to.origin) > reach;
        self.from = if put { pose } else { unwind(self.to, &pose) };
        (self.to, self.updated) = (pose, look.tick);
    }

    /// Whether a pose differs from where sleeping bodies know it.
    fn has_moved_to(&self, pose: &RigidPose) -> bool {
        let turn = unwind(self.told, pose).angle - pose.angle;
        self.told.origin.distance(pose.origin) > STILL || turn.abs() > STILL_ANGLE
    }
}
