//! The open children of the root.

use super::Dag;
use super::node::{Below, NodeId, Slot};
use crate::play::{Convention, State};
use crate::search::Numbers;

/// The most steps up from a leaf. No play has as many moves.
const MOST_STEPS: usize = 10_000;

/// A child of the root that is not solved yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch<V> {
    /// Its state.
    pub state: State<V>,
    /// Its numbers, for the player to move there.
    pub numbers: Numbers,
    /// How many of the given leaves are below it.
    pub leaves: usize,
}

/// What is below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches<V> {
    /// The open children, the hardest first: those whose lesser number is greatest.
    pub open: Vec<Branch<V>>,
    /// How many are solved.
    pub solved: usize,
    /// Whether they are parts, of which each has to be solved, and not moves.
    pub are_parts: bool,
}

impl<C: Convention> Dag<C> {
    /// The children of the root, or of the state that it has become. Each of `leaves` is counted once, for the
    /// branch through which it was found first.
    pub fn branches(&self, leaves: impl IntoIterator<Item = NodeId>) -> Branches<C::Value> {
        let mut root = Slot::ROOT;
        while self.slab.standing(root).below == Below::Same {
            root = self.slab.node(root).children[0];
        }
        let children = &*self.slab.node(root).children;
        let are_parts = self.slab.standing(root).below == Below::Parts;
        // The last of the parts is what is left when the others are solved.
        let children = &children[..children.len() - usize::from(are_parts)];
        let is_open = |child: &&Slot| !self.slab.standing(**child).is_solved();
        let found: Vec<Slot> = leaves
            .into_iter()
            .filter_map(|leaf| self.branch_of(self.slab.slot(leaf)?, children))
            .collect();
        let mut open: Vec<Branch<C::Value>> = children
            .iter()
            .filter(is_open)
            .map(|&child| Branch {
                state: self.slab.node(child).state.clone(),
                numbers: self.slab.standing(child).numbers,
                leaves: found.iter().filter(|&&branch| branch == child).count(),
            })
            .collect();
        let solved = children.len() - open.len();
        open.sort_by_key(|branch| {
            let Numbers { proof, disproof } = branch.numbers;
            std::cmp::Reverse((proof.min(disproof), proof.max(disproof)))
        });
        Branches {
            open,
            solved,
            are_parts,
        }
    }

    /// The first of `branches` on the way up from a node, by its first parents.
    fn branch_of(&self, mut node: Slot, branches: &[Slot]) -> Option<Slot> {
        for _ in 0..MOST_STEPS {
            if branches.contains(&node) {
                return Some(node);
            }
            let parents = &self.slab.node(node).parents;
            let is_open = |parent: &&Slot| !self.slab.standing(**parent).is_solved();
            node = *parents.iter().find(is_open)?;
        }
        None
    }
}
