//! Hands that hold a body: of the player, or of a script.

use crate::complain::Callee;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// The handle of the next hand.
static NEXT: AtomicI64 = AtomicI64::new(1);
/// No node has this bit in its instance id.
const HAND: u64 = 1 << 63;

/// How hands take hold.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// How near the body must be, in px.
    pub radius: f32,
    /// The most force in kg px/s2; 0: any.
    pub force: f32,
}

impl Default for Hand {
    fn default() -> Self {
        Hand { radius: 20.0, force: 0.0 }
    }
}

/// The handle of a new hand.
pub fn new_handle() -> i64 {
    NEXT.fetch_add(1, Relaxed)
}

/// A hand as the core knows it.
pub fn key(handle: i64) -> u64 {
    HAND | handle as u64
}

/// A radius in which to take hold, or an error.
pub fn radius(callee: &Callee, radius: f64) -> Option<f32> {
    if radius.is_nan() || radius < 0.0 {
        callee.complain(format_args!("radius {radius} is not 0 or more"));
        return None;
    }
    Some(radius as f32)
}

/// Says that a handle holds nothing.
pub fn holds_nothing(callee: &Callee, handle: i64) {
    callee.complain(format_args!("handle {handle} holds nothing, take hold with grab() first"));
}
