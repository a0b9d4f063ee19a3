//! Arguments of the commands about certificates.

use std::path::PathBuf;

use sproutnet_system::options::{Cores, Memory};

use super::OnePlay;

#[derive(Debug, clap::Args)]
pub(crate) struct Mark {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The play convention
    #[arg(long, env = "SPROUTNET_PLAY", value_enum, default_value = "normal")]
    pub(crate) play: OnePlay,
    /// The file to write, or `-` for standard output; an existing certificate is replaced
    #[arg(short, long, env = "SPROUTNET_OUTPUT", value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The effort to find smaller proofs, in units of about one core-second
    ///
    /// Work is counted, not timed. The same store gives the same proof if it knows the outcome or one core
    /// searches.
    #[arg(long, env = "SPROUTNET_EFFORT", value_name = "N", default_value_t = 30)]
    pub(crate) effort: u64,
    /// The seed for breaking ties; another seed may give another proof
    #[arg(long, env = "SPROUTNET_SEED", value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of search threads if the store has no outcome [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory to use: an amount, or a percentage of the machine's memory
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "50%"
    )]
    pub(crate) memory: Memory,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// The certificates, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The number of checking threads [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory for checking: an amount, or a percentage of the machine's memory
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "1GiB"
    )]
    pub(crate) memory: Memory,
}
