//! Records together with their source: who proved them.
//!
//! A source is a number whose meaning lies outside the store, except that [`OWN`] is this process.

use super::Record;

/// The source of what this process proved itself.
pub const OWN: u32 = 0;

/// A record and its source, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<'a> {
    /// What the record is about.
    pub key: &'a [u8],
    /// What is known of it.
    pub value: u64,
    /// Who proved it.
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
    /// Who proved it.
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
    /// Who last added something to it.
    pub source: u32,
}
