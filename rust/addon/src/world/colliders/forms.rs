//! The forms of shapes, baked for the core.
//!
//! A form is read from the server once. The signal `changed` of its resource tells when it has to be read again; one without a resource is
//! read again in every tick, or every few if it has many corners. A form is baked once for each way in which it is stretched, whatever
//! number of bodies have it.

use super::outline;
use super::pose::Stretch;
use crate::convert::callable;
use godot::classes::{PhysicsServer2D, Shape2D};
use godot::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use supple_sim::collide::{Outline, Shape};

/// A form with many corners and no resource is read again every so many ticks.
const LOOK_TICKS: u64 = 4;
/// A form that was not needed for so many ticks is forgotten.
const FORGET_TICKS: u64 = 240;

/// Listens to a resource.
struct Watch {
    resource: InstanceId,
    callback: Callable,
    changed: Arc<AtomicBool>,
}

impl Watch {
    fn new(mut resource: Gd<Shape2D>) -> Watch {
        let changed = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&changed);
        let callback = callable("shape_changed", move |_: &[&Variant]| flag.store(true, Relaxed));
        resource.connect("changed", &callback);
        Watch { resource: resource.instance_id(), callback, changed }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Ok(mut resource) = Gd::<Shape2D>::try_from_instance_id(self.resource) {
            resource.disconnect("changed", &self.callback);
        }
    }
}

/// Who tells when a form changes.
enum Keeper {
    Resource(Watch),
    /// It never does.
    Nobody,
    /// It has to be looked at every so many ticks; the hash of its data.
    Us {
        every: u64,
        hash: u32,
    },
}

/// A shape of the server.
pub struct Form {
    outline: Option<Outline>,
    keeper: Keeper,
    /// It differs after each change.
    pub version: u64,
    baked: Vec<(Stretch, Weak<Shape>)>,
    looked: u64,
}

/// Where the resource of a shape is to be found.
pub enum Origin<'a> {
    /// It may be found so; None: it has none.
    Resource(&'a dyn Fn() -> Option<Gd<Shape2D>>),
    /// It has none, and does not change.
    Fixed,
}

impl Form {
    fn new(server: &PhysicsServer2D, rid: Rid, origin: Origin<'_>) -> Form {
        let keeper = match origin {
            Origin::Fixed => Keeper::Nobody,
            Origin::Resource(find) => match find() {
                Some(resource) => Keeper::Resource(Watch::new(resource)),
                None => {
                    let every = if outline::is_small(server, rid) { 1 } else { LOOK_TICKS };
                    Keeper::Us { every, hash: server.shape_get_data(rid).hash_u32() }
                }
            },
        };
        Form { outline: outline::read(server, rid), keeper, version: 0, baked: Vec::new(), looked: 0 }
    }

    fn refresh(&mut self, server: &PhysicsServer2D, rid: Rid, tick: u64) {
        let changed = match &mut self.keeper {
            Keeper::Nobody => false,
            Keeper::Resource(watch) => watch.changed.swap(false, Relaxed),
            Keeper::Us { every, hash } if tick.is_multiple_of(*every) => {
                let now = server.shape_get_data(rid).hash_u32();
                std::mem::replace(hash, now) != now
            }
            Keeper::Us { .. } => false,
        };
        if changed {
            self.outline = outline::read(server, rid);
            self.version += 1;
            self.baked.clear();
        }
    }

    /// Its outline; None if it has none.
    pub fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// The form stretched; None if nothing is left of it.
    pub fn bake(&mut self, stretch: &Stretch) -> Option<Arc<Shape>> {
        self.baked.retain(|(_, shape)| shape.strong_count() > 0);
        let known = self.baked.iter().find(|(other, _)| other.is_like(stretch)).and_then(|(_, shape)| shape.upgrade());
        if known.is_some() {
            return known;
        }
        let shape = Arc::new(Shape::new(self.outline.as_ref()?, stretch.x, stretch.y)?);
        self.baked.push((*stretch, Arc::downgrade(&shape)));
        Some(shape)
    }
}

/// All forms that are needed.
#[derive(Default)]
pub struct Forms {
    forms: HashMap<Rid, Form>,
}

impl Forms {
    /// The form of a shape as it is in this tick.
    pub fn of(&mut self, server: &PhysicsServer2D, rid: Rid, tick: u64, origin: Origin<'_>) -> &mut Form {
        let form = self.forms.entry(rid).or_insert_with(|| Form::new(server, rid, origin));
        if form.looked != tick {
            form.looked = tick;
            form.refresh(server, rid, tick);
        }
        form
    }

    /// Forgets what was not needed for a while.
    pub fn forget(&mut self, tick: u64) {
        self.forms.retain(|_, form| tick - form.looked < FORGET_TICKS);
    }
}
