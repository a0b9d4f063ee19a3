//! The leases: which slot holds which job. A pure state machine: the caller passes the time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::computation::ProofJob;
use super::shares::Charge;
use sproutnet_notation::{ComputationId, LeaseId, WorkerId};

/// A slot of a worker. It holds one job at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerSlot {
    /// The worker.
    pub worker: WorkerId,
    /// The number of the slot, from 0.
    pub number: u32,
}

/// A job that is out to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The slot that holds it.
    pub slot: WorkerSlot,
    /// The computation to which the job belongs.
    pub computation: ComputationId,
    /// The job.
    pub job: ProofJob,
    /// Its size, and what was charged for it.
    pub terms: Terms,
    granted: Instant,
    /// When it was granted, or renewed last.
    renewed: Instant,
}

/// The size of a leased job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The maximum search time.
    pub slice: Duration,
    /// The number of cores that search it.
    pub threads: u32,
    /// The virtual time charged for it.
    pub charge: Charge,
}

impl Lease {
    /// The machine time until now: seconds of one core.
    pub fn time(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.granted) * self.terms.threads
    }

    /// The machine time if its end is not known: its slice, or up to the last renewal if that was later.
    pub fn presumed_time(&self) -> Duration {
        self.time(self.renewed.max(self.granted + self.terms.slice))
    }
}

/// All leases that are out; each slot holds one at most.
#[derive(Debug)]
pub struct Leases {
    duration: Duration,
    next: u64,
    out: BTreeMap<LeaseId, Lease>,
    by_slot: BTreeMap<WorkerSlot, LeaseId>,
}

impl Leases {
    /// No leases. Each will expire after `duration` without a renewal. Leases are numbered from `first`.
    pub fn new(duration: Duration, first: u64) -> Self {
        Self {
            duration,
            next: first,
            out: BTreeMap::new(),
            by_slot: BTreeMap::new(),
        }
    }

    /// The duration of a lease without a renewal.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// The number of leases.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether there is no lease.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Leases a job to a slot; returns the number of the lease. The slot's earlier lease is to be [taken
    /// back](Self::take_back) first.
    pub fn grant(
        &mut self,
        slot: WorkerSlot,
        computation: ComputationId,
        job: ProofJob,
        terms: Terms,
        now: Instant,
    ) -> LeaseId {
        let lease = LeaseId(self.next);
        self.next += 1;
        let granted = Lease {
            slot,
            computation,
            job,
            terms,
            granted: now,
            renewed: now,
        };
        self.out.insert(lease, granted);
        let before = self.by_slot.insert(slot, lease);
        debug_assert_eq!(before, None, "a slot holds one job at a time");
        lease
    }

    /// Ends the lease of a slot, if any: a slot that asks for a job no longer works on another.
    pub fn take_back(&mut self, slot: WorkerSlot) -> Option<Lease> {
        let lease = *self.by_slot.get(&slot)?;
        self.remove(lease)
    }

    /// Ends all leases of a worker.
    pub fn take_back_all(&mut self, worker: WorkerId) -> Vec<Lease> {
        let slot = |number| WorkerSlot { worker, number };
        let held = self.by_slot.range(slot(0)..=slot(u32::MAX));
        let held: Vec<LeaseId> = held.map(|(_, &lease)| lease).collect();
        held.into_iter()
            .filter_map(|lease| self.remove(lease))
            .collect()
    }

    /// Ends all leases.
    pub fn take_back_everything(&mut self) -> Vec<Lease> {
        self.by_slot.clear();
        std::mem::take(&mut self.out).into_values().collect()
    }

    /// The leases of a worker.
    pub fn of_worker(&self, worker: WorkerId) -> impl Iterator<Item = &Lease> {
        let slot = |number| WorkerSlot { worker, number };
        let held = self.by_slot.range(slot(0)..=slot(u32::MAX));
        held.filter_map(|(_, lease)| self.out.get(lease))
    }

    /// Renews a lease, and returns it. `None` if the worker does not hold it (any more).
    pub fn renew(&mut self, lease: LeaseId, worker: WorkerId, now: Instant) -> Option<&Lease> {
        let held = self
            .out
            .get_mut(&lease)
            .filter(|held| held.slot.worker == worker)?;
        held.renewed = now;
        Some(held)
    }

    /// A lease that the worker holds.
    pub fn held(&self, lease: LeaseId, worker: WorkerId) -> Option<&Lease> {
        self.out
            .get(&lease)
            .filter(|held| held.slot.worker == worker)
    }

    /// Ends a lease, by report or release. `None` if the worker does not hold it (any more).
    pub fn end(&mut self, lease: LeaseId, worker: WorkerId) -> Option<Lease> {
        self.held(lease, worker)?;
        self.remove(lease)
    }

    /// Ends all expired leases, and returns them.
    pub fn expire(&mut self, now: Instant) -> Vec<Lease> {
        let is_late = |lease: &Lease| lease.renewed + self.duration <= now;
        let late = self.out.iter().filter(|(_, lease)| is_late(lease));
        let late: Vec<LeaseId> = late.map(|(&lease, _)| lease).collect();
        late.into_iter()
            .filter_map(|lease| self.remove(lease))
            .collect()
    }

    fn remove(&mut self, lease: LeaseId) -> Option<Lease> {
        let removed = self.out.remove(&lease)?;
        self.by_slot.remove(&removed.slot);
        Some(removed)
    }
}
