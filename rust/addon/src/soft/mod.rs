//! `SoftBody2D`.
//!
//! - this file: the class, its properties and methods; gdext wants them in one module, and what is documented in one block
//! - `node`: the node in the tree: entering, moving, being placed and shown
//! - `body`: what the node shares with the world step
//! - `kinds`: the choices of its properties
//! - `source`: the mesh, from what the properties say; `child`: from a child
//! - `pins`: which points are held
//! - `points`: what a user may do to points, and to the whole
//! - `grabs`: hands that hold it
//! - `collision`: what it collides with
//! - `presence`: what it is for others; `presses`: who presses into it
//! - `saved`: saved states
//! - `presets`: sets of values
//! - `warnings`: what the editor warns of
//! - `draw`: its triangles, `look`: what they look like, `debug`: what is drawn over them

mod body;
mod child;
mod collision;
mod debug;
mod draw;
mod grabs;
mod kinds;
mod look;
mod node;
mod pins;
mod points;
mod presence;
pub mod presets;
mod presses;
mod saved;
mod source;
mod warnings;

use crate::convert::{vec2, vector2};
use crate::offscreen::OffscreenMode;
use crate::world::lock;
use body::SharedSoft;
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, InputEvent, Node2D, PhysicsMaterial, Texture2D};
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use kinds::{PinMode, Source};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::mesh::MeshError;
use supple_sim::rope::{
    LEAST_MASS, MOST_DAMP, MOST_FORCE, MOST_GRAVITY_SCALE, MOST_ITERATIONS, MOST_LENGTH, MOST_MASS, MOST_RADIUS,
};
use supple_sim::soft::{LEAST_STRETCH, MOST_DAMPING, MOST_PRESSURE, MOST_STIFFNESS, MOST_STRETCH};
use supple_sim::substeps::MOST_SUBSTEPS;

