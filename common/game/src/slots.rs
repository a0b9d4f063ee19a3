//! Numbered slots that many threads read and extend at the same time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of slots in a block. Creating a block takes microseconds, however many there are.
const BLOCK: usize = 1 << 10;

/// Tier `i` of the directory holds `2^i` blocks. This many tiers cover all numbers of 32 bits.
const TIERS: usize = 23;

type Block<T> = OnceLock<Box<[T]>>;

/// One `T` per number of 32 bits. Blocks of them are created by `T::default()` when first used. Slots
/// never move, so readers take no lock and get a plain reference.
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
    /// The memory of all slots, in bytes, without what they point to.
    pub fn bytes(&self) -> usize {
        self.blocks.load(Ordering::Relaxed) * (BLOCK * size_of::<T>() + size_of::<Block<T>>())
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
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn slots_are_distinct_and_stay_where_they_are() {
        let slots = Slots::<AtomicU32>::default();
        let first = slots.at(0);
        for index in 0..200_000 {
            assert_eq!(slots.at(index).swap(index + 1, Ordering::Relaxed), 0);
        }
        for index in 0..200_000 {
            assert_eq!(slots.at(index).load(Ordering::Relaxed), index + 1);
        }
        assert!(std::ptr::eq(first, slots.at(0)));
    }

    #[test]
    fn blocks_fill_the_tiers_without_gaps() {
        assert_eq!(locate(0), (0, 0, 0));
        assert_eq!(locate(1023), (0, 0, 1023));
        assert_eq!(locate(1024), (1, 0, 0));
        assert_eq!(locate(3 * 1024 - 1), (1, 1, 1023));
        assert_eq!(locate(3 * 1024), (2, 0, 0));
        assert!(locate(u32::MAX).0 < TIERS);
    }

    #[test]
    fn takes_little_more_memory_than_is_used() {
        let slots = Slots::<AtomicU32>::default();
        for index in 0..100 * BLOCK as u32 {
            slots.at(index);
        }
        assert!(slots.bytes() < 110 * BLOCK * size_of::<AtomicU32>());
    }
}
