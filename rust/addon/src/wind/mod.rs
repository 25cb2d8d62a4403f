//! `Wind2D`.
//!
//! - this file: the class, its properties and methods
//! - `state`: what the node shares with the world step, and how a wind is read from the scene
//! - `draw`: the arrow in the editor

mod draw;
mod state;

pub use state::WindState;

use crate::complain::Callee;
use crate::convert::{vec2, vector2};
use crate::world;
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, Node2D};
use godot::init::is_main_thread;
use godot::prelude::*;
use state::{Settings, area_of};
use std::sync::Arc;
use supple_sim::rope::MOST_LENGTH;
use supple_sim::wind::{LEAST_GUST_PERIOD, MOST_GUST_PERIOD, MOST_TURBULENCE, MOST_WIND};

/// Air that moves: everywhere, in a radius, or in the shapes of the [Area2D] that is its parent.
///
/// Ropes feel the sum of all winds of their world, through [member VerletRope2D.air_drag] and times
/// [member VerletRope2D.wind_scale]. Heavy drag makes a ribbon, little drag a cable.
///
/// Its gusts travel with the air, roll along a row of ropes, and are the same in every run. They begin when the node enters the
/// tree. A hidden wind blows; one that is paused, or whose [member Node.process_mode] is disabled, does not.
///
/// ```gdscript
/// # A draught in a doorway.
/// var wind := Wind2D.new()
/// wind.velocity = Vector2(500, 0)
/// $Doorway.add_child(wind) # An Area2D: the wind blows in its shapes.
///
/// # A wind that calms down in five seconds.
/// create_tween().tween_property(wind, "velocity", Vector2.ZERO, 5.0)
/// ```
#[derive(GodotClass)]
#[class(tool, init, base = Node2D)]
pub struct Wind2D {
    /// Mean velocity of the air, local to the node's rotation: turn the node to turn the wind. The node's scale does not count, but a
    /// mirrored node mirrors it. 100 is a breeze, 300 a fresh wind, 1000 a storm; its force grows with the square. At most 10000.
    #[export(range = (-2000.0, 2000.0, 1.0, or_less, or_greater, suffix = "px/s"))]
    #[var(get = get_velocity, set = set_velocity)]
    velocity: PhantomVar<Vector2>,

    /// How much the wind comes in gusts: the deviation of its speed, as a part of the mean speed. 0 is steady, and lets ropes sleep; 0.35
    /// is weather; at 1 long lulls alternate with hard gusts. At most 2. The mean stays [member velocity], and the air never turns back.
    #[export(range = (0.0, 1.0, 0.01, or_greater))]
    #[var(get = get_turbulence, set = set_turbulence)]
    turbulence: PhantomVar<f64>,

    /// Seconds from gust to gust at a place, in the mean. Less flutters, more surges. A gust is as long as the way of the wind in this
    /// time.
    #[export(range = (0.1, 20.0, 0.1, or_greater, exp, suffix = "s"))]
    #[var(get = get_gust_period, set = set_gust_period)]
    gust_period: PhantomVar<f64>,

    /// Radius around the node in which it blows, weaker towards the edge. 0 blows everywhere, or in the shapes of the [Area2D] that is the
    /// node's parent; the area's layers and monitoring do not matter. The scale of the node counts, by the square root of its area.
    #[export(range = (0.0, 2000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_radius, set = set_radius)]
    radius: PhantomVar<f64>,

    state: Arc<WindState>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for Wind2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => {
                if self.is_shown() {
                    self.base_mut().set_notify_transform(true);
                }
                self.join();
            }
            CanvasItemNotification::EXIT_TREE => self.leave(),
            CanvasItemNotification::WORLD_2D_CHANGED if self.base().is_inside_tree() => {
                self.leave();
                self.join();
            }
            CanvasItemNotification::TRANSFORM_CHANGED if self.is_shown() => self.base_mut().queue_redraw(),
            CanvasItemNotification::DRAW if self.is_shown() => self.draw(),
            _ => (),
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let settings = self.state.settings();
        if !settings.velocity.is_zero_approx() {
            let node = self.to_gd().upcast();
            if settings.radius == 0.0 && area_of(&node).is_some_and(|area| state::shapes_of(&area).is_empty()) {
                warnings.push(
                    "The Area2D above has no shape in which the wind can blow.\nAdd a CollisionShape2D or a solid \
                     CollisionPolygon2D to it, or set Radius.",
                );
            }
        } else {
            warnings.push("Velocity is 0: this wind moves nothing.\nSet Velocity.");
        }
        warnings
    }
}

