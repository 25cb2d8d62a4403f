//! `VerletRope2D`.
//!
//! - this file: the class, its properties and methods; gdext wants them in one module, and what is documented in one block
//! - `node`: the node in the tree: entering, moving, being placed and shown
//! - `blades`: what cuts it
//! - `body`: what the node shares with the world step
//! - `kinds`: the choices of its properties
//! - `ties`: the nodes at its ends
//! - `grabs`: hands that hold it
//! - `characters`: characters at its ends
//! - `presence`: what it is for others
//! - `collision`: what it collides with, and signals of contacts
//! - `parts`: cutting it
//! - `presets`, `saved`: sets of values, saved states
//! - `warnings`: what the editor warns of
//! - `draw`: where it is drawn, and its triangles
//! - `look`: what it is drawn with
//! - `debug`: what is drawn over it to see how it works

mod blades;
mod body;
mod characters;
mod collision;
mod debug;
mod draw;
mod grabs;
mod kinds;
mod look;
mod node;
mod parts;
mod presence;
pub mod presets;
mod saved;
mod ties;
mod warnings;

use crate::convert::{pose, vec2, vector2};
use crate::holders;
use crate::offscreen::OffscreenMode;
use crate::world::{Holder, Shown, lock};
use body::RopeBody;
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Curve, Engine, Gradient, INode2D, Node2D, PhysicsMaterial, RigidBody2D, Texture2D};
use godot::prelude::*;
use kinds::{AttachMode, BendRest, ReelEnd, Solver};
use look::{CapMode, DrawMode, TextureMode};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{
    End, LEAST_LENGTH, LEAST_LINK, LEAST_MASS, MOST_DAMP, MOST_FORCE, MOST_GRAVITY_SCALE, MOST_ITERATIONS, MOST_LENGTH,
    MOST_MASS, MOST_SEGMENTS, MOST_WIND_SCALE,
};
use supple_sim::substeps::MOST_SUBSTEPS;
use ties::Tie;

