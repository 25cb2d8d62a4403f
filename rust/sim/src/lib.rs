//! The engine-free simulation core of Supple.
//!
//! Everything here works on plain numbers: positions in pixels (y down, as in Godot's 2D), seconds and kilograms.
//! Nothing knows the engine, so all of it runs under `cargo test`, in benchmarks and in [`examples`].
//!
//! | module | idea |
//! |---|---|
//! | [`frame`] | poses, and the local frame that keeps points precise far from the origin |
//! | [`points`] | the points as a structure of arrays |
//! | [`bounds`] | boxes, to tell early what cannot touch |
//! | [`collide`] | what bodies collide with: shapes, their distances, where they are |
//! | [`contact`] | where points and pieces touch in a substep; friction and bounce |
//! | [`integrate`] | time-corrected position Verlet |
//! | [`bending`] | what a rope does against being bent |
//! | [`wind`] | air that moves, in gusts and in regions |
//! | [`tick`] | what a body is told of the world for a tick |
//! | [`substeps`] | how a tick is divided |
//! | [`relax`] | the classic relaxation of distance constraints |
//! | [`chain`] | the direct solver of a chain, with its safety net |
//! | [`catenary`] | the curve in which a rope hangs |
//! | [`island`] | bodies that hold on to the same rigid bodies |
//! | [`mesh`] | bodies at rest as points, triangles, outline and springs |
//! | [`rope`] | a rope: points, pins, solver, sleep |
//! | [`cholesky`] | sparse linear systems
//! | [`soft`] | a soft body: a mesh that wobbles and goes back to its shape
//! | [`hash`] | a hash of a state, bit for bit |
//! | [`workers`] | the threads on which bodies are stepped |
//!
//! [`examples`]: https://doc.rust-lang.org/cargo/reference/cargo-targets.html#examples

#![forbid(unsafe_code)]

pub mod bending;
pub mod bounds;
pub mod catenary;
pub mod chain;
pub mod cholesky;
pub mod collide;
pub mod contact;
pub mod frame;
pub mod hash;
pub mod integrate;
pub mod island;
pub mod mesh;
pub mod points;
pub mod relax;
pub mod rope;
pub mod soft;
pub mod substeps;
pub mod tick;
pub mod wind;
pub mod workers;

pub use glam::Vec2;
