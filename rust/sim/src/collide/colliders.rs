//! All colliders of a tick.

use super::Collider;
use super::grid::Grid;
use crate::bounds::Bounds;

/// All colliders of a tick.
#[derive(Clone, Debug, Default)]
pub struct Colliders {
    all: Vec<Collider>,
    hashes: Vec<u64>,
    grid: Grid,
}

impl Colliders {
    /// These, in this order: it decides how results are rounded.
    pub fn set(&mut self, all: impl IntoIterator<Item = Collider>) {
        self.all.clear();
        self.all.extend(all);
        self.hashes.clear();
        self.hashes.extend(self.all.iter().map(Collider::hash));
        self.grid.set(self.all.iter().map(Collider::bounds));
    }

    /// All.
    pub fn all(&self) -> &[Collider] {
        &self.all
    }

    /// A hash of all that a body at rest on one would notice.
    pub fn hash(&self, index: usize) -> u64 {
        self.hashes[index]
    }

    /// Puts into `found`, instead of what was in it, the indices of those on a layer of `mask` whose bounds overlap `bounds`, in ascending
    /// order.
    pub fn near(&self, bounds: &Bounds, mask: u32, found: &mut Vec<u32>) {
        found.clear();
        self.visit(bounds, mask, |index| found.push(index));
        found.sort_unstable();
    }

    /// A hash of all that there is in a box, on a layer of `mask`: it differs if anything came, went, moved, or changed its form.
    pub fn signature(&self, bounds: &Bounds, mask: u32) -> u64 {
        // A sum is the same in any order.
        let mut sum = 0u64;
        self.visit(bounds, mask, |index| sum = sum.wrapping_add(self.hashes[index as usize]));
        sum
    }

    fn visit(&self, bounds: &Bounds, mask: u32, mut visit: impl FnMut(u32)) {
        self.grid.visit(bounds, |index| {
            if self.all[index as usize].layers & mask != 0 {
                visit(index);
            }
        });
    }
}
