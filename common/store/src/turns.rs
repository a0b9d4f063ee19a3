//! Turns between walks, which read all records, and the single mover, which sheds or revokes records.

use super::unpoisoned;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// The turns of a store.
#[derive(Default)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    walks: usize,
    is_moving: bool,
}

/// A walk. No records move before it is dropped.
pub(super) struct Walking(Arc<Turns>);

/// The right to move records. No walk begins before it is dropped.
pub(super) struct Moving<'a>(&'a Turns);

impl Turns {
    /// Begins a walk. Waits while records are being moved.
    pub(super) fn walk(self: &Arc<Self>) -> Walking {
        let mut state = self.settled();
        state.walks += 1;
        Walking(Arc::clone(self))
    }

    /// Begins to move records; `None` during a walk or another move.
    pub(super) fn begin(&self) -> Option<Moving<'_>> {
        let mut state = unpoisoned(self.state.lock());
        let is_free = state.walks == 0 && !state.is_moving;
        state.is_moving |= is_free;
        is_free.then(|| Moving(self))
    }

    /// Begins to move records, once no other move is under way. Does not wait for walks.
    pub(super) fn wait(&self) -> Moving<'_> {
        self.settled().is_moving = true;
        Moving(self)
    }

    fn settled(&self) -> MutexGuard<'_, State> {
        let state = unpoisoned(self.state.lock());
        unpoisoned(self.changed.wait_while(state, |state| state.is_moving))
    }
}

impl Drop for Walking {
    fn drop(&mut self) {
        unpoisoned(self.0.state.lock()).walks -= 1;
    }
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        unpoisoned(self.0.state.lock()).is_moving = false;
        self.0.changed.notify_all();
    }
}
