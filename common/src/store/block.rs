//! A block: up to [`RECORDS`] solved records in one run of bytes, sorted by key, immutable.
//!
//! | part     | bytes                                                                         |
//! |----------|-------------------------------------------------------------------------------|
//! | format   | one byte, [`FORMAT`]                                                          |
//! | count    | varint                                                                        |
//! | records  | each: varint length of the prefix shared with the previous key, varint length |
//! |          | of the rest of the key, the rest of the key, varint value                     |
//! | checksum | xxh3-64 of everything before it, little-endian                                |
//!
//! Keys ascend strictly, the shared prefix is always the longest and varints have their shortest
//! form, so a set of records has exactly one encoding. Bytes from outside are safe to decode: what
//! is wrong is an error, and memory stays within [`RECORDS`] × [`MAX_KEY`].

use super::Record;
use crate::varint;
use xxhash_rust::xxh3::xxh3_64;

/// The only format of a block so far: its first byte.
pub const FORMAT: u8 = 1;

/// Most records in a block. A look-up checks a block and reads half of it, 1 µs; sled keeps 8 to 16
/// blocks in a page, and at four times the size puts pages in files of their own, which saves a
/// quarter of the space of a large store and costs it all, and more, when appends are small.
pub const RECORDS: usize = 256;

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
    /// Bytes between the last record and the checksum.
    #[error("{0} bytes follow its last record")]
    TrailingBytes(usize),
}

/// The block that holds `records`, given as (key, value) in strictly ascending order of keys.
///
/// # Errors
/// [`BlockError::Count`], [`BlockError::KeyTooLong`] or [`BlockError::OutOfOrder`].
pub fn encode<'a, I>(records: I) -> Result<Vec<u8>, BlockError>
where
    I: ExactSizeIterator<Item = (&'a [u8], u64)>,
{
    if records.len() > RECORDS {
        return Err(BlockError::Count(records.len() as u64));
    }
    let mut bytes = vec![FORMAT];
    varint::write(&mut bytes, records.len() as u64);
    let mut previous: Option<&[u8]> = None;
    for (position, (key, value)) in records.enumerate() {
        if key.len() > MAX_KEY {
            return Err(BlockError::KeyTooLong(position));
        }
        if previous.is_some_and(|previous| previous >= key) {
            return Err(BlockError::OutOfOrder(position));
        }
        let shared = common_prefix(previous.unwrap_or_default(), key);
        varint::write(&mut bytes, shared as u64);
        varint::write(&mut bytes, (key.len() - shared) as u64);
        bytes.extend_from_slice(&key[shared..]);
        varint::write(&mut bytes, value);
        previous = Some(key);
    }
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// All records of a block, in ascending order of keys.
///
/// # Errors
/// When `bytes` are not exactly what [`encode`] writes.
pub fn decode(bytes: &[u8]) -> Result<Vec<Record>, BlockError> {
    let mut reader = Reader::new(bytes)?;
    let mut records = Vec::with_capacity(reader.count);
    while let Some((key, value)) = reader.next_record()? {
        records.push(Record {
            key: key.into(),
            value,
        });
    }
    Ok(records)
}

/// How many records a block holds.
pub(super) fn count(bytes: &[u8]) -> Result<usize, BlockError> {
    Reader::new(bytes).map(|reader| reader.count)
}

/// The value of `key` in a block. Builds no keys: how far `key` agrees with the previous key tells,
/// with the shared length, which side of it most keys lie.
pub(super) fn look_up(bytes: &[u8], key: &[u8]) -> Result<Option<u64>, BlockError> {
    let mut reader = Reader::new(bytes)?;
    let mut matched = 0;
    while let Some(Entry {
        shared,
        rest,
        value,
    }) = reader.next_entry()?
    {
        if shared > matched {
            continue;
        }
        if shared < matched {
            return Ok(None);
        }
        let wanted = &key[matched..];
        let agree = common_prefix(rest, wanted);
        match (rest.get(agree), wanted.get(agree)) {
            (None, None) => return Ok(Some(value)),
            (None, Some(_)) => matched += agree,
            (Some(byte), Some(other)) if byte < other => matched += agree,
            (Some(_), _) => return Ok(None),
        }
    }
    Ok(None)
}

/// Reads a block record by record; the checksum is checked first.
pub(super) struct Reader<'a> {
    /// What is left of the records.
    bytes: &'a [u8],
    /// Records in the block.
    count: usize,
    /// Records read so far.
    done: usize,
    /// Length of the key read last.
    key_len: usize,
    /// The key read last, when [`Reader::next_record`] is used.
    key: Vec<u8>,
}

/// A record as it stands in the block.
struct Entry<'a> {
    shared: usize,
    rest: &'a [u8],
    value: u64,
}

impl<'a> Reader<'a> {
    /// Checks the frame of a block: length, format, checksum and count.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let too_short = BlockError::TooShort(bytes.len());
        let Some((body, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
            return Err(too_short);
        };
        let Some((&format, mut records)) = body.split_first() else {
            return Err(too_short);
        };
        if format != FORMAT {
            return Err(BlockError::UnknownFormat(format));
        }
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(BlockError::Checksum);
        }
        let count = varint::read(&mut records).ok_or(too_short)?;
        if count > RECORDS.min(records.len() / SMALLEST_RECORD) as u64 {
            return Err(BlockError::Count(count));
        }
        Ok(Self {
            bytes: records,
            count: count as usize,
            done: 0,
            key_len: 0,
            key: Vec::new(),
        })
    }

    /// The next key and value, or `None` after the last. Do not call it again after an error.
    pub(super) fn next_record(&mut self) -> Result<Option<(&[u8], u64)>, BlockError> {
        let position = self.done;
        let Some(entry) = self.next_entry()? else {
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
        Ok(Some((&self.key, entry.value)))
    }

    fn next_entry(&mut self) -> Result<Option<Entry<'a>>, BlockError> {
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

    fn number(&mut self) -> Result<u64, BlockError> {
        varint::read(&mut self.bytes).ok_or(BlockError::Number(self.done))
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
