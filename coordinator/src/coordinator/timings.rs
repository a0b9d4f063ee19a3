//! The durations of calls.

use std::time::Duration;

use crate::locks::{Lock, Rank};

/// The upper bound of the first bucket, in seconds.
const SMALLEST: f64 = 1e-4;

/// The number of buckets with a finite upper bound. Each bound is twice the one before; the last is 13 s.
const BOUNDED: u32 = 18;

/// The distributions of call durations.
#[derive(Debug, Default)]
pub struct Timings {
    /// Lease calls, without the wait for a job.
    pub lease: Distribution,
    /// Report calls, until the report is durable and taken in.
    pub report: Distribution,
}

/// A histogram of durations.
#[derive(Debug)]
pub struct Distribution(Lock<Counts>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sum: f64,
    buckets: [u64; BOUNDED as usize + 1],
}

impl Default for Distribution {
    fn default() -> Self {
        Self(Lock::new(Rank::Innermost, Counts::default()))
    }
}

impl Distribution {
    /// Counts one call.
    pub(crate) fn observe(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        let bounded = bounds().position(|bound| seconds <= bound);
        let mut counts = self.0.lock();
        counts.sum += seconds;
        counts.buckets[bounded.unwrap_or(BOUNDED as usize)] += 1;
    }

    /// The sum of all durations in seconds, and for each bucket its upper bound in seconds and its own number of calls
    /// (not cumulative). The last bound is infinite.
    pub fn buckets(&self) -> (f64, Vec<(f64, u64)>) {
        let counts = *self.0.lock();
        let bounds = bounds().chain([f64::INFINITY]);
        (counts.sum, bounds.zip(counts.buckets).collect())
    }
}

fn bounds() -> impl Iterator<Item = f64> {
    (0..BOUNDED).map(|bucket| SMALLEST * f64::from(1 << bucket))
}
