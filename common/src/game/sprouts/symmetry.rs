//! The symmetries of a shape: ways to turn it that take its slots to each other and leave all else
//! as it is.

use smallvec::SmallVec;

use super::labels::{Labels, MOST_SLOTS};

/// The symmetries of a shape, as permutations of its slots.
#[derive(Clone, Debug)]
pub(super) struct Symmetries {
    /// For each slot the first that a symmetry takes to it: its orbit.
    orbits: Labels,
    /// For each slot those with which it alone can be swapped, as bits.
    swaps: [u16; MOST_SLOTS],
    /// For each symmetry, which slot takes the place of which; none if all permutations of the slots of
    /// each orbit are symmetries.
    turns: Box<[Labels]>,
    /// For each slot a number that is the same for slots of one orbit, and in every process.
    colours: SmallVec<[u64; 4]>,
}

impl Symmetries {
    /// The group of those turns of a shape, the identity among them. The hash stands for the shape.
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
        Self {
            colours: orbits.iter().map(colour).collect(),
            orbits,
            swaps,
            turns: if is_free {
                Box::default()
            } else {
                turns.into()
            },
        }
    }

    /// For each slot a number that is the same for slots of one orbit, and in every process.
    pub(super) fn colours(&self) -> &[u64] {
        &self.colours
    }

    /// Whether to swap two slots, and nothing else, is a symmetry.
    pub(super) fn can_swap(&self, a: usize, b: usize) -> bool {
        self.swaps[a] & 1 << b != 0
    }

    /// The least of what numbers in the slots can be turned to.
    pub(super) fn least(&self, mut numbers: Labels) -> Labels {
        if let Some((first, others)) = self.turns.split_first() {
            let at = |turn: &Labels, place: usize| numbers[usize::from(turn[place])];
            let mut least = first;
            for turn in others {
                let mut places = 0..numbers.len();
                let differing = places.find(|&place| at(turn, place) != at(least, place));
                if differing.is_some_and(|place| at(turn, place) < at(least, place)) {
                    least = turn;
                }
            }
            return least.map(|slot| numbers[usize::from(slot)]);
        }
        for a in 1..numbers.len() {
            for b in 0..a {
                if self.orbits[a] == self.orbits[b] && numbers[a] < numbers[b] {
                    numbers.swap(a, b);
                }
            }
        }
        numbers
    }

    /// For each slot, what is seen from there of numbers in the slots, as a number that is the same
    /// however the shape is turned.
    pub(super) fn seen(&self, numbers: &[u64]) -> SmallVec<[u64; MOST_SLOTS]> {
        if self.turns.is_empty() {
            let each = numbers.iter().zip(&self.colours);
            let all = each.fold(0, |all: u64, (number, colour)| {
                all.wrapping_add(mix(number ^ colour))
            });
            return self
                .colours
                .iter()
                .map(|colour| mix(all ^ colour))
                .collect();
        }
        let mut seen = SmallVec::from_elem(0u64, numbers.len());
        for turn in &self.turns {
            let turned = turn.iter().map(|&slot| numbers[usize::from(slot)]);
            let all = turned.fold(0, |all: u64, number| mix(all.rotate_left(1) ^ number));
            for (place, &slot) in turn.iter().enumerate() {
                let seen: &mut u64 = &mut seen[usize::from(slot)];
                *seen = seen.wrapping_add(mix(all ^ self.colours[place] ^ place as u64));
            }
        }
        seen
    }

    /// The memory taken beyond its own size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.turns)
    }
}

/// Spreads every bit over all.
pub(super) fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
    (product >> 64) as u64 ^ product as u64
}
