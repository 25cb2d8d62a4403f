//! Sets of values for kinds of ropes.
//!
//! A preset sets all properties of look and motion: those that it does not name get their defaults. Where a rope is, how long it is and what
//! it is tied to stays as it is, but for what a preset needs.

use super::VerletRope2D;
use super::kinds::Solver;
use crate::presets::{self, Kinds, Values};
use godot::classes::{Curve, Gradient, ResourceLoader, Texture2D};
use godot::prelude::*;

/// The presets of ropes.
pub const KINDS: Kinds = Kinds {
    // In the order of their numbers, which begin with 1. Never reorder.
    names: &["Rope", "Chain", "Cable", "Elastic", "Hair", "Bridge", "Lesson", "Scarf", "Vine"],
    values,
    tooltip: "Sets all properties of a kind of rope at once, except where it is and what it is tied to.",
};

/// Where the pictures are that presets use.
const TEXTURES: &str = "res://addons/supple/textures";

/// All properties that presets set.
const PROPERTIES: [&str; 31] = [
    "segments",
    "segment_length",
    "mass",
    "gravity_scale",
    "linear_damp",
    "air_drag",
    "wind_scale",
    "bend",
    "bend_rest",
    "start_stiffness",
    "break_force",
    "solver",
    "iteration_count",
    "substeps",
    "width",
    "width_curve",
    "default_color",
    "gradient",
    "texture",
    "texture_mode",
    "begin_cap_mode",
    "end_cap_mode",
    "draw_mode",
    "segment_texture",
    "segment_alternate",
    "antialiased",
    "slack",
    "reel_end",
    "collision_radius",
    "physics_material_override",
    "self_collision",
];

/// Sets the preset with this name, in any case.
pub fn apply(rope: Gd<VerletRope2D>, name: &GString) {
    presets::apply(&KINDS, rope.upcast(), name);
}

/// Sets the preset with this number; 0 does nothing.
pub fn set(rope: Gd<VerletRope2D>, preset: i64) {
    presets::set(&KINDS, rope.upcast(), preset);
}

/// What the preset with this index, from 0, sets on a rope.
fn values(index: usize, node: &Gd<Node2D>) -> Values {
    let Ok(rope) = node.clone().try_cast::<VerletRope2D>() else { return Vec::new() };
    presets::with_defaults(&PROPERTIES, special(index, &rope), VerletRope2D::new_alloc().upcast())
}

