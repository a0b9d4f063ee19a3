//! Keeps numbers and locks up to date.
//!
//! A choice keeps the sum over its children and their minimum. A child that changes gives its parents the
//! difference, so that all children are examined again only if the minimum grew. Nodes wait in the order of
//! their ranks, children before parents; so each is updated about once, however many ways the change takes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Dag;
use super::node::{Below, Slot, View};
use crate::play::{Convention, Outcome};
use crate::search::Numbers;
use crate::search::dfpn::sum_of_parts;
use crate::search::steering::SumRule;

/// Nodes to update, the lowest rank first. Among equals the last made is first, as children are made after
/// their parents.
pub(super) type Queue = BinaryHeap<(Reverse<u32>, Slot)>;

impl<C: Convention> Dag<C> {
    /// Updates everything above a node that may have changed since `before`.
    pub(super) fn update_above(&mut self, node: Slot, before: View) {
        self.update_parents(node, before);
        while let Some((_, node)) = self.queue.pop() {
            self.slab.standing_mut(node).queued = false;
            let before = self.slab.standing(node).view();
            self.renew(node);
            self.update_parents(node, before);
        }
    }

    /// Tells the parents how a node changed, and queues them.
    fn update_parents(&mut self, node: Slot, before: View) {
        let now = self.slab.standing(node).view();
        if now == before {
            return;
        }
        let proof = |view: View| match view.numbers.outcome() {
            None => u64::from(view.numbers.proof),
            Some(_) => 0,
        };
        let mut at = 0;
        while let Some(&parent) = self.slab.node(node).parents.get(at) {
            let standing = self.slab.standing_mut(parent);
            if standing.is_solved() {
                self.slab.change(node, |node| node.parents.swap_remove(at));
                continue;
            }
            at += 1;
            if standing.below == Below::Choice {
                standing.sum = standing.sum + proof(now) - proof(before);
                standing.free += u32::from(now.is_free());
                standing.free -= u32::from(before.is_free());
                if now.least() <= standing.least {
                    standing.least = now.least();
                } else {
                    standing.stale |= before.least() == standing.least;
                }
                standing.stale |= now.numbers.outcome() == Some(Outcome::Loss);
            }
            if !standing.queued {
                standing.queued = true;
                self.queue.push((Reverse(standing.rank), parent));
            }
        }
    }

    /// Computes a node's numbers and lock again from the differences of its children.
    fn renew(&mut self, node: Slot) {
        let standing = self.slab.standing_mut(node);
        // An outcome is never taken from sums alone.
        let is_plain = standing.sum > 0 && standing.free > 0 && !standing.stale;
        if standing.below == Below::Choice && is_plain && !standing.is_solved() {
            standing.numbers = Numbers {
                proof: standing.least,
                disproof: capped(standing.sum),
            };
            standing.locked = false;
        } else {
            self.recount(node);
        }
    }

    /// Computes a node's numbers and lock again from all its children.
    pub(super) fn recount(&mut self, node: Slot) {
        let standing = self.slab.standing(node);
        if standing.is_solved() {
            return;
        }
        match standing.below {
            Below::Vacant | Below::Leaf => {}
            Below::Choice => self.recount_choice(node),
            Below::Parts => self.recount_parts(node),
            Below::Same => {
                let view = self.slab.standing(self.slab.node(node).children[0]).view();
                match view.numbers.outcome() {
                    Some(outcome) => self.set_solved(node, outcome),
                    None => {
                        let standing = self.slab.standing_mut(node);
                        standing.numbers = view.numbers;
                        standing.locked = view.locked;
                    }
                }
            }
        }
    }

    fn recount_choice(&mut self, node: Slot) {
        let (mut sum, mut free) = (0, 0);
        let mut least = Numbers::INFINITE;
        let mut least_locked = Numbers::INFINITE;
        let mut wins = true;
        for &child in &*self.slab.node(node).children {
            let child = self.slab.standing(child).view();
            match child.numbers.outcome() {
                Some(Outcome::Win) => continue,
                Some(Outcome::Loss) => return self.set_solved(node, Outcome::Win),
                None => {}
            }
            wins = false;
            sum += u64::from(child.numbers.proof);
            if child.locked {
                least_locked = least_locked.min(child.numbers.disproof);
            } else {
                free += 1;
                least = least.min(child.numbers.disproof);
            }
        }
        if wins {
            return self.set_solved(node, Outcome::Loss);
        }
        let standing = self.slab.standing_mut(node);
        standing.sum = sum;
        standing.free = free;
        standing.least = least;
        standing.stale = false;
        standing.locked = free == 0;
        standing.numbers = Numbers {
            proof: if free == 0 { least_locked } else { least },
            disproof: capped(sum),
        };
    }

    fn recount_parts(&mut self, node: Slot) {
        if self.has_solved_part(node) {
            self.refresh(node);
            return;
        }
        let mut parts = self.slab.node(node).children.clone();
        let first = &parts[..parts.len() - 1];
        let locked = first.iter().all(|&part| self.slab.standing(part).locked);
        let rule = SumRule::of(self.convention.switches());
        let numbers = sum_of_parts(rule, &mut parts, |part| self.slab.standing(*part).numbers);
        let standing = self.slab.standing_mut(node);
        standing.numbers = numbers;
        standing.locked = locked;
    }
}

/// A sum of finite numbers, as [`Numbers::add`] makes it.
pub(super) fn capped(sum: u64) -> u32 {
    u32::try_from(sum).map_or(Numbers::INFINITE - 1, |sum| sum.min(Numbers::INFINITE - 1))
}
