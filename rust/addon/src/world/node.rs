//! The internal node that calls the world step.

use super::tick::{self, After};
use super::{WORLDS, monitors};
use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node, Node2D, Tween};
use godot::prelude::*;

/// Where in a tick the bodies are simulated, and in a frame looked at: after all nodes with a lower priority.
const PRIORITY: i32 = 1000;
/// How long the tween of the late look lasts, in seconds: longer than any game.
const FOR_EVER: f64 = 1e9;

/// Steps all Supple bodies of one physics space.
///
/// It works in internal notifications, as the engine's own nodes do, and goes on while the tree is paused: each body
/// minds its own node's process mode.
///
/// **The late look.** A node that holds a point of a rope may be moved by a tween, and the engine runs tweens after everything else
/// in a frame. Only the transform notifications of moved nodes come after them, in time for a redraw. So this node moves
/// itself by a tween while anybody is held by another node, and looks at the holders when the engine tells it that it has
/// moved. Where it is means nothing.
#[derive(GodotClass)]
#[class(tool, internal, init, base = Node2D)]
pub struct SuppleWorld {
    #[init(val = Rid::Invalid)]
    space: Rid,
    interpolates: bool,
    late_look: Option<Gd<Tween>>,
    base: Base<Node2D>,
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
        world.set_notify_transform(true);
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
            After::GoOn { any_held } => {
                let interpolates = self.base().get_tree().is_physics_interpolation_enabled();
                if interpolates != self.interpolates {
                    self.interpolates = interpolates;
                    self.base_mut().set_process_internal(interpolates);
                }
                if any_held != self.late_look.is_some() {
                    self.look_late(any_held);
                }
            }
        }
    }

    fn look_late(&mut self, wanted: bool) {
        if let Some(mut tween) = self.late_look.take() {
            tween.kill();
        }
        if wanted {
            let this = self.to_gd();
            let tween = self.base_mut().create_tween();
            self.late_look = tween;
            if let Some(tween) = &mut self.late_look {
                tween.tween_property(&this, "position:x", &FOR_EVER.to_variant(), FOR_EVER);
            }
        }
    }
}

#[godot_api]
impl INode2D for SuppleWorld {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => monitors::add(),
            CanvasItemNotification::INTERNAL_PHYSICS_PROCESS => self.tick(),
            CanvasItemNotification::INTERNAL_PROCESS => tick::redraw_moving(self.space),
            CanvasItemNotification::TRANSFORM_CHANGED => {
                // The engine tells of the next move only after somebody asked for this one.
                self.base().get_global_transform();
                tick::redraw_held(self.space);
            }
            CanvasItemNotification::EXIT_TREE => {
                self.give_up();
                monitors::remove();
            }
            _ => (),
        }
    }
}
