//! Which block holds a key: 32 bits of the key's hash and the number of the block.
//!
//! The index is a multiset of such pairs, one for each distinct key. It only proposes blocks: two
//! keys may share their 32 bits (at 100 million records two absent keys in a hundred meet a
//! stranger), so a hit counts once the key's bytes have been found in the block.
//!
//! A hash table that doubles makes everybody wait: 4 million entries take a quarter of a second. So
//! there are [`SHARDS`] tables, of shares of the hashes that grow from one to the next by a constant
//! factor, the last just short of twice the first. Then they double one after the other, evenly
//! between the doublings of the whole.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

const SHARDS: usize = 256;

/// Tests keep few bits of the hash, so that keys meet.
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

    /// The shard takes the high bits of the hash, the bucket in it depends on the low ones. The part
    /// x of all hashes that is below this one goes to x + x (1 - x) / 3 of all shards, which is near
    /// the logarithm of 1 + x to the base two, and takes a few multiplications.
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

    /// The memory it takes, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.shards.iter().map(HashTable::allocation_size).sum()
    }

    /// The blocks that may hold a key with this hash, in no order.
    pub(super) fn candidates(&self, hash: KeyHash) -> impl Iterator<Item = u64> + '_ {
        self.shards[hash.shard()]
            .iter_hash(hash.spread())
            .filter(move |entry| entry.hash == hash)
            .map(|entry| entry.block())
    }

    /// Notes that the key with this hash, in block `from` until now or new, is in block `to`.
    ///
    /// Which key is meant need not be known: entries of one hash and block are interchangeable.
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

    #[test]
    fn shards_double_one_after_the_other() {
        let mut shares = [0u32; SHARDS];
        for high in 0..=u32::from(u16::MAX) {
            shares[KeyHash(high << 16).shard()] += 1;
        }
        let (first, last) = (f64::from(shares[0]), f64::from(shares[SHARDS - 1]));
        assert!((1.95..2.05).contains(&(last / first)), "{shares:?}");
        let rises = shares.windows(2).all(|pair| pair[0] <= pair[1] + 1);
        assert!(rises, "{shares:?}");
    }
}