/// A body that wobbles: jelly, rubber, slime, a balloon, a tyre. It keeps its shape by springs, and comes back to it.
///
/// Add it to a scene with a floor and press play: it falls, wobbles, and comes to rest. Tune [member stiffness] and [member damping]; choose its
/// shape by [member source].
///
/// It moves its node, as a [RigidBody2D] does: after each tick [member Node2D.global_position] and [member Node2D.global_rotation] are where the
/// undeformed shape fits the points best. Children, cameras and distances follow. Setting them carries the body there.
///
/// Points are numbered from 0 to [method get_point_count] - 1: those of a rectangle row by row from its top left corner, of other sources the outline
/// first. Their positions are global. [member size] and [member polygon] are local: the scale of the node counts when the body is laid out, that is at ready
/// and in [method reset].
///
/// ```gdscript
/// # A jelly that is thrown.
/// var jelly := SoftBody2D.new()
/// jelly.size = Vector2(120, 80)
/// add_child(jelly)
/// jelly.linear_velocity = Vector2(300, -400)
/// ```
#[derive(GodotClass)]
#[class(tool, init, base = Node2D)]
pub struct SoftBody2D {
    /// Sets look and material of a kind of body at once. Where it is, its shape and its pins stay, with two exceptions: Balloon and Tyre make an ellipse of a
    /// rectangle, and Lesson sets its own grid, which hangs by its top row. Choosing one in the Inspector is one step of undo. It is not stored: what you tune
    /// afterwards stays.
    #[var(get = get_preset, set = set_preset, hint = ENUM,
        hint_string = "Choose…:0,Jelly:1,Rubber:2,Balloon:3,Slime:4,Tyre:5,Lesson:6", usage_flags = [EDITOR])]
    preset: PhantomVar<i64>,

    /// What the shape is made from. Rectangle: a grid of [member particle_count] points. Ellipse: one as large as [member size]. Polygon: the outline
    /// [member polygon]. Child Polygon: that of the first [Polygon2D] or [CollisionPolygon2D] under this node.
    #[export]
    #[var(get = get_source, set = set_source, hint = ENUM, hint_string = "Rectangle:0,Ellipse:1,Polygon:2,Child Polygon:4")]
    source: Source,

    /// Width and height of a rectangle or an ellipse, around the node's origin.
    #[export(range = (1.0, 1000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_size, set = set_size)]
    #[init(val = Vector2::new(100.0, 100.0))]
    size: Vector2,

    /// Points of a rectangle, across and down. It feels the same with any number: more bend more finely and cost more. From 2 to 64.
    #[export]
    #[var(get = get_particle_count, set = set_particle_count)]
    #[init(val = Vector2i::new(5, 5))]
    particle_count: Vector2i,

    /// Distance of neighbouring points of all sources but the rectangle. Smaller bends more finely and costs more: half of it makes four times the points.
    #[export(range = (2.0, 100.0, 0.5, or_greater, suffix = "px"))]
    #[var(get = get_spacing, set = set_spacing)]
    #[init(val = 20.0)]
    spacing: f64,

    /// The outline for the source Polygon, local to the node. It must not cross itself.
    #[export]
    #[var(get = get_polygon, set = set_polygon)]
    polygon: PackedVector2Array,

    /// Which points the node holds. Held points move with the node, and the body no longer moves it. Sides: those of [member pin_sides]. Top Every: every
    /// [member pin_interval]th of the top side. Corners: the four nearest to the corners of its box. Custom: [member pinned_points].
    #[export_group(name = "Pins")]
    #[export]
    #[var(get = get_pin_mode, set = set_pin_mode, hint = ENUM, hint_string = "None:0,Sides:1,Top Every:2,Corners:3,Custom:4")]
    pin_mode: PinMode,

    /// The sides whose points are held with the pin mode Sides.
    #[export(flags = (Top, Right, Bottom, Left))]
    #[var(get = get_pin_sides, set = set_pin_sides)]
    #[init(val = 1)]
    pin_sides: i64,

    /// With the pin mode Top Every, every n-th point of the top side is held, beginning with the leftmost; this is n. 1 holds all.
    #[export(range = (1.0, 64.0, 1.0, or_greater))]
    #[var(get = get_pin_interval, set = set_pin_interval)]
    #[init(val = 4)]
    pin_interval: i64,

    /// The points that are held with the pin mode Custom, by their numbers. Numbers of points that do not exist are passed over.
    #[export]
    #[var(get = get_pinned_points, set = set_pinned_points)]
    pinned_points: PackedInt32Array,

    /// Mass of the whole body. More sags more at the same [member stiffness], and is pushed less.
    #[export_group(name = "Material")]
    #[export(range = (0.001, 100.0, 0.001, or_greater, exp, suffix = "kg"))]
    #[var(get = get_mass, set = set_mass)]
    mass: PhantomVar<f64>,

    /// Mass of each point, instead of [member mass] for the whole. 0: from [member mass].
    #[export(range = (0.0, 10.0, 0.001, or_greater, suffix = "kg"))]
    #[var(get = get_particle_mass, set = set_particle_mass)]
    particle_mass: PhantomVar<f64>,

    /// How stiff its springs are: those of a body of 5x5 points; it feels the same with any number. 12 is slime, 200 jelly, 2000 rubber, 100000 hardly
    /// gives way. No value makes it unstable or slower.
    #[export(range = (0.0, 10000.0, 1.0, or_greater, exp, suffix = "kg/s²"))]
    #[var(get = get_stiffness, set = set_stiffness)]
    stiffness: PhantomVar<f64>,

    /// How fast its springs stop wobbling. At the default [member stiffness] and [member mass] (200 and 1 kg) 0 wobbles long, 2 about twice, and 20 creeps back
    /// like dough; what is stiffer or heavier needs more for the same. Less than [member stiffness] / 240 acts as that much. It does not slow the fall:
    /// that is [member linear_damp].
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "kg/s"))]
    #[var(get = get_damping, set = set_damping)]
    damping: PhantomVar<f64>,

    /// How much it resists leaning over, as a part of how much it resists being stretched. 0 leans over like an empty box, 1 is as firm either
    /// way.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_shear_ratio, set = set_shear_ratio)]
    shear_ratio: PhantomVar<f64>,

    /// How firmly each part of it keeps its area, besides [member stiffness]. More bulges at the sides when it is pressed, as water does; above 0 nothing stays
    /// turned inside out.
    #[export(range = (0.0, 10000.0, 1.0, or_greater, exp, suffix = "kg/s²"))]
    #[var(get = get_area_stiffness, set = set_area_stiffness)]
    area_stiffness: PhantomVar<f64>,

    /// What blows it up from inside: the force on each px of its outline. The preset Balloon has 4, at a [member stiffness] of 15, and swells by a sixth; Tyre has
    /// 50, at 1500, and swells by a fiftieth. How far it swells does not depend on its size, but what weight it carries does: a larger one carries
    /// more.
    #[export(range = (0.0, 1000.0, 0.1, or_greater, exp, suffix = "kg/s²"))]
    #[var(get = get_pressure, set = set_pressure)]
    pressure: PhantomVar<f64>,

    /// How firmly it goes back to its shape as a whole, besides its springs. 0 leaves that to them, 1 is nearly rigid.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_shape_memory, set = set_shape_memory)]
    shape_memory: PhantomVar<f64>,

    /// How much of a strong deformation stays. 0 comes back wholly, 1 is clay.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_plasticity, set = set_plasticity)]
    plasticity: PhantomVar<f64>,

    /// No spring gets longer than about this multiple of its length; 1.2 is a fifth longer, 1.05 the least. Springs that are pulled to it are shortened without
    /// being thrown. What it touches and hands that hold it come after that, and may stretch it farther. 0: no limit.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(get = get_max_stretch, set = set_max_stretch)]
    max_stretch: PhantomVar<f64>,

    /// Passes of the classic relaxation a tick at 60 ticks a second, on top of the springs. Each makes it firmer and costs time; the more points the body has, the
    /// more passes the same firmness takes. Normally 0, none: [member stiffness] makes it firmer at no cost. It is there for the look of the classic method.
    #[export(range = (0.0, 64.0, 1.0, or_greater))]
    #[var(get = get_iteration_count, set = set_iteration_count)]
    iteration_count: PhantomVar<i64>,

    /// How fast all motion dies down, as on [RigidBody2D]: the part of the velocity that is lost a second. 0 is a vacuum, 5 water.
    #[export_group(name = "Physics")]
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "1/s"))]
    #[var(get = get_linear_damp, set = set_linear_damp)]
    linear_damp: PhantomVar<f64>,

    /// What the world's gravity is multiplied by. 0 floats, negative values rise.
    #[export(range = (-8.0, 8.0, 0.01, or_less, or_greater))]
    #[var(get = get_gravity_scale, set = set_gravity_scale)]
    gravity_scale: PhantomVar<f64>,

    /// Whether the body moves its node. Off, the node stays where it is, and its children with it; [method reset] and any change of the shape bring the
    /// body back to it. While the node holds points ([member pin_mode]) it is the node that leads.
    #[export]
    #[var(get = get_move_node, set = set_move_node)]
    move_node: PhantomVar<bool>,

    /// Keeps it from turning: it wobbles, but stays upright.
    #[export]
    #[var(get = get_lock_rotation, set = set_lock_rotation)]
    lock_rotation: PhantomVar<bool>,

    /// The layers on which it is there for others. Rays find it, areas report it, characters stand on it and are stopped by it, if their masks have one of
    /// these layers; in all of them it is this node. What is met is its outline as it is in this tick, in at most eight convex pieces. A [CharacterBody2D] that
    /// stands on it weighs [member character_mass], and dents it. Empty: it is not there, which costs nothing.
    #[export_group(name = "Collision")]
    #[export(flags_2d_physics)]
    #[var(get = get_collision_layer, set = set_collision_layer)]
    collision_layer: PhantomVar<u32>,

    /// The layers with whose bodies and tile maps it collides. Empty: with nothing. Other soft bodies and ropes are not met yet, on no layer.
    #[export(flags_2d_physics)]
    #[var(get = get_collision_mask, set = set_collision_mask)]
    collision_mask: PhantomVar<u32>,

    /// How far its surface is outside of its outline for collisions. It grows and shrinks with the node's scale, and is at least 0.25 global px.
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
    #[var(get = get_collision_radius, set = set_collision_radius)]
    collision_radius: PhantomVar<f64>,

    /// Whether its edges collide, not its points alone. Off, spikes and corners get in between two points; it is cheaper.
    #[export]
    #[var(get = get_use_precise_collision, set = set_use_precise_collision)]
    use_precise_collision: PhantomVar<bool>,

    /// Friction and bounce of its surface. They are combined with those of what it touches as between two bodies. Empty: friction 1, no bounce.
    #[export]
    #[var(set = set_physics_material_override)]
    physics_material_override: Option<Gd<PhysicsMaterial>>,

    /// Whether it pushes the [RigidBody2D]s that it touches, with real forces both ways: crates lie on it and dent it, balls bounce, and it knocks over what it strikes. If this is off, they
    /// move it and do not feel it.
    #[export]
    #[var(get = get_push_bodies, set = set_push_bodies)]
    push_bodies: PhantomVar<bool>,

    /// Mass of a [CharacterBody2D] that stands on the body, or runs against it; it needs a [member collision_layer]. More dents it deeper and pushes it harder, as far as
    /// twice the mass of the body itself: a heavier one would turn it over. 0 is not felt at all. It is known of characters that are moved by [code]move_and_slide[/code], and have a collision layer themselves.
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "kg"))]
    #[var(get = get_character_mass, set = set_character_mass)]
    character_mass: PhantomVar<f64>,

    /// Whether it goes through its parents and children, however far up or down the tree, and through bodies that hold it or ride on it. Off, only those given to
    /// [method add_collision_exception_with] are let through.
    #[export]
    #[var(get = get_exclude_attached, set = set_exclude_attached)]
    exclude_attached: PhantomVar<bool>,

    /// Whether parts of it collide with each other, so that arms and folds do not go through themselves. It costs time for bodies with long outlines.
    #[export]
    #[var(get = get_self_collision, set = set_self_collision)]
    self_collision: PhantomVar<bool>,

    /// Layers on which a tile map counts as one-way where the body cannot find that out, as for tiles that a script makes. It holds for all of Supple's bodies of
    /// the world.
    #[export(flags_2d_physics)]
    #[var(get = get_one_way_mask, set = set_one_way_mask)]
    one_way_mask: PhantomVar<u32>,

    /// Whether [signal body_entered] and [signal body_exited] are emitted, and [method get_colliding_bodies] works.
    #[export]
    #[var(get = get_contact_monitor, set = set_contact_monitor)]
    contact_monitor: PhantomVar<bool>,

    /// The least impulse of a strike that [signal impact] tells of; 0: none. It is an estimate: the mass of the body times the speed with which its surface comes. A
    /// jelly of 1 kg that falls onto the floor at 400 px/s strikes with about 400. It works without [member contact_monitor].
    #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "kg px/s"))]
    #[var(get = get_impact_threshold, set = set_impact_threshold)]
    impact_threshold: PhantomVar<f64>,

    /// How flat it has to be pressed for [signal squashed]: its length in the direction in which it is squeezed most, as a part of that at rest. 0.7 is by three
    /// tenths; 0: never.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_squash_threshold, set = set_squash_threshold)]
    squash_threshold: PhantomVar<f64>,

    /// Whether the mouse is noticed over the body: [signal mouse_entered], [signal mouse_exited] and [signal input_event] are emitted, as those of
    /// [CollisionObject2D], on no layer too. Without anybody who listens to them it costs nothing. The viewport decides as for those, by
    /// [member Viewport.physics_object_picking], which is off in a new [SubViewport].
    #[export_group(name = "Input")]
    #[export]
    #[var(get = is_pickable, set = set_pickable)]
    input_pickable: PhantomVar<bool>,

    /// Whether the player can grab the body with the mouse or a finger.
    #[export_group(name = "Hand")]
    #[export]
    #[var(get = get_mouse_grab, set = set_mouse_grab)]
    mouse_grab: PhantomVar<bool>,

    /// How near to the body, outside of its outline, the mouse grabs it. Inside it always does.
    #[export(range = (0.0, 200.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_grab_radius, set = set_grab_radius)]
    grab_radius: PhantomVar<f64>,

    /// The most force of a hand that grabs the body, by the mouse or [method grab]: more than that slips. 0: as strong as needed.
    #[export(range = (0.0, 100000.0, 1.0, or_greater, exp, suffix = "kg px/s²"))]
    #[var(get = get_grab_force, set = set_grab_force)]
    grab_force: PhantomVar<f64>,

    /// Steps into which a tick is divided. Normally 0, which chooses them of 1/240 s, so that the motion is the same at any tick rate. Fewer are cheaper and
    /// coarser, which may do for many bodies in the background.
    #[export_group(name = "Solver")]
    #[export(range = (0.0, 32.0, 1.0))]
    #[var(get = get_substeps, set = set_substeps)]
    substeps: PhantomVar<i64>,

    /// Whether the body may sleep. At rest it then costs nothing, and wakes when anything touches it.
    #[export]
    #[var(get = get_can_sleep, set = set_can_sleep)]
    can_sleep: PhantomVar<bool>,

    /// Whether the body is simulated while it is outside of all screens. Pause saves time; it goes on where it was when it comes into sight. A body that touches
    /// something is never paused, nor is one whose node is hidden.
    #[export]
    #[var(get = get_offscreen_mode, set = set_offscreen_mode)]
    offscreen_mode: PhantomVar<OffscreenMode>,

    /// Whether the body sleeps. Set to [code]false[/code] it wakes the body, to [code]true[/code] it stops it where it is.
    #[var(get = is_sleeping, set = set_sleeping)]
    sleeping: PhantomVar<bool>,

    /// Velocity of its centre of mass in px/s. Set, it changes the velocity of all points alike: the body wobbles on.
    #[var(get = get_linear_velocity, set = set_linear_velocity)]
    linear_velocity: PhantomVar<Vector2>,

    /// How fast it turns as a whole, in rad/s. Set, it wobbles on.
    #[var(get = get_angular_velocity, set = set_angular_velocity)]
    angular_velocity: PhantomVar<f64>,

    /// Picture on the body: its box at rest shows the whole picture, or the region of an [AtlasTexture], and the picture is deformed with it. In shaders
    /// [code]UV[/code] is 0 to 1 over that box; with an [AtlasTexture] it is the place in the whole texture. [member color] tints it, and is green by
    /// default: set that to white. Empty: plain colour.
    #[export]
    #[var(set = set_texture)]
    texture: Option<Gd<Texture2D>>,

    /// Colour of the body. With a [member texture] it is what the picture's colours are multiplied by: set it to white to show them as they are.
    #[export]
    #[var(set = set_color)]
    #[init(val = Color::from_rgba(0.36, 0.88, 0.52, 0.82))]
    color: Color,

    /// How strong the highlight at its upper left is, 0 to 1: more looks wetter. It stays where it is on the body when that turns. 0: none. With a
    /// [member texture] there is none either.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_shine, set = set_shine)]
    #[init(val = 0.6)]
    shine: f64,

    /// Width of the line around it, local to the node: inside of its surface, so that what it lies on is not painted over. 0: none.
    #[export(range = (0.0, 20.0, 0.5, or_greater, suffix = "px"))]
    #[var(get = get_outline_width, set = set_outline_width)]
    #[init(val = 3.0)]
    outline_width: f64,

    /// Colour of the line around it.
    #[export]
    #[var(set = set_outline_color)]
    #[init(val = Color::from_rgb(0.13, 0.55, 0.33))]
    outline_color: Color,

    /// Draws a round outline through its points instead of straight pieces: also a body of few points looks soft then. The corners of a rectangle are rounded
    /// off; corners of a polygon that are sharper than 50° stay. What it collides with is straight from point to point all the same.
    #[export]
    #[var(set = set_smooth_outline)]
    #[init(val = true)]
    smooth_outline: bool,

    /// Whether its edge fades over a pixel, which smooths it. Not needed where the project smooths 2D itself (MSAA).
    #[export]
    #[var(set = set_antialiased)]
    #[init(val = true)]
    antialiased: bool,

    /// Draws its points (held ones in red), its springs, velocities, and crosses with normals where it touches something; so does the debug menu's Visible Collision
    /// Shapes for all bodies.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_debug_enabled)]
    debug_enabled: bool,

    /// Simulates in the editor too. Off, the editor shows the body as it is laid out.
    #[export_group(name = "Editor")]
    #[export]
    #[var(set = set_preview_in_editor)]
    preview_in_editor: bool,

    offscreen: OffscreenMode,
    /// The renderer tells when it leaves all screens.
    minds_screen: bool,
    /// Its mesh is not what the properties say.
    unmeshed: Cell<bool>,
    /// It has had a mesh of its own, which stays when the next is none.
    meshed: Cell<bool>,
    /// What the child that is the source had to say.
    read: child::Read,
    /// Why the outline gives no mesh.
    flaw: Cell<Option<MeshError>>,
    body: Arc<SharedSoft>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for SoftBody2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => self.enter(),
            CanvasItemNotification::READY => self.read_child(),
            CanvasItemNotification::INTERNAL_PROCESS => self.deform_child(),
            CanvasItemNotification::EXIT_TREE => self.exit(),
            CanvasItemNotification::WORLD_2D_CHANGED if self.joined() => {
                self.exit();
                self.join();
            }
            CanvasItemNotification::PAUSED => self.paused(true),
            CanvasItemNotification::UNPAUSED => self.paused(false),
            CanvasItemNotification::CHILD_ORDER_CHANGED => {
                self.body.flags.unsorted.store(true, Relaxed);
                self.read_child();
            }
            CanvasItemNotification::LOCAL_TRANSFORM_CHANGED => self.body.flags.touched.store(true, Relaxed),
            CanvasItemNotification::TRANSFORM_CHANGED => self.moved(),
            CanvasItemNotification::RESET_PHYSICS_INTERPOLATION => self.interpolation_reset(),
            CanvasItemNotification::VISIBILITY_CHANGED => self.shown_or_hidden(),
            CanvasItemNotification::DRAW => self.draw(),
            _ => (),
        }
    }

    /// Whoever asks is about to save or duplicate it, with its children as they were.
    #[func(gd_self)]
    fn on_get_property_list(this: Gd<Self>) -> Vec<PropertyInfo> {
        child::undress(this.instance_id());
        Vec::new()
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.warnings().iter().map(GString::from).collect()
    }
}

