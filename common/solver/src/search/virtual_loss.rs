//! Virtual loss: a state that one thread searches looks harder to the others, so that they spread out
//! (virtual proof numbers: Kaneko, *Parallel depth first proof number search*, 2010).

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Enough counts that two states under search rarely share one.
const PLACES: usize = 1 << 14;

/// Counts threads by the keys of the states that they search. States may share a count, which only guides the
/// search.
pub(super) struct VirtualLoss {
    counts: Box<[AtomicU8]>,
    /// Whether a thread has solved the root. Not every outcome is kept where other threads find it.
    done: AtomicBool,
}

/// Counts a thread at a state as long as it lives.
pub(super) struct AtState<'a>(&'a AtomicU8);

impl Default for VirtualLoss {
    fn default() -> Self {
        Self {
            counts: (0..PLACES).map(|_| AtomicU8::new(0)).collect(),
            done: AtomicBool::new(false),
        }
    }
}

impl VirtualLoss {
    fn place(&self, key: u128) -> &AtomicU8 {
        &self.counts[key as usize % PLACES]
    }

    /// A thread begins to search a state.
    pub(super) fn enter(&self, key: u128) -> AtState<'_> {
        let place = self.place(key);
        place.fetch_add(1, Ordering::Relaxed);
        AtState(place)
    }

    /// A thread has solved the root.
    pub(super) fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// How many threads search a state.
    pub(super) fn at(&self, key: u128) -> u32 {
        u32::from(self.place(key).load(Ordering::Relaxed))
    }
}

impl Drop for AtState<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
