//! A block: up to [`RECORDS`] solved records in one run of bytes, sorted by key, immutable.
//! [`encode`] and [`decode`] make and read it whole, [`Reader`] reads it record by record, [`Finder`] looks
//! for keys.
//!
//! | part     | bytes                                                                         |
//! |----------|-------------------------------------------------------------------------------|
//! | format   | one byte, [`FORMAT`]                                                          |
//! | count    | varint                                                                        |
//! | sources  | varint count of distinct sources; the smallest as a varint; each other as a   |
//! |          | varint, its difference to the one before                                      |
//! | places   | for each record the place of its source among the sources, in as many bits as |
//! |          | the last place takes, lowest bits of a byte first; zero bits up to a byte     |
//! | records  | each: varint length of the prefix shared with the previous key, varint length |
//! |          | of the rest of the key, the rest of the key, varint value                     |
//! | checksum | xxh3-64 of everything before it, little-endian                                |
//!
//! Keys ascend strictly, the shared prefix is always the longest, every source is that of a record
//! and varints have their shortest form, so a set of records has exactly one encoding. Bytes from
//! outside are safe to decode: what is wrong is an error, and memory stays within [`RECORDS`] ×
//! [`MAX_KEY`].
//!
//! Records of one source cost no bit for it, those of 16 sources half a byte each, wherever they
//! stand. A varint for each would take 1 byte, and run lengths about 2 where sources are mixed, as
//! they are when reports come in together and are sorted by key.

mod encoder;
mod finder;
mod reader;
mod sources;

#[cfg(test)]
mod tests;

pub(super) use encoder::Encoder;
pub use finder::Finder;
pub use reader::Reader;

use super::{Sourced, SourcedRecord};
use reader::Entries;

/// The only format of a block this program knows: its first byte.
pub const FORMAT: u8 = 2;

/// Most records in a block. A look-up checks a block and reads half of it, 1 µs; sled keeps 8 to 16
/// blocks in a page, and at four times the size puts pages in files of their own, which saves a
/// quarter of the space of a large store and costs it all, and more, when appends are small.
pub const RECORDS: usize = 256;

/// The store begins another block when one has this many bytes. Then 16 fit into a page of sled's
/// that is not put in a file of its own.
const FULL: usize = 7 << 10;

/// Longest key, in bytes.
pub const MAX_KEY: usize = u16::MAX as usize;

const CHECKSUM: usize = size_of::<u64>();

/// An empty key and its value: two lengths and a number, each at least a byte.
const SMALLEST_RECORD: usize = 3;

/// What is wrong with the bytes of a block, or with records that should become one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// Fewer bytes than the smallest block has.
    #[error("it has only {0} bytes")]
    TooShort(usize),
    /// The first byte names a format this program does not know.
    #[error("its format is {0}, this program knows {FORMAT}")]
    UnknownFormat(u8),
    /// The bytes are not those that were written.
    #[error("its checksum does not match")]
    Checksum,
    /// More records than a block may have, or than its bytes can hold.
    #[error("it cannot hold {0} records")]
    Count(u64),
    /// A varint is cut short, exceeds 64 bits or is not in its shortest form.
    #[error("record {0} has a malformed number")]
    Number(usize),
    /// A length exceeds the previous key or the bytes that are left.
    #[error("record {0} has a length beyond its bounds")]
    Length(usize),
    /// A key is longer than [`MAX_KEY`].
    #[error("record {0} has a key longer than {MAX_KEY} bytes")]
    KeyTooLong(usize),
    /// A key is not greater than the one before, or repeats bytes it could share.
    #[error("record {0} is out of order")]
    OutOfOrder(usize),
    /// The sources are not in ascending order, exceed 32 bits, or are not exactly those that the
    /// records have.
    #[error("its sources are malformed")]
    Sources,
    /// Bytes between the last record and the checksum.
    #[error("{0} bytes follow its last record")]
    TrailingBytes(usize),
}

/// The block that holds `records`, given in strictly ascending order of keys.
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

/// All records of a block, in ascending order of keys.
///
/// # Errors
/// When `bytes` are not exactly what [`encode`] writes.
pub fn decode(bytes: &[u8]) -> Result<Vec<SourcedRecord>, BlockError> {
    let mut reader = Reader::new(bytes)?;
    let mut records = Vec::with_capacity(reader.count());
    while let Some(record) = reader.next_record()? {
        records.push(record.to_owned());
    }
    Ok(records)
}

/// How many records a block holds; `None` if it is full, that is, if it stays as it is for ever.
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
