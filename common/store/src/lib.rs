//! Solved records on disk.
//!
//! A [`Store`] maps canonical keys to values and keeps who proved them. Records come in by
//! [`Store::merge`], in bulk, and stay, which the layout uses: a few hundred records, sorted, make a
//! [`block`], and sled keeps blocks under ascending sequence numbers. One record per sled key would
//! take several times the space. Only when somebody is found to have told what is not true, all
//! that came in since is taken back at once: [`Store::withdraw_after`].
//!
//! | tree        | key                         | value                                     |
//! |-------------|-----------------------------|-------------------------------------------|
//! | `meta`      | `format`, `id`              | version of this layout; a random number   |
//! | `meta`      | `created`                   | when the store was made                   |
//! | `meta`      | `epoch`                     | how often records were withdrawn          |
//! | `meta`      | `encoding/` and a name      | version of that canonical encoding        |
//! | `blocks`    | sequence number, big-endian | a block                                   |
//! | `documents` | a name                      | bytes: small things beside the records    |
//!
//! In memory an index knows for each key the newest block that holds it, 13 bytes a record before
//! the table's slack. It is made anew when the store opens, and is never trusted: the block
//! decides.
//!
//! Blocks do not change. A newer record of a key goes into a later block and the older stays where
//! it is, superseded. Small blocks at the end are merged into later ones; sequence numbers are
//! never used twice. A reader who remembers a sequence number therefore misses nothing by asking
//! for [what came after](Store::blocks_after).
//!
//! Records are visible once they are durable. sled 0.34 notices a process that was killed and
//! repairs what it left, but of a damaged file it may silently keep only a part: a `mark` beside
//! the database tells how much there must be.

mod archive;
mod batch;
pub mod block;
mod census;
mod check;
mod compact;
mod contradiction;
mod disk;
mod documents;
mod error;
mod index;
mod lock;
mod lookup;
mod mark;
mod merge;
mod open;
mod recent;
mod repair;
mod retain;
mod scan;
mod sourced;
mod sources;
mod swap;
pub mod travel;
mod watch;

#[cfg(test)]
mod tests;

pub use batch::Batch;
pub use block::BlockError;
pub use census::{Census, Kinds, Tally};
pub use check::{Checkup, Fault, Faulty, Rules};
pub use compact::{Compacted, compact};
pub use contradiction::{CONTRADICTIONS, KeptContradiction};
pub use documents::DocumentChange;
pub use error::StoreError;
pub use merge::{Conflict, Merged};
pub use recent::NumberedBlock;
pub use repair::Repaired;
pub use sourced::{OWN, Sourced, SourcedRecord, Stored, VERIFIED, number_of};
pub use sources::{Aside, Origin, SourceOfRecords, Sources};
pub use sproutnet_record::Record;
pub use watch::{Step, Watch};

use disk::Disk;
use index::{Index, KeyHash};
use lock::Lock;
use lookup::Sought;
use merge::Writer;
use recent::Recent;
use sled::IVec;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// A store of solved records in a folder. Clones share one store; any thread may use any method.
///
/// The folder is locked while a clone, or an iterator made from one, is alive.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    id: u64,
    epoch: AtomicU64,
    writer: Mutex<Writer>,
    content: RwLock<Content>,
    /// Durable blocks; before readers of `content` learn of them.
    recent: Mutex<Recent>,
    meta: sled::Tree,
    blocks: sled::Tree,
    documents: sled::Tree,
    disk: Disk,
    /// The last to be let go.
    _lock: Arc<Lock>,
}

/// What readers can see. Blocks the index names exist in the database as long as the lock is held.
struct Content {
    index: Index,
    /// The newest durable block.
    cursor: u64,
    /// The number of blocks.
    blocks: u64,
    /// The number of records in all blocks, superseded ones included.
    copies: u64,
}

impl Content {
    /// Notes that there is a new block, and how many records it has.
    fn count_block(&mut self, number: u64, records: usize) {
        self.cursor = number;
        self.blocks += 1;
        self.copies += records as u64;
    }
}

