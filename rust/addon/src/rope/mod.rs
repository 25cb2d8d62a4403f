//! `VerletRope2D`.
//!
//! - this file: the class, its properties and methods
//! - `node`: the node in the tree: entering, moving, being placed and shown
//! - `body`: what the node shares with the world step
//! - `draw`: where it is drawn, and its triangles
//! - `look`: what it is drawn with
//! - `debug`: what is drawn over it to see how it works

mod body;
mod debug;
mod draw;
mod look;
mod node;

use crate::convert::{pose, vec2, vector2};
use crate::world::{Holder, Shown, lock};
use body::RopeBody;
use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Curve, Engine, Gradient, INode2D, Node2D, Texture2D};
use godot::prelude::*;
use look::{CapMode, DrawMode, TextureMode};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use supple_sim::rope::{
    LEAST_LENGTH, LEAST_LINK, LEAST_MASS, MOST_DAMP, MOST_GRAVITY_SCALE, MOST_ITERATIONS, MOST_LENGTH, MOST_MASS,
    MOST_SEGMENTS,
};
use supple_sim::substeps::MOST_SUBSTEPS;

/// How a rope keeps its links at their lengths. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Debug)]
#[godot(via = i64)]
pub enum Solver {
    #[default]
    Direct = 0,
    Relaxation = 1,
}

impl From<Solver> for supple_sim::rope::Solver {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Direct => Self::Direct,
            Solver::Relaxation => Self::Relaxation,
        }
    }
}

impl From<supple_sim::rope::Solver> for Solver {
    fn from(solver: supple_sim::rope::Solver) -> Self {
        match solver {
            supple_sim::rope::Solver::Direct => Self::Direct,
            supple_sim::rope::Solver::Relaxation => Self::Relaxation,
        }
    }
}

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
    /// Length of the rope. 0 takes the distance from the node to [member end_position], and 5 % slack.
    ///
    /// Longer ropes swing more slowly. It may be changed while the game runs, without a jolt.
    #[export(range = (0.0, 2000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get = get_length, set = set_length)]
    length: PhantomVar<f64>,

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

    /// Mass of the whole rope. Alone it makes no difference; it does for impulses and forces.
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
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(get = get_air_drag, set = set_air_drag)]
    air_drag: PhantomVar<f64>,

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

    /// Draws the rope's points (held ones in red), its pieces from green to red as they are pulled, and velocities over it; so does
    /// the debug menu's Visible Collision Shapes for all ropes.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_debug_enabled)]
    debug_enabled: bool,

    /// Simulates in the editor too. Off, the editor shows the rope as it is laid out.
    #[export_group(name = "Editor")]
    #[export]
    #[var(set = set_preview_in_editor)]
    preview_in_editor: bool,

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
        let rope = self.rope();
        let settings = rope.settings();
        let mut warnings = Vec::new();
        if rope.pins().is_empty() && settings.gravity_scale != 0.0 {
            warnings.push(
                "Nothing holds this rope: it will fall.\nTurn on Start Pinned or End Pinned, or set Gravity Scale to 0."
                    .to_string(),
            );
        }
        if rope.is_taut() {
            let distance = settings.end_position.length();
            let length = settings.resolved_length();
            warnings.push(format!(
                "The ends are held {distance:.0} px apart, but Length is {length:.0} px: the rope is drawn straight and cannot \
                 swing.\nRaise Length, set it to 0, or move End Position nearer.",
            ));
        }
        warnings.iter().map(GString::from).collect()
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
        let mut attachment = None;
        if pinned && !attachment_path.is_empty() {
            if !self.base().is_inside_tree() {
                return callee.complain(format_args!(
                    "attachment_path \"{attachment_path}\" leads nowhere while this node is not in the tree"
                ));
            }
            let found = self
                .base()
                .get_node_or_null(&NodePath::from(&attachment_path))
                .and_then(|node| node.try_cast::<Node2D>().ok());
            let Some(node) = found.filter(|node| node.is_inside_tree()) else {
                return callee
                    .complain(format_args!("attachment_path \"{attachment_path}\" leads to no Node2D in the tree"));
            };
            attachment = Some(node);
        }
        let transform = attachment.as_ref().map(|node| node.get_global_transform());
        if let Some(transform) = transform.filter(|transform| !transform.is_finite()) {
            return callee.complain(format_args!("the node at attachment_path is at {transform}, which is not finite"));
        }
        // Both under the lock of the holders: the world step takes away those that hold nothing.
        let mut holders = lock(&self.body.holders);
        let holder = attachment.zip(transform).map(|(node, transform)| {
            if !holders.iter().any(|holder| holder.node == node.instance_id()) {
                holders.push(Holder { node: node.instance_id(), shown: Shown::at(transform) });
            }
            self.body.flags.held.store(true, Relaxed);
            supple_sim::rope::Holder { key: body::key(node.instance_id()), pose: pose(transform) }
        });
        let mut rope = lock(&self.body.rope);
        if pinned {
            rope.pin(i, holder);
        } else {
            rope.unpin(i);
        }
        drop((rope, holders));
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
            if preview {
                self.join();
            } else {
                self.exit();
                self.lay_out();
                self.redraw();
            }
        }
    }
}
