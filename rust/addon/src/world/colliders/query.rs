//! Asking the engine which shapes are in a box.

use crate::world::presence;
use godot::classes::{PhysicsDirectSpaceState2D, PhysicsServer2D, PhysicsShapeQueryParameters2D, RectangleShape2D};
use godot::prelude::*;

/// More hits than this are not asked for at once. The engine looks at no more than 2048 shapes, whatever their layers.
const MOST_HITS: usize = 1023;
/// The least that is asked for.
const FEWEST_HITS: usize = 32;
/// So often a box is divided in four until its parts are not crowded any more.
const DEEPEST: u32 = 6;

/// A shape of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The body in the physics server.
    pub rid: u64,
    /// The index of the shape.
    pub shape: u32,
    /// The instance id of its node; 0: it has none.
    pub object: u64,
}

/// What the engine calls the parts of its answers.
pub struct Names {
    rid: Variant,
    shape: Variant,
    object: Variant,
}

impl Default for Names {
    fn default() -> Self {
        Names { rid: "rid".to_variant(), shape: "shape".to_variant(), object: "collider_id".to_variant() }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum What {
    #[default]
    Bodies,
    Areas,
    All,
}

/// A box, and the engine's objects that are needed to ask for it. They are told only what has changed.
struct Probe {
    parameters: Gd<PhysicsShapeQueryParameters2D>,
    shape: Gd<RectangleShape2D>,
    area: Rect2,
    mask: u32,
    what: What,
    /// The change of presences since which it leaves all of them out; None: it leaves out nothing.
    left_out: Option<u64>,
}

impl Probe {
    fn new() -> Probe {
        let mut parameters = PhysicsShapeQueryParameters2D::new_gd();
        let shape = RectangleShape2D::new_gd();
        parameters.set_shape(&shape);
        parameters.set_collide_with_areas(false);
        parameters.set_collision_mask(0);
        Probe { parameters, shape, area: Rect2::default(), mask: 0, what: What::Bodies, left_out: None }
    }

    fn aim(&mut self, area: Rect2, mask: u32, what: What) {
        if area != self.area {
            if area.size != self.area.size {
                self.shape.set_size(area.size);
                // A server on a thread of its own may have the old size until it is asked for something; a question about the space does
                // not wait.
                PhysicsServer2D::singleton().shape_get_type(self.shape.get_rid());
            }
            self.parameters.set_transform(Transform2D::from_angle_origin(0.0, area.center()));
            self.area = area;
        }
        if mask != self.mask {
            self.mask = mask;
            self.parameters.set_collision_mask(mask);
        }
        if what != self.what {
            self.what = what;
            self.parameters.set_collide_with_areas(what != What::Bodies);
            self.parameters.set_collide_with_bodies(what != What::Areas);
        }
        // What is counted is all that the engine looks at.
        let counts = what == What::All;
        let left_out = if counts { None } else { presence::last_change() };
        if left_out != self.left_out {
            self.left_out = left_out;
            self.parameters.set_exclude(&if counts { Array::new() } else { presence::all() });
        }
    }
}

/// The way to a physics space in this tick.
pub struct Space<'a> {
    state: Gd<PhysicsDirectSpaceState2D>,
    names: &'a Names,
    what: What,
    /// How often the engine was asked.
    pub queries: u64,
}

impl Space<'_> {
    /// None while the space may not be looked at.
    pub fn open(space: Rid, names: &Names, what: What) -> Option<Space<'_>> {
        let state = PhysicsServer2D::singleton().space_get_direct_state(space)?;
        Some(Space { state, names, what, queries: 0 })
    }

    fn ask(&mut self, probe: &Probe, limit: usize) -> Array<VarDictionary> {
        self.queries += 1;
        self.state.intersect_shape_ex(&probe.parameters).max_results(limit as i32).done()
    }

    fn read(&self, answer: &Array<VarDictionary>, hits: &mut Vec<Hit>) {
        for entry in answer.iter_shared() {
            let rid = entry.get_or_nil(&self.names.rid).try_to::<Rid>().unwrap_or(Rid::Invalid);
            let shape = entry.get_or_nil(&self.names.shape).try_to::<i64>().unwrap_or(-1);
            let object = entry.get_or_nil(&self.names.object).try_to::<i64>().unwrap_or(0);
            if rid.is_valid()
                && let Ok(shape) = u32::try_from(shape)
            {
                hits.push(Hit { rid: rid.to_u64(), shape, object: object as u64 });
            }
        }
    }
}

/// A question that is asked again and again.
pub struct Query {
    probe: Probe,
    /// What was found last, sorted.
    hits: Vec<Hit>,
    /// A hash of the engine's last answer: most are like the one before, and need not be read.
    hash: Option<u32>,
    /// There is so much in it, also of other layers, that it has to be asked for in parts.
    crowded: bool,
}

impl Query {
    pub fn new() -> Query {
        Query { probe: Probe::new(), hits: Vec::new(), hash: None, crowded: false }
    }

    /// What was found last, sorted.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Looks what is in `area` on a layer of `mask`; what was found before is put into `before`. False if it is the same.
    pub fn renew(&mut self, space: &mut Space<'_>, area: Rect2, mask: u32, before: &mut Vec<Hit>) -> bool {
        before.clear();
        if self.crowded {
            self.hash = None;
            before.append(&mut self.hits);
            self.split(space, area, mask, 1);
        } else {
            self.probe.aim(area, mask, space.what);
            let limit = (2 * self.hits.len()).clamp(FEWEST_HITS, MOST_HITS + 1);
            let mut answer = space.ask(&self.probe, limit);
            if answer.len() >= limit && limit <= MOST_HITS {
                answer = space.ask(&self.probe, MOST_HITS + 1);
            }
            let hash = Some(answer.hash_u32());
            if hash == self.hash && answer.len() <= MOST_HITS {
                return false;
            }
            before.append(&mut self.hits);
            if answer.len() > MOST_HITS {
                self.crowded = true;
                self.hash = None;
                self.split(space, area, mask, 1);
            } else {
                self.hash = hash;
                space.read(&answer, &mut self.hits);
            }
        }
        self.hits.sort_unstable();
        self.hits.dedup();
        self.hits != *before
    }

    /// Asks for the four quarters of an area.
    fn split(&mut self, space: &mut Space<'_>, area: Rect2, mask: u32, depth: u32) {
        let half = area.size * 0.5;
        for corner in [Vector2::ZERO, Vector2::new(half.x, 0.0), Vector2::new(0.0, half.y), half] {
            let part = Rect2::new(area.position + corner, half);
            self.probe.aim(part, mask, space.what);
            let answer = space.ask(&self.probe, MOST_HITS + 1);
            if answer.len() > MOST_HITS && depth < DEEPEST {
                self.split(space, part, mask, depth + 1);
            } else {
                space.read(&answer, &mut self.hits);
            }
        }
    }

    /// Looks whether there is so much in `area`, on all layers and areas too, that the engine would not look at all of it.
    pub fn count_all(&mut self, space: &mut Space<'_>, area: Rect2) {
        self.probe.aim(area, u32::MAX, What::All);
        self.crowded = space.ask(&self.probe, MOST_HITS + 1).len() > MOST_HITS;
    }
}
