//! Arguments of the commands that open the store themselves.

use std::path::PathBuf;

use clap::Subcommand;

use super::Plays;

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// The file to write; an existing file is replaced
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    #[arg(default_value = "./sproutnet.export")]
    pub(crate) output: PathBuf,
    /// The play convention of the records and results
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "both")]
    pub(crate) play: Plays,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Import {
    /// The export files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Merge {
    /// Store folders (left unchanged) or export files
    #[arg(required = true, value_name = "DIR|FILE")]
    pub(crate) from: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Store {
    #[command(subcommand)]
    pub(crate) act: StoreAct,
}

/// What to do with the store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreAct {
    /// Read the whole store and report damage
    Check(Check),
    /// Show the contents and size of the store
    Stats,
    /// Make the store as small as possible; temporarily needs twice its space
    Compact,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Quarantine damaged parts and restore their records from this export
    #[arg(long, env = "SPROUTNET_REPAIR", value_name = "FILE")]
    pub(crate) repair: Option<PathBuf>,
}
