//! What is measured of a computation.

use sproutnet_solver::play::Outcome;

use crate::clock::Time;

/// How a computation went.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) threads: usize,
    pub(crate) outcome: Outcome,
    /// Lands that workers expanded, those expanded by several counted for each.
    pub(crate) expansions: u64,
    /// The same, each land counted once.
    pub(crate) distinct: u64,
    pub(crate) visits: u64,
    pub(crate) time: Time,
    /// Time that threads spent searching, all together.
    pub(crate) busy: Time,
    /// Jobs that were reported, and those of them that ended with an outcome.
    pub(crate) jobs: u64,
    pub(crate) solved: u64,
    /// Jobs that were ended by a heartbeat, as nobody wanted them any more.
    pub(crate) unwanted: u64,
    /// Bytes of records that all workers sent and got.
    pub(crate) bytes: (u64, u64),
    /// The highest least worth of a worker's records at the end, in visits.
    pub(crate) least: u64,
    /// How many milliseconds the feed was behind in the end, for the slowest worker.
    pub(crate) lag: u64,
    /// Entries and places that each worker told others, all together.
    pub(crate) exchanged: u64,
    /// The least work of an entry that was told in the end.
    pub(crate) least_shared: u64,
}

impl Run {
    /// Nothing has happened yet.
    pub(crate) fn of(threads: usize) -> Self {
        Self {
            threads,
            outcome: Outcome::Loss,
            expansions: 0,
            distinct: 0,
            visits: 0,
            time: 0,
            busy: 0,
            jobs: 0,
            solved: 0,
            unwanted: 0,
            bytes: (0, 0),
            least: 0,
            lag: 0,
            exchanged: 0,
            least_shared: 0,
        }
    }

    /// The share of the time that threads did not search.
    pub(crate) fn idle(&self) -> f64 {
        1.0 - self.busy as f64 / (self.threads as f64 * self.time as f64)
    }
}
