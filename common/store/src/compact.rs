//! Compacting: the same records in fewer bytes, in a new database that takes the place of the old.
//!
//! Superseded records are left out and blocks that are not full become full ones. The store keeps
//! its id, and cursors keep their meaning: a record may only move to a block with a higher number,
//! so whoever asks for the blocks above a number may see records again but misses none.

use super::{
    Disk, SourcedRecord, Stats, Step, Store, StoreError, Watch, block, lock::Lock, mark::Mark,
    open::open_database, swap,
};
use std::{path::Path, sync::Arc};

/// How often the new database is flushed, in bytes. Otherwise sled holds on to all of them.
const FLUSH_EVERY: usize = 64 << 20;

/// What came of compacting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The store as it was.
    pub before: Stats,
    /// The store as it is.
    pub after: Stats,
}

/// Makes the store in the folder `dir` as small as can be. Nobody else may have it open. Takes as much
/// space again while at it. `None` if it was stopped; then, as after a kill at any moment, the store
/// is as it was, or compacted.
///
/// # Errors
/// As [`Store::open`], and [`StoreError::CorruptBlock`], [`StoreError::Database`]; the store is as
/// it was then.
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
    let written = Extent::of(&old);
    // Two indexes would take twice the memory.
    drop(old);
    written.check(&Store::open_locked(&lock, &new, encodings)?)?;
    swap::put(dir)?;
    let after = Store::open_locked(&lock, dir, encodings)?.stats()?;
    Ok(Some(Compacted { before, after }))
}

/// Writes all that is in `old` to a new database; false if it was stopped.
fn write(old: &Store, dir: &Path, watch: Watch<'_>) -> Result<bool, StoreError> {
    let db = open_database(dir)?;
    let copies = [
        ("meta", &old.inner.meta),
        ("documents", &old.inner.documents),
    ];
    for (name, tree) in copies {
        let copy = db.open_tree(name)?;
        for entry in tree {
            let (key, value) = entry?;
            copy.insert(key, value)?;
        }
    }
    let blocks = db.open_tree("blocks")?;
    let disk = Disk::new(db, dir)?;
    let mut packer = Packer::default();
    let mut unflushed = 0;
    for entry in old.blocks_after(0) {
        let (number, bytes) = entry?;
        let step = Step {
            what: "compacting",
            done: number,
            of: old.cursor(),
        };
        if watch(step).is_break() {
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
    for (number, bytes) in packer.finish(old.cursor())? {
        blocks.insert(number.to_be_bytes(), bytes)?;
    }
    disk.flush()?;
    Mark::open(dir)?.set(packer.last, old.len() as u64);
    Ok(true)
}

/// What a store has to have, however it is written.
struct Extent {
    id: u64,
    keys: usize,
    cursor: u64,
    documents: usize,
}

impl Extent {
    fn of(store: &Store) -> Self {
        Self {
            id: store.id(),
            keys: store.len(),
            cursor: store.cursor(),
            documents: store.inner.documents.len(),
        }
    }

    /// Compares the new database with the old.
    fn check(&self, copy: &Store) -> Result<(), StoreError> {
        let copy = Self::of(copy);
        let is_same = (copy.id, copy.keys, copy.documents) == (self.id, self.keys, self.documents);
        match is_same && copy.cursor >= self.cursor {
            true => Ok(()),
            false => Err(StoreError::Corrupt(
                "its compacted copy is not the same".into(),
            )),
        }
    }
}

/// Makes full blocks of those that are given in the order of their numbers.
#[derive(Default)]
struct Packer {
    /// Records on their way to a block, in the order of their keys.
    carried: Vec<SourcedRecord>,
    /// The number given last.
    last: u64,
}

type Numbered = Vec<(u64, Vec<u8>)>;

impl Packer {
    fn add(&mut self, old: &Store, number: u64, bytes: Vec<u8>) -> Result<Numbered, StoreError> {
        let corrupt = |reason| StoreError::CorruptBlock { number, reason };
        let mut records = block::decode(&bytes).map_err(corrupt)?;
        let all = records.len();
        {
            let content = old.content();
            let mut failure = None;
            records.retain(
                |record| match old.newest_block(&content, &record.record.key) {
                    Ok(newest) => newest == Some(number),
                    Err(error) => {
                        failure = Some(error);
                        false
                    }
                },
            );
            if let Some(error) = failure {
                return Err(error);
            }
        }
        let is_full = block::room(&bytes).map_err(corrupt)?.is_none();
        if self.carried.is_empty() && records.len() == all && is_full {
            return Ok(vec![(self.number(number), bytes)]);
        }
        self.carried.append(&mut records);
        self.carried.sort_by(|a, b| a.record.key.cmp(&b.record.key));
        self.pack(number, false)
    }

    fn finish(&mut self, number: u64) -> Result<Numbered, StoreError> {
        self.pack(number, true)
    }

    /// Full blocks of what is carried; with the rest, if that is wanted.
    fn pack(&mut self, number: u64, with_rest: bool) -> Result<Numbered, StoreError> {
        let mut packed = Vec::new();
        let mut encoder = block::Encoder::default();
        let (mut done, all) = (0, self.carried.len());
        let mut last = self.last;
        for (position, record) in self.carried.iter().enumerate() {
            let pushed = encoder.push(record.borrow());
            pushed.map_err(|reason| StoreError::CorruptBlock { number, reason })?;
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

    /// The next number, which is not below that of a block in which a record was.
    fn number(&mut self, at_least: u64) -> u64 {
        self.last = at_least.max(self.last + 1);
        self.last
    }
}
