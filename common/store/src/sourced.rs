//! Records together with their source.
//!
//! A source is a number that is given a meaning elsewhere, except that [`OWN`] is this process. Its
//! highest bit is a flag: see [`VERIFIED`].

use super::Record;

/// The source of records proved by this process.
pub const OWN: u32 = 0;

/// A flag in the source of a record: the independent checker confirmed it. Only this store vouches for
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
    /// The source, and whether the record is [verified](VERIFIED).
    pub source: u32,
}

impl Sourced<'_> {
    /// An owned copy.
    pub fn to_owned(&self) -> SourcedRecord {
        SourcedRecord {
            record: Record {
                key: self.key.into(),
                value: self.value,
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
        Sourced {
            key: &self.record.key,
            value: self.record.value,
            source: self.source,
        }
    }
}

/// The value of a key in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The value of the key.
    pub value: u64,
    /// The source that last changed it, and whether it is [verified](VERIFIED).
    pub source: u32,
}

impl Stored {
    /// Whether the independent checker confirmed it.
    pub fn is_verified(self) -> bool {
        self.source & VERIFIED != 0
    }
}
