//! Locks, and the order in which they are taken.
//!
//! A thread that holds a lock takes only locks of higher [ranks](Rank). So no two threads ever wait for each other. Debug
//! builds and tests panic where a thread breaks the order.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// The order of the coordinator's locks: the first is taken first. Those of the store come after all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The periodic work.
    Maintenance,
    /// A revocation of records.
    Revocation,
    /// The check of a certificate.
    Verification,
    /// The import of a file.
    Import,
    /// The search of an audit.
    Audit,
    /// The list of matches, for a moment.
    Matches,
    /// A match that is being changed.
    Match,
    /// The short addresses, also while one is written.
    ShortLinks,
    /// A write to the store.
    Write,
    /// The scheduler: no write to disk while it is held.
    Scheduler,
    /// The file of the checkpoint.
    Checkpoint,
    /// The sources of records.
    Sources,
    /// The sources that are not on disk yet.
    UnsavedSources,
    /// The requests that wait to be written.
    WriteQueue,
    /// Any lock under which no other is taken.
    Innermost,
}

/// A mutex in the order of locks. It stays usable after a panic.
#[derive(Debug)]
pub(crate) struct Lock<T> {
    rank: Rank,
    mutex: Mutex<T>,
}

/// A lock that is held.
pub(crate) struct Held<'a, T> {
    guard: MutexGuard<'a, T>,
    _place: order::Held,
}

impl<T> Lock<T> {
    /// A lock with this rank.
    pub(crate) const fn new(rank: Rank, content: T) -> Self {
        Self {
            rank,
            mutex: Mutex::new(content),
        }
    }

    /// Waits for the lock.
    pub(crate) fn lock(&self) -> Held<'_, T> {
        let place = order::take(self.rank);
        Held {
            guard: self.mutex.lock().unwrap_or_else(PoisonError::into_inner),
            _place: place,
        }
    }

    /// The lock, unless another thread holds it.
    pub(crate) fn try_lock(&self) -> Option<Held<'_, T>> {
        let guard = match self.mutex.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Held {
            guard,
            _place: order::take(self.rank),
        })
    }
}

impl<T> std::ops::Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> std::ops::DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

#[cfg(any(debug_assertions, feature = "check-lock-order"))]
mod order {
    use std::cell::RefCell;

    use super::Rank;

    thread_local! {
        /// The ranks of the locks that this thread holds.
        static HELD: RefCell<Vec<Rank>> = const { RefCell::new(Vec::new()) };
    }

    /// The rank of a lock that a thread holds.
    pub(super) struct Held(Rank);

    /// Notes that this thread takes a lock.
    ///
    /// # Panics
    /// It holds a lock of the same or a higher rank. Several locks of matches may be held.
    pub(super) fn take(rank: Rank) -> Held {
        HELD.with_borrow_mut(|held| {
            let is_next = |&other: &Rank| other < rank || other == rank && rank == Rank::Match;
            assert!(
                held.iter().all(is_next) || std::thread::panicking(),
                "{rank:?} is locked while {held:?} are held"
            );
            held.push(rank);
        });
        Held(rank)
    }

    impl Drop for Held {
        fn drop(&mut self) {
            HELD.with_borrow_mut(|held| {
                if let Some(at) = held.iter().rposition(|&rank| rank == self.0) {
                    held.remove(at);
                }
            });
        }
    }
}

#[cfg(not(any(debug_assertions, feature = "check-lock-order")))]
mod order {
    pub(super) struct Held;

    pub(super) fn take(_: super::Rank) -> Held {
        Held
    }
}

#[cfg(test)]
mod tests;
