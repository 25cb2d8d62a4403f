//! Characters at the ends of bodies are kept within reach, before the bodies gather where their holders are.

use super::{Body, World};
use godot::classes::Node2D;
use godot::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A character on several ropes, or a chain of them, is brought within reach of one after the other, at most so often.
const PASSES: u32 = 6;

/// Brings characters within reach of what they are tied to. No world may be borrowed: the engine moves nodes, and their scripts may be told.
pub fn hold_all(world: &RefCell<World>, delta: f32) {
    let mut leashed = world.borrow_mut().take_leashed();
    for pass in 0..PASSES {
        let mut moved = false;
        for (node, body) in leashed.iter().filter(|(node, _)| node.is_instance_valid()) {
            moved |= body.hold_characters(node, delta, pass);
        }
        if !moved || leashed.len() == 1 {
            break;
        }
    }
    leashed.clear();
    world.borrow_mut().leashed = leashed;
}

impl World {
    /// The bodies at whose ends characters are.
    fn take_leashed(&mut self) -> Vec<(Gd<Node2D>, Arc<dyn Body>)> {
        let mut leashed = std::mem::take(&mut self.leashed);
        for member in &self.members {
            let flags = member.body.flags();
            let (unsorted, held) = (flags.unsorted.load(Relaxed), flags.leashed.load(Relaxed));
            if !(unsorted || held) || flags.paused.load(Relaxed) || flags.still.load(Relaxed) {
                continue;
            }
            if unsorted {
                member.body.find_characters(&member.node);
                if member.asleep {
                    // Those that are awake are sorted when they are gathered.
                    flags.unsorted.store(false, Relaxed);
                    member.body.find_exceptions(&member.node);
                }
            }
            if flags.leashed.load(Relaxed) {
                leashed.push((member.node.clone(), Arc::clone(&member.body)));
            }
        }
        leashed
    }
}
