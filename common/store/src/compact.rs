//! Compacting: rewriting a store in fewer bytes, as a new database that replaces the old one.
//!
//! Superseded records are dropped, and small blocks become full ones. The store keeps its id, and
//! cursors stay valid: a record only moves to a block with a higher number, so a reader may see
//! records again but misses none.

use super::{
    Disk, SourcedRecord, Stats, Store, StoreError, Watch, block, corrupt,
    high_water_mark::HighWaterMark,
    lock::Lock,
    open::{open_database, open_trees},
    swap,
    watch::is_stopped,
};
use std::{path::Path, sync::Arc};

/// How many bytes are written between flushes. Without flushes sled keeps everything in memory.
const FLUSH_EVERY: usize = 64 << 20;

/// The result of compacting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The store before.
    pub before: Stats,
    /// The store after.
    pub after: Stats,
}

/// Compacts the store in the folder `dir`, which must not be open. Meanwhile this needs the same space
/// again. `None` if it was stopped. After a stop or a kill, the store is either unchanged or compacted.
///
/// # Errors
/// As [`Store::open`], and [`StoreError::CorruptBlock`], [`StoreError::Database`]. The store is then
/// unchanged.
pub fn compact(
    dir: &Path,
    encodings: &[(&str, u32)],
    watch: Watch<'_>,
) -> Result<Option<Compacted>, StoreError> {
    let lock = Arc::new(Lock::take(dir)?);
    let old = Store::open_locked(&lock, dir, encodings)?;
    let before = old.stats()?;
    let new = swap::begin(dir)?;
    let is_complete = write(&old, &new, watch)?;
    if !is_complete {
        swap::abandon(dir)?;
        return Ok(None);
    }
    let extent = |store: &Store| (store.id(), store.len(), store.inner.documents.len());
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
    Ok(Some(Compacted { before, after }))
}

/// Writes the content of `old` to a new database; false if it was stopped.
fn write(old: &Store, dir: &Path, watch: Watch<'_>) -> Result<bool, StoreError> {
    let db = open_database(dir)?;
    let [meta, blocks, documents] = open_trees(&db)?;
    for (tree, copy) in [(&old.inner.meta, meta), (&old.inner.documents, documents)] {
        for entry in tree {
            let (key, value) = entry?;
            copy.insert(key, value)?;
        }
    }
    let disk = Disk::new(db, dir)?;
    let mut packer = Packer::default();
    let mut unflushed = 0;
    for entry in old.blocks_after(0) {
        let (number, bytes) = entry?;
        if is_stopped(watch, "compacting", number, old.cursor()) {
            return Ok(false);
        }
        for (number, bytes) in packer.add(old, number, bytes)? {
            unflushed += bytes.len();
            blocks.insert(number.to_be_bytes(), bytes)?;
        }
        if unflushed > FLUSH_EVERY {
            disk.flush()?;
            unflushed = 0;
        }
    }
    for (number, bytes) in packer.pack(old.cursor(), true)? {
        blocks.insert(number.to_be_bytes(), bytes)?;
    }
    disk.flush()?;
    HighWaterMark::open(dir)?.set(packer.last, old.len() as u64);
    Ok(true)
}

/// Packs blocks, given in the order of their numbers, into full ones.
#[derive(Default)]
struct Packer {
    /// Records that wait for a full block, in the order of their keys.
    carried: Vec<SourcedRecord>,
    /// The last number given out.
    last: u64,
}

type Numbered = Vec<(u64, Vec<u8>)>;

impl Packer {
    fn add(&mut self, old: &Store, number: u64, bytes: Vec<u8>) -> Result<Numbered, StoreError> {
        let all = block::decode(&bytes).map_err(corrupt(number))?;
        let count = all.len();
        let mut records = Vec::with_capacity(count);
        let content = old.content();
        for record in all {
            if old.newest_block(&content, &record.record.key)? == Some(number) {
                records.push(record);
            }
        }
        let is_full = block::room(&bytes).map_err(corrupt(number))?.is_none();
        if self.carried.is_empty() && records.len() == count && is_full {
            self.last = number.max(self.last + 1);
            return Ok(vec![(self.last, bytes)]);
        }
        self.carried.append(&mut records);
        self.carried.sort_by(|a, b| a.record.key.cmp(&b.record.key));
        self.pack(number, false)
    }

    /// Full blocks of the carried records, and optionally a block of the rest. Their numbers are not
    /// below `number`.
    fn pack(&mut self, number: u64, with_rest: bool) -> Result<Numbered, StoreError> {
        let mut packed = Vec::new();
        let mut encoder = block::Encoder::default();
        let (mut done, all) = (0, self.carried.len());
        let mut last = self.last;
        for (position, record) in self.carried.iter().enumerate() {
            encoder.push(record.borrow()).map_err(corrupt(number))?;
            if encoder.is_full() || with_rest && position + 1 == all {
                last = number.max(last + 1);
                packed.push((last, encoder.finish()));
                done = position + 1;
            }
        }
        self.last = last;
        self.carried.drain(..done);
        Ok(packed)
    }
}
