//! Arguments of the commands that open the store themselves.

use std::path::PathBuf;

use clap::Subcommand;

use super::Plays;

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// The file to write; replaced if there is one
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    #[arg(default_value = "./sproutnet.export")]
    pub(crate) output: PathBuf,
    /// Whose records and results
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "both")]
    pub(crate) play: Plays,
}

/// Arguments of `import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Import {
    /// The exports
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub(crate) struct Merge {
    /// Folders of stores, which are not changed, or exports
    #[arg(required = true, value_name = "DIR|FILE")]
    pub(crate) from: Vec<PathBuf>,
}

/// Arguments of `store`.
#[derive(Debug, clap::Args)]
pub(crate) struct Store {
    #[command(subcommand)]
    pub(crate) act: StoreAct,
}

/// What to do with the store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreAct {
    /// Read everything in the store and tell what is wrong
    Check(Check),
    /// Tell what is in the store, and what it takes
    Stats,
    /// Make the store as small as can be; takes as much space again while at it
    Compact,
}

/// Arguments of `store check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Set aside what is damaged, and restore what was in it from this export
    #[arg(long, env = "SPROUTNET_REPAIR", value_name = "FILE")]
    pub(crate) repair: Option<PathBuf>,
}
