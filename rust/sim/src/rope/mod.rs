//! A rope: a chain of points that are held by pins, kept at their lengths by a solver, and put to sleep at rest.
//!
//! - `settings`: what can be set
//! - `place`: laying the rope out at rest, and reshaping a moving one
//! - `pins`: which points are held, by which pose, where
//! - `step`: a tick
//! - `hands`: holding with limited force
//! - `reel`: winding in and out
//! - `reach`: how far an end gets before the rope holds it back
//! - `tension`: how hard links pull, and which one breaks
//! - `drape`: laying it out among colliders
//! - `cut`: dividing a rope in two
//! - `blade`: where something that cuts sweeps over it
//! - `sample`: places along it
//! - `air`: what it feels of winds
//! - `collide`: what it collides with
//! - `loads`: what stands on it
//! - `coupling`: rigid bodies on which it holds
//! - `strand`: soft bodies that it touches
//! - `touch`: what a user may do to points
//! - `state`: saving and restoring

mod air;
mod blade;
mod collide;
mod coupling;
mod cut;
mod drape;
mod hands;
mod loads;
mod pins;
mod place;
mod reach;
mod reel;
mod sample;
mod settings;
mod state;
mod step;
mod strand;
mod tension;
mod touch;

pub use collide::{CollisionSettings, MOST_CHARACTER_MASS, MOST_FRICTION, MOST_RADIUS, Touch};
pub use loads::Load;
pub(crate) use loads::are_borne_already;
pub use pins::{Grip, Holder, Pin};
pub use reach::Leash;
pub use sample::{Piece, Sample};
pub use settings::{
    BendRest, End, FARTHEST, LEAST_LENGTH, LEAST_LINK, LEAST_MASS, MOST_DAMP, MOST_FORCE, MOST_GRAVITY_SCALE,
    MOST_ITERATIONS, MOST_LENGTH, MOST_MASS, MOST_SEGMENTS, MOST_WIND_SCALE, RopeSettings, Solver,
};

use crate::chain::{ChainReport, ChainSolver};
use crate::frame::{Frame, Pose};
use crate::points::Points;
use crate::substeps::Quiet;
use crate::tick::DEFAULT_GRAVITY;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Gravity until the first tick brings the world's.
const FIRST_GRAVITY: Vec2 = Vec2::new(0.0, DEFAULT_GRAVITY);

/// A rope. See the [module](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rope {
    settings: RopeSettings,
    points: Points,
    /// Rest length of each link in global px.
    lengths: Vec<f32>,
    pins: Vec<Pin>,
    /// What the two ends are tied to.
    attachments: [Option<(Holder, Vec2)>; 2],
    /// First and last point of each part between pins.
    #[serde(skip)]
    spans: Vec<(usize, usize)>,
    frame: Frame,
    /// The node's pose now, and at the last tick.
    pose: Pose,
    pose_before: Pose,
    /// What held it first in the last tick, by its key (0: its own node), and where that was.
    held_before: Option<(u64, Pose)>,
    gravity: Vec2,
    /// The gravity for which it was laid out.
    laid_gravity: Vec2,
    /// The last substep in seconds; 0 after placing.
    h_before: f32,
    quiet: Quiet,
    /// The farthest that a pin is followed in this tick, in px.
    longest_move: f32,
    /// The part of a pass of relaxation that is still owed.
    passes_due: f32,
    /// Forces for the next tick in kg px/s2; empty if there are none.
    forces: Vec<Vec2>,
    /// Positions at the start of the last tick, for drawing between two ticks.
    tick_start: Positions,
    /// Room for a pair of numbers a point.
    #[serde(skip)]
    scratch: Positions,
    #[serde(skip)]
    solver: ChainSolver,
    /// How hard each link pulls, in kg px/s2.
    tension: Vec<f32>,
    /// The link that broke in the last tick.
    #[serde(skip)]
    torn: Option<usize>,
    /// The length of a link that is not being wound, and the length that the whole rope is being wound to, in global px.
    pitch: f32,
    target_length: f32,
    /// How fast it is wound there at most, in px/s.
    winding_limit: f32,
    /// By how many points the start has grown by winding.
    reeled: i64,
    /// What was cut off before its start and behind its end: so many px and links.
    missing: [(f32, usize); 2],
    /// The length over which the mass is spread, in global px.
    mass_length: f32,
    /// By how much it is more inert than its mass says.
    inertia: f32,
    /// How much it is bent at rest; empty: it is straight.
    rest_bends: Vec<Vec<f32>>,
    /// The direction in which it was laid, local to the node other than its own that held its start then, if one did.
    start_aim: Option<(u64, Vec2)>,
    /// What hands need.
    #[serde(skip)]
    hands: hands::Room,
    air: air::Air,
    loads: loads::Loads,
    #[serde(skip)]
    collision: collide::Collision,
    /// Room for the corners between an end and what holds it.
    #[serde(skip)]
    pegs: Vec<reach::Peg>,
    /// For so many ticks it takes down what it touches.
    #[serde(skip)]
    watched: u8,
    #[serde(skip)]
    coupling: coupling::Coupling,
    /// No tick has been simulated since it was placed, and no point was touched.
    fresh: bool,
    /// Global px to a local one, along the rope.
    scale: f32,
    /// A held point moved in the last tick.
    driven: bool,
    /// It lay on something and hardly moved in the last tick.
    calm: bool,
    /// A tick has been simulated since it was made.
    ticked: bool,
    sleeping: bool,
    rest_time: f32,
    #[serde(skip)]
    recoveries: u64,
}

