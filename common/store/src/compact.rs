//! Compacting: rewriting a store in fewer bytes, as a new database that replaces the old one.
//!
//! Superseded records are dropped, and small blocks become full ones. The store keeps its id, and
//! cursors stay valid: a record only moves to a block with a higher number, so a reader may see
//! records again but misses none.

use super::{
    SourcedRecord, Stats, Store, StoreError, Watch, block, corrupt,
    database::{Database, Lock},
    high_water_mark::HighWaterMark,
    open,
    revoked::Revoked,
    swap,
    walk::proceed,
};
use sproutnet_notation::Epoch;
use std::{path::Path, sync::Arc};

/// The number of bytes written between two flushes. Without flushes sled keeps everything in memory.
const FLUSH_EVERY: usize = 64 << 20;

/// The result of compacting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The store before.
    pub before: Stats,
    /// The store after.
    pub after: Stats,
}

/// Compacts the store in the folder `dir`, which must not be open. This needs as much free space as the store takes.
/// After an error, a stop or a kill, the store is either unchanged or compacted.
///
/// # Errors
/// As [`Store::open`], and [`StoreError::CorruptBlock`], [`StoreError::Database`],
/// [`StoreError::Stopped`].
pub fn compact(
    dir: &Path,
    encodings: &[(&str, u32)],
    watch: Watch<'_>,
) -> Result<Compacted, StoreError> {
    let lock = Arc::new(Lock::take(dir)?);
    let old = Store::open_locked(&lock, dir, encodings)?;
    let before = old.stats()?;
    let new = swap::begin(dir)?;
    if let Err(error) = write(&old, &new, watch) {
        swap::finish(dir)?;
        return Err(error);
    }
    let extent = |store: &Store| (store.id(), store.len(), store.inner.db.documents.len());
    let (expected, cursor) = (extent(&old), old.cursor());
    // Two indexes would take twice the memory.
    drop(old);
    let copy = Store::open_locked(&lock, &new, encodings)?;
    if extent(&copy) != expected || copy.cursor() < cursor {
        let problem = "its compacted copy is not the same";
        return Err(StoreError::Corrupt(problem.to_owned()));
    }
    drop(copy);
    swap::put(dir)?;
    let after = Store::open_locked(&lock, dir, encodings)?.stats()?;
    Ok(Compacted { before, after })
}

/// Writes the content of `old` to a new database.
fn write(old: &Store, dir: &Path, watch: Watch<'_>) -> Result<(), StoreError> {
    let (from, db) = (&old.inner.db, Database::open(dir)?);
    for (from, to) in [(&from.meta, &db.meta), (&from.documents, &db.documents)] {
        for entry in from {
            let (key, value) = entry?;
            to.insert(key, value)?;
        }
    }
    let numbering = open::random_id().to_be_bytes();
    db.meta.insert(open::NUMBERING_KEY, &numbering)?;
    let mut copy = Copy {
        db,
        carried: Vec::new(),
        last: 0,
        unflushed: 0,
    };
    for walked in old.walk() {
        let mut block = walked?;
        proceed(watch, "compacting", block.number, old.cursor())?;
        let is_full = block::room(&block.bytes).map_err(corrupt(block.number))?;
        if copy.carried.is_empty() && block.is_whole && is_full.is_none() {
            copy.put(block.number, &block.bytes)?;
            continue;
        }
        copy.carried.append(&mut block.records);
        let carried = &mut copy.carried;
        carried.sort_by(|a, b| a.record.key.cmp(&b.record.key));
        copy.pack(block.number, false)?;
    }
    copy.pack(old.cursor(), true)?;
    copy.db.flush()?;
    if old.epoch() != Epoch(0) {
        // The new database never had the revoked blocks.
        Revoked::default().write(dir)?;
    }
    HighWaterMark::open(dir)?.set(copy.last, old.len() as u64);
    Ok(())
}

/// The blocks of the new database.
struct Copy {
    db: Database,
    /// Records that wait for a full block, in the order of their keys.
    carried: Vec<SourcedRecord>,
    /// The last number given out.
    last: u64,
    unflushed: usize,
}

impl Copy {
    /// Adds a block, whose number will not be below `number`.
    fn put(&mut self, number: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.last = number.max(self.last + 1);
        self.db.blocks.insert(self.last.to_be_bytes(), bytes)?;
        self.unflushed += bytes.len();
        if self.unflushed > FLUSH_EVERY {
            self.unflushed = 0;
            self.db.flush()?;
        }
        Ok(())
    }

    /// Adds full blocks of the carried records, and optionally a block of the rest.
    fn pack(&mut self, number: u64, with_rest: bool) -> Result<(), StoreError> {
        let carried = std::mem::take(&mut self.carried);
        let mut done = 0;
        for packed in block::pack(carried.iter().map(SourcedRecord::borrow), with_rest) {
            let (count, bytes) = packed.map_err(corrupt(number))?;
            self.put(number, &bytes)?;
            done += count;
        }
        self.carried = carried;
        self.carried.drain(..done);
        Ok(())
    }
}
