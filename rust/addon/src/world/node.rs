//! The internal node that calls the world step.

use super::presence;
use super::tick::{self, After};
use super::{WORLDS, monitors};
use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, Node, Node2D, RenderingServer};
use godot::prelude::*;

/// Where in a tick the bodies are simulated: after all nodes with a lower priority.
const PRIORITY: i32 = 1000;

/// Steps all Supple bodies of one physics space.
///
/// It works in internal notifications, as the engine's own nodes do, and goes on while the tree is paused: each body
/// minds its own node's process mode.
#[derive(GodotClass)]
#[class(tool, internal, init, base = Node2D)]
pub struct SuppleWorld {
    /// None when it has given up its world.
    space: Option<Rid>,
    interpolates: bool,
    /// Some body was awake in the last tick.
    moving: bool,
    base: Base<Node2D>,
}

impl SuppleWorld {
    /// Makes the node for `space` and adds it to the root of the tree in which `node` is.
    pub fn spawn(node: &Gd<Node2D>, space: Rid) {
        let mut world = SuppleWorld::new_alloc();
        world.bind_mut().space = Some(space);
        world.set_name("SuppleWorld");
        world.set_process_mode(ProcessMode::ALWAYS);
        world.set_physics_process_priority(PRIORITY);
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
        if let Some(space) = self.space.take() {
            WORLDS.with_borrow_mut(|worlds| worlds.remove(&space));
        }
    }

    fn tick(&mut self) {
        let delta = self.base().get_physics_process_delta_time();
        let Some(space) = self.space else { return };
        let after = {
            // A signal's handler may do what notifies this node again: while the guard lives it is not borrowed.
            let _guard = self.base_mut();
            tick::run(space, delta)
        };
        match after {
            After::GiveUp => {
                self.give_up();
                self.base_mut().queue_free();
            }
            After::GoOn { moving } => {
                self.moving = moving;
                let interpolates = self.base().get_tree().is_physics_interpolation_enabled();
                if interpolates != self.interpolates {
                    self.interpolates = interpolates;
                    self.base_mut().set_process_internal(interpolates);
                }
                self.ask_for_a_frame();
            }
        }
    }

    /// Sees to it that a frame is drawn: an application in low-processor mode draws none while nothing asks for it.
    fn ask_for_a_frame(&mut self) {
        if self.moving {
            self.base_mut().queue_redraw();
        }
    }

    fn listen(&mut self, wanted: bool) {
        let draw = self.base().callable("draw_bodies");
        let mut server = RenderingServer::singleton();
        if wanted {
            server.connect("frame_pre_draw", &draw);
        } else {
            server.disconnect("frame_pre_draw", &draw);
        }
        // In the editor nothing is there for others.
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let begin = self.base().callable("begin_tick");
        let mut tree = self.base().get_tree();
        if wanted {
            tree.connect("physics_frame", &begin);
        } else if tree.is_connected("physics_frame", &begin) {
            tree.disconnect("physics_frame", &begin);
        }
    }
}

#[godot_api]
impl SuppleWorld {
    /// A tick begins, and nothing has moved in it.
    #[func]
    fn begin_tick(&mut self) {
        let delta = self.base().get_physics_process_delta_time();
        if let Some(space) = self.space {
            presence::publish(space, delta);
        }
    }

    /// The renderer is about to draw a frame.
    #[func]
    fn draw_bodies(&mut self) {
        if let Some(space) = self.space {
            {
                // Scripts may be told that their nodes move.
                let _guard = self.base_mut();
                tick::receive_anchors(space);
            }
            tick::draw(space, self.interpolates);
        }
    }
}

#[godot_api]
impl INode2D for SuppleWorld {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => {
                monitors::add();
                self.listen(true);
                if Engine::singleton().is_in_physics_frame() {
                    // It comes in the midst of a tick, after its turn: without it what hangs on a rope would fall until the next.
                    self.tick();
                }
            }
            CanvasItemNotification::INTERNAL_PHYSICS_PROCESS => self.tick(),
            CanvasItemNotification::INTERNAL_PROCESS => self.ask_for_a_frame(),
            CanvasItemNotification::EXIT_TREE => {
                self.give_up();
                self.listen(false);
                monitors::remove();
            }
            _ => (),
        }
    }
}