/// A rope, cable, vine or hair that hangs from its node: a chain of points with exact lengths.
///
/// Add it to a scene and press play: it hangs from its node and swings when the node moves. Tune [member length],
/// [member linear_damp] and [member width]; hold its other end with [member end_pinned].
///
/// Moving the node moves the held points, the others follow. The motion does not depend on the number of physics ticks a
/// second. At rest the rope sleeps and costs nothing.
///
/// Points are counted from 0 at the start to [method get_point_count] - 1 at the end. Their positions are global.
/// Lengths and [member end_position] are local: the scale of the node counts when the rope is laid out, that is at ready and in
/// [method reset], and when [member length] is set.
///
/// ```gdscript
/// # A rope that hangs between the node and a point 300 px to its right.
/// var rope := VerletRope2D.new()
/// rope.length = 350
/// rope.end_position = Vector2(300, 0)
/// rope.end_pinned = true
/// add_child(rope)
/// ```
#[derive(GodotClass)]
#[class(tool, init, base = Node2D)]
pub struct VerletRope2D {
    /// Sets all properties of a kind of rope at once, except where it is and what it is tied to. Choosing one in the Inspector is one step of
    /// undo. It is not stored: what you tune afterwards stays.
    #[var(get = get_preset, set = set_preset, hint = ENUM,
        hint_string = "Choose…:0,Rope:1,Chain:2,Cable:3,Elastic:4,Hair:5,Bridge:6,Lesson:7,Scarf:8,Vine:9",
        usage_flags = [EDITOR])]
    preset: PhantomVar<i64>,

    /// Length of the rope. 0 takes the distance of what its ends are tied to, and [member slack]: once, at ready and in [method reset].
    ///
    /// Longer ropes swing more slowly. Changed while the game runs, it is wound in or out at [member reel_end]: a winch. It is not wound
    /// shorter than 5 px.
    ///
    /// ```gdscript
    /// # Lift what hangs on the rope at 100 px/s.
    /// func _physics_process(delta):
    ///     rope.length = move_toward(rope.length, 50.0, 100.0 * delta)
    /// ```
    #[export(range = (0.0, 2000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_length, set = set_length)]
    length: PhantomVar<f64>,

    /// What [member length] 0 adds to the distance of the ends, as a part of it. 0 is taut, 0.05 hangs through by an eighth of the distance, 1
    /// is twice as long as needed.
    #[export(range = (0.0, 1.0, 0.01, or_greater))]
    #[var(get = get_slack, set = set_slack)]
    slack: PhantomVar<f64>,

    /// The end at which the rope is wound when [member length] changes. There pieces come and go, if [member segments] is 0.
    #[export]
    #[var(get = get_reel_end, set = set_reel_end)]
    reel_end: PhantomVar<ReelEnd>,

    /// Number of straight pieces. 0 chooses it from [member segment_length]. More pieces bend more smoothly and cost more,
    /// about 0.1 us each a tick.
    #[export(range = (0.0, 200.0, 1.0, or_greater))]
    #[var(get = get_segments, set = set_segments)]
    segments: PhantomVar<i64>,

    /// Length of a piece when [member segments] is 0. Shorter pieces bend more smoothly and cost more.
    #[export(range = (2.0, 100.0, 0.5, or_greater, suffix = "px"))]
    #[var(get = get_segment_length, set = set_segment_length)]
    segment_length: PhantomVar<f64>,

    /// Whether the node holds the start of the rope. Off, the start is free: a rope held nowhere falls.
    #[export]
    #[var(get = is_start_pinned, set = set_start_pinned)]
    start_pinned: PhantomVar<bool>,

    /// Whether the node holds the end of the rope at [member end_position].
    #[export]
    #[var(get = is_end_pinned, set = set_end_pinned)]
    end_pinned: PhantomVar<bool>,

    /// Where the end is held if [member end_pinned] is on, local to the node. Otherwise the direction in which the rope is laid
    /// out. Farther away than [member length], the rope is drawn straight and longer than it is.
    #[export(range = (-1000.0, 1000.0, 1.0, or_less, or_greater, suffix = "px"))]
    #[var(get = get_end_position, set = set_end_position)]
    end_position: PhantomVar<Vector2>,

    /// The node at the start of the rope: it holds the start, or is carried by it, as [member start_mode] says. Empty: this node holds the
    /// start if [member start_pinned] is on.
    #[export_group(name = "Attachments")]
    #[export]
    #[var(get = get_start_node, set = set_start_node, hint = NODE_PATH_VALID_TYPES, hint_string = "Node2D")]
    start_node: PhantomVar<NodePath>,

    /// Who leads: the node holds the rope, or the rope carries the node. Auto: the node holds the rope.
    #[export]
    #[var(get = get_start_mode, set = set_start_mode, hint = ENUM,
        hint_string = "Auto:0,Node Holds Rope:1,Rope Carries Node:2")]
    start_mode: PhantomVar<AttachMode>,

    /// Where on [member start_node] the rope is tied, local to that node.
    #[export(range = (-1000.0, 1000.0, 1.0, or_less, or_greater, suffix = "px"))]
    #[var(get = get_start_offset, set = set_start_offset)]
    start_offset: PhantomVar<Vector2>,

    /// The node at the end of the rope: it holds the end, or is carried by it, as [member end_mode] says. Empty: this node holds the end
    /// if [member end_pinned] is on.
    #[export]
    #[var(get = get_end_node, set = set_end_node, hint = NODE_PATH_VALID_TYPES, hint_string = "Node2D")]
    end_node: PhantomVar<NodePath>,

    /// Who leads: the node holds the rope, or the rope carries the node, as a lamp hangs on its cable. Auto: the node holds the rope. Give
    /// what is carried a weight by [member end_mass].
    #[export]
    #[var(get = get_end_mode, set = set_end_mode, hint = ENUM,
        hint_string = "Auto:0,Node Holds Rope:1,Rope Carries Node:2")]
    end_mode: PhantomVar<AttachMode>,

    /// Where on [member end_node] the rope is tied, local to that node: for a lamp the hook on its top.
    #[export(range = (-1000.0, 1000.0, 1.0, or_less, or_greater, suffix = "px"))]
    #[var(get = get_end_offset, set = set_end_offset)]
    end_offset: PhantomVar<Vector2>,

    /// Whether a carried node turns with the rope. Its downward axis points along the rope: under a rope that hangs straight it stands
    /// upright, with rotation 0. To turn it otherwise, turn a child of it.
    #[export]
    #[var(get = get_end_rotates, set = set_end_rotates)]
    #[init(val = true)]
    end_rotates: bool,

    /// Mass of what hangs on the end, besides the rope. A heavy load keeps the rope straight and swings on when it is pushed; it also
    /// counts for [method get_tension].
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "kg"))]
    #[var(get = get_end_mass, set = set_end_mass)]
    end_mass: PhantomVar<f64>,

    /// Whether a [CharacterBody2D] that holds an end, itself or by a node below it, is kept within reach of what holds the rope otherwise: it swings, hangs, and is
    /// stopped, around corners too. Late in the tick it is moved back by what it is too far, and its velocity loses what leads out. Two characters at the two ends
    /// hold each other. Off: it goes where it wants, and the rope is drawn straight and longer; a script can use [method limit_velocity].
    ///
    /// ```gdscript
    /// # A grappling hook: an ordinary player, and a rope that comes and goes.
    /// rope.global_position = hook
    /// rope.length = hook.distance_to(player.global_position)
    /// rope.attach_end(player)
    /// ```
    #[export]
    #[var(get = get_hold_characters, set = set_hold_characters)]
    hold_characters: PhantomVar<bool>,

    /// Mass of the whole rope. Alone it makes no difference; it does for what hangs on it, impulses and forces.
    #[export_group(name = "Physics")]
    #[export(range = (0.01, 100.0, 0.01, or_greater, exp, suffix = "kg"))]
    #[var(get = get_mass, set = set_mass)]
    mass: PhantomVar<f64>,

    /// What the world's gravity is multiplied by. 0 floats, negative values pull upwards.
    #[export(range = (-8.0, 8.0, 0.01, or_less, or_greater))]
    #[var(get = get_gravity_scale, set = set_gravity_scale)]
    gravity_scale: PhantomVar<f64>,

    /// How fast motion dies down, as on [RigidBody2D]: the part of the velocity that is lost a second. 0 swings long, 5 creeps
    /// as in syrup.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "1/s"))]
    #[var(get = get_linear_damp, set = set_linear_damp)]
    linear_damp: PhantomVar<f64>,

    /// Drag of the air, which grows with the square of the speed: how fast speed is lost along 1000 px of the way. It
    /// tames whips and long falls and hardly touches a slow swing. 0 is a vacuum, 2 and more suit ribbons and scarves.
    /// Winds ([Wind2D]) act through it.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(get = get_air_drag, set = set_air_drag)]
    air_drag: PhantomVar<f64>,

    /// What winds ([Wind2D]) are multiplied by for this rope. 0 is sheltered, more is blown harder, negative values are blown against the
    /// wind. With [member air_drag] 0 no wind is felt.
    #[export(range = (0.0, 4.0, 0.01, or_less, or_greater))]
    #[var(get = get_wind_scale, set = set_wind_scale)]
    wind_scale: PhantomVar<f64>,

    /// How stiff the rope is. 0 is limp, 0.3 suits hair and hoses, 0.6 a steel cable, 1 is nearly a rod. Stiffer than the pieces can
    /// express it does not get: give it more of them.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_bend, set = set_bend)]
    bend: PhantomVar<f64>,

    /// The shape to which a stiff rope bends back: a straight line, or the curve in which it was laid out, at ready or in [method reset]. Winding
    /// makes it straight.
    #[export]
    #[var(get = get_bend_rest, set = set_bend_rest, hint = ENUM, hint_string = "Straight:0,Editor Pose:1")]
    bend_rest: PhantomVar<BendRest>,

    /// How firmly a held start keeps the rope in the direction of [member end_position], turned with what holds it. 0 hangs down at once, 1
    /// sticks out as far as [member bend] lets it: hair, antennae, tails.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_start_stiffness, set = set_start_stiffness)]
    start_stiffness: PhantomVar<f64>,

    /// The pull at which a piece breaks; 0: never. The unit is that of [method get_tension]: a mass of 1 kg pulls with 980 under the default
    /// gravity. Swings and jerks pull several times as hard as the weight.
    #[export_group(name = "Breaking")]
    #[export(range = (0.0, 100000.0, 1.0, or_greater, exp, suffix = "kg px/s²"))]
    #[var(get = get_break_force, set = set_break_force)]
    break_force: PhantomVar<f64>,

    /// The layers on which the rope is there for others. Empty, as it is by default: it is not. Otherwise rays find it, areas report it, characters walk on
    /// it and are stopped by it, if their masks have one of these layers; in all of them it is this node. A [CharacterBody2D] that stands on it weighs
    /// [member character_mass]; one that runs against it pushes it along. A [RigidBody2D] is met as [member collision_mask] says; one on none of its
    /// layers stops at the rope as at a wall. Each piece costs about 1 us a tick while it moves.
    #[export_group(name = "Collision")]
    #[export(flags_2d_physics)]
    #[var(get = get_collision_layer, set = set_collision_layer)]
    collision_layer: PhantomVar<u32>,

    /// The layers with whose bodies, soft bodies and tile maps the rope collides. Empty: with nothing. It slides over them, wraps around their corners, and
    /// pushes rigid and soft ones ([member push_bodies]).
    #[export(flags_2d_physics)]
    #[var(get = get_collision_mask, set = set_collision_mask)]
    collision_mask: PhantomVar<u32>,

    /// How far the rope's surface is from its middle line for collisions. 0: half of [member width]. Smaller lets a drawn rope sink in a little,
    /// which suits soft things; larger keeps it off. It grows and shrinks with the node's scale, and is at least 0.25 global px.
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
    #[var(get = get_collision_radius, set = set_collision_radius)]
    collision_radius: PhantomVar<f64>,

    /// Friction and bounce of the rope's surface. They are combined with those of what it touches as between two bodies. Empty: friction 1, no bounce.
    #[export]
    #[var(set = set_physics_material_override)]
    physics_material_override: Option<Gd<PhysicsMaterial>>,

    /// Whether the rope pushes the [RigidBody2D]s and [SoftBody2D]s that it touches, with real forces both ways: crates lie on a bridge, a swinging chain knocks bottles over. If this
    /// is off, bodies move the rope and do not feel it.
    #[export]
    #[var(get = get_push_bodies, set = set_push_bodies)]
    push_bodies: PhantomVar<bool>,

    /// Mass of a [CharacterBody2D] that stands on the rope, or runs against it; it needs a [member collision_layer]. More lets a bridge sag deeper under the
    /// player, and pushes vines aside more easily; 0 is not felt at all. It is known of characters that are moved by [code]move_and_slide[/code], and have a
    /// collision layer themselves.
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "kg"))]
    #[var(get = get_character_mass, set = set_character_mass)]
    character_mass: PhantomVar<f64>,

    /// Whether the rope goes through bodies that hold it, that its node is a child of, or that ride on it. If this is off, a rope held
    /// by a hand with a shape rubs against that hand, and can be wound around it.
    #[export]
    #[var(get = get_exclude_attached, set = set_exclude_attached)]
    exclude_attached: PhantomVar<bool>,

    /// Whether the rope collides with itself: coils pile up instead of lying in each other. A coil of 80 pieces that
    /// lie on each other takes about 0.3 ms a tick; a rope that lies free of itself next to nothing.
    #[export]
    #[var(get = get_self_collision, set = set_self_collision)]
    self_collision: PhantomVar<bool>,

    /// Layers on which a tile map counts as one-way where the rope cannot find that out, as for tiles that a script makes. Other tile maps, and
    /// bodies, are met as their own settings say. It holds for all ropes of the world: a layer that is set for one counts for each of them.
    #[export(flags_2d_physics)]
    #[var(get = get_one_way_mask, set = set_one_way_mask)]
    one_way_mask: PhantomVar<u32>,

    /// The layers whose bodies and areas cut the rope where they go over it: swords, saws, bullets. Empty: none. Each cuts once until it has left the rope; what
    /// holds the rope or rides on it, and exceptions, do not. A sleeping rope is cut too. Each cut emits [signal split]. Of a body that the rope also collides
    /// with, a touch is enough.
    ///
    /// ```gdscript
    /// # The sword is an Area2D on layer 5.
    /// rope.cut_mask = 1 << 4
    /// ```
    #[export(flags_2d_physics)]
    #[var(get = get_cut_mask, set = set_cut_mask)]
    cut_mask: PhantomVar<u32>,

    /// Whether [signal body_entered] and [signal body_exited] are emitted, and [method get_colliding_bodies] works.
    #[export]
    #[var(get = get_contact_monitor, set = set_contact_monitor)]
    contact_monitor: PhantomVar<bool>,

    /// The least impulse of a strike that [signal impact] tells of; 0: none. A rope of 1 kg that hits the floor at 500 px/s along its whole length strikes
    /// with 500 in all. It works without [member contact_monitor].
    #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "kg px/s"))]
    #[var(get = get_impact_threshold, set = set_impact_threshold)]
    impact_threshold: PhantomVar<f64>,

    /// Whether the player can grab the rope with the mouse or a finger.
    #[export_group(name = "Hand")]
    #[export]
    #[var(get = get_mouse_grab, set = set_mouse_grab)]
    mouse_grab: PhantomVar<bool>,

    /// How near to the rope, or to the origin of what it carries, the mouse grabs it. Set it to about the size of what hangs on it.
    #[export(range = (1.0, 200.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_grab_radius, set = set_grab_radius)]
    grab_radius: PhantomVar<f64>,

    /// The most force of a hand that grabs the rope, by the mouse or [method grab]: more than that slips. 0: as strong as needed. Set it below
    /// [member break_force] so that a hand cannot tear the rope.
    #[export(range = (0.0, 100000.0, 1.0, or_greater, exp, suffix = "kg px/s²"))]
    #[var(get = get_grab_force, set = set_grab_force)]
    grab_force: PhantomVar<f64>,

    /// How the pieces keep their lengths. Direct: exactly, however many there are. Relaxation: the classic method; it stretches like
    /// rubber, less with more [member iteration_count].
    #[export_group(name = "Solver")]
    #[export]
    #[var(get = get_solver, set = set_solver)]
    solver: PhantomVar<Solver>,

    /// Passes of relaxation a tick at 60 ticks a second; only for the solver Relaxation. 4 to 8 give a loose rope, 12 to 20 a tight
    /// one, and each costs time. Every substep makes at least one: for fewer than 4 set [member substeps] to 1.
    #[export(range = (1.0, 64.0, 1.0, or_greater))]
    #[var(get = get_iteration_count, set = set_iteration_count)]
    iteration_count: PhantomVar<i64>,

    /// Steps into which a tick is divided. 0 chooses them so that the motion is the same at any tick rate: 1/240 s, finer when an
    /// end moves fast or a strong pull meets short pieces. Fewer are cheaper and coarser.
    #[export(range = (0.0, 32.0, 1.0))]
    #[var(get = get_substeps, set = set_substeps)]
    substeps: PhantomVar<i64>,

    /// Whether the rope may sleep. At rest it then costs nothing, and wakes when anything touches it.
    #[export]
    #[var(get = get_can_sleep, set = set_can_sleep)]
    can_sleep: PhantomVar<bool>,

    /// Whether the rope is simulated while it is outside of all screens. Pause saves time; the rope goes on where it was when it comes into
    /// sight. Never paused while its node is hidden, or it touches something.
    #[export]
    #[var(get = get_offscreen_mode, set = set_offscreen_mode)]
    offscreen_mode: PhantomVar<OffscreenMode>,

    /// Whether the rope sleeps. Set it to wake the rope or to stop it where it is.
    #[var(get = is_sleeping, set = set_sleeping)]
    sleeping: PhantomVar<bool>,

    /// Width of the drawn rope, local to the node. It is also the height of the pictures on it.
    #[export_group(name = "Look")]
    #[export(range = (0.5, 100.0, 0.5, or_greater, suffix = "px"))]
    #[var(get = get_width, set = set_width)]
    width: PhantomVar<f64>,

    /// What [member width] is multiplied by along the rope: 0 is its start, 1 its end. Empty: the same width everywhere. A curve from 1
    /// to 0 makes a hair or a tail.
    #[export]
    #[var(set = set_width_curve)]
    width_curve: Option<Gd<Curve>>,

    /// Colour of the rope. With a [member texture] it is what the picture's colours are multiplied by: set it to white to show
    /// them as they are. Not used with a [member gradient].
    #[export]
    #[var(set = set_default_color)]
    #[init(val = Color::from_rgb(0.87, 0.72, 0.49))]
    default_color: Color,

    /// Colours along the rope, from its start to its end, instead of [member default_color]. Empty: one colour.
    #[export]
    #[var(set = set_gradient)]
    gradient: Option<Gd<Gradient>>,

    /// Picture along the rope, lying on its side: x runs along the rope, y across it. An [AtlasTexture] shows its region. Empty: plain colour.
    #[export]
    #[var(set = set_texture)]
    texture: Option<Gd<Texture2D>>,

    /// How [member texture] lies on the rope. Tile: again and again in its proportions, as high as [member width], and fixed to the rope. Stretch:
    /// once, from end to end. None: not at all.
    ///
    /// In shaders [code]UV.y[/code] is 0 to 1 across the rope. [code]UV.x[/code] counts tiles up to 0 at the end (Tile with a whole texture), or is 0 to
    /// 1 from end to end (Stretch, or no texture). For an [AtlasTexture] both are places in the whole texture.
    #[export]
    #[var(set = set_texture_mode)]
    texture_mode: TextureMode,

    /// How the start is drawn. Round: a half circle more, Box: half the width more, None: cut off at the first point.
    #[export]
    #[var(set = set_begin_cap_mode)]
    begin_cap_mode: CapMode,

    /// How the end is drawn. Round: a half circle more, Box: half the width more, None: cut off at the last point.
    #[export]
    #[var(set = set_end_cap_mode)]
    end_cap_mode: CapMode,

    /// Strip: one band along all points. Segments: each piece by itself, as a picture ([member segment_texture]) or as a plain plate with blunt
    /// corners: for chains, plank bridges, beads.
    #[export]
    #[var(set = set_draw_mode)]
    draw_mode: DrawMode,

    /// Picture of a piece with the draw mode Segments: in the middle of it, turned along it, as high as [member width], in its proportions. Set
    /// [member segment_length] so that neighbours overlap or touch. Empty: plain plates.
    ///
    /// In shaders [code]UV[/code] is 0 to 1 over each picture; for an [AtlasTexture] a place in the whole texture.
    #[export]
    #[var(set = set_segment_texture)]
    segment_texture: Option<Gd<Texture2D>>,

    /// Picture of every second piece with the draw mode Segments, drawn under the others: the links of a chain that are seen edge-on.
    /// Empty: [member segment_texture] is on all.
    #[export]
    #[var(set = set_segment_alternate)]
    segment_alternate: Option<Gd<Texture2D>>,

    /// Whether the edges of the strip fade over a pixel, which smooths them. It costs three times the triangles, and is not needed where the
    /// project smooths 2D itself (MSAA).
    #[export]
    #[var(set = set_antialiased)]
    antialiased: bool,

    /// Draws the rope's points (held ones in red), its pieces from green to red as they are pulled, velocities, and crosses with normals where it touches
    /// something; so does the debug menu's Visible Collision Shapes for all ropes.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_debug_enabled)]
    debug_enabled: bool,

    /// Simulates in the editor too. Off, the editor shows the rope as it is laid out.
    #[export_group(name = "Editor")]
    #[export]
    #[var(set = set_preview_in_editor)]
    preview_in_editor: bool,

    offscreen: OffscreenMode,
    /// The renderer tells when it leaves all screens.
    minds_screen: bool,
    ties: [Tie; 2],
    /// The renderer was told to repeat its texture.
    repeats: bool,
    body: Arc<RopeBody>,
    base: Base<Node2D>,
}