/// Positions alone, as a structure of arrays.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Positions {
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Positions {
    fn resize(&mut self, count: usize) {
        self.x.resize(count, 0.0);
        self.y.resize(count, 0.0);
    }

    fn copy(&mut self, x: &[f32], y: &[f32]) {
        self.x.copy_from_slice(x);
        self.y.copy_from_slice(y);
    }
}

impl Rope {
    /// A rope laid out at rest on a node at `pose`.
    pub fn new(settings: RopeSettings, pose: Pose) -> Rope {
        let pose = if pose.is_finite() { pose } else { Pose::IDENTITY };
        let mut rope = Rope {
            settings: settings.clamped(&RopeSettings::default()),
            points: Points::default(),
            lengths: Vec::new(),
            pins: Vec::new(),
            attachments: [None; 2],
            spans: Vec::new(),
            frame: Frame::near(pose.origin),
            pose,
            pose_before: pose,
            held_before: None,
            gravity: FIRST_GRAVITY,
            laid_gravity: FIRST_GRAVITY,
            h_before: 0.0,
            quiet: Quiet::default(),
            longest_move: 0.0,
            passes_due: 0.0,
            forces: Vec::new(),
            tick_start: Positions::default(),
            scratch: Positions::default(),
            solver: ChainSolver::default(),
            tension: Vec::new(),
            torn: None,
            pitch: 1.0,
            target_length: 1.0,
            winding_limit: 0.0,
            reeled: 0,
            missing: [(0.0, 0); 2],
            mass_length: 1.0,
            inertia: 1.0,
            rest_bends: Vec::new(),
            start_aim: None,
            hands: hands::Room::default(),
            air: air::Air::default(),
            loads: loads::Loads::default(),
            collision: collide::Collision::default(),
            pegs: Vec::new(),
            watched: 0,
            coupling: coupling::Coupling::default(),
            fresh: true,
            scale: 1.0,
            driven: false,
            calm: false,
            ticked: false,
            sleeping: false,
            rest_time: 0.0,
            recoveries: 0,
        };
        rope.reset();
        rope
    }

    /// What is set.
    pub fn settings(&self) -> &RopeSettings {
        &self.settings
    }

    /// Sets everything that is set. What changes the shape of a moving rope changes it without a jump.
    pub fn set_settings(&mut self, settings: RopeSettings) {
        let settings = settings.clamped(&self.settings);
        let before = std::mem::replace(&mut self.settings, settings);
        if settings == before {
            return;
        }
        self.wake();
        let laid = |s: &RopeSettings| (s.segments, s.segment_length, s.slack, s.bend_rest);
        let held = |s: &RopeSettings| (s.start_pinned, s.end_pinned, s.end_position);
        let pieces = |s: &RopeSettings| (s.segments, s.segment_length);
        if self.fresh {
            if held(&settings) != held(&before) || laid(&settings) != laid(&before) || settings.length != before.length
            {
                self.rebuild(Some(&before));
            }
        } else {
            if settings.bend_rest == BendRest::Straight {
                self.rest_bends.clear();
            }
            if pieces(&settings) != pieces(&before) {
                self.reshape();
            } else if settings.length != before.length {
                self.wind();
            }
            if held(&settings) != held(&before) {
                self.hold_ends(Some(&before));
            }
        }
        self.weigh();
    }

    /// The node's pose in this tick. Not a number is ignored.
    pub fn set_pose(&mut self, pose: Pose) {
        if !pose.is_finite() || pose == self.pose {
            return;
        }
        self.pose = pose;
        self.wake();
        if self.fresh {
            self.lay();
        }
    }

