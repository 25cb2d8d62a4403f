//! The player's hand: grabs bodies with the mouse or fingers.
//!
//! One internal node a viewport gets the events that nothing else has handled, finds the nearest body that may be grabbed, and moves its hand in
//! every tick: also when it is the camera that moves.

use super::{Body, WORLDS};
use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::notify::NodeNotification;
use godot::classes::{INode, InputEvent, InputEventMouseButton, InputEventMouseMotion, InputEventScreenDrag};
use godot::classes::{InputEventScreenTouch, Node, Node2D, Viewport};
use godot::global::MouseButton;
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

thread_local! {
    /// The hand of each viewport.
    static HANDS: RefCell<HashMap<InstanceId, InstanceId>> = RefCell::default();
}

/// The mouse among the fingers, which are counted from 0.
const MOUSE: i32 = -1;
/// The device of mouse events that the engine makes of touches.
const EMULATED: i32 = -1;

/// So often it looks whether it is still needed, in ticks.
const IDLE_TICKS: u32 = 60;

struct Hold {
    node: Gd<Node2D>,
    body: Arc<dyn Body>,
    handle: i64,
    /// Where the pointer is in the viewport.
    at: Vector2,
}

/// Grabs the bodies that a viewport shows.
#[derive(GodotClass)]
#[class(tool, internal, init, base = Node)]
pub struct SuppleHand {
    holds: HashMap<i32, Hold>,
    idle_ticks: u32,
    base: Base<Node>,
}

/// Sees to it that the player can grab what is shown in the viewport of `node`.
pub fn watch_viewport(node: &Gd<Node2D>) {
    let Some(mut viewport) = node.get_viewport() else { return };
    // Later: the viewport may be busy adding the very node that is entering the tree.
    viewport.run_deferred_gd(|mut viewport| {
        if !viewport.is_instance_valid() {
            return;
        }
        let id = viewport.instance_id();
        let there = HANDS.with_borrow(|hands| hands.get(&id).copied());
        if there
            .and_then(|hand| Gd::<SuppleHand>::try_from_instance_id(hand).ok())
            .is_some_and(|hand| !hand.is_queued_for_deletion())
        {
            return;
        }
        let mut hand = SuppleHand::new_alloc();
        hand.set_name("SuppleHand");
        hand.set_process_mode(ProcessMode::ALWAYS);
        HANDS.with_borrow_mut(|hands| hands.insert(id, hand.instance_id()));
        viewport.add_child_ex(&hand).internal(InternalMode::BACK).done();
    });
}

/// Where a place in the viewport is for a body.
pub(super) fn place(node: &Gd<Node2D>, at: Vector2) -> Vector2 {
    node.get_canvas_transform().affine_inverse() * at
}

#[godot_api]
impl INode for SuppleHand {
    fn on_notification(&mut self, what: NodeNotification) {
        match what {
            NodeNotification::ENTER_TREE => self.base_mut().set_physics_process_internal(true),
            NodeNotification::INTERNAL_PHYSICS_PROCESS => {
                self.follow();
                self.go_when_idle();
            }
            NodeNotification::EXIT_TREE => {
                self.holds.drain().for_each(|(_, hold)| hold.body.let_go(hold.handle));
                let this = self.to_gd().instance_id();
                HANDS.with_borrow_mut(|hands| hands.retain(|_, hand| *hand != this));
                self.base_mut().queue_free();
            }
            _ => (),
        }
    }

    fn unhandled_input(&mut self, event: Gd<InputEvent>) {
        let handled = if let Ok(button) = event.clone().try_cast::<InputEventMouseButton>() {
            let left = button.get_button_index() == MouseButton::LEFT && button.get_device() != EMULATED;
            left && self.press(MOUSE, button.get_position(), button.is_pressed())
        } else if let Ok(touch) = event.clone().try_cast::<InputEventScreenTouch>() {
            self.press(touch.get_index(), touch.get_position(), touch.is_pressed())
        } else if let Ok(motion) = event.clone().try_cast::<InputEventMouseMotion>() {
            motion.get_device() != EMULATED && self.point(MOUSE, motion.get_position())
        } else if let Ok(drag) = event.try_cast::<InputEventScreenDrag>() {
            self.point(drag.get_index(), drag.get_position())
        } else {
            false
        };
        if handled && let Some(mut viewport) = self.base().get_viewport() {
            viewport.set_input_as_handled();
        }
    }
}

impl SuppleHand {
    /// A finger goes down or up; true if it has to do with a body.
    fn press(&mut self, finger: i32, at: Vector2, pressed: bool) -> bool {
        let before = self.holds.remove(&finger);
        if let Some(hold) = &before {
            hold.body.let_go(hold.handle);
        }
        let hold = if pressed { self.grab(at) } else { None };
        let handled = hold.is_some() || (!pressed && before.is_some());
        self.holds.extend(hold.map(|hold| (finger, hold)));
        handled
    }

    /// Grabs the nearest body that this viewport shows.
    fn grab(&self, at: Vector2) -> Option<Hold> {
        let viewport = self.base().get_viewport()?;
        let mut nearest: Option<(f32, Gd<Node2D>, Arc<dyn Body>)> = None;
        let worlds: Vec<_> = WORLDS.with_borrow(|worlds| worlds.values().cloned().collect());
        for world in worlds {
            for member in &world.borrow().members {
                let flags = member.body.flags();
                if flags.paused.load(Relaxed) || flags.hidden.load(Relaxed) || !shown_in(&member.node, &viewport) {
                    continue;
                }
                let distance = member.body.reach(place(&member.node, at));
                // Of two that are as near, that which came later, and is drawn over the other.
                if let Some(distance) = distance.filter(|d| nearest.as_ref().is_none_or(|(least, ..)| d <= least)) {
                    nearest = Some((distance, member.node.clone(), Arc::clone(&member.body)));
                }
            }
        }
        let (_, node, body) = nearest?;
        let handle = body.grab(place(&node, at))?;
        Some(Hold { node, body, handle, at })
    }

    fn point(&mut self, finger: i32, at: Vector2) -> bool {
        let Some(hold) = self.holds.get_mut(&finger) else { return false };
        hold.at = at;
        true
    }

    /// Goes when there has been nothing to grab for a while.
    fn go_when_idle(&mut self) {
        self.idle_ticks += 1;
        if !self.idle_ticks.is_multiple_of(IDLE_TICKS) {
            return;
        }
        let Some(viewport) = self.base().get_viewport() else { return };
        let worlds: Vec<_> = WORLDS.with_borrow(|worlds| worlds.values().cloned().collect());
        let wanted = worlds.iter().any(|world| {
            let world = world.borrow();
            let mut members = world.members.iter();
            members.any(|member| member.body.flags().grabbable.load(Relaxed) && shown_in(&member.node, &viewport))
        });
        if !wanted {
            self.base_mut().queue_free();
        }
    }

    /// Moves what is held to where the fingers are.
    fn follow(&mut self) {
        self.holds.retain(|_, hold| {
            let there = hold.node.is_instance_valid() && hold.node.is_inside_tree();
            let holds = there && hold.body.drag(hold.handle, place(&hold.node, hold.at));
            if !holds {
                hold.body.let_go(hold.handle);
            }
            holds
        });
    }
}

fn shown_in(node: &Gd<Node2D>, viewport: &Gd<Viewport>) -> bool {
    node.get_viewport().is_some_and(|own| own == *viewport)
}
