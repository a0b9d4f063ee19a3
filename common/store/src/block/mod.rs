//! A block: up to [`RECORDS`] solved records in one run of bytes, sorted by key, immutable.
//! [`encode`] and [`decode`] handle whole blocks, [`Reader`] reads record by record, [`Finder`] looks up
//! keys.
//!
//! | part     | bytes                                                                         |
//! |----------|-------------------------------------------------------------------------------|
//! | format   | one byte, [`FORMAT`]                                                          |
//! | count    | varint                                                                        |
//! | origins  | varint count of distinct origins; the smallest as a varint; each other as a   |
//! |          | varint, its difference to the one before                                      |
//! | places   | for each record the place of its origin among these, in as many bits as       |
//! |          | the last place takes, lowest bits of a byte first; zero bits up to a byte     |
//! | records  | each: varint length of the prefix shared with the previous key, varint length |
//! |          | of the rest of the key, the rest of the key, varint value                     |
//! | checksum | xxh3-64 of everything before it, little-endian                                |
//!
//! An origin is a source and a [worth](sproutnet_record::Worth), as the number 64 × source + worth. In
//! [the former format](FORMER_FORMAT), an origin is the source alone; such blocks are read, with the least worth,
//! and never written.
//!
//! Keys ascend strictly, the shared prefix is always the longest, every origin is that of a record
//! and varints have their shortest form, so a set of records has exactly one encoding. Untrusted bytes
//! are safe to decode: memory stays within [`RECORDS`] × [`MAX_KEY`].
//!
//! If all records have one origin, it takes no bits; with 16 origins, it takes half a byte for each
//! record. A varint would take a byte, and run lengths about two where origins are mixed.

mod encoder;
mod finder;
mod origins;
mod reader;

#[cfg(test)]
mod tests;

pub(super) use encoder::{Encoder, pack};
pub use finder::Finder;
pub use reader::Reader;

use super::{Sourced, SourcedRecord, Worth};
use reader::Entries;

/// The first byte of a block: its format.
pub const FORMAT: u8 = 3;

/// The format without a worth, which this program reads.
pub const FORMER_FORMAT: u8 = 2;

/// The maximum number of records in a block. A look-up checks a block and reads half of it in 1 µs. sled keeps 8 to 16
/// blocks in a page. Blocks of four times the size would make sled put each page in a file of its own, which saves a
/// quarter of a large store but costs more with small appends.
pub const RECORDS: usize = 256;

/// The size from which a block is full, in bytes. 16 such blocks fit into a page that sled does not put in a file of
/// its own.
pub(super) const FULL: usize = 7 << 10;

/// The maximum length of a key, in bytes.
pub const MAX_KEY: usize = u16::MAX as usize;

const CHECKSUM: usize = size_of::<u64>();

/// The least size of an encoded record, in bytes: two lengths and a value, for an empty key.
const SMALLEST_RECORD: usize = 3;

/// The problem with the bytes of a block, or with records for one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// It is shorter than the smallest block.
    #[error("it has only {0} bytes")]
    TooShort(usize),
    /// This program does not know its format.
    #[error("its format is {0}, this program knows {FORMER_FORMAT} and {FORMAT}")]
    UnknownFormat(u8),
    /// It was changed or damaged.
    #[error("its checksum does not match")]
    Checksum,
    /// It has more records than allowed, or than its bytes can hold.
    #[error("it cannot hold {0} records")]
    Count(u64),
    /// A varint is cut short, exceeds 64 bits or is not in its shortest form.
    #[error("record {0} has a malformed number")]
    Number(usize),
    /// A length exceeds the previous key or the remaining bytes.
    #[error("record {0} has a length beyond its bounds")]
    Length(usize),
    /// A key is longer than [`MAX_KEY`].
    #[error("record {0} has a key longer than {MAX_KEY} bytes")]
    KeyTooLong(usize),
    /// A key is not above the previous one, or repeats bytes it could share.
    #[error("record {0} is out of order")]
    OutOfOrder(usize),
    /// The origins do not ascend, are beyond their bounds, or are not exactly those of the records.
    #[error("its sources are malformed")]
    Origins,
    /// There are bytes between the last record and the checksum.
    #[error("{0} bytes follow its last record")]
    TrailingBytes(usize),
}

/// Encodes records, given in strictly ascending order of keys, as a block.
///
/// # Errors
/// [`BlockError::Count`], [`BlockError::KeyTooLong`] or [`BlockError::OutOfOrder`].
pub fn encode<'a>(records: impl IntoIterator<Item = Sourced<'a>>) -> Result<Vec<u8>, BlockError> {
    let mut encoder = Encoder::default();
    for record in records {
        encoder.push(record)?;
    }
    Ok(encoder.finish())
}

/// Decodes all records of a block, in ascending order of keys.
///
/// # Errors
/// `bytes` are not exactly what [`encode`] writes.
pub fn decode(bytes: &[u8]) -> Result<Vec<SourcedRecord>, BlockError> {
    let mut reader = Reader::new(bytes)?;
    let mut records = Vec::with_capacity(reader.count());
    while let Some(record) = reader.next_record()? {
        records.push(record.to_owned());
    }
    Ok(records)
}

/// Passes the worth, the source and the bytes of each record of a block to `each`.
pub(super) fn each_weight(
    bytes: &[u8],
    mut each: impl FnMut(Worth, u32, usize),
) -> Result<(), BlockError> {
    let mut entries = Entries::new(bytes)?;
    let origins = entries.origins()?;
    while let Some(entry) = entries.next()? {
        let origin = origins.get(entries.place(entries.done - 1));
        let origin = origin.ok_or(BlockError::Origins)?;
        each(
            origin.worth,
            origin.source,
            entry.rest.len() + SMALLEST_RECORD,
        );
    }
    Ok(())
}

/// The number of records in a block; `None` if it is full and will never be merged.
pub(super) fn room(bytes: &[u8]) -> Result<Option<usize>, BlockError> {
    let count = Entries::new(bytes)?.count;
    Ok((!is_full(count, bytes.len())).then_some(count))
}

fn is_full(records: usize, bytes: usize) -> bool {
    records >= RECORDS || bytes >= FULL
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let mut shared = 0;
    while let (Some(x), Some(y)) = (a[shared..].first_chunk(), b[shared..].first_chunk()) {
        let differs = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if differs != 0 {
            return shared + differs.trailing_zeros() as usize / 8;
        }
        shared += size_of::<u64>();
    }
    let rest = a[shared..].iter().zip(&b[shared..]);
    shared + rest.take_while(|(a, b)| a == b).count()
}
