//! Turns of searches: several at a time, shared fairly by clients.

use std::collections::{HashMap, VecDeque};
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
    arrivals: u64,
    /// The numbers and the clients of those that wait, first come first.
    waiting: VecDeque<(u64, Arc<str>)>,
    /// The turns that each client has, if any.
    turns: HashMap<Arc<str>, usize>,
}

/// A turn, which ends when it is dropped.
pub struct Turn {
    queue: Arc<SearchQueue>,
    client: Arc<str>,
}

impl State {
    /// The number that gets the next turn: the first of those whose clients have the fewest.
    fn next(&self) -> Option<u64> {
        let turns = |client: &Arc<str>| self.turns.get(client).copied().unwrap_or(0);
        let waiting = self.waiting.iter();
        let next = waiting.min_by_key(|(number, client)| (turns(client), *number));
        next.map(|&(number, _)| number)
    }
}

impl SearchQueue {
    /// A queue with this many turns at a time, at least one.
    pub fn new(at_once: usize) -> Arc<Self> {
        let state = State {
            free: at_once.max(1),
            arrivals: 0,
            waiting: VecDeque::new(),
            turns: HashMap::new(),
        };
        Arc::new(Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        })
    }

    /// Waits for a turn of a client. The clients with the fewest turns come first, and each in order of arrival. `None`
    /// if it does not come before the deadline.
    pub fn enter(self: &Arc<Self>, client: &Arc<str>, until: Instant) -> Option<Turn> {
        let mut state = self.state();
        let number = state.arrivals;
        state.arrivals += 1;
        state.waiting.push_back((number, Arc::clone(client)));
        let wait = until.saturating_duration_since(Instant::now());
        let is_next = |state: &State| state.free > 0 && state.next() == Some(number);
        let waited = self
            .changed
            .wait_timeout_while(state, wait, |state| !is_next(state));
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let came = is_next(&state);
        state.waiting.retain(|(waiting, _)| *waiting != number);
        if came {
            state.free -= 1;
            *state.turns.entry(Arc::clone(client)).or_default() += 1;
        }
        drop(state);
        // Whoever waits behind this one may be the next now.
        self.changed.notify_all();
        came.then(|| Turn {
            queue: Arc::clone(self),
            client: Arc::clone(client),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.free += 1;
        if let Some(turns) = state.turns.get_mut(&self.client) {
            *turns -= 1;
            if *turns == 0 {
                state.turns.remove(&self.client);
            }
        }
        drop(state);
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
