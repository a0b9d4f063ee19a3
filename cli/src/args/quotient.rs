//! The arguments of `sproutnet quotient`.

use std::path::PathBuf;

use sproutnet_solver::theory::quotient::MOST_LOOKS;

/// Which quotient is shown, and what it is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Quotient {
    /// The game with its parameters, such as `kayles`, `octal(0.123)`, `subtraction{1,3,4}` or `bash/3`
    #[arg(value_name = "GAME")]
    pub(crate) rules: String,
    /// The largest heap, unless smaller heaps prove the quotient of the whole game; at most 1000
    #[arg(value_name = "LARGEST", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) largest: u32,
    /// The maximum number of elements
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) most_elements: u16,
    /// The maximum number of sums to search for one new heap
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    pub(crate) most_sums: usize,
    /// The maximum number of outcomes of sums to look up for all heaps together
    #[arg(long, value_name = "N", default_value_t = MOST_LOOKS)]
    pub(crate) most_looks: u64,
    /// Also write a certificate of the quotient to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Tell who wins the sum of these heaps under misère play
    #[arg(long, value_name = "SIZE+SIZE+…")]
    pub(crate) of: Option<String>,
}
