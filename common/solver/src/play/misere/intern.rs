//! An append-only hash-consing table: equal keys get one index, and an index is read without a
//! lock.
//!
//! Entries never move and are never dropped before the table, so a reader gets a plain reference. Only the step from
//! key to index takes a lock, on one of [`SHARDS`] shards.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{OnceLock, RwLock, RwLockReadGuard};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::xxh3_128;

use super::tree::Tree;
use sproutnet_game::slots::Slots;

/// A hash that identifies a game or a sum, the same in every table and process.
///
/// It is the key of proved outcomes, so it has 128 bits. It is kept as bytes: a `u128` would be aligned to 16, and make
/// entries larger.
pub(super) struct Mark([u8; 16]);

impl Mark {
    /// The sum of marks. It does not depend on their order, but on their multiplicities.
    pub(super) fn of_sum(marks: impl Iterator<Item = u128>) -> Self {
        Self(marks.fold(0, u128::wrapping_add).to_le_bytes())
    }

    /// A pseudorandom mark, so that no mark is a sum of others.
    pub(super) fn hashed(&self) -> Self {
        Self(xxh3_128(&self.0).to_le_bytes())
    }

    pub(super) fn get(&self) -> u128 {
        u128::from_le_bytes(self.0)
    }
}

/// The number of independently locked parts of an index.
pub(super) const SHARDS: usize = 64;

/// One past the largest index, so that an index and one flag bit fit 32 bits.
const CAPACITY: u32 = 1 << 31;

/// Entries of type `T`, each found by the sequence of games it contains.
pub(super) struct Interner<T> {
    shards: [RwLock<HashTable<u32>>; SHARDS],
    entries: Slots<OnceLock<T>>,
    next: AtomicU32,
    /// The memory of the keys in entries, in bytes.
    keys: AtomicUsize,
}

/// The hash of a key, and its shard. The shard uses other bits than the bucket and the tag inside the shard's table.
pub(super) fn shard_of<K: Hash + ?Sized>(key: &K) -> (u64, usize) {
    let hash = FxBuildHasher.hash_one(key);
    (hash, (hash >> 48) as usize % SHARDS)
}

fn read(shard: &RwLock<HashTable<u32>>) -> RwLockReadGuard<'_, HashTable<u32>> {
    let table = shard.read();
    table.expect("only a full table panics under a shard's lock")
}

impl<T: Borrow<[Tree]>> Interner<T> {
    pub(super) fn new() -> Self {
        Self {
            shards: std::array::from_fn(|_| RwLock::new(HashTable::new())),
            entries: Slots::default(),
            next: AtomicU32::new(0),
            keys: AtomicUsize::new(0),
        }
    }

    /// The number of entries. During an insertion it may already include the new one.
    pub(super) fn len(&self) -> usize {
        self.next.load(Ordering::Acquire) as usize
    }

    /// The entry at an index that [`Self::intern_with`] returned.
    ///
    /// # Panics
    /// The index is of another table.
    pub(super) fn get(&self, index: u32) -> &T {
        let entry = self.entries.at(index).get();
        entry.expect("an index is handed out only after its entry is written")
    }

    /// The index of the entry with this key, if any.
    pub(super) fn find(&self, key: &[Tree]) -> Option<u32> {
        let (hash, shard) = shard_of(key);
        let same = |&index: &u32| self.get(index).borrow() == key;
        read(&self.shards[shard]).find(hash, same).copied()
    }

    /// The approximate memory of the entries and their keys, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let shards = self.shards.iter();
        let tables = shards.map(|shard| read(shard).allocation_size());
        tables.sum::<usize>() + self.entries.bytes() + self.keys.load(Ordering::Relaxed)
    }

    /// The index of the entry with this key. `make` builds a missing entry. It runs outside the locks, and its entry is
    /// dropped when another thread was faster.
    pub(super) fn intern_with(&self, key: &[Tree], make: impl FnOnce() -> T) -> u32 {
        if let Some(index) = self.find(key) {
            return index;
        }
        let entry = make();
        debug_assert!(entry.borrow() == key);
        let (hash, shard) = shard_of(key);
        let same = |&index: &u32| self.get(index).borrow() == key;
        let mut table = self.shards[shard]
            .write()
            .expect("only a full table panics under a shard's lock");
        if let Some(&index) = table.find(hash, same) {
            return index;
        }
        let index = self.push(entry);
        table.insert_unique(hash, index, |&other| shard_of(self.get(other).borrow()).0);
        index
    }

    fn push(&self, entry: T) -> u32 {
        let index = self.next.fetch_add(1, Ordering::AcqRel);
        assert!(index < CAPACITY, "the table is full: 2^31 entries");
        let key_bytes = size_of_val(entry.borrow());
        self.keys.fetch_add(key_bytes, Ordering::Relaxed);
        let fresh = self.entries.at(index).set(entry).is_ok();
        debug_assert!(fresh, "every index is handed out once");
        index
    }
}

#[cfg(test)]
mod tests;
