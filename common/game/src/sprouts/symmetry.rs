//! The symmetries of a shape: permutations of its slots that leave everything else unchanged.

use smallvec::SmallVec;

use super::labels::{Labels, MOST_SLOTS};

/// Room for a number per slot, a power of two.
const ROOM: usize = MOST_SLOTS + 1;

/// The group of symmetries of a shape.
#[derive(Clone, Debug)]
pub(super) struct Symmetries {
    /// For each slot, the set of slots that can be swapped with it while all others stay.
    swaps: [u16; MOST_SLOTS],
    /// Each symmetry as the slot that takes the place of each slot. Empty if the group is *free*: all
    /// permutations within orbits are symmetries.
    turns: Box<[Labels]>,
    /// In a free group, all pairs of slots of one orbit. Putting the pairs in order, one after the other, sorts the
    /// numbers in an orbit.
    alike: SmallVec<[(u8, u8); 4]>,
    /// A number for each slot, the same for all slots of an orbit and in every process.
    colours: SmallVec<[u64; 4]>,
    /// The colours mixed with the places of the slots; empty in a free group.
    of_places: Box<[u64]>,
}

impl Symmetries {
    /// The group of these turns, which include the identity, of the shape with this hash.
    pub(super) fn new(turns: &[Labels], hash: u128) -> Self {
        let slots = turns[0].len();
        let orbit = |slot: usize| turns.iter().map(|turn| turn[slot]).min();
        let orbits: Labels = (0..slots).filter_map(orbit).collect();
        let mut swaps = [0; MOST_SLOTS];
        for turn in turns {
            let moved: SmallVec<[usize; MOST_SLOTS]> = (0..slots)
                .filter(|&slot| usize::from(turn[slot]) != slot)
                .collect();
            if let [a, b] = moved[..] {
                swaps[a] |= 1 << b;
                swaps[b] |= 1 << a;
            }
        }
        let is_free = (0..slots).all(|a| {
            let others = (0..slots).filter(|&b| b != a && orbits[b] == orbits[a]);
            others.map(|b| 1 << b).sum::<u16>() == swaps[a]
        });
        let colour = |&orbit: &u8| {
            let factor = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
            ((hash ^ u128::from(orbit) << 64).wrapping_mul(factor) >> 64) as u64
        };
        let pairs = (1..slots).flat_map(|a| (0..a).map(move |b| (b, a)));
        let alike = pairs.filter(|&(b, a)| is_free && orbits[b] == orbits[a]);
        let colours: SmallVec<[u64; 4]> = orbits.iter().map(colour).collect();
        let of_places = colours.iter().enumerate();
        let of_places = of_places.filter(|_| !is_free);
        Self {
            of_places: of_places.map(|(place, of)| of ^ place as u64).collect(),
            alike: alike.map(|(b, a)| (b as u8, a as u8)).collect(),
            colours,
            swaps,
            turns: if is_free {
                Box::default()
            } else {
                turns.into()
            },
        }
    }

    /// A number for each slot, the same for all slots of an orbit and in every process.
    pub(super) fn colours(&self) -> &[u64] {
        &self.colours
    }

    /// Whether swapping two slots, and nothing else, is a symmetry.
    pub(super) fn can_swap(&self, a: usize, b: usize) -> bool {
        self.swaps[a] & 1 << b != 0
    }

    /// The least image of numbers in the slots.
    pub(super) fn least(&self, mut numbers: Labels) -> Labels {
        if let Some((first, others)) = self.turns.split_first() {
            let mut least = first;
            for turn in others {
                let pairs = turn.iter().zip(least.iter());
                let mut pairs = pairs.map(|(&a, &b)| (numbers.at(a), numbers.at(b)));
                if pairs.find(|(a, b)| a != b).is_some_and(|(a, b)| a < b) {
                    least = turn;
                }
            }
            return least.map(|slot| numbers.at(slot));
        }
        for &(b, a) in &self.alike {
            let [b, a] = [usize::from(b), usize::from(a)];
            if numbers[a] < numbers[b] {
                numbers.swap(a, b);
            }
        }
        numbers
    }

    /// Adds to `around`, for the letter in each slot, a hash of the colours of all letters as seen from that slot.
    /// Symmetries do not change it.
    pub(super) fn see(&self, letters: &[u8], colours: &[u64], around: &mut [u64]) {
        if self.turns.is_empty() {
            let mut all = 0u64;
            for (&letter, colour) in letters.iter().zip(&self.colours) {
                all = all.wrapping_add(mix(colours[usize::from(letter)] ^ colour));
            }
            for (&letter, colour) in letters.iter().zip(&self.colours) {
                let around = &mut around[usize::from(letter)];
                *around = around.wrapping_add(mix(all ^ colour));
            }
            return;
        }
        let mut of_slots = [0; ROOM];
        for (of_slot, &letter) in of_slots.iter_mut().zip(letters) {
            *of_slot = colours[usize::from(letter)];
        }
        let mut seen = [0u64; ROOM];
        for turn in &self.turns {
            let turned = turn.iter().map(|&slot| of_slots[usize::from(slot) % ROOM]);
            let all = turned.fold(0, |all: u64, colour| mix(all.rotate_left(1) ^ colour));
            for (&slot, of_place) in turn.iter().zip(&self.of_places) {
                let seen = &mut seen[usize::from(slot) % ROOM];
                *seen = seen.wrapping_add(mix(all ^ of_place));
            }
        }
        for (&letter, seen) in letters.iter().zip(seen) {
            let around = &mut around[usize::from(letter)];
            *around = around.wrapping_add(seen);
        }
    }

    /// The symmetries; empty if the group is free.
    pub(super) fn turns(&self) -> &[Labels] {
        &self.turns
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.turns) + size_of_val(&*self.of_places)
    }
}

pub(super) fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
    (product >> 64) as u64 ^ product as u64
}
