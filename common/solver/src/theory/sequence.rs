//! The nimbers of heaps of 0, 1, 2, … tokens, each from those before it.
//!
//! The nimber of a heap is the least one that no option has. Looking at the two heaps of each option takes time that
//! grows with the square of the number of heaps. *Sparse spaces* (*Winning Ways*, chapter 4) save nearly all of it
//! where they exist: in many games there is a mask such that the *rare* nimbers, those with an even number of ones in
//! the mask, are the values of very few heaps. All others are *common*. Two common nimbers add to a rare one, as do two
//! rare ones. An option of a common value has exactly one rare heap, so all such options are found through the few rare
//! heaps. That gives the least common value that no option has. Other options are looked at only until they have all
//! rare values below it, or until there are no more; then the least missing rare value is the nimber. The mask is a
//! guess; the nimber is exact for any mask.

use std::ops::ControlFlow;
use std::time::Instant;

use sproutnet_game::heaps::{Heap, Left};

use super::arithmetic;
use super::period::Period;

/// The number of heaps at the first search for a period. It doubles for each further search.
const FIRST_LOOK: usize = 64;

/// The number of options looked at that takes some seconds.
pub const MOST_OPTIONS: u64 = 1_000_000_000;

/// The number of options looked at, up to which heaps that nobody asked for are computed to prove a period. That takes
/// less than a tenth of a second.
const FEW_OPTIONS: u64 = 10_000_000;

/// The number of heaps that are looked at for a period, as long as that takes little time. They prove most periods.
pub const FURTHEST: usize = 2001;

/// A proof of an arithmetic period takes at most this many steps for each option looked at so far, and at most
/// [`LEAST_STEPS`] if that is more. So it takes little more time than the nimbers.
const STEPS_OF_PROOF: u64 = 4;
const LEAST_STEPS: u64 = 2_000_000;

/// The number of nimbers, at the end of the sequence, on which masks are tried.
const SAMPLE: usize = 4096;

/// A mask is used if at most one in this many heaps has a rare nimber.
const RARE: usize = 4;

/// The first nimbers of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The nimbers of the heaps of 0, 1, 2, … tokens.
    pub nimbers: Vec<u32>,
    /// The number of computed ones. The others follow from the period.
    pub computed: usize,
    /// The period, if one is proved.
    pub period: Option<Period>,
}

impl Sequence {
    /// The first `terms` nimbers of a sequence. Fewer if no period is proved by those that take a billion options.
    pub fn of(heap: &dyn Heap, terms: usize) -> Self {
        let mut found = Self::looking(heap, terms, terms, MOST_OPTIONS, None);
        found.nimbers.truncate(terms);
        found.computed = found.computed.min(terms);
        found
    }

    /// At least `terms` nimbers of a sequence. Fewer if no period is proved and they take more options or time than this.
    /// Where a period is possible, more heaps are looked at to prove one, up to `furthest` of them, as long as that takes
    /// little time; so there may be more nimbers.
    pub fn looking(
        heap: &dyn Heap,
        terms: usize,
        furthest: usize,
        most_options: u64,
        until: Option<Instant>,
    ) -> Self {
        let mut found = Self::within(most_options, heap, terms, furthest, until);
        if let Some(period) = &found.period {
            for size in found.nimbers.len()..terms {
                let nimber = period.nimber(&found.nimbers, size as u32);
                found.nimbers.extend(nimber);
            }
        }
        found
    }

    /// The nimbers up to the first ones that prove a period. If none is proved, at least `terms`, or fewer if they take
    /// more options or time than this; and up to `furthest` if they take few options.
    pub(super) fn within(
        most_options: u64,
        heap: &dyn Heap,
        terms: usize,
        furthest: usize,
        until: Option<Instant>,
    ) -> Self {
        let find = |computed: &Nimbers| {
            let (nimbers, reach) = (&computed.all, heap.reach()?);
            let most_steps = (computed.options * STEPS_OF_PROOF).max(LEAST_STEPS);
            Period::find(nimbers, reach)
                .or_else(|| arithmetic::find(nimbers, heap, reach, most_steps))
        };
        let furthest = if can_have_period(heap) {
            furthest.max(terms).max(FIRST_LOOK)
        } else {
            terms
        };
        let few_options = most_options.min(FEW_OPTIONS);
        let mut computed = Nimbers::default();
        let mut period = None;
        let has_time = || until.is_none_or(|until| Instant::now() < until);
        let mut looked = 0;
        while period.is_none() && computed.all.len() < furthest && has_time() {
            let is_needed = computed.all.len() < terms;
            let most = if is_needed { most_options } else { few_options };
            if computed.options >= most {
                break;
            }
            computed.push(heap);
            // Periods are short in many games, and then the rest is not computed.
            if computed.all.len() >= (2 * looked).max(FIRST_LOOK) {
                looked = computed.all.len();
                period = find(&computed);
                computed.choose_mask();
            }
        }
        if period.is_none() && looked < computed.all.len() {
            period = find(&computed);
        }
        Self {
            computed: computed.all.len(),
            nimbers: computed.all,
            period,
        }
    }

    /// The nimber of a heap; `None` beyond the reach of the sequence.
    pub fn nimber(&self, size: u32) -> Option<u32> {
        match self.period {
            Some(period) => period.nimber(&self.nimbers, size),
            None => self.nimbers.get(size as usize).copied(),
        }
    }
}

/// Whether a theorem can prove a period of the game.
pub fn can_have_period(heap: &dyn Heap) -> bool {
    let reach = heap.reach();
    reach.is_some_and(|reach| !reach.takes_any || arithmetic::applies(reach))
}

