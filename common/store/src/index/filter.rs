//! A Bloom filter whose bits for one hash share a line of the processor's cache.
//!
//! Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters, 2009. With ten bits for each
//! hash, about one of a hundred absent hashes passes.

use super::KeyHash;

const BITS_PER_HASH: usize = 10;
const WORDS: usize = 8;
const PROBES: usize = 6;

/// A set of hashes that may seem to have others, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    lines: Vec<[u64; WORDS]>,
}

impl Filter {
    /// An empty filter with room for that many hashes.
    pub(super) fn with_room(hashes: usize) -> Self {
        let lines = (hashes * BITS_PER_HASH).div_ceil(64 * WORDS).max(1);
        Self {
            lines: vec![[0; WORDS]; lines],
        }
    }

    /// The size in bytes of a filter with room for that many hashes.
    pub(super) fn size(hashes: usize) -> usize {
        (hashes * BITS_PER_HASH).div_ceil(64 * WORDS).max(1) * WORDS * size_of::<u64>()
    }

    /// Its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.lines)
    }

    pub(super) fn add(&mut self, hash: KeyHash) {
        let line = self.line(hash);
        for (word, bit) in probes(hash) {
            self.lines[line][word] |= bit;
        }
    }

    /// Whether the hash was added, or seems so.
    pub(super) fn may_have(&self, hash: KeyHash) -> bool {
        let line = &self.lines[self.line(hash)];
        probes(hash).all(|(word, bit)| line[word] & bit != 0)
    }

    fn line(&self, hash: KeyHash) -> usize {
        ((u128::from(hash.spread()) * self.lines.len() as u128) >> 64) as usize
    }

    /// Its bytes, as [`read`](Self::read) takes them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let words = self.lines.iter().flatten();
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    pub(super) fn read(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        let (lines, _) = words.as_chunks::<WORDS>();
        let lines = lines.iter().map(|line| line.map(u64::from_le_bytes));
        Self {
            lines: lines.collect(),
        }
    }
}

/// The bits of a hash in its line.
fn probes(hash: KeyHash) -> impl Iterator<Item = (usize, u64)> {
    // Other bits than those that choose the line.
    let bits = hash.spread().wrapping_mul(0xff51_afd7_ed55_8ccd) >> 8;
    (0..PROBES).map(move |probe| {
        let place = (bits >> (9 * probe)) as usize % (64 * WORDS);
        (place / 64, 1 << (place % 64))
    })
}
