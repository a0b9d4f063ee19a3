//! Values of lands: of all small lands, and of larger lands that are proved to be heaps.
//!
//! By the definition of [canonical values](super::tree), a land equals the heap *k if each smaller heap is an option of
//! it, and *k is an option of each of its other options; for k = 0, one of its options must also be lost. So a heap is
//! often proved without the values of most positions below, like a nimber under normal play: one reply is enough to
//! each option that is no heap below *k.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::tree::{Tree, Trees};
use sproutnet_game::{ByLand, LandId, Lands};

/// The limits of valuing lands.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of moves of a land that is valued in full.
    pub(super) in_full: u32,
    /// The maximum number of moves of a land that may be proved to be a heap.
    pub(super) heaps: u32,
    /// The maximum number of lands expanded in one such proof.
    pub(super) expansions: u32,
}

impl Limits {
    /// Enough for most useful heaps; higher limits take more time than they save.
    pub(super) const USUAL: Self = Self {
        in_full: 8,
        heaps: 13,
        expansions: 100,
    };

    /// For small proofs. Each heap in a proof is a fact of it, so only frequent heaps pay.
    pub(super) const FEW: Self = Self {
        heaps: 9,
        expansions: 50,
        ..Self::USUAL
    };

    /// Only heaps valued in full.
    pub(super) fn without_heaps(self) -> Self {
        Self {
            heaps: self.in_full,
            ..self
        }
    }
}

/// The sought values of lands.
pub(super) struct Values {
    lands: Arc<Lands>,
    trees: Arc<Trees>,
    pub(super) limits: Limits,
    found: ByLand<AtomicU32>,
}

/// The state of the value of a land.
enum Value {
    NotSought,
    NotFound,
    Is(Tree),
}

const NOT_SOUGHT: u32 = 0;
const NOT_FOUND: u32 = u32::MAX;

impl Values {
    pub(super) fn new(lands: Arc<Lands>, trees: Arc<Trees>, limits: Limits) -> Self {
        Self {
            lands,
            trees,
            limits,
            found: ByLand::default(),
        }
    }

    /// The value of a land that is small, or was valued before.
    pub(super) fn known(&self, land: LandId) -> Option<Tree> {
        match self.of(land) {
            Value::Is(tree) => Some(tree),
            Value::NotSought if self.lands.max_moves(land) <= self.limits.in_full => {
                Some(self.in_full(land))
            }
            Value::NotSought | Value::NotFound => None,
        }
    }

    /// The value of a land that is small, or proved now or before to be a heap.
    pub(super) fn seek(&self, land: LandId) -> Option<Tree> {
        let search = Search {
            values: self,
            expansions: Cell::new(self.limits.expansions),
        };
        search.value(land)
    }

