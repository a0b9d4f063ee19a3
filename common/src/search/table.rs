//! The transposition table: what was found out about states not yet solved, bounded in bytes.

use std::sync::{Mutex, PoisonError};

use super::Numbers;

/// Slots looked at for one key: as many as a line of the processor's cache holds.
const WAYS: usize = 4;
const SHARDS: usize = 1024;

/// Numbers of states by their keys. When it is full, what took the least work is forgotten first.
/// Shared by threads. What is told of a state may be about another now and then, for keys are kept in
/// part: it steers the search and proves nothing.
pub struct Table {
    shards: Box<[Mutex<Box<[Slot]>>]>,
}

/// The number of visits spent, which is zero in an empty slot, above a part of the key; and the proof
/// number above the disproof number. A tuple, because a fresh array of zero tuples takes no memory
/// until it is touched.
type Slot = (u64, u64);

fn is_of(slot: &Slot, key: u128) -> bool {
    slot.0 as u32 == key as u32 && work(slot) > 0
}

fn work(slot: &Slot) -> u64 {
    slot.0 >> 32
}

impl Table {
    /// A table of at most that many bytes (and at least a few kilobytes). `None` if there is not
    /// so much memory.
    pub fn new(bytes: usize) -> Option<Self> {
        Self::fits(bytes).then_some(())?;
        let slots = bytes / size_of::<Slot>() / SHARDS / WAYS * WAYS;
        let shard = || Mutex::new(vec![(0, 0); slots.max(WAYS)].into_boxed_slice());
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
            let slot = bucket.iter().find(|slot| is_of(slot, key));
            slot.map(|&(_, numbers)| Numbers {
                proof: (numbers >> 32) as u32,
                disproof: numbers as u32,
            })
        })
    }

    /// Keeps what was found out about a state by so many more visits.
    pub fn put(&self, key: u128, numbers: Numbers, more: u64) {
        self.with_bucket(key, |bucket| {
            let same = bucket.iter().position(|slot| is_of(slot, key));
            let least = || (0..WAYS).min_by_key(|&i| work(&bucket[i]));
            if let Some(i) = same.or_else(least) {
                let before = if same.is_some() { work(&bucket[i]) } else { 0 };
                let work = before.saturating_add(more).clamp(1, u64::from(u32::MAX));
                let numbers = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
                bucket[i] = (work << 32 | u64::from(key as u32), numbers);
            }
        });
    }

    fn with_bucket<T>(&self, key: u128, act: impl FnOnce(&mut [Slot]) -> T) -> T {
        let shard = &self.shards[(key >> 118) as usize];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        // Scaled, for a remainder takes long.
        let bucket = ((key >> 32 & 0xffff_ffff) as usize * (shard.len() / WAYS)) >> 32;
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
