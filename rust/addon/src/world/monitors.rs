//! What the editor's debugger shows under Monitors > Supple.

use godot::classes::Performance;
use godot::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A number of the last tick, summed over all worlds.
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
static STEP: Monitor = monitor("supple/step_ms", 1e6);
static DRAW: Monitor = monitor("supple/draw_ms", 1e6);
static ALL: [&Monitor; 5] = [&BODIES, &AWAKE, &GATHER, &STEP, &DRAW];

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
        let read = Callable::from_sync_fn(monitor.id, |_| monitor.value.load(Relaxed) as f64 / monitor.unit);
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

/// Takes down the numbers of a tick.
pub fn record(bodies: usize, awake: usize, gather: Duration, step: Duration) {
    BODIES.value.store(bodies as u64, Relaxed);
    AWAKE.value.store(awake as u64, Relaxed);
    GATHER.value.store(gather.as_nanos() as u64, Relaxed);
    STEP.value.store(step.as_nanos() as u64, Relaxed);
    DRAW.value.store(DRAWN.swap(0, Relaxed), Relaxed);
}

/// Takes down the time of drawing a node; it is shown with the next tick.
pub fn record_drawing(time: Duration) {
    DRAWN.fetch_add(time.as_nanos() as u64, Relaxed);
}
