//! The internal node that calls the world step.

use super::tick::{self, After};
use super::{WORLDS, monitors};
use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::notify::NodeNotification;
use godot::classes::{INode, Node, Node2D};
use godot::prelude::*;

/// Where in a tick the bodies are simulated, and in a frame looked at: after all nodes with a lower priority.
const PRIORITY: i32 = 1000;

/// Steps all Supple bodies of one physics space.
///
/// It works in internal notifications, as the engine's own nodes do, and goes on while the tree is paused: each body
/// minds its own node's process mode.
#[derive(GodotClass)]
#[class(tool, internal, init, base = Node)]
pub struct SuppleWorld {
    #[init(val = Rid::Invalid)]
    space: Rid,
    interpolates: bool,
    /// Whether it is called in every frame.
    frames: bool,
    base: Base<Node>,
}

impl SuppleWorld {
    /// Makes the node for `space` and adds it to the root of the tree in which `node` is.
    pub fn spawn(node: &Gd<Node2D>, space: Rid) {
        let mut world = SuppleWorld::new_alloc();
        world.bind_mut().space = space;
        world.set_name("SuppleWorld");
        world.set_process_mode(ProcessMode::ALWAYS);
        world.set_physics_process_priority(PRIORITY);
        world.set_process_priority(PRIORITY);
        world.set_physics_process_internal(true);
        let root = node.get_tree().get_root().map(Gd::upcast::<Node>);
        let Some(mut root) = root else {
            return world.free();
        };
        // The root may be busy adding the very node that is entering the tree.
        root.call_deferred("add_child", &[world.to_variant(), false.to_variant(), InternalMode::BACK.to_variant()]);
    }

    /// Forgets the world; one that is made for the same space later has a node of its own.
    fn give_up(&mut self) {
        WORLDS.with_borrow_mut(|worlds| worlds.remove(&self.space));
        self.space = Rid::Invalid;
    }

    fn tick(&mut self) {
        let delta = self.base().get_physics_process_delta_time();
        match tick::run(self.space, delta) {
            After::GiveUp => {
                self.give_up();
                self.base_mut().queue_free();
            }
            After::GoOn { frames } => {
                self.interpolates = self.base().get_tree().is_physics_interpolation_enabled();
                let frames = frames || self.interpolates;
                if frames != self.frames {
                    self.frames = frames;
                    self.base_mut().set_process_internal(frames);
                }
            }
        }
    }
}

#[godot_api]
impl INode for SuppleWorld {
    fn on_notification(&mut self, what: NodeNotification) {
        match what {
            NodeNotification::ENTER_TREE => monitors::add(),
            NodeNotification::INTERNAL_PHYSICS_PROCESS => self.tick(),
            NodeNotification::INTERNAL_PROCESS => tick::frame(self.space, self.interpolates),
            NodeNotification::EXIT_TREE => {
                self.give_up();
                monitors::remove();
            }
            _ => (),
        }
    }
}
