//! The header of an export, and the counts at its end.

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;
use std::collections::BTreeMap;

/// The only format of an export this program knows.
pub const FORMAT: u32 = 1;

/// The first frame of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The [id](crate::Store::id) of the exported store.
    pub store: u64,
    /// The [cursor](crate::Store::cursor) of the store.
    pub cursor: u64,
    /// When the export was written, in seconds since 1970.
    pub made_at: u64,
    /// The version of the program that wrote it.
    pub program: String,
    /// The conventions of the exported records and results.
    pub plays: Vec<Play>,
    /// The names and versions of the canonical encodings of keys.
    pub encodings: BTreeMap<String, u32>,
    /// The counts of what follows.
    pub counts: Counts,
}

/// The counts of an export.
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
    /// Whether an export with this header can resume an interrupted one. The number of records is not
    /// compared.
    pub(super) fn continues(&self, previous: &Self) -> bool {
        let mut same = self.clone();
        same.made_at = previous.made_at;
        same.counts.records = previous.counts.records;
        same == *previous
    }
}
