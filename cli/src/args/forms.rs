//! The arguments of `sproutnet genus` and `sproutnet canonical`.

use sproutnet_system::options::{Memory, Time};

/// The positions, and the limits of each.
#[derive(Debug, clap::Args)]
pub(crate) struct Forms {
    /// Positions, where a number means that many spots; ranges of start positions such as `0-5` or `kayles:0-12`; or
    /// `-` to read positions from standard input, one per line
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    /// The time limit for each position
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) within: Time,
    /// The memory for the forms: an amount, or a percentage of the machine's memory
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}