#[godot_api]
impl INode2D for VerletRope2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        match what {
            CanvasItemNotification::ENTER_TREE => self.enter(),
            CanvasItemNotification::READY => self.tie_missing(),
            CanvasItemNotification::EXIT_TREE => self.exit(),
            CanvasItemNotification::WORLD_2D_CHANGED if self.joined() => {
                self.exit();
                self.join();
            }
            CanvasItemNotification::PAUSED => self.paused(true),
            CanvasItemNotification::UNPAUSED => self.paused(false),
            CanvasItemNotification::LOCAL_TRANSFORM_CHANGED => self.body.flags.touched.store(true, Relaxed),
            CanvasItemNotification::TRANSFORM_CHANGED => self.moved(),
            CanvasItemNotification::RESET_PHYSICS_INTERPOLATION => self.interpolation_reset(),
            CanvasItemNotification::VISIBILITY_CHANGED => self.shown_or_hidden(),
            CanvasItemNotification::DRAW => self.draw(),
            _ => (),
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.warnings().iter().map(GString::from).collect()
    }
}

#[godot_api]
impl VerletRope2D {
    /// Exact lengths: see [member solver].
    #[constant]
    const SOLVER_DIRECT: i64 = Solver::Direct as i64;
    /// The classic method: see [member solver].
    #[constant]
    const SOLVER_RELAXATION: i64 = Solver::Relaxation as i64;

