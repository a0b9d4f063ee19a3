//! Lands that were written not long ago, so that one that is met again need not be written anew.
//!
//! They are told apart by their regions, in the order of the numbers of their shapes, with the letters
//! named in the order in which they are met. So one land may be kept in several ways, but what is found
//! is right.

use std::hash::Hasher;
use std::sync::{Mutex, OnceLock, TryLockError};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::super::shapes::ShapeId;
use super::Region;

/// How many are kept, a power of two.
const PLACES: usize = 1 << 13;

/// Each land has one place, by its hash, and takes it from the one that was there.
#[derive(Default)]
pub(in super::super) struct EncodingCache {
    places: OnceLock<Box<[Mutex<Writing>]>>,
}

/// A land as it was met, and the bytes that it is written as; both empty if there is none.
#[derive(Default)]
struct Writing {
    met: Met,
    bytes: SmallVec<[u8; 40]>,
}

type Met = SmallVec<[u8; 56]>;

/// Lands that take more bytes, or have more regions, are not kept.
const ROOM: usize = 128;
const MOST_REGIONS: usize = 16;

/// A land that is met.
pub(super) struct LandKey {
    bytes: [u8; ROOM],
    size: usize,
    place: usize,
}

impl LandKey {
    /// Of a land that consists of these regions. `None` if it is too large.
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
            // The shape tells how many letters there are.
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
            place: hasher.finish() as usize % PLACES,
        })
    }

    fn met(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

impl EncodingCache {
    /// Writes the bytes of a land over `to`, if they are known.
    pub(super) fn find(&self, land: &LandKey, to: &mut SmallVec<[u8; 64]>) -> bool {
        self.at(land.place, |writing| {
            let is_known = writing.met[..] == *land.met();
            if is_known {
                to.clear();
                to.extend_from_slice(&writing.bytes);
            }
            is_known
        })
        .unwrap_or(false)
    }

    /// Keeps the bytes of a land.
    pub(super) fn keep(&self, land: &LandKey, bytes: &[u8]) {
        self.at(land.place, |writing| {
            writing.met = SmallVec::from_slice(land.met());
            writing.bytes = SmallVec::from_slice(bytes);
        });
    }

    /// Does something with what is kept at a place, unless another thread does.
    fn at<T>(&self, place: usize, act: impl FnOnce(&mut Writing) -> T) -> Option<T> {
        let places = self
            .places
            .get_or_init(|| (0..PLACES).map(|_| Mutex::default()).collect());
        match places[place].try_lock() {
            Ok(mut writing) => Some(act(&mut writing)),
            Err(TryLockError::Poisoned(_) | TryLockError::WouldBlock) => None,
        }
    }

    /// About how many bytes of memory they take.
    pub(in super::super) fn bytes(&self) -> usize {
        self.places.get().map_or(0, |places| size_of_val(&**places))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Sprouts;
    use super::super::super::shapes::Shapes;
    use super::super::{encode, of_land};
    use super::*;
    use crate::Game;

    #[test]
    fn lands_met_again_are_known_and_no_others() {
        let shapes = Shapes::default();
        let texts = ["0.A|0.1.A", "0.A|1.1.A", "0.A.B|0.1.A.B", "0.AB|0.1.A.B"];
        let position = |text| Sprouts.parse(text).expect("a position");
        for text in texts {
            let position = position(text);
            let land = position.lands()[0].as_bytes();
            let regions = of_land(land, &shapes).expect("a small land");
            let mut bytes = SmallVec::new();
            let key = LandKey::of(&regions).expect("a small land");
            assert!(!shapes.encoding_cache().find(&key, &mut bytes), "{text}");
            assert!(encode(&regions, &shapes, &mut bytes), "{text}");
            assert_eq!(bytes[..], *land, "{text}");
            let mut renamed = regions.clone();
            renamed.reverse();
            for region in &mut renamed {
                region.labels = region.labels.map(|label| 100 - label);
            }
            let again = LandKey::of(&renamed).expect("a small land");
            bytes.clear();
            assert!(shapes.encoding_cache().find(&again, &mut bytes), "{text}");
            assert_eq!(bytes[..], *land, "{text}");
        }
        assert!(shapes.encoding_cache().bytes() > 0);
    }

    #[test]
    fn what_is_too_large_is_not_met() {
        let labels: super::super::super::labels::Labels = (0..15).collect();
        let region = Region {
            shape: 0,
            labels,
            halves: 0,
        };
        assert!(LandKey::of(&[]).is_none());
        assert!(LandKey::of(&[region; 6]).is_some());
        assert!(LandKey::of(&[region; 7]).is_none());
        let region = Region {
            labels: [0].into_iter().collect(),
            ..region
        };
        assert!(LandKey::of(&[region; MOST_REGIONS]).is_some());
        assert!(LandKey::of(&[region; MOST_REGIONS + 1]).is_none());
    }
}
