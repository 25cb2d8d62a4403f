//! Supple's nodes for Godot 4.
//!
//! | module | idea |
//! |---|---|
//! | [`world`] | the world step: the one point of a tick at which all bodies are simulated |
//! | [`rope`] | `VerletRope2D` |
//! | [`bodies`] | all kinds of nodes with bodies |
//! | [`soft`] | `SoftBody2D` |
//! | [`anchor`] | `PointAnchor2D` |
//! | [`editor`] | what the editor shows beside the Inspector |
//! | [`wind`] | `Wind2D` |
//! | [`draw`] | triangles from points |
//! | [`hands`], [`holders`] | what holds points of bodies |
//! | [`presets`] | sets of values that are chosen by name |
//! | [`offscreen`] | bodies that nobody sees |
//! | [`complain`] | errors that name the node and the argument |
//! | [`contacts`] | bodies that are let through, and signals of contacts |
//! | [`convert`] | the engine's numbers and the core's |

mod anchor;
mod bodies;
mod complain;
mod contacts;
mod convert;
mod draw;
mod editor;
mod hands;
mod holders;
mod offscreen;
mod presets;
mod rope;
mod soft;
mod wind;
mod world;

use godot::prelude::*;

struct Supple;

// SAFETY: this is the only entry point, and nothing here bypasses gdext.
#[gdextension]
unsafe impl ExtensionLibrary for Supple {
    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            world::shut_down();
        }
    }
}
