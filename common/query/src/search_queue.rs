//! Turns of searches: several at a time, in order of arrival.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The queue of the searches that clients wait for.
#[derive(Debug)]
pub struct SearchQueue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// The number of further searches that may begin.
    free: usize,
    /// The number that the next arrival gets.
    next: u64,
    /// The numbers of those that wait, first come first.
    waiting: VecDeque<u64>,
}

/// A turn, which ends when it is dropped.
pub struct Turn(Arc<SearchQueue>);

impl SearchQueue {
    /// A queue with this many turns at a time, at least one.
    pub fn new(at_once: usize) -> Arc<Self> {
        let state = State {
            free: at_once.max(1),
            next: 0,
            waiting: VecDeque::new(),
        };
        Arc::new(Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        })
    }

    /// Waits for a turn, behind all who wait already. `None` if it does not come before the deadline.
    pub fn enter(self: &Arc<Self>, until: Instant) -> Option<Turn> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.waiting.push_back(number);
        let wait = until.saturating_duration_since(Instant::now());
        let is_next = |state: &State| state.free > 0 && state.waiting.front() == Some(&number);
        let waited = self
            .changed
            .wait_timeout_while(state, wait, |state| !is_next(state));
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let came = is_next(&state);
        state.waiting.retain(|&waiting| waiting != number);
        if came {
            state.free -= 1;
        }
        drop(state);
        // Whoever waits behind this one may be the next now.
        self.changed.notify_all();
        came.then(|| Turn(Arc::clone(self)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