#[godot_api]
impl SoftBody2D {
    /// A grid of points: see [member source].
    #[constant]
    const SOURCE_RECTANGLE: i64 = Source::Rectangle as i64;
    /// An ellipse.
    #[constant]
    const SOURCE_ELLIPSE: i64 = Source::Ellipse as i64;
    /// The outline [member polygon].
    #[constant]
    const SOURCE_POLYGON: i64 = Source::Polygon as i64;
    /// The outline of a child.
    #[constant]
    const SOURCE_CHILD_POLYGON: i64 = Source::ChildPolygon as i64;
    /// No points are held: see [member pin_mode].
    #[constant]
    const PIN_NONE: i64 = PinMode::None as i64;
    /// Those of some sides.
    #[constant]
    const PIN_SIDES: i64 = PinMode::Sides as i64;
    /// Some of the top side.
    #[constant]
    const PIN_TOP_EVERY: i64 = PinMode::TopEvery as i64;
    /// The four corners.
    #[constant]
    const PIN_CORNERS: i64 = PinMode::Corners as i64;
    /// Those of a list.
    #[constant]
    const PIN_CUSTOM: i64 = PinMode::Custom as i64;
    /// Simulated everywhere: see [member offscreen_mode].
    #[constant]
    const OFFSCREEN_SIMULATE: i64 = OffscreenMode::Simulate as i64;
    /// Paused where nobody sees it.
    #[constant]
    const OFFSCREEN_PAUSE: i64 = OffscreenMode::Pause as i64;
    /// No preset: see [member preset].
    #[constant]
    const PRESET_CUSTOM: i64 = 0;
    /// A jelly that wobbles about twice: the default.
    #[constant]
    const PRESET_JELLY: i64 = 1;
    /// Firm rubber that bounces.
    #[constant]
    const PRESET_RUBBER: i64 = 2;
    /// A light balloon under pressure.
    #[constant]
    const PRESET_BALLOON: i64 = 3;
    /// Slime that creeps.
    #[constant]
    const PRESET_SLIME: i64 = 4;
    /// A tyre full of air.
    #[constant]
    const PRESET_TYRE: i64 = 5;
    /// The soft body of the lessons: a grid that hangs by its top row.
    #[constant]
    const PRESET_LESSON: i64 = 6;

