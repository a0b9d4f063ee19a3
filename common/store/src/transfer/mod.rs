//! Transfer of records between stores: [`Export`] writes a file, [`Import`] reads files and the folders
//! of other stores.
//!
//! An export is a file of [`frames`]: a header, the sources, the records in blocks, the results of
//! solved positions, an end. Keys ascend strictly through the whole file. Every frame carries a
//! checksum of everything before it, so any change or gap is detected, and a file without its end is
//! incomplete.
//!
//! A [`Mirror`] is the copy of a store in use elsewhere, and the source of its export. A [`Backup`] has the other
//! documents as well, so that a coordinator can start from it.
//!
//! Both resume: an export after the last sound frame of its file, an import after the place noted in the target store.
//!
//! Records keep their sources. A source of another store gets a number in this store and keeps its
//! [origin](super::Origin). In its original store it gets its original number back.

mod backup;
mod export;
mod frames;
mod import;
mod mirror;
mod reader;
mod runs;
mod salvage;
mod sort;
mod target;

#[cfg(test)]
mod tests;

pub use backup::{Backup, Complete, is_of_one_store};
pub use export::{Export, Exported, Previous};
pub use frames::check_target;
pub use import::{Import, Imported, ResultRule, UNDER_WAY, import_file};
pub use mirror::{Mirror, MirrorCursor};
pub(super) use reader::verify;
pub use salvage::Salvaged;
pub use sproutnet_record::ResultRefused;
pub use target::{Target, Written};

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;
use std::collections::BTreeMap;

/// The prefix of the names of results of solved positions.
pub const RESULTS: &str = "result/";

pub use super::sources::PREFIX as SOURCES;

/// The name of the document about a revocation of records under way, which names a block of its store.
pub const REVOCATION: &str = "withdrawal";

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
    /// The least number of visits of an exported record. The headers of earlier versions have none: all records are
    /// exported.
    #[serde(default = "one")]
    pub least_visits: u64,
    /// The names and versions of the canonical encodings of keys.
    pub encodings: BTreeMap<String, u32>,
    /// The counts of the parts that follow.
    pub counts: Counts,
}

/// The least number of visits in the headers of earlier versions.
fn one() -> u64 {
    1
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
