//! The transposition table: numbers of open states, bounded in bytes.

use std::hint::black_box;
use std::iter;
use std::ops::BitXor;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::allocation::try_zeroed_slice_box;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Entry, Numbers};

/// The number of slots for one key: those in a line of the processor's cache.
const WAYS: usize = 4;

/// The first number of buckets, 64 MiB, unless the table is smaller.
const FIRST: usize = 1 << 20;

/// The factors by which a table grows at first: to 256 MiB, and to 1 GiB. A larger table starts empty, and the smaller
/// ones stay allocated, so there are few sizes.
const FIRST_GROWTHS: [usize; 2] = [4, 4];

/// The factor by which it grows from then on.
const GROWTH: usize = 16;

/// The number of possible sizes, enough to grow to any memory.
const SIZES: usize = 8;

/// The maximum number of entries that wait to be sent. Further ones are not sent.
const MOST_UNTOLD: usize = 1 << 16;

/// Numbers of states by their keys. A full table first forgets states of least work. Threads share it without locks.
/// Keys are kept in part, so an entry may rarely belong to another state: it guides the search and proves nothing.
pub struct Table {
    /// The largest number of buckets.
    most: usize,
    /// Memory is taken as the table fills, so that a small search need not zero all of it.
    sizes: [OnceLock<Box<[Bucket]>>; SIZES],
    /// The index of the size in use.
    size: AtomicUsize,
    /// The number of filled slots in it.
    filled: AtomicUsize,
    /// The least work of an entry that is sent to other workers.
    least_told: AtomicU64,
    /// The entries to send, by the states' keys.
    untold: Mutex<HashMap<u64, Entry, FxBuildHasher>>,
}

type Bucket = [Slot; WAYS];

/// A tag combined by exclusive or with the second word; and the proof number above the disproof number. If two threads
/// wrote one half each, the tag matches no key (Hyatt and Mann, *A lockless transposition-table implementation for
/// parallel search*, 2002).
type Slot = [AtomicU64; 2];

/// The content of a slot. An empty slot has no work.
#[derive(Clone, Copy)]
struct Held {
    /// A part of the key.
    part: u32,
    /// The number of visits.
    work: u32,
    numbers: Numbers,
}

impl Held {
    fn read([tag, numbers]: &Slot) -> Self {
        let numbers = numbers.load(Relaxed);
        let tag = tag.load(Relaxed) ^ numbers;
        Self {
            part: tag as u32,
            work: (tag >> 32) as u32,
            numbers: Numbers {
                proof: (numbers >> 32) as u32,
                disproof: numbers as u32,
            },
        }
    }

    fn write(self, [tag, numbers]: &Slot) {
        let pair = u64::from(self.numbers.proof) << 32 | u64::from(self.numbers.disproof);
        numbers.store(pair, Relaxed);
        tag.store(
            (u64::from(self.work) << 32 | u64::from(self.part)) ^ pair,
            Relaxed,
        );
    }

    fn is_of(self, key: u128) -> bool {
        self.part == key as u32 && self.work > 0
    }
}

impl Table {
    /// A table of about `bytes` bytes at most (and at least one bucket). `None` if there is not enough memory.
    pub fn new(bytes: usize) -> Option<Self> {
        let table = Self {
            most: (bytes / size_of::<Bucket>()).max(1),
            sizes: [const { OnceLock::new() }; SIZES],
            size: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
            least_told: AtomicU64::new(u64::MAX),
            untold: Mutex::default(),
        };
        (Self::fits(bytes) && table.allocate(0)).then_some(table)
    }