/// Nimbers under computation.
#[derive(Default)]
struct Nimbers {
    all: Vec<u32>,
    /// The mask of rare nimbers; 0 if none is useful.
    mask: u32,
    /// The heaps with rare nimbers.
    rare: Vec<u32>,
    /// The number of options looked at.
    options: u64,
    /// For each nimber, one more than the last heap with an option of it.
    seen: Vec<u32>,
    /// For each total, the nimbers of two heaps with this total, each once. Only if a move can leave three heaps.
    pairs: Vec<Vec<u32>>,
}

impl Nimbers {
    /// Computes the nimber of the next heap.
    fn push(&mut self, heap: &dyn Heap) {
        let size = self.all.len() as u32;
        if let Some(nimber) = heap.nimber(size) {
            self.all.push(nimber);
            return;
        }
        let mut splits = Vec::new();
        let _ = heap.leaves(size, &mut |left| {
            match left {
                Left::One(left) => self.see(self.all[left as usize], size),
                Left::Two(_) | Left::TwoDifferent(_) => splits.push(left),
                Left::Three(total) => self.see_three(total, size),
            }
            ControlFlow::Continue(())
        });
        let nimber = match self.mask {
            0 => self.least_by_all(&splits, size),
            _ => self.least_by_rare(&splits, size),
        };
        self.all.push(nimber);
        if self.mask > 0 && self.is_rare(nimber) {
            self.rare.push(size);
        }
    }

    /// Sees the options of three heaps with this total: each heap with the nimbers of the two others.
    fn see_three(&mut self, total: u32, size: u32) {
        for two in self.pairs.len() as u32..total {
            let nimbers = Left::Two(two).sizes();
            let mut nimbers: Vec<u32> = nimbers
                .map(|[_, one, other]| self.sum(one, other))
                .collect();
            self.options += nimbers.len() as u64;
            nimbers.sort_unstable();
            nimbers.dedup();
            self.pairs.push(nimbers);
        }
        for one in 1..total.saturating_sub(1) {
            let pairs = std::mem::take(&mut self.pairs[(total - one) as usize]);
            for &pair in &pairs {
                self.see(self.all[one as usize] ^ pair, size);
            }
            self.pairs[(total - one) as usize] = pairs;
        }
    }

    /// The least nimber that no option has, from all options.
    fn least_by_all(&mut self, splits: &[Left], size: u32) -> u32 {
        for [_, one, other] in splits.iter().flat_map(|left| left.sizes()) {
            self.see(self.sum(one, other), size);
        }
        self.least(size, |_| true)
    }

    /// The same, from the rare heaps and only the other options that are needed.
    fn least_by_rare(&mut self, splits: &[Left], size: u32) -> u32 {
        for split in splits {
            let (Left::Two(total) | Left::TwoDifferent(total)) = *split else {
                continue;
            };
            for place in 0..self.rare.len() {
                let one = self.rare[place];
                if (1..total).contains(&one) && !self.is_rare(self.all[(total - one) as usize]) {
                    self.see(self.sum(one, total - one), size);
                }
            }
        }
        let common = self.least(size, |nimber| !self.is_rare(nimber));
        let is_missing = |of: &Self, nimber| of.is_rare(nimber) && !of.is_seen(nimber, size);
        let mut missing = (0..common)
            .filter(|&nimber| is_missing(self, nimber))
            .count();
        for [_, one, other] in splits.iter().flat_map(|left| left.sizes()) {
            if missing == 0 {
                return common;
            }
            let nimber = self.sum(one, other);
            if nimber < common && is_missing(self, nimber) {
                missing -= 1;
            }
            self.see(nimber, size);
        }
        match missing {
            0 => common,
            _ => self.least(size, |nimber| self.is_rare(nimber)),
        }
    }

    /// The nimber of two heaps together.
    fn sum(&self, one: u32, other: u32) -> u32 {
        self.all[one as usize] ^ self.all[other as usize]
    }

    fn see(&mut self, nimber: u32, size: u32) {
        self.options += 1;
        if nimber as usize >= self.seen.len() {
            self.seen
                .resize((nimber as usize + 1).next_power_of_two(), 0);
        }
        self.seen[nimber as usize] = size + 1;
    }

    fn is_seen(&self, nimber: u32, size: u32) -> bool {
        self.seen.get(nimber as usize) == Some(&(size + 1))
    }

    /// The least nimber that satisfies `is_meant` and was not seen.
    fn least(&self, size: u32, is_meant: impl Fn(u32) -> bool) -> u32 {
        let mut nimbers = 0..;
        let least = nimbers.find(|&nimber| is_meant(nimber) && !self.is_seen(nimber, size));
        least.expect("there are more nimbers than options")
    }

    fn is_rare(&self, nimber: u32) -> bool {
        is_rare(nimber, self.mask)
    }

    /// Chooses the mask with the fewest rare nimbers in the sample.
    fn choose_mask(&mut self) {
        let sample = &self.all[self.all.len().saturating_sub(SAMPLE)..];
        let largest = sample.iter().copied().max().unwrap_or(0);
        let count = |mask| {
            sample
                .iter()
                .filter(|&&nimber| is_rare(nimber, mask))
                .count()
        };
        let masks = 1..(largest + 1).next_power_of_two().min(1024);
        let best = masks.map(|mask| (count(mask), mask)).min();
        let best = best.filter(|&(rare, _)| rare * RARE <= sample.len());
        self.mask = best.map_or(0, |(_, mask)| mask);
        let sizes = (0..).zip(&self.all);
        let rare = sizes.filter(|&(_, &nimber)| is_rare(nimber, self.mask));
        self.rare = rare.map(|(size, _)| size).collect();
    }
}

/// Whether a nimber has an even number of ones in a mask.
fn is_rare(nimber: u32, mask: u32) -> bool {
    (nimber & mask).count_ones().is_multiple_of(2)
}

#[cfg(test)]
mod tests;
