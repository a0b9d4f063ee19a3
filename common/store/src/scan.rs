//! Reading many records: the feed of blocks after a cursor, and a scan of all keys.

use super::{NumberedBlock, SourcedRecord, Store, StoreError, block, corrupt, numbered};
use sled::IVec;
use std::{collections::HashSet, ops::Bound};

impl Store {
    /// The feed: numbers and bytes of the [blocks](super::block) above `cursor`, in ascending order.
    /// Zero is before the first block. The checksum and sources of each block have been checked.
    ///
    /// Shows only durable blocks, up to the [cursor](Store::cursor) at the time of the call. Records
    /// repeat when small blocks are merged, and a key repeats when its value changes. The value in the
    /// highest block is the newest. A cursor is only valid for one store [id](Store::id).
    pub fn blocks_after(
        &self,
        cursor: u64,
    ) -> impl Iterator<Item = Result<(u64, Vec<u8>), StoreError>> + Send + use<> {
        let end = self.cursor();
        let entries = (cursor < end).then(|| {
            self.inner.blocks.range((
                Bound::Excluded(cursor.to_be_bytes()),
                Bound::Included(end.to_be_bytes()),
            ))
        });
        entries.into_iter().flatten().map(|entry| {
            let (number, bytes) = numbered(entry)?;
            block::Reader::new(&bytes).map_err(corrupt(number))?;
            Ok((number, bytes.to_vec()))
        })
    }

    /// The first blocks of [`blocks_after`](Store::blocks_after), at most `most`, if the newest blocks
    /// kept in memory include them all; otherwise `None`. Does not block for long.
    pub fn newest_after(&self, cursor: u64, most: usize) -> Option<Vec<NumberedBlock>> {
        self.recent().above(cursor, most)
    }

    /// Every key of the store exactly once, unordered. Keys first merged after the call are not shown.
    /// A record that changes after the call may be the old or the new one.
    pub fn iter(&self) -> impl Iterator<Item = Result<SourcedRecord, StoreError>> + Send + use<> {
        let content = self.content();
        let end = content.cursor;
        let pinned = self.pin_small_blocks(end);
        drop(content);
        let mut scan = Scan {
            store: self.clone(),
            end,
            seen: HashSet::new(),
        };
        let mut rest_end = end;
        let mut tail = Vec::new();
        match pinned {
            Ok(pinned) => {
                for (number, bytes) in pinned {
                    rest_end = number - 1;
                    tail.push(scan.of_pinned(number, &bytes));
                }
            }
            Err(error) => tail.push(Err(error)),
        }
        let rest = self.inner.blocks.range(..=rest_end.to_be_bytes());
        let rest = rest.map(move |entry| {
            let (number, bytes) = numbered(entry)?;
            scan.of_lasting(number, &bytes)
        });
        tail.into_iter().chain(rest).flat_map(|records| {
            let (records, error) = match records {
                Ok(records) => (records, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            records.into_iter().map(Ok).chain(error)
        })
    }

    /// The blocks at the end that are not full, newest first. Only these can be merged and removed
    /// during a scan.
    fn pin_small_blocks(&self, end: u64) -> Result<Vec<(u64, IVec)>, StoreError> {
        let mut pinned = Vec::new();
        for entry in self.inner.blocks.range(..=end.to_be_bytes()).rev() {
            let (number, bytes) = numbered(entry)?;
            if block::room(&bytes).map_err(corrupt(number))?.is_none() {
                break;
            }
            pinned.push((number, bytes));
        }
        Ok(pinned)
    }
}

/// Selects one record of each key during concurrent merges.
struct Scan {
    store: Store,
    /// The cursor when the scan began.
    end: u64,
    /// Shown keys that the index does not identify: those in pinned blocks, and those that moved
    /// beyond `end` during the scan.
    seen: HashSet<Box<[u8]>>,
}

impl Scan {
    /// The current records of a pinned block. Called newest block first.
    fn of_pinned(&mut self, number: u64, bytes: &[u8]) -> Result<Vec<SourcedRecord>, StoreError> {
        let mut records = decode(number, bytes)?;
        records.retain(|record| self.seen.insert(record.record.key.clone()));
        Ok(records)
    }

    /// The current records of a block that is older than the pinned ones. Called oldest block first.
    fn of_lasting(&mut self, number: u64, bytes: &[u8]) -> Result<Vec<SourcedRecord>, StoreError> {
        let mut shown = Vec::new();
        for mut record in decode(number, bytes)? {
            let content = self.store.content();
            let newest = self.store.newest_block(&content, &record.record.key)?;
            if newest > Some(self.end) && !self.seen.contains(&record.record.key) {
                // The key changed during the scan. A newer copy may lie ahead: show the newest value
                // now and skip the others.
                if let Some((_, stored)) = self.store.locate(&content, &record.record.key)? {
                    record.record.value = stored.value;
                    record.source = stored.source;
                }
                self.seen.insert(record.record.key.clone());
                shown.push(record);
            } else if newest == Some(number) {
                shown.push(record);
            }
        }
        Ok(shown)
    }
}

fn decode(number: u64, bytes: &[u8]) -> Result<Vec<SourcedRecord>, StoreError> {
    block::decode(bytes).map_err(corrupt(number))
}