    /// Whether `bytes` bytes of memory are available. They are reserved for a moment, and not touched.
    pub fn fits(bytes: usize) -> bool {
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    /// The numbers of a state.
    pub fn get(&self, key: u128) -> Option<Numbers> {
        let mut entries = self.bucket(key).iter().map(Held::read);
        let entry = entries.find(|entry| entry.is_of(key));
        entry.map(|entry| entry.numbers)
    }

    /// The number of visits of a state. Zero if the table has forgotten it.
    pub(super) fn work(&self, key: u128) -> u64 {
        let mut entries = self.bucket(key).iter().map(Held::read);
        let entry = entries.find(|entry| entry.is_of(key));
        entry.map_or(0, |entry| u64::from(entry.work))
    }

    /// Reads the memory of these keys into the cache. Nothing depends on the reads, so the processor overlaps them, and
    /// the next [`Self::get`] of each is fast.
    pub(super) fn touch(&self, keys: impl Iterator<Item = u128>) {
        let touched = keys.map(|key| self.bucket(key)[0][0].load(Relaxed));
        black_box(touched.fold(0, BitXor::bitxor));
    }

    /// Keeps the numbers of a state after `more` further visits.
    pub fn put(&self, key: u128, numbers: Numbers, more: u64) {
        let work = self.keep(key, numbers, |before| before + more);
        if work >= self.least_told() {
            self.tell(Entry {
                key: key as u64,
                numbers,
                work,
            });
        }
    }

    /// Keeps numbers from another search. Numbers of at least as much work stay.
    pub fn hear(&self, Entry { key, numbers, work }: Entry) {
        let key = key.into();
        if self.work(key) < work {
            self.keep(key, numbers, |before| before.max(work));
        }
    }

    /// The least work of a state whose numbers are sent to other workers.
    pub(super) fn least_told(&self) -> u64 {
        self.least_told.load(Relaxed)
    }

    /// Sets the least work of states whose numbers are sent to other workers. A new table sends none.
    pub fn tell_from(&self, least: u64) {
        self.least_told.store(least, Relaxed);
    }

    /// Takes the entries to send, each state once.
    pub fn take_untold(&self) -> Vec<Entry> {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        untold.drain().map(|(_, entry)| entry).collect()
    }

    fn tell(&self, entry: Entry) {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.len() < MOST_UNTOLD || untold.contains_key(&entry.key) {
            untold.insert(entry.key, entry);
        }
    }

    /// Keeps the numbers of a state. `work` maps its previous work to the new one, which is returned.
    fn keep(&self, key: u128, numbers: Numbers, work: impl FnOnce(u64) -> u64) -> u64 {
        let bucket = self.bucket(key);
        let all: [Held; WAYS] = std::array::from_fn(|i| Held::read(&bucket[i]));
        let same = all.iter().position(|held| held.is_of(key));
        let i = same.unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|&i| all[i].work);
            least.unwrap_or_default()
        });
        let before = if same.is_some() { all[i].work } else { 0 };
        let work = work(before.into()).clamp(1, u64::from(u32::MAX)) as u32;
        let held = Held {
            part: key as u32,
            work,
            numbers,
        };
        held.write(&bucket[i]);
        if all[i].work == 0 {
            self.fill();
        }
        work.into()
    }

    fn bucket(&self, key: u128) -> &Bucket {
        let Some(buckets) = self.sizes[self.size.load(Acquire)].get() else {
            unreachable!("the size in use is allocated");
        };
        // Scaled, since a remainder is slow. The product takes 64 bits, which a machine of 32 bits lacks in `usize`.
        &buckets[((u64::from((key >> 32) as u32) * buckets.len() as u64) >> 32) as usize]
    }

    /// Counts a filled slot, and grows when half of them are filled.
    fn fill(&self) {
        let filled = self.filled.fetch_add(1, Relaxed) + 1;
        let size = self.size.load(Acquire);
        let slots = WAYS * self.buckets(size);
        if filled == slots / 2 && self.buckets(size) < self.most && self.allocate(size + 1) {
            self.filled.store(0, Relaxed);
            self.size.store(size + 1, Release);
        }
    }

    /// The number of buckets of a table of this size.
    fn buckets(&self, size: usize) -> usize {
        let growths = FIRST_GROWTHS.into_iter().chain(iter::repeat(GROWTH));
        growths
            .take(size)
            .fold(FIRST, usize::saturating_mul)
            .min(self.most)
    }

    /// Allocates this size. False if there is not enough memory; then the table stays as it is.
    fn allocate(&self, size: usize) -> bool {
        let buckets = try_zeroed_slice_box(self.buckets(size));
        buckets.is_ok_and(|buckets| self.sizes[size].set(buckets).is_ok())
    }
}

#[cfg(test)]
mod tests;
