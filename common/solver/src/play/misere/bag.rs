//! Sums of canonical games as multisets.
//!
//! Merging a large sum into one canonical game ([`Trees::add`]) may cost far more than it saves, so a search keeps the
//! summands apart. Equal summands do not cancel, nor do heaps combine by XOR: 2 + 2 is not 0 in misère play. Only *1 +
//! *1 = 0, so one parity bit stands for all the ones, as in a [`Tree`].

use std::borrow::Borrow;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::intern::{Interner, Mark};
use super::tree::{Tree, Trees};

/// A sum of canonical games: the index of a multiset of non-zero bases shifted left by one, and the
/// parity of the number of *1 in the lowest bit.
///
/// It belongs to the [`Bags`] that made it. Within that table equal multisets are equal `Bag`s;
/// different `Bag`s may still be equal games. The order is that of creation and has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bag(u32);

impl Bag {
    /// The empty sum, which the mover wins.
    pub const ZERO: Self = Self(0);

    /// Whether the number of *1 in the sum is odd.
    pub fn has_one(self) -> bool {
        self.0 & 1 == 1
    }

    /// The sum + *1; its own inverse.
    #[must_use]
    pub fn plus_one(self) -> Self {
        Self(self.0 ^ 1)
    }

    fn without_one(self) -> Self {
        Self(self.0 & !1)
    }

    pub(super) fn plus_one_if(self, one: bool) -> Self {
        Self(self.0 ^ u32::from(one))
    }
}

/// A multiset of bases in the table.
struct Multiset {
    /// Non-zero bases sorted by id.
    bases: Box<[Tree]>,
    /// The sum of the marks of the bases.
    mark: Mark,
    depth: u32,
    /// Bits 0–1 for the multiset, 2–3 for the multiset + *1: 0 unknown, 1 lost by the mover, 2 won. Bits 4 and 5: the
    /// outcome was sought, and takes many options.
    outcomes: AtomicU8,
    options: OnceLock<Box<[Bag]>>,
}

impl Borrow<[Tree]> for Multiset {
    fn borrow(&self) -> &[Tree] {
        &self.bases
    }
}

fn outcome_bits(one: bool, mover_wins: bool) -> u8 {
    (if mover_wins { 2 } else { 1 }) << (2 * u8::from(one))
}

fn takes_long_bit(bag: Bag) -> u8 {
    16 << u8::from(bag.has_one())
}

/// The table of all sums met, over a shared table of values. All methods may be called from any thread; reading a known
/// sum takes no lock. It only grows.
pub struct Bags {
    trees: Arc<Trees>,
    multisets: Interner<Multiset>,
    /// The mark of *1.
    one: u128,
    /// The memory of the kept options, in bytes.
    options: AtomicUsize,
}

impl Bags {
    /// A table with only the empty sum.
    pub fn new(trees: Arc<Trees>) -> Self {
        let bags = Self {
            one: trees.mark(Tree::ONE),
            trees,
            multisets: Interner::new(),
            options: AtomicUsize::new(0),
        };
        let empty = bags.intern(&[]);
        debug_assert_eq!(empty, Bag::ZERO);
        bags
    }

    /// The table of the summands.
    pub fn trees(&self) -> &Arc<Trees> {
        &self.trees
    }

    /// Number of multisets of bases, counted without their *1.
    pub fn count(&self) -> usize {
        self.multisets.len()
    }

    /// The sum with one more game.
    pub fn add(&self, bag: Bag, t: Tree) -> Bag {
        self.replace(bag, None, t)
    }

    /// The summands: non-zero bases, repeated as often as they occur, then *1 if the sum has one.
    pub fn summands(&self, bag: Bag) -> impl Iterator<Item = Tree> + Clone {
        self.multiset(bag)
            .bases
            .iter()
            .copied()
            .chain(bag.has_one().then_some(Tree::ONE))
    }

