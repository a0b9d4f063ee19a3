//! The calls of workers, except their [reports](super::reports).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use sproutnet_notation::{Epoch, SourceId, WorkerId};
use sproutnet_solver::play::LeastWorth;
use sproutnet_store::Budget;
use tokio::sync::Notify;

use super::core::Core;
use super::timings::Timings;
use crate::CoordinatorError;
use crate::locks::{Held, Lock, Rank};
use crate::record_budget::RecordBudget;
use crate::scheduler::fleet::{Games, Registration};
use crate::scheduler::leases::WorkerSlot;
use crate::scheduler::{Grant, NoSearch, Scheduler, UnknownWorker};

/// The maximum length of a worker's name, in bytes.
const LONGEST_NAME: usize = 256;

/// The maximum length of the shown version of a worker.
const LONGEST_VERSION: usize = 64;

/// The version of a worker that tells none that can be shown.
const UNKNOWN_VERSION: &str = "unknown";

/// The maximum number of cores that a worker may register.
const MOST_CORES: u32 = 4096;

impl From<UnknownWorker> for CoordinatorError {
    fn from(_: UnknownWorker) -> Self {
        Self::Unknown("worker")
    }
}

impl From<NoSearch> for CoordinatorError {
    fn from(error: NoSearch) -> Self {
        match error {
            NoSearch::UnknownWorker => UnknownWorker.into(),
            NoSearch::UnknownSlot(slots) => Self::Invalid(format!(
                "there is no such slot: the worker registered with {slots} slots"
            )),
        }
    }
}

/// A worker's description of itself.
#[derive(Clone, Debug, Default)]
pub struct Introduction {
    /// A display name.
    pub name: String,
    /// The address that it called from. `None` for a worker inside this process.
    pub peer: Option<String>,
    /// The version of its program; empty if it does not tell it.
    pub version: String,
    /// The number of threads that search at a time.
    pub cores: u32,
    /// The number of jobs that it searches at a time. As many as `cores` if zero.
    pub slots: u32,
    /// A random number that it keeps across restarts.
    pub identity: u64,
    /// The games of which it takes jobs.
    pub games: Games,
}

/// Workers, their leases and reports.
pub struct Jobs {
    pub(super) core: Arc<Core>,
    pub(super) timings: Timings,
    /// The number of records in reports, repeated ones included.
    pub(super) received: AtomicU64,
    /// The size of their blocks, in bytes.
    pub(super) received_bytes: AtomicU64,
    budget: Lock<RecordBudget>,
}

impl Jobs {
    pub(super) fn new(core: Arc<Core>, now: Instant) -> Self {
        let budget = match core.config.least_worth {
            Some(least) => RecordBudget::fixed(least, now),
            None => RecordBudget::new(core.config.record_budget, now),
        };
        Self {
            core,
            timings: Timings::default(),
            received: AtomicU64::new(0),
            received_bytes: AtomicU64::new(0),
            budget: Lock::new(Rank::Innermost, budget),
        }
    }

    /// The distributions of call times.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    /// Registers a worker; returns its number and the epoch of the store. The leases of an earlier registration with
    /// the same identity end.
    ///
    /// # Errors
    /// The name is too long, there are no cores, too many, or fewer than slots, the worker is quarantined, there are
    /// too many workers, or the store failed.
    pub fn register(
        &self,
        who: Introduction,
        now: Instant,
    ) -> Result<(WorkerId, Epoch), CoordinatorError> {
        let Introduction {
            name,
            peer,
            version,
            cores,
            slots,
            identity,
            games,
        } = who;
        let invalid =
            |problem: String| Err(CoordinatorError::Invalid(format!("the worker{problem}")));
        if name.len() > LONGEST_NAME {
            let bytes = name.len();
            return invalid(format!(
                "'s name has {bytes} bytes, at most {LONGEST_NAME} are allowed"
            ));
        }
        if cores == 0 {
            return invalid(" has no cores".to_owned());
        }
        if slots > cores {
            return invalid(format!(" has {slots} slots, but only {cores} cores"));
        }
        if cores > MOST_CORES {
            return invalid(format!(
                " has {cores} cores, at most {MOST_CORES} are allowed"
            ));
        }
        let full = CoordinatorError::Full("there are too many workers");
        if !self.core.scheduler().fleet().has_capacity_for(identity) {
            return Err(full);
        }
        let source = match &peer {
            None => SourceId::OWN,
            Some(peer) => self.core.ledger.source(identity, &name, peer)?,
        };
        if let Some(aside) = self.core.ledger.quarantine(source) {
            return Err(CoordinatorError::Quarantined(aside.why));
        }
        let registration = Registration {
            name,
            peer: peer.unwrap_or_else(|| "this process".to_owned()),
            version: shown_version(&version),
            cores,
            slots: if slots == 0 { cores } else { slots },
            identity,
            source,
            games,
        };
        let (worker, epoch) = {
            let mut scheduler = self.core.scheduler();
            (scheduler.register(registration, now), scheduler.epoch())
        };
        self.core.work.notify_one();
        Ok((worker.ok_or(full)?, epoch))
    }

