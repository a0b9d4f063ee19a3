//! A filter of the lands with numbers: a quick no.

use std::sync::atomic::{AtomicU64, Ordering};

/// A filter of the hashes of lands with numbers. Most imported facts are about other lands; the filter rejects these
/// from the processor's cache while there are fewer than millions of lands.
pub(super) struct SeenHashes(Box<[AtomicU64]>);

impl SeenHashes {
    const WORDS: usize = 1 << 14;

    pub(super) fn empty() -> Self {
        Self((0..Self::WORDS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word and the bit of a hash.
    fn place(&self, hash: u128) -> (&AtomicU64, u64) {
        let hash = hash as u64;
        (&self.0[hash as usize % Self::WORDS], 1 << (hash >> 58))
    }

    /// Adds a hash. Call this before its land can be found.
    pub(super) fn add(&self, hash: u128) {
        let (word, bit) = self.place(hash);
        word.fetch_or(bit, Ordering::SeqCst);
    }

    pub(super) fn may_contain(&self, hash: u128) -> bool {
        let (word, bit) = self.place(hash);
        word.load(Ordering::SeqCst) & bit != 0
    }
}
