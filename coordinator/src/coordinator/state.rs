//! The state of the coordinator and its workers, for people and for monitoring.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sproutnet_model::{self as model, AuditEntry, FleetWorker, RecordSource};
use sproutnet_notation::{SourceId, WorkerId};
use sproutnet_system::disk::DiskSpace;

use super::Coordinator;
use crate::audit::AuditCounts;
use crate::scheduler::JobCounts;
use crate::scheduler::fleet::Totals;
use crate::{CoordinatorError, Health};

/// The state of a worker.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// Its number.
    pub number: WorkerId,
    /// The name that it registered with.
    pub name: String,
    /// The address that it registered from.
    pub peer: String,
    /// The version of its program; `unknown` if it did not tell it.
    pub version: String,
    /// The number of threads that search at a time.
    pub cores: u32,
    /// The number of jobs that it searches at a time.
    pub slots: u32,
    /// The number of leases that it holds.
    pub jobs: usize,
    /// The time since its last call.
    pub silent: Duration,
    /// Its work since it registered, as last reported.
    pub totals: Totals,
    /// Recent expansions per second.
    pub rate: f64,
    /// The number of its records that were new to the store.
    pub records: u64,
    /// The difference between the store's cursor and the worker's feed: about the number of blocks not sent yet.
    pub feed_lag: u64,
    /// The share of its new records that is audited now.
    pub audit_share: f64,
}

/// The state of the coordinator.
#[derive(Clone, Debug)]
pub struct State {
    /// The workers that called in the last minute.
    pub workers: Vec<WorkerState>,
    /// The work of all workers since the coordinator started. The memory is not counted.
    pub done: Totals,
    /// Records in the store.
    pub records: usize,
    /// The size of the store on disk, in bytes.
    pub store_bytes: u64,
    /// The space on its disk, if known.
    pub disk_space: Option<DiskSpace>,
    /// Whether the coordinator can do its work.
    pub health: Health,
    /// The number of records in reports, repeated ones included.
    pub received: u64,
    /// The size of their blocks, in bytes.
    pub received_bytes: u64,
    /// Workers withhold facts that took fewer visits than this.
    pub least_worth: u64,
    /// The number of blocks sent over the feeds of workers.
    pub fed: u64,
    /// The size of these blocks, in bytes.
    pub fed_bytes: u64,
    /// The ends of the last backups that were sent in full since the coordinator started, in seconds since 1970, by the
    /// names of their callers: those of the tokens, or `local`.
    pub backups: BTreeMap<Arc<str>, u64>,
    /// The number of contradictions met.
    pub contradictions: u64,
    /// The number of entries of the exchange: states with shared numbers.
    pub shared_states: usize,
    /// The memory of these entries, in bytes.
    pub shared_bytes: usize,
    /// The least work of an entry that workers share now, in visits.
    pub shared_from: u64,
    /// The memory of the proofs' knowledge, in bytes.
    pub knowledge_bytes: usize,
    /// Jobs since the coordinator started.
    pub jobs: JobCounts,
    /// The number of leases that are out.
    pub leases: usize,
    /// The time since the coordinator started.
    pub uptime: Duration,
    /// The quarantined workers. Their records are not counted: the number is 0.
    pub quarantined: Vec<RecordSource>,
    /// The results of audits.
    pub audits: AuditCounts,
    /// The number of revocations: the epoch of the store.
    pub revocations: u64,
}

impl WorkerState {
    fn summary(&self) -> FleetWorker {
        FleetWorker {
            id: self.number.to_string(),
            name: self.name.clone(),
            peer: self.peer.clone(),
            version: self.version.clone(),
            cores: self.cores,
            jobs: self.jobs as u32,
            expansions: self.totals.expansions,
            expansions_per_second: self.rate,
            records: self.records,
            memory: self.totals.memory,
            silent: self.silent.as_secs_f64(),
        }
    }
}

impl State {
    /// The fleet as shown to clients.
    pub fn fleet(&self) -> model::Fleet {
        let fleet = model::Fleet {
            uptime: self.uptime.as_secs_f64(),
            cores: 0,
            jobs: 0,
            expansions_per_second: 0.0,
            records: self.records as u64,
            store_bytes: self.store_bytes,
            disk_free: self.disk_space.map(|space| space.free),
            disk_reserve: self.disk_space.map(|space| space.reserve),
            least_worth: self.least_worth,
            problem: (!self.health.is_well()).then(|| self.health.to_string()),
            nodes: self.shared_states as u64,
            leased: self.jobs.leased,
            finished: self.jobs.finished,
            expired: self.jobs.expired,
            released: self.jobs.released,
            workers: self.workers.iter().map(WorkerState::summary).collect(),
            quarantined: self.quarantined.clone(),
        };
        fleet.summed()
    }

    /// The number of slots of all workers.
    pub fn slots(&self) -> u64 {
        self.workers
            .iter()
            .map(|worker| u64::from(worker.slots))
            .sum()
    }

    /// An estimate of the number of jobs that wait for a worker: the number of leases while every slot holds one, else
    /// 0.
    pub fn queue(&self) -> u64 {
        let leases = self.leases as u64;
        if leases < self.slots() { 0 } else { leases }
    }
}

impl Coordinator {
    /// The last entries of the audit log, newest first.
    pub fn audit_log(&self) -> Vec<AuditEntry> {
        self.core.audit_log.entries()
    }

    /// The state of the coordinator and its workers.
    ///
    /// # Errors
    /// The store failed.
    pub fn state(&self, now: Instant) -> Result<State, CoordinatorError> {
        let store = self.core.ledger.store();
        let (records, cursor) = (store.len(), store.cursor());
        let store_bytes = store.stats()?.disk_bytes;
        let scheduler = self.core.scheduler();
        let exchange = scheduler.exchange();
        let workers = scheduler.fleet().present(now);
        let workers = workers.map(|(number, worker)| WorkerState {
            number,
            name: worker.registration.name.clone(),
            peer: worker.registration.peer.clone(),
            version: worker.registration.version.clone(),
            cores: worker.registration.cores,
            slots: worker.registration.slots,
            jobs: scheduler.leases().of_worker(number).count(),
            silent: worker.silent(now),
            totals: worker.totals,
            rate: worker.rate(now),
            records: worker.records,
            feed_lag: cursor.saturating_sub(worker.fed.load(Ordering::Relaxed)),
            audit_share: match worker.registration.source {
                SourceId::OWN => 0.0,
                source => self.core.plan.share(source),
            },
        });
        Ok(State {
            workers: workers.collect(),
            done: scheduler.fleet().done(),
            records,
            store_bytes,
            disk_space: self.core.ledger.disk_space(),
            health: self.core.ledger.health().borrow().clone(),
            received: self.jobs.received.load(Ordering::Relaxed),
            received_bytes: self.jobs.received_bytes.load(Ordering::Relaxed),
            least_worth: self.jobs.least_worth(now).visits(),
            fed: self.fed.load(Ordering::Relaxed),
            fed_bytes: self.fed_bytes.load(Ordering::Relaxed),
            backups: self.backups.ends(),
            contradictions: self.core.contradictions.load(Ordering::Relaxed),
            shared_states: exchange.entries().len(),
            shared_bytes: exchange.entries().bytes(),
            shared_from: exchange.least_work(),
            knowledge_bytes: scheduler.knowledge().bytes(),
            jobs: scheduler.jobs(),
            leases: scheduler.leases().len(),
            uptime: now.saturating_duration_since(self.began),
            quarantined: self.sources.quarantined(),
            audits: self.core.plan.counts(),
            revocations: store.epoch().0,
        })
    }
}
