//! Solved records on disk.
//!
//! A [`Store`] maps canonical keys to values. Records only come in, in bulk, and are true for ever,
//! which the layout uses: a few hundred records, sorted, make a [`block`], and sled keeps blocks
//! under ascending sequence numbers. One record per sled key would take several times the space.
//!
//! | tree        | key                         | value                                     |
//! |-------------|-----------------------------|-------------------------------------------|
//! | `meta`      | `format`, `id`              | version of this layout; a random number   |
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

mod append;
pub mod block;
mod documents;
mod error;
mod index;
mod mark;
mod open;
mod scan;

#[cfg(test)]
mod block_tests;
#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod tests;

pub use crate::play::Record;
pub use block::BlockError;
pub use error::StoreError;

use append::Writer;
use index::{Index, KeyHash};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

/// A store of solved records in a folder. Clones share one store; any thread may use any method.
///
/// The folder is locked while a clone, or an iterator made from one, is alive.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    id: u64,
    writer: Mutex<Writer>,
    content: RwLock<Content>,
    blocks: sled::Tree,
    documents: sled::Tree,
    db: sled::Db,
}

/// What readers can see. Blocks the index names exist in the database as long as the lock is held.
struct Content {
    index: Index,
    /// The newest durable block.
    cursor: u64,
}

impl Store {
    /// The value of `key`, if it is solved.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`].
    pub fn get(&self, key: &[u8]) -> Result<Option<u64>, StoreError> {
        let found = self.locate(&self.content(), key)?;
        Ok(found.map(|(_, value)| value))
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
    /// with another id, such as one rebuilt from an export.
    pub fn id(&self) -> u64 {
        self.inner.id
    }

    /// The bytes the store takes on disk.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn size_on_disk(&self) -> Result<u64, StoreError> {
        Ok(self.inner.db.size_on_disk()?)
    }

    fn content(&self) -> RwLockReadGuard<'_, Content> {
        // A panic while writing is remembered by the writer's lock; what is here stays readable.
        self.inner
            .content
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest block that holds `key`, and the value there.
    fn locate(&self, content: &Content, key: &[u8]) -> Result<Option<(u64, u64)>, StoreError> {
        let candidates = content.index.candidates(KeyHash::of(key));
        newest(&self.inner.blocks, candidates, key)
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

/// The newest of the proposed blocks that holds `key`, and the value there. A superseded record may
/// lie in a block proposed for another key of the same hash, so all have to be looked at.
fn newest(
    blocks: &sled::Tree,
    candidates: impl Iterator<Item = u64>,
    key: &[u8],
) -> Result<Option<(u64, u64)>, StoreError> {
    let mut found: Option<(u64, u64)> = None;
    for number in candidates {
        if found.is_some_and(|(newest, _)| newest >= number) {
            continue;
        }
        let bytes = blocks
            .get(number.to_be_bytes())?
            .ok_or_else(|| StoreError::Corrupt(format!("block {number} is missing")))?;
        let value = block::look_up(&bytes, key)
            .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
        if let Some(value) = value {
            found = Some((number, value));
        }
    }
    Ok(found)
}

/// The sequence number that is the key of a block.
fn block_number(key: &[u8]) -> Result<u64, StoreError> {
    match key.try_into() {
        Ok(bytes) => Ok(u64::from_be_bytes(bytes)),
        Err(_) => Err(StoreError::Corrupt(format!("{key:?} names no block"))),
    }
}
