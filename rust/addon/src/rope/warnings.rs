//! What the editor warns of, and what to do about it.

use super::VerletRope2D;
use super::kinds::AttachMode;
use super::ties::Flaw;
use crate::world::lock;
use godot::classes::RigidBody2D;
use godot::prelude::*;
use supple_sim::rope::End;
use supple_sim::tick::DEFAULT_GRAVITY;

impl VerletRope2D {
    /// Each with its remedy.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<String> = End::BOTH.into_iter().filter_map(|end| self.tie_warning(end)).collect();
        let rope = self.rope();
        let settings = rope.settings();
        if rope.pins().is_empty() && settings.gravity_scale != 0.0 && settings.collision.mask == 0 {
            warnings.push(
                "Nothing holds this rope, and there is nothing on which it can fall.\nTurn on Start Pinned or End Pinned, choose a \
                 Start Node, set a Collision Mask, or set Gravity Scale to 0."
                    .to_string(),
            );
        }
        if rope.is_taut() {
            let length = settings.resolved_length();
            warnings.push(format!(
                "The ends are held farther apart than Length, which is {length:.0} px: the rope is drawn straight and cannot \
                 swing.\nRaise Length, set it to 0, or bring the ends nearer to each other.",
            ));
        }
        let weight = (settings.mass + settings.end_mass) * DEFAULT_GRAVITY * settings.gravity_scale.abs();
        if settings.break_force > 0.0 && settings.break_force < weight && !rope.pins().is_empty() {
            warnings.push(format!(
                "Break Force is less than what the rope and its load weigh, {weight:.0} kg px/s²: it will break by \
                 itself.\nRaise Break Force, or lower Mass or End Mass.",
            ));
        }
        if settings.end_mass > 0.0 && rope.is_pinned(rope.point_count() - 1) {
            warnings.push(
                "End Mass does nothing while the end is held.\nTurn off End Pinned, or let the rope carry End Node."
                    .to_string(),
            );
        }
        if settings.start_stiffness > 0.0 && !rope.is_pinned(0) {
            warnings
                .push("Start Stiffness does nothing while nothing holds the start.\nTurn on Start Pinned.".to_string());
        }
        // No signal tells of what a rope does to itself, so it does not matter whether it collides with itself.
        if settings.collision.mask == 0 {
            let wants = { lock(&self.body.collision).wants_contacts() };
            if wants {
                warnings.push(
                    "Contact Monitor and Impact Threshold do nothing while Collision Mask is empty.\nChoose the layers with which \
                     the rope collides."
                        .to_string(),
                );
            }
        }
        warnings
    }

    fn tie_warning(&self, end: End) -> Option<String> {
        let tie = &self.ties[end as usize];
        if tie.path.is_empty() || !self.base().is_inside_tree() {
            return None;
        }
        let name = match end {
            End::Start => "Start",
            End::End => "End",
        };
        match self.find_tie(end) {
            Err(Flaw::Missing) => Some(format!(
                "{name} Node leads nowhere: there is no node at \"{}\".\nChoose another, or clear it.",
                tie.path
            )),
            Err(Flaw::NoNode2D) => {
                Some(format!("{name} Node is no Node2D.\nChoose a Node2D, or put it under one and choose that."))
            }
            Err(Flaw::Above) => Some(format!(
                "{name} Node is this rope or above it in the tree: the rope cannot carry what it hangs on.\nSet {name} Mode to Node Holds \
                 Rope, or move the node out of the rope's parents.",
            )),
            Ok(node) if tie.mode == AttachMode::RopeCarriesNode => {
                let body = node.try_cast::<RigidBody2D>().ok().filter(|body| !body.is_freeze_enabled())?;
                Some(format!(
                    "The rope cannot carry the moving RigidBody2D \"{}\": the two would fight.\nTurn on its Freeze, or set {name} \
                     Mode to Auto.",
                    body.get_name()
                ))
            }
            Ok(_) => None,
        }
    }
}
