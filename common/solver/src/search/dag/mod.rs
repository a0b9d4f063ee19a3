//! The proof-number DAG of one root. Its leaves are jobs: states that someone else searches.
//!
//! While a leaf is out as a job it is locked. A locked child is left out of the minimum over
//! children and kept in the sum, so that the next job is found elsewhere; a node all of whose
//! children are locked is locked itself (Čížek, Balko and Schmid, arXiv 2511.10339).
//!
//! - [`node`], [`slab`]: what is kept of a node, and where.
//! - [`grow`]: making nodes of states.
//! - [`update`]: keeping numbers and locks true to what is below.
//! - [`trim`]: dropping what is cheapest to lose, to live in bounded memory.
//! - [`branches`]: what is open right below the root, for people to see.
//! - [`checkpoint`], [`restore`]: a DAG as portable bytes, to survive restarts.
//!
//! **Invariant:** a node is solved only by [`Convention::resolve`], by a report of its own search, or
//! by its children. A choice has all children that are not proved wins, or none at all.
//!
//! **Invariant:** no child has longer lands than its parent, and only a move in the value leaves
//! them as long. So there is no way around in a circle, whatever reports and checkpoints say.

mod branches;
mod checkpoint;
mod grow;
mod node;
mod restore;
mod slab;
mod trim;
mod update;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::branches::{Branch, Branches};
pub use self::checkpoint::CheckpointError;
pub use self::node::NodeId;
use self::node::{Below, Slot};
use self::slab::Slab;
use self::update::Queue;
use super::dfpn::{self, Children};
use super::numbers::Numbers;
use super::steering;
use crate::play::{Convention, Outcome, State};

/// Everything between a root and its jobs. Transpositions are one node.
pub struct Dag<C: Convention> {
    convention: Arc<C>,
    slab: Slab<C::Value>,
    /// Empty between calls; kept for its memory.
    queue: Queue,
}

impl<C: Convention> Dag<C> {
    /// A DAG of the root alone.
    pub fn new(convention: Arc<C>, root: State<C::Value>) -> Self {
        let mut dag = Self {
            convention,
            slab: Slab::new(),
            queue: Queue::new(),
        };
        dag.add(root, None);
        dag
    }

    /// The root's numbers.
    pub fn root(&self) -> Numbers {
        self.slab.standing(Slot::ROOT).numbers
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    /// Never true: the root is always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory that the nodes, their edges and the table of their keys take, in bytes, about;
    /// not that of the lands, which belong to the convention. What dropped nodes took is not
    /// counted: it is kept, and taken by the next nodes before more is asked for. So a DAG that is
    /// trimmed whenever this passes a limit stays near the limit.
    pub fn bytes(&self) -> usize {
        self.slab.bytes()
    }

    /// Whether the node is still there. The root and locked leaves always are.
    pub fn contains(&self, node: NodeId) -> bool {
        self.slab.slot(node).is_some()
    }

    /// The state of a node.
    ///
    /// # Panics
    /// The node is not there any more.
    pub fn state(&self, node: NodeId) -> &State<C::Value> {
        let slot = self.slab.slot(node).expect("a node that is still there");
        &self.slab.node(slot).state
    }

    /// The state of a node, if it is still there.
    pub fn find_state(&self, node: NodeId) -> Option<&State<C::Value>> {
        self.slab.slot(node).map(|slot| &self.slab.node(slot).state)
    }

    /// Locks the most proving leaf that is not locked yet. `None` when the root is solved or all
    /// that matters is locked.
    pub fn lock(&mut self) -> Option<NodeId> {
        'descent: loop {
            let mut node = Slot::ROOT;
            loop {
                let before = self.slab.standing(node).view();
                if !before.is_free() {
                    return None;
                }
                // Something may have been proved elsewhere since the numbers were made.
                if self.refresh(node) {
                    self.update_above(node, before);
                    continue 'descent;
                }
                if self.slab.standing(node).below == Below::Leaf {
                    self.slab.standing_mut(node).locked = true;
                    self.update_above(node, before);
                    return Some(self.slab.id(node));
                }
                node = self.next(node)?;
            }
        }
    }

    /// Unlocks a leaf about which nothing new was found. Nothing is done if it is no leaf any more.
    pub fn unlock(&mut self, leaf: NodeId) {
        if let Some(leaf) = self.slab.slot(leaf)
            && self.slab.standing(leaf).below == Below::Leaf
        {
            let before = self.slab.standing(leaf).view();
            self.slab.standing_mut(leaf).locked = false;
            self.update_above(leaf, before);
        }
    }

