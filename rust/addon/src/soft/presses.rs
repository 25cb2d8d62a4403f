//! What presses into a soft body, and how flat it is: the signals `pressed`, `released` and `squashed`.
//!
//! What is known without the engine is found out after each tick; signals are emitted when nothing is borrowed, and only what somebody listens to
//! is looked at closer.

use super::SoftBody2D;
use super::body::SharedSoft;
use crate::convert::{instance, key, vector2};
use crate::world::lock;
use godot::classes::{CharacterBody2D, Node2D, RigidBody2D};
use godot::prelude::*;
use supple_sim::Vec2;
use supple_sim::soft::SoftBody;

/// How flat a body has to be pressed to be told of, unless the user says otherwise.
const SQUASH_THRESHOLD: f32 = 0.7;
/// A dent is told of from so many px on, and is over below so many.
const DEEP: f32 = 2.0;
const SHALLOW: f32 = 1.0;
/// Who has not touched for so many seconds has left.
const LEFT: f32 = 0.1;
/// A body was squashed again when it had been higher by so much than the threshold.
const AGAIN: f32 = 0.05;

/// What presses into a body.
#[derive(Clone, Copy, Debug)]
struct Press {
    key: u64,
    /// Where it touched last, global, and the direction out of the body there.
    at: Vec2,
    out: Vec2,
    /// It was told of.
    told: bool,
    /// For how many seconds it has not touched, or hardly pressed.
    gone: f32,
}

/// What is known of who presses, and of how flat the body is.
pub struct Presses {
    list: Vec<Press>,
    /// The ratio below which `squashed` is emitted; 0: never.
    pub threshold: f32,
    flat: bool,
    /// How flat it has become, to be told.
    squashed: Option<f32>,
}

impl Default for Presses {
    fn default() -> Self {
        Presses { list: Vec::new(), threshold: SQUASH_THRESHOLD, flat: false, squashed: None }
    }
}

impl SharedSoft {
    /// Takes down what a tick of `delta` seconds has brought; true if there is something to report.
    pub(super) fn note_presses(&self, core: &SoftBody, delta: f32) -> bool {
        let presses = &mut *lock(&self.presses);
        if presses.threshold > 0.0 {
            let ratio = core.squash();
            if ratio < presses.threshold && !presses.flat {
                presses.squashed = Some(ratio);
            }
            presses.flat = ratio < presses.threshold + if presses.flat { AGAIN } else { 0.0 };
        }
        presses.list.iter_mut().for_each(|press| press.gone += delta);
        let present = lock(&self.present);
        let layered = core.settings().collision.layer != 0;
        let mut touch = |key: u64, at: Vec2, out: Vec2| match presses.list.iter_mut().find(|press| press.key == key) {
            Some(press) => (press.at, press.out, press.gone) = (at, out, 0.0),
            None => presses.list.push(Press { key, at, out, told: false, gone: 0.0 }),
        };
        for load in present.treads.iter().map(|tread| &tread.load) {
            touch(load.key, load.at, load.normal);
        }
        for known in core.touches() {
            // What does not move does not press.
            let key = known.key.body;
            if !layered || core.leans_on(key) || present.company.near.binary_search(&key).is_ok() {
                touch(key, known.position, -known.normal);
            }
        }
        presses.squashed.is_some() || !presses.list.is_empty()
    }
}

impl SoftBody2D {
    /// Emits what has changed. Nothing is borrowed: handlers may do anything.
    pub(super) fn report_presses(this: &Gd<SoftBody2D>, body: &SharedSoft) {
        let squashed = lock(&body.presses).squashed.take();
        let mut node: Gd<Node2D> = this.clone().upcast();
        if let Some(ratio) = squashed {
            node.emit_signal("squashed", &[ratio.to_variant()]);
        }
        if !node.is_instance_valid() || lock(&body.presses).list.is_empty() {
            return;
        }
        let wanted = node.has_connections("pressed") || node.has_connections("released");
        if !wanted {
            lock(&body.presses).list.clear();
            return;
        }
        let mut news: Vec<(u64, Result<f32, Vec2>)> = Vec::new();
        {
            let core = lock(&body.core);
            let presses = &mut *lock(&body.presses);
            presses.list.retain_mut(|press| {
                let depth = core.dent(press.at, press.out);
                if press.gone == 0.0 && depth >= DEEP && !press.told {
                    press.told = true;
                    news.push((press.key, Ok(depth)));
                }
                let over = press.gone >= LEFT || (press.told && press.gone == 0.0 && depth < SHALLOW);
                if over && press.told {
                    news.push((press.key, Err(core.surface_velocity(press.at))));
                }
                !over
            });
        }
        for (key, what) in news {
            let other = instance(key).and_then(|id| Gd::<Node2D>::try_from_instance_id(id).ok());
            let Some(other) = other.filter(|other| presses_at(other, key, &node)) else { continue };
            match what {
                Ok(depth) => node.emit_signal("pressed", &[other.to_variant(), depth.to_variant()]),
                Err(velocity) => node.emit_signal("released", &[other.to_variant(), vector2(velocity).to_variant()]),
            };
            if !node.is_instance_valid() || !node.is_inside_tree() {
                return;
            }
        }
    }
}

/// Whether a node is one that presses: what stands still does not.
fn presses_at(other: &Gd<Node2D>, id: u64, node: &Gd<Node2D>) -> bool {
    id != key(node.instance_id())
        && (other.clone().try_cast::<CharacterBody2D>().is_ok()
            || other.clone().try_cast::<RigidBody2D>().is_ok()
            || other.clone().try_cast::<SoftBody2D>().is_ok())
}