    /// For now the node holds the rope: see [member start_mode].
    #[constant]
    const ATTACH_AUTO: i64 = AttachMode::Auto as i64;
    /// The node holds the rope.
    #[constant]
    const ATTACH_NODE_HOLDS_ROPE: i64 = AttachMode::NodeHoldsRope as i64;
    /// The rope carries the node.
    #[constant]
    const ATTACH_ROPE_CARRIES_NODE: i64 = AttachMode::RopeCarriesNode as i64;
    /// The start: see [member reel_end] and [signal detached].
    #[constant]
    const REEL_START: i64 = ReelEnd::Start as i64;
    /// The end.
    #[constant]
    const REEL_END: i64 = ReelEnd::End as i64;
    /// Straight: see [member bend_rest].
    #[constant]
    const BEND_STRAIGHT: i64 = BendRest::Straight as i64;
    /// As it was laid out.
    #[constant]
    const BEND_EDITOR_POSE: i64 = BendRest::EditorPose as i64;
    /// Simulated everywhere: see [member offscreen_mode].
    #[constant]
    const OFFSCREEN_SIMULATE: i64 = OffscreenMode::Simulate as i64;
    /// Paused where nobody sees it.
    #[constant]
    const OFFSCREEN_PAUSE: i64 = OffscreenMode::Pause as i64;
    /// No preset: see [member preset].
    #[constant]
    const PRESET_CUSTOM: i64 = 0;
    /// A twisted hemp rope.
    #[constant]
    const PRESET_ROPE: i64 = 1;
    /// A chain of steel links.
    #[constant]
    const PRESET_CHAIN: i64 = 2;
    /// A stiff black cable.
    #[constant]
    const PRESET_CABLE: i64 = 3;
    /// A rubber band that stretches.
    #[constant]
    const PRESET_ELASTIC: i64 = 4;
    /// A strand of hair that tapers.
    #[constant]
    const PRESET_HAIR: i64 = 5;
    /// A bridge of planks; its other end is held too.
    #[constant]
    const PRESET_BRIDGE: i64 = 6;
    /// The classic rope of the lessons: relaxed, one step a tick.
    #[constant]
    const PRESET_LESSON: i64 = 7;
    /// A knitted scarf that flies in the wind.
    #[constant]
    const PRESET_SCARF: i64 = 8;
    /// A vine with leaves.
    #[constant]
    const PRESET_VINE: i64 = 9;

    /// A piece broke because it was pulled harder than [member break_force]: the piece's number, and where. [signal split] follows if
    /// the rest is a rope of its own.
    #[signal]
    fn torn(link: i64, position: Vector2);

    /// The rope was cut or broke, and [param rest] is the part behind, with its pins and its end.
    ///
    /// ```gdscript
    /// # Let the cut off part vanish after two seconds.
    /// rope.split.connect(func(rest): get_tree().create_timer(2.0).timeout.connect(rest.queue_free))
    /// ```
    #[signal]
    fn split(rest: Gd<VerletRope2D>);

    /// The node at an end (0 the start, 1 the end) is no longer tied to the rope: it was freed, or cut off.
    #[signal]
    fn detached(end: i64);

    /// The rope began to touch a body or a tile map. Only with [member contact_monitor].
    #[signal]
    fn body_entered(body: Gd<Node2D>);

    /// The rope does not touch a body or a tile map any more, or that leaves the tree. Only with [member contact_monitor].
    #[signal]
    fn body_exited(body: Gd<Node2D>);

    /// The rope struck something with at least [member impact_threshold]: the body or tile map (null if it has no node), the point of the rope, the global
    /// position and the direction out of the body there, and the impulse in kg px/s. At most once in 0.05 s for each body.
    ///
    /// ```gdscript
    /// # A chain that clanks as hard as it strikes.
    /// rope.impact_threshold = 20
    /// rope.impact.connect(func(_body, _point, position, _normal, impulse):
    ///     $Clank.global_position = position
    ///     $Clank.volume_db = linear_to_db(impulse / 500.0)
    ///     $Clank.play())
    /// ```
    #[signal]
    fn impact(body: Option<Gd<Node2D>>, point_index: i64, position: Vector2, normal: Vector2, impulse: f32);

    /// No texture: see [member texture_mode].
    #[constant]
    const TEXTURE_NONE: i64 = TextureMode::None as i64;
    /// The texture again and again: see [member texture_mode].
    #[constant]
    const TEXTURE_TILE: i64 = TextureMode::Tile as i64;
    /// The texture once: see [member texture_mode].
    #[constant]
    const TEXTURE_STRETCH: i64 = TextureMode::Stretch as i64;
    /// Cut off at the end: see [member begin_cap_mode].
    #[constant]
    const CAP_NONE: i64 = CapMode::None as i64;
    /// Half the width longer: see [member begin_cap_mode].
    #[constant]
    const CAP_BOX: i64 = CapMode::Box as i64;
    /// A half circle: see [member begin_cap_mode].
    #[constant]
    const CAP_ROUND: i64 = CapMode::Round as i64;
    /// One band: see [member draw_mode].
    #[constant]
    const DRAW_STRIP: i64 = DrawMode::Strip as i64;
    /// Piece by piece: see [member draw_mode].
    #[constant]
    const DRAW_SEGMENTS: i64 = DrawMode::Segments as i64;

    /// The rope fell asleep or woke up. See [member sleeping].
    #[signal]
    fn sleeping_state_changed();

    /// Number of points: one more than pieces.
    #[func]
    fn get_point_count(&self) -> i64 {
        self.rope().point_count() as i64
    }

    /// Global positions of all points, from the start to the end.
    #[func]
    fn get_points(&self) -> PackedVector2Array {
        let rope = self.rope();
        (0..rope.point_count()).map(|i| vector2(rope.position(i))).collect()
    }

    /// Global position of a point.
    #[func]
    fn get_point_position(&self, point_index: i64) -> Vector2 {
        let index = self.index(&self.callee("get_point_position()"), point_index);
        index.map_or(Vector2::ZERO, |i| vector2(self.rope().position(i)))
    }

    /// Velocity of a point in px/s.
    #[func]
    fn get_point_velocity(&self, point_index: i64) -> Vector2 {
        let index = self.index(&self.callee("get_point_velocity()"), point_index);
        index.map_or(Vector2::ZERO, |i| vector2(self.rope().velocity(i)))
    }