    /// A job for a worker's slot. `None` if there is none now or if the disk is full.
    ///
    /// # Errors
    /// There is no such worker or slot, or a result could not be stored.
    pub fn lease(&self, slot: WorkerSlot, now: Instant) -> Result<Option<Grant>, CoordinatorError> {
        let lease = |scheduler: &mut Scheduler, _: &mut _| Ok(self.lease_in(scheduler, slot, now));
        Ok(self.core.transact(now, lease)??.0)
    }

    /// The same under the scheduler's lock. The flag says that a result was reached, which is to be
    /// [concluded](super::Coordinator::conclude) before the job is handed out.
    pub(crate) fn lease_in(
        &self,
        scheduler: &mut Scheduler,
        slot: WorkerSlot,
        now: Instant,
    ) -> Result<(Option<Grant>, bool), CoordinatorError> {
        if self.core.ledger.is_disk_full() {
            scheduler.hear(slot.worker, now)?;
            return Ok((None, false));
        }
        let began = Instant::now();
        let leased = scheduler.lease(slot, now);
        // A refused slot passes its wake-up on. After a grant there may be more jobs, so the next slot is woken too.
        if !matches!(leased, Ok(None)) {
            self.core.work.notify_one();
        }
        self.timings.lease.observe(began.elapsed());
        Ok((leased?, scheduler.has_reached()))
    }

    /// Counts the records of a report, and the size of their blocks in bytes.
    pub(super) fn count_received(&self, records: u64, bytes: u64) {
        self.received.fetch_add(records, Ordering::Relaxed);
        self.received_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.budget.lock().count(bytes);
    }

    /// The least worth of facts that workers send; they withhold the others.
    pub(crate) fn least_worth(&self, now: Instant) -> LeastWorth {
        let mut budget = self.budget.lock();
        let before = budget.last();
        let least = budget.least_worth(now);
        if least != before {
            let visits = least.visits();
            tracing::info!(visits, "the least worth of what workers send changes");
        }
        // The store budget would soon remove facts below its own least worth, so they are not sent either.
        let of_store = self.core.store_budget.as_ref().map(Budget::least);
        of_store.map_or(least, |worth| {
            least.max(LeastWorth::of_visits(worth.visits()))
        })
    }

    /// The scheduler, for changes that write nothing.
    pub(crate) fn scheduler(&self) -> Held<'_, Scheduler> {
        self.core.scheduler()
    }

    /// The same, unless another thread holds its lock.
    pub(crate) fn try_scheduler(&self) -> Option<Held<'_, Scheduler>> {
        self.core.try_scheduler()
    }

    /// Resolves when there may be a new job. Wakes one waiting slot; a slot that finds a job wakes the next.
    pub fn work(&self) -> &Notify {
        &self.core.work
    }
}

/// The version of a worker as it is shown. A worker may tell anything, and is not refused for it.
fn shown_version(told: &str) -> String {
    let shown = told.chars().filter(|c| *c == ' ' || c.is_ascii_graphic());
    let shown: String = shown.take(LONGEST_VERSION).collect();
    match shown.trim() {
        "" => UNKNOWN_VERSION.to_owned(),
        shown => shown.to_owned(),
    }
}
