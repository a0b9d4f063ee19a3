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

/// When the cache has this many entries it is emptied.
const MOST_KEPT: usize = 1 << 15;

/// The shapes of regions and, for each slot, the name of the letter in it.
#[derive(Default)]
pub(super) struct ShapeCache {
    kept: RwLock<Kept>,
}

#[derive(Default)]
struct Kept {
    shapes: FxHashMap<KeyBytes, (ShapeId, Labels)>,
    /// The heap memory of keys, in bytes.
    heap: usize,
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
                        let place = key.name(u8::try_from(number).ok()?);
                        FIRST_LETTER.checked_add(place)?
                    }
                };
                key.bytes.push(byte);
            }
            key.bytes.push(END_OF_BOUNDARY);
        }
        Some(key)
    }

    /// The name of a letter, which is added if it is new.
    fn name(&mut self, letter: u8) -> u8 {
        let place = self.place(letter);
        if usize::from(place) == self.letters.len() {
            self.letters.push(letter);
        }
        place
    }

    /// The place of a letter among those met, or the number of these.
    fn place(&self, letter: u8) -> u8 {
        let place = self.letters.iter().position(|&other| other == letter);
        place.unwrap_or(self.letters.len()) as u8
    }
}

impl ShapeCache {
    /// The shape of a region, and the letters in its slots, if they are known.
    pub(super) fn find(&self, key: &RegionKey) -> Option<(ShapeId, Labels)> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let &(shape, places) = kept.shapes.get(&key.bytes)?;
        let letter = |place: u8| key.letters[usize::from(place)];
        Some((shape, places.map(letter)))
    }

    /// Keeps the shape of a region, and the letters in its slots.
    pub(super) fn keep(&self, key: RegionKey, shape: ShapeId, labels: Labels) {
        let places = labels.map(|letter| key.place(letter));
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.shapes.len() == MOST_KEPT {
            *kept = Kept::default();
        }
        if key.bytes.spilled() {
            kept.heap += key.bytes.capacity();
        }
        kept.shapes.insert(key.bytes, (shape, places));
    }

    pub(super) fn bytes(&self) -> usize {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let slot = size_of::<(KeyBytes, (ShapeId, Labels))>() + 1;
        kept.shapes.capacity() * slot + kept.heap
    }
}
