//! The mouse over bodies: `mouse_entered`, `mouse_exited` and `input_event`, as of the engine's own collision objects.
//!
//! The viewport picks only those. So one internal node a viewport gets the events that nothing else has handled, after all other nodes, and tells the bodies that
//! are below them, the topmost first. Where the mouse is without moving is looked at in every tick, as bodies move; only at those that somebody listens to.
//! As for the engine's own, it is the viewport that says whether there is picking ([member Viewport.physics_object_picking]).

use super::hand::place;
use super::{Body, WORLDS};
use godot::classes::control::MouseFilter;
use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::notify::NodeNotification;
use godot::classes::{CanvasItem, INode, InputEvent, InputEventMouse, InputEventScreenDrag, InputEventScreenTouch};
use godot::classes::{Engine, Node, Node2D, Viewport};
use godot::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

thread_local! {
    /// The picker of each viewport.
    static PICKERS: RefCell<HashMap<InstanceId, InstanceId>> = RefCell::default();
}

/// So often it looks who is listened to, and whether it is still needed, in ticks.
const LOOK_TICKS: u32 = 30;
/// The signals by which a body is listened to.
const SIGNALS: [&str; 3] = ["mouse_entered", "mouse_exited", "input_event"];

/// A node, which may be freed meanwhile, and its body.
type Listener = (InstanceId, Arc<dyn Body>);

/// Tells the bodies that a viewport shows of the mouse.
#[derive(GodotClass)]
#[class(tool, internal, init, base = Node)]
pub struct SupplePicker {
    /// Where the mouse is in the viewport; None: not in it, as far as is known.
    at: Option<Vector2>,
    /// The bodies below it.
    over: Vec<InstanceId>,
    /// Those that somebody listens to.
    listeners: Vec<Listener>,
    ticks: u32,
    base: Base<Node>,
}

/// Sees to it that the mouse is noticed over what is shown in the viewport of `node`.
pub fn watch_mouse_over(node: &Gd<Node2D>) {
    if Engine::singleton().is_editor_hint() {
        return;
    }
    let Some(mut viewport) = node.get_viewport() else { return };
    // Later: the viewport may be busy adding the very node that is entering the tree.
    viewport.run_deferred_gd(|mut viewport| {
        if !viewport.is_instance_valid() {
            return;
        }
        let id = viewport.instance_id();
        let there = PICKERS.with_borrow(|pickers| pickers.get(&id).copied());
        let there = there.and_then(|picker| Gd::<SupplePicker>::try_from_instance_id(picker).ok());
        if there.is_some_and(|picker| !picker.is_queued_for_deletion()) {
            return;
        }
        let mut picker = SupplePicker::new_alloc();
        picker.set_name("SupplePicker");
        picker.set_process_mode(ProcessMode::ALWAYS);
        let at = viewport.get_mouse_position();
        let inside = at != Vector2::ZERO && viewport.get_visible_rect().contains_point(at);
        picker.bind_mut().at = inside.then_some(at);
        PICKERS.with_borrow_mut(|pickers| pickers.insert(id, picker.instance_id()));
        // In front of all: what comes later in the tree is asked before it.
        viewport.add_child_ex(&picker).internal(InternalMode::FRONT).done();
    });
}

/// What of an event tells where it is.
fn place_of(event: &Gd<InputEvent>) -> Option<Vector2> {
    let event = match event.clone().try_cast::<InputEventMouse>() {
        Ok(mouse) => return Some(mouse.get_position()),
        Err(event) => event,
    };
    match event.try_cast::<InputEventScreenTouch>() {
        Ok(touch) => Some(touch.get_position()),
        Err(event) => event.try_cast::<InputEventScreenDrag>().ok().map(|drag| drag.get_position()),
    }
}

fn is_mouse(event: &Gd<InputEvent>) -> bool {
    event.clone().try_cast::<InputEventMouse>().is_ok()
}

