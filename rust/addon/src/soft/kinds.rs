//! The choices of a soft body's properties.

use godot::prelude::*;

/// What a body's shape is made from. Never renumber; 3 is kept for textures.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum Source {
    #[default]
    Rectangle = 0,
    Ellipse = 1,
    Polygon = 2,
    ChildPolygon = 4,
}

/// Which points the node holds. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum PinMode {
    #[default]
    None = 0,
    Sides = 1,
    TopEvery = 2,
    Corners = 3,
    Custom = 4,
}
