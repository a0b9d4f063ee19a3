//! How large jobs are.

use std::time::Duration;

/// The size of jobs.
///
/// A job costs a call, and the worker goes down from the root again. Beyond that its size matters little, since workers
/// tell each other what they find while they search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobSize {
    /// A job that is not solved ends after this time at the latest: computations take turns, and people see how far
    /// they are.
    pub slice: Duration,
    /// A state is divided into smaller jobs once it took so many visits for each thread of the worker.
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
