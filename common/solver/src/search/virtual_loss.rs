//! Virtual loss: a state that one thread searches looks harder to the others, so that they spread out (virtual proof
//! numbers: Kaneko, *Parallel depth first proof number search*, 2010).
//!
//! Below a likely win, one lost child proves the win, so threads that help with the best child do more than threads
//! that begin another one: each thread after the first adds little there. A likely loss needs all its children, so
//! spreading out over them costs nothing.
//!
//! Threads of other workers count for more. Two threads of one worker on neighbouring states share their facts at once.
//! Two workers repeat some of the work.

use std::sync::atomic::{AtomicI32, AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Numbers, Place};

/// The number of counts for each thread, so that two states under search rarely share one.
const PLACES: usize = 1 << 12;

/// Each thread at a child adds the child's disproof number to it. Below a likely win, each adds only the disproof
/// number divided by this, except the first of a child without threads of other workers.
const PART_BELOW_WIN: u32 = 4;

/// Each thread of another worker adds the disproof number times this,
const TIMES_OF_OTHERS: u32 = 16;

/// or, below a likely win, divided by this.
const PART_OF_OTHERS_BELOW_WIN: u32 = 2;

/// The threads of a worker, counted by the keys of the states that they search, and the threads of other workers.
/// States may share a count, which only guides the search.
pub struct Team {
    own: Box<[AtomicU16]>,
    others: Box<[AtomicI32]>,
    /// The places of the own threads in states that are sent to other workers.
    told: Mutex<HashMap<u64, i32, FxBuildHasher>>,
}

/// Counts a thread at a state while it lives.
pub(super) struct AtState<'a> {
    team: &'a Team,
    key: u64,
    is_told: bool,
}

/// The threads at a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Threads {
    /// The threads of this worker.
    pub(super) own: u32,
    /// The threads of all other workers.
    pub(super) others: u32,
}

impl Team {
    /// A team of at most `threads` threads, and at most 65,535.
    pub fn new(threads: usize) -> Self {
        let places = threads.max(1) * PLACES;
        Self {
            own: (0..places).map(|_| AtomicU16::new(0)).collect(),
            others: (0..places).map(|_| AtomicI32::new(0)).collect(),
            told: Mutex::default(),
        }
    }

    /// The places of the threads, in states of enough work to be sent to other workers.
    pub fn places(&self) -> Vec<Place> {
        let told = self.told();
        let place = |(&key, &threads)| Place { key, threads };
        told.iter().map(place).collect()
    }

    /// Changes the number of threads of other workers that search a state.
    pub fn hear(&self, change: Place) {
        let place = &self.others[change.key as usize % self.others.len()];
        place.fetch_add(change.threads, Ordering::Relaxed);
    }

    /// Forgets the places of the threads of other workers.
    pub fn forget_others(&self) {
        for place in &self.others {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Counts a thread that begins to search a state. Its place is sent to other workers if `is_told`.
    pub(super) fn enter(&self, key: u128, is_told: bool) -> AtState<'_> {
        let key = key as u64;
        self.place(key).fetch_add(1, Ordering::Relaxed);
        if is_told {
            *self.told().entry(key).or_default() += 1;
        }
        AtState {
            team: self,
            key,
            is_told,
        }
    }

    /// The disproof number of a child, raised by the threads that search it. `parent` are the numbers of its parent.
    pub(super) fn disproof(&self, key: u128, disproof: u32, parent: Numbers) -> u32 {
        let key = key as u64;
        let others = self.others[key as usize % self.others.len()].load(Ordering::Relaxed);
        Threads {
            own: self.place(key).load(Ordering::Relaxed).into(),
            others: others.max(0).unsigned_abs(),
        }
        .raise(disproof, parent)
    }

    fn place(&self, key: u64) -> &AtomicU16 {
        &self.own[key as usize % self.own.len()]
    }

    fn told(&self) -> MutexGuard<'_, HashMap<u64, i32, FxBuildHasher>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Threads {
    /// The disproof number of a child, raised by these threads.
    pub(super) fn raise(self, disproof: u32, parent: Numbers) -> u32 {
        let Self { own, others } = self;
        if own + others == 0 {
            return disproof;
        }
        let more = if parent.proof < parent.disproof {
            let first = if others == 0 { disproof } else { 0 };
            let of_own = match others {
                0 => own - 1,
                _ => own,
            };
            let of_own = Numbers::times(disproof.div_ceil(PART_BELOW_WIN), of_own);
            let of_others = Numbers::times(disproof.div_ceil(PART_OF_OTHERS_BELOW_WIN), others);
            Numbers::add(first, Numbers::add(of_own, of_others))
        } else {
            let times = others.saturating_mul(TIMES_OF_OTHERS).saturating_add(own);
            Numbers::times(disproof, times)
        };
        Numbers::add(disproof, more)
    }
}

impl Drop for AtState<'_> {
    fn drop(&mut self) {
        self.team.place(self.key).fetch_sub(1, Ordering::Relaxed);
        if self.is_told {
            let mut told = self.team.told();
            if let Some(threads) = told.get_mut(&self.key) {
                *threads -= 1;
                if *threads == 0 {
                    told.remove(&self.key);
                }
            }
        }
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
        let here: Vec<_> = (0..1_024).map(|_| team.enter(7, false)).collect();
        assert_eq!(team.disproof(7, 100, LIKELY_WIN), 200 + 25 * 1_023);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100 + 100 * 1_024);
        assert_eq!(team.disproof(8, 100, LIKELY_LOSS), 100);
        drop(here);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100);
    }

    #[test]
    fn threads_of_other_workers_count_for_more_below_a_likely_loss() {
        let team = Team::new(1);
        let there = Place { key: 7, threads: 2 };
        team.hear(there);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100 + 100 * 32);
        assert_eq!(team.disproof(7, 100, LIKELY_WIN), 100 + 50 * 2);
        let here = team.enter(7, false);
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100 + 100 * 33);
        assert_eq!(team.disproof(7, 100, LIKELY_WIN), 100 + 50 * 2 + 25);
        drop(here);
        team.hear(Place {
            threads: -2,
            ..there
        });
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100);
        team.hear(there);
        team.forget_others();
        assert_eq!(team.disproof(7, 100, LIKELY_LOSS), 100);
    }

    #[test]
    fn a_raised_number_decides_nothing() {
        let team = Team::new(1_024);
        let _here = team.enter(7, false);
        team.hear(Place {
            key: 7,
            threads: i32::MAX,
        });
        for parent in [LIKELY_LOSS, LIKELY_WIN] {
            let raised = team.disproof(7, Numbers::LARGEST, parent);
            assert_eq!(raised, Numbers::LARGEST);
            let solved = team.disproof(7, Numbers::INFINITE, parent);
            assert_eq!(solved, Numbers::INFINITE);
        }
    }

    #[test]
    fn only_states_of_enough_work_are_told() {
        let team = Team::new(2);
        let _quiet = team.enter(7, false);
        let one = team.enter(8, true);
        let two = team.enter(8, true);
        assert_eq!(team.places(), [Place { key: 8, threads: 2 }]);
        drop(one);
        assert_eq!(team.places(), [Place { key: 8, threads: 1 }]);
        drop(two);
        assert_eq!(team.places(), []);
    }
}
