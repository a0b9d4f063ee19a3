//! The options of the commands that make and check certificates.

use std::path::PathBuf;

use clap::Subcommand;
use sproutnet_notation::Play;
use sproutnet_system::options::{Cores, Memory};

use super::readers::one_play;

/// What to do with the atlas.
#[derive(Debug, Subcommand)]
pub(crate) enum AtlasAct {
    /// Check certificates of the atlas: their checksums, then their facts
    Verify {
        /// The names of certificates, as `atlas` lists them [default: all]
        names: Vec<String>,
        /// The folder of the certificates, `atlas` in the repository
        #[arg(long, value_name = "DIR", default_value = "./atlas")]
        atlas: PathBuf,
        /// The number of checking threads [default: all cores]
        #[arg(long, value_name = "N")]
        cores: Option<Cores>,
        /// The memory for checking: an amount, or a percentage of the machine's memory
        #[arg(long, value_name = "SIZE", default_value = "1GiB")]
        memory: Memory,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    /// The position; a number means that many spots
    pub(crate) position: String,
    /// The play convention
    #[arg(long, value_parser = one_play(), default_value = "normal")]
    pub(crate) play: Play,
    /// The file to write, or `-` for standard output; an existing certificate is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The effort to find smaller proofs, in units of about one core-second
    ///
    /// With 0, one pass finds a proof, in the least time and memory. Work is counted, not timed. The same store gives
    /// the same proof if it knows the outcome or one core searches.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) effort: u64,
    /// The seed for breaking ties; another seed may give another proof
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The number of search threads if the store has no outcome [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory to use: an amount, or a percentage of the machine's memory
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// The certificates, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The number of checking threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory for checking: an amount, or a percentage of the machine's memory
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub(crate) memory: Memory,
}
