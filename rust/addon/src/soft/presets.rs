//! Sets of values for kinds of soft bodies.
//!
//! A preset sets all properties of look and material: those that it does not name get their defaults. Where a body is, its shape and its pins stay, but for what
//! a preset needs: balloons and tyres are no boxes, and the lesson's body has its own shape and hangs.

use super::SoftBody2D;
use super::kinds::{PinMode, Source};
use crate::presets::{self, Kinds, Values};
use godot::classes::PhysicsMaterial;
use godot::prelude::*;

/// The presets of soft bodies.
pub const KINDS: Kinds = Kinds {
    // In the order of their numbers, which begin with 1. Never reorder.
    names: &["Jelly", "Rubber", "Balloon", "Slime", "Tyre", "Lesson"],
    values,
    tooltip: "Sets look and material of a kind of body at once. Where it is, its shape and its pins stay, except that Balloon \
              and Tyre make an ellipse of a rectangle, and Lesson sets its own grid, which hangs by its top row.",
};

/// All properties that presets set.
const PROPERTIES: [&str; 24] = [
    "mass",
    "particle_mass",
    "stiffness",
    "damping",
    "shear_ratio",
    "area_stiffness",
    "pressure",
    "shape_memory",
    "plasticity",
    "max_stretch",
    "iteration_count",
    "linear_damp",
    "gravity_scale",
    "lock_rotation",
    "physics_material_override",
    "self_collision",
    "substeps",
    "texture",
    "color",
    "shine",
    "outline_width",
    "outline_color",
    "smooth_outline",
    "antialiased",
];

/// Sets the preset with this name, in any case.
pub fn apply(body: Gd<SoftBody2D>, name: &GString) {
    presets::apply(&KINDS, body.upcast(), name);
}

/// Sets the preset with this number; 0 does nothing.
pub fn set(body: Gd<SoftBody2D>, preset: i64) {
    presets::set(&KINDS, body.upcast(), preset);
}

/// What the preset with this index, from 0, sets on a body.
fn values(index: usize, node: &Gd<Node2D>) -> Values {
    let Ok(body) = node.clone().try_cast::<SoftBody2D>() else { return Vec::new() };
    presets::with_defaults(&PROPERTIES, special(index, &body), SoftBody2D::new_alloc().upcast())
}

/// What a preset has of its own.
fn special(index: usize, body: &Gd<SoftBody2D>) -> Values {
    match KINDS.names[index] {
        "Rubber" => vec![
            ("mass", 2.to_variant()),
            ("stiffness", 2000.to_variant()),
            ("damping", 0.5.to_variant()),
            ("shear_ratio", 0.6.to_variant()),
            ("area_stiffness", 50.to_variant()),
            ("linear_damp", 0.05.to_variant()),
            ("physics_material_override", material(1.0, 0.6)),
            ("color", Color::from_rgb(0.86, 0.28, 0.25).to_variant()),
            ("outline_color", Color::from_rgb(0.45, 0.1, 0.12).to_variant()),
            ("shine", 0.3.to_variant()),
        ],
        "Balloon" => {
            let mut balloon = round(body);
            balloon.extend([
                ("mass", 0.05.to_variant()),
                ("stiffness", 15.to_variant()),
                ("damping", 0.05.to_variant()),
                ("area_stiffness", 5.to_variant()),
                ("pressure", 4.to_variant()),
                ("linear_damp", 2.5.to_variant()),
                ("gravity_scale", 0.3.to_variant()),
                ("color", Color::from_rgba(0.95, 0.35, 0.55, 0.85).to_variant()),
                ("outline_color", Color::from_rgb(0.66, 0.16, 0.36).to_variant()),
                ("outline_width", 2.to_variant()),
                ("shine", 0.85.to_variant()),
            ]);
            balloon
        }
        "Slime" => vec![
            ("stiffness", 12.to_variant()),
            ("damping", 3.to_variant()),
            ("shear_ratio", 0.15.to_variant()),
            ("area_stiffness", 45.to_variant()),
            ("shape_memory", 0.02.to_variant()),
            ("plasticity", 0.3.to_variant()),
            ("linear_damp", 1.to_variant()),
            ("color", Color::from_rgba(0.55, 0.8, 0.16, 0.85).to_variant()),
            ("outline_color", Color::from_rgb(0.3, 0.5, 0.06).to_variant()),
            ("shine", 0.7.to_variant()),
        ],
        "Tyre" => {
            let mut tyre = round(body);
            tyre.extend([
                ("mass", 5.to_variant()),
                ("stiffness", 1500.to_variant()),
                ("damping", 25.to_variant()),
                ("shear_ratio", 0.8.to_variant()),
                ("area_stiffness", 500.to_variant()),
                ("pressure", 50.to_variant()),
                // It rolls out.
                ("linear_damp", 0.3.to_variant()),
                ("physics_material_override", material(1.5, 0.0)),
                ("color", Color::from_rgb(0.66, 0.69, 0.74).to_variant()),
                ("outline_color", Color::from_rgb(0.1, 0.1, 0.12).to_variant()),
                ("outline_width", 16.to_variant()),
                ("shine", 0.to_variant()),
            ]);
            tyre
        }
        // Sets its shape and its pins too: the lesson's is a grid that hangs.
        "Lesson" => vec![
            ("source", Source::Rectangle.to_variant()),
            ("size", Vector2::new(100.0, 100.0).to_variant()),
            ("particle_count", Vector2i::new(5, 5).to_variant()),
            ("pin_mode", PinMode::Sides.to_variant()),
            ("pin_sides", 1.to_variant()),
            ("particle_mass", 1.to_variant()),
            ("stiffness", 200.to_variant()),
            ("damping", 5.to_variant()),
            ("shear_ratio", 0.3.to_variant()),
            // Hardly felt, but what is turned inside out comes back; the lesson's stays so.
            ("area_stiffness", 1.to_variant()),
            ("iteration_count", 5.to_variant()),
            ("gravity_scale", 1.to_variant()),
            // 0.99 of the speed is kept in a tick at 60 ticks a second.
            ("linear_damp", 0.6.to_variant()),
            ("color", Color::from_rgb(0.4, 0.7, 1.0).to_variant()),
            ("outline_color", Color::from_rgb(0.15, 0.35, 0.6).to_variant()),
            ("outline_width", 2.to_variant()),
            ("smooth_outline", false.to_variant()),
            ("shine", 0.to_variant()),
        ],
        // Jelly is what a new body is.
        _ => vec![],
    }
}

/// A box becomes an ellipse; other shapes stay.
fn round(body: &Gd<SoftBody2D>) -> Values {
    let is_box = body.get("source") == Source::Rectangle.to_variant();
    if is_box { vec![("source", Source::Ellipse.to_variant())] } else { Vec::new() }
}

/// A surface.
fn material(friction: f32, bounce: f32) -> Variant {
    let mut material = PhysicsMaterial::new_gd();
    material.set_friction(friction);
    material.set_bounce(bounce);
    material.to_variant()
}
