//! Reading a block. Its bytes are not trusted.

use super::{
    BlockError, CHECKSUM, FORMAT, FORMER_FORMAT, MAX_KEY, RECORDS, SMALLEST_RECORD,
    origins::{Origin, Origins},
};
use crate::Sourced;
use sproutnet_record::varint;
use xxhash_rust::xxh3::xxh3_64;

/// Reads a block record by record, with one buffer for all keys. Untrusted bytes are safe to read, but
/// records before an error need not be part of any block.
pub struct Reader<'a> {
    entries: Entries<'a>,
    /// The distinct origins.
    origins: Vec<Origin>,
    /// The key read last.
    key: Vec<u8>,
    /// The error that was found.
    failed: Option<BlockError>,
}

impl<'a> Reader<'a> {
    /// Checks length, format, checksum, count and origins of a block.
    ///
    /// # Errors
    /// One of them is wrong.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let entries = Entries::new(bytes)?;
        Ok(Self {
            origins: entries.origins.check(entries.count)?,
            entries,
            key: Vec::new(),
            failed: None,
        })
    }

    /// The number of records in the block, if it has no errors.
    pub fn count(&self) -> usize {
        self.entries.count
    }

    /// The next record, in ascending order of keys, or `None` after the last.
    ///
    /// # Errors
    /// The bytes are not what [`encode`](super::encode) writes. Further calls return the same error.
    pub fn next_record(&mut self) -> Result<Option<Sourced<'_>>, BlockError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        match self.advance() {
            Ok(None) => Ok(None),
            Ok(Some((value, Origin { source, worth }))) => Ok(Some(Sourced {
                key: &self.key,
                value,
                worth,
                source,
            })),
            Err(error) => {
                self.failed = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Reads the next key into its buffer; returns its value and origin.
    fn advance(&mut self) -> Result<Option<(u64, Origin)>, BlockError> {
        let position = self.entries.done;
        let Some(entry) = self.entries.next()? else {
            return Ok(None);
        };
        let ascends = match (self.key.get(entry.shared), entry.rest.first()) {
            (Some(old), Some(new)) => new > old,
            (None, Some(_)) => true,
            // Only the first key of a block can be empty.
            (_, None) => position == 0,
        };
        if !ascends {
            return Err(BlockError::OutOfOrder(position));
        }
        self.key.truncate(entry.shared);
        self.key.extend_from_slice(entry.rest);
        let origin = self.origins.get(self.entries.origins.place(position));
        let origin = *origin.ok_or(BlockError::Origins)?;
        Ok(Some((entry.value, origin)))
    }
}

/// The records of a block as encoded, without building keys or origins.
pub(super) struct Entries<'a> {
    /// The remaining bytes of records.
    bytes: &'a [u8],
    /// Records in the block.
    pub(super) count: usize,
    /// Records read so far.
    pub(super) done: usize,
    origins: Origins<'a>,
    /// Length of the key read last.
    key_len: usize,
}

/// A record as encoded in a block.
pub(super) struct Entry<'a> {
    pub(super) shared: usize,
    pub(super) rest: &'a [u8],
    pub(super) value: u64,
}

impl<'a> Entries<'a> {
    /// Checks the frame of a block: length, format, checksum, count, and the sizes of its parts.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let too_short = BlockError::TooShort(bytes.len());
        let Some((body, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
            return Err(too_short);
        };
        let Some((&format, mut records)) = body.split_first() else {
            return Err(too_short);
        };
        if !matches!(format, FORMER_FORMAT | FORMAT) {
            return Err(BlockError::UnknownFormat(format));
        }
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(BlockError::Checksum);
        }
        let count = varint::read(&mut records).ok_or(too_short)?;
        if count > RECORDS.min(records.len() / SMALLEST_RECORD) as u64 {
            return Err(BlockError::Count(count));
        }
        let count = count as usize;
        let origins = Origins::read(&mut records, count, format == FORMAT)?;
        Ok(Self {
            bytes: records,
            count,
            done: 0,
            origins,
            key_len: 0,
        })
    }

    /// The next record, or `None` after the last. Do not call it again after an error.
    pub(super) fn next(&mut self) -> Result<Option<Entry<'a>>, BlockError> {
        let position = self.done;
        if position == self.count {
            return match self.bytes.len() {
                0 => Ok(None),
                more => Err(BlockError::TrailingBytes(more)),
            };
        }
        let shared = self.number()?;
        let length = self.number()?;
        if shared > self.key_len as u64 || length > self.bytes.len() as u64 {
            return Err(BlockError::Length(position));
        }
        let (shared, length) = (shared as usize, length as usize);
        let (rest, bytes) = self.bytes.split_at(length);
        self.bytes = bytes;
        self.key_len = shared + length;
        if self.key_len > MAX_KEY {
            return Err(BlockError::KeyTooLong(position));
        }
        let value = self.number()?;
        self.done += 1;
        Ok(Some(Entry {
            shared,
            rest,
            value,
        }))
    }

    /// The distinct origins.
    pub(super) fn origins(&self) -> Result<Vec<Origin>, BlockError> {
        self.origins.check(self.count)
    }

    /// The place of the origin of the record at that position among these.
    pub(super) fn place(&self, position: usize) -> usize {
        self.origins.place(position)
    }

    /// The origin of the record at that position.
    pub(super) fn origin(&self, position: usize) -> Result<Origin, BlockError> {
        self.origins.at(self.origins.place(position))
    }

    fn number(&mut self) -> Result<u64, BlockError> {
        varint::read(&mut self.bytes).ok_or(BlockError::Number(self.done))
    }
}
