//! The transposition table: numbers of open states, bounded in bytes.

use std::hint::black_box;
use std::ops::BitXor;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};

use bytemuck::allocation::try_zeroed_slice_box;

use super::Numbers;

/// Slots for one key: as many as a line of the processor's cache holds.
const WAYS: usize = 4;

/// The first number of buckets, if the table may have that many: 64 MiB.
const FIRST: usize = 1 << 20;

/// The factor by which a table grows. It then starts empty.
const GROWTH: usize = 16;

/// Enough to grow to any memory there is.
const SIZES: usize = 8;

/// Numbers of states by their keys. A full table forgets first what took the least work. Threads share it
/// without locks. Keys are kept in part, so an entry may rarely belong to another state: it guides the search
/// and proves nothing.
pub struct Table {
    /// The largest number of buckets.
    most: usize,
    /// Memory is taken as the table fills, so that a small search need not zero all of it.
    sizes: [OnceLock<Box<[Bucket]>>; SIZES],
    /// Which of them is in use.
    size: AtomicUsize,
    /// How many slots of it are filled.
    filled: AtomicUsize,
}

type Bucket = [Slot; WAYS];

/// A tag, combined by exclusive or with the second word; and the proof number above the disproof number. If
/// two threads wrote one half each, the tag matches no key (Hyatt and Mann, *A lockless transposition-table
/// implementation for parallel search*, 2002).
type Slot = [AtomicU64; 2];

/// What a slot holds. An empty one has no work.
#[derive(Clone, Copy)]
struct Entry {
    /// A part of the key.
    part: u32,
    /// Visits spent.
    work: u32,
    numbers: Numbers,
}

impl Entry {
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
    /// A table of at most about that many bytes (and at least one bucket). `None` if there is not enough
    /// memory.
    pub fn new(bytes: usize) -> Option<Self> {
        let table = Self {
            most: (bytes / size_of::<Bucket>()).max(1),
            sizes: [const { OnceLock::new() }; SIZES],
            size: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
        };
        (Self::fits(bytes) && table.allocate(0)).then_some(table)
    }

    /// Whether there is that much memory. It is reserved for a moment, and not touched.
    pub fn fits(bytes: usize) -> bool {
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    /// The numbers of a state.
    pub fn get(&self, key: u128) -> Option<Numbers> {
        let mut entries = self.bucket(key).iter().map(Entry::read);
        let entry = entries.find(|entry| entry.is_of(key));
        entry.map(|entry| entry.numbers)
    }

    /// How many visits a state took, as far as the table remembers.
    pub(super) fn work(&self, key: u128) -> u64 {
        let mut entries = self.bucket(key).iter().map(Entry::read);
        let entry = entries.find(|entry| entry.is_of(key));
        entry.map_or(0, |entry| u64::from(entry.work))
    }

    /// Reads the memory where these keys would be. Nothing depends on it, so the processor waits for several at
    /// a time, and the next [`Self::get`] of each is fast.
    pub(super) fn touch(&self, keys: impl Iterator<Item = u128>) {
        let touched = keys.map(|key| self.bucket(key)[0][0].load(Relaxed));
        black_box(touched.fold(0, BitXor::bitxor));
    }

    /// Keeps the numbers of a state after `more` visits.
    pub fn put(&self, key: u128, numbers: Numbers, more: u64) {
        let bucket = self.bucket(key);
        let entries: [Entry; WAYS] = std::array::from_fn(|i| Entry::read(&bucket[i]));
        let same = entries.iter().position(|entry| entry.is_of(key));
        let least = || (0..WAYS).min_by_key(|&i| entries[i].work);
        let Some(i) = same.or_else(least) else {
            return;
        };
        let before = if same.is_some() { entries[i].work } else { 0 };
        let work = (u64::from(before) + more).clamp(1, u64::from(u32::MAX)) as u32;
        let part = key as u32;
        let entry = Entry {
            part,
            work,
            numbers,
        };
        entry.write(&bucket[i]);
        if entries[i].work == 0 {
            self.fill();
        }
    }

    fn bucket(&self, key: u128) -> &Bucket {
        let Some(buckets) = self.sizes[self.size.load(Acquire)].get() else {
            unreachable!("the size in use is allocated");
        };
        // Scaled, since a remainder is slow.
        &buckets[((key >> 32 & 0xffff_ffff) as usize * buckets.len()) >> 32]
    }

    /// Counts a slot filled, and grows when half of them are.
    fn fill(&self) {
        let filled = self.filled.fetch_add(1, Relaxed) + 1;
        let size = self.size.load(Acquire);
        let slots = WAYS * self.buckets(size);
        if filled == slots / 2 && self.buckets(size) < self.most && self.allocate(size + 1) {
            self.filled.store(0, Relaxed);
            self.size.store(size + 1, Release);
        }
    }

    /// How many buckets a table of that size has.
    fn buckets(&self, size: usize) -> usize {
        (FIRST * GROWTH.pow(size as u32)).min(self.most)
    }

    /// Allocates that size. False if there is not enough memory; the table then stays as it is.
    fn allocate(&self, size: usize) -> bool {
        let buckets = try_zeroed_slice_box(self.buckets(size));
        buckets.is_ok_and(|buckets| self.sizes[size].set(buckets).is_ok())
    }
}

#[cfg(test)]
mod tests;
