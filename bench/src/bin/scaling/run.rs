//! The figures of a computation.

use sproutnet_solver::play::Outcome;

use crate::clock::Time;

/// The figures of a computation.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) threads: usize,
    pub(crate) outcome: Outcome,
    /// The number of expanded lands; one expanded by several workers counts for each.
    pub(crate) expansions: u64,
    /// The same, each land counted once.
    pub(crate) distinct: u64,
    pub(crate) visits: u64,
    pub(crate) time: Time,
    /// The search time of all threads together.
    pub(crate) busy: Time,
    /// The number of jobs reported, and of those with an outcome.
    pub(crate) jobs: u64,
    pub(crate) solved: u64,
    /// The number of jobs ended by a heartbeat because they were no longer wanted.
    pub(crate) unwanted: u64,
    /// The bytes of records that all workers sent, and received.
    pub(crate) bytes: (u64, u64),
    /// The highest least worth of a worker's records at the end, in visits.
    pub(crate) least: u64,
    /// The delay of the feed at the end for the slowest worker, in milliseconds.
    pub(crate) lag: u64,
    /// The number of entries and places that all workers sent.
    pub(crate) exchanged: u64,
    /// The least work of a shared entry at the end, in visits.
    pub(crate) least_shared: u64,
}

impl Run {
    /// The figures at the start.
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
