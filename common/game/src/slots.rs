//! Numbered slots that many threads read and extend at the same time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The number of slots in a block. Creating a block takes microseconds, whatever the total.
const BLOCK: usize = 1 << 10;

/// Tier `i` of the directory holds `2^i` blocks. This many tiers cover all numbers of 32 bits.
const TIERS: usize = 23;

type Block<T> = OnceLock<Box<[T]>>;

/// One `T` per number of 32 bits. Blocks are created by `T::default()` on first use. Slots never move, so readers take
/// no lock and get a plain reference.
pub struct Slots<T> {
    tiers: [OnceLock<Box<[Block<T>]>>; TIERS],
    /// The number of blocks created.
    blocks: AtomicUsize,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            tiers: [const { OnceLock::new() }; TIERS],
            blocks: AtomicUsize::new(0),
        }
    }
}

impl<T: Default> Slots<T> {
    /// The slot with this number.
    #[inline]
    pub fn at(&self, index: u32) -> &T {
        let (tier, block, slot) = locate(index);
        let blocks =
            self.tiers[tier].get_or_init(|| (0..1 << tier).map(|_| Block::new()).collect());
        let slots = blocks[block].get_or_init(|| {
            self.blocks.fetch_add(1, Ordering::Relaxed);
            (0..BLOCK).map(|_| T::default()).collect()
        });
        &slots[slot]
    }
}

impl<T> Slots<T> {
    /// The memory of all slots, in bytes, without memory behind pointers.
    pub fn bytes(&self) -> usize {
        self.blocks.load(Ordering::Relaxed) * (BLOCK * size_of::<T>() + size_of::<Block<T>>())
    }
}

/// Values numbered 0, 1, 2, … in the order of addition. They never move.
pub(crate) struct Numbered<T> {
    slots: Slots<OnceLock<T>>,
    count: AtomicU32,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            slots: Slots::default(),
            count: AtomicU32::new(0),
        }
    }
}

impl<T> Numbered<T> {
    /// Adds a value, and returns its number.
    pub(crate) fn add(&self, value: T) -> u32 {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.slots.at(number).get_or_init(|| value);
        number
    }

    /// The value with a number that [`Numbered::add`] returned.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &T {
        let value = self.slots.at(number).get();
        value.expect("a number is handed out only after its slot was filled")
    }

    /// The memory of all slots, in bytes, without memory behind pointers.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.bytes()
    }
}

/// The tier, the block in the tier, and the slot in the block.
#[inline]
fn locate(index: u32) -> (usize, usize, usize) {
    let block = index as usize / BLOCK + 1;
    let tier = block.ilog2() as usize;
    (tier, block - (1 << tier), index as usize % BLOCK)
}

#[cfg(test)]
mod tests;