    /// Puts a free point at a global position, or as near to it as its pins let it. The other points follow, and all keep
    /// their velocities. Move a held point with [method set_pin_position].
    #[func]
    fn set_point_position(&mut self, point_index: i64, position: Vector2) {
        let callee = self.callee("set_point_position()");
        let Some(i) = self.free_point(&callee, point_index) else {
            return;
        };
        let Some(position) = callee.place("position", position) else {
            return;
        };
        self.rope().set_position(i, vec2(position));
        self.touch();
    }

    /// Holds a point where it is, or lets it go.
    ///
    /// Without [param attachment_path] this node holds it; with one, the [Node2D] at that path, relative to this node. The
    /// point then keeps its place relative to that node; to bring it onto the node, call [method set_pin_position] after it. If that node is
    /// freed, the point is let go. Pins are not saved with the scene.
    ///
    /// ```gdscript
    /// # Let the player's hand hold the end.
    /// var last := rope.get_point_count() - 1
    /// rope.set_point_pinned(last, true, ^"../Player/Hand")
    /// rope.set_pin_position(last, $Player/Hand.global_position)
    /// ```
    #[func]
    fn set_point_pinned(&mut self, point_index: i64, pinned: bool, #[opt(default = "")] attachment_path: GString) {
        let callee = self.callee("set_point_pinned()");
        let Some(i) = self.index(&callee, point_index) else {
            return;
        };
        let path = if pinned { attachment_path } else { GString::new() };
        let Ok(attachment) = holders::find(&callee, &self.to_gd().upcast(), &path) else { return };
        // Both under the lock of the holders: the world step takes away those that hold nothing.
        let mut holders = lock(&self.body.holders);
        let holder = attachment.map(|(node, transform)| {
            if !holders.iter().any(|holder| holder.node == node.instance_id()) {
                let yields = node.clone().try_cast::<RigidBody2D>().is_ok();
                holders.push(Holder { node: node.instance_id(), shown: Shown::at(transform), yields });
            }
            self.body.flags.held.store(true, Relaxed);
            supple_sim::rope::Holder { key: body::key(node.instance_id()), pose: pose(transform) }
        });
        let mut rope = lock(&self.body.rope);
        let ends = End::BOTH.map(|end| rope.end_point(end) == i);
        if pinned {
            rope.pin(i, holder);
        } else {
            rope.unpin(i);
        }
        drop((rope, holders));
        if !pinned {
            self.body.wake_bodies();
        }
        self.body.flags.unsorted.store(true, Relaxed);
        self.body.sort_holders();
        for end in End::BOTH {
            if ends[end as usize] && !pinned && self.is_held_by_tie(end) {
                self.forget_tie(end);
            }
        }
        self.changed();
    }

    /// Whether a point is held.
    #[func]
    fn is_point_pinned(&self, point_index: i64) -> bool {
        match self.index(&self.callee("is_point_pinned()"), point_index) {
            Some(i) => self.rope().is_pinned(i),
            None => false,
        }
    }

    /// Moves the place where a held point is held to a global position. The point follows within the next tick.
    #[func]
    fn set_pin_position(&mut self, point_index: i64, position: Vector2) {
        let callee = self.callee("set_pin_position()");
        let Some(i) = self.index(&callee, point_index) else {
            return;
        };
        let Some(position) = callee.place("position", position) else {
            return;
        };
        if !self.rope().is_pinned(i) {
            return callee.complain(format_args!("point_index {i} is not pinned, call set_point_pinned() first"));
        }
        self.rope().set_pin_position(i, vec2(position));
        self.touch();
    }

    /// Index of the point nearest to a global position, or -1 if none is within [param max_distance] px.
    #[func]
    fn get_closest_point_index(&self, to_point: Vector2, #[opt(default = f32::INFINITY)] max_distance: f32) -> i64 {
        let callee = self.callee("get_closest_point_index()");
        if max_distance.is_nan() || max_distance < 0.0 {
            callee.complain(format_args!("max_distance {max_distance} is not 0 or more"));
            return -1;
        }
        let Some(to) = callee.finite("to_point", to_point) else {
            return -1;
        };
        self.rope().closest_point(vec2(to), max_distance).map_or(-1, |i| i as i64)
    }

    /// Changes the velocity of a point at once, by [param impulse] (kg px/s) over the point's mass. A held point does not move.
    #[func]
    fn apply_point_impulse(&mut self, point_index: i64, impulse: Vector2) {
        let callee = self.callee("apply_point_impulse()");
        let Some(i) = self.index(&callee, point_index) else {
            return;
        };
        let Some(impulse) = callee.place("impulse", impulse) else {
            return;
        };
        self.rope().apply_impulse(i, vec2(impulse));
        self.touch();
    }

    /// Pushes a point during the next tick with [param force] (kg px/s2). Call it in every tick for a lasting push.
    #[func]
    fn apply_point_force(&mut self, point_index: i64, force: Vector2) {
        let callee = self.callee("apply_point_force()");
        let Some(i) = self.index(&callee, point_index) else {
            return;
        };
        let Some(force) = callee.place("force", force) else {
            return;
        };
        self.rope().apply_force(i, vec2(force));
        self.touch();
    }

    /// Length along the points in px. It differs from [member length] by the node's scale, by the stretch of the solver Relaxation, and
    /// when the ends are held too far apart.
    #[func]
    fn get_current_length(&self) -> f32 {
        self.rope().current_length()
    }

    /// Whether held points are as far apart as the rope between them is long, or farther: it is then drawn straight.
    #[func]
    fn is_taut(&self) -> bool {
        self.rope().is_taut()
    }

    /// Lays the rope out anew as its properties say, at rest and held at its ends only.
    #[func]
    fn reset(&mut self) {
        self.lay_out();
        self.changed();
    }

    /// Moves the node there without pulling the rope after it.
    ///
    /// The rope is laid out at rest; with [param keep_velocity] it is carried along as it is, moving on. Pins stay. For
    /// respawning, doors and screens that wrap around. A node that jumps by more than 333 px in a tick of 1/60 s or less (20000 px/s) is placed by itself.
    ///
    /// ```gdscript
    /// # Carry a swinging rope to the other side of the screen.
    /// rope.teleport(rope.global_transform.translated(Vector2(1152, 0)), true)
    /// ```
    #[func]
    fn teleport(&mut self, transform: Transform2D, #[opt(default = false)] keep_velocity: bool) {
        if !transform.is_finite() {
            return self.callee("teleport()").complain(format_args!("transform {transform} is not finite"));
        }
        let mut transform = transform;
        if self.base().is_inside_tree() {
            self.base_mut().set_global_transform(transform);
            transform = self.base().get_global_transform();
        } else {
            self.base_mut().set_transform(transform);
        }
        self.body.flags.placed.store(false, Relaxed);
        self.body.snap(transform);
        let mut rope = lock(&self.body.rope);
        if keep_velocity {
            rope.carry_to(pose(transform));
        } else {
            rope.place_at(pose(transform));
        }
        drop(rope);
        self.touch();
        self.redraw();
    }

    /// How hard a piece pulls at its two points, in kg px/s2: the mean of the last sixtieth of a second. At rest it is the weight of all that hangs
    /// below. Negative where the rope pushes. Held apart farther than it is long, it is 10000 weights for each length it is stretched.
    ///
    /// ```gdscript
    /// # Turn the rope red as it nears its limit.
    /// rope.default_color = Color.WHITE.lerp(Color.RED, rope.get_tension(0) / rope.break_force)
    /// ```
    #[func]
    fn get_tension(&self, link: i64) -> f32 {
        let links = self.rope().lengths().len();
        let link = self.callee("get_tension()").index("link", link, links, "links");
        link.map_or(0.0, |link| self.rope().tension(link))
    }

    /// With what force the rope pulls at what is at an end (0 the start, 1 the end), in kg px/s2: a vector that points into the rope. It is that of the tension
    /// of the last piece, and what was needed to hold a character there ([member hold_characters]): one that hangs still pulls with its weight.
    ///
    /// ```gdscript
    /// # Creak when the player hangs heavily.
    /// $Creak.playing = rope.get_end_force(1).length() > 60000
    /// ```
    #[func]
    fn get_end_force(&self, end: i64) -> Vector2 {
        self.force_at(end)
    }

