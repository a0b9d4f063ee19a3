//! Counters of feeds.

use std::sync::atomic::{AtomicU64, Ordering};

/// The blocks sent over feeds since the coordinator started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedCounts {
    /// Blocks sent to workers.
    pub blocks: u64,
    /// The size of these blocks, in bytes.
    pub bytes: u64,
}

/// The counters of all feeds.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    blocks: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    /// Counts a block of `bytes` bytes.
    pub(crate) fn add(&self, bytes: usize) {
        self.blocks.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The counters now.
    pub(crate) fn now(&self) -> FeedCounts {
        FeedCounts {
            blocks: self.blocks.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }
}
