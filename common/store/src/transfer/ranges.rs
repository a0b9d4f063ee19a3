//! The records of a store in the order of their keys, in bounded memory.
//!
//! Blocks are sorted, but a large store has tens of thousands of them. So the store is read several
//! times. Each pass keeps as many of the smallest remaining keys as fit in memory. This takes no space
//! on disk, and can resume after any key.

use super::{TransferError, proceed};
use crate::{Batch, Sourced, Store, Watch};
use sproutnet_record::{Kind, RecordRules};
use std::collections::HashMap;

/// The memory of a record without its key, in bytes.
const EACH: usize = 64;

/// The number of records between reports of progress.
const OFTEN: u64 = 1 << 14;

/// The records of some kinds in a store.
pub(super) struct Ranges<'a> {
    pub(super) store: &'a Store,
    pub(super) rules: &'a dyn RecordRules,
    pub(super) is_wanted: &'a dyn Fn(Kind) -> bool,
    /// The approximate memory of a range, in bytes.
    pub(super) room: usize,
}

/// The smallest keys after some key.
#[derive(Default)]
pub(super) struct Range {
    /// Unordered.
    pub(super) records: Batch,
    /// Whether there are larger keys.
    pub(super) has_more: bool,
    /// The number of all wanted records, smaller keys included.
    pub(super) all: u64,
    /// The number of records of unknown games.
    pub(super) unknown: u64,
}

impl Ranges<'_> {
    /// The smallest keys above `after`. Reads the whole store.
    pub(super) fn next(
        &self,
        after: Option<&[u8]>,
        watch: Watch<'_>,
    ) -> Result<Range, TransferError> {
        let mut range = Range::default();
        let mut kinds = HashMap::new();
        let mut end: Option<Box<[u8]>> = None;
        let mut taken = 0;
        let of = self.store.len() as u64;
        for (done, record) in (0..).zip(self.store.iter()) {
            if done % OFTEN == 0 {
                proceed(watch, "reading the store", done, of)?;
            }
            let record = record?;
            let key = &record.record.key;
            let prefix = [key.first().copied(), key.get(1).copied()];
            let kind = *kinds.entry(prefix).or_insert_with(|| self.rules.kind(key));
            range.unknown += u64::from(kind.is_none());
            if !kind.is_some_and(self.is_wanted) {
                continue;
            }
            range.all += 1;
            let is_before = after.is_some_and(|after| **key <= *after);
            if is_before || end.as_ref().is_some_and(|end| key >= end) {
                continue;
            }
            range.records.push(record.borrow());
            taken += key.len() + EACH;
            if taken > self.room && range.records.len() > 1 {
                (range.records, taken) = halve(&range.records, &mut end);
                range.has_more = true;
            }
        }
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
