//! Whether a body is simulated where nobody sees it.

use crate::convert::callable;
use crate::world::Body;
use godot::classes::RenderingServer;
use godot::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Whether a body is simulated where nobody sees it. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum OffscreenMode {
    #[default]
    Simulate = 0,
    Pause = 1,
}

/// Lets the renderer tell when what a canvas item shows within `fence`, a box of its own coordinates, leaves all screens or comes back.
pub fn watch(item: Rid, body: &Arc<dyn Body>, fence: Rect2) {
    let [come, go] = [false, true].map(|away| {
        let body = Arc::clone(body);
        callable("offscreen", move |_: &[&Variant]| {
            body.flags().away.store(away, Relaxed);
            body.flags().touched.store(true, Relaxed);
        })
    });
    RenderingServer::singleton().canvas_item_set_visibility_notifier(item, true, fence, &come, &go);
}

/// The renderer need not tell any more.
pub fn unwatch(item: Rid, body: &dyn Body) {
    let nothing = Callable::invalid();
    let mut server = RenderingServer::singleton();
    server.canvas_item_set_visibility_notifier(item, false, Rect2::default(), &nothing, &nothing);
    body.flags().away.store(false, Relaxed);
    body.flags().touched.store(true, Relaxed);
}
