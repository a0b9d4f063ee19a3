//! The proof-number DAG of one root. Its leaves are jobs: states that workers search.
//!
//! A leaf that is out as a job is locked. A locked child is left out of the minimum over children and kept
//! in the sum, so that the next job is found elsewhere; a node all of whose children are locked is locked
//! itself (Čížek, Balko and Schmid, arXiv 2511.10339).
//!
//! - [`node`], [`slab`]: nodes, and where they are.
//! - [`grow`]: makes nodes of states.
//! - [`update`]: keeps numbers and locks up to date.
//! - [`trim`]: drops the cheapest parts, to live in bounded memory.
//! - [`branches`]: the open children of the root, for people to see.
//! - [`checkpoint`], [`restore`]: a DAG as portable bytes, to survive restarts.
//!
//! **Invariant:** a node is solved only by [`ProvedOutcomes::resolve`], by a report of its own search, or
//! by its children. A choice has all children that are not proved wins, or none at all.
//!
//! **Invariant:** no child has a higher rank (moves left in its lands) than its parent, and only a move in
//! the value leaves the rank as it is. So there is no circle, whatever reports and checkpoints say.

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

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

pub use self::branches::{Branch, Branches};
pub use self::checkpoint::CheckpointError;
pub use self::node::NodeId;
use self::node::{Below, Slot};
use self::slab::Slab;
use self::update::Queue;
use super::Numbers;
use super::dfpn::{self, Children};
use super::steering;
#[cfg(doc)]
use crate::play::ProvedOutcomes;
use crate::play::{Convention, Outcome, State};

/// A state and all its children that are not proved wins.
pub type StateBelow<V> = (State<V>, Vec<(State<V>, Numbers)>);

/// Everything between a root and its jobs. Transpositions are one node.
pub struct Dag<C: Convention> {
    convention: Arc<C>,
    slab: Slab<C::Value>,
    /// Empty between calls. Kept to reuse its memory.
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
    pub fn nodes(&self) -> usize {
        self.slab.len()
    }

    /// About how many bytes of memory the nodes, their edges and the table of their keys take, without the
    /// lands, which belong to the convention. The memory of dropped nodes is not counted: the next nodes
    /// take it before more is allocated. So a DAG that is trimmed whenever this passes a limit stays near
    /// the limit.
    pub fn bytes(&self) -> usize {
        self.slab.bytes()
    }

    /// The state of a node, if it is still there. The root and locked leaves always are.
    pub fn state(&self, node: NodeId) -> Option<&State<C::Value>> {
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

    /// Whether the root may still depend on a node: as far as is known now, it is open, and so is every node on some way
    /// up from it.
    /// Takes time in proportion to the number of nodes above it, at worst.
    pub fn is_wanted(&self, node: NodeId) -> bool {
        let mut waiting: Vec<Slot> = self.slab.slot(node).into_iter().collect();
        let mut met = HashSet::with_hasher(FxBuildHasher);
        while let Some(node) = waiting.pop() {
            let is_solved = || {
                let mut state = self.slab.node(node).state.clone();
                self.convention.resolve(&mut state).is_some()
            };
            if !met.insert(node) || self.slab.standing(node).is_solved() || is_solved() {
                continue;
            }
            if node == Slot::ROOT {
                return true;
            }
            waiting.extend(&self.slab.node(node).parents);
        }
        false
    }

    /// Unlocks a leaf about which nothing new was found. Does nothing if it is no leaf any more.
    pub fn unlock(&mut self, leaf: NodeId) {
        self.unlock_with(leaf, None);
    }

    /// Unlocks a leaf that was not solved and stays a leaf, and sets its numbers. Does nothing if it is no
    /// leaf any more.
    pub fn appraise(&mut self, leaf: NodeId, numbers: Numbers) {
        self.unlock_with(leaf, Some(numbers));
    }

    fn unlock_with(&mut self, leaf: NodeId, numbers: Option<Numbers>) {
        if let Some(leaf) = self.slab.slot(leaf)
            && self.slab.standing(leaf).below == Below::Leaf
        {
            let before = self.slab.standing(leaf).view();
            let standing = self.slab.standing_mut(leaf);
            standing.locked = false;
            // An outcome needs more than numbers.
            let open = numbers.filter(|numbers| numbers.outcome().is_none());
            if let (Some(numbers), false) = (open, standing.is_solved()) {
                standing.numbers = numbers;
            }
            self.update_above(leaf, before);
        }
    }

    /// Unlocks a leaf that turned out to be solved. Does nothing if the node is not there any more.
    pub fn solve(&mut self, leaf: NodeId, outcome: Outcome) {
        if let Some(leaf) = self.slab.slot(leaf) {
            let before = self.slab.standing(leaf).view();
            self.set_solved(leaf, outcome);
            self.update_above(leaf, before);
        }
    }

    /// Unlocks a leaf that was not solved, and puts below it the children that a search of it found: all
    /// that are not proved wins. If there are none, or if they cannot be the children of this state, the
    /// leaf stays as it is, to be tried again for longer. Does nothing if it is no leaf any more.
    ///
    /// The numbers of the children guide the search and prove nothing.
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

    /// Puts children below a leaf as [`Self::expand`] does, and then below states that the search of it met. Such a
    /// state is passed over unless it is a leaf without a lock, and below the leaf or a state before it: as a child, or as
    /// a part of one. So a report changes nothing but what is below its own leaf.
    pub fn expand_deeply(
        &mut self,
        leaf: NodeId,
        children: Vec<(State<C::Value>, Numbers)>,
        below: Vec<StateBelow<C::Value>>,
    ) {
        self.expand(leaf, children);
        let Some(leaf) = self.slab.slot(leaf) else {
            return;
        };
        let mut met = HashSet::with_hasher(FxBuildHasher);
        self.meet_below(leaf, &mut met);
        for (mut state, children) in below {
            if self.convention.resolve(&mut state).is_some() || children.is_empty() {
                continue;
            }
            let node = self.slab.find(self.convention.key(&state));
            if let Some(node) = node.filter(|node| met.contains(node))
                && self.slab.standing(node).below == Below::Leaf
                && !self.slab.standing(node).locked
            {
                self.expand(self.slab.id(node), children);
                self.meet_below(node, &mut met);
            }
        }
    }

    /// Adds the children of a node, and their parts.
    fn meet_below(&self, node: Slot, met: &mut HashSet<Slot, FxBuildHasher>) {
        for &child in &*self.slab.node(node).children {
            met.insert(child);
            if self.slab.standing(child).below == Below::Parts {
                met.extend(self.slab.node(child).children.iter().copied());
            }
        }
    }

    /// As [`Self::expand`], with the children found here. Returns `false`, and does nothing, if `stop` became true
    /// or the node is not there any more.
    pub fn expand_here(&mut self, leaf: NodeId, stop: &dyn Fn() -> bool) -> bool {
        let Some(state) = self.state(leaf) else {
            return false;
        };
        match dfpn::children(&*self.convention, state, stop) {
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

    /// How often a search of the leaf found neither its outcome nor its children.
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