    /// The body fell asleep or woke up. See [member sleeping].
    #[signal]
    fn sleeping_state_changed();

    /// It began to touch a body or a tile map. Only with [member contact_monitor].
    #[signal]
    fn body_entered(body: Gd<Node2D>);

    /// It does not touch a body or a tile map any more, or that leaves the tree. Only with [member contact_monitor].
    #[signal]
    fn body_exited(body: Gd<Node2D>);

    /// It struck something with at least [member impact_threshold]: the body or tile map (null if it has no node), the point of this body, the global position
    /// and the direction out of the other there, and the impulse in kg px/s. At most once in 0.05 s for each body.
    ///
    /// ```gdscript
    /// # A jelly that splats as hard as it falls.
    /// jelly.impact_threshold = 10
    /// jelly.impact.connect(func(_body, _point, position, _normal, impulse):
    ///     $Splat.global_position = position
    ///     $Splat.volume_db = linear_to_db(impulse / 50.0)
    ///     $Splat.play())
    /// ```
    #[signal]
    fn impact(body: Option<Gd<Node2D>>, point_index: i64, position: Vector2, normal: Vector2, impulse: f32);

    /// A [CharacterBody2D], a [RigidBody2D] or another soft body has begun to dent it: [param depth] px deep, at least 2. Once until it has left
    /// ([signal released]).
    ///
    /// ```gdscript
    /// # A button of jelly.
    /// jelly.pressed.connect(func(_body, _depth): $Door.open())
    /// ```
    #[signal]
    fn pressed(body: Gd<Node2D>, depth: f32);

    /// What has dented it does no longer, or has left: 0.1 s after it touched last. [param velocity] is how its surface moves there, in px/s: how it springs
    /// back.
    #[signal]
    fn released(body: Gd<Node2D>, velocity: Vector2);

    /// It was pressed flatter than [member squash_threshold]; [param ratio] is its length in the direction in which it is squeezed most, as a part of that at rest. Once
    /// until it is higher again.
    #[signal]
    fn squashed(ratio: f32);

    /// The mouse has come onto the body, or the body below the mouse. See [member input_pickable].
    #[signal]
    fn mouse_entered();

    /// The mouse is not on the body any more.
    #[signal]
    fn mouse_exited();

