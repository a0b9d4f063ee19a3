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
pub(super) struct Encoder<'a> {
    records: Vec<u8>,
    origins: Vec<Origin>,
    /// The key added last.
    previous: Option<&'a [u8]>,
}

impl<'a> Encoder<'a> {
    /// Adds a record with a key above all earlier ones. After an error, discard the encoder.
    pub(super) fn push(&mut self, record: Sourced<'a>) -> Result<(), BlockError> {
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
        if self.previous.is_some_and(|previous| previous >= key) {
            return Err(BlockError::OutOfOrder(position));
        }
        let shared = common_prefix(self.previous.unwrap_or_default(), key);
        varint::write(&mut self.records, shared as u64);
        varint::write(&mut self.records, (key.len() - shared) as u64);
        self.records.extend_from_slice(&key[shared..]);
        varint::write(&mut self.records, value);
        self.origins.push(Origin { source, worth });
        self.previous = Some(key);
        Ok(())
    }

    /// The number of added records.
    pub(super) fn count(&self) -> usize {
        self.origins.len()
    }

    fn is_full(&self) -> bool {
        super::is_full(self.count(), self.records.len())
    }

    /// Returns the block and resets the encoder.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.records.len() + self.origins.len() + 64);
        bytes.push(FORMAT);
        varint::write(&mut bytes, self.origins.len() as u64);
        origins::write(&mut bytes, &self.origins);
        bytes.extend_from_slice(&self.records);
        let checksum = xxh3_64(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        self.records.clear();
        self.origins.clear();
        self.previous = None;
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
