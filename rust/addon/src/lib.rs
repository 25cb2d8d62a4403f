//! Supple's nodes for Godot 4.
use godot::prelude::*;

struct Supple;

// SAFETY: the entry point of the extension, as gdext asks for it.
#[gdextension]
unsafe impl ExtensionLibrary for Supple {}
