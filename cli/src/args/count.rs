//! The arguments of `sproutnet count`.

use sproutnet_system::options::Time;

/// The positions, and the limits of each count.
#[derive(Debug, clap::Args)]
pub(crate) struct Count {
    /// Positions, where a number means that many spots; ranges of start positions such as `0-5` or `kayles:0-12`; or
    /// `-` to read positions from standard input, one per line
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    /// The number of positions at which a count stops
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) most: u32,
    /// The time limit for each count
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) within: Time,
}
