//! Storage with one slot for each interned land.

use super::LandId;
use crate::slots::Slots;

/// One `T` for each land, made by `T::default()`; shared by threads, which may add lands meanwhile.
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

    /// The bytes of all slots made so far, without what they point to.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
