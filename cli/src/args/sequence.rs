//! The arguments of `sproutnet sequence`.

use std::path::PathBuf;

use clap::ValueEnum;

/// Which nimbers are shown, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Sequence {
    /// The game with its parameters, such as `kayles`, `octal(0.137)`, `subtraction{1,3,4}` or `bash/3`
    #[arg(value_name = "GAME")]
    pub(crate) rules: String,
    /// The heaps
    #[arg(default_value = "0-100")]
    pub(crate) range: String,
    /// What to write [default: text]
    #[arg(long, value_name = "FORMAT", alias = "as")]
    pub(crate) format: Option<SequenceFormat>,
    /// The file to write, or `-` for standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
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
    /// A plot
    Svg,
}
