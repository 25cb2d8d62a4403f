//! The engine-free core.
