//! The arguments of `sproutnet solve`.

use std::time::Duration;

use sproutnet_system::options::{Cores, Memory};

use super::readers::duration;
use super::{Plays, weight};

/// The positions, and how they are solved.
#[derive(Debug, clap::Args)]
pub(crate) struct Solve {
    /// Positions such as `0*3.1a1a` or `kayles:5+3`, where a number means that many spots; ranges of start
    /// positions such as `0-12` or `kayles:0-83`; or `-` to read positions from standard input, one per line
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) roots: Vec<String>,
    /// The play convention
    #[arg(long, default_value = "normal")]
    pub(crate) play: Plays,
    /// Also find the nimber (normal play only)
    #[arg(long)]
    pub(crate) nimber: bool,
    /// The time limit for each position, such as `90s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    /// Computations of higher priority get workers first; may be negative [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) priority: Option<i32>,
    /// Their machine time, relative to other computations of equal priority: 1 to 1000 [default: 1]
    #[arg(long, value_name = "N", value_parser = weight())]
    pub(crate) weight: Option<u32>,
    /// The owner: for whom they are computed [default: the name of the token]
    #[arg(long, value_name = "NAME")]
    pub(crate) owner: Option<String>,
    /// A short text to tell them from others
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Print the ids of the computations and exit; the coordinator continues them
    #[arg(long)]
    pub(crate) detach: bool,
    /// The number of search threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// The memory for the search: an amount, or a percentage of the machine's memory. Elsewhere than on Linux, it
    /// bounds the transposition table alone, to half of it
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}
