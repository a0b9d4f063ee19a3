//! How long calls take.

use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};

/// Distributions of the time that calls took, in seconds.
#[derive(Clone, Debug)]
pub struct Timings {
    /// Calls for a job, without waiting for one.
    pub lease: Histogram,
    /// Reports, until they are durable.
    pub report: Histogram,
}

impl Default for Timings {
    fn default() -> Self {
        // From 100 µs to 13 s.
        let histogram = || Histogram::new(exponential_buckets(1e-4, 2.0, 18));
        Self {
            lease: histogram(),
            report: histogram(),
        }
    }
}
