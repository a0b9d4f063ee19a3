//! Canonical values of single games under misère play (a player who cannot move wins).
//!
//! Two impartial games are equal when they can replace each other in every sum without changing the
//! misère outcome. Conway, *On Numbers and Games*, ch. 12, shows that each game equals exactly one
//! *reduced canonical* game; Lemoine and Viennot (arXiv 0908.4407) use these games, as "reduced
//! canonical trees", to solve misère Sprouts.
//!
//! A game G whose options are canonical **reduces** to H when every option of H is an option of G
//! and every other option of G has H as an option; for H = 0, some option of G must also be a loss
//! for the player to move (the *proviso*: G must be won by the mover, as 0 is). A game that does
//! not reduce is canonical.
//!
//! Only *1 + *1 = 0 cancels in misère sums. A value is therefore stored as a *base*, which is not of the form X + *1,
//! and one bit for "+ *1".

use std::borrow::Borrow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::encoding::{EncodedSize, SMALL_HEAPS};
use super::intern::{Interner, Mark, SHARDS, shard_of};

/// A canonical misère game: the index of its base shifted left by one, and "+ *1" in the lowest
/// bit.
///
/// It belongs to the [`Trees`] that made it. Within that table equal games are equal `Tree`s; the
/// order is that of creation and has no meaning. Heaps below [`SMALL_HEAPS`] are the same in all
/// tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tree(u32);

impl Tree {
    /// The game without moves, which the mover wins.
    pub const ZERO: Self = Self(0);
    /// The heap of one, which the mover loses.
    pub const ONE: Self = Self(1);

    /// The value without its "+ *1".
    #[must_use]
    pub fn base(self) -> Self {
        Self(self.0 & !1)
    }

    /// Whether the value is its base + *1.
    pub fn has_one(self) -> bool {
        self.0 & 1 == 1
    }

    /// The value + *1; its own inverse.
    #[must_use]
    pub fn plus_one(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The value + *1 if `one`, else the value.
    #[must_use]
    pub fn plus_one_if(self, one: bool) -> Self {
        Self(self.0 ^ u32::from(one))
    }

    /// A number that identifies a value in its table. Below [`SMALL_HEAPS`] it is the size of the heap; otherwise it
    /// depends on the order of creation.
    pub fn id(self) -> u32 {
        self.0
    }

    /// The value with this [number](Self::id).
    pub(super) fn from_id(id: u32) -> Self {
        Self(id)
    }

    /// The heap of `k` stones, for `k` < [`SMALL_HEAPS`].
    pub(super) fn small_heap(k: u8) -> Self {
        debug_assert!(u32::from(k) < SMALL_HEAPS);
        Self(u32::from(k))
    }
}

/// A base in the table.
pub(super) struct Base {
    /// Distinct, sorted by id.
    pub(super) options: Box<[Tree]>,
    /// A hash of the marks of the options.
    pub(super) mark: Mark,
    pub(super) size: EncodedSize,
    /// The encoding after its tag, made on first use.
    pub(super) encoding: OnceLock<Box<[u8]>>,
    pub(super) depth: u32,
    pub(super) heap: bool,
    /// Whether the mover wins the base, and the base + *1.
    pub(super) wins: [bool; 2],
}

impl Base {
    /// The even heap whose options are these smaller heaps. `marks` is the sum of their marks.
    fn small_heap(options: &[Tree], marks: u128) -> Self {
        Self {
            options: options.into(),
            mark: Mark::of_sum([marks].into_iter()).hashed(),
            size: EncodedSize::SMALL_HEAP,
            encoding: OnceLock::new(),
            depth: even_size(options),
            heap: true,
            // Under misère play, the mover loses only the heap of one.
            wins: [true, !options.is_empty()],
        }
    }
}

impl Borrow<[Tree]> for Base {
    fn borrow(&self) -> &[Tree] {
        &self.options
    }
}

/// Times this, the mark of a base is that of the base + *1. Between the marks of sets of options, that of a base
/// differs by a factor of ±1, `PLUS_ONE` or both. All of these are divisible by 4 at most, so almost none of the mark
/// is lost.
const PLUS_ONE: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c83b;

type SumMemo = RwLock<HashMap<(Tree, Tree), Tree, FxBuildHasher>>;

/// The table of all canonical games met. All methods may be called from any thread; reading a known value takes no
/// lock. It only grows.
pub struct Trees {
    bases: Interner<Base>,
    /// Sums of two non-zero bases, smaller id first.
    sums: [SumMemo; SHARDS],
    /// The memory of the kept encodings, in bytes.
    pub(super) encodings: AtomicUsize,
}

impl Default for Trees {
    fn default() -> Self {
        Self::new()
    }
}

impl Trees {
    /// A table with the heaps below [`SMALL_HEAPS`].
    pub fn new() -> Self {
        let trees = Self {
            bases: Interner::new(),
            sums: std::array::from_fn(|_| SumMemo::default()),
            encodings: AtomicUsize::new(0),
        };
        // Not by `new_base`, which looks at all options of each: tables are made often.
        let heaps: Vec<Tree> = (0..SMALL_HEAPS).map(Tree).collect();
        let mut marks = 0;
        for (smaller, &heap) in heaps.iter().enumerate().step_by(2) {
            let options = &heaps[..smaller];
            let make = || Base::small_heap(options, marks);
            let index = trees.bases.intern_with(options, make);
            // The first bases are the even heaps in order, so *k is the value with id k.
            debug_assert_eq!(Tree(index << 1), heap);
            let both = [heap, heap.plus_one()].map(|heap| trees.mark(heap));
            marks = both.into_iter().fold(marks, u128::wrapping_add);
        }
        trees
    }

