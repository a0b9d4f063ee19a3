//! Transfer of records between stores: [`Export`] writes a file, [`Import`] reads files and the folders
//! of other stores.
//!
//! An export is a file of [`frames`]: a header, the sources, the records in blocks, the results of
//! solved positions, an end. Keys ascend strictly through the whole file. Every frame carries a
//! checksum of everything before it, so any change or gap is detected, and a file without its end is
//! incomplete.
//!
//! Records keep their sources. A source of another store gets a number in this store and keeps its
//! [origin](super::Origin). In its original store it gets its original number back.

mod error;
mod export;
mod frames;
mod header;
mod import;
mod ranges;
mod reader;

#[cfg(test)]
mod tests;

pub use error::{Clash, TransferError};
pub use export::{Export, Exported, Previous};
pub use header::{FORMAT, Header};
pub use import::{Import, Imported, ResultRule, UNDER_WAY};
pub use sproutnet_record::ResultRefused;

use super::{Watch, watch::is_stopped};
use std::path::Path;

/// The prefix of the names of results of solved positions.
pub(super) const RESULTS: &str = "result/";

/// Reads all of an export and checks that it is sound and complete. Returns its checksum.
pub(super) fn verify(path: &Path, watch: Watch<'_>) -> Result<u64, TransferError> {
    reader::ExportReader::verify(path, |done, of| proceed(watch, "checking", done, of))
}

/// Reports a step; an error if the work is to stop.
fn proceed(watch: Watch<'_>, what: &'static str, done: u64, of: u64) -> Result<(), TransferError> {
    match is_stopped(watch, what, done, of) {
        true => Err(TransferError::Stopped),
        false => Ok(()),
    }
}
