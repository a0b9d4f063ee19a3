//! The newest blocks of the feed in memory, with their digests.
//!
//! In the store, small blocks soon become part of later ones, so two readers at different times find
//! different blocks. Here each block stays as it was sent. So all workers are sent the same blocks, and
//! one can pass on to others what it got.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sha2::{Digest, Sha256};
use sproutnet_notation::Epoch;
use sproutnet_store::Store;

/// The maximum size of all kept blocks, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// So many blocks are read from the store at a time.
const AT_A_TIME: usize = 64;

/// A block of the feed.
pub(crate) struct FeedBlock {
    /// Its number in the store, which is the cursor after it.
    pub(crate) number: u64,
    pub(crate) bytes: Arc<[u8]>,
    digest: OnceLock<[u8; 32]>,
}

impl FeedBlock {
    /// Its SHA-256, computed when it is first needed.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let digest = || Sha256::digest(&self.bytes).into();
        *self.digest.get_or_init(digest)
    }
}

/// The newest blocks of the feed.
#[derive(Default)]
pub(crate) struct FeedLog {
    log: Mutex<Log>,
    pub(crate) counts: Counts,
}

#[derive(Default)]
struct Log {
    epoch: Option<Epoch>,
    /// All blocks that the store showed between this cursor…
    after: u64,
    /// …and this one.
    cursor: u64,
    blocks: VecDeque<Arc<FeedBlock>>,
    bytes: usize,
}

impl FeedLog {
    /// The first blocks above a cursor, at most `most`. `None` if one of them may be missing here.
    pub(crate) fn above(
        &self,
        store: &Store,
        cursor: u64,
        most: usize,
    ) -> Option<Vec<Arc<FeedBlock>>> {
        let mut log = self.log();
        log.read(store);
        let first = log.blocks.partition_point(|block| block.number <= cursor);
        let above = log.blocks.range(first..).take(most);
        (cursor >= log.after).then(|| above.cloned().collect())
    }

    /// A block by its number, if it is here.
    pub(crate) fn get(&self, epoch: Epoch, number: u64) -> Option<Arc<FeedBlock>> {
        let log = self.log();
        let found = log
            .blocks
            .binary_search_by_key(&number, |block| block.number);
        let is_current = log.epoch == Some(epoch);
        found
            .ok()
            .filter(|_| is_current)
            .map(|place| Arc::clone(&log.blocks[place]))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// Takes in what was added to the store.
    fn read(&mut self, store: &Store) {
        let epoch = store.epoch();
        if self.epoch != Some(epoch) {
            self.begin(epoch, store.cursor());
        }
        loop {
            let Some(blocks) = store.newest_after(self.cursor, AT_A_TIME) else {
                // Too many were added since the last time.
                return self.begin(epoch, store.cursor());
            };
            let is_last = blocks.len() < AT_A_TIME;
            for (number, bytes) in blocks {
                self.cursor = number;
                self.bytes += bytes.len();
                self.blocks.push_back(Arc::new(FeedBlock {
                    number,
                    bytes,
                    digest: OnceLock::new(),
                }));
            }
            if is_last {
                break;
            }
        }
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.blocks.pop_front()
        {
            self.bytes -= oldest.bytes.len();
            self.after = oldest.number;
        }
        // Blocks of another epoch may be among them.
        let now = store.epoch();
        if now != epoch {
            self.begin(now, store.cursor());
        }
    }

    fn begin(&mut self, epoch: Epoch, cursor: u64) {
        *self = Self {
            epoch: Some(epoch),
            after: cursor,
            cursor,
            ..Self::default()
        };
    }
}

/// What feeds sent, since the coordinator began.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) blocks: AtomicU64,
    pub(crate) block_bytes: AtomicU64,
    pub(crate) digests: AtomicU64,
    pub(crate) fetched: AtomicU64,
    pub(crate) fetched_bytes: AtomicU64,
}

/// What feeds sent, since the coordinator began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedCounts {
    /// Blocks sent to workers that get them from the coordinator.
    pub blocks: u64,
    /// Their bytes.
    pub block_bytes: u64,
    /// Digests sent in place of blocks.
    pub digests: u64,
    /// Blocks that workers fetched since their parents did not send them.
    pub fetched: u64,
    /// Their bytes.
    pub fetched_bytes: u64,
}

impl Counts {
    /// Counts one more, of so many bytes.
    pub(crate) fn count(counter: &AtomicU64, bytes: &AtomicU64, length: usize) {
        counter.fetch_add(1, Ordering::Relaxed);
        bytes.fetch_add(length as u64, Ordering::Relaxed);
    }

    /// The counters now.
    pub(crate) fn now(&self) -> FeedCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        FeedCounts {
            blocks: read(&self.blocks),
            block_bytes: read(&self.block_bytes),
            digests: read(&self.digests),
            fetched: read(&self.fetched),
            fetched_bytes: read(&self.fetched_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_as_they_were_sent() {
        use sproutnet_solver::play::merge;
        use sproutnet_store::{OWN, Sourced, Worth};

        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path(), &sproutnet_game::encodings()).expect("a store");
        let log = FeedLog::default();
        assert_eq!(log.above(&store, 0, 8).expect("all of nothing").len(), 0);
        let mut sent = 0;
        for key in 0..5 {
            let key = [b's', b'n', key];
            let new = Sourced {
                key: &key,
                value: 1,
                worth: Worth::LEAST,
                source: OWN,
            };
            let rule = |key: &[u8], known, new| merge(key, known, new).ok();
            store.merge(&[new], rule).expect("it is stored");
            sent += log.above(&store, store.cursor() - 1, 8).expect("all").len();
        }
        assert_eq!(sent, 5);
        assert_eq!(log.above(&store, 0, 8).expect("all").len(), 5);
        let in_store = store.newest_after(0, 8).expect("all");
        assert!(in_store.len() < 5, "the store makes one of several");
        let first = log.get(store.epoch(), 1).expect("it is kept");
        assert_eq!(
            first.digest(),
            <[u8; 32]>::from(Sha256::digest(&first.bytes))
        );
        assert!(log.get(Epoch(7), 1).is_none());
    }
}
