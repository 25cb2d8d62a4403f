//! The linear system of a substep.

/// The system.
#[derive(Clone, Debug, Default)]
pub(super) struct System;
