//! The transposition table: what was found out about states not yet solved, bounded in bytes.

use std::sync::{Mutex, PoisonError};

use super::Numbers;

/// Slots looked at for one key.
const WAYS: usize = 4;
const SHARDS: usize = 256;

/// Numbers of states by their keys. When it is full, what took the least work is forgotten first.
/// Shared by threads.
pub struct Table {
    shards: Box<[Mutex<Box<[Slot]>>]>,
}

/// Key, proof number, disproof number, and visits spent, which are zero in an empty slot. A tuple,
/// because a fresh array of zero tuples takes no memory until it is touched.
type Slot = (u128, u32, u32, u32);

impl Table {
    /// A table of at most that many bytes (and at least a few kilobytes). `None` if there is not
    /// so much memory.
    pub fn new(bytes: usize) -> Option<Self> {
        Self::fits(bytes).then_some(())?;
        let slots = bytes / size_of::<Slot>() / SHARDS / WAYS * WAYS;
        let shard = || Mutex::new(vec![(0, 0, 0, 0); slots.max(WAYS)].into_boxed_slice());
        Some(Self {
            shards: (0..SHARDS).map(|_| shard()).collect(),
        })
    }

    /// Whether there is so much memory.
    pub fn fits(bytes: usize) -> bool {
        // Memory is taken as it is touched. Asking for all at once tells if it can be had.
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    /// What is known of a state.
    pub fn get(&self, key: u128) -> Option<Numbers> {
        self.with_bucket(key, |bucket| {
            let slot = bucket.iter().find(|slot| slot.0 == key && slot.3 > 0);
            slot.map(|&(_, proof, disproof, _)| Numbers { proof, disproof })
        })
    }

    /// Keeps what was found out about a state by `work` more visits.
    pub fn put(&self, key: u128, numbers: Numbers, work: u64) {
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        self.with_bucket(key, |bucket| {
            let same = bucket.iter().position(|slot| slot.0 == key && slot.3 > 0);
            let least = || (0..WAYS).min_by_key(|&i| bucket[i].3);
            if let Some(i) = same.or_else(least) {
                let before = if same.is_some() { bucket[i].3 } else { 0 };
                let work = before.saturating_add(work);
                bucket[i] = (key, numbers.proof, numbers.disproof, work);
            }
        });
    }

    fn with_bucket<T>(&self, key: u128, act: impl FnOnce(&mut [Slot]) -> T) -> T {
        let shard = &self.shards[(key >> 120) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let buckets = shard.len() / WAYS;
        let bucket = (key >> 32) as u64 as usize % buckets;
        act(&mut shard[bucket * WAYS..][..WAYS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_least_work_first_and_stays_in_bounds() {
        let table = Table::new(0).expect("memory");
        let numbers = |n| Numbers {
            proof: n,
            disproof: n,
        };
        // All in one bucket.
        for n in 1..=u128::from(WAYS as u32) {
            table.put(n, numbers(n as u32), n as u64);
        }
        table.put(99, numbers(99), 3);
        assert_eq!(table.get(1), None);
        assert_eq!(table.get(2), Some(numbers(2)));
        assert_eq!(table.get(99), Some(numbers(99)));
        table.put(2, numbers(7), 1);
        assert_eq!(table.get(2), Some(numbers(7)));
    }

    #[test]
    fn takes_the_memory_it_is_given() {
        let table = Table::new(1 << 20).expect("memory");
        let slots: usize = table
            .shards
            .iter()
            .map(|shard| shard.lock().map_or(0, |s| s.len()))
            .sum();
        assert!(slots * size_of::<Slot>() <= 1 << 20 && slots * size_of::<Slot>() > 1 << 19);
    }
}
