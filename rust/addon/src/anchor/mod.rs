//! `PointAnchor2D`: a node that rides on a point of a body, or drives it.

use crate::bodies::body_of;
use crate::complain::Callee;
use crate::rope::VerletRope2D;
use crate::world::{Body, Rider, Seat, Shown};
use godot::builtin::Vector2Axis;
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, Node2D};
use godot::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use supple_sim::rope::{MOST_FORCE, MOST_LENGTH, Piece};

/// Who leads. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum AnchorMode {
    #[default]
    Follow = 0,
    Drive = 1,
}

/// Rides on a point of a rope or a soft body, or drives it.
///
/// Put it under a [VerletRope2D] or a [SoftBody2D], move it near the point you mean, and put under it what is to ride there: a sprite, a light, an area,
/// particles. With [constant MODE_DRIVE] it is the other way round: the point follows this node, which an [AnimationPlayer], a tween or
/// a script moves; the rope is drawn exactly at it in every frame, whatever moves it.
///
/// ```gdscript
/// # A bird in the middle of a cable.
/// var anchor := PointAnchor2D.new()
/// anchor.rope_offset = cable.get_current_length() / 2
/// anchor.add_child(bird)
/// cable.add_child(anchor)
/// ```
#[derive(GodotClass)]
#[class(tool, init, base = Node2D)]
pub struct PointAnchor2D {
    /// The rope or soft body. ".." is the parent.
    #[export]
    #[var(get = get_body, set = set_body, hint = NODE_PATH_VALID_TYPES, hint_string = "VerletRope2D,SoftBody2D")]
    #[init(val = NodePath::from(".."))]
    body: NodePath,

    /// Follow: this node is put where the point is. Drive: the point is put where this node is.
    #[export]
    #[var(get = get_mode, set = set_mode)]
    mode: AnchorMode,

    /// The point, counted from 0 at the start of the rope; -1 is the one nearest to this node when it is ready. It stays the same piece of rope when
    /// the rope is wound.
    #[export(range = (-1.0, 200.0, 1.0, or_greater))]
    #[var(get = get_point, set = set_point)]
    #[init(val = -1)]
    point: i64,

    /// Instead of a point, the place so many px along the rope from its start; it slides if the rope is wound. -1 is off. Only for ropes, and for Follow.
    #[export(range = (-1.0, 2000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_rope_offset, set = set_rope_offset)]
    #[init(val = -1.0)]
    rope_offset: f64,

    /// Whether this node turns with the rope: its x axis then points along it, towards the end. On a soft body it turns as the whole does. Only for Follow.
    #[export]
    #[var(get = get_follow_rotation, set = set_follow_rotation)]
    follow_rotation: bool,

    /// The most force with which this node drives the point; what pulls harder holds it back. 0: it is held exactly. Only for Drive.
    #[export(range = (0.0, 100000.0, 1.0, or_greater, exp, suffix = "kg px/s²"))]
    #[var(get = get_strength, set = set_strength)]
    strength: f64,

    /// The body that was found, its node, and the point on it.
    bound: Option<Bound>,
    base: Base<Node2D>,
}

struct Bound {
    node: InstanceId,
    body: Arc<dyn Body>,
    point: Piece,
    /// Where it was put last, in the editor: elsewhere means that the user has moved it.
    put: Vector2,
}

#[godot_api]
impl INode2D for PointAnchor2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => {
                let this = self.to_gd().instance_id();
                ANCHORS.with_borrow_mut(|anchors| anchors.push(this));
                NEW.set(true);
            }
            CanvasItemNotification::EXIT_TREE => {
                let this = self.to_gd().instance_id();
                ANCHORS.with_borrow_mut(|anchors| anchors.retain(|anchor| *anchor != this));
                self.unbind();
            }
            _ => (),
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if self.find().is_none() {
            warnings
                .push("Body leads to no VerletRope2D or SoftBody2D.\nPut this node under one, or choose one as Body.");
        }
        if self.mode == AnchorMode::Drive && self.rope_offset >= 0.0 {
            warnings.push(
                "Rope Offset is for Follow: this node drives a point.\nSet Rope Offset to -1, and choose a Point.",
            );
        }
        warnings
    }
}