    /// The velocity nearest to [param velocity] with which what is at an end (0 the start, 1 the end) stays within reach for the next [param delta] seconds: what
    /// leads out is taken away, and the rest is turned along the circle on which it swings. Call it before [method CharacterBody2D.move_and_slide], also
    /// for nodes that are no characters. What holds the rope otherwise is taken to stand still.
    ///
    /// ```gdscript
    /// velocity = rope.limit_velocity(1, velocity, delta)
    /// move_and_slide()
    /// ```
    #[func]
    fn limit_velocity(&self, end: i64, velocity: Vector2, delta: f64) -> Vector2 {
        self.limited_velocity(end, velocity, delta)
    }

    /// Global position of the place [param offset] px along the rope from its start; beyond the ends, the end.
    #[func]
    fn sample_baked(&self, offset: f64) -> Vector2 {
        self.sample("sample_baked()", offset).map_or(Vector2::ZERO, |sample| vector2(sample.position))
    }

    /// Global place and direction [param offset] px along the rope: its x axis points towards the end. It turns evenly along the rope.
    #[func]
    fn sample_transform(&self, offset: f64) -> Transform2D {
        self.sample("sample_transform()", offset).map_or(Transform2D::IDENTITY, |sample| {
            Transform2D::from_angle_origin(sample.direction.to_angle(), vector2(sample.position))
        })
    }

    /// Velocity of the place [param offset] px along the rope, in px/s.
    #[func]
    fn sample_velocity(&self, offset: f64) -> Vector2 {
        self.sample("sample_velocity()", offset).map_or(Vector2::ZERO, |sample| vector2(sample.velocity))
    }

    /// How far along the rope, in px from its start, the place nearest to a global position is.
    ///
    /// ```gdscript
    /// # Where the player touches the rope.
    /// var offset := rope.get_closest_offset(player.global_position)
    /// player.global_position = rope.sample_baked(offset)
    /// ```
    #[func]
    fn get_closest_offset(&self, to_point: Vector2) -> f32 {
        let to = self.callee("get_closest_offset()").finite("to_point", to_point);
        to.map_or(0.0, |to| self.rope().closest_offset(vec2(to)))
    }

    /// The place on the rope nearest to a global position.
    #[func]
    fn get_closest_point(&self, to_point: Vector2) -> Vector2 {
        let Some(to) = self.callee("get_closest_point()").finite("to_point", to_point) else {
            return Vector2::ZERO;
        };
        let rope = self.rope();
        vector2(rope.sample(rope.closest_offset(vec2(to))).position)
    }

    /// Ties the start to [param node] at [param offset], local to it, as [member start_node] and [member start_offset] do; with null it
    /// is untied.
    #[func]
    fn attach_start(&mut self, node: Option<Gd<Node2D>>, #[opt(default = Vector2::ZERO)] offset: Vector2) {
        self.attach(End::Start, node, offset);
    }

    /// Ties the end to [param node] at [param offset], local to it, as [member end_node] and [member end_offset] do; with null it is untied.
    ///
    /// ```gdscript
    /// # Hang a lamp on the rope.
    /// rope.end_mode = VerletRope2D.ATTACH_ROPE_CARRIES_NODE
    /// rope.attach_end($Lamp, Vector2(0, -12))
    /// ```
    #[func]
    fn attach_end(&mut self, node: Option<Gd<Node2D>>, #[opt(default = Vector2::ZERO)] offset: Vector2) {
        self.attach(End::End, node, offset);
    }

    /// Cuts a piece through, counted from 0 at the start. The part behind becomes a rope of its own, with its pins and its end, the next sibling of
    /// this one; it is returned, and [signal split] is emitted. It has the look, the groups and all properties of this rope, but not its script, children and
    /// signal connections. [member length], [member mass] and [member end_mass] of both become those of the parts.
    ///
    /// In the first and the last piece there is nothing to divide: the rope is cut off from what holds it there, or what it carries, and null is
    /// returned.
    #[func(gd_self)]
    fn cut(this: Gd<Self>, link: i64) -> Option<Gd<VerletRope2D>> {
        parts::cut(this, link)
    }

    /// Cuts the rope wherever the line between two global positions crosses it, as a sword does. Returns the number of cuts; each emits
    /// [signal split].
    ///
    /// ```gdscript
    /// # On any node: the mouse cuts all ropes of the group "ropes", and what was cut from them.
    /// var before := Vector2.ZERO
    /// func _process(_delta):
    ///     var mouse := get_global_mouse_position()
    ///     if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
    ///         get_tree().call_group("ropes", "cut_line", before, mouse)
    ///     before = mouse
    /// ```
    #[func(gd_self)]
    fn cut_line(this: Gd<Self>, from: Vector2, to: Vector2) -> i64 {
        parts::cut_line(this, from, to)
    }

    /// Cuts the rope wherever it passes through a circle, once each time, nearest to the center. Returns the number of cuts; each emits [signal split].
    #[func(gd_self)]
    fn cut_circle(this: Gd<Self>, center: Vector2, radius: f64) -> i64 {
        parts::cut_circle(this, center, radius)
    }

    /// Takes the free point nearest to a global position and at most [param radius] px from it, with [member grab_force]. Returns a handle for
    /// [method drag] and [method release], or -1 if there is none.
    ///
    /// ```gdscript
    /// # A monkey that swings on the rope.
    /// var hand := rope.grab(monkey.global_position, 30)
    /// # Later, in every tick, and in the end:
    /// rope.drag(hand, monkey.global_position)
    /// rope.release(hand)
    /// ```
    #[func]
    fn grab(&mut self, position: Vector2, radius: f64) -> i64 {
        self.grab_at(position, radius)
    }

    /// Moves the hand with this handle to a global position. It stays within the reach of the rope.
    #[func]
    fn drag(&mut self, handle: i64, position: Vector2) {
        self.drag_to(handle, position);
    }

    /// Lets go. A handle that holds nothing is no error.
    #[func]
    fn release(&mut self, handle: i64) {
        self.body.let_go(handle);
        self.touch();
    }

    /// Changes the velocity of the point nearest to a global position at once, by [param impulse] (kg px/s) over its mass.
    #[func]
    fn apply_impulse(&mut self, impulse: Vector2, position: Vector2) {
        let callee = self.callee("apply_impulse()");
        let Some((impulse, position)) = callee.place("impulse", impulse).zip(callee.place("position", position)) else {
            return;
        };
        let mut rope = self.rope();
        if let Some(i) = rope.closest_point(vec2(position), f32::INFINITY) {
            rope.apply_impulse(i, vec2(impulse));
        }
        drop(rope);
        self.touch();
    }

    /// Changes the velocity of the whole rope at once, by [param impulse] (kg px/s) over its mass and [member end_mass].
    #[func]
    fn apply_central_impulse(&mut self, impulse: Vector2) {
        let Some(impulse) = self.callee("apply_central_impulse()").place("impulse", impulse) else {
            return;
        };
        self.rope().apply_central_impulse(vec2(impulse));
        self.touch();
    }

    /// Pushes all points within [param radius] px of [param center] away from it, as a blast does. A point at the center gets its part of
    /// [param strength] (kg px/s, for the whole rope), one at the radius nothing; negative values pull.
    #[func]
    fn apply_radial_impulse(&mut self, center: Vector2, strength: f64, radius: f64) {
        let callee = self.callee("apply_radial_impulse()");
        let Some(center) = callee.place("center", center) else { return };
        let strength = callee.sane("strength", strength, -MOST_FORCE..=MOST_FORCE);
        let Some((strength, radius)) = strength.zip(callee.sane("radius", radius, 0.0..=MOST_FORCE)) else { return };
        self.rope().apply_radial_impulse(vec2(center), strength, radius);
        self.touch();
    }

    /// The bodies and tile maps that the rope touches. Only with [member contact_monitor].
    #[func]
    fn get_colliding_bodies(&self) -> Array<Gd<Node2D>> {
        self.colliding_bodies()
    }

