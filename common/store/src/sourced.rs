//! Records together with their source, and batches of them.
//!
//! A source is a number whose meaning is defined elsewhere, except that [`OWN`] is this process. Its highest bit is a
//! flag: see [`VERIFIED`].

use super::{
    Record, StoreError, Worth,
    block::{BlockError, Reader},
    corrupt,
};
use std::ops::Range;

/// The source of records proved by this process.
pub const OWN: u32 = 0;

/// A flag in the source of a record: the checker of certificates confirmed it. Only this store vouches for
/// the flag, so it is dropped from imported records.
pub const VERIFIED: u32 = 1 << 31;

/// The number of a source without the flag.
pub fn number_of(source: u32) -> u32 {
    source & !VERIFIED
}

/// A record and its source, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<'a> {
    /// The key.
    pub key: &'a [u8],
    /// The value.
    pub value: u64,
    /// The order of magnitude of the work of its proof.
    pub worth: Worth,
    /// The source, and whether the record is [verified](VERIFIED).
    pub source: u32,
}

impl<'a> Sourced<'a> {
    /// A record and its source.
    pub fn of(record: &'a Record, source: u32) -> Self {
        Self {
            key: &record.key,
            value: record.value,
            worth: record.worth,
            source,
        }
    }

    /// An owned copy.
    pub fn to_owned(&self) -> SourcedRecord {
        SourcedRecord {
            record: Record {
                key: self.key.into(),
                value: self.value,
                worth: self.worth,
            },
            source: self.source,
        }
    }
}

/// A record and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedRecord {
    /// The record.
    pub record: Record,
    /// The source, and whether the record is [verified](VERIFIED).
    pub source: u32,
}

impl SourcedRecord {
    /// A borrowed view.
    pub fn borrow(&self) -> Sourced<'_> {
        Sourced::of(&self.record, self.source)
    }
}

/// The value of a key in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The value of the key.
    pub value: u64,
    /// The order of magnitude of the work of its proof.
    pub worth: Worth,
    /// The source that last changed it, and whether it is [verified](VERIFIED).
    pub source: u32,
}

impl Stored {
    /// Whether the checker of certificates confirmed it.
    pub fn is_verified(self) -> bool {
        self.source & VERIFIED != 0
    }
}

/// Records for a store, in order of arrival. All keys share one allocation. A cleared batch keeps
/// its memory.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    keys: Vec<u8>,
    records: Vec<Entry>,
}

/// A record. Its key ends at `end`, and begins at the end of the previous one.
#[derive(Clone, Copy, Debug)]
struct Entry {
    end: usize,
    value: u64,
    worth: Worth,
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
            worth: record.worth,
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

    /// Adds the records of a block of the store, and returns their number.
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

    /// The record at a position, in order of arrival.
    pub fn get(&self, position: usize) -> Option<Sourced<'_>> {
        let end = self.len().min(position.saturating_add(1));
        self.range(position.min(end)..end).next()
    }

    /// The records at these positions.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = Sourced<'_>> {
        let mut start = self.start(range.start);
        self.records[range].iter().map(move |record| {
            let key = &self.keys[start..record.end];
            start = record.end;
            Sourced {
                key,
                value: record.value,
                worth: record.worth,
                source: record.source,
            }
        })
    }

    fn truncate(&mut self, len: usize) {
        self.keys.truncate(self.start(len));
        self.records.truncate(len);
    }

    /// The start of the key of the record at `position`.
    fn start(&self, position: usize) -> usize {
        match position.checked_sub(1) {
            Some(previous) => self.records[previous].end,
            None => 0,
        }
    }
}
