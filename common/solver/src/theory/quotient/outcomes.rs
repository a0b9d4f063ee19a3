//! Outcomes of sums by the definition, with a new heap beside heaps of a known quotient.
//!
//! The quotient gives the outcome of a sum without the new heap. With one new heap, it also gives the outcomes of all
//! moves in that heap. So few sums need a search.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Limits;
use super::check::Letter;
use super::monoid::{Element, Elements, IDENTITY, Monoid};

/// A sum: the indices of its heaps, ascending.
pub(super) type Word = SmallVec<[u32; 6]>;

/// A heap with a move.
#[derive(Clone)]
pub(super) struct MovableHeap {
    /// Its value and those of its options.
    pub(super) letter: Letter,
    /// Its options, each once.
    pub(super) options: Vec<Word>,
}

/// The outcomes of sums of heaps. The last heap is new.
pub(super) struct Outcomes<'a> {
    /// The quotient of the heaps before the new one.
    monoid: &'a Monoid,
    heaps: &'a [MovableHeap],
    new: &'a MovableHeap,
    /// The values beside which the new heap has a winning move.
    wins: Elements,
    /// The searched sums with the new heap, and whether they are lost.
    known: FxHashMap<Word, bool>,
    /// The limits. The number of looks is of those that are left.
    pub(super) limits: &'a mut Limits,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(
        monoid: &'a Monoid,
        heaps: &'a [MovableHeap],
        new: &'a MovableHeap,
        limits: &'a mut Limits,
    ) -> Self {
        Self {
            monoid,
            heaps,
            new,
            wins: monoid.lost_beside(new.letter.options.each()),
            known: FxHashMap::default(),
            limits,
        }
    }

    /// Whether the player to move loses; `None` if the search would need too many sums.
    pub(super) fn is_lost(&mut self, word: &Word) -> Option<bool> {
        self.limits.looks = self.limits.looks.checked_sub(1)?;
        match (self.new_heaps(word), self.value(word)) {
            (0, value) => return Some(self.monoid.is_lost(value)),
            (1, value) if self.wins.contains(value) => return Some(false),
            _ => {}
        }
        let word = self.without_pairs(word);
        if let Some(&known) = self.known.get(&word) {
            return Some(known);
        }
        let is_lost = !self.has_lost_option(&word)?;
        self.known.insert(word, is_lost);
        (self.known.len() <= self.limits.sums).then_some(is_lost)
    }

    /// The number of new heaps in a sum.
    fn new_heaps(&self, word: &[u32]) -> usize {
        let new = self.heaps.len() as u32;
        word.iter().rev().take_while(|&&heap| heap == new).count()
    }

    /// The value of the heaps that are not new.
    fn value(&self, word: &[u32]) -> Element {
        let known = word
            .iter()
            .filter_map(|&heap| self.heaps.get(heap as usize));
        known.fold(IDENTITY, |value, heap| {
            self.monoid.product(value, heap.letter.value)
        })
    }

    fn has_lost_option(&mut self, word: &Word) -> Option<bool> {
        let new = self.heaps.len();
        for place in (0..word.len()).rev() {
            let heap = word[place] as usize;
            if place > 0 && word[place - 1] == word[place] {
                continue;
            }
            let mut rest = word.clone();
            rest.remove(place);
            // Most sums with one new heap are won by a move in it, which needs no look at the whole sum.
            let by_new = (heap != new && self.new_heaps(&rest) == 1).then(|| self.value(&rest));
            let source = if heap == new {
                self.new
            } else {
                &self.heaps[heap]
            };
            for option in &source.options {
                if by_new.is_some_and(|rest| {
                    let value = self.monoid.product(rest, self.value(option));
                    self.wins.contains(value)
                }) {
                    continue;
                }
                if self.is_lost(&together(&rest, option))? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// The sum without pairs of heaps whose only move leaves nothing. Such pairs never change an outcome
    /// (`docs/explanation/misere.md`).
    fn without_pairs(&self, word: &Word) -> Word {
        let is_one = |heap: u32| {
            let source = self.heaps.get(heap as usize);
            source.is_some_and(|source| matches!(&source.options[..], [only] if only.is_empty()))
        };
        let mut kept = Word::new();
        for &heap in word {
            match kept.last() {
                Some(&last) if last == heap && is_one(heap) => drop(kept.pop()),
                _ => kept.push(heap),
            }
        }
        kept
    }
}

/// Two sums together.
pub(super) fn together(one: &[u32], other: &[u32]) -> Word {
    let mut both = Word::from_slice(one);
    both.extend_from_slice(other);
    both.sort_unstable();
    both
}
