//! The early end of a check: lack of memory, or a request to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The reason for the early end of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    /// The limit on memory was reached.
    OutOfMemory,
    /// A stop was requested.
    Stopped,
}

/// A request to end. Clones are the same request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Call this wherever a file can cause long work. Once a fact is far too seldom: a short fact can name a land with
    /// more moves than anyone can count, or with very many symmetries.
    pub(crate) fn check(&self) -> Result<(), Halt> {
        if self.is_requested() {
            Err(Halt::Stopped)
        } else {
            Ok(())
        }
    }
}
