//! The records of a store in the order of their keys, in bounded memory.
//!
//! Each block is sorted, but a large store has millions of blocks. So this is an external merge sort: the store is read
//! once, and whenever the memory is full, the records in it become a sorted [run](super::runs) in a temporary file. Then
//! the runs are merged. If all records fit in memory, there is no file.

use super::{
    Export,
    runs::{Place, Runs},
};
use crate::{Batch, Sourced, Store, StoreError, Watch, number_of};

/// The memory of a record without its key, in bytes.
const EACH: usize = 64;

/// The wanted records of a store above some key.
pub(super) struct Sorted {
    records: Records,
    /// The approximate memory for them, in bytes.
    room: usize,
    /// The number of all wanted records, smaller keys included.
    pub(super) all: u64,
    /// The number of records of unknown games.
    pub(super) unknown: u64,
}

/// Where the records are.
enum Records {
    /// Unordered.
    InMemory(Batch),
    OnDisk(Runs),
}

impl Export<'_> {
    /// The records of a store above `after`. Reads the whole store.
    pub(super) fn sort(
        &self,
        store: &Store,
        after: Option<&[u8]>,
        place: Place<'_>,
        watch: Watch<'_>,
    ) -> Result<Sorted, StoreError> {
        let mut sorter = Sorter {
            place,
            room: self.room,
            records: Batch::default(),
            taken: 0,
            runs: None,
        };
        let (mut all, mut unknown) = (0, 0);
        let what = "reading the store";
        store.visit(self.rules.records, what, watch, |kind, record| {
            unknown += u64::from(kind.is_none());
            let is_wanted = kind.is_some_and(|kind| self.plays.contains(&kind.play));
            if !is_wanted || record.record.worth < self.least {
                return Ok(());
            }
            all += 1;
            if after.is_some_and(|after| *record.record.key <= *after) {
                return Ok(());
            }
            sorter.push(Sourced {
                // Other stores have to verify records themselves.
                source: number_of(record.source),
                ..record.borrow()
            })
        })?;
        Ok(Sorted {
            records: sorter.finish()?,
            room: self.room,
            all,
            unknown,
        })
    }
}

/// Collects records, and moves them to the disk whenever they exceed the memory.
struct Sorter<'a> {
    place: Place<'a>,
    /// The approximate memory for records, in bytes.
    room: usize,
    records: Batch,
    /// The memory that these records take.
    taken: usize,
    runs: Option<Runs>,
}

impl Sorter<'_> {
    fn push(&mut self, record: Sourced<'_>) -> Result<(), StoreError> {
        let size = record.key.len() + EACH;
        if self.taken + size > self.room && !self.records.is_empty() {
            self.spill()?;
        }
        self.records.push(record);
        self.taken += size;
        Ok(())
    }

    /// Makes a run of the records in memory.
    fn spill(&mut self) -> Result<(), StoreError> {
        let mut runs = match self.runs.take() {
            Some(runs) => runs,
            None => Runs::begin(self.place)?,
        };
        runs.add(&sorted(&self.records))?;
        self.runs = Some(runs);
        self.records.clear();
        self.taken = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<Records, StoreError> {
        if self.runs.is_some() {
            self.spill()?;
        }
        Ok(match self.runs {
            Some(runs) => Records::OnDisk(runs),
            None => Records::InMemory(self.records),
        })
    }
}

impl Sorted {
    /// Passes the records to `each` in the order of their keys. An error of `each` ends it.
    pub(super) fn each(
        self,
        each: impl FnMut(Sourced<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match self.records {
            Records::InMemory(records) => sorted(&records).into_iter().try_for_each(each),
            Records::OnDisk(runs) => runs.merge(self.room, each),
        }
    }
}

/// The records in the order of their keys.
fn sorted(records: &Batch) -> Vec<Sourced<'_>> {
    let mut sorted = records.records();
    sorted.sort_unstable_by(|a, b| a.key.cmp(b.key));
    sorted
}
