//! Dropping the parts of a DAG that are cheapest to lose.
//!
//! The convention keeps what was proved below them, and the numbers of the nodes above, which become
//! leaves, sum up the rest. Only the state of the descent is lost; so the cheapest nodes are those that a
//! descent would reach last. The cost of a node is counted along the way from the root: each step costs
//! one, and more by the ratio of the disproof number to that of the best child, which has to become as hard
//! first.

use smallvec::SmallVec;

use super::Dag;
use super::node::{Below, Slot};
use crate::play::{Convention, Outcome};

/// The cost of a step to a child twice as hard as the best.
const COST_OF_DOUBLING: f32 = 16.0;

/// The price of a node that is always kept.
const ALWAYS: u64 = 0;
/// The price of a node that is never kept.
const NEVER: u64 = u64::MAX;

/// The price of each node, by slots: nodes of low price are kept. The children of a choice have a price of
/// their own, higher than that of the choice, so that all are kept or none.
struct Prices {
    of: Vec<u64>,
    /// Cost of the cheapest way from the root.
    way: Vec<u32>,
    /// The node before on that way.
    from: Vec<Slot>,
}

impl<C: Convention> Dag<C> {
    /// Drops what the root does not need any more, then other parts until at most `most_nodes` are left. A
    /// node that loses its children becomes a leaf with its numbers. Locked leaves stay, and a way to each;
    /// together they may be more than `most_nodes`. Takes time in proportion to the number of nodes.
    pub fn trim(&mut self, most_nodes: usize) {
        let order = self.children_first();
        let mut prices = self.prices(&order);
        self.keep_ways_to_jobs(&order, &mut prices);
        let limit = limit(&order, &prices.of, most_nodes);
        let kept = |slot: Slot| {
            let price = prices.of[slot.index()];
            price == ALWAYS || price < limit
        };
        let order: Vec<Slot> = order.into_iter().filter(|&slot| kept(slot)).collect();
        for &node in &order {
            self.keep_below(node, &kept);
        }
        for slot in (0..self.slab.slots()).map(|index| Slot(index as u32)) {
            if self.slab.standing(slot).below != Below::Vacant && !kept(slot) {
                self.slab.remove(slot);
            }
        }
        self.rebuild(&order);
    }