#[godot_api]
impl INode for SupplePicker {
    fn on_notification(&mut self, what: NodeNotification) {
        match what {
            NodeNotification::ENTER_TREE => self.base_mut().set_physics_process_internal(true),
            NodeNotification::INTERNAL_PHYSICS_PROCESS => {
                let this = self.to_gd();
                let _guard = self.base_mut();
                SupplePicker::look(this);
            }
            NodeNotification::VP_MOUSE_EXIT | NodeNotification::WM_MOUSE_EXIT => {
                self.at = None;
            }
            NodeNotification::EXIT_TREE => {
                let this = self.to_gd().instance_id();
                PICKERS.with_borrow_mut(|pickers| pickers.retain(|_, picker| *picker != this));
                self.over.clear();
                self.listeners.clear();
                self.base_mut().queue_free();
            }
            _ => (),
        }
    }

    /// Also what something else handles shows where the mouse is.
    fn input(&mut self, event: Gd<InputEvent>) {
        if is_mouse(&event) {
            self.at = place_of(&event).filter(|at| at.is_finite());
        }
    }

    fn unhandled_input(&mut self, event: Gd<InputEvent>) {
        let this = self.to_gd();
        let _guard = self.base_mut();
        SupplePicker::hear(this, event);
    }
}

impl SupplePicker {
    /// A tick has come: bodies may have moved below the mouse.
    fn look(this: Gd<SupplePicker>) {
        let mut picker = this.clone();
        let due = {
            let picker = &mut *picker.bind_mut();
            picker.ticks = picker.ticks.wrapping_add(1);
            picker.ticks.is_multiple_of(LOOK_TICKS)
        };
        let Some(viewport) = this.get_viewport() else { return };
        if due {
            let (pickable, listeners) = all_in(&viewport);
            if !pickable {
                picker.queue_free();
            }
            picker.bind_mut().listeners = listeners;
        }
        let (at, idle) = {
            let picker = picker.bind();
            (picker.at, picker.over.is_empty() && picker.listeners.is_empty())
        };
        if idle {
            return;
        }
        let listeners = picker.bind().listeners.clone();
        let hits = at.filter(|_| picks(&viewport)).map_or_else(Vec::new, |at| hits(&listeners, at, &viewport));
        SupplePicker::hover(this, &hits);
    }

    /// Nothing else has handled an event.
    fn hear(this: Gd<SupplePicker>, event: Gd<InputEvent>) {
        let Some(at) = place_of(&event).filter(|at| at.is_finite()) else { return };
        let Some(viewport) = this.get_viewport().filter(|viewport| viewport.get_physics_object_picking()) else {
            return;
        };
        let found = below(&viewport, at);
        let below = hits(&found, at, &viewport);
        if is_mouse(&event) {
            {
                // The next tick is to know of them.
                let mut picker = this.clone();
                let listeners = &mut picker.bind_mut().listeners;
                let fresh = |(id, _): &Listener, known: &[Listener]| known.iter().all(|(other, _)| other != id);
                for listener in found {
                    if fresh(&listener, listeners) {
                        listeners.push(listener);
                    }
                }
            }
            SupplePicker::hover(this, &below);
        }
        for mut node in below {
            // An earlier handler may have done anything.
            if !viewport.is_instance_valid() || viewport.is_input_handled() {
                return;
            }
            if node.is_instance_valid() && node.is_inside_tree() {
                // As of the engine's collision objects; a body has one shape.
                node.emit_signal("input_event", &[viewport.to_variant(), event.to_variant(), 0.to_variant()]);
            }
        }
    }

