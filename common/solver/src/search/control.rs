//! The limits of a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Limits of one search, and a count of its work. Another thread may cancel through it.
#[derive(Debug, Default)]
pub struct Control {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
    most_visits: Option<u64>,
    visits: AtomicU64,
    expansions: AtomicU64,
}

impl Control {
    /// Stops at the deadline, if there is one.
    pub fn until(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            ..Self::default()
        }
    }

    /// Stops after `most` visits of states.
    pub fn with_visits(most: u64) -> Self {
        Self {
            most_visits: Some(most),
            ..Self::default()
        }
    }

    /// The maximum number of visits, if there is such a limit.
    pub(super) fn most_visits(&self) -> Option<u64> {
        self.most_visits
    }

    /// Makes the search stop soon.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the search has to stop.
    pub fn must_stop(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) {
            return true;
        }
        let is_past = |deadline| Instant::now() >= deadline;
        let enough = self.most_visits.is_some_and(|most| self.visits() >= most);
        let stop = enough || self.deadline.is_some_and(is_past);
        if stop {
            // Remembered, so that the clock is not read again while the search returns.
            self.cancel();
        }
        stop
    }

    /// Counts a visit of a state.
    pub(super) fn visit(&self) {
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds the expanded lands of a search.
    pub(super) fn count_expansions(&self, expansions: u64) {
        self.expansions.fetch_add(expansions, Ordering::Relaxed);
    }

    /// The number of lands expanded by ended searches, partial expansions included.
    pub fn expansions(&self) -> u64 {
        self.expansions.load(Ordering::Relaxed)
    }

    /// The number of visited states.
    pub fn visits(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }
}
