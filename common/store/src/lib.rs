//! Solved records on disk.
//!
//! A [`Store`] maps canonical keys to values and remembers the source of each value. Records arrive
//! in bulk through [`Store::merge`] and stay. If a source turns out to have reported false records,
//! [`Store::revoke_after`] removes everything that arrived since.
//!
//! # Dependencies
//!
//! The crate may depend only on `sproutnet-notation` and `sproutnet-record` of this workspace. It does not know the
//! rules of a game or the search: it asks [`RecordRules`](sproutnet_record::RecordRules) about keys and values. No
//! other crate uses sled.
//!
//! # On disk
//!
//! A few hundred records, sorted, form a [`block`], and sled keeps blocks under ascending sequence
//! numbers. One sled entry for each record would take several times the space.
//!
//! | tree        | key                         | value                                     |
//! |-------------|-----------------------------|-------------------------------------------|
//! | `meta`      | `format`, `id`              | version of this layout; a random number   |
//! | `meta`      | `created`                   | when the store was created                |
//! | `meta`      | `epoch`                     | the number of revocations                 |
//! | `meta`      | `timelines`                 | how the store came to its present state   |
//! | `meta`      | `encoding/` and a name      | version of that canonical encoding        |
//! | `meta`      | `numbering`                 | a random number; new numbers of blocks,   |
//! |             |                             | by compacting or repair, change it        |
//! | `blocks`    | sequence number, big-endian | a block                                   |
//! | `documents` | a name                      | bytes: small things beside the records    |
//!
//! Three more files stand beside the database: `lock`, locked while the store is open; `acknowledged`, the high-water
//! mark; and `revoked`, once blocks were revoked. The folder `index` holds most of the index. `docs/explanation/store.md` describes
//! the properties of sled that the store relies on.
//!
//! Blocks never change, except by [shedding](Store::shed) within a [`Budget`]. A newer record of a key goes into a
//! later block; the older one stays in its block, superseded. Small blocks at the end are merged into later ones. A
//! record only moves to a block with a higher sequence number. So a reader that remembers a sequence number misses
//! nothing by asking for [later blocks](Store::blocks_after), if the store has the same [id](Store::id) and
//! [epoch](Store::epoch). After [compacting](fn@compact) or a repair, a number may belong to another block.
//!
//! An index finds the blocks of each key. It only proposes blocks: the block decides. About the newest million records
//! are indexed in memory. The others are in files, with 1.3 bytes a record in memory. The files depend only on the
//! blocks, are never trusted without a check, and are rebuilt if they are lost.
//!
//! # What sled 0.34.7 is relied on for
//!
//! - Ordered trees, scanned by range or prefix in both directions.
//! - Batches that are applied to one tree completely or not at all.
//! - One log for all trees: a write survives a crash only if all earlier writes do.
//! - Recovery after a killed process.
//! - `flush` passes all earlier writes to the operating system. It does not wait for the disk's own
//!   cache, nor for large values; the store syncs those files itself.
//!
//! The store does not rely on sled to notice damage. sled may silently keep only part of a damaged file, so the
//! high-water mark records the expected size. Transactions, subscriptions, merge operators and sled's flush thread are
//! not used.

pub mod block;
mod budget;
mod census;
mod check;
mod compact;
mod copy;
mod database;
mod documents;
mod error;
mod folder;
mod gate;
mod high_water_mark;
mod index;
mod leftovers;
mod merge;
mod open;
mod recent;
mod repair;
mod revoked;
mod rollback;
mod shed;
mod sourced;
mod sources;
mod swap;
mod timeline;
pub mod transfer;
mod turns;
mod walk;

#[cfg(test)]
mod tests;

pub use block::BlockError;
pub use budget::Budget;
pub use census::{Census, Kinds, Tally};
pub use check::{Checkup, DamagedPart, Fault, Rules};
pub use compact::{Compacted, compact};
pub use copy::Copy;
pub use documents::{DocumentChange, KeptContradiction};
pub use error::{StoreError, Unusable, is_disk_full};
pub use merge::{Conflict, Merged};
pub use recent::NumberedBlock;
pub use repair::Repaired;
pub use shed::Shed;
pub use sourced::{Batch, OWN, Sourced, SourcedRecord, Stored, VERIFIED, number_of};
pub use sources::{Origin, Quarantine, SourceOfRecords, Sources};
pub use sproutnet_record::{Record, Worth};
pub use timeline::{History, Mark, Timeline};
pub use walk::{Step, Watch};

use database::{Database, Lock};
use index::{Extent, Index, Sought, keeper::Keeper};
use merge::Writer;
use recent::Recent;
use shed::Volume;
use sled::IVec;
use sproutnet_record::Archive;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{
    Arc, LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use timeline::Timelines;
use turns::Turns;

/// A store of solved records in a folder. Clones share one store. All methods are thread-safe.
///
/// The folder stays locked while a clone, or an iterator made from one, is alive.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    /// Changes only when a backup becomes a store of its own.
    id: AtomicU64,
    epoch: AtomicU64,
    writer: Mutex<Writer>,
    content: Arc<RwLock<Content>>,
    /// Durable blocks, added before readers of `content` see them.
    recent: Mutex<Recent>,
    timelines: Mutex<Timelines>,
    keeper: Keeper,
    shedding: Arc<Turns>,
    volume: Volume,
    /// The number of failed look-ups.
    unreadable: AtomicU64,
    db: Database,
    /// Dropped last.
    _lock: Arc<Lock>,
}

