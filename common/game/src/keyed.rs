//! A cache of the numbers of lands by the keys of their generator. Most lands of options were met before, and are found
//! here without their canonical bytes.

use std::sync::{Mutex, OnceLock};

use super::{Key, LandId};

#[cfg(test)]
mod tests;

const PLACES: usize = 1 << 16;

/// The maximum length of a kept key, in bytes. With it, a place fills a line of the processor's cache.
const ROOM: usize = 51;

/// Each key has one place, by its hash, and replaces the previous key there.
#[derive(Default)]
pub(super) struct KeyedLands {
    places: OnceLock<Box<[Place]>>,
}

#[derive(Default)]
#[repr(align(64))]
struct Place(Mutex<Entry>);

/// A key and its land. The key is empty if there is none.
struct Entry {
    land: LandId,
    length: u8,
    key: [u8; ROOM],
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            land: LandId(0),
            length: 0,
            key: [0; ROOM],
        }
    }
}

impl KeyedLands {
    /// The land with a key, if it is known.
    pub(super) fn find(&self, key: Key<'_>) -> Option<LandId> {
        // `None` as well if another thread is accessing the place.
        let entry = self.place(key).0.try_lock().ok()?;
        (entry.key[..usize::from(entry.length)] == *key.bytes).then_some(entry.land)
    }

    /// Keeps the land with a key.
    pub(super) fn keep(&self, key: Key<'_>, land: LandId) {
        let mut kept = [0; ROOM];
        if let Some(part) = kept.get_mut(..key.bytes.len())
            && let Ok(mut entry) = self.place(key).0.try_lock()
        {
            part.copy_from_slice(key.bytes);
            *entry = Entry {
                land,
                length: key.bytes.len() as u8,
                key: kept,
            };
        }
    }

    fn place(&self, key: Key<'_>) -> &Place {
        let places = self
            .places
            .get_or_init(|| (0..PLACES).map(|_| Place::default()).collect());
        &places[key.hash as usize % PLACES]
    }

    /// The memory of the cache, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.places.get().map_or(0, |places| size_of_val(&**places))
    }
}
