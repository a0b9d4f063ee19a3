//! The searches under way: their leases, how to stop them, and how much they did.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_solver::search::Control;

use crate::client::Totals;
use crate::job::Finding;
use sproutnet_system::machine;

/// All jobs that the worker holds, and the work of those that ended.
#[derive(Default)]
pub(crate) struct Searches {
    under_way: Mutex<BTreeMap<u64, Arc<Control>>>,
    visits: AtomicU64,
    expansions: AtomicU64,
}

/// A job that is held. When it is dropped the search is stopped and the lease is not renewed any
/// more.
pub(crate) struct Held {
    searches: Arc<Searches>,
    lease: u64,
    control: Arc<Control>,
}

impl Searches {
    /// Holds a job that may be searched for that long.
    pub(crate) fn hold(self: &Arc<Self>, lease: u64, slice: Duration) -> Held {
        // A slice beyond what the clock can tell is none.
        let control = Arc::new(Control::until(Instant::now().checked_add(slice)));
        self.under_way().insert(lease, Arc::clone(&control));
        Held {
            searches: Arc::clone(self),
            lease,
            control,
        }
    }

    /// The leases of all jobs that are held.
    pub(crate) fn leases(&self) -> Vec<u64> {
        self.under_way().keys().copied().collect()
    }

    /// Makes the search of a job stop soon.
    pub(crate) fn cancel(&self, lease: u64) {
        if let Some(control) = self.under_way().get(&lease) {
            control.cancel();
        }
    }

    /// Makes all searches stop soon.
    pub(crate) fn cancel_all(&self) {
        for control in self.under_way().values() {
            control.cancel();
        }
    }

    /// How much was done since the process began. Expansions count when a job ends.
    pub(crate) fn totals(&self) -> Totals {
        let under_way = self.under_way();
        let live: u64 = under_way.values().map(|control| control.visits()).sum();
        Totals {
            expansions: self.expansions.load(Ordering::Relaxed),
            visits: self.visits.load(Ordering::Relaxed) + live,
            memory: machine::resident_memory().unwrap_or(0),
        }
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Control>>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Limits and cancels the search.
    pub(crate) fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Counts what the search did.
    pub(crate) fn count(&self, finding: &Finding) {
        let expansions = finding.expansions;
        self.searches
            .expansions
            .fetch_add(expansions, Ordering::Relaxed);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.control.cancel();
        let mut under_way = self.searches.under_way();
        under_way.remove(&self.lease);
        let visits = self.control.visits();
        self.searches.visits.fetch_add(visits, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn only_the_cancelled_search_stops() {
        let searches = Arc::new(Searches::default());
        let (one, other) = (searches.hold(1, LONG), searches.hold(2, LONG));
        assert_eq!(searches.leases(), [1, 2]);
        searches.cancel(1);
        searches.cancel(77);
        assert!(one.control().must_stop() && !other.control().must_stop());
        searches.cancel_all();
        assert!(other.control().must_stop());
    }

    #[test]
    fn a_job_that_is_let_go_is_stopped_and_renewed_no_more() {
        let searches = Arc::new(Searches::default());
        let held = searches.hold(1, LONG);
        let control = Arc::clone(held.control());
        drop(held);
        assert!(control.must_stop());
        assert!(searches.leases().is_empty());
        assert!(!searches.hold(2, Duration::MAX).control().must_stop());
    }
}