    /// The options of the player to move, each sum once. Made on first use, then kept.
    pub fn options(&self, bag: Bag) -> impl Iterator<Item = Bag> + Clone {
        let one = bag.has_one();
        self.base_options(bag)
            .iter()
            .map(move |o| o.plus_one_if(one))
            .chain(one.then_some(bag.without_one()))
    }

    /// Whether the player to move wins the sum under misère play. Searches the options as deep as needed. The outcomes
    /// on the way are kept.
    #[expect(clippy::missing_panics_doc, reason = "no sum has so many options")]
    pub fn mover_wins(&self, bag: Bag) -> bool {
        let wins = self.mover_wins_within(bag, u64::MAX);
        wins.expect("no sum has so many options")
    }

    /// Like [`Self::mover_wins`]; `None` if that takes more options than this. It is then not sought again, but it may
    /// be [recorded](Self::record).
    pub(super) fn mover_wins_quickly(&self, bag: Bag, most_options: u64) -> Option<bool> {
        let multiset = self.multiset(bag);
        if let Some(wins) = multiset.outcome(bag) {
            return Some(wins);
        }
        if multiset.takes_long(bag) {
            return None;
        }
        let wins = self.mover_wins_within(bag, most_options);
        if wins.is_none() {
            multiset.set_takes_long(bag);
        }
        wins
    }

    /// Keeps the outcome of a sum that was found elsewhere.
    pub(super) fn record(&self, bag: Bag, wins: bool) {
        self.multiset(bag).record(bag, wins);
    }

    fn mover_wins_within(&self, bag: Bag, most_options: u64) -> Option<bool> {
        if let Some(wins) = self.multiset(bag).outcome(bag) {
            return Some(wins);
        }
        let mut left = most_options;
        // An explicit stack, since the longest play of a large sum may exceed a thread's call stack.
        let mut path = Vec::new();
        let (mut position, mut next) = (bag, 0);
        loop {
            // The options are all made at the first look.
            let looks = match next {
                0 => self.base_options(position).len() as u64 + 1,
                _ => 1,
            };
            left = left.checked_sub(looks)?;
            let wins = match self.option(position, next) {
                None => false,
                Some(option) => match self.multiset(option).outcome(option) {
                    Some(true) => {
                        next += 1;
                        continue;
                    }
                    Some(false) => true,
                    None => {
                        path.push((position, next));
                        (position, next) = (option, 0);
                        continue;
                    }
                },
            };
            self.multiset(position).record(position, wins);
            match path.pop() {
                Some(parent) => (position, next) = parent,
                None => return Some(wins),
            }
        }
    }

    /// The number of moves in the longest play of the sum: the sum of the depths.
    pub fn depth(&self, bag: Bag) -> u32 {
        self.multiset(bag).depth + u32::from(bag.has_one())
    }

    /// A hash that identifies a sum, the same in every table: the sum of the [marks](Trees::mark) of the
    /// summands, hence 0 for the empty sum.
    pub fn mark(&self, bag: Bag) -> u128 {
        let one = if bag.has_one() { self.one } else { 0 };
        match bag.without_one() {
            // True for most states, and needs no memory access.
            Bag::ZERO => one,
            _ => self.multiset(bag).mark.get().wrapping_add(one),
        }
    }

    /// The approximate memory of the sums and their values, in bytes.
    pub fn bytes(&self) -> usize {
        let options = self.options.load(Ordering::Relaxed);
        self.trees.bytes() + self.multisets.bytes() + options
    }

    fn multiset(&self, bag: Bag) -> &Multiset {
        self.multisets.get(bag.0 >> 1)
    }

