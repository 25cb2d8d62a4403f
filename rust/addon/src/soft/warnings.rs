//! What the editor warns of, and what to do about it.

use super::SoftBody2D;

impl SoftBody2D {
    /// Each with its remedy.
    pub(super) fn warnings(&self) -> Vec<String> {
        let outline = self.flaw.get().map(|flaw| {
            format!("There is no such body: {flaw}.\nChange the outline there, or choose another Source; the last shape stays until then.")
        });
        outline.into_iter().collect()
    }
}