/// How much a store holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The number of distinct keys.
    pub records: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of records in blocks that a newer record of their key has superseded.
    pub superseded: u64,
    /// The memory the index takes, in bytes.
    pub index_bytes: u64,
    /// The space the database takes on disk, documents included, in bytes.
    pub disk_bytes: u64,
}

impl Store {
    /// What is known of `key`, if it is solved.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Stored>, StoreError> {
        let found = self.locate(&self.content(), key)?;
        Ok(found.map(|(_, stored)| stored))
    }

    /// The number of distinct keys.
    pub fn len(&self) -> usize {
        self.content().index.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sequence number of the newest block, zero when there is none: where a reader who has
    /// seen everything stands.
    pub fn cursor(&self) -> u64 {
        self.content().cursor
    }

    /// A random number given to the store when it was created. A cursor means nothing in a store
    /// with another id, such as one rebuilt from an export, nor in another [epoch](Store::epoch).
    pub fn id(&self) -> u64 {
        self.inner.id
    }

    /// When the store was made, in seconds since 1970, if that was noted.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Corrupt`].
    pub fn created_at(&self) -> Result<Option<u64>, StoreError> {
        let created = self.inner.meta.get(open::CREATED_KEY)?;
        let created = created.map(|bytes| open::number(open::CREATED_KEY, &bytes));
        Ok(created.transpose()?.map(u64::from_be_bytes))
    }

    /// How much the store holds.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let disk_bytes = self.inner.disk.size()?;
        let content = self.content();
        let records = content.index.len() as u64;
        Ok(Stats {
            records,
            blocks: content.blocks,
            superseded: content.copies - records,
            index_bytes: content.index.memory() as u64,
            disk_bytes,
        })
    }

    /// What writes, unless a write failed.
    fn writer(&self) -> Result<MutexGuard<'_, Writer>, StoreError> {
        let writer = self.inner.writer.lock();
        // A panic half-way through a write leaves `failed` set.
        let writer = writer.unwrap_or_else(PoisonError::into_inner);
        match writer.failed {
            true => Err(StoreError::WriteFailed),
            false => Ok(writer),
        }
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.inner
            .recent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn content(&self) -> RwLockReadGuard<'_, Content> {
        // A panic while writing is remembered by the writer's lock; what is here stays readable.
        self.inner
            .content
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest block that holds `key`, and what it says.
    fn locate(&self, content: &Content, key: &[u8]) -> Result<Option<(u64, Stored)>, StoreError> {
        let mut sought = [Sought::new(key)];
        lookup::find_all(&self.inner.blocks, content, &mut sought)?;
        let [sought] = sought;
        Ok(sought.found)
    }

    /// The newest block that holds `key`, which must be in the store: when the index proposes just
    /// one block, that is the one.
    fn newest_block(&self, content: &Content, key: &[u8]) -> Result<Option<u64>, StoreError> {
        let mut candidates = content.index.candidates(KeyHash::of(key));
        match (candidates.next(), candidates.next()) {
            (only, None) => Ok(only),
            _ => Ok(self.locate(content, key)?.map(|(block, _)| block)),
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("id", &self.id())
            .field("len", &self.len())
            .field("cursor", &self.cursor())
            .finish_non_exhaustive()
    }
}

/// The block with that number, which is in the database.
fn block_bytes(blocks: &sled::Tree, number: u64) -> Result<IVec, StoreError> {
    blocks
        .get(number.to_be_bytes())?
        .ok_or_else(|| StoreError::Corrupt(format!("block {number} is missing")))
}

/// The sequence number that is the key of a block.
fn block_number(key: &[u8]) -> Result<u64, StoreError> {
    match key.try_into() {
        Ok(bytes) => Ok(u64::from_be_bytes(bytes)),
        Err(_) => Err(StoreError::Corrupt(format!("{key:?} names no block"))),
    }
}
