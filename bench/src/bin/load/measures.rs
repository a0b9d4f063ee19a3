//! The measurements of the workers.

use std::time::Duration;

/// Call times and counts.
#[derive(Default)]
pub(crate) struct Measures {
    /// The durations of lease calls.
    pub(crate) leases: Times,
    /// The number of jobs reported.
    pub(crate) cycles: u64,
    /// The durations of exchanges of entries and places.
    pub(crate) exchanges: Times,
    /// The durations of reports, until acknowledged.
    pub(crate) reports: Times,
    /// The durations of renewals.
    pub(crate) renewals: Times,
    /// The durations of HTTP queries, from when they were due.
    pub(crate) queries: Times,
    /// The number of records in the reports.
    pub(crate) records: u64,
    /// The number of children in the reports.
    pub(crate) children: u64,
    /// The number of reports with an outcome.
    pub(crate) outcomes: u64,
    /// The number of lease calls answered without a job.
    pub(crate) idle: u64,
    /// The number of blocks received over feeds, and their size in bytes.
    pub(crate) fed: (u64, u64),
    /// The number of reports after which the worker had more than one message left.
    pub(crate) behind: u64,
    /// The least worth that the coordinator asked for last, in visits.
    pub(crate) least_worth: u64,
}

impl Measures {
    /// Clears all measurements.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes all measurements, and clears them.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}

/// The durations of calls, in microseconds.
#[derive(Default)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    /// Adds a call.
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time.as_micros().try_into().unwrap_or(u32::MAX));
    }

    /// The number of calls.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The median, the 99th percentile and the maximum, in milliseconds.
    pub(crate) fn quantiles(&self) -> [f64; 3] {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = |share: f64| {
            let place = (sorted.len().saturating_sub(1) as f64 * share) as usize;
            sorted.get(place).map_or(0.0, |&time| f64::from(time) / 1e3)
        };
        [at(0.5), at(0.99), at(1.0)]
    }
}
