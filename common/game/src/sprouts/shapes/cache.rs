//! A cache of the shapes of raw regions. The key of a region is its spots as they stand, with letters
//! named in the order of occurrence.

use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::super::labels::Labels;
use super::ShapeId;
use sproutnet_notation::raw::RawPosition;

#[cfg(test)]
mod tests;

/// The number of entries at which the cache is emptied.
const MOST_KEPT: usize = 1 << 15;

/// The shapes of regions and, for each slot, the name of the letter in it.
#[derive(Default)]
pub(super) struct ShapeCache {
    kept: RwLock<FxHashMap<KeyBytes, (ShapeId, Labels)>>,
}

/// A byte for each spot, and one for the end of each boundary.
type KeyBytes = SmallVec<[u8; 24]>;

const END_OF_BOUNDARY: u8 = 4;
const FIRST_LETTER: u8 = 5;

pub(super) struct RegionKey {
    bytes: KeyBytes,
    /// The letters of the region, in the order of occurrence.
    letters: SmallVec<[u8; 16]>,
}

impl RegionKey {
    /// The key of a region. `None` if the number of a letter is too large.
    pub(super) fn of(raw: &RawPosition, region: usize) -> Option<Self> {
        let mut key = Self {
            bytes: KeyBytes::new(),
            letters: SmallVec::new(),
        };
        for boundary in raw.boundaries(region) {
            key.bytes.reserve(boundary.len() + 1);
            for &spot in boundary {
                let byte = match spot.number() {
                    None => spot.lives() as u8,
                    Some(number) => {
                        let letter = u8::try_from(number).ok()?;
                        let place = key.place(letter);
                        if usize::from(place) == key.letters.len() {
                            key.letters.push(letter);
                        }
                        FIRST_LETTER.checked_add(place)?
                    }
                };
                key.bytes.push(byte);
            }
            key.bytes.push(END_OF_BOUNDARY);
        }
        Some(key)
    }

    /// The place of a letter among the met ones, or their number.
    fn place(&self, letter: u8) -> u8 {
        let place = self.letters.iter().position(|&other| other == letter);
        place.unwrap_or(self.letters.len()) as u8
    }
}

impl ShapeCache {
    /// The shape of a region, and the letters in its slots, if they are known.
    pub(super) fn find(&self, key: &RegionKey) -> Option<(ShapeId, Labels)> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let &(shape, places) = kept.get(&key.bytes)?;
        let letter = |place: u8| key.letters[usize::from(place)];
        Some((shape, places.map(letter)))
    }

    /// Keeps the shape of a region, and the letters in its slots.
    pub(super) fn keep(&self, key: RegionKey, shape: ShapeId, labels: Labels) {
        let places = labels.map(|letter| key.place(letter));
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST_KEPT {
            *kept = FxHashMap::default();
        }
        kept.insert(key.bytes, (shape, places));
    }

    /// The memory of the cache, in bytes, without the heap memory of long keys.
    pub(super) fn bytes(&self) -> usize {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.capacity() * (size_of::<(KeyBytes, (ShapeId, Labels))>() + 1)
    }
}
