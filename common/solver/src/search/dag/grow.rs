//! Making nodes of states, and putting them below others.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::Dag;
use super::node::{Below, Slot};
use crate::play::{Convention, State};
use crate::search::{Numbers, steering};

impl<C: Convention> Dag<C> {
    /// The node of a state, made if there is none yet.
    pub(super) fn add(&mut self, mut state: State<C::Value>, numbers: Option<Numbers>) -> Slot {
        let outcome = self.convention.resolve(&mut state);
        let key = self.convention.key(&state);
        if let Some(node) = self.slab.find(key) {
            return node;
        }
        let numbers = match (outcome, numbers) {
            (Some(outcome), _) => Numbers::solved(outcome),
            (None, Some(numbers)) => open(numbers),
            (None, None) => steering::leaf(&*self.convention, &state),
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
        state.lands.iter().map(|&land| lands.max_moves(land)).sum()
    }

    /// Applies what became known about the node's own state. True if anything did.
    pub(super) fn refresh(&mut self, node: Slot) -> bool {
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

    /// Whether the parts have to be found again: one of them is solved.
    pub(super) fn has_solved_part(&self, node: Slot) -> bool {
        let children = &*self.slab.node(node).children;
        self.slab.standing(node).below == Below::Parts
            && children[..children.len() - 1]
                .iter()
                .any(|&part| self.slab.standing(part).is_solved())
    }

    /// Puts a node's parts below it, if it has any.
    pub(super) fn split(&mut self, node: Slot) {
        if let Some(parts) = self.convention.parts(&self.slab.node(node).state) {
            let add = |part| self.add(part, None);
            let parts = parts.into_iter().map(add).collect();
            self.put_below(node, Below::Parts, parts);
        }
    }

    /// Puts children below a node that it did not have, and computes its numbers again.
    pub(super) fn put_below(&mut self, node: Slot, below: Below, mut children: Vec<Slot>) {
        match below {
            Below::Choice => children.retain(|&child| self.slab.adopt(node, child)),
            // A part may be a child already, or occur twice, and has to stay in its place.
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

    /// Whether these can be children of a node: none has a higher rank, and none is above it.
    pub(super) fn fit_below(&self, children: &[Slot], node: Slot) -> bool {
        let rank = self.slab.standing(node).rank;
        let is_longer = |&child: &Slot| self.slab.standing(child).rank > rank;
        if children.iter().any(is_longer) {
            return false;
        }
        // A circle would lead through nodes of this rank alone.
        let is_suspect = |&child: &Slot| {
            let standing = self.slab.standing(child);
            child == node || standing.rank == rank && standing.below != Below::Leaf
        };
        if !children.iter().any(is_suspect) {
            return true;
        }
        let mut above = HashSet::with_hasher(FxBuildHasher);
        above.insert(node);
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            for &parent in &self.slab.node(node).parents {
                if self.slab.standing(parent).rank == rank && above.insert(parent) {
                    waiting.push(parent);
                }
            }
        }
        !children.iter().any(|child| above.contains(child))
    }
}

/// Reported numbers, as those of an open state.
fn open(numbers: Numbers) -> Numbers {
    let finite = |number: u32| number.clamp(1, Numbers::INFINITE - 1);
    Numbers {
        proof: finite(numbers.proof),
        disproof: finite(numbers.disproof),
    }
}
