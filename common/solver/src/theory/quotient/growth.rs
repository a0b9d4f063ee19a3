//! The quotient with one more heap, when no value of the quotient so far fits.
//!
//! The quotient is learned from outcomes of single sums, as automata are (Angluin 1987; the use of counterexamples is
//! that of Rivest and Schapire 1993). There are *representatives*, sums that are known to be different, and *contexts*,
//! sums beside which they are: the outcomes of a sum beside all contexts are its *row*. A representative and a heap
//! together must have the row of a representative, or become a new one. Then representatives and rows are a
//! *candidate*. [`check`](super::check) decides whether it obeys the law. If not, a sum has another outcome than the
//! candidate says, and this sum gives a context that tells two sums apart that had the same row. So there is one more
//! representative each time, and the search ends if the quotient is finite.

use rustc_hash::FxHashMap;

use super::check::{Broken, Proof, Unproved};
use super::monoid::{Element, Elements, IDENTITY, Monoid};
use super::outcomes::{MovableHeap, Outcomes, Word, together};
use super::{Limits, values_of};

/// A quotient that has grown.
pub(super) struct Grown {
    pub(super) monoid: Monoid,
    pub(super) proof: Proof,
    /// The heaps, the new one last, with their values.
    pub(super) heaps: Vec<MovableHeap>,
}

/// The quotient of heaps with the quotient `monoid` and a new heap; `None` if it is too large. `contexts` are tried
/// first, and new ones are added. The numbers of looks and of products in `limits` are reduced by
/// those made.
pub(super) fn grow(
    monoid: &Monoid,
    heaps: &[MovableHeap],
    new: &MovableHeap,
    contexts: &mut Vec<Word>,
    limits: &mut Limits,
) -> Option<Grown> {
    contexts.push(Word::from_slice(&[heaps.len() as u32]));
    let mut learner = Learner {
        most_elements: limits.elements,
        outcomes: Outcomes::new(monoid, heaps, new, limits),
        all: [heaps, std::slice::from_ref(new)].concat(),
        contexts,
        representatives: vec![Word::new()],
        steps: Vec::new(),
    };
    loop {
        learner.close()?;
        if learner.tell_apart()? {
            continue;
        }
        let candidate = learner.candidate()?;
        match candidate.proof(&mut learner.outcomes.limits.products) {
            Ok(proof) => {
                return Some(Grown {
                    monoid: candidate.monoid,
                    proof,
                    heaps: candidate.heaps,
                });
            }
            Err(Unproved::TooLarge) => return None,
            Err(Unproved::Broken(broken)) => learner.learn(&candidate, &broken)?,
        }
    }
}

struct Learner<'a> {
    outcomes: Outcomes<'a>,
    most_elements: usize,
    /// The heaps, the new one last.
    all: Vec<MovableHeap>,
    contexts: &'a mut Vec<Word>,
    /// Each but the first is an earlier one with one more heap.
    representatives: Vec<Word>,
    /// For each representative and each heap, the representative of both together.
    steps: Vec<Vec<Element>>,
}

