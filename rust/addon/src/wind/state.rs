//! What a wind's node shares with the world step, and how a wind is read from the scene.

use crate::convert::{pose, vec2};
use crate::world::lock;
use godot::classes::{
    Area2D, CapsuleShape2D, CircleShape2D, ConvexPolygonShape2D, Engine, Node2D, RectangleShape2D, Shape2D,
    WorldBoundaryShape2D,
};
use godot::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use supple_sim::collide::Outline;
use supple_sim::wind::{Region, Shape, Wind};

/// Below this a node's axis has no direction.
const FLAT: f32 = 1e-10;

/// What is set on the node, local to it.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub velocity: Vector2,
    pub turbulence: f32,
    pub gust_period: f32,
    pub radius: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { velocity: Vector2::new(300.0, 0.0), turbulence: 0.35, gust_period: 3.0, radius: 0.0 }
    }
}

/// When its gusts began, how long they take, and the last tick, in seconds of its world.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    began: f64,
    gust_period: f32,
    now: f64,
}

/// What a wind's node shares with the world step.
#[derive(Default)]
pub struct WindState {
    settings: Mutex<Settings>,
    /// None while it is in no world.
    clock: Mutex<Option<Clock>>,
    /// It blows nowhere, for want of shapes.
    shapeless: AtomicBool,
}

impl WindState {
    pub(super) fn settings(&self) -> Settings {
        *lock(&self.settings)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Settings)) {
        change(&mut lock(&self.settings));
    }

    /// It came into a world, at this time of that world.
    pub fn begin(&self, now: f64) {
        *lock(&self.clock) = Some(Clock { began: now, gust_period: self.settings().gust_period, now });
    }

    /// It left its world.
    pub fn end(&self) {
        *lock(&self.clock) = None;
    }

    /// Its wind in a tick of its world; None while its node is held by its process mode or a pause. Its gusts wait then.
    pub fn gather(&self, node: &Gd<Node2D>, now: f64) -> Option<Wind> {
        let blows = node.can_process();
        if let Some(clock) = lock(&self.clock).as_mut() {
            if !blows {
                clock.began += now - clock.now;
            }
            clock.now = now;
        }
        let wind = if blows { self.read(node)?.0 } else { return None };
        let shapeless = matches!(&wind.region, Region::Shapes(shapes) if shapes.is_empty());
        if self.shapeless.swap(shapeless, Relaxed) != shapeless && Engine::singleton().is_editor_hint() {
            node.clone().call_deferred("update_configuration_warnings", &[]);
        }
        Some(wind)
    }

    /// Its wind as its node is now, and the time of the last tick; None while it does not blow.
    pub(super) fn wind_now(&self, node: &Gd<Node2D>) -> Option<(Wind, f64)> {
        if node.is_inside_tree() && node.can_process() { self.read(node) } else { None }
    }

    /// Its wind as its node is now, and the time of the last tick; None if it is in no world.
    fn read(&self, node: &Gd<Node2D>) -> Option<(Wind, f64)> {
        let settings = self.settings();
        let transform = node.get_global_transform();
        if !transform.is_finite() {
            return None;
        }
        let (x, y) = facing(transform);
        let region = region(node, transform, settings.radius);
        let mut clock = lock(&self.clock);
        let clock = clock.as_mut()?;
        let mut wind = Wind {
            velocity: vec2(x * settings.velocity.x + y * settings.velocity.y),
            turbulence: settings.turbulence,
            gust_period: clock.gust_period,
            region,
            began: clock.began,
        };
        if settings.gust_period != clock.gust_period {
            wind.change_gust_period(settings.gust_period, clock.now);
            (clock.began, clock.gust_period) = (wind.began, wind.gust_period);
        }
        Some((wind, clock.now))
    }
}

/// The directions of a node's axes without its scale; a mirrored node has a mirrored y axis.
pub(super) fn facing(transform: Transform2D) -> (Vector2, Vector2) {
    let side = if transform.a.cross(transform.b) < 0.0 { -1.0 } else { 1.0 };
    let x = if transform.a.length() > FLAT {
        transform.a.normalized()
    } else if transform.b.length() > FLAT {
        -transform.b.normalized().orthogonal()
    } else {
        Vector2::RIGHT
    };
    (x, Vector2::new(-x.y, x.x) * side)
}

/// By what a node enlarges a radius.
pub(super) fn scale_of(transform: Transform2D) -> f32 {
    transform.a.cross(transform.b).abs().sqrt()
}

fn region(node: &Gd<Node2D>, transform: Transform2D, radius: f32) -> Region {
    if radius > 0.0 {
        return Region::Circle { middle: vec2(transform.origin), radius: radius * scale_of(transform) };
    }
    area_of(node).map_or(Region::Everywhere, |area| Region::Shapes(shapes_of(&area)))
}

/// The area in whose shapes a wind without a radius blows.
pub(super) fn area_of(node: &Gd<Node2D>) -> Option<Gd<Area2D>> {
    node.get_parent()?.try_cast().ok()
}

/// The shapes of an area that are not disabled and in which there is room.
pub(super) fn shapes_of(area: &Gd<Area2D>) -> Vec<Shape> {
    let transform = if area.is_inside_tree() { area.get_global_transform() } else { area.get_transform() };
    let mut shapes = Vec::new();
    for owner in area.get_shape_owners().as_slice().iter().map(|&owner| owner as u32) {
        if area.is_shape_owner_disabled(owner) {
            continue;
        }
        let pose = pose(transform * area.shape_owner_get_transform(owner));
        let count = area.shape_owner_get_shape_count(owner);
        let outlines = (0..count).filter_map(|i| outline(area.shape_owner_get_shape(owner, i)?));
        shapes.extend(outlines.filter_map(|outline| Shape::new(&outline, pose)));
    }
    shapes
}

/// The outline of a shape; None of one that is no surface.
fn outline(shape: Gd<Shape2D>) -> Option<Outline> {
    let shape = match shape.try_cast::<CircleShape2D>() {
        Ok(circle) => return Some(Outline::Circle { radius: circle.get_radius() }),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<RectangleShape2D>() {
        Ok(rectangle) => return Some(Outline::Rectangle { half: vec2(rectangle.get_size() * 0.5) }),
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<ConvexPolygonShape2D>() {
        Ok(polygon) => {
            return Some(Outline::Polygon(polygon.get_points().as_slice().iter().copied().map(vec2).collect()));
        }
        Err(shape) => shape,
    };
    let shape = match shape.try_cast::<CapsuleShape2D>() {
        Ok(capsule) => {
            let radius = capsule.get_radius();
            return Some(Outline::Capsule { radius, half_line: 0.5 * capsule.get_height() - radius });
        }
        Err(shape) => shape,
    };
    let boundary = shape.try_cast::<WorldBoundaryShape2D>().ok()?;
    let normal = vec2(boundary.get_normal()).try_normalize()?;
    Some(Outline::HalfPlane { normal, distance: boundary.get_distance() })
}
