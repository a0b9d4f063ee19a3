//! The known outcomes of states, by their keys: 16 bytes each, read without a lock.
//!
//! A large search spends much of its time waiting for memory. So a caller with many keys [touches](View::touch) each
//! first: nothing depends on that read, so the processor overlaps several.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, Guard};

/// The number of shards. Each has a lock for writers, and grows by itself.
const SHARDS: usize = 256;

/// The number of slots in a line of the processor's cache.
const WAYS: usize = 4;

/// The share of used slots, as a fraction, at which a shard grows by a quarter.
const FULL: (usize, usize) = (3, 4);

/// The bits of a slot's second word that hold the known bits of its key.
const KNOWN: u64 = 0b1111;

/// A few bits for each key; zero is the value of an unknown key. 124 of the 128 bits of a key identify it.
pub(super) struct Outcomes {
    shards: ArcSwap<[Arc<Shard>; SHARDS]>,
    /// The number of used slots in each shard. A writer holds the lock.
    used: [Mutex<usize>; SHARDS],
    buckets: AtomicUsize,
}

/// The bucket of a key is given by its high bits; a key of a full bucket goes into a later one.
struct Shard(Box<[Bucket]>);

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// The high half of a key; then the low half with the known bits in its last bits, written last. A used slot keeps its
/// key.
type Slot = [AtomicU64; 2];

/// A snapshot of the shards.
pub(super) struct View(Guard<Arc<[Arc<Shard>; SHARDS]>>);

impl View {
    /// The known bits of a key.
    pub(super) fn get(&self, key: u128) -> u8 {
        match self.0[shard_of(key)].find(key) {
            Ok(slot) => (slot[1].load(Relaxed) & KNOWN) as u8,
            Err(_) => 0,
        }
    }

    /// Reads the memory of a key's slot into the cache. The result has no meaning.
    pub(super) fn touch(&self, key: u128) -> u64 {
        let shard = &self.0[shard_of(key)];
        shard.0[shard.home(key)].0[0][1].load(Relaxed)
    }
}

impl Default for Outcomes {
    fn default() -> Self {
        let empty = Arc::new(Shard::of(1));
        Self {
            shards: ArcSwap::from_pointee(std::array::from_fn(|_| Arc::clone(&empty))),
            used: [const { Mutex::new(0) }; SHARDS],
            buckets: AtomicUsize::new(0),
        }
    }
}

impl Outcomes {
    /// A view of all outcomes known now. It may also show some later ones.
    pub(super) fn view(&self) -> View {
        View(self.shards.load())
    }

    /// Adds bits to those of a key if `allows` accepts the known bits. Returns the bits before.
    pub(super) fn add(&self, key: u128, bits: u8, allows: impl FnOnce(u8) -> bool) -> u8 {
        debug_assert!(u64::from(bits) <= KNOWN);
        let number = shard_of(key);
        let mut used = self.lock(number);
        let mut view = self.view();
        // At first all shards are the same empty one.
        if *used == 0 || *used * FULL.1 >= view.0[number].slots() * FULL.0 {
            self.grow(number);
            view = self.view();
        }
        match view.0[number].find(key) {
            Ok(slot) => {
                let word = slot[1].load(Relaxed);
                let known = (word & KNOWN) as u8;
                if allows(known) {
                    slot[1].store(word | u64::from(bits), Relaxed);
                }
                known
            }
            Err(free) => {
                if bits != 0 && allows(0) {
                    free[0].store((key >> 64) as u64, Relaxed);
                    free[1].store(key as u64 & !KNOWN | u64::from(bits), Release);
                    *used += 1;
                }
                0
            }
        }
    }

    /// The approximate memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.load(Relaxed) * size_of::<Bucket>()
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, usize> {
        let used = self.used[number].lock();
        used.unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces a shard by a larger one. The caller holds its lock.
    fn grow(&self, number: usize) {
        let shards = self.shards.load();
        let before = &shards[number];
        let larger = Shard::of(before.0.len() + before.0.len() / 4 + 1);
        for [high, low] in before.0.iter().flat_map(|bucket| &bucket.0) {
            let (high, low) = (high.load(Relaxed), low.load(Relaxed));
            if low & KNOWN != 0
                && let Err(free) = larger.find(u128::from(high) << 64 | u128::from(low))
            {
                free[0].store(high, Relaxed);
                free[1].store(low, Relaxed);
            }
        }
        self.buckets
            .fetch_add(larger.0.len() - before.0.len(), Relaxed);
        let larger = Arc::new(larger);
        // Other shards may be replaced at the same time.
        self.shards.rcu(|shards| {
            let mut shards = (**shards).clone();
            shards[number] = Arc::clone(&larger);
            shards
        });
    }
}

impl Shard {
    fn of(buckets: usize) -> Self {
        Self((0..buckets).map(|_| Bucket::default()).collect())
    }

    fn slots(&self) -> usize {
        self.0.len() * WAYS
    }

    /// The first possible bucket of a key.
    fn home(&self, key: u128) -> usize {
        (((key >> 64) * self.0.len() as u128) >> 64) as usize
    }

    /// The slot of a key, or else the free one for it.
    fn find(&self, key: u128) -> Result<&Slot, &Slot> {
        let (high, low) = ((key >> 64) as u64, key as u64 & !KNOWN);
        let (before, from) = self.0.split_at(self.home(key));
        // There is always a free slot.
        let slots = from.iter().chain(before).flat_map(|bucket| &bucket.0);
        for slot in slots {
            let word = slot[1].load(Acquire);
            if word & KNOWN == 0 {
                return Err(slot);
            }
            if word & !KNOWN == low && slot[0].load(Relaxed) == high {
                return Ok(slot);
            }
        }
        unreachable!("a shard grows before it is full")
    }
}

fn shard_of(key: u128) -> usize {
    (key >> 4) as usize % SHARDS
}

#[cfg(test)]
mod tests;