    /// The mouse is over these now. Nothing is bound: handlers may do anything.
    fn hover(mut this: Gd<SupplePicker>, now: &[Gd<Node2D>]) {
        let now: Vec<InstanceId> = now.iter().filter(|node| node.is_instance_valid()).map(Gd::instance_id).collect();
        let before = {
            let picker = &mut *this.bind_mut();
            if picker.over == now {
                return;
            }
            std::mem::replace(&mut picker.over, now.clone())
        };
        let gone = before.iter().filter(|node| !now.contains(node));
        let come = now.iter().filter(|node| !before.contains(node));
        let told = gone.map(|node| (node, "mouse_exited")).chain(come.map(|node| (node, "mouse_entered")));
        for (&node, signal) in told {
            if let Ok(mut node) = Gd::<Node2D>::try_from_instance_id(node) {
                node.emit_signal(signal, &[]);
            }
        }
    }
}

/// Whether bodies are picked in a viewport, as the engine's own are: also not what is below the user interface.
fn picks(viewport: &Gd<Viewport>) -> bool {
    let covered = viewport.gui_get_hovered_control();
    viewport.get_physics_object_picking()
        && covered.is_none_or(|control| control.get_mouse_filter() != MouseFilter::STOP)
}

fn is_listened_to(node: &Gd<Node2D>) -> bool {
    SIGNALS.iter().any(|&signal| node.has_connections(signal))
}

fn for_each_pickable(viewport: &Gd<Viewport>, mut visit: impl FnMut(&Gd<Node2D>, &Arc<dyn Body>)) {
    let worlds: Vec<_> = WORLDS.with_borrow(|worlds| worlds.values().cloned().collect());
    for world in worlds {
        for member in &world.borrow().members {
            if member.body.flags().pickable.load(Relaxed)
                && member.node.get_viewport().is_some_and(|own| own == *viewport)
            {
                visit(&member.node, &member.body);
            }
        }
    }
}

/// Whether there is any body that can be picked, and those that are listened to.
fn all_in(viewport: &Gd<Viewport>) -> (bool, Vec<Listener>) {
    let (mut any, mut listeners) = (false, Vec::new());
    for_each_pickable(viewport, |node, body| {
        any = true;
        if is_listened_to(node) {
            listeners.push((node.instance_id(), Arc::clone(body)));
        }
    });
    (any, listeners)
}

/// Those at a place that are listened to.
fn below(viewport: &Gd<Viewport>, at: Vector2) -> Vec<Listener> {
    let mut found = Vec::new();
    for_each_pickable(viewport, |node, body| {
        if body.is_at(place(node, at)) && is_listened_to(node) {
            found.push((node.instance_id(), Arc::clone(body)));
        }
    });
    found
}

/// Which of these are below a place in the viewport, the topmost first.
fn hits(listeners: &[Listener], at: Vector2, viewport: &Gd<Viewport>) -> Vec<Gd<Node2D>> {
    let there = |(id, body): &Listener| {
        let node = Gd::<Node2D>::try_from_instance_id(*id).ok()?;
        let hit = node.is_inside_tree()
            && node.can_process()
            && !body.flags().hidden.load(Relaxed)
            && body.flags().pickable.load(Relaxed)
            && body.is_at(place(&node, at));
        hit.then_some(node)
    };
    let mut nodes: Vec<Gd<Node2D>> = listeners.iter().filter_map(there).collect();
    if nodes.len() > 1 {
        nodes.sort_by(|one, other| {
            height(other).cmp(&height(one)).then_with(|| match other.is_greater_than(one) {
                true => std::cmp::Ordering::Greater,
                false => std::cmp::Ordering::Less,
            })
        });
        if viewport.get_physics_object_picking_first_only() {
            nodes.truncate(1);
        }
    }
    nodes
}

/// On which layer it is drawn, and how high in that.
fn height(node: &Gd<Node2D>) -> (i32, i32) {
    let layer = node.get_canvas_layer_node().map_or(0, |layer| layer.get_layer());
    let mut item: Option<Gd<CanvasItem>> = Some(node.clone().upcast());
    let mut height = 0;
    while let Some(now) = item {
        height += now.get_z_index();
        let above = now.is_z_relative() && !now.is_set_as_top_level();
        item = now.get_parent().filter(|_| above).and_then(|parent| parent.try_cast::<CanvasItem>().ok());
    }
    (layer, height)
}
