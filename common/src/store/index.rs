//! Which block holds a key: 32 bits of the key's hash and the number of the block.
//!
//! The index is a multiset of such pairs, one for each distinct key. It only proposes blocks: two
//! keys may share their 32 bits (at 100 million records two absent keys in a hundred meet a
//! stranger), so a hit counts once the key's bytes have been found in the block.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// Tests keep few bits of the hash, so that keys meet.
const HASH_MASK: u32 = if cfg!(test) { 0x3fff } else { u32::MAX };

/// The part of a key's hash that the index keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyHash(u32);

impl KeyHash {
    pub(super) fn of(key: &[u8]) -> Self {
        Self(xxh3_64(key) as u32 & HASH_MASK)
    }

    /// The table takes a bucket from the low bits and a tag from the highest seven.
    fn spread(self) -> u64 {
        u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The block number is split so that an entry takes 12 bytes, not 16.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    hash: KeyHash,
    block: [u32; 2],
}

impl Entry {
    fn new(hash: KeyHash, block: u64) -> Self {
        Self {
            hash,
            block: [block as u32, (block >> 32) as u32],
        }
    }

    fn block(self) -> u64 {
        u64::from(self.block[0]) | u64::from(self.block[1]) << 32
    }
}

/// One entry for each distinct key in the store.
#[derive(Default)]
pub(super) struct Index {
    entries: HashTable<Entry>,
}

impl Index {
    /// The number of distinct keys.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The blocks that may hold a key with this hash, in no order.
    pub(super) fn candidates(&self, hash: KeyHash) -> impl Iterator<Item = u64> + '_ {
        self.entries
            .iter_hash(hash.spread())
            .filter(move |entry| entry.hash == hash)
            .map(|entry| entry.block())
    }

    /// Notes that the key with this hash, in block `from` until now or new, is in block `to`.
    ///
    /// Which key is meant need not be known: entries of one hash and block are interchangeable.
    pub(super) fn place(&mut self, hash: KeyHash, from: Option<u64>, to: u64) {
        let new = Entry::new(hash, to);
        if let Some(from) = from {
            let old = Entry::new(hash, from);
            if let Some(entry) = self.entries.find_mut(hash.spread(), |entry| *entry == old) {
                *entry = new;
                return;
            }
            debug_assert!(false, "block {from} has no entry for {hash:?}");
        }
        self.entries
            .insert_unique(hash.spread(), new, |entry| entry.hash.spread());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_small() {
        assert_eq!(size_of::<Entry>(), 12);
        assert_eq!(Entry::new(KeyHash(1), u64::MAX - 7).block(), u64::MAX - 7);
    }

    #[test]
    fn keys_of_one_hash_are_kept_apart_by_block() {
        let hash = KeyHash(7);
        let mut index = Index::default();
        index.place(hash, None, 1);
        index.place(hash, None, 1);
        index.place(hash, None, 2);
        index.place(hash, Some(1), 3);
        let mut blocks: Vec<u64> = index.candidates(hash).collect();
        blocks.sort_unstable();
        assert_eq!(blocks, [1, 2, 3]);
        assert_eq!(index.len(), 3);
        assert_eq!(index.candidates(KeyHash(8)).count(), 0);
    }
}
