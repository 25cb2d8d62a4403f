//! Which shapes of a tile map are met from one side only.
//!
//! The server does not tell, and the engine merges the polygons of many tiles into other shapes (since 4.5 of a whole quadrant, and never
//! one-way ones with others). But each tile tells of its own polygons: those under the middle of a shape are what it was made of.

use crate::convert::{vec2, vector2};
use godot::classes::{TileData, TileMap, TileMapLayer, TileSet};
use godot::prelude::*;
use supple_sim::Vec2;
use supple_sim::collide::Outline;

/// In the alternative of a tile: how it is turned.
const FLIP_H: i32 = 1 << 12;
const FLIP_V: i32 = 1 << 13;
const TRANSPOSE: i32 = 1 << 14;
/// How far in px a place may be outside of a polygon and still counts as in it.
const NEAR: f32 = 0.01;

/// The layer of a tile map to which a body belongs; None: it belongs to none.
pub fn layer_of(object: &Gd<Node2D>, body: Rid) -> Option<Gd<TileMapLayer>> {
    let object = match object.clone().try_cast::<TileMapLayer>() {
        Ok(layer) => return Some(layer).filter(|layer| layer.has_body_rid(body)),
        Err(object) => object,
    };
    let map = object.try_cast::<TileMap>().ok()?;
    let children = map.get_children_ex().include_internal(true).done();
    let mut layers = children.iter_shared().filter_map(|child| child.try_cast::<TileMapLayer>().ok());
    layers.find(|layer| layer.has_body_rid(body))
}

/// Whether a shape is one-way; None if that cannot be told. `outline` is local to its body, which is at `transform`, on `layers`.
pub fn is_one_way(layer: &Gd<TileMapLayer>, outline: &Outline, transform: Transform2D, layers: u32) -> Option<bool> {
    let Outline::Polygon(corners) = outline else { return None };
    let set = layer.get_tile_set()?;
    let physics: Vec<i32> =
        (0..set.get_physics_layers_count()).filter(|&i| set.get_physics_layer_collision_layer(i) == layers).collect();
    let to_layer = layer.get_global_transform().affine_inverse() * transform;
    let middle = super::outline::middle(outline)?;
    // The middle may lie where polygons of both kinds overlap: then places nearer to the corners.
    let others = corners.iter().map(|corner| middle.lerp(*corner, 0.7));
    std::iter::once(middle).chain(others).find_map(|place| kind_at(layer, &set, &physics, to_layer * vector2(place)))
}

/// Of which kind the polygons are that hold a place; None if there are none, or both.
fn kind_at(layer: &Gd<TileMapLayer>, set: &Gd<TileSet>, physics: &[i32], place: Vector2) -> Option<bool> {
    let cell = layer.local_to_map(place);
    let mut found: [bool; 2] = [false; 2];
    for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
        let cell = cell + Vector2i::new(x, y);
        let Some(tile) = layer.get_cell_tile_data(cell) else { continue };
        let place = vec2(place - layer.map_to_local(cell));
        let turned = layer.get_cell_alternative_tile(cell);
        for &physics in physics.iter().filter(|&&physics| physics < set.get_physics_layers_count()) {
            note(&tile, physics, turned, place, &mut found);
        }
    }
    (found[0] != found[1]).then_some(found[1])
}

/// Notes of which kinds the polygons of a tile are that hold a place.
fn note(tile: &Gd<TileData>, physics: i32, turned: i32, place: Vec2, found: &mut [bool; 2]) {
    for polygon in 0..tile.get_collision_polygons_count(physics) {
        let points = tile.get_collision_polygon_points(physics, polygon);
        let corners: Vec<Vec2> = points.as_slice().iter().map(|&point| turn(vec2(point), turned)).collect();
        if holds(&corners, place) {
            found[usize::from(tile.is_collision_polygon_one_way(physics, polygon))] = true;
        }
    }
}

/// A corner as a turned tile has it.
fn turn(corner: Vec2, turned: i32) -> Vec2 {
    let mut corner = if turned & TRANSPOSE != 0 { Vec2::new(corner.y, corner.x) } else { corner };
    if turned & FLIP_H != 0 {
        corner.x = -corner.x;
    }
    if turned & FLIP_V != 0 {
        corner.y = -corner.y;
    }
    corner
}

/// Whether a polygon holds a place, or has it on its edge.
fn holds(corners: &[Vec2], place: Vec2) -> bool {
    let mut inside = false;
    for (i, &to) in corners.iter().enumerate() {
        let from = corners[if i == 0 { corners.len() - 1 } else { i - 1 }];
        let edge = to - from;
        let part = ((place - from).dot(edge) / edge.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        if place.distance(from + edge * part) <= NEAR {
            return true;
        }
        if (from.y > place.y) != (to.y > place.y) && place.x < from.x + (place.y - from.y) / edge.y * edge.x {
            inside = !inside;
        }
    }
    inside
}
