//! The arguments of `sproutnet match`.

use std::path::PathBuf;

use sproutnet_notation::Play;
use sproutnet_system::options::Time;

use super::readers::{one_play, within};

/// The records, and what is done with them.
#[derive(Debug, clap::Args)]
pub(crate) struct Match {
    /// The file with the records of one or more matches; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the matches in this notation, each move so that it has one meaning, in place of the review
    #[arg(long)]
    pub(crate) write: bool,
    /// Read the positions of one match in place of records: one a line, the start first; under this convention
    #[arg(long, value_name = "PLAY", value_parser = one_play())]
    pub(crate) positions: Option<Play>,
    /// The time limit for searching each position of unknown outcome; at most 10s
    #[arg(long, value_name = "TIME", value_parser = within, default_value = "1s")]
    pub(crate) within: Time,
}
