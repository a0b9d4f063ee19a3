//! A coordinator and its workers.

use serde::{Deserialize, Serialize};

/// How a coordinator and its workers do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fleet {
    /// Seconds since the coordinator began.
    pub uptime: f64,
    /// Threads that search at a time, of all workers.
    pub cores: u64,
    /// Jobs that are out.
    pub jobs: u64,
    /// Of all workers lately.
    pub expansions_per_second: f64,
    /// Solved records in the store.
    pub records: u64,
    /// What the store takes on disk, in bytes.
    pub store_bytes: u64,
    /// Nodes of all proof-number DAGs.
    pub nodes: u64,
    /// Jobs given out since the coordinator began.
    pub leased: u64,
    /// Jobs that ended by a report.
    pub finished: u64,
    /// Jobs whose lease ran out.
    pub expired: u64,
    /// Jobs handed back without a result.
    pub released: u64,
    /// Those that were heard of in the last minute.
    pub workers: Vec<FleetWorker>,
    /// Workers that reported a false record.
    pub quarantined: Vec<RecordSource>,
}

/// A worker, as the source of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordSource {
    /// Its number in the store.
    pub source: u32,
    /// The name that it gave first.
    pub name: String,
    /// The address that it called from first.
    pub peer: String,
    /// The number of records in the store that it proved.
    pub records: u64,
    /// Whether it is quarantined: nothing is accepted from it any more.
    pub quarantine: Option<Quarantine>,
}

/// Why and when a worker was quarantined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quarantine {
    /// Why.
    pub why: String,
    /// When, in seconds since 1970 (UTC).
    pub at: u64,
}

/// How a worker does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FleetWorker {
    /// Its number, as text: it may be larger than JSON's numbers are exact.
    pub id: String,
    /// Its name, as it says.
    pub name: String,
    /// From where it called.
    pub peer: String,
    /// How many of its threads search at a time.
    pub cores: u32,
    /// Jobs that it holds.
    pub jobs: u32,
    /// Lands whose options it looked at since it registered.
    pub expansions: u64,
    /// The same in each second lately.
    pub expansions_per_second: f64,
    /// Records from it that said something new.
    pub records: u64,
    /// The memory that it uses, in bytes.
    pub memory: u64,
    /// Seconds since it was last heard of.
    pub silent: f64,
}

impl Fleet {
    /// The sums over the workers, made anew.
    #[must_use]
    pub fn summed(self) -> Self {
        let sum = |part: fn(&FleetWorker) -> u32| {
            let parts = self.workers.iter().map(|worker| u64::from(part(worker)));
            parts.sum()
        };
        let rates = self
            .workers
            .iter()
            .map(|worker| worker.expansions_per_second);
        Self {
            cores: sum(|worker| worker.cores),
            jobs: sum(|worker| worker.jobs),
            expansions_per_second: rates.sum(),
            ..self
        }
    }
}