    /// Takes it along as it is to another pose of its node: nothing is pulled. For a node that was moved while it was not
    /// simulated.
    pub fn carry_to(&mut self, pose: Pose) {
        if !pose.is_finite() {
            return;
        }
        let shift = pose.origin - self.pose.origin;
        let same_shape = (pose.x, pose.y) == (self.pose.x, self.pose.y);
        self.pose = pose;
        self.pose_before = pose;
        if self.fresh || !(self.ticked || same_shape) {
            return self.lay();
        }
        self.translate(shift);
        self.follow_frame();
        let off = |pin: &Pin| self.points.position(pin.point) != self.pin_target(pin);
        if self.pins.iter().any(off) {
            self.put_pins();
            self.settle();
            self.wake();
        }
        self.tick_start.copy(&self.points.x, &self.points.y);
    }

    /// Lays it out at rest at a pose of its node; pins keep their holders.
    pub fn place_at(&mut self, pose: Pose) {
        if pose.is_finite() {
            self.pose = pose;
        }
        self.lay();
    }

    /// The node's pose of the last call of [`Rope::set_pose`].
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// How many points it has: one more than links.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Where point `i` is, in global px.
    pub fn position(&self, i: usize) -> Vec2 {
        self.frame.to_global(self.points.position(i))
    }

    /// Velocity of point `i` in px/s.
    pub fn velocity(&self, i: usize) -> Vec2 {
        if self.h_before <= 0.0 {
            return Vec2::ZERO;
        }
        self.points.way(i) / self.h_before
    }

    /// Rest length of each link in global px.
    pub fn lengths(&self) -> &[f32] {
        &self.lengths
    }

    /// What a local px along the rope is in global ones.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// How many px (global) and links were cut off before its start and behind its end since it was laid out.
    pub fn missing(&self) -> [(f32, usize); 2] {
        self.missing
    }

    /// The longest link as a multiple of its rest length.
    pub fn stretch(&self) -> f32 {
        let strain = |k: usize| self.points.position(k).distance(self.points.position(k + 1)) / self.lengths[k];
        (0..self.lengths.len()).map(strain).fold(0.0, f32::max)
    }

    /// Calls `put(i, offset)` for every point with where it is drawn, relative to `origin` (global). `fraction` is where
    /// between the last two ticks the frame lies: 1 is the last tick.
    pub fn drawn(&self, origin: Vec2, fraction: f32, mut put: impl FnMut(usize, Vec2)) {
        // Large numbers cancel first: far from the origin both are exact multiples of a coarse step.
        let offset = self.frame.origin() - origin;
        for i in 0..self.points.len() {
            let now = self.points.position(i);
            let before = Vec2::new(self.tick_start.x[i], self.tick_start.y[i]);
            put(i, offset + if fraction >= 1.0 { now } else { before.lerp(now, fraction) });
        }
    }

    /// Whether no tick was simulated since it was laid out.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Whether its ends are held as far apart as it is long, or farther.
    pub fn is_taut(&self) -> bool {
        self.pins.windows(2).any(|pair| {
            let reach: f32 = self.lengths[pair[0].point..pair[1].point].iter().sum();
            self.pin_target(&pair[0]).distance(self.pin_target(&pair[1])) >= reach * crate::chain::TAUT
        })
    }

    /// The way along its points, in global px.
    pub fn current_length(&self) -> f32 {
        (0..self.lengths.len()).map(|k| self.points.position(k).distance(self.points.position(k + 1))).sum()
    }

    /// Whether nothing moves until something touches it.
    pub fn is_sleeping(&self) -> bool {
        self.sleeping
    }

    /// Wakes it.
    pub fn wake(&mut self) {
        self.sleeping = false;
        self.rest_time = 0.0;
    }

    /// Puts it to sleep where it is.
    pub fn sleep(&mut self) {
        if !self.sleeping && self.watched == 0 {
            self.note_pegs();
        }
        self.fresh = false;
        self.driven = false;
        self.points.stop();
        self.tick_start.copy(&self.points.x, &self.points.y);
        self.sleeping = true;
        self.note_surroundings(None);
    }

    /// What solving has cost since it was made.
    pub fn report(&self) -> ChainReport {
        self.solver.report
    }

    /// How often it had to be laid out anew because a number was not finite. Not 0 is a defect of this crate.
    pub fn recoveries(&self) -> u64 {
        self.recoveries
    }
}