    /// The heap *k. For `k` ≥ [`SMALL_HEAPS`], time and memory are of the order of k².
    pub fn heap(&self, k: u32) -> Tree {
        if k < SMALL_HEAPS {
            return Tree(k);
        }
        let mut smaller: Vec<Tree> = (0..SMALL_HEAPS).map(Tree).collect();
        loop {
            let even = self.intern(&smaller);
            if even_size(&smaller) == k & !1 {
                return even.plus_one_if(k & 1 == 1);
            }
            smaller.extend([even, even.plus_one()]);
            smaller.sort_unstable();
        }
    }

    /// The size of the heap, or `None` for any other value.
    pub fn heap_size(&self, t: Tree) -> Option<u32> {
        if t.0 < SMALL_HEAPS {
            return Some(t.0);
        }
        let base = self.base(t);
        base.heap.then(|| even_size(&base.options) | (t.0 & 1))
    }

    /// The canonical value of the game with these options (in any order, repeats allowed).
    pub fn simplify(&self, options: &[Tree]) -> Tree {
        let mut sorted = options.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        self.simpler(&sorted)
            .unwrap_or_else(|| self.intern(&sorted))
    }

    /// The canonical options of a value, each once.
    pub fn options(&self, t: Tree) -> impl Iterator<Item = Tree> + Clone {
        let one = t.has_one();
        let options = self.base(t).options.iter();
        options
            .map(move |o| o.plus_one_if(one))
            .chain(one.then_some(t.base()))
    }

    /// The number of canonical options.
    pub fn option_count(&self, t: Tree) -> usize {
        self.base(t).options.len() + usize::from(t.has_one())
    }

    /// Whether `option` is a canonical option of `t`.
    pub fn has_option(&self, t: Tree, option: Tree) -> bool {
        if t.has_one() && option == t.base() {
            return true;
        }
        let option = option.plus_one_if(t.has_one());
        self.base(t).options.binary_search(&option).is_ok()
    }

    /// The canonical value of the sum of two games. Remembered. Recursion is as deep as the longest play.
    pub fn add(&self, a: Tree, b: Tree) -> Tree {
        let sum = self.add_until(a, b, &|| false);
        sum.unwrap_or_else(|| unreachable!("it is never stopped"))
    }

    /// Like [`Self::add`]. `None` as soon as `stop` is true.
    pub fn add_until(&self, a: Tree, b: Tree, stop: &impl Fn() -> bool) -> Option<Tree> {
        let one = a.has_one() != b.has_one();
        let (x, y) = if a <= b {
            (a.base(), b.base())
        } else {
            (b.base(), a.base())
        };
        if x == Tree::ZERO {
            return Some(y.plus_one_if(one));
        }
        let sum = match self.known_sum(x, y) {
            Some(sum) => sum,
            None if stop() => return None,
            None => {
                let mut options = Vec::with_capacity(self.option_count(x) + self.option_count(y));
                for option in self.options(x) {
                    options.push(self.add_until(option, y, stop)?);
                }
                if x != y {
                    for option in self.options(y) {
                        options.push(self.add_until(x, option, stop)?);
                    }
                }
                let sum = self.simplify(&options);
                self.remember_sum(x, y, sum);
                sum
            }
        };
        Some(sum.plus_one_if(one))
    }

    fn known_sum(&self, x: Tree, y: Tree) -> Option<Tree> {
        let memo = &self.sums[shard_of(&(x, y)).1];
        let sums = memo.read().expect("nothing panics under a memo's lock");
        sums.get(&(x, y)).copied()
    }

    fn remember_sum(&self, x: Tree, y: Tree, sum: Tree) {
        let memo = &self.sums[shard_of(&(x, y)).1];
        let mut sums = memo.write().expect("nothing panics under a memo's lock");
        sums.insert((x, y), sum);
    }

    /// Whether the player to move wins the game, under misère play.
    pub fn mover_wins(&self, t: Tree) -> bool {
        self.base(t).wins[usize::from(t.has_one())]
    }