#[godot_api]
impl Wind2D {
    /// What this wind blows now at a global position, in px/s: 0 outside of its radius or shapes, while it is paused, and outside the
    /// tree.
    ///
    /// ```gdscript
    /// # Blow a balloon along.
    /// func _physics_process(_delta: float) -> void:
    ///     $Balloon.apply_central_force(0.5 * $Wind2D.get_wind_at($Balloon.global_position))
    /// ```
    #[func]
    fn get_wind_at(&self, position: Vector2) -> Vector2 {
        let Some(position) = self.callee("get_wind_at()").finite("position", position) else {
            return Vector2::ZERO;
        };
        let node = self.to_gd().upcast();
        self.state.wind_now(&node).map_or(Vector2::ZERO, |(wind, time)| vector2(wind.at(vec2(position), time)))
    }

    // Properties.

    #[func]
    fn get_velocity(&self) -> Vector2 {
        self.state.settings().velocity
    }

    #[func]
    fn set_velocity(&mut self, velocity: Vector2) {
        let callee = self.callee("velocity");
        let Some(mut velocity) = callee.finite("the velocity", velocity) else {
            return;
        };
        let speed = vec2(velocity).as_dvec2().length();
        if speed > f64::from(MOST_WIND) {
            let clamped = vector2((vec2(velocity).as_dvec2() * (f64::from(MOST_WIND) / speed)).as_vec2());
            callee.complain(format_args!("{velocity} is faster than {MOST_WIND}, it becomes {clamped}"));
            velocity = clamped;
        }
        self.set(|settings| settings.velocity = velocity);
    }

    #[func]
    fn get_turbulence(&self) -> f64 {
        f64::from(self.state.settings().turbulence)
    }

    #[func]
    fn set_turbulence(&mut self, turbulence: f64) {
        let Some(turbulence) = self.callee("turbulence").number(turbulence, 0.0..=MOST_TURBULENCE) else {
            return;
        };
        self.set(|settings| settings.turbulence = turbulence);
    }

    #[func]
    fn get_gust_period(&self) -> f64 {
        f64::from(self.state.settings().gust_period)
    }

    #[func]
    fn set_gust_period(&mut self, period: f64) {
        let range = LEAST_GUST_PERIOD..=MOST_GUST_PERIOD;
        let Some(period) = self.callee("gust_period").number(period, range) else {
            return;
        };
        self.set(|settings| settings.gust_period = period);
    }

    #[func]
    fn get_radius(&self) -> f64 {
        f64::from(self.state.settings().radius)
    }

    #[func]
    fn set_radius(&mut self, radius: f64) {
        let Some(radius) = self.callee("radius").number(radius, 0.0..=MOST_LENGTH) else {
            return;
        };
        self.set(|settings| settings.radius = radius);
    }
}

impl Wind2D {
    fn callee(&self, member: &'static str) -> Callee {
        Callee::new(self.to_gd().upcast(), member)
    }

    fn join(&mut self) {
        world::join_wind(self.to_gd().upcast(), self.state.clone());
    }

    fn leave(&mut self) {
        world::leave(self.to_gd().instance_id());
    }

    fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        self.state.change(change);
        if !self.is_shown() {
            return;
        }
        if is_main_thread() {
            self.base_mut().queue_redraw();
            self.base_mut().update_configuration_warnings();
        } else {
            self.base_mut().call_deferred("queue_redraw", &[]);
        }
    }

    /// Whether its arrow is shown: in the editor, and in a game in which collision shapes are.
    fn is_shown(&self) -> bool {
        let tree = || self.base().is_inside_tree().then(|| self.base().get_tree());
        self.base().is_inside_tree()
            && (Engine::singleton().is_editor_hint() || tree().is_some_and(|tree| tree.is_debugging_collisions_hint()))
    }
}