    /// An event of the mouse or of a finger on the body, which nothing else has handled; of bodies that lie over each other the topmost is told first, and
    /// [method Viewport.set_input_as_handled] keeps it from the others. [param shape_idx] is always 0: it is there so that handlers of [CollisionObject2D] fit.
    ///
    /// ```gdscript
    /// # A jelly that hops when it is clicked.
    /// jelly.input_event.connect(func(_viewport, event, _shape_idx):
    ///     if event is InputEventMouseButton and event.pressed:
    ///         jelly.apply_central_impulse(Vector2(0, -400) * jelly.mass))
    /// ```
    #[signal]
    fn input_event(viewport: Gd<Node>, event: Gd<InputEvent>, shape_idx: i64);

    /// Number of points.
    #[func]
    fn get_point_count(&self) -> i64 {
        self.core().point_count() as i64
    }

    /// Global positions of all points.
    #[func]
    fn get_points(&self) -> PackedVector2Array {
        let core = self.core();
        (0..core.point_count()).map(|i| vector2(core.position(i))).collect()
    }

    /// Global position of a point.
    #[func]
    fn get_point_position(&self, point_index: i64) -> Vector2 {
        let index = self.index(&self.callee("get_point_position()"), point_index);
        index.map_or(Vector2::ZERO, |i| vector2(self.core().position(i)))
    }

    /// Velocity of a point in px/s.
    #[func]
    fn get_point_velocity(&self, point_index: i64) -> Vector2 {
        let index = self.index(&self.callee("get_point_velocity()"), point_index);
        index.map_or(Vector2::ZERO, |i| vector2(self.core().velocity(i)))
    }

    /// Puts a free point at a global position, with the velocity that it has; the others are pulled after it. Move a held point with
    /// [method set_pin_position].
    #[func]
    fn set_point_position(&mut self, point_index: i64, position: Vector2) {
        self.put_point(point_index, position);
    }

    /// Holds a point where it is, or lets it go.
    ///
    /// Without [param attachment_path] this node holds it, and so leads the body; with one, the [Node2D] at that path, relative to this node. The point
    /// then keeps its place relative to that node; to bring it onto the node, call [method set_pin_position] after it. If that node is freed, the point is let
    /// go. Such pins are not saved with the scene; for that there is [member pin_mode].
    ///
    /// ```gdscript
    /// # Hang a jelly on a hook by its top left corner.
    /// jelly.set_point_pinned(0, true, ^"../Hook")
    /// jelly.set_pin_position(0, $Hook.global_position)
    /// ```
    #[func]
    fn set_point_pinned(&mut self, point_index: i64, pinned: bool, #[opt(default = "")] attachment_path: GString) {
        self.pin_point(point_index, pinned, &attachment_path);
    }

    /// Whether a point is held.
    #[func]
    fn is_point_pinned(&self, point_index: i64) -> bool {
        let index = self.index(&self.callee("is_point_pinned()"), point_index);
        index.is_some_and(|i| self.core().is_pinned(i))
    }

    /// Moves the place where a held point is held to a global position. The point follows within the next tick.
    #[func]
    fn set_pin_position(&mut self, point_index: i64, position: Vector2) {
        self.move_pin(point_index, position);
    }

    /// Index of the point nearest to a global position, or -1 if none is within [param max_distance] px.
    #[func]
    fn get_closest_point_index(&self, to_point: Vector2, #[opt(default = f32::INFINITY)] max_distance: f32) -> i64 {
        self.closest_index(to_point, max_distance)
    }

    /// Changes the velocity of a point at once, by [param impulse] (kg px/s) over the point's mass. A held point does not move.
    #[func]
    fn apply_point_impulse(&mut self, point_index: i64, impulse: Vector2) {
        self.push_point("apply_point_impulse()", "impulse", point_index, impulse, |core, i, impulse| {
            core.apply_impulse(i, impulse);
        });
    }

    /// Pushes a point during the next tick with [param force] (kg px/s2). Call it in every tick for a lasting push.
    #[func]
    fn apply_point_force(&mut self, point_index: i64, force: Vector2) {
        self.push_point("apply_point_force()", "force", point_index, force, |core, i, force| {
            core.apply_force(i, force)
        });
    }

    /// Changes the velocity of the whole body at once, by [param impulse] (kg px/s) over its mass, and turns it if [param position] (global) is beside its centre.
    #[func]
    fn apply_impulse(&mut self, impulse: Vector2, position: Vector2) {
        self.push_at(impulse, position);
    }

    /// Changes the velocity of the whole body at once, by [param impulse] (kg px/s) over its mass.
    ///
    /// ```gdscript
    /// # A jump of 400 px/s.
    /// jelly.apply_central_impulse(Vector2(0, -400) * jelly.mass)
    /// ```
    #[func]
    fn apply_central_impulse(&mut self, impulse: Vector2) {
        self.push_all(impulse);
    }

    /// Pushes all points within [param radius] px of [param center] away from it, as a blast does. A point at the center gets its part of [param strength]
    /// (kg px/s, for the whole body), one at the radius nothing; negative values pull.
    #[func]
    fn apply_radial_impulse(&mut self, center: Vector2, strength: f64, radius: f64) {
        self.blast(center, strength, radius);
    }

    /// Takes the free point nearest to a global position and at most [param radius] px from it, with [member grab_force]. Returns a handle for [method drag]
    /// and [method release], or -1 if there is none.
    ///
    /// ```gdscript
    /// # A claw that carries a jelly.
    /// var hand := jelly.grab(claw.global_position, 40)
    /// # Later, in every tick, and in the end:
    /// jelly.drag(hand, claw.global_position)
    /// jelly.release(hand)
    /// ```
    #[func]
    fn grab(&mut self, position: Vector2, radius: f64) -> i64 {
        self.grab_at(position, radius)
    }

    /// Moves the hand with this handle to a global position.
    #[func]
    fn drag(&mut self, handle: i64, position: Vector2) {
        self.drag_to(handle, position);
    }

    /// Lets go. A handle that holds nothing is no error.
    #[func]
    fn release(&mut self, handle: i64) {
        self.body.let_go_of(handle);
        self.touch();
    }

    /// Lays the body out anew where its node is, at rest, held as [member pin_mode] says only.
    #[func]
    fn reset(&mut self) {
        self.read_child();
        self.lay_out();
        self.changed();
    }

    /// Moves the node there, and lays the body out at rest; with [param keep_velocity] it is carried along as it is, moving and wobbling on. Pins stay. For
    /// respawning, doors and screens that wrap around.
    ///
    /// ```gdscript
    /// # Carry a falling jelly back to the top.
    /// jelly.teleport(jelly.global_transform.translated(Vector2(0, -648)), true)
    /// ```
    #[func]
    fn teleport(&mut self, transform: Transform2D, #[opt(default = false)] keep_velocity: bool) {
        self.put(transform, keep_velocity);
    }

