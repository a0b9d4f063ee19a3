//! The transposition table: what was found out about states not yet solved, bounded in bytes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Numbers;

/// Slots looked at for one key: those in one line of the processor's cache.
const WAYS: usize = 4;

const CHUNKS: usize = 2048;

/// Numbers of states by their keys. When it is full, what took the least work is forgotten first.
/// Shared by threads, without locks: what is met may be of another state now and then. It steers the
/// search and proves nothing.
pub struct Table {
    /// Each takes memory once something is put there.
    chunks: Box<[OnceLock<Box<[Bucket]>>]>,
    /// Buckets in a chunk.
    size: usize,
}

#[repr(align(64))]
#[derive(Default)]
struct Bucket([Slot; WAYS]);

/// The number of visits spent, which is zero in an empty slot, above a part of the key; the proof number
/// above the disproof number.
#[derive(Default)]
struct Slot {
    about: AtomicU64,
    numbers: AtomicU64,
}

impl Slot {
    fn is_of(&self, key: u128) -> bool {
        let about = self.about.load(Ordering::Relaxed);
        about as u32 == tag(key) && about >> 32 > 0
    }

    fn work(&self) -> u64 {
        self.about.load(Ordering::Relaxed) >> 32
    }
}

impl Table {
    /// A table of at most that many bytes (and at least a few kilobytes). `None` if there is not so
    /// much memory.
    pub fn new(bytes: usize) -> Option<Self> {
        Self::fits(bytes).then_some(())?;
        let size = bytes / size_of::<Bucket>() / CHUNKS;
        Some(Self {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            size: size.max(1),
        })
    }

    /// Whether there is so much memory.
    pub fn fits(bytes: usize) -> bool {
        // Memory is taken as it is touched. Asking for all at once tells if it can be had.
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    /// What is known of a state.
    pub fn get(&self, key: u128) -> Option<Numbers> {
        let (chunk, bucket) = self.place(key);
        let slots = &self.chunks[chunk].get()?[bucket].0;
        let slot = slots.iter().find(|slot| slot.is_of(key))?;
        let numbers = slot.numbers.load(Ordering::Relaxed);
        Some(Numbers {
            proof: (numbers >> 32) as u32,
            disproof: numbers as u32,
        })
    }

    /// Keeps what was found out about a state by `work` more visits.
    pub fn put(&self, key: u128, numbers: Numbers, work: u64) {
        let (chunk, bucket) = self.place(key);
        let fresh = || (0..self.size).map(|_| Bucket::default()).collect();
        let slots = &self.chunks[chunk].get_or_init(fresh)[bucket].0;
        let same = slots.iter().find(|slot| slot.is_of(key));
        let before = same.map_or(0, Slot::work);
        let least = || slots.iter().min_by_key(|slot| slot.work());
        if let Some(slot) = same.or_else(least) {
            let work = before.saturating_add(work).clamp(1, u64::from(u32::MAX));
            let numbers = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
            slot.about
                .store(work << 32 | u64::from(tag(key)), Ordering::Relaxed);
            slot.numbers.store(numbers, Ordering::Relaxed);
        }
    }

    /// The chunk and the bucket of a key.
    fn place(&self, key: u128) -> (usize, usize) {
        // Scaled, for a remainder takes long.
        let buckets = (CHUNKS * self.size) as u128;
        let at = (((key >> 64) * buckets) >> 64) as usize;
        (at / self.size, at % self.size)
    }
}

/// The part of a key that is kept; other parts tell the bucket.
fn tag(key: u128) -> u32 {
    key as u32
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
        let taken = table.chunks.len() * table.size * size_of::<Bucket>();
        assert!(taken <= 1 << 20 && taken > 1 << 19);
    }
}
