//! What the editor warns of, and what to do about it.

use super::SoftBody2D;
use super::kinds::{PinMode, Source};
use crate::world::lock;
use godot::prelude::*;
use supple_sim::soft::SoftSettings;

impl SoftBody2D {
    /// Each with its remedy.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.mesh_if_needed();
        let settings = self.settings();
        let held = !lock(&self.body.core).pins().is_empty();
        let all = [
            self.shape_warning(),
            self.pin_warning(),
            self.fall_warning(&settings, held),
            self.contact_warning(&settings),
            self.look_warning(),
            material_warning(&settings),
        ];
        all.into_iter().flatten().collect()
    }

    fn shape_warning(&self) -> Option<String> {
        if self.source == Source::ChildPolygon && !self.read.is_some() {
            let inside = self.base().is_inside_tree();
            return inside.then(|| {
                "Source is Child Polygon, but there is no Polygon2D or CollisionPolygon2D right under this node.\nAdd one, or choose another Source."
                    .to_string()
            });
        }
        let flaw = self.flaw.get()?;
        if self.source == Source::Polygon && self.polygon.is_empty() {
            return Some(
                "Source is Polygon, but Polygon is empty.\nAdd at least three corners, or choose another Source."
                    .to_string(),
            );
        }
        Some(format!(
            "This outline cannot become a body: {flaw}.\nChange the outline there, or choose another Source. Until then the last valid shape is kept."
        ))
    }

    fn pin_warning(&self) -> Option<String> {
        let count = lock(&self.body.core).point_count();
        match self.pin_mode {
            PinMode::Custom if self.pinned_points.is_empty() => {
                Some("Pin Mode is Custom, but Pinned Points is empty: nothing is held.\nAdd the numbers of points, or choose another Pin Mode.".to_string())
            }
            PinMode::Custom => {
                let points = self.pinned_points.as_slice();
                let missing = points.iter().find(|&&i| usize::try_from(i).is_ok_and(|i| i >= count) || i < 0)?;
                Some(format!(
                    "Pinned Points names point {missing}, but there are the points 0 to {} only: it is passed over.\nTake it out of the list.",
                    count.saturating_sub(1)
                ))
            }
            PinMode::Sides if self.pin_sides == 0 => {
                Some("Pin Mode is Sides, but no side is chosen in Pin Sides: nothing is held.\nChoose one, or set Pin Mode to None.".to_string())
            }
            _ => None,
        }
    }

    fn fall_warning(&self, settings: &SoftSettings, held: bool) -> Option<String> {
        let falls = !held && settings.gravity_scale != 0.0 && settings.collision.mask == 0;
        falls.then(|| {
            "Nothing holds this body, and there is nothing on which it can fall.\nSet a Collision Mask, choose a Pin Mode, or set Gravity Scale to 0."
                .to_string()
        })
    }

    fn contact_warning(&self, settings: &SoftSettings) -> Option<String> {
        let contacts = lock(&self.body.contacts);
        let wants = contacts.monitored || contacts.impact_threshold > 0.0;
        (wants && settings.collision.mask == 0).then(|| {
            "Contact Monitor and Impact Threshold do nothing while Collision Mask is empty.\nChoose the layers with which the body collides."
                .to_string()
        })
    }

    fn look_warning(&self) -> Option<String> {
        let line = self.outline_width > 0.0 && self.outline_color.a > 0.0;
        let unseen = self.color.a <= 0.0 && !line && !self.has_picture() && self.source != Source::ChildPolygon;
        unseen.then(|| {
            "Nothing of this body can be seen: Color is transparent, and there is no outline.\nRaise the alpha of Color, or set Outline Width. A \
             body that children draw needs neither."
                .to_string()
        })
    }
}

fn material_warning(settings: &SoftSettings) -> Option<String> {
    let limp = settings.stiffness == 0.0 && settings.shape_memory == 0.0 && settings.iteration_count == 0;
    limp.then(|| "Nothing brings this body back to its shape.\nRaise Stiffness or Shape Memory.".to_string())
}