    /// The outline as it is now, in global coordinates: a closed polygon without its first point repeated. For a [Polygon2D] or a hit test.
    ///
    /// ```gdscript
    /// # Whether the player's finger is on the jelly.
    /// Geometry2D.is_point_in_polygon(get_global_mouse_position(), jelly.get_outline())
    /// ```
    #[func]
    fn get_outline(&self) -> PackedVector2Array {
        let core = self.core();
        core.mesh().outline.iter().map(|&i| vector2(core.position(i as usize))).collect()
    }

    /// The centre of mass in global coordinates.
    #[func]
    fn get_center(&self) -> Vector2 {
        vector2(self.core().center())
    }

    /// The area inside of the outline in px²; negative while it is turned inside out.
    #[func]
    fn get_area(&self) -> f32 {
        self.core().area()
    }

    /// By how much its most stretched spring is longer than at rest: 0.1 is a tenth.
    ///
    /// ```gdscript
    /// # Redden what is pulled.
    /// jelly.color = Color.WHITE.lerp(Color.RED, clampf(jelly.get_current_stretch(), 0, 1))
    /// ```
    #[func]
    fn get_current_stretch(&self) -> f32 {
        self.core().stretch()
    }

    /// How its surface moves where it is nearest to a global position, in px/s.
    #[func]
    fn get_surface_velocity(&self, position: Vector2) -> Vector2 {
        self.velocity_of_surface(position)
    }

    /// Whether it lies on something that is not steeper than [param max_angle], in radians. What is above is told by the world's gravity.
    ///
    /// ```gdscript
    /// # A jelly that hops when it can.
    /// if jelly.is_on_floor():
    ///     jelly.apply_central_impulse(Vector2(0, -400) * jelly.mass)
    /// ```
    #[func]
    fn is_on_floor(&self, #[opt(default = std::f64::consts::FRAC_PI_4)] max_angle: f64) -> bool {
        self.stands(max_angle)
    }

    /// The bodies and tile maps that it touches. Only with [member contact_monitor].
    #[func]
    fn get_colliding_bodies(&self) -> Array<Gd<Node2D>> {
        self.colliding_bodies()
    }

    /// Lets it go through a body or a [TileMapLayer].
    #[func]
    fn add_collision_exception_with(&mut self, body: Option<Gd<Node>>) {
        self.except(body, true);
    }

    /// Lets it collide with a body or a [TileMapLayer] again. While [member exclude_attached] is on, it still goes through a body that holds it.
    #[func]
    fn remove_collision_exception_with(&mut self, body: Option<Gd<Node>>) {
        self.except(body, false);
    }

    /// All that were given to [method add_collision_exception_with].
    #[func]
    fn get_collision_exceptions(&self) -> Array<Gd<Node2D>> {
        self.exceptions()
    }

    /// Turns a layer of [member collision_layer] on or off; they are counted from 1 to 32.
    #[func]
    fn set_collision_layer_value(&mut self, layer_number: i32, value: bool) {
        self.change_layer_value(layer_number, value);
    }

    /// Whether a layer of [member collision_layer] is on; they are counted from 1 to 32.
    #[func]
    fn get_collision_layer_value(&self, layer_number: i32) -> bool {
        self.layer_value(layer_number)
    }

    /// Turns a layer of [member collision_mask] on or off; they are counted from 1 to 32.
    #[func]
    fn set_collision_mask_value(&mut self, layer_number: i32, value: bool) {
        self.change_mask_value(layer_number, value);
    }

    /// Whether a layer of [member collision_mask] is on; they are counted from 1 to 32.
    #[func]
    fn get_collision_mask_value(&self, layer_number: i32) -> bool {
        self.mask_value(layer_number)
    }

    /// Sets the properties of a preset: "Jelly", "Rubber", "Balloon", "Slime", "Tyre" or "Lesson". What you want otherwise, such as [member stiffness], set
    /// after it.
    #[func(gd_self)]
    fn apply_preset(this: Gd<Self>, name: GString) {
        presets::apply(this, &name);
    }

    /// The whole state, for saving a game: its mesh, where every point is and how it moves, all settings of the motion, and what holds it. Not how it looks.
    /// Hands have let go in it.
    #[func]
    fn get_state(&self) -> PackedByteArray {
        self.save_state()
    }

    /// Goes on exactly from what [method get_state] gave; the node is put where it was, if the body moves it. Nodes that hold points are found by their paths
    /// from this node. False, and nothing changes, if [param bytes] are damaged or come from something else.
    #[func]
    fn set_state(&mut self, bytes: PackedByteArray) -> bool {
        self.load_state(&bytes)
    }

    /// A hash of the whole state, bit for bit: two runs with the same inputs give the same.
    #[func]
    fn get_state_hash(&self) -> i64 {
        self.core().state_hash() as i64
    }

    // Properties.

    #[func]
    fn get_preset(&self) -> i64 {
        0
    }

    #[func]
    fn set_preset(&mut self, preset: i64) {
        let this = self.to_gd();
        // While the guard lives the setters of other properties may be called.
        let _guard = self.base_mut();
        presets::set(this, preset);
    }

    #[func]
    fn get_source(&self) -> Source {
        self.source
    }

    #[func]
    fn set_source(&mut self, source: Source) {
        self.change_source(source);
    }

    #[func]
    fn get_size(&self) -> Vector2 {
        self.size
    }

    #[func]
    fn set_size(&mut self, size: Vector2) {
        self.change_size(size);
    }

    #[func]
    fn get_particle_count(&self) -> Vector2i {
        self.particle_count
    }

    #[func]
    fn set_particle_count(&mut self, count: Vector2i) {
        self.change_particle_count(count);
    }

    #[func]
    fn get_spacing(&self) -> f64 {
        self.spacing
    }

    #[func]
    fn set_spacing(&mut self, spacing: f64) {
        self.change_spacing(spacing);
    }

    #[func]
    fn get_polygon(&self) -> PackedVector2Array {
        self.polygon.clone()
    }

    #[func]
    fn set_polygon(&mut self, polygon: PackedVector2Array) {
        self.change_polygon(polygon);
    }

    #[func]
    fn get_pin_mode(&self) -> PinMode {
        self.pin_mode
    }

    #[func]
    fn set_pin_mode(&mut self, mode: PinMode) {
        self.pin_mode = mode;
        self.repin();
    }

    #[func]
    fn get_pin_sides(&self) -> i64 {
        self.pin_sides
    }

    #[func]
    fn set_pin_sides(&mut self, sides: i64) {
        self.change_pin_sides(sides);
    }

    #[func]
    fn get_pin_interval(&self) -> i64 {
        self.pin_interval
    }

    #[func]
    fn set_pin_interval(&mut self, interval: i64) {
        self.change_pin_interval(interval);
    }

    #[func]
    fn get_pinned_points(&self) -> PackedInt32Array {
        self.pinned_points.clone()
    }

    #[func]
    fn set_pinned_points(&mut self, points: PackedInt32Array) {
        self.pinned_points = points;
        self.repin();
    }

    #[func]
    fn get_mass(&self) -> f64 {
        f64::from(self.settings().mass)
    }