    /// Lets the rope go through a body or a [TileMapLayer].
    #[func]
    fn add_collision_exception_with(&mut self, body: Option<Gd<Node>>) {
        self.except(body, true);
    }

    /// Lets the rope collide with a body or a [TileMapLayer] again. While [member
    /// exclude_attached] is on, it still goes through a body that it is tied to.
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

    /// Sets the properties of a preset: "Rope", "Chain", "Cable", "Elastic", "Hair", "Bridge", "Lesson", "Scarf" or "Vine". Where the
    /// rope is and what it is tied to stays. What you want otherwise, such as [member width], set after it.
    #[func(gd_self)]
    fn apply_preset(this: Gd<Self>, name: GString) {
        presets::apply(this, &name);
    }

    /// The whole state, for saving a game: where every point is and how it moves, all settings of the motion, and what holds it. Not how it
    /// looks, nor what it carries: those stay as they are in [method set_state]. Hands have let go in it.
    #[func]
    fn get_state(&self) -> PackedByteArray {
        self.save_state()
    }

    /// Goes on exactly from what [method get_state] gave. Nodes that hold it are found by their paths from this node. False, and nothing
    /// changes, if [param bytes] are damaged or come from something else.
    #[func]
    fn set_state(&mut self, bytes: PackedByteArray) -> bool {
        self.load_state(&bytes)
    }

    /// A hash of the whole state, bit for bit: two runs with the same inputs give the same.
    #[func]
    fn get_state_hash(&self) -> i64 {
        self.rope().state_hash() as i64
    }

    // Properties.

    #[func]
    fn get_length(&self) -> f64 {
        f64::from(self.settings().length)
    }

    #[func]
    fn set_length(&mut self, length: f64) {
        // 0 has a meaning of its own; what is between it and the shortest length has none.
        let least = if length > 0.0 { LEAST_LENGTH } else { 0.0 };
        let Some(length) = self.callee("length").number(length, least..=MOST_LENGTH) else {
            return;
        };
        self.set(|settings| settings.length = length);
    }

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
    fn get_slack(&self) -> f64 {
        f64::from(self.settings().slack)
    }

    #[func]
    fn set_slack(&mut self, slack: f64) {
        let Some(slack) = self.callee("slack").number(slack, 0.0..=10.0) else { return };
        self.set(|settings| settings.slack = slack);
    }

    #[func]
    fn get_reel_end(&self) -> ReelEnd {
        self.settings().reel_end.into()
    }

    #[func]
    fn set_reel_end(&mut self, end: ReelEnd) {
        self.set(|settings| settings.reel_end = end.into());
        self.redraw_node();
    }

    #[func]
    fn get_start_node(&self) -> NodePath {
        self.ties[0].path.clone()
    }

    #[func]
    fn set_start_node(&mut self, path: NodePath) {
        self.set_tie(End::Start, |tie| tie.path = path);
    }

    #[func]
    fn get_start_mode(&self) -> AttachMode {
        self.ties[0].mode
    }

    #[func]
    fn set_start_mode(&mut self, mode: AttachMode) {
        self.set_tie(End::Start, |tie| tie.mode = mode);
    }

    #[func]
    fn get_start_offset(&self) -> Vector2 {
        self.ties[0].offset
    }

    #[func]
    fn set_start_offset(&mut self, offset: Vector2) {
        if let Some(offset) = self.callee("start_offset").place("the offset", offset) {
            self.set_tie(End::Start, |tie| tie.offset = offset);
        }
    }

    #[func]
    fn get_end_node(&self) -> NodePath {
        self.ties[1].path.clone()
    }

    #[func]
    fn set_end_node(&mut self, path: NodePath) {
        self.set_tie(End::End, |tie| tie.path = path);
    }

    #[func]
    fn get_end_mode(&self) -> AttachMode {
        self.ties[1].mode
    }

    #[func]
    fn set_end_mode(&mut self, mode: AttachMode) {
        self.set_tie(End::End, |tie| tie.mode = mode);
    }

    #[func]
    fn get_end_offset(&self) -> Vector2 {
        self.ties[1].offset
    }

    #[func]
    fn set_end_offset(&mut self, offset: Vector2) {
        if let Some(offset) = self.callee("end_offset").place("the offset", offset) {
            self.set_tie(End::End, |tie| tie.offset = offset);
        }
    }

    #[func]
    fn get_end_rotates(&self) -> bool {
        self.end_rotates
    }

    #[func]
    fn set_end_rotates(&mut self, rotates: bool) {
        self.end_rotates = rotates;
        self.retie_riders();
    }

    #[func]
    fn get_end_mass(&self) -> f64 {
        f64::from(self.settings().end_mass)
    }

    #[func]
    fn set_end_mass(&mut self, mass: f64) {
        let Some(mass) = self.callee("end_mass").number(mass, 0.0..=MOST_MASS) else { return };
        self.set(|settings| settings.end_mass = mass);
    }

    #[func]
    fn get_hold_characters(&self) -> bool {
        lock(&self.body.characters).enabled
    }

    #[func]
    fn set_hold_characters(&mut self, hold: bool) {
        self.change_hold_characters(hold);
    }

    #[func]
    fn get_bend(&self) -> f64 {
        f64::from(self.settings().bend)
    }

    #[func]
    fn set_bend(&mut self, bend: f64) {
        let Some(bend) = self.callee("bend").number(bend, 0.0..=1.0) else { return };
        self.set(|settings| settings.bend = bend);
    }

    #[func]
    fn get_bend_rest(&self) -> BendRest {
        self.settings().bend_rest.into()
    }

    #[func]
    fn set_bend_rest(&mut self, rest: BendRest) {
        self.set(|settings| settings.bend_rest = rest.into());
    }

    #[func]
    fn get_start_stiffness(&self) -> f64 {
        f64::from(self.settings().start_stiffness)
    }

    #[func]
    fn set_start_stiffness(&mut self, stiffness: f64) {
        let Some(stiffness) = self.callee("start_stiffness").number(stiffness, 0.0..=1.0) else { return };
        self.set(|settings| settings.start_stiffness = stiffness);
    }

    #[func]
    fn get_break_force(&self) -> f64 {
        f64::from(self.settings().break_force)
    }

    #[func]
    fn set_break_force(&mut self, force: f64) {
        let Some(force) = self.callee("break_force").number(force, 0.0..=MOST_FORCE) else { return };
        self.set(|settings| settings.break_force = force);
    }

    #[func]
    fn get_collision_layer(&self) -> u32 {
        self.collision_settings().layer
    }

    #[func]
    fn set_collision_layer(&mut self, layer: u32) {
        self.change_layer(layer);
    }

    #[func]
    fn get_character_mass(&self) -> f64 {
        self.collision_settings().character_mass.into()
    }

    #[func]
    fn set_character_mass(&mut self, mass: f64) {
        self.change_character_mass(mass);
    }

    #[func]
    fn get_collision_mask(&self) -> u32 {
        self.collision_settings().mask
    }

    #[func]
    fn set_collision_mask(&mut self, mask: u32) {
        self.change_mask(mask);
    }

    #[func]
    fn get_collision_radius(&self) -> f64 {
        f64::from(*lock(&self.body.own_radius))
    }

    #[func]
    fn set_collision_radius(&mut self, radius: f64) {
        self.change_radius(radius);
    }

    #[func]
    fn set_physics_material_override(&mut self, material: Option<Gd<PhysicsMaterial>>) {
        self.change_material(material);
    }

    #[func]
    fn get_push_bodies(&self) -> bool {
        self.collision_settings().push_bodies
    }

    #[func]
    fn set_push_bodies(&mut self, push_bodies: bool) {
        self.set(|settings| settings.collision.push_bodies = push_bodies);
    }

    #[func]
    fn get_exclude_attached(&self) -> bool {
        lock(&self.body.collision).exclude_attached
    }

    #[func]
    fn set_exclude_attached(&mut self, exclude: bool) {
        self.change_exclude_attached(exclude);
    }

