//! Reading many records: the feed of blocks after a cursor, and every key once.

use super::{NumberedBlock, SourcedRecord, Store, StoreError, block, block_number};
use sled::IVec;
use std::{collections::HashSet, ops::Bound};

impl Store {
    /// The numbers and bytes of the [blocks](super::block) with a number above `cursor`, in
    /// ascending order: the feed for readers who remember how far they got. Zero is before the
    /// first block. Each block's checksum and sources have been checked.
    ///
    /// Only durable blocks are shown, up to the [cursor](Store::cursor) at the time of the call.
    /// Records come again when small blocks are merged, and a key comes again when its value
    /// changes; of several values the one in the highest block is the newest. A cursor belongs to
    /// the store with one [id](Store::id).
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
            let (key, bytes) = entry?;
            let number = block_number(&key)?;
            block::Reader::new(&bytes)
                .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
            Ok((number, bytes.to_vec()))
        })
    }

    /// The first of the blocks that [`blocks_after`](Store::blocks_after) shows, at most so many, if
    /// they are all still in memory, as those are that were written last. `None` if they may not be.
    /// Does not block for long.
    pub fn newest_after(&self, cursor: u64, most: usize) -> Option<Vec<NumberedBlock>> {
        self.recent().above(cursor, most)
    }

    /// Every key of the store exactly once, in no useful order. Keys first merged after the call
    /// are not shown; a record changed after the call may be the old or the new one.
    pub fn iter(&self) -> impl Iterator<Item = Result<SourcedRecord, StoreError>> + Send + use<> {
        let content = self.content();
        let end = content.cursor;
        let (pinned, failure) = match self.pin_small_blocks(end) {
            Ok(pinned) => (pinned, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        drop(content);
        let rest_end = pinned.last().map_or(end, |(number, _)| number - 1);
        let mut scan = Scan {
            store: self.clone(),
            end,
            seen: HashSet::new(),
        };
        let mut tail = Vec::new();
        for (number, bytes) in pinned {
            tail.push(scan.of_pinned(number, &bytes));
        }
        let rest = self.inner.blocks.range(..=rest_end.to_be_bytes());
        let rest = rest.map(move |entry| {
            let (key, bytes) = entry?;
            scan.of_lasting(block_number(&key)?, &bytes)
        });
        failure
            .map(Err)
            .into_iter()
            .chain(tail)
            .chain(rest)
            .flat_map(|records| {
                let (records, error) = match records {
                    Ok(records) => (records, None),
                    Err(error) => (Vec::new(), Some(Err(error))),
                };
                records.into_iter().map(Ok).chain(error)
            })
    }

    /// The blocks at the end that are not full, newest first: the only ones that can be merged and
    /// removed while a scan goes on.
    fn pin_small_blocks(&self, end: u64) -> Result<Vec<(u64, IVec)>, StoreError> {
        let mut pinned = Vec::new();
        for entry in self.inner.blocks.range(..=end.to_be_bytes()).rev() {
            let (key, bytes) = entry?;
            let number = block_number(&key)?;
            let room = block::room(&bytes)
                .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
            if room.is_none() {
                break;
            }
            pinned.push((number, bytes));
        }
        Ok(pinned)
    }
}

/// Picks one record of each key, while others merge.
struct Scan {
    store: Store,
    /// The cursor when the scan began.
    end: u64,
    /// The keys for which the index may not tell whether they have been shown: those in pinned
    /// blocks, and those that were found to have moved beyond `end` since.
    seen: HashSet<Box<[u8]>>,
}

impl Scan {
    /// Of blocks given newest first, the records not superseded.
    fn of_pinned(&mut self, number: u64, bytes: &[u8]) -> Result<Vec<SourcedRecord>, StoreError> {
        let mut records = decode(number, bytes)?;
        records.retain(|record| self.seen.insert(record.record.key.clone()));
        Ok(records)
    }

    /// Of blocks given oldest first, all older than the pinned ones, the records not superseded.
    fn of_lasting(&mut self, number: u64, bytes: &[u8]) -> Result<Vec<SourcedRecord>, StoreError> {
        let mut shown = Vec::new();
        for mut record in decode(number, bytes)? {
            let content = self.store.content();
            let newest = self.store.newest_block(&content, &record.record.key)?;
            if newest > Some(self.end) && !self.seen.contains(&record.record.key) {
                // The key has changed during the scan. This may be an old copy, and a newer one may
                // lie ahead: take the newest value now and pass over the others.
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
    block::decode(bytes).map_err(|reason| StoreError::CorruptBlock { number, reason })
}