    /// The sum with the base at position `removed` replaced by `added`.
    fn replace(&self, bag: Bag, removed: Option<usize>, added: Tree) -> Bag {
        let old = &self.multiset(bag).bases;
        let base = added.base();
        let one = bag.has_one() != added.has_one();
        if removed.is_none() && base == Tree::ZERO {
            return bag.without_one().plus_one_if(one);
        }
        let mut bases = Vec::with_capacity(old.len() + 1);
        bases.extend(
            old.iter()
                .enumerate()
                .filter(|&(i, _)| Some(i) != removed)
                .map(|(_, &b)| b),
        );
        if base != Tree::ZERO {
            bases.insert(bases.partition_point(|&b| b < base), base);
        }
        self.intern(&bases).plus_one_if(one)
    }

    /// The options of the sum without its *1.
    fn base_options(&self, bag: Bag) -> &[Bag] {
        let multiset = self.multiset(bag);
        multiset.options.get_or_init(|| {
            // Moves in different bases, or to different options of one base, always give different
            // multisets, since no option of a base has that base: only equal bases must be skipped.
            let bases = &multiset.bases;
            let first = (0..bases.len()).filter(|&i| i == 0 || bases[i - 1] != bases[i]);
            let bag = bag.without_one();
            let options: Box<[Bag]> = first
                .flat_map(|i| {
                    self.trees
                        .options(bases[i])
                        .map(move |o| self.replace(bag, Some(i), o))
                })
                .collect();
            self.options
                .fetch_add(size_of_val(&*options), Ordering::Relaxed);
            options
        })
    }

    /// The option at a position in [`Self::options`].
    fn option(&self, bag: Bag, position: usize) -> Option<Bag> {
        let options = self.base_options(bag);
        match options.get(position) {
            Some(option) => Some(option.plus_one_if(bag.has_one())),
            None => (position == options.len() && bag.has_one()).then_some(bag.without_one()),
        }
    }

    /// The sum of non-zero bases, sorted by id.
    pub(super) fn intern(&self, bases: &[Tree]) -> Bag {
        Bag(self
            .multisets
            .intern_with(bases, || self.new_multiset(bases))
            << 1)
    }

    /// The sum of non-zero bases, sorted by id, if it is in the table.
    pub(super) fn find_bases(&self, bases: &[Tree]) -> Option<Bag> {
        self.multisets.find(bases).map(|index| Bag(index << 1))
    }

    fn new_multiset(&self, bases: &[Tree]) -> Multiset {
        // Closed forms: misère Nim, and sums of one base with or without *1.
        let closed = match bases {
            [] => Some([true, false]),
            &[base] => Some([
                self.trees.mover_wins(base),
                self.trees.mover_wins(base.plus_one()),
            ]),
            // Heaps that are non-zero bases are at least 2.
            _ => bases
                .iter()
                .try_fold(0, |xor, &b| self.trees.heap_size(b).map(|k| xor ^ k))
                .map(|xor| [xor != 0, xor != 1]),
        };
        let outcomes = closed.map_or(0, |[wins, with_one]| {
            outcome_bits(false, wins) | outcome_bits(true, with_one)
        });
        Multiset {
            bases: bases.into(),
            mark: Mark::of_sum(bases.iter().map(|&b| self.trees.mark(b))),
            depth: bases.iter().map(|&b| self.trees.depth(b)).sum(),
            outcomes: AtomicU8::new(outcomes),
            options: OnceLock::new(),
        }
    }
}

impl Multiset {
    fn outcome(&self, bag: Bag) -> Option<bool> {
        let known = self.outcomes.load(Ordering::Relaxed);
        match known >> (2 * u8::from(bag.has_one())) & 3 {
            0 => None,
            bits => Some(bits == 2),
        }
    }

    fn takes_long(&self, bag: Bag) -> bool {
        self.outcomes.load(Ordering::Relaxed) & takes_long_bit(bag) != 0
    }

    fn set_takes_long(&self, bag: Bag) {
        self.outcomes
            .fetch_or(takes_long_bit(bag), Ordering::Relaxed);
    }

    fn record(&self, bag: Bag, wins: bool) {
        self.outcomes
            .fetch_or(outcome_bits(bag.has_one(), wins), Ordering::Relaxed);
    }
}
