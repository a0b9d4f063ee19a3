//! The options of the program.

use std::time::Duration;

use clap::Parser;
use sproutnet_coordinator::scheduler::job_size::JobSize;
use sproutnet_solver::play::{LeastWorth, Play};

use crate::clock::{MICROSECOND, MILLISECOND};
use crate::cluster::Setting;
use crate::link::Connections;
use crate::shape::Shape;
use crate::worker::Costs;

/// Simulates fleets of many sizes that search a position.
#[derive(Parser)]
pub(crate) struct Args {
    /// Positions to search, each by fleets of all sizes
    #[arg(required = true)]
    pub(crate) positions: Vec<String>,
    /// Under which convention: normal or misere
    #[arg(long, default_value = "normal")]
    pub(crate) play: Play,
    /// Shapes of fleets, as workers x searches at a time x threads of each; the first is what the others are
    /// compared with
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "1,2,4,8,16,32,64,128,256,512,1024"
    )]
    pub(crate) fleets: Vec<Shape>,
    /// Measure what visits and expansions cost on this machine, and end
    #[arg(long)]
    pub(crate) measure: bool,
    /// Virtual microseconds for a visit of a state
    #[arg(long, default_value_t = 10)]
    visit: u64,
    /// Virtual microseconds to expand a land, partially or in full
    #[arg(long, default_value_t = 15)]
    expansion: u64,
    /// Virtual milliseconds for a call to the coordinator, there and back
    #[arg(long, default_value_t = 2)]
    latency: u64,
    /// How much the connection of a worker carries each way, in kbit/s; by default any amount
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    bandwidth: Option<u64>,
    /// KiB of the feed that may be on their way to a worker; an answer comes after these
    #[arg(long, default_value_t = 256)]
    window: u64,
    /// Never send what took less than 2^N visits
    #[arg(long, value_name = "N", default_value_t = 0)]
    least: u32,
    /// Virtual milliseconds that a record takes from the coordinator to all workers
    #[arg(long, default_value_t = 10)]
    feed: u64,
    /// Virtual milliseconds after which a worker sends what a search under way proved
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    flush: u64,
    /// Virtual milliseconds between the heartbeats of a worker
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,
    /// Virtual milliseconds that a job lasts at most
    #[arg(long, default_value_t = JobSize::default().slice.as_millis() as u64, value_parser = clap::value_parser!(u64).range(1..))]
    slice: u64,
    /// A state is divided into jobs once it took so many visits for each thread of a worker
    #[arg(long, default_value_t = JobSize::default().least)]
    job: u64,
    /// KiB of a worker's table, for each of its threads
    #[arg(long, default_value_t = 4096)]
    table: usize,
    /// The order of equal children, and when each worker sends its heartbeats, follow from this number
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Args {
    /// The setting of the simulated clusters.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            costs: Costs {
                visit: self.visit * MICROSECOND,
                expansion: self.expansion * MICROSECOND,
            },
            table: self.table << 10,
            connections: Connections {
                latency: self.latency * MILLISECOND,
                bandwidth: self.bandwidth.map(|kbits| kbits * 1000 / 8),
                window: self.window << 10,
                least: (0..self.least).fold(LeastWorth::ALL, |least, _| least.raised()),
                flush: self.flush * MILLISECOND,
            },
            feed: self.feed * MILLISECOND,
            heartbeat: self.heartbeat * MILLISECOND,
            job_size: JobSize {
                slice: Duration::from_millis(self.slice),
                least: self.job,
            },
            seed: self.seed,
        }
    }
}
