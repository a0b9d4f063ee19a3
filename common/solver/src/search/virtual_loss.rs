//! Virtual loss: a state that one thread searches looks harder to the others, so that they spread out
//! (virtual proof numbers: Kaneko, *Parallel depth first proof number search*, 2010).
//!
//! Below a likely win, the second thread at a child already spreads them out less: one lost child proves the win,
//! so threads that help with the best child do more than those that begin another. A likely loss needs all its
//! children.

use super::Numbers;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

/// How many counts there are for each thread, so that two states under search rarely share one.
const PLACES: usize = 1 << 12;

/// Each thread at a child adds the child's disproof number to it. Below a likely win, only the first does; the
/// others add this part of it.
const PART_BELOW_WIN: u32 = 4;

/// The threads of one search: counts them by the keys of the states that they search. States may share a
/// count, which only guides the search.
pub struct Team {
    counts: Box<[AtomicU16]>,
    /// Whether a thread has solved the root. Not every outcome is kept where other threads find it.
    done: AtomicBool,
}

/// Counts a thread at a state as long as it lives.
pub(super) struct AtState<'a>(&'a AtomicU16);

impl Team {
    /// A team of at most that many threads, which may be up to 65,535.
    pub fn new(threads: usize) -> Self {
        Self {
            counts: (0..threads.max(1) * PLACES)
                .map(|_| AtomicU16::new(0))
                .collect(),
            done: AtomicBool::new(false),
        }
    }

    fn place(&self, key: u128) -> &AtomicU16 {
        &self.counts[key as usize % self.counts.len()]
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

    /// The disproof number of a child, raised by the threads that search it. `parent` are the numbers of the
    /// state that it is a child of.
    pub(super) fn disproof(&self, key: u128, disproof: u32, parent: Numbers) -> u32 {
        let threads = u32::from(self.place(key).load(Ordering::Relaxed));
        if threads == 0 {
            return disproof;
        }
        let more = match parent.proof < parent.disproof {
            true => {
                let part = disproof.div_ceil(PART_BELOW_WIN);
                Numbers::add(disproof, Numbers::times(part, threads - 1))
            }
            false => Numbers::times(disproof, threads),
        };
        Numbers::add(disproof, more)
    }
}

impl Drop for AtState<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIKELY_WIN: Numbers = Numbers {
        proof: 3,
        disproof: 4,
    };
    const LIKELY_LOSS: Numbers = Numbers {
        proof: 4,
        disproof: 4,
    };

    #[test]
    fn threads_spread_out_less_below_a_likely_win() {
        let team = Team::new(1_024);
        assert_eq!(team.disproof(7, 100, LIKELY_WIN), 100);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100);
        let here: Vec<_> = (0..1_024).map(|_| team.enter(7)).collect();
        assert_eq!(team.disproof(7, 100, LIKELY_WIN), 200 + 25 * 1_023);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100 + 100 * 1_024);
        assert_eq!(team.disproof(8, 100, LIKELY_LOSS), 100);
        drop(here);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100);
    }

    #[test]
    fn a_raised_number_decides_nothing() {
        let team = Team::new(1_024);
        let _here = team.enter(7);
        let raised = team.disproof(7, Numbers::LARGEST, LIKELY_LOSS);
        assert_eq!(raised, Numbers::LARGEST);
        let solved = team.disproof(7, Numbers::INFINITE, LIKELY_LOSS);
        assert_eq!(solved, Numbers::INFINITE);
    }
}
