//! What the editor's debugger shows under Monitors > Supple.

use crate::convert::callable;
use godot::classes::{Engine, Performance};
use godot::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A number of the last tick, summed over all worlds; those of trouble are summed since the first world.
struct Monitor {
    id: &'static str,
    value: AtomicU64,
    /// What the value is divided by to be shown.
    unit: f64,
}

const fn monitor(id: &'static str, unit: f64) -> Monitor {
    Monitor { id, value: AtomicU64::new(0), unit }
}

static BODIES: Monitor = monitor("supple/bodies", 1.0);
static AWAKE: Monitor = monitor("supple/awake", 1.0);
static GATHER: Monitor = monitor("supple/gather_ms", 1e6);
/// Of that the time of finding colliders.
static COLLIDE: Monitor = monitor("supple/collide_ms", 1e6);
/// How often the engine was asked what is near bodies.
static QUERIES: Monitor = monitor("supple/queries", 1.0);
/// How many shapes were found near bodies that are awake.
static COLLIDERS: Monitor = monitor("supple/colliders", 1.0);
static STEP: Monitor = monitor("supple/step_ms", 1e6);
static DRAW: Monitor = monitor("supple/draw_ms", 1e6);
/// How often a chain could not be solved and followed its leader.
static FOLLOWED: Monitor = monitor("supple/followed", 1.0);
/// How often a body was laid out anew because a number was not finite.
static RECOVERIES: Monitor = monitor("supple/recoveries", 1.0);
static ALL: [&Monitor; 10] =
    [&BODIES, &AWAKE, &GATHER, &COLLIDE, &QUERIES, &COLLIDERS, &STEP, &DRAW, &FOLLOWED, &RECOVERIES];

/// The tick whose numbers are being summed.
static TICK: AtomicU64 = AtomicU64::new(0);

/// Drawing time since the last tick, in nanoseconds.
static DRAWN: AtomicU64 = AtomicU64::new(0);
/// How many step nodes are in the tree.
static WORLDS: AtomicU64 = AtomicU64::new(0);

/// Shows the monitors; call once for each world.
pub fn add() {
    if WORLDS.fetch_add(1, Relaxed) > 0 {
        return;
    }
    let mut performance = Performance::singleton();
    for monitor in ALL {
        monitor.value.store(0, Relaxed);
        let read = callable(monitor.id, |_: &[&Variant]| monitor.value.load(Relaxed) as f64 / monitor.unit);
        performance.add_custom_monitor(monitor.id, &read);
    }
}

/// Takes them away with the last world.
pub fn remove() {
    if WORLDS.fetch_sub(1, Relaxed) > 1 {
        return;
    }
    let mut performance = Performance::singleton();
    for monitor in ALL {
        performance.remove_custom_monitor(monitor.id);
    }
}

/// Numbers of a world's tick.
#[derive(Default)]
pub struct Record {
    pub bodies: usize,
    pub awake: usize,
    pub gather: Duration,
    pub collide: Duration,
    pub queries: u64,
    pub colliders: usize,
    pub step: Duration,
}

/// Takes down the numbers of a world's tick.
pub fn record(record: &Record) {
    let tick = Engine::singleton().get_physics_frames();
    let first = TICK.swap(tick, Relaxed) != tick;
    let nanos = |time: Duration| time.as_nanos() as u64;
    for (monitor, value) in [
        (&BODIES, record.bodies as u64),
        (&AWAKE, record.awake as u64),
        (&GATHER, nanos(record.gather)),
        (&COLLIDE, nanos(record.collide)),
        (&QUERIES, record.queries),
        (&COLLIDERS, record.colliders as u64),
        (&STEP, nanos(record.step)),
    ] {
        let others = if first { 0 } else { monitor.value.load(Relaxed) };
        monitor.value.store(others + value, Relaxed);
    }
    if first {
        DRAW.value.store(DRAWN.swap(0, Relaxed), Relaxed);
    }
}

/// Counts what the solver could not do.
pub fn count_trouble(followed: u64, recoveries: u64) {
    FOLLOWED.value.fetch_add(followed, Relaxed);
    RECOVERIES.value.fetch_add(recoveries, Relaxed);
}

/// Takes down the time of drawing a node; it is shown with the next tick.
pub fn record_drawing(time: Duration) {
    DRAWN.fetch_add(time.as_nanos() as u64, Relaxed);
}