/// What a preset has of its own.
fn special(index: usize, rope: &Gd<VerletRope2D>) -> Values {
    let white = Color::WHITE.to_variant();
    match KINDS.names[index] {
        "Rope" => vec![
            ("width", 8.to_variant()),
            ("texture", picture("rope.svg")),
            ("default_color", white),
            ("bend", 0.15.to_variant()),
            ("antialiased", true.to_variant()),
        ],
        "Chain" => vec![
            ("segment_length", 16.to_variant()),
            ("mass", 3.to_variant()),
            ("linear_damp", 0.6.to_variant()),
            ("air_drag", 0.1.to_variant()),
            ("width", 14.to_variant()),
            ("draw_mode", VerletRope2D::DRAW_SEGMENTS.to_variant()),
            ("segment_texture", picture("chain_link.svg")),
            ("segment_alternate", picture("chain_link_side.svg")),
            ("default_color", white),
        ],
        "Cable" => vec![
            ("mass", 1.5.to_variant()),
            ("linear_damp", 0.3.to_variant()),
            ("bend", 0.45.to_variant()),
            ("antialiased", true.to_variant()),
            ("width", 5.to_variant()),
            ("texture", picture("cable.svg")),
            ("default_color", white),
        ],
        "Elastic" => vec![
            ("solver", Solver::Relaxation.to_variant()),
            ("iteration_count", 6.to_variant()),
            ("linear_damp", 1.to_variant()),
            ("width", 3.to_variant()),
            ("default_color", Color::from_rgb(0.89, 0.27, 0.33).to_variant()),
            ("antialiased", true.to_variant()),
        ],
        "Hair" => vec![
            ("segment_length", 6.to_variant()),
            ("mass", 0.05.to_variant()),
            ("linear_damp", 4.to_variant()),
            ("air_drag", 4.to_variant()),
            ("bend", 0.3.to_variant()),
            ("start_stiffness", 0.8.to_variant()),
            ("collision_radius", 2.to_variant()),
            ("width", 8.to_variant()),
            ("width_curve", profile(&[(0.0, 0.8, 0.4), (0.35, 1.0, 0.0), (1.0, 0.08, -2.0)])),
            ("gradient", shades(&[(0.0, "3b2216"), (1.0, "8a5a33")])),
            ("default_color", white),
            ("antialiased", true.to_variant()),
        ],
        "Bridge" => {
            let mut bridge: Values = vec![
                ("segment_length", 14.to_variant()),
                ("mass", 20.to_variant()),
                ("linear_damp", 2.to_variant()),
                ("width", 9.5.to_variant()),
                ("draw_mode", VerletRope2D::DRAW_SEGMENTS.to_variant()),
                ("segment_texture", picture("plank.svg")),
                ("default_color", white),
                ("start_pinned", true.to_variant()),
                ("end_pinned", true.to_variant()),
            ];
            let settings = rope.bind().settings();
            if settings.end_position == supple_sim::rope::RopeSettings::default().end_position {
                // Hanging straight down it would be no bridge.
                bridge.push(("end_position", Vector2::new(settings.length.max(100.0), 0.0).to_variant()));
                bridge.push(("length", 0.to_variant()));
            }
            bridge
        }
        "Lesson" => vec![
            ("segment_length", 18.to_variant()),
            ("solver", Solver::Relaxation.to_variant()),
            ("iteration_count", 12.to_variant()),
            ("substeps", 1.to_variant()),
            // 0.99 of the speed is kept in a tick at 60 ticks a second.
            ("linear_damp", 0.6.to_variant()),
            ("air_drag", 0.to_variant()),
            ("width", 2.to_variant()),
            ("begin_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("end_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("default_color", white),
        ],
        "Scarf" => vec![
            ("segment_length", 7.to_variant()),
            ("mass", 0.2.to_variant()),
            ("linear_damp", 1.5.to_variant()),
            ("air_drag", 9.to_variant()),
            ("bend", 0.1.to_variant()),
            ("collision_radius", 3.to_variant()),
            ("width", 14.to_variant()),
            ("texture", picture("scarf.svg")),
            ("antialiased", true.to_variant()),
            ("begin_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("end_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("default_color", white),
        ],
        "Vine" => vec![
            ("segment_length", 12.to_variant()),
            ("mass", 0.8.to_variant()),
            ("linear_damp", 2.to_variant()),
            ("air_drag", 3.to_variant()),
            ("bend", 0.25.to_variant()),
            // Its stem: leaves give way.
            ("collision_radius", 4.to_variant()),
            ("width", 26.to_variant()),
            ("texture", picture("vine.svg")),
            // Narrow at the ends, where leaves are cut through.
            ("width_curve", profile(&[(0.0, 0.35, 8.0), (0.08, 1.0, 0.0), (0.92, 1.0, 0.0), (1.0, 0.35, -8.0)])),
            ("begin_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("end_cap_mode", VerletRope2D::CAP_NONE.to_variant()),
            ("default_color", white),
        ],
        _ => vec![],
    }
}

/// A picture of the addon; nothing where it is missing.
fn picture(file: &str) -> Variant {
    let path = format!("{TEXTURES}/{file}");
    let mut loader = ResourceLoader::singleton();
    if !loader.exists(&path) {
        return Variant::nil();
    }
    loader.load(&path).and_then(|resource| resource.try_cast::<Texture2D>().ok()).to_variant()
}

/// A curve through places from 0 to 1, with heights and slopes.
fn profile(points: &[(f32, f32, f32)]) -> Variant {
    let mut curve = Curve::new_gd();
    for &(place, height, slope) in points {
        curve.add_point_ex(Vector2::new(place, height)).left_tangent(slope).right_tangent(slope).done();
    }
    curve.to_variant()
}

/// A gradient of colours at places from 0 to 1.
fn shades(colors: &[(f32, &str)]) -> Variant {
    let mut gradient = Gradient::new_gd();
    let offsets: PackedFloat32Array = colors.iter().map(|(place, _)| *place).collect();
    let shades: PackedColorArray = colors.iter().filter_map(|(_, html)| Color::from_html(*html)).collect();
    gradient.set_offsets(&offsets);
    gradient.set_colors(&shades);
    gradient.to_variant()
}