impl Learner<'_> {
    /// The outcomes of a sum beside all contexts.
    fn row(&mut self, word: &Word) -> Option<Vec<bool>> {
        let contexts = self.contexts.iter();
        contexts
            .map(|context| self.outcomes.is_lost(&together(word, context)))
            .collect()
    }

    /// Adds representatives until each of them, with one more heap, has the row of a representative.
    fn close(&mut self) -> Option<()> {
        let mut rows = FxHashMap::default();
        for place in 0..self.representatives.len() {
            let row = self.row(&self.representatives[place].clone())?;
            rows.insert(row, place as Element);
        }
        self.steps.clear();
        while let Some(representative) = self.representatives.get(self.steps.len()).cloned() {
            let mut steps = Vec::with_capacity(self.all.len());
            for heap in 0..self.all.len() as u32 {
                let word = together(&representative, &[heap]);
                let row = self.row(&word)?;
                let next = self.representatives.len() as Element;
                let step = *rows.entry(row).or_insert(next);
                if step == next {
                    self.representatives.push(word);
                }
                steps.push(step);
            }
            if self.representatives.len() > self.most_elements {
                return None;
            }
            self.steps.push(steps);
        }
        Some(())
    }

    /// The representative of a sum, from the known steps.
    fn walk(&self, from: Element, word: &[u32]) -> Element {
        let step = |at: Element, heap: &u32| self.steps[usize::from(at)][*heap as usize];
        word.iter().fold(from, step)
    }

    /// Whether two heaps lead to different representatives in different orders. If so, adds a context.
    fn tell_apart(&mut self) -> Option<bool> {
        let heaps = self.all.len() as u32;
        for at in 0..self.representatives.len() as Element {
            for one in 0..heaps {
                for other in 0..one {
                    if self.walk(at, &[one, other]) == self.walk(at, &[other, one]) {
                        continue;
                    }
                    let word = self.representatives[usize::from(at)].clone();
                    for order in [[one, other], [other, one]] {
                        let mut word = word.to_vec();
                        word.extend(order);
                        for place in 0..self.contexts.len() {
                            let context = self.contexts[place].clone();
                            let all = [&word[..], &context[..]].concat();
                            if self.learn_from(&all)? {
                                return Some(true);
                            }
                        }
                    }
                }
            }
        }
        Some(false)
    }

    /// Compares a sum with the representatives of its beginnings, heap by heap in this order. Adds a context at the
    /// first difference.
    fn learn_from(&mut self, word: &[u32]) -> Option<bool> {
        let mut at = IDENTITY;
        let mut before = self.outcomes.is_lost(&together(word, &[]))?;
        for (place, &heap) in word.iter().enumerate() {
            at = self.walk(at, &[heap]);
            let rest = &word[place + 1..];
            let representative = &self.representatives[usize::from(at)];
            let after = self.outcomes.is_lost(&together(representative, rest))?;
            if after != before {
                let context = together(rest, &[]);
                debug_assert!(
                    !self.contexts.contains(&context),
                    "it would have told them apart"
                );
                self.contexts.push(context);
                return Some(true);
            }
            before = after;
        }
        Some(false)
    }

    /// Adds a context because of a sum that breaks the law for a candidate.
    fn learn(&mut self, candidate: &Candidate, broken: &Broken) -> Option<()> {
        let word = match broken {
            Broken::LostOptionOf(value, heap) => {
                together(&self.representatives[usize::from(*value)], &[*heap])
            }
            Broken::NoLostOption(word) => word.clone(),
        };
        let mut words = vec![word.clone()];
        for (place, &heap) in word.iter().enumerate() {
            let mut rest = word.clone();
            rest.remove(place);
            let options = self.all[heap as usize].options.iter();
            words.extend(options.map(|option| together(&rest, option)));
        }
        // If the candidate were right about the sum and all its options, it would obey the law there.
        for word in &words {
            let value = self.walk(IDENTITY, word);
            if self.outcomes.is_lost(word)? != candidate.monoid.is_lost(value)
                && self.learn_from(word)?
            {
                return Some(());
            }
        }
        None
    }

    fn candidate(&mut self) -> Option<Candidate> {
        let order = self.representatives.len();
        let mut products = Vec::with_capacity(order * order);
        let mut lost = Elements::none(order);
        for one in 0..order as Element {
            if self
                .outcomes
                .is_lost(&self.representatives[usize::from(one)])?
            {
                lost.insert(one);
            }
            let others = self.representatives.iter();
            products.extend(others.map(|other| self.walk(one, other)));
        }
        let monoid = Monoid::new(products, lost);
        let mut heaps = self.all.clone();
        for (heap, &value) in heaps.iter_mut().zip(&self.steps[0]) {
            heap.letter.value = value;
        }
        for at in 0..heaps.len() {
            heaps[at].letter.options = values_of(&monoid, &heaps[at].options, &heaps);
        }
        Some(Candidate { monoid, heaps })
    }
}

/// A possible quotient.
struct Candidate {
    monoid: Monoid,
    heaps: Vec<MovableHeap>,
}

impl Candidate {
    fn proof(&self, products: &mut u64) -> Result<Proof, Unproved> {
        let mut proof = Proof::of_nothing(&self.monoid)?;
        for (heap, source) in (0..).zip(&self.heaps) {
            proof.add(&self.monoid, &source.letter, heap, products)?;
        }
        Ok(proof)
    }
}
