//! Storage with one slot for each interned land, readable and growable by many threads at once.

use std::sync::OnceLock;

use super::LandId;

/// Slots 0..FIRST sit in chunk 0; every further chunk doubles the number of slots.
const FIRST_BITS: u32 = 10;
const CHUNKS: usize = (u32::BITS - FIRST_BITS + 1) as usize;

/// One `T` for each land, made by `T::default()` when its neighbourhood is first touched.
///
/// Chunks never move, so that references stay valid while other threads add lands; a reader takes
/// no lock.
pub struct ByLand<T> {
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
}

impl<T: Default> Default for ByLand<T> {
    fn default() -> Self {
        Self {
            chunks: [const { OnceLock::new() }; CHUNKS],
        }
    }
}

impl<T: Default> ByLand<T> {
    /// The slot of a land.
    pub fn get(&self, land: LandId) -> &T {
        self.at(land.index())
    }

    /// The slot of that number.
    pub(super) fn at(&self, index: u32) -> &T {
        let (chunk, offset) = locate(index);
        let slots = self.chunks[chunk].get_or_init(|| {
            let size = 1usize << (FIRST_BITS as usize + chunk.saturating_sub(1));
            (0..size).map(|_| T::default()).collect()
        });
        &slots[offset]
    }

    /// The bytes of all slots made so far, without what they point to.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().filter_map(OnceLock::get);
        chunks.map(|slots| size_of_val::<[T]>(slots)).sum()
    }
}

fn locate(index: u32) -> (usize, usize) {
    if index < 1 << FIRST_BITS {
        return (0, index as usize);
    }
    let top = u32::BITS - 1 - index.leading_zeros();
    (
        (top - FIRST_BITS + 1) as usize,
        (index - (1 << top)) as usize,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_distinct_and_cover_all_indices() {
        let mut expected = (0usize, 0usize);
        for index in 0..200_000u32 {
            assert_eq!(locate(index), expected);
            let size = 1 << (FIRST_BITS as usize + expected.0.saturating_sub(1));
            expected = if expected.1 + 1 == size {
                (expected.0 + 1, 0)
            } else {
                (expected.0, expected.1 + 1)
            };
        }
        assert!(locate(u32::MAX).0 < CHUNKS);
    }
}
