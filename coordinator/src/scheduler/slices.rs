//! How long a job is searched.
//!
//! Long jobs cost the least: each begins with a worker that learns what the others found, and ends
//! with a message. But as long as a computation is young its proof has few leaves, and all workers
//! but one wait for the first job to end. So jobs last a share of the time that the computation has
//! taken so far, within bounds. A leaf that is no job's worth of new children is tried for longer.

use std::time::Duration;

/// The bounds within which jobs last a [`SHARE`] of the time a computation has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slices {
    /// The first jobs of a computation.
    pub shortest: Duration,
    /// Jobs of computations that take long.
    pub target: Duration,
}

/// Jobs last this part of the time taken so far.
const SHARE: u32 = 16;

/// A leaf tried in vain is searched twice as long the next time, so many times.
const MOST_DOUBLINGS: u32 = 6;

impl Default for Slices {
    fn default() -> Self {
        Self {
            shortest: Duration::from_millis(50),
            target: Duration::from_secs(2),
        }
    }
}

impl Slices {
    /// How long to search a leaf that was tried in vain so many times, of a computation that has
    /// taken that much time.
    pub fn next(&self, spent: Duration, tries: u32) -> Duration {
        let share = spent / SHARE;
        share.clamp(self.shortest, self.target) * (1 << tries.min(MOST_DOUBLINGS))
    }
}

#[cfg(test)]
mod tests;