    /// Unlocks a leaf that was not solved and stays a leaf, of which these numbers were found. Nothing is
    /// done if it is no leaf any more.
    pub fn appraise(&mut self, leaf: NodeId, numbers: Numbers) {
        if let Some(leaf) = self.slab.slot(leaf)
            && self.slab.standing(leaf).below == Below::Leaf
            && !self.slab.standing(leaf).is_solved()
        {
            let before = self.slab.standing(leaf).view();
            let standing = self.slab.standing_mut(leaf);
            standing.locked = false;
            // An outcome needs more than numbers.
            if numbers.outcome().is_none() {
                standing.numbers = numbers;
            }
            self.update_above(leaf, before);
        }
    }

    /// Unlocks a leaf that turned out to be solved. Nothing is done if the node is not there any
    /// more.
    pub fn solve(&mut self, leaf: NodeId, outcome: Outcome) {
        if let Some(leaf) = self.slab.slot(leaf) {
            let before = self.slab.standing(leaf).view();
            self.set_solved(leaf, outcome);
            self.update_above(leaf, before);
        }
    }

    /// Unlocks a leaf that was not solved, and puts the children that a search of it found below
    /// it: all that are not proved to be wins. If there are none, or if they cannot be the children
    /// of this state, the leaf is left as it is, to be tried again for longer. Nothing is done if
    /// it is no leaf any more.
    ///
    /// The numbers of the children steer and prove nothing.
    pub fn expand(&mut self, leaf: NodeId, children: Vec<(State<C::Value>, Numbers)>) {
        let Some(leaf) = self.slab.slot(leaf) else {
            return;
        };
        let standing = self.slab.standing(leaf);
        if standing.below != Below::Leaf || standing.is_solved() {
            return;
        }
        let before = self.slab.standing(leaf).view();
        self.slab.standing_mut(leaf).locked = false;
        if !self.refresh(leaf) {
            let add = |(state, numbers)| self.add(state, Some(numbers));
            let children: Vec<Slot> = children.into_iter().map(add).collect();
            if children.is_empty() || !self.fit_below(&children, leaf) {
                self.slab
                    .change(leaf, |leaf| leaf.tries = leaf.tries.saturating_add(1));
            } else {
                self.put_below(leaf, Below::Choice, children);
            }
        }
        self.update_above(leaf, before);
    }

    /// The same with the children found here. `false`, and nothing done, if `stop` became true
    /// meanwhile.
    ///
    /// # Panics
    /// The node is not there any more.
    pub fn expand_here(&mut self, leaf: NodeId, stop: &dyn Fn() -> bool) -> bool {
        match dfpn::children(&*self.convention, self.state(leaf), stop) {
            None => return false,
            Some(Children::Decided(outcome)) => self.solve(leaf, outcome),
            Some(Children::Open(states)) => {
                let estimated = |state: State<C::Value>| {
                    let numbers = steering::leaf(&*self.convention, &state);
                    (state, numbers)
                };
                let children = states.into_iter().map(estimated).collect();
                self.expand(leaf, children);
            }
        }
        true
    }

    /// How often a search of the leaf found neither its outcome nor its children. Zero if it is not
    /// there any more.
    pub fn tries(&self, leaf: NodeId) -> u32 {
        let leaf = self.slab.slot(leaf);
        leaf.map_or(0, |leaf| self.slab.node(leaf).tries)
    }

    /// The child that a descent goes on to: the first that has the least disproof number among the
    /// free ones, or the first free part. `None` if none is free.
    fn next(&self, node: Slot) -> Option<Slot> {
        let standing = self.slab.standing(node);
        let children = &*self.slab.node(node).children;
        match standing.below {
            Below::Vacant | Below::Leaf => None,
            Below::Choice => {
                let least = |&&child: &&Slot| {
                    let child = self.slab.standing(child).view();
                    child.is_free() && child.numbers.disproof == standing.least
                };
                children.iter().find(least).copied()
            }
            Below::Parts => {
                let free = |&&part: &&Slot| self.slab.standing(part).view().is_free();
                children[..children.len() - 1].iter().find(free).copied()
            }
            Below::Same => Some(children[0]),
        }
    }

    fn set_solved(&mut self, node: Slot, outcome: Outcome) {
        self.convention.settle(&self.slab.node(node).state, outcome);
        self.slab
            .change(node, |node| node.children = Box::default());
        let standing = self.slab.standing_mut(node);
        standing.numbers = Numbers::solved(outcome);
        standing.locked = false;
        standing.stale = false;
        standing.below = Below::Leaf;
    }
}
