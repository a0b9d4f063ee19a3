//! Records gathered for the store, their keys in one buffer.

use super::{
    Sourced, StoreError,
    block::{BlockError, Reader},
    corrupt,
};
use std::ops::Range;

/// Records for a store, in order of arrival. All keys share one allocation. A cleared batch keeps
/// its memory.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    keys: Vec<u8>,
    records: Vec<Entry>,
}

/// A record; its key ends at `end` and begins where the one before ends.
#[derive(Clone, Copy, Debug)]
struct Entry {
    end: usize,
    value: u64,
    source: u32,
}

impl Batch {
    /// A batch with room for a number of records and a number of bytes of keys.
    pub fn with_capacity(records: usize, keys: usize) -> Self {
        Self {
            keys: Vec::with_capacity(keys),
            records: Vec::with_capacity(records),
        }
    }

    /// Adds a record.
    pub fn push(&mut self, record: Sourced<'_>) {
        self.keys.extend_from_slice(record.key);
        self.records.push(Entry {
            end: self.keys.len(),
            value: record.value,
            source: record.source,
        });
    }

    /// Adds the records of a block and returns their number. `source` maps each source of the block
    /// to a local one.
    ///
    /// # Errors
    /// The bytes are not a block; the batch is as it was before.
    pub fn push_block(
        &mut self,
        bytes: &[u8],
        mut source: impl FnMut(u32) -> u32,
    ) -> Result<usize, BlockError> {
        let before = self.len();
        match self.read_block(bytes, &mut source) {
            Ok(()) => Ok(self.len() - before),
            Err(error) => {
                self.truncate(before);
                Err(error)
            }
        }
    }

    /// Adds the records of the block with that number of a store, and returns how many there are.
    pub(super) fn push_stored(&mut self, number: u64, bytes: &[u8]) -> Result<usize, StoreError> {
        self.push_block(bytes, |source| source)
            .map_err(corrupt(number))
    }

    fn read_block(
        &mut self,
        bytes: &[u8],
        source: &mut impl FnMut(u32) -> u32,
    ) -> Result<(), BlockError> {
        let mut reader = Reader::new(bytes)?;
        self.records.reserve(reader.count());
        while let Some(record) = reader.next_record()? {
            self.push(Sourced {
                source: source(record.source),
                ..record
            });
        }
        Ok(())
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Removes all records, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// The records in order of arrival.
    pub fn records(&self) -> Vec<Sourced<'_>> {
        self.iter().collect()
    }

    /// Iterates over the records in order of arrival.
    pub fn iter(&self) -> impl Iterator<Item = Sourced<'_>> {
        self.range(0..self.len())
    }

    /// The records with these positions.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = Sourced<'_>> {
        let mut start = self.start(range.start);
        self.records[range].iter().map(move |record| {
            let key = &self.keys[start..record.end];
            start = record.end;
            Sourced {
                key,
                value: record.value,
                source: record.source,
            }
        })
    }

    fn truncate(&mut self, len: usize) {
        self.keys.truncate(self.start(len));
        self.records.truncate(len);
    }

    /// Where the key of the record at `position` begins.
    fn start(&self, position: usize) -> usize {
        match position.checked_sub(1) {
            Some(previous) => self.records[previous].end,
            None => 0,
        }
    }
}
