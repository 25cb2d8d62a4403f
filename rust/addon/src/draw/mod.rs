//! Triangles from points. All of it is plain arithmetic on the engine's vectors; nothing here calls the engine.

pub mod strip;
