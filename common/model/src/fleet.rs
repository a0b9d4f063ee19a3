//! A coordinator and its workers, and the records of a worker.

use std::fmt;

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Play, SourceId};

/// The state of a coordinator and its workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fleet {
    /// The time since the coordinator started, in seconds.
    pub uptime: f64,
    /// The number of search threads of all workers.
    pub cores: u64,
    /// The number of leased jobs.
    pub jobs: u64,
    /// The recent rate of all workers.
    pub expansions_per_second: f64,
    /// The number of records in the store.
    pub records: u64,
    /// The size of the store on disk, in bytes.
    pub store_bytes: u64,
    /// The free space on the disk of the store, in bytes. Null if unknown.
    pub disk_free: Option<u64>,
    /// The part of it that the coordinator keeps free, in bytes.
    pub disk_reserve: Option<u64>,
    /// Why the coordinator hands out no jobs, such as a full disk. Null if it is well.
    pub problem: Option<String>,
    /// Workers withhold facts that took fewer visits than this, so that the fleet stays within its budget of
    /// records. 1: they withhold none.
    pub least_worth: u64,
    /// How many states there are whose numbers all workers share.
    pub nodes: u64,
    /// The number of jobs leased since the coordinator started.
    pub leased: u64,
    /// The number of jobs that ended with a report.
    pub finished: u64,
    /// The number of jobs whose lease expired.
    pub expired: u64,
    /// The number of jobs returned without a result.
    pub released: u64,
    /// The workers that called in the last minute.
    pub workers: Vec<FleetWorker>,
    /// Workers that reported a false record.
    pub quarantined: Vec<RecordSource>,
}

/// A worker, as the source of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordSource {
    /// Its number in the store.
    #[cfg_attr(feature = "openapi", schema(value_type = u32))]
    pub source: SourceId,
    /// The first name that it used.
    pub name: String,
    /// The first address that it called from.
    pub peer: String,
    /// The number of records in the store that came from it.
    pub records: u64,
    /// Set if it is quarantined. The coordinator accepts nothing from a quarantined worker.
    pub quarantine: Option<Quarantine>,
}

impl RecordSource {
    /// The reason of its quarantine; empty if it is not quarantined.
    pub fn why_quarantined(&self) -> &str {
        let quarantine = self.quarantine.as_ref();
        quarantine.map_or("", |quarantine| &quarantine.why)
    }
}

/// Why and when a worker was quarantined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quarantine {
    /// The reason.
    pub why: String,
    /// The time, in seconds since 1970 (UTC).
    pub at: u64,
}

/// The state of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FleetWorker {
    /// Its number, as text because it may exceed the exact range of JSON numbers.
    pub id: String,
    /// The name that it reports.
    pub name: String,
    /// Its address.
    pub peer: String,
    /// The version of its program, as it reports it, such as `0.1.0 (1a2b3c4)`. `unknown` if it reports none.
    pub version: String,
    /// The number of its search threads.
    pub cores: u32,
    /// The number of jobs leased to it.
    pub jobs: u32,
    /// The number of lands whose options it generated since it registered.
    pub expansions: u64,
    /// The recent rate of expansions.
    pub expansions_per_second: f64,
    /// The number of new records from it.
    pub records: u64,
    /// The memory that it uses, in bytes.
    pub memory: u64,
    /// The time since its last call, in seconds.
    pub silent: f64,
}

impl Fleet {
    /// The same fleet with its sums over the workers recomputed.
    #[must_use]
    pub fn summed(self) -> Self {
        let sum = |part: fn(&FleetWorker) -> u32| {
            let parts = self.workers.iter().map(|worker| u64::from(part(worker)));
            parts.sum()
        };
        let rate = |worker: &FleetWorker| worker.expansions_per_second;
        Self {
            cores: sum(|worker| worker.cores),
            jobs: sum(|worker| worker.jobs),
            // The sum of no fractions at all is -0.
            expansions_per_second: self.workers.iter().map(rate).sum::<f64>() + 0.0,
            ..self
        }
    }
}

/// A record in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedRecord {
    /// The canonical text of its lands, with the game's name unless it is Sprouts.
    pub position: String,
    /// The genus of the other lands in the sum. Null if there are none, or if it cannot be written.
    pub value: Option<String>,
    /// The convention.
    pub play: Play,
    /// `nimber 2`, `nimber not 0, 1`, `win` or `loss`.
    pub says: String,
}

impl fmt::Display for DescribedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            value,
            play,
            says,
        } = self;
        match value {
            Some(value) => write!(f, "{play} {position} beside {value}: {says}"),
            None => write!(f, "{play} {position}: {says}"),
        }
    }
}