    #[func]
    fn set_mass(&mut self, mass: f64) {
        let Some(mass) = self.callee("mass").number(mass, LEAST_MASS..=MOST_MASS) else { return };
        self.set(|settings| settings.mass = mass);
    }

    #[func]
    fn get_particle_mass(&self) -> f64 {
        f64::from(self.settings().particle_mass)
    }

    #[func]
    fn set_particle_mass(&mut self, mass: f64) {
        let Some(mass) = self.callee("particle_mass").number(mass, 0.0..=MOST_MASS) else { return };
        self.set(|settings| settings.particle_mass = mass);
    }

    #[func]
    fn get_stiffness(&self) -> f64 {
        f64::from(self.settings().stiffness)
    }

    #[func]
    fn set_stiffness(&mut self, stiffness: f64) {
        let Some(stiffness) = self.callee("stiffness").number(stiffness, 0.0..=MOST_STIFFNESS) else { return };
        self.set(|settings| settings.stiffness = stiffness);
    }

    #[func]
    fn get_damping(&self) -> f64 {
        f64::from(self.settings().damping)
    }

    #[func]
    fn set_damping(&mut self, damping: f64) {
        let Some(damping) = self.callee("damping").number(damping, 0.0..=MOST_DAMPING) else { return };
        self.set(|settings| settings.damping = damping);
    }

    #[func]
    fn get_shear_ratio(&self) -> f64 {
        f64::from(self.settings().shear_ratio)
    }

    #[func]
    fn set_shear_ratio(&mut self, ratio: f64) {
        let Some(ratio) = self.callee("shear_ratio").number(ratio, 0.0..=1.0) else { return };
        self.set(|settings| settings.shear_ratio = ratio);
    }

    #[func]
    fn get_area_stiffness(&self) -> f64 {
        f64::from(self.settings().area_stiffness)
    }

    #[func]
    fn set_area_stiffness(&mut self, stiffness: f64) {
        let Some(stiffness) = self.callee("area_stiffness").number(stiffness, 0.0..=MOST_STIFFNESS) else { return };
        self.set(|settings| settings.area_stiffness = stiffness);
    }

    #[func]
    fn get_pressure(&self) -> f64 {
        f64::from(self.settings().pressure)
    }

    #[func]
    fn set_pressure(&mut self, pressure: f64) {
        let Some(pressure) = self.callee("pressure").number(pressure, 0.0..=MOST_PRESSURE) else { return };
        self.set(|settings| settings.pressure = pressure);
    }

    #[func]
    fn get_shape_memory(&self) -> f64 {
        f64::from(self.settings().shape_memory)
    }

    #[func]
    fn set_shape_memory(&mut self, memory: f64) {
        let Some(memory) = self.callee("shape_memory").number(memory, 0.0..=1.0) else { return };
        self.set(|settings| settings.shape_memory = memory);
    }

    #[func]
    fn get_plasticity(&self) -> f64 {
        f64::from(self.settings().plasticity)
    }

    #[func]
    fn set_plasticity(&mut self, plasticity: f64) {
        let Some(plasticity) = self.callee("plasticity").number(plasticity, 0.0..=1.0) else { return };
        self.set(|settings| settings.plasticity = plasticity);
    }

    #[func]
    fn get_max_stretch(&self) -> f64 {
        f64::from(self.settings().max_stretch)
    }

    #[func]
    fn set_max_stretch(&mut self, stretch: f64) {
        // 0 has a meaning of its own; what is between it and the least has none.
        let least = if stretch > 0.0 { LEAST_STRETCH } else { 0.0 };
        let Some(stretch) = self.callee("max_stretch").number(stretch, least..=MOST_STRETCH) else { return };
        self.set(|settings| settings.max_stretch = stretch);
    }

    #[func]
    fn get_iteration_count(&self) -> i64 {
        i64::from(self.settings().iteration_count)
    }

    #[func]
    fn set_iteration_count(&mut self, count: i64) {
        let count = self.callee("iteration_count").count(count, 0..=MOST_ITERATIONS);
        self.set(|settings| settings.iteration_count = count);
    }

    #[func]
    fn get_linear_damp(&self) -> f64 {
        f64::from(self.settings().linear_damp)
    }

    #[func]
    fn set_linear_damp(&mut self, damp: f64) {
        let Some(damp) = self.callee("linear_damp").number(damp, 0.0..=MOST_DAMP) else { return };
        self.set(|settings| settings.linear_damp = damp);
    }

    #[func]
    fn get_gravity_scale(&self) -> f64 {
        f64::from(self.settings().gravity_scale)
    }

    #[func]
    fn set_gravity_scale(&mut self, scale: f64) {
        let range = -MOST_GRAVITY_SCALE..=MOST_GRAVITY_SCALE;
        let Some(scale) = self.callee("gravity_scale").number(scale, range) else { return };
        self.set(|settings| settings.gravity_scale = scale);
    }

    #[func]
    fn get_move_node(&self) -> bool {
        self.settings().move_node
    }

    #[func]
    fn set_move_node(&mut self, moves: bool) {
        self.set(|settings| settings.move_node = moves);
    }

    #[func]
    fn get_lock_rotation(&self) -> bool {
        self.settings().lock_rotation
    }

    #[func]
    fn set_lock_rotation(&mut self, locked: bool) {
        self.set(|settings| settings.lock_rotation = locked);
    }

    #[func]
    fn get_collision_layer(&self) -> u32 {
        self.settings().collision.layer
    }

    #[func]
    fn set_collision_layer(&mut self, layer: u32) {
        self.change_layer(layer);
    }

    #[func]
    fn get_push_bodies(&self) -> bool {
        self.settings().collision.push_bodies
    }

    #[func]
    fn set_push_bodies(&mut self, push_bodies: bool) {
        self.set(|settings| settings.collision.push_bodies = push_bodies);
    }

    #[func]
    fn get_character_mass(&self) -> f64 {
        f64::from(self.settings().collision.character_mass)
    }

    #[func]
    fn set_character_mass(&mut self, mass: f64) {
        self.change_character_mass(mass);
    }

    #[func]
    fn get_squash_threshold(&self) -> f64 {
        f64::from(lock(&self.body.presses).threshold)
    }

    #[func]
    fn set_squash_threshold(&mut self, threshold: f64) {
        let Some(threshold) = self.callee("squash_threshold").number(threshold, 0.0..=1.0) else { return };
        lock(&self.body.presses).threshold = threshold;
    }

    #[func]
    fn get_collision_mask(&self) -> u32 {
        self.settings().collision.mask
    }

    #[func]
    fn set_collision_mask(&mut self, mask: u32) {
        self.set(|settings| settings.collision.mask = mask);
    }

    #[func]
    fn get_collision_radius(&self) -> f64 {
        f64::from(self.settings().collision.radius)
    }

