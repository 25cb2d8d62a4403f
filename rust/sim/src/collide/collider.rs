//! Shapes where they are in a tick.

use super::Shape;
use crate::bounds::Bounds;
use crate::hash::StateHash;
use glam::Vec2;
use std::sync::Arc;

/// Of a shape with more corners only the box is turned.
const FEW_CORNERS: usize = 8;

/// A place and a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidPose {
    /// Global px.
    pub origin: Vec2,
    /// Radians.
    pub angle: f32,
}

/// Of what a surface is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Friction as the engine counts it: a rough material's is negative.
    pub friction: f32,
    /// Bounce as the engine counts it: an absorbent material's is negative.
    pub bounce: f32,
}

impl Default for Material {
    fn default() -> Self {
        Material { friction: 1.0, bounce: 0.0 }
    }
}

impl Material {
    /// Friction and bounce between two surfaces, combined as the engine does: the smaller friction, the sum of the bounces. A rough one's
    /// friction wins, and an absorbent one's bounce is subtracted.
    pub fn with(&self, other: &Material) -> (f32, f32) {
        let bounce = self.bounce + other.bounce;
        // No material may carry what is not a number into a body.
        let bounce = if bounce.is_nan() { 0.0 } else { bounce.clamp(0.0, 1.0) };
        let friction = self.friction.min(other.friction).abs();
        (if friction.is_nan() { 0.0 } else { friction.min(f32::MAX) }, bounce)
    }
}

/// What tells a collider from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderKey {
    /// Its body: an instance id, or another number for bodies without a node.
    pub body: u64,
    /// Its body in the physics server, where several have the same instance id (the parts of a tile map).
    pub part: u64,
    /// The index of its shape.
    pub shape: u32,
}

/// A shape of a body, where it is and moves in a tick.
#[derive(Clone, Debug)]
pub struct Collider {
    /// What it is.
    pub key: ColliderKey,
    /// Its form, scaled and mirrored as it is.
    pub shape: Arc<Shape>,
    /// Where it was at the beginning of the tick.
    pub from: RigidPose,
    /// Where it is at the end, not more than half a turn farther.
    pub to: RigidPose,
    /// The layers on which it is.
    pub layers: u32,
    /// Its surface.
    pub material: Material,
    /// How its surface moves besides, as a conveyor's: velocity in px/s, and rad/s around its origin.
    pub surface_velocity: (Vec2, f32),
    /// Its body may move by itself: what is squeezed between it and something that does not is let into it.
    pub yields: bool,
    /// If it is met from one side only: the direction from which, a unit vector local to the shape.
    pub one_way: Option<Vec2>,
}

impl Collider {
    /// A box around all its way in the tick, in global px.
    pub fn bounds(&self) -> Bounds {
        let start = self.bounds_at(&self.from);
        if self.from == self.to || self.shape.reach() == f32::INFINITY {
            return start;
        }
        let ends = start.with(&self.bounds_at(&self.to));
        let turn = self.to.angle - self.from.angle;
        if turn == 0.0 {
            return ends;
        }
        // Between the ends a corner is off the straight way by no more than an eighth of its second derivative, and never farther than its
        // reach from the way of the origin.
        let off = 0.125 * turn * turn * self.shape.reach();
        let radius = self.shape.pieces().iter().map(|piece| piece.radius).fold(0.0, f32::max);
        let reach = self.shape.reach() + radius;
        let round = Bounds::of([self.from.origin, self.to.origin]);
        Bounds { min: (ends.min - off).max(round.min - reach), max: (ends.max + off).min(round.max + reach) }
    }

    /// A box around it at a pose.
    fn bounds_at(&self, pose: &RigidPose) -> Bounds {
        let turn = Vec2::from_angle(pose.angle);
        if let [piece] = self.shape.pieces()
            && (1..=FEW_CORNERS).contains(&piece.corners.len())
        {
            let Bounds { min, max } = Bounds::of(piece.corners.iter().map(|corner| turn.rotate(*corner)));
            return Bounds { min: pose.origin + min - piece.radius, max: pose.origin + max + piece.radius };
        }
        let Bounds { min, max } = self.shape.bounds();
        if !(min.is_finite() && max.is_finite()) {
            return Bounds::EVERYWHERE;
        }
        let half = 0.5 * (max - min);
        let turned = turn.abs();
        let half = Vec2::new(turned.x * half.x + turned.y * half.y, turned.y * half.x + turned.x * half.y);
        Bounds::around(pose.origin + turn.rotate(0.5 * (min + max)), half)
    }

