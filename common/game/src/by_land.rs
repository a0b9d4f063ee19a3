//! Storage with one slot per interned land.

use super::LandId;
use crate::slots::Slots;

/// One `T` per land, created by `T::default()`. Shared by threads, which may add lands at the same time.
pub struct ByLand<T>(Slots<T>);

impl<T> Default for ByLand<T> {
    fn default() -> Self {
        Self(Slots::default())
    }
}

impl<T: Default> ByLand<T> {
    /// The slot of a land.
    pub fn get(&self, land: LandId) -> &T {
        self.0.at(land.index())
    }

    /// The memory of all slots, in bytes, without what they point to.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
