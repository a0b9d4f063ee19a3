//! The running searches: their leases, their controls, and their counters.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_notation::LeaseId;
use sproutnet_solver::search::Control;
use sproutnet_system::machine;

use crate::client::Totals;

/// The searches of a worker.
#[derive(Default)]
pub(crate) struct Searches(Mutex<State>);

#[derive(Default)]
struct State {
    running: BTreeMap<LeaseId, Arc<Control>>,
    /// The counters of searches that ended.
    ended: Totals,
}

/// A job held by this worker. Dropping it cancels the search and stops renewing the lease.
pub(crate) struct Held {
    /// Limits and cancels the search.
    pub(crate) control: Arc<Control>,
    searches: Arc<Searches>,
    lease: LeaseId,
}

impl Searches {
    /// Holds a job for its time slice.
    pub(crate) fn hold(self: &Arc<Self>, lease: LeaseId, slice: Duration) -> Held {
        // A slice beyond the range of the clock sets no limit.
        let control = Arc::new(Control::until(Instant::now().checked_add(slice)));
        self.state().running.insert(lease, Arc::clone(&control));
        Held {
            control,
            searches: Arc::clone(self),
            lease,
        }
    }

    /// The leases of all held jobs.
    pub(crate) fn leases(&self) -> Vec<LeaseId> {
        self.state().running.keys().copied().collect()
    }

    /// Cancels the search of a job.
    pub(crate) fn cancel(&self, lease: LeaseId) {
        if let Some(control) = self.state().running.get(&lease) {
            control.cancel();
        }
    }

    /// Cancels all searches.
    pub(crate) fn cancel_all(&self) {
        for control in self.state().running.values() {
            control.cancel();
        }
    }

    /// The counters since the process started.
    pub(crate) fn totals(&self) -> Totals {
        let state = self.state();
        let mut totals = state.ended;
        for control in state.running.values() {
            totals.count(control);
        }
        totals.memory = machine::resident_memory().unwrap_or(0);
        totals
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Totals {
    fn count(&mut self, control: &Control) {
        self.visits += control.visits();
        self.expansions += control.expansions();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.control.cancel();
        let mut state = self.searches.state();
        state.running.remove(&self.lease);
        state.ended.count(&self.control);
    }
}

#[cfg(test)]
#[path = "searches_tests.rs"]
mod tests;
