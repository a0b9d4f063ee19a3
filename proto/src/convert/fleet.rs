//! A coordinator and its workers.

use sproutnet_model::{Fleet, FleetWorker, Quarantine, RecordSource};

use super::list;
use crate::v1;

impl From<Fleet> for v1::FleetResponse {
    /// Sums over the workers are left out; the reader sums again.
    fn from(fleet: Fleet) -> Self {
        Self {
            workers: list(fleet.workers),
            records: fleet.records,
            store_bytes: fleet.store_bytes,
            disk_free: fleet.disk_free,
            disk_reserve: fleet.disk_reserve,
            problem: fleet.problem,
            least_worth: fleet.least_worth,
            nodes: fleet.nodes,
            leased: fleet.leased,
            finished: fleet.finished,
            expired: fleet.expired,
            released: fleet.released,
            uptime: fleet.uptime,
            quarantined: list(fleet.quarantined),
        }
    }
}

impl From<v1::FleetResponse> for Fleet {
    fn from(fleet: v1::FleetResponse) -> Self {
        Self {
            uptime: fleet.uptime,
            cores: 0,
            jobs: 0,
            expansions_per_second: 0.0,
            records: fleet.records,
            store_bytes: fleet.store_bytes,
            disk_free: fleet.disk_free,
            disk_reserve: fleet.disk_reserve,
            problem: fleet.problem,
            // Zero is from an older coordinator, which has no least worth.
            least_worth: fleet.least_worth.max(1),
            nodes: fleet.nodes,
            leased: fleet.leased,
            finished: fleet.finished,
            expired: fleet.expired,
            released: fleet.released,
            workers: list(fleet.workers),
            quarantined: list(fleet.quarantined),
        }
        .summed()
    }
}

twins!(FleetWorker, WorkerStatus {
    name, peer, version, cores, jobs, silent, expansions, expansions_per_second, records, memory;
    // The text is a number by construction.
    => id = worker: |id: String| id.parse().unwrap_or_default(), |worker: u64| worker.to_string();
});

impl From<RecordSource> for v1::SourceStatus {
    fn from(source: RecordSource) -> Self {
        let quarantine = source.quarantine;
        let (quarantine_reason, quarantined_at) =
            quarantine.map_or_else(Default::default, |q| (q.why, q.at));
        Self {
            source: source.source.0,
            name: source.name,
            peer: source.peer,
            records: source.records,
            quarantine_reason,
            quarantined_at,
        }
    }
}

impl From<v1::SourceStatus> for RecordSource {
    fn from(source: v1::SourceStatus) -> Self {
        let is_quarantined = source.quarantined_at > 0 || !source.quarantine_reason.is_empty();
        Self {
            source: source.source.into(),
            name: source.name,
            peer: source.peer,
            records: source.records,
            quarantine: is_quarantined.then_some(Quarantine {
                why: source.quarantine_reason,
                at: source.quarantined_at,
            }),
        }
    }
}
