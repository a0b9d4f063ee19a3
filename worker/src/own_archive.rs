//! The own store as searches read it.

use std::sync::Weak;
use std::sync::atomic::{AtomicU64, Ordering};

use sproutnet_game::Lands;
use sproutnet_solver::play::{Archive, Record};
use sproutnet_store::Store;

/// The number of records between two checks whether the archive is still in use.
const BETWEEN_CHECKS: usize = 4096;

/// The own store as an archive that holds the coordinator's records, with a filter of their lands. The filter tells a
/// search which of the lands that it has not met are worth a look-up, as facts in memory would.
pub(crate) struct OwnArchive {
    store: Store,
    /// The coordinator's block up to which the store had the feed at first.
    pub(crate) fed: u64,
    lands: LandFilter,
}

impl OwnArchive {
    /// An archive that has the feed up to that block, with a filter of that size in bytes, which is empty at first.
    pub(crate) fn new(store: Store, fed: u64, filter: usize) -> Self {
        Self {
            store,
            fed,
            lands: LandFilter::new(filter),
        }
    }

    /// Notes the lands of records that are in the store.
    pub(crate) fn note<'a>(&self, keys: impl Iterator<Item = &'a [u8]>) {
        for key in keys {
            // The game does not matter: a filter may be wrong, and only in one direction.
            if let Some((_, [play, land @ ..])) = key.split_first()
                && *play == b'n'
            {
                self.lands.insert(Lands::hash_of(land));
            }
        }
    }

    /// Notes the lands of all records in the store, as long as the archive is in use. Searches may begin before the end.
    pub(crate) fn note_all(this: &Weak<Self>) {
        let Some(mut records) = this.upgrade().map(|archive| archive.store.iter()) else {
            return;
        };
        while let Some(archive) = this.upgrade() {
            let next: Vec<Record> = records
                .by_ref()
                .take(BETWEEN_CHECKS)
                .filter_map(|sourced| Some(sourced.ok()?.record))
                .collect();
            if next.is_empty() {
                return;
            }
            archive.note(next.iter().map(|record| &*record.key));
        }
    }
}

impl Archive for OwnArchive {
    fn value(&self, key: &[u8]) -> Option<u64> {
        self.store.value(key)
    }

    fn is_verified(&self, record: &Record) -> bool {
        self.store.is_verified(record)
    }

    fn may_know(&self, land: u128) -> bool {
        self.lands.may_have(land)
    }
}

/// A Bloom filter of lands, by their hashes: three bits of one word each (Putze, Sanders and Singler 2009). It says of one
/// in a hundred absent lands that it may be there when it has a land for every 16 bits.
struct LandFilter(Box<[AtomicU64]>);

impl LandFilter {
    fn new(bytes: usize) -> Self {
        let words = (bytes / size_of::<u64>()).max(1);
        Self((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    fn insert(&self, hash: u128) {
        let (word, bits) = self.place(hash);
        word.fetch_or(bits, Ordering::Relaxed);
    }

    fn may_have(&self, hash: u128) -> bool {
        let (word, bits) = self.place(hash);
        word.load(Ordering::Relaxed) & bits == bits
    }

    /// The word of a land, and its bits there.
    fn place(&self, hash: u128) -> (&AtomicU64, u64) {
        let (high, low) = ((hash >> 64) as u64, hash as u64);
        let word = (u128::from(high) * self.0.len() as u128) >> 64;
        let bit = |shift: u32| 1 << (low >> shift & 63);
        (&self.0[word as usize], bit(0) | bit(6) | bit(12))
    }
}

#[cfg(test)]
mod tests;
