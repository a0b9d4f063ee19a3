//! The claim of a theorem of arithmetic periods.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use sproutnet_game::heaps::{Heap, Left, Reach};

/// The claim that F are the nimbers of a game. In the theorems, e, p and s are `start`, `length` and `saltus`.
#[derive(Clone, Copy)]
pub(super) struct Claim<'a> {
    /// The known nimbers. They are those of F.
    pub(super) nimbers: &'a [u32],
    pub(super) heap: &'a dyn Heap,
    pub(super) reach: Reach,
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) saltus: u32,
    /// The number of steps that may still be taken.
    pub(super) steps: &'a Cell<u64>,
}

/// The heaps that the moves from a heap leave: single ones, and the totals of two and of three heaps.
#[derive(Default)]
pub(super) struct Remains {
    pub(super) singles: Vec<usize>,
    pub(super) pairs: Vec<usize>,
    pub(super) triples: Vec<usize>,
}

impl Claim<'_> {
    /// Takes steps of a proof; `None` if that are too many.
    pub(super) fn take(&self, steps: usize) -> Option<()> {
        let left = self.steps.get().checked_sub(steps as u64);
        self.steps.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// F(n).
    pub(super) fn value(&self, size: usize) -> u32 {
        match size.checked_sub(self.start) {
            Some(after) => {
                let like = self.start + after % self.length;
                self.nimbers[like] + (after / self.length) as u32 * self.saltus
            }
            None => self.nimbers[size],
        }
    }

    /// The quotient and the rest of F(n) by s.
    pub(super) fn parts(&self, size: usize) -> (i64, u32) {
        let value = self.value(size);
        (i64::from(value / self.saltus), value % self.saltus)
    }

    /// e + p.
    pub(super) fn end(&self) -> usize {
        self.start + self.length
    }

    /// The heaps from e to e + p − 1.
    pub(super) fn period(&self) -> Range<usize> {
        self.start..self.end()
    }

    /// Whether the condition for moves that leave several heaps holds.
    pub(super) fn may_split(&self) -> bool {
        let before = &self.nimbers[..self.start.min(self.nimbers.len())];
        self.saltus.is_power_of_two() && before.iter().all(|&nimber| nimber < self.saltus)
    }

    /// The least L.
    pub(super) fn least_limit(&self) -> usize {
        let heaps = self.reach.most_left.max(2) as usize;
        heaps * self.end() + self.reach.most_taken as usize
    }

    /// The window from L on.
    pub(super) fn window(&self, limit: usize) -> Range<usize> {
        limit..limit + self.length
    }

    /// The remains of a heap after its moves; `None` if there is a move that no code has, or no step is left.
    pub(super) fn remains(&self, size: usize) -> Option<Remains> {
        self.take(size)?;
        let mut remains = Remains::default();
        let end = self.heap.leaves(size as u32, &mut |left| {
            match left {
                Left::One(left) => remains.singles.push(left as usize),
                Left::Two(left) => remains.pairs.push(left as usize),
                Left::Three(left) => remains.triples.push(left as usize),
                Left::TwoDifferent(_) => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        end.is_continue().then_some(remains)
    }

    /// The heap from e to e + p − 1 that makes the total one of large heaps like these and it.
    pub(super) fn last_like(&self, total: usize, heaps: &[usize]) -> usize {
        let taken = heaps.iter().sum::<usize>() + self.start;
        let after = (signed(total) - signed(taken)).rem_euclid(signed(self.length));
        self.start + after as usize
    }

    /// For large heaps like these, whose total is `total`: the sum of their quotients, and the sum of their rests without
    /// carrying.
    pub(super) fn together(&self, total: usize, heaps: &[usize]) -> (i64, u32) {
        let taken = heaps.iter().sum();
        let periods = (signed(total) - signed(taken)) / signed(self.length);
        heaps
            .iter()
            .fold((periods, 0), |(quotients, rests), &heap| {
                let (quotient, rest) = self.parts(heap);
                (quotients + quotient, rests ^ rest)
            })
    }

    /// Whether large heaps with these sums of quotients and rests may have the nimber of a heap.
    pub(super) fn may_equal(&self, (quotients, rests): (i64, u32), size: usize) -> bool {
        let (quotient, rest) = self.parts(size);
        let excess = quotients - quotient;
        rests == rest && excess >= 0 && excess % 2 == 0
    }
}

/// The size of a heap, which is below 2^32.
fn signed(size: usize) -> i64 {
    i64::from(size as u32)
}

/// Notes a value in a list of small values.
pub(super) fn note(values: &mut [bool], value: u32) {
    if let Some(is_noted) = values.get_mut(value as usize) {
        *is_noted = true;
    }
}
