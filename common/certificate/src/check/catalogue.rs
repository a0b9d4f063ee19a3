//! The lands in the facts.

use rustc_hash::{FxHashMap, FxHashSet};

use super::halt::Halt;
use super::sprouts::Land;
use super::sprouts::canonical::{Canoniser, fingerprint};
use super::sprouts::land::Mark;

/// Lands by number, each with its worth by a fact, if any.
#[derive(Default)]
pub(super) struct Catalogue<W> {
    numbers: FxHashMap<Land, u32>,
    lands: Vec<(Land, Option<W>)>,
    /// A quick test that a land is absent.
    fingerprints: FxHashSet<u64>,
    bytes: usize,
}

impl<W: Copy> Catalogue<W> {
    /// Enters a land unless it is present, and returns its number.
    pub(super) fn enter(&mut self, land: Land) -> u32 {
        if let Some(&number) = self.numbers.get(&land) {
            return number;
        }
        let number = self.len();
        self.fingerprints.insert(fingerprint(land.marks()));
        self.bytes += land.bytes() + 4 * size_of::<(Land, Option<W>)>();
        self.lands.push((land.clone(), None));
        self.numbers.insert(land, number);
        number
    }

    /// The number of lands. All their numbers are lower.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.lands.len()).expect("memory runs out first")
    }

    /// The land with a number.
    pub(super) fn land(&self, number: u32) -> &Land {
        &self.lands[number as usize].0
    }

    /// Sets the worth of a land. Returns false if it was set before.
    pub(super) fn set(&mut self, number: u32, worth: W) -> bool {
        self.lands[number as usize].1.replace(worth).is_none()
    }

    /// The worth of a land by a fact.
    pub(super) fn worth(&self, number: u32) -> Option<W> {
        self.lands[number as usize].1
    }

    /// The number of a land given in any form, if it is present.
    pub(super) fn find(
        &self,
        marks: &[Mark],
        canoniser: &mut Canoniser,
    ) -> Result<Option<u32>, Halt> {
        if !self.fingerprints.contains(&fingerprint(marks)) {
            return Ok(None);
        }
        Ok(self.number(&canoniser.land(marks)?))
    }

    /// The number of a land, if it is present.
    pub(super) fn number(&self, land: &Land) -> Option<u32> {
        self.numbers.get(land).copied()
    }

    /// The approximate memory use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