    /// All nodes that can be reached from the root, each after all that are below it.
    pub(super) fn children_first(&self) -> Vec<Slot> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.slab.slots()];
        seen[Slot::ROOT.index()] = true;
        let mut path = vec![(Slot::ROOT, 0)];
        while let Some((node, next)) = path.last_mut() {
            if let Some(&child) = self.slab.node(*node).children.get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[child.index()], true) {
                    path.push((child, 0));
                }
            } else {
                order.push(*node);
                path.pop();
            }
        }
        order
    }

    fn prices(&self, order: &[Slot]) -> Prices {
        let slots = self.slab.slots();
        let mut prices = Prices {
            of: vec![NEVER; slots],
            way: vec![u32::MAX; slots],
            from: vec![Slot::ROOT; slots],
        };
        prices.of[Slot::ROOT.index()] = ALWAYS;
        prices.way[Slot::ROOT.index()] = 0;
        for &node in order.iter().rev() {
            let way = prices.way[node.index()];
            let is_choice = self.slab.standing(node).below == Below::Choice;
            let price = match is_choice {
                true => u64::from(way.saturating_add(1)) << 32 | u64::from(node.0),
                // A state and its parts are kept together.
                false => prices.of[node.index()],
            };
            let best = self.least_disproof(node);
            for &child in &*self.slab.node(node).children {
                let standing = self.slab.standing(child);
                let step = match is_choice {
                    true if standing.is_solved() => continue,
                    true => {
                        let ratio = standing.numbers.disproof as f32 / best as f32;
                        1 + (COST_OF_DOUBLING * ratio.log2()) as u32
                    }
                    false => 0,
                };
                let of = &mut prices.of[child.index()];
                *of = price.min(*of);
                if way.saturating_add(step) < prices.way[child.index()] {
                    prices.way[child.index()] = way.saturating_add(step);
                    prices.from[child.index()] = node;
                }
            }
        }
        prices
    }

    fn least_disproof(&self, node: Slot) -> u32 {
        let children = self.slab.node(node).children.iter();
        let numbers = children.map(|&child| self.slab.standing(child).numbers);
        let unsolved = numbers.filter(|numbers| numbers.outcome().is_none());
        unsolved.map(|numbers| numbers.disproof).min().unwrap_or(1)
    }

    /// Keeps the leaves of jobs and the ways to them. A leaf that the root does not need is kept by itself.
    fn keep_ways_to_jobs(&self, order: &[Slot], prices: &mut Prices) {
        let mut on_way = vec![false; self.slab.slots()];
        for leaf in self.slab.live() {
            let standing = self.slab.standing(leaf);
            if standing.below != Below::Leaf || !standing.locked {
                continue;
            }
            let is_reachable = prices.of[leaf.index()] != NEVER;
            prices.of[leaf.index()] = ALWAYS;
            let mut node = leaf;
            while is_reachable && node != Slot::ROOT {
                node = prices.from[node.index()];
                if std::mem::replace(&mut on_way[node.index()], true) {
                    break;
                }
            }
        }
        for &node in order.iter().rev() {
            let is_choice = self.slab.standing(node).below == Below::Choice;
            let with_parts = !is_choice && prices.of[node.index()] == ALWAYS;
            if !on_way[node.index()] && !with_parts {
                continue;
            }
            for &child in &*self.slab.node(node).children {
                if !is_choice || !self.slab.standing(child).is_solved() {
                    prices.of[child.index()] = ALWAYS;
                }
            }
        }
    }

    /// Leaves a choice its kept children if they are complete; otherwise it becomes a leaf.
    fn keep_below(&mut self, node: Slot, kept: &impl Fn(Slot) -> bool) {
        if self.slab.standing(node).below != Below::Choice {
            return;
        }
        let children = &*self.slab.node(node).children;
        let open = |&&child: &&Slot| {
            let outcome = self.slab.standing(child).numbers.outcome();
            outcome != Some(Outcome::Win)
        };
        let mut open: Vec<Slot> = children.iter().filter(open).copied().collect();
        let is_whole = open.iter().all(|&child| kept(child));
        if !is_whole {
            open = Vec::new();
        }
        self.slab.change(node, |node| node.children = open.into());
        if !is_whole {
            let standing = self.slab.standing_mut(node);
            standing.below = Below::Leaf;
            standing.locked = false;
        }
    }

    /// Makes the edges to parents, and the numbers and locks of the nodes in `order` (children first), again
    /// from the children's lists and the leaves.
    pub(super) fn rebuild(&mut self, order: &[Slot]) {
        let live: Vec<Slot> = self.slab.live().collect();
        for node in live {
            self.slab
                .change(node, |node| node.parents = SmallVec::new());
        }
        for &node in order {
            for at in 0..self.slab.node(node).children.len() {
                let child = self.slab.node(node).children[at];
                self.slab.adopt(node, child);
            }
        }
        let mut split_again = Vec::new();
        for &node in order {
            if self.has_solved_part(node) {
                split_again.push(node);
            }
            self.recount(node);
        }
        // Their new parts may have been used before they were up to date.
        for node in split_again {
            let before = self.slab.standing(node).view();
            self.recount(node);
            self.update_above(node, before);
        }
    }
}

/// The price from which on nodes are dropped, so that at most `most` are kept.
fn limit(order: &[Slot], prices: &[u64], most: usize) -> u64 {
    let mut wanted: Vec<u64> = order.iter().map(|slot| prices[slot.index()]).collect();
    if most >= wanted.len() {
        return NEVER;
    }
    *wanted.select_nth_unstable(most).1
}

#[cfg(test)]
mod tests;