    /// A hash of all that a body at rest on it would notice.
    pub(super) fn hash(&self) -> u64 {
        let mut hash = StateHash::default();
        hash.add(self.key.body);
        hash.add(self.key.part);
        hash.add(u64::from(self.key.shape) << 32 | u64::from(self.layers));
        hash.add(self.shape.hash());
        let (velocity, spin) = self.surface_velocity;
        let one_way = self.one_way.unwrap_or(Vec2::ZERO);
        hash.add_slice(&[self.to.origin.x, self.to.origin.y, self.to.angle]);
        hash.add_slice(&[self.material.friction, self.material.bounce, velocity.x, velocity.y, spin]);
        hash.add_slice(&[one_way.x, one_way.y]);
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::Outline;
    use std::f32::consts::FRAC_PI_2;

    fn bounds(outline: Outline, from: RigidPose, to: RigidPose) -> Bounds {
        let shape = Arc::new(Shape::new(&outline, Vec2::X, Vec2::Y).expect("something is left of it"));
        let collider = Collider {
            key: ColliderKey::default(),
            shape,
            from,
            to,
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        };
        collider.bounds()
    }

    fn assert_near(bounds: Bounds, middle: Vec2, half: Vec2) {
        let off = (bounds.min - (middle - half)).abs().max((bounds.max - (middle + half)).abs());
        assert!(off.max_element() < 1e-4, "{bounds:?}");
    }

    const BEAM: Outline = Outline::Rectangle { half: Vec2::new(30.0, 10.0) };

    #[test]
    fn a_box_is_as_large_as_what_moves_and_hardly_turns() {
        let at = |x, angle| RigidPose { origin: Vec2::new(x, 0.0), angle };
        assert_near(bounds(BEAM, at(0.0, 0.0), at(20.0, 0.0)), Vec2::new(10.0, 0.0), Vec2::new(40.0, 10.0));
        assert_near(bounds(BEAM, at(0.0, FRAC_PI_2), at(0.0, FRAC_PI_2)), Vec2::ZERO, Vec2::new(10.0, 30.0));
        assert_near(bounds(BEAM, at(0.0, 0.0), at(0.0, 1e-6)), Vec2::ZERO, Vec2::new(30.0, 10.0));
    }

    #[test]
    fn what_turns_far_stays_within_its_reach() {
        let half_turn =
            bounds(BEAM, RigidPose::default(), RigidPose { angle: 2.0 * FRAC_PI_2, ..RigidPose::default() });
        assert_near(half_turn, Vec2::ZERO, Vec2::splat(1000f32.sqrt()));
        let spinning = RigidPose { angle: 3.0, ..RigidPose::default() };
        assert_near(
            bounds(Outline::Circle { radius: 7.0 }, RigidPose::default(), spinning),
            Vec2::ZERO,
            Vec2::splat(7.0),
        );
    }

    #[test]
    fn a_half_plane_is_everywhere_however_it_moves() {
        let plane = Outline::HalfPlane { normal: Vec2::NEG_Y, distance: 0.0 };
        let to = RigidPose { origin: Vec2::ONE, angle: 0.5 };
        assert_eq!(bounds(plane, RigidPose::default(), to), Bounds::EVERYWHERE);
    }

    #[test]
    fn surfaces_combine_as_in_the_engine() {
        let of = |friction, bounce| Material { friction, bounce };
        assert_eq!(of(0.4, 0.5).with(&of(0.7, 0.7)), (0.4, 1.0));
        assert_eq!(of(-1.0, 0.5).with(&of(0.2, -0.2)), (1.0, 0.3));
    }
}