#[godot_api]
impl PointAnchor2D {
    /// This node follows the point: see [member mode].
    #[constant]
    const MODE_FOLLOW: i64 = AnchorMode::Follow as i64;
    /// This node drives the point.
    #[constant]
    const MODE_DRIVE: i64 = AnchorMode::Drive as i64;

    /// Velocity of the point in px/s; zero while there is none.
    #[func]
    fn get_velocity(&self) -> Vector2 {
        let place = self.bound.as_ref().and_then(|bound| bound.body.seat(&self.seat(bound.point)));
        place.map_or(Vector2::ZERO, |place| place.velocity)
    }

    // Properties.

    #[func]
    fn get_body(&self) -> NodePath {
        self.body.clone()
    }

    #[func]
    fn set_body(&mut self, path: NodePath) {
        self.body = path;
        self.rebind();
    }

    #[func]
    fn get_mode(&self) -> AnchorMode {
        self.mode
    }

    #[func]
    fn set_mode(&mut self, mode: AnchorMode) {
        self.mode = mode;
        self.rebind();
    }

    #[func]
    fn get_point(&self) -> i64 {
        self.point
    }

    #[func]
    fn set_point(&mut self, point: i64) {
        if point < -1 {
            self.callee("point").complain(format_args!("{point} is no point, it becomes -1: the nearest"));
        }
        self.point = point.max(-1);
        self.rebind();
    }

    #[func]
    fn get_rope_offset(&self) -> f64 {
        self.rope_offset
    }

    #[func]
    fn set_rope_offset(&mut self, offset: f64) {
        let Some(offset) = self.callee("rope_offset").number(offset, -1.0..=MOST_LENGTH) else { return };
        self.rope_offset = f64::from(offset);
        self.sit();
    }

    #[func]
    fn get_follow_rotation(&self) -> bool {
        self.follow_rotation
    }

    #[func]
    fn set_follow_rotation(&mut self, follow: bool) {
        self.follow_rotation = follow;
        self.sit();
    }

    #[func]
    fn get_strength(&self) -> f64 {
        self.strength
    }

    #[func]
    fn set_strength(&mut self, strength: f64) {
        let Some(strength) = self.callee("strength").number(strength, 0.0..=MOST_FORCE) else { return };
        self.strength = f64::from(strength);
        self.sit();
    }
}

thread_local! {
    /// All anchors in the tree. They have no process callbacks of their own: below a sub-thread group those would run on other threads.
    static ANCHORS: RefCell<Vec<InstanceId>> = RefCell::default();
    /// One has come since they were looked after.
    static NEW: Cell<bool> = const { Cell::new(false) };
    /// The tick for which they were looked after.
    static KEPT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Room for a list of them.
    static ROOM: RefCell<Vec<InstanceId>> = RefCell::default();
}

/// Looks after all anchors, once a tick: binds those that are not bound. No world may be borrowed.
pub fn keep_all() {
    let tick = Engine::singleton().get_physics_frames();
    if KEPT.replace(tick) != tick || NEW.get() {
        NEW.set(false);
        let mut anchors = ROOM.take();
        ANCHORS.with_borrow(|all| anchors.extend_from_slice(all));
        for anchor in anchors.drain(..) {
            if let Ok(mut anchor) = Gd::<PointAnchor2D>::try_from_instance_id(anchor) {
                anchor.bind_mut().keep_bound();
            }
        }
        ROOM.set(anchors);
    }
}

/// Whether one has come that has not been looked after: it may be shown before the next tick.
pub fn any_new() -> bool {
    NEW.get()
}

