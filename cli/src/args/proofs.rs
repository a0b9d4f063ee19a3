//! Arguments of the commands about certificates.

use std::path::PathBuf;

use sproutnet_system::options::{Cores, Memory};

use super::OnePlay;

/// Arguments of `mark`.
#[derive(Debug, clap::Args)]
pub(crate) struct Mark {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: OnePlay,
    /// The file to write, in place of an older certificate if there is one; `-` is standard output
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How long to look for smaller proofs, in units of about a second of one core
    ///
    /// Work is counted, not timed: the same proof comes of the same store, if it tells the outcome or one
    /// core searches.
    #[arg(long, env = "SPROUTNET_EFFORT", value_name = "N", default_value_t = 30)]
    pub(crate) effort: u64,
    /// Decides among what looks equally good: another seed, another proof
    #[arg(long, env = "SPROUTNET_SEED", value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many threads search where the store does not know the outcome [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory to use: an amount, or a share of what the machine has
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "50%"
    )]
    pub(crate) memory: Memory,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Certificates; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// How many threads check at a time [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory to check with: an amount, or a share of what the machine has
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "1GiB"
    )]
    pub(crate) memory: Memory,
}
