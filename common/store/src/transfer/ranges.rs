//! The records of a store in the order of their keys, in bounded memory.
//!
//! Blocks are sorted, but a large store has tens of thousands of them. So the store is read several times. Each pass
//! keeps the smallest remaining keys, up to the memory limit. This takes no space on disk, and can resume after any
//! key.

use super::Export;
use crate::{Batch, Sourced, Store, StoreError, Watch};

/// The memory of a record without its key, in bytes.
const EACH: usize = 64;

/// The smallest keys after some key.
#[derive(Default)]
pub(super) struct Range {
    /// Unordered.
    records: Batch,
    /// Whether the store has larger keys.
    pub(super) has_more: bool,
    /// The number of all wanted records, smaller keys included.
    pub(super) all: u64,
    /// The number of records of unknown games.
    pub(super) unknown: u64,
}

impl Export<'_> {
    /// The smallest keys of a store above `after`. Reads the whole store.
    pub(super) fn range(
        &self,
        store: &Store,
        after: Option<&[u8]>,
        watch: Watch<'_>,
    ) -> Result<Range, StoreError> {
        let mut range = Range::default();
        let mut end: Option<Box<[u8]>> = None;
        let mut taken = 0;
        let what = "reading the store";
        store.visit(self.rules.records, what, watch, |kind, record| {
            range.unknown += u64::from(kind.is_none());
            if !kind.is_some_and(|kind| self.plays.contains(&kind.play)) {
                return;
            }
            range.all += 1;
            let key = &record.record.key;
            let is_before = after.is_some_and(|after| **key <= *after);
            if is_before || end.as_ref().is_some_and(|end| key >= end) {
                return;
            }
            range.records.push(record.borrow());
            taken += key.len() + EACH;
            if taken > self.room && range.records.len() > 1 {
                (range.records, taken) = halve(&range.records, &mut end);
                range.has_more = true;
            }
        })?;
        Ok(range)
    }
}

/// The smaller half of records, and its memory. `end` becomes the first key of the other half.
fn halve(records: &Batch, end: &mut Option<Box<[u8]>>) -> (Batch, usize) {
    let mut sorted = records.records();
    let middle = sorted.len() / 2;
    let (below, first, _) = sorted.select_nth_unstable_by(middle, |a, b| a.key.cmp(b.key));
    *end = Some(first.key.into());
    let keys: usize = below.iter().map(|record| record.key.len()).sum();
    let mut half = Batch::with_capacity(records.len(), 2 * keys);
    for &mut record in below {
        half.push(record);
    }
    (half, keys + middle * EACH)
}

impl Range {
    /// The records in the order of their keys.
    pub(super) fn sorted(&self) -> Vec<Sourced<'_>> {
        let mut sorted = self.records.records();
        sorted.sort_unstable_by(|a, b| a.key.cmp(b.key));
        sorted
    }
}
