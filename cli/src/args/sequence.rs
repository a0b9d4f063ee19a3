//! The arguments of `sproutnet sequence`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use sproutnet_query::Family;
use sproutnet_solver::theory::sequence::MOST_OPTIONS;

use super::readers::duration;

/// Which nimbers are shown, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Sequence {
    /// The game with its parameters, such as `kayles`, `octal(0.137)`, `subtraction{1,3,4}` or `bash/3`; or a family of
    /// positions, such as `cram:3xN`, `node-kayles:cycle(N)` or `0*N`
    #[arg(value_name = "GAME|FAMILY")]
    pub(crate) rules: String,
    /// The heaps, or the numbers N [default: 0-100, for a family 0-20]
    pub(crate) range: Option<String>,
    /// What to write [default: text]
    #[arg(long, value_name = "FORMAT", alias = "as")]
    pub(crate) format: Option<SequenceFormat>,
    /// The file to write, or `-` for standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The maximum number of options of heaps to look at
    #[arg(long, value_name = "N", default_value_t = MOST_OPTIONS)]
    pub(crate) most_options: u64,
    /// The time limit for all heaps, or for all positions of a family, together [default: none for heaps, 1m for a
    /// family]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Also write a certificate of the proved period to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

impl Sequence {
    /// The family that is asked for; `None` if it is the heaps of a game.
    pub(crate) fn family(&self) -> Option<Family> {
        Family::read(&self.rules)
    }
}

/// The format of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SequenceFormat {
    /// Lines as long as the period, and the proof
    Text,
    /// A line for each heap, with its nimber (RFC 4180)
    Csv,
    /// A tabular environment
    Latex,
    /// A pipe table
    Markdown,
    /// An object, as --json
    Json,
    /// Lines `n a(n)`, as in a b-file of the OEIS
    Bfile,
    /// A plot
    Svg,
}
