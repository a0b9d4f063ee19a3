//! What the workers measure.

use std::time::Duration;

/// Calls and what came of them.
#[derive(Default)]
pub(crate) struct Measures {
    /// How long each call for a job took, in microseconds.
    pub(crate) leases: Times,
    /// Jobs that were reported.
    pub(crate) cycles: u64,
    /// How long each exchange of numbers and places took.
    pub(crate) exchanges: Times,
    /// How long each report took until it was acknowledged.
    pub(crate) reports: Times,
    /// How long each renewal took.
    pub(crate) renewals: Times,
    /// How long each question over HTTP took, from when it was due.
    pub(crate) queries: Times,
    /// Records in the reports.
    pub(crate) records: u64,
    /// Children told in the reports.
    pub(crate) children: u64,
    /// Reports that told an outcome.
    pub(crate) outcomes: u64,
    /// Calls for a job to which there was none.
    pub(crate) idle: u64,
    /// Blocks that came by feeds, and their bytes.
    pub(crate) fed: (u64, u64),
    /// Reports of workers that had more than fits into one.
    pub(crate) behind: u64,
    /// The least worth that the coordinator asked for last, in visits.
    pub(crate) least_worth: u64,
}

impl Measures {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What there is, to begin anew.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}

/// How long calls took.
#[derive(Default)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    /// Adds a call.
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time.as_micros().try_into().unwrap_or(u32::MAX));
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The times, in milliseconds, that half of the calls, 99 of 100, and all did not exceed.
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
