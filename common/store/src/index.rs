//! The index: for each key, 32 bits of its hash and the number of its block.
//!
//! The index is a multiset of such pairs, one for each distinct key. It only proposes blocks, since
//! keys may share their 32 bits: at 100 million records, 2 % of absent keys get a proposal. A hit
//! counts once the key is found in the block.
//!
//! Doubling a large hash table blocks all readers: 4 million entries take a quarter of a second. So
//! there are [`SHARDS`] tables. Their shares of the hashes grow by a constant factor, the last nearly
//! twice the first, so that they double one after the other at even intervals.

use super::{Content, StoreError, Stored, block, corrupt};
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

const SHARDS: usize = 256;

/// Tests keep few bits of the hash, so that keys collide.
const HASH_MASK: u32 = if cfg!(test) { 0xfc00_00ff } else { u32::MAX };

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

    /// The shard depends on the high bits of the hash, the bucket in it on the low ones. The fraction
    /// x of all hashes below this one maps to x + x (1 - x) / 3 of all shards, a cheap approximation
    /// of the logarithm of 1 + x to the base two.
    fn shard(self) -> usize {
        let part = u64::from(self.0);
        let bend = (part * ((1 << 32) - part)) >> 32;
        let place = part + bend / 3;
        ((place * SHARDS as u64) >> 32) as usize
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
pub(super) struct Index {
    shards: Box<[HashTable<Entry>]>,
    len: usize,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| HashTable::new()).collect(),
            len: 0,
        }
    }
}

impl Index {
    /// The number of distinct keys.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The memory of the index, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.shards.iter().map(HashTable::allocation_size).sum()
    }

    /// The blocks that may hold a key with this hash, unordered.
    pub(super) fn candidates(&self, hash: KeyHash) -> impl Iterator<Item = u64> + '_ {
        self.shards[hash.shard()]
            .iter_hash(hash.spread())
            .filter(move |entry| entry.hash == hash)
            .map(|entry| entry.block())
    }

    /// Moves the key with this hash from block `from`, or from nowhere, to block `to`. Entries of one
    /// hash and block are interchangeable, so the key itself is not needed.
    pub(super) fn place(&mut self, hash: KeyHash, from: Option<u64>, to: u64) {
        let new = Entry::new(hash, to);
        let shard = &mut self.shards[hash.shard()];
        if let Some(from) = from {
            let old = Entry::new(hash, from);
            if let Some(entry) = shard.find_mut(hash.spread(), |entry| *entry == old) {
                *entry = new;
                return;
            }
            debug_assert!(false, "block {from} has no entry for {hash:?}");
        }
        shard.insert_unique(hash.spread(), new, |entry| entry.hash.spread());
        self.len += 1;
    }
}

/// A key to look up, and the result.
pub(super) struct Sought<'a> {
    pub(super) key: &'a [u8],
    pub(super) hash: KeyHash,
    /// The newest block that holds the key, and the value in it.
    pub(super) found: Option<(u64, Stored)>,
}

impl<'a> Sought<'a> {
    pub(super) fn new(key: &'a [u8]) -> Self {
        Self {
            key,
            hash: KeyHash::of(key),
            found: None,
        }
    }

    /// Whether the newest block that holds the key is this one.
    pub(super) fn is_in(&self, number: u64) -> bool {
        self.found.is_some_and(|(block, _)| block == number)
    }
}

/// Looks up keys, given in ascending order. Each block is read once.
pub(super) fn find_all(
    blocks: &sled::Tree,
    content: &Content,
    keys: &mut [Sought<'_>],
) -> Result<(), StoreError> {
    let mut proposed: Vec<(u64, usize)> = Vec::new();
    for (place, sought) in keys.iter().enumerate() {
        let candidates = content.index.candidates(sought.hash);
        proposed.extend(candidates.map(|number| (number, place)));
    }
    // Older blocks come first, so that the result of the newest remains.
    proposed.sort_unstable();
    proposed.dedup();
    for of_block in proposed.chunk_by(|a, b| a.0 == b.0) {
        let number = of_block[0].0;
        let bytes = super::block_bytes(blocks, number)?;
        let mut finder = block::Finder::new(&bytes).map_err(corrupt(number))?;
        for &(_, place) in of_block {
            let sought = &mut keys[place];
            if let Some(stored) = finder.find(sought.key).map_err(corrupt(number))? {
                sought.found = Some((number, stored));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
