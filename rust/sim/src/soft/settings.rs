//! What can be set on a soft body, and how far.

use crate::rope::{CollisionSettings, LEAST_MASS, MOST_DAMP, MOST_GRAVITY_SCALE, MOST_ITERATIONS, MOST_MASS};
use serde::{Deserialize, Serialize};

/// The most stiffness in kg/s2: far beyond what the eye tells from a rigid body.
pub const MOST_STIFFNESS: f32 = 1e7;
/// The most damping of the springs in kg/s.
pub const MOST_DAMPING: f32 = 1e4;
/// The most pressure in kg/s2.
pub const MOST_PRESSURE: f32 = 1e4;
/// The most multiple of its length to which a link may be limited.
pub const MOST_STRETCH: f32 = 100.0;

/// The least: what is limited to its length would be shaken by every push.
pub const LEAST_STRETCH: f32 = 1.05;

/// Everything that can be set on a soft body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftSettings {
    /// Mass of the whole body in kg.
    pub mass: f32,
    /// Mass of each point in kg instead; 0: from `mass`.
    pub particle_mass: f32,
    /// How stiff it is: that of a spring of a body of 5x5 points, in kg/s2. It feels the same at any number of points.
    pub stiffness: f32,
    /// Damping of such a spring in kg/s.
    pub damping: f32,
    /// What shearing is resisted by, as a part of what stretching is.
    pub shear_ratio: f32,
    /// How firmly each part keeps its area, besides `stiffness`, in kg/s2.
    pub area_stiffness: f32,
    /// What blows it up from inside, in kg/s2: the force on each px of its outline.
    pub pressure: f32,
    /// How firmly it goes back to its shape as a whole, 0 to 1.
    pub shape_memory: f32,
    /// How much of a strong deformation stays, 0 to 1.
    pub plasticity: f32,
    /// No link gets longer than this multiple of its length; 0: any.
    pub max_stretch: f32,
    /// Passes of relaxation a tick at 60 ticks a second, on top of the springs; 0: none.
    pub iteration_count: u32,
    /// Substeps a tick; 0: automatic.
    pub substeps: u32,
    /// Part of the velocity that is lost, 1/s.
    pub linear_damp: f32,
    /// What the world's gravity is multiplied by.
    pub gravity_scale: f32,
    /// It does not turn.
    pub lock_rotation: bool,
    /// It moves its node, as long as that holds no points of it.
    pub move_node: bool,
    /// Whether it may sleep.
    pub can_sleep: bool,
    /// Whether its edges collide, or its points only.
    pub precise: bool,
    /// What it collides with, and how.
    pub collision: CollisionSettings,
}

impl Default for SoftSettings {
    fn default() -> Self {
        SoftSettings {
            mass: 1.0,
            particle_mass: 0.0,
            stiffness: 200.0,
            damping: 2.0,
            shear_ratio: 0.3,
            area_stiffness: 100.0,
            pressure: 0.0,
            shape_memory: 0.0,
            plasticity: 0.0,
            max_stretch: 0.0,
            iteration_count: 0,
            substeps: 0,
            linear_damp: 0.5,
            gravity_scale: 1.0,
            lock_rotation: false,
            move_node: true,
            can_sleep: true,
            precise: true,
            collision: CollisionSettings { layer: 1, character_mass: 5.0, radius: 1.0, ..CollisionSettings::default() },
        }
    }
}

impl SoftSettings {
    /// The same with every number brought into its range; what is not a number is taken from `fallback`.
    pub fn clamped(self, fallback: &SoftSettings) -> SoftSettings {
        let clamp = |value: f32, other: f32, least: f32, most: f32| {
            if value.is_nan() { other } else { value.clamp(least, most) }
        };
        SoftSettings {
            mass: clamp(self.mass, fallback.mass, LEAST_MASS, MOST_MASS),
            particle_mass: clamp(self.particle_mass, fallback.particle_mass, 0.0, MOST_MASS),
            stiffness: clamp(self.stiffness, fallback.stiffness, 0.0, MOST_STIFFNESS),
            damping: clamp(self.damping, fallback.damping, 0.0, MOST_DAMPING),
            shear_ratio: clamp(self.shear_ratio, fallback.shear_ratio, 0.0, 1.0),
            area_stiffness: clamp(self.area_stiffness, fallback.area_stiffness, 0.0, MOST_STIFFNESS),
            pressure: clamp(self.pressure, fallback.pressure, 0.0, MOST_PRESSURE),
            shape_memory: clamp(self.shape_memory, fallback.shape_memory, 0.0, 1.0),
            plasticity: clamp(self.plasticity, fallback.plasticity, 0.0, 1.0),
            max_stretch: match clamp(self.max_stretch, fallback.max_stretch, 0.0, MOST_STRETCH) {
                limit if limit > 0.0 => limit.max(LEAST_STRETCH),
                none => none,
            },
            iteration_count: self.iteration_count.min(MOST_ITERATIONS),
            substeps: self.substeps.min(crate::substeps::MOST_SUBSTEPS),
            linear_damp: clamp(self.linear_damp, fallback.linear_damp, 0.0, MOST_DAMP),
            gravity_scale: clamp(self.gravity_scale, fallback.gravity_scale, -MOST_GRAVITY_SCALE, MOST_GRAVITY_SCALE),
            collision: self.collision.clamped(&fallback.collision),
            ..self
        }
    }

    /// The mass of a body of `points` points, in kg.
    pub fn total_mass(&self, points: usize) -> f32 {
        let mass = if self.particle_mass > 0.0 { self.particle_mass * points as f32 } else { self.mass };
        mass.clamp(LEAST_MASS, MOST_MASS)
    }
}