impl PointAnchor2D {
    fn callee(&self, member: &'static str) -> Callee {
        Callee::new(self.to_gd().upcast(), member)
    }

    /// The node to which the path leads, and its body.
    fn find(&self) -> Option<(InstanceId, Arc<dyn Body>)> {
        if !self.base().is_inside_tree() || self.body.is_empty() {
            return None;
        }
        let node = self.base().get_node_or_null(&self.body)?;
        Some((node.instance_id(), body_of(&node)?))
    }

    fn seat(&self, point: Piece) -> Seat {
        if self.rope_offset >= 0.0 { Seat::Along(self.rope_offset as f32) } else { Seat::Point(point) }
    }

    fn rebind(&mut self) {
        // Before ready the rope may be missing.
        if self.base().is_node_ready() && self.base().is_inside_tree() {
            self.unbind();
            self.bind_body();
            self.base_mut().update_configuration_warnings();
        }
    }

    fn bind_body(&mut self) {
        let Some((node, body)) = self.find() else { return };
        let here = self.base().get_global_position();
        let point = if self.point >= 0 { body.piece_of(self.point) } else { body.closest_piece(here) };
        self.bound = Some(Bound { node, body, point, put: here });
        self.sit();
    }

    /// The piece of rope that it rides on or drives is a part of another rope now, where it has this index.
    pub fn go_over(&mut self, rope: &Gd<VerletRope2D>, body: Arc<dyn Body>, index: i64) {
        let put = self.base().get_global_position();
        let point = body.piece_of(index);
        self.bound = Some(Bound { node: rope.instance_id(), body, point, put });
        if self.point >= 0 {
            self.point = index;
        }
        if self.base().is_inside_tree() && rope.is_inside_tree() {
            self.body = self.base().get_path_to(rope);
        }
    }

    fn unbind(&mut self) {
        if let Some(bound) = self.bound.take() {
            let this = self.to_gd().instance_id();
            bound.body.riders().retain(|rider| rider.node != this);
            bound.body.undrive(this);
        }
    }

    /// Takes its seat, or takes hold of its point.
    fn sit(&mut self) {
        let Some(bound) = &self.bound else { return };
        let node = self.to_gd().instance_id();
        let transform = self.base().get_global_transform();
        match self.mode {
            AnchorMode::Follow => {
                let along = self.follow_rotation.then_some(Vector2Axis::X);
                let seat = self.seat(bound.point);
                let rider =
                    Rider { node, seat, offset: Vector2::ZERO, along, shown: Shown::at(transform), seated: false };
                bound.body.seat_rider(rider);
            }
            AnchorMode::Drive if transform.is_finite() => {
                bound.body.drive(bound.point, node, transform, self.strength as f32);
            }
            AnchorMode::Drive => (),
        }
    }

    /// Binds again what was lost: a body that came later, or was replaced; a point that was let go when the rope was laid out anew.
    fn keep_bound(&mut self) {
        let lost = self.bound.as_ref().is_none_or(|bound| !bound.node.lookup_validity());
        if lost {
            self.unbind();
            return self.bind_body();
        }
        let this = self.to_gd().instance_id();
        let Some(bound) = &self.bound else { return };
        if self.mode == AnchorMode::Drive && !bound.body.is_driven(this) {
            return self.sit();
        }
        if self.mode == AnchorMode::Follow && self.point < 0 && Engine::singleton().is_editor_hint() {
            self.follow_the_user();
        }
    }

    /// In the editor it jumps to the point to which the user drags it.
    fn follow_the_user(&mut self) {
        let here = self.base().get_global_position();
        let seat = self.bound.as_ref().map(|bound| (bound.put, bound.body.closest_piece(here)));
        let Some((put, nearest)) = seat else { return };
        let moved = put != here;
        if let Some(bound) = &mut self.bound {
            bound.put = here;
            if !moved || bound.point == nearest {
                return;
            }
            bound.point = nearest;
        }
        self.sit();
    }
}
