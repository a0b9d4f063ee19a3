//! The letters in the slots of a region, as a value that can be copied.

use std::cmp::Ordering;

/// The maximum number of slots of a region that is handled by its shape.
pub(super) const MOST_SLOTS: usize = 15;

/// A letter, or the number of another slot, for each slot of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Labels {
    /// The last byte is the number of slots; unused bytes are zero.
    bytes: [u8; MOST_SLOTS + 1],
}

impl Labels {
    pub(super) const NONE: Self = Self {
        bytes: [0; MOST_SLOTS + 1],
    };

    /// Adds the letter in the next slot. There must be room.
    pub(super) fn push(&mut self, label: u8) {
        self.bytes[self.len()] = label;
        self.bytes[MOST_SLOTS] += 1;
    }

    /// Whether there is no room left.
    pub(super) fn is_full(&self) -> bool {
        self.len() == MOST_SLOTS
    }

    fn len(&self) -> usize {
        usize::from(self.bytes[MOST_SLOTS])
    }

    /// The letter in an existing slot.
    pub(super) fn at(&self, slot: u8) -> u8 {
        self.bytes[usize::from(slot) % (MOST_SLOTS + 1)]
    }

    pub(super) fn slot_of(&self, label: u8) -> Option<usize> {
        const ONES: u128 = u128::MAX / 255;
        const TOPS: u128 = ONES << 7;
        // The lowest zero byte of the differences is the lowest byte with its top bit set here.
        let differences = u128::from_le_bytes(self.bytes) ^ (ONES * u128::from(label));
        let zeros = differences.wrapping_sub(ONES) & !differences & TOPS;
        let slot = zeros.trailing_zeros() as usize / 8;
        (slot < self.len()).then_some(slot)
    }

    /// Whether a letter is in one of the slots.
    pub(super) fn has(&self, label: u8) -> bool {
        self.slot_of(label).is_some()
    }

    pub(super) fn map(mut self, mut change: impl FnMut(u8) -> u8) -> Self {
        for label in self.iter_mut() {
            *label = change(*label);
        }
        self
    }
}

impl Ord for Labels {
    fn cmp(&self, other: &Self) -> Ordering {
        u128::from_be_bytes(self.bytes).cmp(&u128::from_be_bytes(other.bytes))
    }
}

impl PartialOrd for Labels {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::ops::Deref for Labels {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }
}

impl std::ops::DerefMut for Labels {
    fn deref_mut(&mut self) -> &mut [u8] {
        let len = self.len();
        &mut self.bytes[..len]
    }
}

impl FromIterator<u8> for Labels {
    fn from_iter<I: IntoIterator<Item = u8>>(labels: I) -> Self {
        let mut all = Self::NONE;
        labels.into_iter().for_each(|label| all.push(label));
        all
    }
}

impl std::fmt::Debug for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
