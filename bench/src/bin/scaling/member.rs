//! A slot of a virtual worker, and its job.

use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_notation::LeaseId;
use sproutnet_solver::play::Convention;
use sproutnet_solver::search::Found;

use crate::clock::Time;
use crate::worker::{Searcher, Task};

/// A slot.
pub(crate) struct Member<C> {
    /// Its threads.
    pub(crate) searchers: Vec<Searcher<C>>,
    /// The number of expansions that it has reported.
    pub(crate) told: u64,
    pub(crate) slot: WorkerSlot,
    pub(crate) job: Option<Job>,
}

/// A job under way.
pub(crate) struct Job {
    pub(crate) lease: LeaseId,
    pub(crate) task: Task,
    pub(crate) since: Time,
    /// The number of threads that still search it.
    pub(crate) searching: usize,
    pub(crate) found: Option<Found>,
}

impl<C: Convention> Member<C> {
    /// The number of lands that its threads expanded.
    pub(crate) fn expansions(&self) -> u64 {
        self.searchers.iter().map(Searcher::expansions).sum()
    }
}

impl Job {
    /// Takes the result of a thread that ended. An outcome is not replaced.
    pub(crate) fn take(&mut self, found: Option<Found>) {
        self.searching -= 1;
        if !matches!(self.found, Some(Found::Solved(_))) {
            self.found = found.or(self.found.take());
        }
    }
}
