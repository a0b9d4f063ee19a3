//! The calls of workers, but for their [reports](super::reports).

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use sproutnet_notation::{Epoch, LeaseId, WorkerId};
use sproutnet_store::OWN;
use tokio::sync::Notify;

use super::core::Core;
use super::timings::Timings;
use crate::CoordinatorError;
use crate::scheduler::fleet::{Registration, Totals};
use crate::scheduler::leases::Slot;
use crate::scheduler::{Grant, NoSearch, Scheduler, UnknownWorker};

/// The longest name of a worker, in bytes.
const LONGEST_NAME: usize = 256;

/// More threads than search at a time in any worker.
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

/// Workers, their leases and reports.
pub struct Jobs {
    pub(super) core: Arc<Core>,
    pub(super) timings: Timings,
    /// Records in reports, repeated ones too.
    pub(super) received: AtomicU64,
}

impl Jobs {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            core,
            timings: Timings::default(),
            received: AtomicU64::new(0),
        }
    }

    /// How long calls take.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    /// Registers a worker; returns its number and the epoch of the store. Jobs of an earlier run of
    /// the same worker go to others. A worker without a peer is inside this process.
    ///
    /// # Errors
    /// Its name is too long, it has too many cores, or more slots than those, it is quarantined, there
    /// are too many workers, or the store failed.
    pub fn register(
        &self,
        name: String,
        peer: Option<String>,
        cores: u32,
        slots: u32,
        identity: u64,
        now: Instant,
    ) -> Result<(WorkerId, Epoch), CoordinatorError> {
        if name.len() > LONGEST_NAME {
            return Err(CoordinatorError::Invalid(format!(
                "the worker's name has {} bytes, at most {LONGEST_NAME} are allowed",
                name.len()
            )));
        }
        if slots > cores {
            return Err(CoordinatorError::Invalid(format!(
                "the worker has {slots} slots, but only {cores} cores"
            )));
        }
        if cores > MOST_CORES {
            return Err(CoordinatorError::Invalid(format!(
                "the worker has {cores} cores, at most {MOST_CORES} are allowed"
            )));
        }
        let full = CoordinatorError::Full("there are too many workers");
        if !self.core.scheduler().fleet().has_room(identity) {
            return Err(full);
        }
        let source = match &peer {
            None => OWN,
            Some(peer) => self.core.ledger.source(identity, &name, peer)?,
        };
        if let Some(aside) = self.core.ledger.quarantine(source) {
            return Err(CoordinatorError::Quarantined(aside.why));
        }
        let registration = Registration {
            name,
            peer: peer.unwrap_or_else(|| "this process".to_owned()),
            cores,
            slots: if slots == 0 { cores } else { slots },
            identity,
            source,
        };
        let (worker, epoch) = {
            let mut scheduler = self.core.scheduler();
            (scheduler.register(registration, now), scheduler.epoch())
        };
        self.core.work.notify_one();
        Ok((worker.ok_or(full)?, epoch))
    }

    /// Where whoever sends records to a worker notes how far it has come.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn feed_of(
        &self,
        worker: WorkerId,
        now: Instant,
    ) -> Result<Arc<AtomicU64>, CoordinatorError> {
        let mut scheduler = self.core.scheduler();
        Ok(Arc::clone(&scheduler.hear_of(worker, now)?.fed))
    }

    /// A job for a worker's search. `None` if there is none now.
    ///
    /// # Errors
    /// There is no such worker or slot, or a result could not be stored.
    pub fn lease(&self, slot: Slot, now: Instant) -> Result<Option<Grant>, CoordinatorError> {
        let began = Instant::now();
        self.core.transact(now, |scheduler, _| {
            Ok(self.lease_from(scheduler, slot, now, began))
        })?
    }

    /// The same if that takes no waiting. `None` if it does: nothing was done then. True beside the
    /// job says that a result was reached, which is to be [concluded](super::Coordinator::conclude) first.
    pub fn try_lease(
        &self,
        slot: Slot,
        now: Instant,
    ) -> Option<Result<(Option<Grant>, bool), CoordinatorError>> {
        let began = Instant::now();
        let mut scheduler = self.core.try_scheduler()?;
        let leased = self.lease_from(&mut scheduler, slot, now, began);
        Some(leased.map(|grant| (grant, scheduler.has_reached())))
    }

    fn lease_from(
        &self,
        scheduler: &mut Scheduler,
        slot: Slot,
        now: Instant,
        began: Instant,
    ) -> Result<Option<Grant>, CoordinatorError> {
        let leased = scheduler.lease(slot, now);
        // Whoever was woken only to be refused passes the news on; and where a job came from there
        // may be more.
        if !matches!(leased, Ok(None)) {
            self.core.work.notify_one();
        }
        self.timings.lease.observe(began.elapsed());
        Ok(leased?)
    }

    /// Resolves when there may be a job that was not there before. Wakes one of those who wait; who
    /// finds a job wakes the next.
    pub fn work(&self) -> &Notify {
        &self.core.work
    }

    /// Keeps leases from running out, and notes how the worker does. Returns those of the leases
    /// whose jobs are not wanted any more.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        totals: Totals,
        now: Instant,
    ) -> Result<Vec<LeaseId>, CoordinatorError> {
        Ok(self.core.scheduler().renew(worker, leases, totals, now)?)
    }

    /// The same if that takes no waiting. `None` if it does: nothing was done then.
    pub fn try_renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        totals: Totals,
        now: Instant,
    ) -> Option<Result<Vec<LeaseId>, CoordinatorError>> {
        let renewed = self
            .core
            .try_scheduler()?
            .renew(worker, leases, totals, now);
        Some(renewed.map_err(CoordinatorError::from))
    }

    /// Takes a job back without a result.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn release(
        &self,
        lease: LeaseId,
        worker: WorkerId,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        self.core.scheduler().release(lease, worker, now)?;
        self.core.work.notify_one();
        Ok(())
    }
}
