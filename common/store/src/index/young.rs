//! The newest part of the index, in memory.
//!
//! Doubling a large hash table blocks all readers, so there are [`SHARDS`] tables. Their shares of the
//! hashes grow by a constant factor, the last nearly twice the first, so that they double one after the
//! other at even intervals.

use super::{Entry, KeyHash};
use hashbrown::HashTable;

const SHARDS: usize = 64;

/// A multiset of entries.
#[derive(Clone, Debug)]
pub(super) struct Young {
    shards: Box<[HashTable<Entry>]>,
    len: usize,
}

impl Default for Young {
    fn default() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| HashTable::new()).collect(),
            len: 0,
        }
    }
}

impl Young {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.shards.iter().map(HashTable::allocation_size).sum()
    }

    /// The blocks of entries with this hash, unordered.
    pub(super) fn blocks(&self, hash: KeyHash) -> impl Iterator<Item = u64> + '_ {
        self.shards[shard(hash)]
            .iter_hash(hash.spread())
            .filter(move |entry| entry.hash == hash)
            .map(|entry| entry.block)
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        let shard = &mut self.shards[shard(entry.hash)];
        shard.insert_unique(entry.hash.spread(), entry, |entry| entry.hash.spread());
        self.len += 1;
    }

    /// Removes one copy of an entry, which must be there.
    pub(super) fn remove(&mut self, entry: Entry) {
        let shard = &mut self.shards[shard(entry.hash)];
        match shard.find_entry(entry.hash.spread(), |other| *other == entry) {
            Ok(found) => {
                found.remove();
                self.len -= 1;
            }
            Err(_) => debug_assert!(false, "there is no {entry:?}"),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.shards.iter().flatten().copied()
    }

    /// All entries in ascending order.
    pub(super) fn sorted(&self) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.len);
        entries.extend(self.iter());
        entries.sort_unstable();
        entries
    }
}

/// The fraction x of all hashes below this one maps to x + x (1 - x) / 3 of all shards, a cheap
/// approximation of the logarithm of 1 + x to the base two.
fn shard(hash: KeyHash) -> usize {
    let part = hash.0 >> 32;
    let bend = (part * ((1 << 32) - part)) >> 32;
    let place = part + bend / 3;
    ((place * SHARDS as u64) >> 32) as usize
}

#[cfg(test)]
#[path = "young_tests.rs"]
mod tests;
