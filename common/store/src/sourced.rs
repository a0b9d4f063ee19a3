//! Records together with their source: who proved them.
//!
//! A source is a number whose meaning lies outside the store, except that [`OWN`] is this process. Its
//! highest bit is no part of that number: see [`VERIFIED`].

use super::Record;

/// The source of what this process proved itself.
pub const OWN: u32 = 0;

/// Set in the source of a record that a checker confirmed which shares no code with the search. Only
/// this store vouches for it, so it is not believed of a record that comes from elsewhere.
pub const VERIFIED: u32 = 1 << 31;

/// The number of a source alone, whether or not its record was verified.
pub fn number_of(source: u32) -> u32 {
    source & !VERIFIED
}

/// A record and its source, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<'a> {
    /// What the record is about.
    pub key: &'a [u8],
    /// What is known of it.
    pub value: u64,
    /// Who proved it, and whether it was [verified](VERIFIED).
    pub source: u32,
}

impl Sourced<'_> {
    /// A copy that borrows nothing.
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
    /// Who proved it, and whether it was [verified](VERIFIED).
    pub source: u32,
}

impl SourcedRecord {
    /// The same, borrowed.
    pub fn borrow(&self) -> Sourced<'_> {
        Sourced {
            key: &self.record.key,
            value: self.record.value,
            source: self.source,
        }
    }
}

/// What the store knows of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The value of the key.
    pub value: u64,
    /// Who last added something to it, and whether it was [verified](VERIFIED) since.
    pub source: u32,
}

impl Stored {
    /// Whether a checker confirmed it.
    pub fn is_verified(self) -> bool {
        self.source & VERIFIED != 0
    }
}
