//! Presets: sets of values that are chosen by name, by number, or in the Inspector.

use crate::complain::Callee;
use crate::rope::{self, VerletRope2D};
use crate::soft::{self, SoftBody2D};
use godot::classes::{Node2D, Object};
use godot::prelude::*;

/// Properties and what they are set to.
pub type Values = Vec<(&'static str, Variant)>;

/// The presets of a class.
pub struct Kinds {
    /// Their names in the order of their numbers, which begin with 1.
    pub names: &'static [&'static str],
    /// What the preset with an index, from 0, sets on a node.
    pub values: fn(usize, &Gd<Node2D>) -> Values,
    /// What the Inspector says of the list.
    pub tooltip: &'static str,
}

/// The presets for a node; None: it has none.
pub fn kinds_of(object: &Gd<Object>) -> Option<(&'static Kinds, Gd<Node2D>)> {
    let node = object.clone().try_cast::<Node2D>().ok()?;
    if node.clone().try_cast::<VerletRope2D>().is_ok() {
        Some((&rope::presets::KINDS, node))
    } else if node.clone().try_cast::<SoftBody2D>().is_ok() {
        Some((&soft::presets::KINDS, node))
    } else {
        None
    }
}

/// Sets the preset with this name, in any case. The node must not be bound.
pub fn apply(kinds: &Kinds, node: Gd<Node2D>, name: &GString) {
    let wanted = name.to_string();
    match kinds.names.iter().position(|known| known.eq_ignore_ascii_case(&wanted)) {
        Some(index) => set(kinds, node, index as i64 + 1),
        None => {
            let callee = Callee::new(node.upcast(), "apply_preset()");
            callee.complain(format_args!("there is no preset \"{wanted}\", there are {}", kinds.names.join(", ")));
        }
    }
}

/// Sets the preset with this number; 0 does nothing. The node must not be bound.
pub fn set(kinds: &Kinds, mut node: Gd<Node2D>, preset: i64) {
    match usize::try_from(preset - 1).ok().filter(|&index| index < kinds.names.len()) {
        Some(index) => {
            let values = (kinds.values)(index, &node);
            values.iter().for_each(|(property, value)| node.set(*property, value));
        }
        None if preset == 0 => (),
        None => {
            let callee = Callee::new(node.upcast(), "preset");
            callee.complain(format_args!("{preset} is no preset, they are 1 to {}", kinds.names.len()));
        }
    }
}

/// All `properties` of a new node but those that a preset sets itself, and these.
pub fn with_defaults(properties: &[&'static str], mut own: Values, fresh: Gd<Node2D>) -> Values {
    let others = properties.iter().filter(|name| own.iter().all(|(own, _)| own != *name));
    let mut values: Values = others.map(|name| (*name, fresh.get(*name))).collect();
    fresh.free();
    values.append(&mut own);
    values
}
