//! Sets of values for kinds of soft bodies.
//!
//! A preset sets all properties of look and material: those that it does not name get their defaults. Where a body is, its shape and its pins stay, but for what
//! a preset needs.

use super::SoftBody2D;
use crate::presets::{self, Kinds, Values};
use godot::prelude::*;

/// The presets of soft bodies.
pub const KINDS: Kinds = Kinds {
    // In the order of their numbers, which begin with 1. Never reorder.
    names: &["Jelly", "Rubber", "Balloon", "Slime", "Tyre", "Lesson"],
    values,
    tooltip: "Sets all properties of a kind of body at once, except where it is, its shape and its pins.",
};

/// Sets the preset with this name, in any case.
pub fn apply(body: Gd<SoftBody2D>, name: &GString) {
    presets::apply(&KINDS, body.upcast(), name);
}

/// Sets the preset with this number; 0 does nothing.
pub fn set(body: Gd<SoftBody2D>, preset: i64) {
    presets::set(&KINDS, body.upcast(), preset);
}

/// What the preset with this index, from 0, sets on a body.
fn values(_index: usize, _body: &Gd<Node2D>) -> Values {
    Vec::new()
}
