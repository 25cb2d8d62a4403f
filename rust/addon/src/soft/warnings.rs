//! What the editor warns of, and what to do about it.

use super::SoftBody2D;

impl SoftBody2D {
    /// Each with its remedy.
    pub(super) fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
