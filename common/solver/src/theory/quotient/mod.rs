//! Misère quotients of games of heaps: the winner of any sum of heaps under misère play, from one finite table.
//!
//! Two sums are equivalent if they have the same outcome beside every sum of heaps of the game. The classes form a
//! commutative monoid, the *misère quotient* (Plambeck 2005, Plambeck and Siegel 2008). The class of a heap is its
//! *value*, and the map from sizes to values is the *pretending function*. The values of a sum's heaps multiply to that
//! of the sum, and the player to move loses if it is in the *P-portion*.
//!
//! The quotient is found heap by heap. A heap whose options have the values of those of an earlier heap has its value.
//! Any other heap gets a value of the quotient so far if that [proves](check) right; otherwise the quotient
//! [grows](growth). Nothing is believed without a proof by [`check`].
//!
//! The quotient is *reduced*: for any two elements there is a third one beside which one is lost, and the other is not.
//! It is made of values of sums, and the law holds, so that its elements are exactly the classes.
//!
//! # Periods
//!
//! If the values repeat up to the limit of [`period`](super::period), with values in place of nimbers, they repeat for
//! ever, and the quotient is that of the whole game (Plambeck and Siegel 2008). By the same proof, a larger heap has
//! options of the same values as the heap one period before. With the value of that heap, the larger heap is no new
//! letter, so the law holds as it was proved.

mod check;
mod found;
mod growth;
mod monoid;
mod outcomes;
mod presentation;

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use sproutnet_game::heaps::Heap;
use sproutnet_notation::Outcome;

use self::check::{Letter, Proof};
use self::monoid::Elements;
use self::outcomes::{MovableHeap, Word};
use super::period::Period;

pub(super) use self::found::told;
pub use self::found::{Effort, Found, UnderWay, of_game, under_way};
pub use self::monoid::{Element, IDENTITY, Monoid};
pub use self::presentation::{Presentation, Relation};

/// A proved misère quotient.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The quotient, with its P-portion.
    pub monoid: Monoid,
    /// The values of the heaps of 0, 1, 2, … tokens.
    pub values: Vec<Element>,
    /// The period of the values, if it is proved. Then the quotient is that of the whole game.
    pub period: Option<Period>,
}

/// The quotient is not finite, or too large to be found.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no quotient was found with heaps of {size}: it is infinite, or too large")]
pub struct TooLarge {
    /// The heap with which the quotient is too large.
    pub size: u32,
    /// The quotient of all smaller heaps.
    pub smaller: Quotient,
}

/// Where finding a quotient gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of elements, at most 65,535.
    pub elements: usize,
    /// The maximum number of sums searched for one new heap.
    pub sums: usize,
    /// The maximum number of looked-up outcomes of sums.
    pub looks: u64,
    /// The maximum number of products of sums in proofs.
    pub products: u64,
}

/// The maximum number of looked-up outcomes, unless told otherwise. That takes some seconds.
pub const MOST_LOOKS: u64 = 40_000_000;

/// The maximum number of products in proofs, unless told otherwise. That takes some seconds.
const MOST_PRODUCTS: u64 = 20_000_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            elements: 200,
            sums: 500_000,
            looks: MOST_LOOKS,
            products: MOST_PRODUCTS,
        }
    }
}

impl Quotient {
    /// The quotient of all heaps up to `largest`, or that of the whole game if smaller heaps prove it.
    ///
    /// # Errors
    /// The quotient is too large.
    pub fn of(heap: &dyn Heap, largest: u32) -> Result<Self, Box<TooLarge>> {
        Self::limited(heap, largest, Limits::default())
    }

    /// Like [`Self::of`], with limits of one's own.
    ///
    /// # Errors
    /// The quotient is too large.
    pub fn limited(heap: &dyn Heap, largest: u32, limits: Limits) -> Result<Self, Box<TooLarge>> {
        let mut found = Finder::new(heap, limits);
        for size in 0..=largest {
            let is_found = found.add(size);
            if is_found && found.period.is_none() {
                continue;
            }
            let quotient = found.quotient();
            return if is_found {
                Ok(quotient)
            } else {
                Err(Box::new(TooLarge {
                    size,
                    smaller: quotient,
                }))
            };
        }
        Ok(found.quotient())
    }

    /// The value of a heap; `None` beyond the reach of the quotient.
    pub fn value(&self, size: u32) -> Option<Element> {
        let size = self.period.map_or(size, |period| period.first_like(size));
        self.values.get(size as usize).copied()
    }

    /// The value of the sum of some heaps; `None` beyond the reach of the quotient.
    pub fn value_of(&self, sizes: impl IntoIterator<Item = u32>) -> Option<Element> {
        sizes.into_iter().try_fold(IDENTITY, |product, size| {
            Some(self.monoid.product(product, self.value(size)?))
        })
    }

    /// The outcome of the sum of some heaps under misère play; `None` beyond the reach of the quotient.
    pub fn outcome(&self, sizes: impl IntoIterator<Item = u32>) -> Option<Outcome> {
        let value = self.value_of(sizes)?;
        Some(Outcome::win_if(!self.monoid.is_lost(value)))
    }
}

