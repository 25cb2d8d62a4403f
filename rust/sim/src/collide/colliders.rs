//! All colliders of a tick.

use super::Collider;
use super::grid::Grid;
use crate::bounds::Bounds;

/// All colliders of a tick.
#[derive(Clone, Debug, Default)]
pub struct Colliders {
    all: Vec<Collider>,
    hashes: Vec<u64>,
    grid: Grid,
}

impl Colliders {
    /// These, in this order: it decides how results are rounded.
    pub fn set(&mut self, all: impl IntoIterator<Item = Collider>) {
        self.all.clear();
        self.all.extend(all);
        self.hashes.clear();
        self.hashes.extend(self.all.iter().map(Collider::hash));
        self.grid.set(self.all.iter().map(Collider::bounds));
    }

    /// All.
    pub fn all(&self) -> &[Collider] {
        &self.all
    }

    /// A hash of all that a body at rest on one would notice.
    pub fn hash(&self, index: usize) -> u64 {
        self.hashes[index]
    }

    /// Puts into `found`, instead of what was in it, the indices of those on a layer of `mask` whose bounds overlap `bounds`, in ascending
    /// order.
    pub fn near(&self, bounds: &Bounds, mask: u32, found: &mut Vec<u32>) {
        found.clear();
        self.grid.visit(bounds, |index| {
            if self.all[index as usize].layers & mask != 0 {
                found.push(index);
            }
        });
        found.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::{ColliderKey, Material, Outline, RigidPose, Shape};
    use glam::Vec2;
    use std::sync::Arc;

    fn ball(body: u64, radius: f32) -> Collider {
        let shape = Shape::new(&Outline::Circle { radius }, Vec2::X, Vec2::Y).expect("a circle");
        let pose = RigidPose { origin: Vec2::new(10.0 * body as f32, 0.0), angle: 0.0 };
        Collider {
            key: ColliderKey { body, ..ColliderKey::default() },
            shape: Arc::new(shape),
            from: pose,
            to: pose,
            layers: 1,
            material: Material::default(),
            surface_velocity: (Vec2::ZERO, 0.0),
            yields: false,
            one_way: None,
        }
    }

    fn signature(all: impl IntoIterator<Item = Collider>) -> u64 {
        let mut colliders = Colliders::default();
        colliders.set(all);
        let mut found = Vec::new();
        colliders.near(&Bounds::around(Vec2::ZERO, Vec2::splat(55.0)), 3, &mut found);
        // A sum is the same in any order.
        found.iter().map(|&index| colliders.hash(index as usize)).fold(0, u64::wrapping_add)
    }

    #[test]
    fn a_signature_tells_whatever_changes_nearby() {
        let usual = signature([ball(0, 5.0), ball(1, 5.0)]);
        let all: [fn(&mut Collider); 8] = [
            |ball| ball.key.part = 1,
            |ball| ball.to.origin.x += 1e-6,
            |ball| ball.to.angle = 1.0,
            |ball| ball.layers = 2,
            |ball| ball.layers = 4,
            |ball| ball.material.bounce = 0.5,
            |ball| ball.surface_velocity.1 = 1.0,
            |ball| ball.one_way = Some(Vec2::Y),
        ];
        for (i, change) in all.into_iter().enumerate() {
            let mut changed = ball(0, 5.0);
            change(&mut changed);
            assert_ne!(signature([changed, ball(1, 5.0)]), usual, "{i}");
        }
        assert_ne!(signature([ball(0, 5.1), ball(1, 5.0)]), usual);
        assert_ne!(signature([ball(0, 5.0)]), usual);
        // Equal ones made anew, in another order, and others far away change nothing.
        assert_eq!(signature([ball(9, 5.0), ball(1, 5.0), ball(0, 5.0)]), usual);
    }

    #[test]
    fn near_finds_those_on_a_layer_in_ascending_order() {
        let mut colliders = Colliders::default();
        colliders.set((0..100).rev().map(|body| Collider { layers: 1 << (body % 2), ..ball(body, 4.0) }));
        let mut found = vec![3, 3];
        let area = Bounds::around(Vec2::new(50.0, 0.0), Vec2::splat(21.0));
        colliders.near(&area, 2, &mut found);
        assert_eq!(found, [92, 94, 96]);
        colliders.near(&area, 3, &mut found);
        assert_eq!(found, [92, 93, 94, 95, 96]);
        colliders.near(&area, 4, &mut found);
        assert_eq!(found, []);
    }
}
