//! The law of a misère quotient, checked for all sums at once.
//!
//! A *letter* is what counts of a heap with a move: its value and the values of its options, in a monoid M with a
//! P-portion P. Say that values multiply: the value φ(X) of a sum X is the product of those of its heaps. The law is
//!
//! > the player to move loses X exactly if φ(X) ∈ P.
//!
//! By induction on X, it holds for all sums if for each sum X, φ(X) ∈ P exactly if X has an option, and φ(X') ∉ P for
//! every option X'. The empty sum has no option, so that 1 ∉ P. For all others, this is two conditions:
//!
//! 1. *Nothing lost has a lost option.* There are no letter with value h, no value h' of one of its options, and no q
//!    in M with qh ∈ P and qh' ∈ P.
//! 2. *Everything else has one.* For X, let W(X) be the set of all q in M such that q·φ(X') ∈ P for some option X'.
//!    Then each X that is not empty has φ(X) ∈ P or 1 ∈ W(X).
//!
//! Condition 2 is about all sums, but only through the pair (φ(X), W(X)), and those pairs multiply: a move in X + Y is
//! one in X or one in Y, so that W(X + Y) = {q : q·φ(Y) ∈ W(X) or q·φ(X) ∈ W(Y)}. So there are finitely many pairs,
//! which are found from those of the letters. A pair (x, W) stands for each pair (x, W') with W ⊆ W': if a sum of the
//! former is all right beside every other sum, so is one of the latter, because W(X + Y) grows with W(X). So only pairs
//! with smallest W are kept.
//!
//! Plambeck and Siegel (2008) prove the law in the same way, with the set of the values of all options in place of W:
//! that is their *transition algebra*.

use std::collections::VecDeque;

use super::monoid::{Element, Elements, IDENTITY, Monoid};
use super::outcomes::{Word, together};

/// The maximum number of kept pairs.
const MOST_PAIRS: usize = 20_000;

/// The values of a heap with a move and of its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Letter {
    /// The value of the heap.
    pub(super) value: Element,
    /// The values of its options.
    pub(super) options: Elements,
}

/// The reason why a monoid is not known to obey the law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unproved {
    /// The law does not hold.
    Broken(Broken),
    /// There are too many pairs, or products.
    TooLarge,
}

/// A breach of the law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// A sum of this value and this heap together are lost, and so is an option in the heap.
    LostOptionOf(Element, u32),
    /// This sum is not lost, and neither is any option.
    NoLostOption(Word),
}

/// The proof of the law for all sums of some letters: their pairs with smallest W.
#[derive(Clone)]
pub(super) struct Proof {
    /// The pairs of each value.
    pairs: Vec<Vec<Pair>>,
    /// The pairs of the heaps.
    letters: Vec<Pair>,
    count: usize,
}

/// A pair (φ(X), W(X)).
#[derive(Clone)]
struct Pair {
    value: Element,
    wins: Elements,
    /// X.
    word: Word,
}

impl Pair {
    fn times(&self, monoid: &Monoid, other: &Self) -> Self {
        let mut wins = monoid.preimage(other.value, &self.wins);
        wins.unite(&monoid.preimage(self.value, &other.wins));
        Self {
            value: monoid.product(self.value, other.value),
            wins,
            word: together(&self.word, &other.word),
        }
    }
}

impl Proof {
    /// The law for the empty sum alone.
    ///
    /// # Errors
    /// The empty sum is lost.
    pub(super) fn of_nothing(monoid: &Monoid) -> Result<Self, Unproved> {
        if monoid.is_lost(IDENTITY) {
            Err(Unproved::Broken(Broken::NoLostOption(Word::new())))
        } else {
            Ok(Self {
                pairs: vec![Vec::new(); monoid.order()],
                letters: Vec::new(),
                count: 0,
            })
        }
    }

    /// Proves the law for all sums with a further heap. After an error, discard the proof. `products` is the number of
    /// products that may still be made, and is reduced by those made.
    ///
    /// # Errors
    /// The law does not hold, or it would take too long to prove it.
    pub(super) fn add(
        &mut self,
        monoid: &Monoid,
        letter: &Letter,
        heap: u32,
        products: &mut u64,
    ) -> Result<(), Unproved> {
        let mut take = |count: usize| {
            *products = products.saturating_sub(count as u64);
            if *products == 0 {
                return Err(Unproved::TooLarge);
            }
            Ok(())
        };
        let wins = monoid.lost_beside(letter.options.each());
        let losing = monoid.lost_beside([letter.value]);
        if let Some(value) = wins.each().find(|&value| losing.contains(value)) {
            return Err(Unproved::Broken(Broken::LostOptionOf(value, heap)));
        }
        let new = Pair {
            value: letter.value,
            wins,
            word: Word::from_slice(&[heap]),
        };
        if self.is_covered(&new) {
            return Ok(());
        }
        // The known pairs are multiplied by the new letter, and new pairs by all letters.
        let mut left: VecDeque<Pair> = VecDeque::from([new.clone()]);
        take(self.count + 1)?;
        let known = self.pairs.iter().flatten();
        left.extend(known.map(|pair| pair.times(monoid, &new)));
        self.letters.push(new);
        while let Some(pair) = left.pop_front() {
            if !self.keep(monoid, &pair)? {
                continue;
            }
            take(self.letters.len())?;
            for letter in &self.letters {
                let product = pair.times(monoid, letter);
                if !self.is_covered(&product) {
                    left.push_back(product);
                }
            }
        }
        Ok(())
    }

    /// Whether a kept pair of the same value has a smaller or equal W.
    fn is_covered(&self, pair: &Pair) -> bool {
        let mut kept = self.pairs[usize::from(pair.value)].iter();
        kept.any(|smaller| smaller.wins.is_within(&pair.wins))
    }

    /// Keeps a pair in place of those with larger W. False if it is covered already.
    fn keep(&mut self, monoid: &Monoid, pair: &Pair) -> Result<bool, Unproved> {
        if self.is_covered(pair) {
            return Ok(false);
        }
        if !monoid.is_lost(pair.value) && !pair.wins.contains(IDENTITY) {
            return Err(Unproved::Broken(Broken::NoLostOption(pair.word.clone())));
        }
        let kept = &mut self.pairs[usize::from(pair.value)];
        self.count -= kept.len();
        kept.retain(|larger| !pair.wins.is_within(&larger.wins));
        kept.push(pair.clone());
        self.count += kept.len();
        if self.count > MOST_PAIRS {
            Err(Unproved::TooLarge)
        } else {
            Ok(true)
        }
    }
}
