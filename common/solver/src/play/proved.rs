//! Proved facts that were not taken yet, by their work.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sproutnet_record::Worth;

/// The delay of an acknowledgement, in seconds, above which the least worth rises.
const SLOW: f64 = 1.0;

/// The delay below which it falls. It exceeds the time of a call around the world.
const FAST: f64 = 0.5;

/// The least work of taken facts, in visits: a power of two.
///
/// A fact of little work saves others little, and is soon found again. A worker whose facts are acknowledged late
/// raises the least worth, and lowers it again later. So does a coordinator whose fleet sends too much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeastWorth(u8);

impl LeastWorth {
    /// Everything is taken.
    pub const ALL: Self = Self(0);

    /// 2^15 visits.
    pub const HIGHEST: Self = Self(15);

    /// The least worth for `visits` visits, rounded up to a power of two, up to [`Self::HIGHEST`].
    pub fn of_visits(visits: u64) -> Self {
        let rounded = visits.checked_next_power_of_two();
        let worth = rounded.map_or(u64::BITS, u64::ilog2);
        Self(worth.min(Self::HIGHEST.0.into()) as u8)
    }

    /// The maximum number of facts that are kept of each worth below the least one.
    pub const MOST_WITHHELD: usize = 1 << 13;

    /// The least worth after a message was acknowledged in the time `message` while `waiting` messages wait. If a new
    /// fact would be acknowledged late, it doubles once for each halving that the delay needs.
    #[must_use]
    pub fn after(self, message: Duration, waiting: usize) -> Self {
        let delivery = message.as_secs_f64() * (1 + waiting) as f64;
        if delivery > SLOW {
            let doublings = (delivery / SLOW).log2().ceil() as u32;
            (0..doublings).fold(self, |least, _| least.raised())
        } else if delivery < FAST {
            self.lowered()
        } else {
            self
        }
    }

    /// The least number of visits. One for [`Self::ALL`].
    pub const fn visits(self) -> u64 {
        1 << self.0
    }

    /// Doubled, up to [`Self::HIGHEST`].
    #[must_use]
    pub fn raised(self) -> Self {
        Self((self.0 + 1).min(Self::HIGHEST.0))
    }

    /// Halved, down to [`Self::ALL`].
    #[must_use]
    pub fn lowered(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

/// Facts by their worth.
type ByWorth<T> = [Vec<T>; Worth::MOST.log2() as usize + 1];

/// Facts by their worth. Shared by threads.
pub(super) struct Proved<T>(Mutex<ByWorth<T>>);

impl<T> Default for Proved<T> {
    fn default() -> Self {
        Self(Mutex::new(std::array::from_fn(|_| Vec::new())))
    }
}

impl<T> Proved<T> {
    /// Adds a fact proved in `visits` visits.
    pub(super) fn push(&self, visits: u64, fact: T) {
        let worth = Worth::of_visits(visits);
        self.lock()[usize::from(worth.log2())].push(fact);
    }

    /// Takes the facts of at least this worth, each with its worth, and leaves the rest. If more than
    /// [`LeastWorth::MOST_WITHHELD`] facts of a worth are left, all of these are dropped: they would take ever more
    /// memory, and are found again with little work.
    pub(super) fn take(&self, least: LeastWorth) -> Vec<(Worth, T)> {
        let mut all = self.lock();
        for left in &mut all[..least.0.into()] {
            if left.len() > LeastWorth::MOST_WITHHELD {
                *left = Vec::new();
            }
        }
        let by_worth = (0..).zip(&mut *all).skip(least.0.into());
        let taken = by_worth.flat_map(|(log2, facts)| {
            let worth = Worth::from_log2(log2).unwrap_or(Worth::MOST);
            facts.drain(..).map(move |fact| (worth, fact))
        });
        taken.collect()
    }

    /// The memory of the facts, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let all = self.lock();
        all.iter().map(Vec::capacity).sum::<usize>() * size_of::<T>()
    }

    fn lock(&self) -> MutexGuard<'_, ByWorth<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worth_little_waits() {
        let proved = Proved::default();
        for visits in [0, 1, 2, 3, 4, 1000, u64::MAX] {
            proved.push(visits, visits);
        }
        let four = LeastWorth::ALL.raised().raised();
        assert_eq!(four.visits(), 4);
        let take = |least| {
            let worthy = proved.take(least).into_iter();
            let taken = worthy.map(|(worth, visits)| {
                assert_eq!(worth, Worth::of_visits(visits));
                visits
            });
            taken.collect::<Vec<u64>>()
        };
        assert_eq!(take(LeastWorth::HIGHEST), [u64::MAX]);
        assert_eq!(take(four), [4, 1000]);
        assert_eq!(take(four), [0; 0]);
        assert_eq!(take(four.lowered()), [2, 3]);
        assert_eq!(take(LeastWorth::ALL), [0, 1]);
    }

    #[test]
    fn what_is_never_taken_takes_little_memory() {
        let proved = Proved::default();
        for fact in 0..1_000_000u64 {
            proved.push(fact % 8, fact);
            if fact % 1000 == 0 {
                let _ = proved.take(LeastWorth::of_visits(4));
            }
        }
        assert!(proved.bytes() < 8 << 20, "{}", proved.bytes());
        assert!(!proved.take(LeastWorth::ALL).is_empty());
    }

    #[test]
    fn visits_are_rounded_up() {
        for (visits, rounded) in [
            (0, 1),
            (1, 1),
            (2, 2),
            (3, 4),
            (64, 64),
            (65, 128),
            (1 << 15, 1 << 15),
            ((1 << 15) + 1, 1 << 15),
            (u64::MAX, 1 << 15),
        ] {
            let least = LeastWorth::of_visits(visits);
            assert_eq!(least.visits(), rounded, "{visits}");
        }
        assert_eq!(LeastWorth::of_visits(0), LeastWorth::ALL);
    }

    #[test]
    fn the_least_worth_follows_the_time_that_messages_take() {
        const SECOND: Duration = Duration::from_secs(1);
        let mut least = LeastWorth::ALL;
        for _ in 0..3 {
            least = least.after(2 * SECOND, 0);
        }
        assert_eq!(least.visits(), 8);
        assert_eq!(least.after(SECOND, 0), least);
        assert_eq!(least.after(SECOND / 4, 0).visits(), 4);
        // Waiting messages count, and so does the amount of delay.
        assert_eq!(least.after(SECOND / 4, 3), least);
        assert_eq!(least.after(SECOND / 4, 4).visits(), 16);
        assert_eq!(least.after(8 * SECOND, 0).visits(), 64);
        assert_eq!(least.after(SECOND, 7).visits(), 64);
        for _ in 0..20 {
            least = least.after(2 * SECOND, 0);
        }
        assert_eq!(least, LeastWorth::HIGHEST);
        assert_eq!(
            LeastWorth::ALL.after(Duration::MAX, usize::MAX - 1),
            LeastWorth::HIGHEST
        );
        assert_eq!(LeastWorth::ALL.after(SECOND / 4, 0), LeastWorth::ALL);
    }
}
