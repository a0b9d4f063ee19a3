//! A cache of the numbers of lands by the keys of their generator. Most lands of options were met before, and are found
//! here without their canonical bytes.

use std::num::NonZero;
use std::sync::{Mutex, OnceLock};

use super::{Key, LandId};

#[cfg(test)]
mod tests;

const SLOTS: usize = 1 << 16;

/// The maximum length of a kept key, in bytes. With it, a slot fills a line of the processor's cache.
const ROOM: usize = 51;

/// Each key has one slot, by its hash, and replaces the previous key there.
#[derive(Default)]
pub(super) struct KeyedLands {
    slots: OnceLock<Box<[Slot]>>,
}

#[derive(Default)]
#[repr(align(64))]
struct Slot(Mutex<Option<Entry>>);

/// A key and its land.
struct Entry {
    land: LandId,
    length: NonZero<u8>,
    key: [u8; ROOM],
}

impl Entry {
    /// A key that has room, and its land.
    fn of(key: &[u8], land: LandId) -> Option<Self> {
        let mut kept = [0; ROOM];
        kept.get_mut(..key.len())?.copy_from_slice(key);
        Some(Self {
            land,
            length: NonZero::new(key.len() as u8)?,
            key: kept,
        })
    }
}

impl KeyedLands {
    /// The land with a key, if it is known.
    pub(super) fn find(&self, key: Key<'_>) -> Option<LandId> {
        // `None` as well if another thread is accessing the slot.
        let slot = self.slot(key).0.try_lock().ok()?;
        let entry = slot.as_ref()?;
        (entry.key[..usize::from(entry.length.get())] == *key.bytes).then_some(entry.land)
    }

    /// Keeps the land with a key, if it has a number. Returns whether it is kept: a key may be too long.
    pub(super) fn keep(&self, key: Key<'_>, land: Option<LandId>) -> bool {
        let entry = land.and_then(|land| Entry::of(key.bytes, land));
        let slot = self.slot(key).0.try_lock();
        let (Some(entry), Ok(mut slot)) = (entry, slot) else {
            return false;
        };
        *slot = Some(entry);
        true
    }

    fn slot(&self, key: Key<'_>) -> &Slot {
        let slots = self
            .slots
            .get_or_init(|| (0..SLOTS).map(|_| Slot::default()).collect());
        &slots[key.hash as usize % SLOTS]
    }

    /// The memory of the cache, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.get().map_or(0, |slots| size_of_val(&**slots))
    }
}