/// The content that readers can see. While its lock is held, every block named in the index exists, or has moved.
#[derive(Default)]
struct Content {
    index: Index,
    /// All durable blocks.
    extent: Extent,
    /// Removed blocks that the index still names, each with the block that holds its remaining records.
    moved: HashMap<u64, Option<u64>>,
}

impl Content {
    /// The number of records in blocks that have a newer record of the same key.
    fn superseded(&self) -> u64 {
        self.extent.copies.saturating_sub(self.extent.keys)
    }
}

/// The size of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The number of distinct keys.
    pub records: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of records in blocks that have a newer record of the same key.
    pub superseded: u64,
    /// The memory the index takes, in bytes.
    pub index_bytes: u64,
    /// The space the database takes on disk, documents and the files of the index included, in bytes.
    pub disk_bytes: u64,
}

impl Store {
    /// The value of `key`, if it is solved.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Stored>, StoreError> {
        let found = self.locate(&self.content(), key)?;
        Ok(found.map(|(_, stored)| stored))
    }

    /// The record of a key, if it can be read.
    fn known(&self, key: &[u8]) -> Option<Stored> {
        self.get(key).unwrap_or_else(|error| {
            // An unknown record only costs a search.
            tracing::error!(%error, "a record cannot be read");
            self.inner.unreadable.fetch_add(1, Ordering::Relaxed);
            None
        })
    }

    /// The number of times [`Archive`] took a record for unknown because it could not be read. Before drawing a
    /// conclusion from missing records, check that this has not grown.
    pub fn unreadable(&self) -> u64 {
        self.inner.unreadable.load(Ordering::Relaxed)
    }

    /// The number of distinct keys.
    pub fn len(&self) -> usize {
        self.content().extent.keys as usize
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a write failed. The state on disk is then uncertain, and no writes are possible until the store is
    /// opened again.
    pub fn has_failed(&self) -> bool {
        self.inner.db.has_failed()
    }

    /// The sequence number of the newest block, or zero. A reader with this cursor has seen everything.
    pub fn cursor(&self) -> u64 {
        self.content().extent.cursor
    }

    /// A random number chosen when the store was created. A cursor is only valid in the store with
    /// the same id and in the same [epoch](Store::epoch).
    pub fn id(&self) -> u64 {
        self.inner.id.load(Ordering::Relaxed)
    }

    /// When the store was created, in seconds since 1970, if known.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Corrupt`].
    pub fn created_at(&self) -> Result<Option<u64>, StoreError> {
        open::number(&self.inner.db.meta, open::CREATED_KEY)
    }

    /// The size of the store.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let disk_bytes = self.inner.db.size()?;
        let content = self.content();
        Ok(Stats {
            records: content.extent.keys,
            blocks: content.extent.blocks,
            superseded: content.superseded(),
            index_bytes: content.index.memory() as u64,
            disk_bytes: disk_bytes + content.index.disk(),
        })
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        unpoisoned(self.inner.writer.lock())
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        unpoisoned(self.inner.recent.lock())
    }

    fn content(&self) -> RwLockReadGuard<'_, Content> {
        unpoisoned(self.inner.content.read())
    }

    fn content_mut(&self) -> RwLockWriteGuard<'_, Content> {
        unpoisoned(self.inner.content.write())
    }

    /// The newest block that holds `key`, and the value in it.
    fn locate(&self, content: &Content, key: &[u8]) -> Result<Option<(u64, Stored)>, StoreError> {
        let mut sought = [Sought::new(key)];
        index::find_all(&self.inner.db.blocks, content, &mut sought)?;
        let [sought] = sought;
        Ok(sought.found)
    }
}

impl Archive for Store {
    fn value(&self, key: &[u8]) -> Option<u64> {
        self.known(key).map(|stored| stored.value)
    }

    fn is_verified(&self, record: &Record) -> bool {
        let known = self.known(&record.key);
        known.is_some_and(|stored| stored.value == record.value && stored.is_verified())
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

/// The content of a lock. After a panic during a write the [gate](gate::Gate) stays closed, so poison adds nothing.
fn unpoisoned<G>(lock: LockResult<G>) -> G {
    lock.unwrap_or_else(PoisonError::into_inner)
}

/// Turns an error in block `number` into one of the store.
fn corrupt(number: u64) -> impl Fn(BlockError) -> StoreError {
    move |reason| StoreError::CorruptBlock { number, reason }
}

/// The block `number`, which must be in the database.
fn block_bytes(blocks: &sled::Tree, number: u64) -> Result<IVec, StoreError> {
    blocks
        .get(number.to_be_bytes())?
        .ok_or_else(|| StoreError::Corrupt(format!("block {number} is missing")))
}

/// An entry of the tree of blocks: a sequence number and the bytes of the block.
fn numbered(entry: sled::Result<(IVec, IVec)>) -> Result<(u64, IVec), StoreError> {
    let (key, bytes) = entry?;
    match key.as_ref().try_into() {
        Ok(number) => Ok((u64::from_be_bytes(number), bytes)),
        Err(_) => Err(StoreError::Corrupt(format!(
            "{key:?} is not a block number"
        ))),
    }
}
