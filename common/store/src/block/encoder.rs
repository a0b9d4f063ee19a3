//! Writing a block record by record.

use super::{
    BlockError, FORMAT, MAX_KEY, RECORDS, common_prefix,
    origins::{self, Origin},
};
use crate::Sourced;
use sproutnet_record::varint;
use std::iter;
use xxhash_rust::xxh3::xxh3_64;

/// A block under construction.
#[derive(Default)]
pub(crate) struct Encoder {
    records: Vec<u8>,
    origins: Vec<Origin>,
    /// The key added last; empty before the first.
    previous: Vec<u8>,
}

impl Encoder {
    /// Adds a record with a key above all earlier ones. After an error, discard the encoder.
    pub(crate) fn push(&mut self, record: Sourced<'_>) -> Result<(), BlockError> {
        let Sourced {
            key,
            value,
            worth,
            source,
        } = record;
        let position = self.count();
        if position == RECORDS {
            return Err(BlockError::Count(RECORDS as u64 + 1));
        }
        if key.len() > MAX_KEY {
            return Err(BlockError::KeyTooLong(position));
        }
        if position > 0 && *self.previous >= *key {
            return Err(BlockError::OutOfOrder(position));
        }
        let shared = common_prefix(&self.previous, key);
        varint::write(&mut self.records, shared as u64);
        varint::write(&mut self.records, (key.len() - shared) as u64);
        self.records.extend_from_slice(&key[shared..]);
        varint::write(&mut self.records, value);
        self.origins.push(Origin { source, worth });
        self.previous.truncate(shared);
        self.previous.extend_from_slice(&key[shared..]);
        Ok(())
    }

    /// The number of added records.
    pub(crate) fn count(&self) -> usize {
        self.origins.len()
    }

    /// Whether the block needs no more records.
    pub(crate) fn is_full(&self) -> bool {
        super::is_full(self.count(), self.records.len())
    }

    /// Returns the block and resets the encoder.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.records.len() + self.origins.len() + 64);
        bytes.push(FORMAT);
        varint::write(&mut bytes, self.origins.len() as u64);
        origins::write(&mut bytes, &self.origins);
        bytes.extend_from_slice(&self.records);
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        self.records.clear();
        self.origins.clear();
        self.previous.clear();
        bytes
    }
}

/// Encodes records, given in strictly ascending order of keys, as full blocks, and optionally a last one
/// of the rest. Each block comes with the number of its records.
pub(crate) fn pack<'a>(
    mut records: impl Iterator<Item = Sourced<'a>>,
    with_rest: bool,
) -> impl Iterator<Item = Result<(usize, Vec<u8>), BlockError>> {
    let mut encoder = Encoder::default();
    iter::from_fn(move || {
        while !encoder.is_full() {
            let Some(record) = records.next() else {
                break;
            };
            if let Err(error) = encoder.push(record) {
                return Some(Err(error));
            }
        }
        let count = encoder.count();
        let is_block = encoder.is_full() || with_rest && count > 0;
        is_block.then(|| Ok((count, encoder.finish())))
    })
}