    /// The memory of the values, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.found.bytes()
    }

    fn of(&self, land: LandId) -> Value {
        match self.found.get(land).load(Ordering::Relaxed) {
            NOT_SOUGHT => Value::NotSought,
            NOT_FOUND => Value::NotFound,
            tree => Value::Is(Tree::from_id(tree - 1)),
        }
    }

    fn set(&self, land: LandId, tree: Option<Tree>) {
        let value = self.found.get(land);
        match tree {
            Some(tree) => value.store(tree.id() + 1, Ordering::Relaxed),
            // Another thread may have found the value meanwhile.
            None => {
                let (before, after) = (NOT_SOUGHT, NOT_FOUND);
                let _ = value.compare_exchange(before, after, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    }

    fn in_full(&self, land: LandId) -> Tree {
        let value = |&land: &LandId| {
            let value = self.known(land);
            value.expect("the lands of an option are smaller still")
        };
        let sum = |lands: &[LandId]| {
            let values = lands.iter().map(value);
            values.fold(Tree::ZERO, |sum, value| self.trees.add(sum, value))
        };
        let options = self.lands.options(land, &|| false);
        let options = options.expect("it is never stopped").iter().map(sum);
        let tree = self.trees.simplify(&options.collect::<Vec<_>>());
        self.set(land, Some(tree));
        tree
    }

    /// The value of a sum of lands with these values, unless the addition would take long.
    fn sum(&self, lands: &[LandId], value: impl Fn(LandId) -> Option<Tree>) -> Option<Tree> {
        let is_heap = |tree| self.trees.heap_size(tree).is_some();
        let is_nothing = |tree: Tree| tree.base() == Tree::ZERO;
        let mut sum = Tree::ZERO;
        for &land in lands {
            let value = value(land)?;
            let is_quick = is_nothing(sum) || is_nothing(value) || is_heap(sum) && is_heap(value);
            sum = is_quick.then(|| self.trees.add(sum, value))?;
        }
        Some(sum)
    }

    /// The value of a sum of lands, if no search is needed.
    fn known_sum(&self, lands: &[LandId]) -> Option<Tree> {
        self.sum(lands, |land| self.known(land))
    }
}

/// A search for a value and for all values that it needs.
struct Search<'a> {
    values: &'a Values,
    /// The number of lands that may still be expanded.
    expansions: Cell<u32>,
}

impl Search<'_> {
    /// The value of a land that is small or proved to be a heap.
    fn value(&self, land: LandId) -> Option<Tree> {
        let values = self.values;
        match values.of(land) {
            Value::NotSought if values.lands.max_moves(land) > values.limits.in_full => {
                let is_too_large = values.lands.max_moves(land) > values.limits.heaps;
                let tree = if is_too_large { None } else { self.heap(land) };
                values.set(land, tree);
                tree
            }
            _ => values.known(land),
        }
    }

    /// The heap that the land is proved to equal.
    fn heap(&self, land: LandId) -> Option<Tree> {
        let Values { lands, trees, .. } = self.values;
        let mut options: Vec<_> = self.options(land)?.collect();
        options.sort_by_key(|option| option.iter().map(|&l| lands.max_moves(l)).sum::<u32>());
        // The heaps among the options, as bits, and whether a lost option is known.
        let (mut heaps, mut lost) = (0_u64, false);
        let mut note = |tree: Tree| {
            lost |= !trees.mover_wins(tree);
            let size = trees.heap_size(tree)?;
            heaps |= 1_u64.checked_shl(size)?;
            Some(size)
        };
        options.retain(|option| {
            let known = self.values.known_sum(option);
            known.and_then(&mut note).is_none()
        });
        let mut size = heaps.trailing_ones();
        let mut next = 0;
        // Each other option needs one reply.
        while let Some(option) = options.get(next) {
            let heap = trees.heap(size);
            next += 1;
            if self.has_option(option, heap)? {
                continue;
            }
            let tree = self.values.sum(option, |land| self.value(land))?;
            lost |= !trees.mover_wins(tree);
            match trees.heap_size(tree) {
                Some(met) => {
                    heaps |= 1_u64.checked_shl(met)?;
                    if met == size {
                        // The land is a larger heap, and all options need replies to it.
                        size = heaps.trailing_ones();
                        next = 0;
                    }
                }
                None if trees.has_option(tree, heap) => {}
                None => return None,
            }
        }
        (size > 0 || lost).then(|| trees.heap(size))
    }

    /// The options of a land. `None` once the limit of expansions is reached.
    fn options(&self, land: LandId) -> Option<impl Iterator<Item = &[LandId]>> {
        let lands = &self.values.lands;
        if lands.known_options(land).is_none() {
            self.expansions.set(self.expansions.get().checked_sub(1)?);
        }
        let options = lands.options(land, &|| false);
        Some(options.expect("it is never stopped").iter())
    }

    /// Whether `heap` is a known option of a sum of lands. `None` once the limit of expansions is reached.
    fn has_option(&self, lands: &[LandId], heap: Tree) -> Option<bool> {
        let mut sum = Vec::new();
        for (i, &land) in lands.iter().enumerate() {
            if i > 0 && lands[i - 1] == land {
                continue;
            }
            for option in self.options(land)? {
                sum.clear();
                sum.extend_from_slice(option);
                sum.extend_from_slice(&lands[..i]);
                sum.extend_from_slice(&lands[i + 1..]);
                if self.values.known_sum(&sum) == Some(heap) {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}
