//! How the coordinator and its workers do, for people and for monitoring.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sproutnet_model::{self as model, FleetWorker, RecordSource};
use sproutnet_notation::{SourceId, WorkerId};
use sproutnet_system::disk::DiskSpace;

use super::Coordinator;
use crate::audit::AuditCounts;
use crate::scheduler::JobCounts;
use crate::scheduler::fleet::Totals;
use crate::{CoordinatorError, FeedCounts, Health};

/// How a worker does.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// Its number.
    pub number: WorkerId,
    /// Its name, as it says.
    pub name: String,
    /// From where it called.
    pub peer: String,
    /// How many of its threads search at a time.
    pub cores: u32,
    /// How many jobs it searches at a time.
    pub slots: u32,
    /// Jobs that it holds.
    pub jobs: usize,
    /// Since it was last heard of.
    pub silent: Duration,
    /// Its work since it registered.
    pub totals: Totals,
    /// Expansions in each second lately.
    pub rate: f64,
    /// Records from it that said something new.
    pub records: u64,
    /// Blocks of records in the store that it was not sent yet, about.
    pub feed_lag: u64,
    /// The share of what it reports now that is audited.
    pub audit_share: f64,
}

/// How the coordinator does.
#[derive(Clone, Debug)]
pub struct State {
    /// Workers heard of in the last minute.
    pub workers: Vec<WorkerState>,
    /// Work of all workers since the coordinator began.
    pub done: Totals,
    /// Records in the store.
    pub records: usize,
    /// What the store takes on disk, in bytes.
    pub store_bytes: u64,
    /// The space on its disk, if known.
    pub disk_space: Option<DiskSpace>,
    /// Whether the coordinator can do its work.
    pub health: Health,
    /// Records in reports, repeated ones too.
    pub received: u64,
    /// The bytes of their blocks.
    pub received_bytes: u64,
    /// Workers withhold facts that took fewer visits.
    pub least_worth: u64,
    /// What the feeds of workers were sent.
    pub feed: FeedCounts,
    /// Contradictions met.
    pub contradictions: u64,
    /// States whose numbers all workers share.
    pub shared_states: usize,
    /// The memory that these take, in bytes.
    pub shared_bytes: usize,
    /// The least work of such a state for now, in visits.
    pub shared_from: u64,
    /// The memory that what is known for them takes, in bytes.
    pub knowledge_bytes: usize,
    /// Jobs since the coordinator began.
    pub jobs: JobCounts,
    /// Jobs that are out.
    pub leases: usize,
    /// Since the coordinator began.
    pub uptime: Duration,
    /// Quarantined workers, without the number of their records.
    pub quarantined: Vec<RecordSource>,
    /// What came of records that were audited.
    pub audits: AuditCounts,
    /// How often records were revoked.
    pub revocations: u64,
}

impl WorkerState {
    fn summary(&self) -> FleetWorker {
        FleetWorker {
            id: self.number.to_string(),
            name: self.name.clone(),
            peer: self.peer.clone(),
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
    /// What clients see of it.
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

    /// How many jobs the workers search at a time.
    pub fn slots(&self) -> u64 {
        self.workers
            .iter()
            .map(|worker| u64::from(worker.slots))
            .sum()
    }

    /// Jobs that wait for a worker, as far as is known: as many as are out while every search has
    /// one, else none.
    pub fn queue(&self) -> u64 {
        let leases = self.leases as u64;
        if leases < self.slots() { 0 } else { leases }
    }
}

impl Coordinator {
    /// How the coordinator and its workers do.
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
            cores: worker.registration.cores,
            slots: worker.registration.slots,
            jobs: scheduler.leases().of_worker(number).count(),
            silent: worker.silent(now),
            totals: worker.totals,
            rate: worker.rate,
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
            feed: self.fed.now(),
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
