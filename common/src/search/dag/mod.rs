//! The proof-number DAG of one root. Its leaves are jobs: states that someone else searches.
//!
//! While a leaf is out as a job it is locked. A locked child is left out of the minimum over
//! children and kept in the sum, so that the next job is found elsewhere; a node all of whose
//! children are locked is locked itself (Čížek, Balko and Schmid, arXiv 2511.10339).
//!
//! - [`node`], [`slab`]: what is kept of a node, and where.
//! - [`update`]: keeping numbers and locks true to what is below.
//! - [`trim`]: dropping what is cheapest to lose, to live in bounded memory.
//! - [`image`], [`restore`]: a DAG as portable bytes, to survive restarts.
//!
//! **Invariant:** a node is solved only by [`Convention::resolve`], by a report of its own search, or
//! by its children. A choice has all children that are not proved wins, or none at all.
//!
//! **Invariant:** no child has longer lands than its parent, and only a move in the value leaves
//! them as long. So there is no way around in a circle, whatever reports and images say.

mod image;
mod node;
mod restore;
mod slab;
mod trim;
mod update;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::image::ImageError;
pub use self::node::NodeId;
use self::node::{Below, Slot};
use self::slab::Slab;
use self::update::Queue;
use super::dfpn;
use super::numbers::Numbers;
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
    /// counted: it is kept, and taken by the next nodes before more is asked for.
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
        if let Some(leaf) = self.slab.slot(leaf) {
            self.set_unlocked(leaf);
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
        let open =
            |standing: &node::Standing| standing.below == Below::Leaf && !standing.is_solved();
        let Some(leaf) = self
            .slab
            .slot(leaf)
            .filter(|&leaf| open(self.slab.standing(leaf)))
        else {
            return;
        };
        let before = self.slab.standing(leaf).view();
        self.slab.standing_mut(leaf).locked = false;
        if !self.refresh(leaf) {
            let add = |(state, numbers)| self.add(state, Some(numbers));
            let children: Vec<Slot> = children.into_iter().map(add).collect();
            let fit = |&child: &Slot| self.can_be_below(child, leaf);
            if children.is_empty() || !children.iter().all(fit) {
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
            Some(Ok(outcome)) => self.solve(leaf, outcome),
            Some(Err(states)) => {
                let estimated = |state: State<C::Value>| {
                    let numbers = Numbers::of_leaf(self.convention.effort(&state));
                    (state, numbers)
                };
                let children = states.into_iter().map(estimated).collect();
                self.expand(leaf, children);
            }
        }
        true
    }

    /// How often a search of the leaf found neither its outcome nor its children. None if it is not
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

    /// The node of a state, made if there is none yet.
    fn add(&mut self, mut state: State<C::Value>, numbers: Option<Numbers>) -> Slot {
        let outcome = self.convention.resolve(&mut state);
        let key = self.convention.key(&state);
        if let Some(node) = self.slab.find(key) {
            return node;
        }
        let numbers = match (outcome, numbers) {
            (Some(outcome), _) => Numbers::solved(outcome),
            (None, Some(numbers)) => open(numbers),
            (None, None) => Numbers::of_leaf(self.convention.effort(&state)),
        };
        let rank = self.rank(&state);
        let node = self.slab.insert(state, key, numbers, rank);
        if outcome.is_none() {
            self.split(node);
        }
        node
    }

    fn rank(&self, state: &State<C::Value>) -> u32 {
        let lands = self.convention.lands();
        state.lands.iter().map(|&land| lands.length(land)).sum()
    }

    /// Takes in what became known about the node's own state. True if anything did.
    fn refresh(&mut self, node: Slot) -> bool {
        let mut state = self.slab.node(node).state.clone();
        if let Some(outcome) = self.convention.resolve(&mut state) {
            self.set_solved(node, outcome);
            return true;
        }
        let is_same = self.slab.standing(node).below == Below::Same;
        let is_unchanged = state == self.slab.node(node).state;
        if is_same || is_unchanged && !self.has_solved_part(node) {
            return false;
        }
        if self.convention.parts(&state).is_some() {
            self.slab.change(node, |node| node.state = state);
            self.split(node);
        } else {
            let same = self.add(state, None);
            self.put_below(node, Below::Same, vec![same]);
        }
        true
    }

    /// Whether the parts have to be made anew: one has ended, this way or that.
    fn has_solved_part(&self, node: Slot) -> bool {
        let children = &*self.slab.node(node).children;
        self.slab.standing(node).below == Below::Parts
            && children[..children.len() - 1]
                .iter()
                .any(|&part| self.slab.standing(part).is_solved())
    }

    /// Puts a node's parts below it, if it has any.
    fn split(&mut self, node: Slot) {
        if let Some(parts) = self.convention.parts(&self.slab.node(node).state) {
            let add = |part| self.add(part, None);
            let parts = parts.into_iter().map(add).collect();
            self.put_below(node, Below::Parts, parts);
        }
    }

    /// Puts children below a node that it did not have, and makes its numbers anew.
    fn put_below(&mut self, node: Slot, below: Below, mut children: Vec<Slot>) {
        match below {
            Below::Choice => children.retain(|&child| self.slab.adopt(node, child)),
            // A part may be there from before, or be there twice, and has to stay in its place.
            _ => {
                for &child in &children {
                    if !self.slab.node(child).parents.contains(&node) {
                        self.slab.adopt(node, child);
                    }
                }
            }
        }
        let children = children.into();
        self.slab.change(node, |node| node.children = children);
        self.slab.standing_mut(node).below = below;
        self.recount(node);
    }

    /// Whether the edge leaves the DAG without a circle.
    fn can_be_below(&self, child: Slot, node: Slot) -> bool {
        let rank = self.slab.standing(node).rank;
        if self.slab.standing(child).rank != rank {
            return self.slab.standing(child).rank < rank;
        }
        // A way around would lead through nodes of this rank alone.
        let mut above = vec![node];
        let mut at = 0;
        while let Some(&node) = above.get(at) {
            if node == child {
                return false;
            }
            for &parent in &self.slab.node(node).parents {
                if self.slab.standing(parent).rank == rank && !above.contains(&parent) {
                    above.push(parent);
                }
            }
            at += 1;
        }
        true
    }

    fn set_unlocked(&mut self, leaf: Slot) {
        let before = self.slab.standing(leaf).view();
        if self.slab.standing(leaf).below == Below::Leaf {
            self.slab.standing_mut(leaf).locked = false;
            self.update_above(leaf, before);
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

/// Numbers from outside, made those of a state that is not solved.
fn open(numbers: Numbers) -> Numbers {
    let finite = |number: u32| number.clamp(1, Numbers::INFINITE - 1);
    Numbers {
        proof: finite(numbers.proof),
        disproof: finite(numbers.disproof),
    }
}
