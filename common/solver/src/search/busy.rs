//! Where the threads of a search are, so that they do not all go the same way: what one of them is at
//! looks harder to the others (virtual proof numbers: Kaneko, *Parallel depth first proof number
//! search*, 2010).

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Enough that two states that are searched at a time seldom share one.
const PLACES: usize = 1 << 14;

/// Counts threads by the keys of the states that they are at. States may share a count; that only
/// steers.
pub(super) struct Busy {
    counts: Box<[AtomicU8]>,
    /// Whether one of them has solved the root. Not every outcome is kept where the others look.
    done: AtomicBool,
}

/// A thread is at a state as long as this lives.
pub(super) struct Here<'a>(&'a AtomicU8);

impl Busy {
    pub(super) fn nobody() -> Self {
        Self {
            counts: (0..PLACES).map(|_| AtomicU8::new(0)).collect(),
            done: AtomicBool::new(false),
        }
    }

    fn place(&self, key: u128) -> &AtomicU8 {
        &self.counts[key as usize % PLACES]
    }

    /// A thread comes to a state.
    pub(super) fn enter(&self, key: u128) -> Here<'_> {
        let place = self.place(key);
        place.fetch_add(1, Ordering::Relaxed);
        Here(place)
    }

    /// One has solved the root.
    pub(super) fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// How many threads are at a state.
    pub(super) fn at(&self, key: u128) -> u32 {
        u32::from(self.place(key).load(Ordering::Relaxed))
    }
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
