//! The arguments of `sproutnet bench`.

use std::time::Duration;

use sproutnet_solver::play::Switch;
use sproutnet_system::options::{Cores, Memory};

use super::Plays;
use super::readers::duration;
use crate::bench::Suite;

/// What is measured, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Positions and ranges of start positions, as for `solve`, instead of a suite
    #[arg(value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// What to measure [default: quick, unless positions are given]
    #[arg(long)]
    pub(crate) suite: Option<Suite>,
    /// The play convention of the positions; a suite has its own [default: normal]
    #[arg(long)]
    pub(crate) play: Option<Plays>,
    /// Keep results from one position to the next
    #[arg(long)]
    pub(crate) warm: bool,
    /// The number of search threads per position
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) threads: Cores,
    /// The number of repetitions with each seed; the medians of all runs are reported
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeat: u16,
    /// The seed for breaking ties; with one thread, equal seeds give equal counts
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// The number of seeds, from `--seed` on; the medians of all runs are reported
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) seeds: u16,
    /// The memory of the transposition table: an amount, or a percentage of the machine's memory
    #[arg(long, value_name = "SIZE", default_value = "128MiB")]
    pub(crate) memory: Memory,
    /// The time limit for each position, such as `90s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    #[arg(long, value_name = "FEATURE,…", value_delimiter = ',', help = features())]
    pub(crate) without: Vec<Switch>,
}

fn features() -> String {
    let names = Switch::ALL.map(Switch::name).join(", ");
    format!("Disable search features: {names}")
}