    #[func]
    fn get_self_collision(&self) -> bool {
        self.collision_settings().with_itself
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
    fn get_cut_mask(&self) -> u32 {
        self.body.cut_mask.load(Relaxed)
    }

    #[func]
    fn set_cut_mask(&mut self, mask: u32) {
        self.change_cut_mask(mask);
    }

    #[func]
    fn get_contact_monitor(&self) -> bool {
        lock(&self.body.collision).monitored
    }

    #[func]
    fn set_contact_monitor(&mut self, monitored: bool) {
        self.change_contact_monitor(monitored);
    }

    #[func]
    fn get_impact_threshold(&self) -> f64 {
        f64::from(lock(&self.body.collision).impact_threshold)
    }

    #[func]
    fn set_impact_threshold(&mut self, threshold: f64) {
        self.change_impact_threshold(threshold);
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
    fn get_offscreen_mode(&self) -> OffscreenMode {
        self.offscreen
    }

    #[func]
    fn set_offscreen_mode(&mut self, mode: OffscreenMode) {
        self.offscreen = mode;
        self.redraw_node();
    }

    #[func]
    fn get_segments(&self) -> i64 {
        i64::from(self.settings().segments)
    }

    #[func]
    fn set_segments(&mut self, segments: i64) {
        let segments = self.callee("segments").count(segments, 0..=MOST_SEGMENTS);
        self.set(|settings| settings.segments = segments);
    }

    #[func]
    fn get_segment_length(&self) -> f64 {
        f64::from(self.settings().segment_length)
    }

    #[func]
    fn set_segment_length(&mut self, segment_length: f64) {
        let range = LEAST_LINK..=MOST_LENGTH;
        let Some(length) = self.callee("segment_length").number(segment_length, range) else {
            return;
        };
        self.set(|settings| settings.segment_length = length);
    }

    #[func]
    fn is_start_pinned(&self) -> bool {
        self.settings().start_pinned
    }

    #[func]
    fn set_start_pinned(&mut self, pinned: bool) {
        self.set(|settings| settings.start_pinned = pinned);
    }

    #[func]
    fn is_end_pinned(&self) -> bool {
        self.settings().end_pinned
    }

    #[func]
    fn set_end_pinned(&mut self, pinned: bool) {
        self.set(|settings| settings.end_pinned = pinned);
    }

    #[func]
    fn get_end_position(&self) -> Vector2 {
        vector2(self.settings().end_position)
    }

    #[func]
    fn set_end_position(&mut self, position: Vector2) {
        let Some(position) = self.callee("end_position").place("the position", position) else {
            return;
        };
        self.set(|settings| settings.end_position = vec2(position));
    }

    #[func]
    fn get_mass(&self) -> f64 {
        f64::from(self.settings().mass)
    }

    #[func]
    fn set_mass(&mut self, mass: f64) {
        let range = LEAST_MASS..=MOST_MASS;
        let Some(mass) = self.callee("mass").number(mass, range) else {
            return;
        };
        self.set(|settings| settings.mass = mass);
    }

    #[func]
    fn get_gravity_scale(&self) -> f64 {
        f64::from(self.settings().gravity_scale)
    }

    #[func]
    fn set_gravity_scale(&mut self, scale: f64) {
        let Some(scale) = self.callee("gravity_scale").number(scale, -MOST_GRAVITY_SCALE..=MOST_GRAVITY_SCALE) else {
            return;
        };
        self.set(|settings| settings.gravity_scale = scale);
    }

    #[func]
    fn get_linear_damp(&self) -> f64 {
        f64::from(self.settings().linear_damp)
    }

    #[func]
    fn set_linear_damp(&mut self, damp: f64) {
        let Some(damp) = self.callee("linear_damp").number(damp, 0.0..=MOST_DAMP) else {
            return;
        };
        self.set(|settings| settings.linear_damp = damp);
    }

    #[func]
    fn get_air_drag(&self) -> f64 {
        f64::from(self.settings().air_drag)
    }

    #[func]
    fn set_air_drag(&mut self, drag: f64) {
        let Some(drag) = self.callee("air_drag").number(drag, 0.0..=MOST_DAMP) else {
            return;
        };
        self.set(|settings| settings.air_drag = drag);
    }

    #[func]
    fn get_wind_scale(&self) -> f64 {
        f64::from(self.settings().wind_scale)
    }

    #[func]
    fn set_wind_scale(&mut self, scale: f64) {
        let Some(scale) = self.callee("wind_scale").number(scale, -MOST_WIND_SCALE..=MOST_WIND_SCALE) else {
            return;
        };
        self.set(|settings| settings.wind_scale = scale);
    }

    #[func]
    fn get_solver(&self) -> Solver {
        self.settings().solver.into()
    }

    #[func]
    fn set_solver(&mut self, solver: Solver) {
        self.set(|settings| settings.solver = solver.into());
    }

    #[func]
    fn get_iteration_count(&self) -> i64 {
        i64::from(self.settings().iteration_count)
    }

    #[func]
    fn set_iteration_count(&mut self, count: i64) {
        let count = self.callee("iteration_count").count(count, 1..=MOST_ITERATIONS);
        self.set(|settings| settings.iteration_count = count);
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
    fn is_sleeping(&self) -> bool {
        self.rope().is_sleeping()
    }

    #[func]
    fn set_sleeping(&mut self, sleeping: bool) {
        if sleeping {
            self.rope().sleep();
        } else {
            self.rope().wake();
        }
        self.touch();
    }

    #[func]
    fn get_width(&self) -> f64 {
        f64::from(lock(&self.body.look).width)
    }

    #[func]
    fn set_width(&mut self, width: f64) {
        let Some(width) = self.callee("width").number(width, 0.0..=10_000.0) else {
            return;
        };
        lock(&self.body.look).width = width;
        self.follow_width();
        self.redraw();
    }

    #[func]
    fn set_default_color(&mut self, color: Color) {
        self.default_color = color;
        self.redraw_node();
    }

    #[func]
    fn set_width_curve(&mut self, curve: Option<Gd<Curve>>) {
        let before = std::mem::replace(&mut self.width_curve, curve.clone());
        self.listen(before.map(Gd::upcast), curve.map(Gd::upcast));
        self.redraw_node();
    }

    #[func]
    fn set_gradient(&mut self, gradient: Option<Gd<Gradient>>) {
        let before = std::mem::replace(&mut self.gradient, gradient.clone());
        self.listen(before.map(Gd::upcast), gradient.map(Gd::upcast));
        self.redraw_node();
    }

    #[func]
    fn set_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        let before = std::mem::replace(&mut self.texture, texture.clone());
        self.listen(before.map(Gd::upcast), texture.map(Gd::upcast));
        self.redraw_node();
    }

    #[func]
    fn set_texture_mode(&mut self, mode: TextureMode) {
        self.texture_mode = mode;
        self.redraw_node();
    }

    #[func]
    fn set_begin_cap_mode(&mut self, mode: CapMode) {
        self.begin_cap_mode = mode;
        self.redraw_node();
    }

    #[func]
    fn set_end_cap_mode(&mut self, mode: CapMode) {
        self.end_cap_mode = mode;
        self.redraw_node();
    }

    #[func]
    fn set_draw_mode(&mut self, mode: DrawMode) {
        self.draw_mode = mode;
        self.redraw_node();
    }

    #[func]
    fn set_segment_texture(&mut self, texture: Option<Gd<Texture2D>>) {
        let before = std::mem::replace(&mut self.segment_texture, texture.clone());
        self.listen(before.map(Gd::upcast), texture.map(Gd::upcast));
        self.redraw_node();
    }

    #[func]
    fn set_segment_alternate(&mut self, texture: Option<Gd<Texture2D>>) {
        let before = std::mem::replace(&mut self.segment_alternate, texture.clone());
        self.listen(before.map(Gd::upcast), texture.map(Gd::upcast));
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
            self.body.flags.still.store(!preview, Relaxed);
            if preview {
                self.touch();
            } else {
                self.lay_out();
                self.redraw();
            }
        }
    }
}
