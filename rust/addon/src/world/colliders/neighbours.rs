//! Who may meet a presence: rigid bodies and characters that were found near.

use super::bodies::Known;
use godot::classes::CharacterBody2D;
use godot::prelude::*;
use supple_sim::bounds::Bounds;

/// A rigid body or a character.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    /// Its RID.
    pub rid: u64,
    /// What the core calls it.
    pub key: u64,
    pub layers: u32,
    pub mask: u32,
    /// A rigid body; otherwise a character.
    pub rigid: bool,
    pub bounds: Bounds,
}

impl Known {
    /// It, if it may meet a presence.
    pub fn neighbour(&self) -> Option<Neighbour> {
        let (rigid, mask) = self.source().meets()?;
        let bounds = self.bounds()?;
        Some(Neighbour { rid: self.source().rid().to_u64(), key: self.key, layers: self.layers(), mask, rigid, bounds })
    }

    /// The character that it is.
    pub fn character(&self) -> Option<Gd<CharacterBody2D>> {
        self.source().character().filter(|character| character.is_inside_tree()).cloned()
    }
}
