//! What an export says of itself, at its beginning and at its end.

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;
use std::collections::BTreeMap;

/// The only format of an export this program knows.
pub const FORMAT: u32 = 1;

/// The first frame of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The [id](crate::Store::id) of the store the records are from.
    pub store: u64,
    /// Its [cursor](crate::Store::cursor) then.
    pub cursor: u64,
    /// When it was written, in seconds since 1970.
    pub made_at: u64,
    /// The version of the program that wrote it.
    pub program: String,
    /// The conventions whose records and results it holds.
    pub plays: Vec<Play>,
    /// The names and versions of the canonical encodings of keys.
    pub encodings: BTreeMap<String, u32>,
    /// How much follows.
    pub counts: Counts,
}

/// How much an export holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Sources of records.
    pub sources: u64,
    /// Records.
    pub records: u64,
    /// Results of solved positions.
    pub results: u64,
}

impl Header {
    /// Whether an export that is to begin like this can go on with one that begins like that. How many
    /// records there are is not compared.
    pub(super) fn continues(&self, begun: &Self) -> bool {
        let mut same = self.clone();
        same.made_at = begun.made_at;
        same.counts.records = begun.counts.records;
        same == *begun
    }
}