/// A quotient under construction.
struct Finder<'a> {
    heap: &'a dyn Heap,
    monoid: Monoid,
    proof: Proof,
    /// The heaps with a move. Of several with the same options, only the first.
    heaps: Vec<MovableHeap>,
    /// For each size the index of its heap; `None` if there is no move.
    indices: Vec<Option<u32>>,
    /// The heap with these options.
    by_options: FxHashMap<Vec<Word>, u32>,
    /// The value of each letter, by the values of its options.
    letters: FxHashMap<Elements, Element>,
    /// Sums that tell others apart.
    contexts: Vec<Word>,
    period: Option<Period>,
    /// The limits. The numbers of looks and of products are of those that are left.
    limits: Limits,
}

impl<'a> Finder<'a> {
    fn new(heap: &'a dyn Heap, limits: Limits) -> Self {
        let monoid = Monoid::trivial();
        let proof = Proof::of_nothing(&monoid);
        Self {
            heap,
            proof: proof.expect("the empty sum is won"),
            monoid,
            heaps: Vec::new(),
            indices: Vec::new(),
            by_options: FxHashMap::default(),
            letters: FxHashMap::default(),
            contexts: vec![Word::new()],
            period: None,
            limits,
        }
    }

    /// Adds the next heap. False if the quotient is then too large.
    fn add(&mut self, size: u32) -> bool {
        let options = self.options(size);
        let index = match self.by_options.get(&options) {
            Some(&index) => Some(index),
            None if options.is_empty() => None,
            None => {
                let index = self.heaps.len() as u32;
                if !self.add_new(options.clone()) {
                    return false;
                }
                self.by_options.insert(options, index);
                Some(index)
            }
        };
        self.indices.push(index);
        let values: Vec<u32> = self.values().into_iter().map(u32::from).collect();
        let reach = self.heap.reach();
        self.period = reach.and_then(|reach| Period::find(&values, reach));
        true
    }

    /// Adds a heap with new options.
    fn add_new(&mut self, options: Vec<Word>) -> bool {
        let values = values_of(&self.monoid, &options, &self.heaps);
        let fitting = self.fit(&values);
        let letter = Letter {
            value: fitting.unwrap_or(IDENTITY),
            options: values,
        };
        let new = MovableHeap { letter, options };
        match fitting {
            Some(_) => {
                self.heaps.push(new);
                true
            }
            None => self.grow(&new),
        }
    }

    /// The options of the next heap, each once.
    fn options(&self, size: u32) -> Vec<Word> {
        let mut options: Vec<Word> = Vec::new();
        let _ = self.heap.leaves(size, &mut |left| {
            options.extend(left.sizes().map(|sizes| {
                sizes
                    .into_iter()
                    .filter_map(|size| self.indices[size as usize])
                    .collect()
            }));
            ControlFlow::Continue(())
        });
        options.sort_unstable();
        options.dedup();
        options
    }

    /// The value in the quotient so far that fits a heap with options of these values. The law is then proved with it.
    fn fit(&mut self, options: &Elements) -> Option<Element> {
        if let Some(&value) = self.letters.get(options) {
            return Some(value);
        }
        let new = self.heaps.len() as u32;
        let value = self.monoid.elements().find(|&value| {
            let options = options.clone();
            let mut proof = self.proof.clone();
            let letter = Letter { value, options };
            let products = &mut self.limits.products;
            let is_proved = proof.add(&self.monoid, &letter, new, products).is_ok();
            if is_proved {
                self.proof = proof;
            }
            is_proved
        })?;
        self.letters.insert(options.clone(), value);
        Some(value)
    }

    /// Finds the quotient with a new heap that has no value in the quotient so far.
    fn grow(&mut self, new: &MovableHeap) -> bool {
        let (contexts, limits) = (&mut self.contexts, &mut self.limits);
        let grown = growth::grow(&self.monoid, &self.heaps, new, contexts, limits);
        let Some(grown) = grown else {
            return false;
        };
        let letters = grown.heaps.iter().map(|heap| &heap.letter);
        self.letters = letters
            .map(|letter| (letter.options.clone(), letter.value))
            .collect();
        self.monoid = grown.monoid;
        self.proof = grown.proof;
        self.heaps = grown.heaps;
        true
    }

    fn values(&self) -> Vec<Element> {
        let value = |index: &Option<u32>| match index {
            Some(index) => self.heaps[*index as usize].letter.value,
            None => IDENTITY,
        };
        self.indices.iter().map(value).collect()
    }

    fn quotient(self) -> Quotient {
        Quotient {
            values: self.values(),
            monoid: self.monoid,
            period: self.period,
        }
    }
}

/// The values of some options.
fn values_of(monoid: &Monoid, options: &[Word], heaps: &[MovableHeap]) -> Elements {
    let mut values = Elements::none(monoid.order());
    for option in options {
        let of_left = option.iter().map(|&heap| heaps[heap as usize].letter.value);
        values.insert(of_left.fold(IDENTITY, |product, value| monoid.product(product, value)));
    }
    values
}

#[cfg(test)]
mod tests;
