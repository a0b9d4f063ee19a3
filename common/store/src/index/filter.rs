//! A Bloom filter whose bits for one hash share a line of the processor's cache.
//!
//! Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters, 2009. With ten bits for each hash, about
//! one in a hundred absent hashes passes.

use super::KeyHash;

const BITS_PER_HASH: usize = 10;
const WORDS: usize = 8;
const PROBES: usize = 6;
const LINES_AT_A_TIME: usize = 1 << 12;

/// A line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Line([u64; WORDS]);

/// A set of hashes with false positives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    lines: Vec<Line>,
}

impl Filter {
    /// An empty filter with room for `hashes` hashes.
    pub(super) fn with_room(hashes: usize) -> Self {
        let lines = Self::size(hashes) / size_of::<Line>();
        Self {
            lines: vec![Line([0; WORDS]); lines],
        }
    }

    /// The size of a filter with room for `hashes` hashes, in bytes.
    pub(super) fn size(hashes: usize) -> usize {
        (hashes * BITS_PER_HASH).div_ceil(64 * WORDS).max(1) * size_of::<Line>()
    }

    /// Its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.lines)
    }

    pub(super) fn add(&mut self, hash: KeyHash) {
        let line = self.line(hash);
        for (word, bit) in probes(hash) {
            self.lines[line].0[word] |= bit;
        }
    }

    /// Whether the hash was added. May be true for an absent hash.
    pub(super) fn may_have(&self, hash: KeyHash) -> bool {
        let Line(line) = &self.lines[self.line(hash)];
        probes(hash).all(|(word, bit)| line[word] & bit != 0)
    }

    fn line(&self, hash: KeyHash) -> usize {
        ((u128::from(hash.spread()) * self.lines.len() as u128) >> 64) as usize
    }

    /// Passes the bytes to `each` in parts, so that they are never in memory as a whole.
    pub(super) fn write<E>(&self, mut each: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        for line in &self.lines {
            each(line.0.map(u64::to_le_bytes).as_flattened())?;
        }
        Ok(())
    }

    /// Reads a filter with room for `hashes` hashes. `fill` fills its buffer with the next bytes.
    pub(super) fn read<E>(
        hashes: usize,
        mut fill: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut filter = Self::with_room(hashes);
        let mut buffer = vec![0; LINES_AT_A_TIME * size_of::<Line>()];
        for lines in filter.lines.chunks_mut(LINES_AT_A_TIME) {
            let bytes = &mut buffer[..size_of_val(lines)];
            fill(bytes)?;
            let (words, _) = bytes.as_chunks();
            for (line, words) in lines.iter_mut().zip(words.as_chunks().0) {
                *line = Line(words.map(u64::from_le_bytes));
            }
        }
        Ok(filter)
    }
}

/// The bits of a hash in its line.
fn probes(hash: KeyHash) -> impl Iterator<Item = (usize, u64)> {
    // These bits are independent of those that choose the line.
    let bits = hash.spread().wrapping_mul(0xff51_afd7_ed55_8ccd) >> 8;
    (0..PROBES).map(move |probe| {
        let place = (bits >> (9 * probe)) as usize % (64 * WORDS);
        (place / 64, 1 << (place % 64))
    })
}
