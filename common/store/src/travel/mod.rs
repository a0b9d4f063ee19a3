//! Records on their way from one store to another: [`Export`] writes a file, [`Import`] takes in files
//! and the folders of other stores.
//!
//! An export is a file of [`frames`]: a header, the sources, the records in blocks, the results
//! of solved positions, an end. Records ascend by key through the whole file, each key once. Every
//! frame carries a checksum of all that stands before it, so nothing can be changed, missing or out
//! of its place unseen, and a file without its end was cut short.
//!
//! Records keep their sources. A source of another store becomes one of this store with its
//! [origin](super::Origin), and is itself again when it comes back to where it is from.

mod error;
mod export;
mod file;
mod frames;
mod header;
mod import;
mod ranges;

#[cfg(test)]
mod tests;

pub use error::{Clash, TravelError};
pub use export::{Begun, Export, Exported};
pub use header::{FORMAT, Header};
pub use import::{Import, Imported, ResultRule, UNDER_WAY};
pub use sproutnet_record::ResultRefused;

use super::{Step, Watch};
use std::{ops::ControlFlow, path::Path};

/// What the names of the results of solved positions start with.
pub(super) const RESULTS: &str = "result/";

/// Reads all of an export, and finds that it is sound and complete.
pub(super) fn verify(path: &Path, watch: Watch<'_>) -> Result<u64, TravelError> {
    file::Reading::verify(path, |done, of| {
        match watch(Step {
            what: "checking",
            done,
            of,
        }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(TravelError::Stopped),
        }
    })
}
