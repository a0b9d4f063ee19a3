//! Automorphisms of a land that map one letter to another. Then only one of the two needs to be tried.

use smallvec::SmallVec;

use super::super::labels::Labels;
use super::{Colours, Labelling, MOST_LETTERS};

/// An automorphism of a land, as a permutation of letters.
pub(super) struct Automorphism {
    letters: [u8; MOST_LETTERS],
    /// The letters that it moves, each with its image.
    pairs: SmallVec<[(u8, u8); 16]>,
}

impl Automorphism {
    /// An automorphism that keeps all colours and maps `a` to `b`, if one is found. The search covers the turns of a
    /// region with both letters that fix all other letters.
    pub(super) fn find(land: &Labelling<'_>, colours: &Colours, a: u8, b: u8) -> Option<Self> {
        let [ends, others] = [a, b].map(|letter| land.ends[usize::from(letter)]);
        for (region, from) in ends {
            let Some(&(_, to)) = others.iter().find(|(other, _)| *other == region) else {
                continue;
            };
            let (_, part) = &land.parts[usize::from(region)];
            let colour = |slot: u8| colours[usize::from(part.labels[usize::from(slot)])];
            for turn in part.symmetries.turns() {
                let mut slots = turn.iter().enumerate();
                let keeps_colours = |(slot, &to)| colour(slot as u8) == colour(to);
                if turn[usize::from(from)] != to || !slots.all(keeps_colours) {
                    continue;
                }
                let map = Self::of_turn(&part.labels, turn);
                if map.is_automorphism(land) {
                    return Some(map);
                }
            }
        }
        None
    }

    /// The letters that it moves, each with its image.
    pub(super) fn pairs(&self) -> &[(u8, u8)] {
        &self.pairs
    }

    fn of_turn(labels: &Labels, turn: &Labels) -> Self {
        let mut map = Self {
            letters: std::array::from_fn(|letter| letter as u8),
            pairs: SmallVec::new(),
        };
        for (&letter, &to) in labels.iter().zip(turn.iter()) {
            let to = labels[usize::from(to)];
            if to != letter {
                map.letters[usize::from(letter)] = to;
                map.pairs.push((letter, to));
            }
        }
        map
    }

    fn is_automorphism(&self, land: &Labelling<'_>) -> bool {
        let to = |letter: u8| self.letters[usize::from(letter)];
        land.parts.iter().all(|(_, part)| {
            let image = part.labels.map(to);
            if image == part.labels {
                return true;
            }
            let least = part.symmetries.least(image);
            let is_image = |labels: Labels| part.symmetries.least(labels) == least;
            let mut others = land
                .parts
                .iter()
                .filter(|(_, other)| other.shape == part.shape && other.labels.has(image[0]));
            others.any(|(_, other)| is_image(other.labels))
        })
    }
}