    #[func]
    fn set_collision_radius(&mut self, radius: f64) {
        let Some(radius) = self.callee("collision_radius").number(radius, 0.0..=MOST_RADIUS) else { return };
        self.set(|settings| settings.collision.radius = radius);
    }

    #[func]
    fn get_use_precise_collision(&self) -> bool {
        self.settings().precise
    }

    #[func]
    fn set_use_precise_collision(&mut self, precise: bool) {
        self.set(|settings| settings.precise = precise);
    }

    #[func]
    fn set_physics_material_override(&mut self, material: Option<Gd<PhysicsMaterial>>) {
        self.change_material(material);
    }

    #[func]
    fn get_exclude_attached(&self) -> bool {
        lock(&self.body.contacts).exclude_attached
    }

    #[func]
    fn set_exclude_attached(&mut self, exclude: bool) {
        self.change_exclude_attached(exclude);
    }

    #[func]
    fn get_self_collision(&self) -> bool {
        self.settings().collision.with_itself
    }

    #[func]
    fn set_self_collision(&mut self, with_itself: bool) {
        self.set(|settings| settings.collision.with_itself = with_itself);
    }

    #[func]
    fn get_one_way_mask(&self) -> u32 {
        self.body.one_way_mask.load(Relaxed)
    }

    #[func]
    fn set_one_way_mask(&mut self, mask: u32) {
        self.change_one_way_mask(mask);
    }

    #[func]
    fn get_contact_monitor(&self) -> bool {
        lock(&self.body.contacts).monitored
    }

    #[func]
    fn set_contact_monitor(&mut self, monitored: bool) {
        self.change_contact_monitor(monitored);
    }

    #[func]
    fn get_impact_threshold(&self) -> f64 {
        f64::from(lock(&self.body.contacts).impact_threshold)
    }

    #[func]
    fn set_impact_threshold(&mut self, threshold: f64) {
        self.change_impact_threshold(threshold);
    }

    #[func]
    fn is_pickable(&self) -> bool {
        self.body.flags.pickable.load(Relaxed)
    }

    #[func]
    fn set_pickable(&mut self, pickable: bool) {
        self.body.flags.pickable.store(pickable, Relaxed);
        self.watch_pointer();
    }

    #[func]
    fn get_mouse_grab(&self) -> bool {
        self.body.flags.grabbable.load(Relaxed)
    }

    #[func]
    fn set_mouse_grab(&mut self, grab: bool) {
        self.body.flags.grabbable.store(grab, Relaxed);
        self.watch_mouse();
    }

    #[func]
    fn get_grab_radius(&self) -> f64 {
        f64::from(lock(&self.body.hand).radius)
    }

    #[func]
    fn set_grab_radius(&mut self, radius: f64) {
        let Some(radius) = self.callee("grab_radius").number(radius, 0.0..=MOST_LENGTH) else { return };
        lock(&self.body.hand).radius = radius;
    }

    #[func]
    fn get_grab_force(&self) -> f64 {
        f64::from(lock(&self.body.hand).force)
    }

    #[func]
    fn set_grab_force(&mut self, force: f64) {
        let Some(force) = self.callee("grab_force").number(force, 0.0..=MOST_FORCE) else { return };
        lock(&self.body.hand).force = force;
    }

    #[func]
    fn get_substeps(&self) -> i64 {
        i64::from(self.settings().substeps)
    }

    #[func]
    fn set_substeps(&mut self, substeps: i64) {
        let substeps = self.callee("substeps").count(substeps, 0..=MOST_SUBSTEPS);
        self.set(|settings| settings.substeps = substeps);
    }

    #[func]
    fn get_can_sleep(&self) -> bool {
        self.settings().can_sleep
    }

    #[func]
    fn set_can_sleep(&mut self, can_sleep: bool) {
        self.set(|settings| settings.can_sleep = can_sleep);
    }

    #[func]
    fn get_offscreen_mode(&self) -> OffscreenMode {
        self.offscreen
    }

    #[func]
    fn set_offscreen_mode(&mut self, mode: OffscreenMode) {
        self.offscreen = mode;
        self.redraw_node();
    }

    #[func]
    fn is_sleeping(&self) -> bool {
        self.core().is_sleeping()
    }

    #[func]
    fn set_sleeping(&mut self, sleeping: bool) {
        if sleeping {
            self.core().sleep();
        } else {
            self.core().wake();
        }
        self.touch();
    }

    #[func]
    fn get_linear_velocity(&self) -> Vector2 {
        vector2(self.core().linear_velocity())
    }

    #[func]
    fn set_linear_velocity(&mut self, velocity: Vector2) {
        let Some(velocity) = self.callee("linear_velocity").place("the velocity", velocity) else { return };
        self.core().set_linear_velocity(vec2(velocity));
        self.touch();
    }

    #[func]
    fn get_angular_velocity(&self) -> f64 {
        f64::from(self.core().angular_velocity())
    }

    #[func]
    fn set_angular_velocity(&mut self, velocity: f64) {
        let range = -points::MOST_SPIN..=points::MOST_SPIN;
        let Some(velocity) = self.callee("angular_velocity").number(velocity, range) else { return };
        self.core().set_angular_velocity(velocity);
        self.touch();
    }

    #[func]
    fn set_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        self.change_texture(texture);
    }

    #[func]
    fn set_color(&mut self, color: Color) {
        self.color = color;
        self.redraw_node();
    }

    #[func]
    fn get_shine(&self) -> f64 {
        self.shine
    }

    #[func]
    fn set_shine(&mut self, shine: f64) {
        if self.callee("shine").number(shine, 0.0..=1.0).is_none() {
            return;
        }
        self.shine = shine.clamp(0.0, 1.0);
        self.redraw_node();
    }

    #[func]
    fn get_outline_width(&self) -> f64 {
        self.outline_width
    }

    #[func]
    fn set_outline_width(&mut self, width: f64) {
        let Some(width) = self.callee("outline_width").number(width, 0.0..=10_000.0) else { return };
        self.outline_width = f64::from(width);
        self.redraw_node();
    }

    #[func]
    fn set_outline_color(&mut self, color: Color) {
        self.outline_color = color;
        self.redraw_node();
    }

    #[func]
    fn set_smooth_outline(&mut self, smooth: bool) {
        self.smooth_outline = smooth;
        self.redraw_node();
    }

    #[func]
    fn set_antialiased(&mut self, antialiased: bool) {
        self.antialiased = antialiased;
        self.redraw_node();
    }

    #[func]
    fn set_debug_enabled(&mut self, enabled: bool) {
        self.debug_enabled = enabled;
        self.redraw_node();
    }

    #[func]
    fn set_preview_in_editor(&mut self, preview: bool) {
        self.preview_in_editor = preview;
        if self.base().is_inside_tree() && Engine::singleton().is_editor_hint() {
            self.change_preview(preview);
        }
    }
}
