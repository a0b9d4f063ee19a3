//! A cache of encodings, so that a land that occurs again soon is not labelled again.
//!
//! The key of a land is its regions in the order of their shapes' numbers, with letters named in the
//! order of occurrence. One land can have several keys, but a key belongs to one land.

use std::hash::Hasher;
use std::sync::{Mutex, OnceLock};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::super::shapes::ShapeId;
use super::Region;
use crate::Key;

#[cfg(test)]
mod tests;

const PLACES: usize = 1 << 13;

/// Each land has one place, by the hash of its key, and replaces the previous land there.
#[derive(Default)]
pub(in super::super) struct EncodingCache {
    places: OnceLock<Box<[Mutex<Entry>]>>,
}

/// The key and the encoding of a land. Both are empty if there is none.
#[derive(Default)]
struct Entry {
    key: SmallVec<[u8; 56]>,
    bytes: SmallVec<[u8; 40]>,
}

/// The maximum length of a kept key, in bytes, and the maximum number of regions of a kept land.
const ROOM: usize = 128;
const MOST_REGIONS: usize = 16;

pub(super) struct LandKey {
    bytes: [u8; ROOM],
    size: usize,
    hash: u64,
}

impl LandKey {
    /// The key of the land of these regions. `None` if it is too large.
    pub(super) fn of(regions: &[Region]) -> Option<Self> {
        let mut ordered = [regions.first()?; MOST_REGIONS];
        for (count, region) in regions.iter().enumerate() {
            let mut place = count;
            if count == MOST_REGIONS {
                return None;
            }
            while place > 0 && region.shape < ordered[place - 1].shape {
                ordered[place] = ordered[place - 1];
                place -= 1;
            }
            ordered[place] = region;
        }
        let mut names = [u8::MAX; 256];
        let mut next = 0;
        let mut bytes = [0; ROOM];
        let mut size = 0;
        for region in &ordered[..regions.len()] {
            // The shape determines the number of letters.
            let (shape, labels) = bytes[size..].split_first_chunk_mut()?;
            *shape = region.shape.to_le_bytes();
            let labels = labels.get_mut(..region.labels.len())?;
            for (named, &label) in labels.iter_mut().zip(region.labels.iter()) {
                let name = &mut names[usize::from(label)];
                if *name == u8::MAX {
                    *name = next;
                    next += 1;
                }
                *named = *name;
            }
            size += size_of::<ShapeId>() + region.labels.len();
        }
        let mut hasher = FxHasher::default();
        hasher.write(&bytes[..size]);
        Some(Self {
            bytes,
            size,
            hash: hasher.finish(),
        })
    }

    /// The key for the sink of options.
    pub(super) fn key(&self) -> Key<'_> {
        Key {
            bytes: &self.bytes[..self.size],
            hash: self.hash,
        }
    }

    fn bytes(&self) -> &[u8] {
        self.key().bytes
    }

    fn place(&self) -> usize {
        self.hash as usize % PLACES
    }
}

impl EncodingCache {
    /// Replaces `to` by the bytes of a land, if they are known.
    pub(super) fn find(&self, land: &LandKey, to: &mut SmallVec<[u8; 64]>) -> bool {
        let found = self.at(land.place(), |entry| {
            let is_known = entry.key[..] == *land.bytes();
            if is_known {
                to.clear();
                to.extend_from_slice(&entry.bytes);
            }
            is_known
        });
        found.unwrap_or(false)
    }

    pub(super) fn keep(&self, land: &LandKey, bytes: &[u8]) {
        self.at(land.place(), |entry| {
            entry.key = SmallVec::from_slice(land.bytes());
            entry.bytes = SmallVec::from_slice(bytes);
        });
    }

    /// Accesses the entry at a place. `None` if another thread is accessing it.
    fn at<T>(&self, place: usize, access: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        let places = self
            .places
            .get_or_init(|| (0..PLACES).map(|_| Mutex::default()).collect());
        places[place]
            .try_lock()
            .ok()
            .map(|mut entry| access(&mut entry))
    }

    pub(in super::super) fn bytes(&self) -> usize {
        self.places.get().map_or(0, |places| size_of_val(&**places))
    }
}
