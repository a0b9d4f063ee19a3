//! Excluded nimbers above the capacity of a set. They are tried in order, when all smaller ones are excluded. They get
//! no records: another search proves them again.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use sproutnet_game::LandId;

use super::proof::LARGEST_EXCLUDED;

/// For each land, the first such nimber that is not excluded. Few lands have an entry.
#[derive(Default)]
pub(super) struct Beyond(Mutex<FxHashMap<LandId, u32>>);

impl Beyond {
    /// The smallest nimber above [`LARGEST_EXCLUDED`] that is not excluded.
    pub(super) fn first_possible(&self, land: LandId) -> u32 {
        let firsts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        firsts.get(&land).copied().unwrap_or(LARGEST_EXCLUDED + 1)
    }

    /// Excludes a nimber. Has an effect only for the smallest one that is not excluded.
    pub(super) fn exclude(&self, land: LandId, nimber: u32) {
        let mut firsts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = firsts.entry(land).or_insert(LARGEST_EXCLUDED + 1);
        if *first == nimber {
            *first += 1;
        }
    }
}
