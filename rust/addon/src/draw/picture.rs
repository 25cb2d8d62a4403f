//! Pictures from the engine's textures: the whole of one, or a region.

use super::brush::Picture;
use godot::classes::{AtlasTexture, Texture2D};
use godot::prelude::*;

/// The most textures that may lie in each other as regions.
const MOST_NESTED: usize = 8;

/// None for a texture without an area.
pub fn bake_picture(texture: &Gd<Texture2D>) -> Option<Picture> {
    let mut texture = texture.clone();
    let mut region: Option<Rect2> = None;
    for _ in 0..MOST_NESTED {
        let Ok(atlas) = texture.clone().try_cast::<AtlasTexture>() else {
            break;
        };
        texture = atlas.get_atlas()?;
        let mut part = atlas.get_region();
        // A side of 0 is all of it.
        let whole = texture.get_size();
        part.size.x = if part.size.x == 0.0 { whole.x } else { part.size.x };
        part.size.y = if part.size.y == 0.0 { whole.y } else { part.size.y };
        region = Some(match region {
            None => part,
            Some(inner) => Rect2::new(inner.position + part.position, inner.size).intersect(part)?,
        });
    }
    let whole = Rect2::new(Vector2::ZERO, texture.get_size());
    let shown = match region {
        Some(region) => region.intersect(whole)?,
        None => whole,
    };
    let rid = texture.get_rid();
    if !(rid.is_valid() && shown.is_finite() && shown.size.x > 0.0 && shown.size.y > 0.0) {
        return None;
    }
    Some(Picture {
        texture: rid,
        size: shown.size,
        region: Rect2::new(shown.position / whole.size, shown.size / whole.size),
        is_part: shown != whole,
    })
}