    /// A hash that identifies a value, the same in every table.
    pub fn mark(&self, t: Tree) -> u128 {
        let factor = if t.has_one() { PLUS_ONE } else { 1 };
        self.base(t).mark.get().wrapping_mul(factor)
    }

    /// The number of moves in the longest play of the canonical game.
    pub fn depth(&self, t: Tree) -> u32 {
        self.base(t).depth + (t.0 & 1)
    }

    /// The number of bases. It includes the `SMALL_HEAPS / 2` even small heaps of a new table.
    pub fn count(&self) -> usize {
        self.bases.len()
    }

    /// The approximate memory of the table, in bytes.
    pub fn bytes(&self) -> usize {
        let sums = self.sums.iter().map(|memo| {
            let sums = memo.read().unwrap_or_else(PoisonError::into_inner);
            sums.allocation_size()
        });
        self.bases.bytes() + sums.sum::<usize>() + self.encodings.load(Ordering::Relaxed)
    }

    pub(super) fn base(&self, t: Tree) -> &Base {
        self.bases.get(t.0 >> 1)
    }

    /// The value of the game with these options (sorted, distinct) if the game as written is not a base: it reduces, or
    /// it is X + *1 for some X.
    pub(super) fn simpler(&self, options: &[Tree]) -> Option<Tree> {
        let depths: Vec<u32> = options.iter().map(|&o| self.depth(o)).collect();
        let Some(&deepest) = depths.iter().max() else {
            return Some(Tree::ZERO);
        };
        let with_depths = || options.iter().copied().zip(&depths);
        let at_deepest = || {
            with_depths()
                .filter(|(_, d)| **d == deepest)
                .map(|(o, _)| o)
        };

        // If G reduces to H, its deepest options are not options of H: each option of G outside H has H as an option,
        // and so is deeper than H. So H is an option of a deepest option.
        let witness = at_deepest().next()?;
        let mut candidates = self.options(witness);
        if let Some(h) = candidates.find(|&h| self.reduces_to(options, &depths, h)) {
            return Some(h);
        }
        // The options of X + *1 are X, and Y + *1 for the options Y of X. None of them is deeper than X.
        at_deepest()
            .find(|&x| {
                !x.has_one()
                    && options.len() == 1 + self.option_count(x)
                    && self
                        .options(x)
                        .all(|y| options.binary_search(&y.plus_one()).is_ok())
            })
            .map(Tree::plus_one)
    }

    /// Whether the game with these options reduces to `h`.
    fn reduces_to(&self, options: &[Tree], depths: &[u32], h: Tree) -> bool {
        // The options of H are shallower than H, all others deeper: a count refuses most candidates.
        let depth = self.depth(h);
        let shallower = depths.iter().filter(|&&d| d < depth).count();
        shallower == self.option_count(h)
            && self.options(h).all(|o| options.binary_search(&o).is_ok())
            && options
                .iter()
                .zip(depths)
                .all(|(&o, &d)| d < depth || self.has_option(o, h))
            && (h != Tree::ZERO || options.iter().any(|&o| !self.mover_wins(o)))
    }

    /// The base with these options (sorted, distinct). [`Self::simpler`] must have returned `None` for them.
    pub(super) fn intern(&self, options: &[Tree]) -> Tree {
        let index = self.bases.intern_with(options, || self.new_base(options));
        Tree(index << 1)
    }

    /// The base with these options (sorted, distinct), if it is in the table.
    pub(super) fn find(&self, options: &[Tree]) -> Option<Tree> {
        self.bases.find(options).map(|index| Tree(index << 1))
    }

    pub(super) fn new_base(&self, options: &[Tree]) -> Base {
        let count = even_size(options);
        // `count` distinct heaps smaller than `count` are all of these heaps.
        let heap = options
            .iter()
            .all(|&o| self.heap_size(o).is_some_and(|k| k < count));
        let size = if heap && count < SMALL_HEAPS {
            EncodedSize::SMALL_HEAP
        } else {
            EncodedSize::of_options(options.len(), options.iter().map(|&o| self.base(o).size))
        };
        let wins = options.is_empty() || options.iter().any(|&o| !self.mover_wins(o));
        let wins_with_one = !wins || options.iter().any(|&o| !self.mover_wins(o.plus_one()));
        Base {
            options: options.into(),
            mark: Mark::of_sum(options.iter().map(|&o| self.mark(o))).hashed(),
            size,
            encoding: OnceLock::new(),
            depth: (options.iter().map(|&o| self.depth(o) + 1).max()).unwrap_or(0),
            heap,
            wins: [wins, wins_with_one],
        }
    }
}

/// The number of options. For an even heap (a heap that is a base) this is its size.
fn even_size(options: &[Tree]) -> u32 {
    u32::try_from(options.len()).expect("options are distinct 32-bit ids")
}
