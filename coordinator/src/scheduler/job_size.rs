//! The size of jobs.

use std::time::Duration;

/// The size of jobs.
///
/// A job costs a call, and the worker descends from the root again. Apart from that, its size matters little, since
/// workers exchange entries while they search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobSize {
    /// The maximum search time of a job, so that computations take turns and show their progress.
    pub slice: Duration,
    /// The number of visits, for each thread of a worker, from which a state is divided into smaller jobs.
    pub least: u64,
}

impl Default for JobSize {
    fn default() -> Self {
        Self {
            slice: Duration::from_secs(2),
            least: 1 << 20,
        }
    }
}
