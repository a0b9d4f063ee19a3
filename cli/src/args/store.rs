//! The arguments of `sproutnet store`.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with the store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreAct {
    /// Read the whole store and report damage
    Check {
        /// Quarantine damaged parts and restore their records from this export
        #[arg(long, value_name = "FILE")]
        repair: Option<PathBuf>,
    },
    /// Save what is good in a damaged store into another folder
    ///
    /// Repeat it if it is interrupted. The damaged store stays as it is.
    Salvage {
        /// The folder of the new store
        #[arg(value_name = "NEW-FOLDER")]
        into: PathBuf,
    },
    /// Show the contents and size of the store
    Stats,
    /// Make the store as small as possible; temporarily needs twice its space
    Compact,
}
