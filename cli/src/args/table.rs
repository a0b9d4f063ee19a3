//! The arguments of `sproutnet table`.

use clap::ValueEnum;
use sproutnet_system::options::Time;

use super::readers::within;

/// Which table is shown, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    /// The game, with parameters if it has any, such as `octal(0.137)`
    #[arg(default_value = "sprouts")]
    pub(crate) game: String,
    /// The time limit for searching small positions of unknown outcome; at most 10s
    #[arg(long, value_name = "TIME", value_parser = within, default_value = "1s")]
    pub(crate) within: Time,
    /// What to write [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<TableFormat>,
}

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns
    Text,
    /// Comma-separated values (RFC 4180); an unknown nimber or source is empty
    Csv,
    /// A tabular environment that cites the keys of docs/reference/references.bib
    Latex,
    /// A pipe table
    Markdown,
    /// An object for each start position and convention, as --json
    Json,
}
