//! Forms as the physics server tells them.

use crate::convert::vec2;
use godot::classes::PhysicsServer2D;
use godot::classes::physics_server_2d::ShapeType;
use godot::prelude::*;
use supple_sim::Vec2;
use supple_sim::collide::Outline;

/// The outline of a shape of the server; None if it has none, or is of a kind that queries ignore.
pub fn read(server: &PhysicsServer2D, shape: Rid) -> Option<Outline> {
    from_data(server.shape_get_type(shape), &server.shape_get_data(shape))
}

/// Whether reading it again in every tick costs next to nothing.
pub fn is_small(server: &PhysicsServer2D, shape: Rid) -> bool {
    !matches!(server.shape_get_type(shape), ShapeType::CONVEX_POLYGON | ShapeType::CONCAVE_POLYGON)
}

fn from_data(kind: ShapeType, data: &Variant) -> Option<Outline> {
    match kind {
        ShapeType::CIRCLE => Some(Outline::Circle { radius: number(data)? }),
        ShapeType::RECTANGLE => Some(Outline::Rectangle { half: vec2(data.try_to().ok()?) }),
        ShapeType::CAPSULE => {
            // In either order, as servers differ: the height is never less than twice the radius.
            let [a, b] = pair(data)?;
            let (radius, height) = (a.min(b), a.max(b));
            Some(Outline::Capsule { radius, half_line: (0.5 * height - radius).max(0.0) })
        }
        ShapeType::SEGMENT => {
            let ends = data.try_to::<Rect2>().ok()?;
            Some(Outline::Lines(vec![[vec2(ends.position), vec2(ends.size)]]))
        }
        ShapeType::WORLD_BOUNDARY => {
            let line = data.try_to::<VarArray>().ok()?;
            let normal = vec2(line.get(0)?.try_to().ok()?).try_normalize()?;
            Some(Outline::HalfPlane { normal, distance: number(&line.get(1)?)? })
        }
        ShapeType::CONVEX_POLYGON => {
            let points = data.try_to::<PackedVector2Array>().ok()?;
            Some(Outline::Polygon(points.as_slice().iter().copied().map(vec2).collect()))
        }
        ShapeType::CONCAVE_POLYGON => {
            let points = data.try_to::<PackedVector2Array>().ok()?;
            let lines = points.as_slice().chunks_exact(2);
            Some(Outline::Lines(lines.map(|ends| [vec2(ends[0]), vec2(ends[1])]).collect()))
        }
        _ => None,
    }
}

fn number(data: &Variant) -> Option<f32> {
    data.try_to::<f64>().ok().or_else(|| data.try_to::<i64>().ok().map(|whole| whole as f64)).map(|value| value as f32)
}

fn pair(data: &Variant) -> Option<[f32; 2]> {
    if let Ok(Vector2 { x, y }) = data.try_to::<Vector2>() {
        return Some([x, y]);
    }
    let both = data.try_to::<VarArray>().ok()?;
    Some([number(&both.get(0)?)?, number(&both.get(1)?)?])
}

/// The middle of a convex polygon's corners; None of other forms.
pub fn middle(outline: &Outline) -> Option<Vec2> {
    let Outline::Polygon(corners) = outline else { return None };
    (!corners.is_empty()).then(|| corners.iter().sum::<Vec2>() / corners.len() as f32)
}
