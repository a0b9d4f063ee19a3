//! The proof-number DAG of one root. Its leaves are jobs: states that someone else searches.
//!
//! While a leaf is out as a job it is locked. A locked child is left out of the minimum over
//! children and kept in the sum, so that the next job is found elsewhere; a node all of whose
//! children are locked is locked itself (Čížek, Balko and Schmid, arXiv 2511.10339).

use std::sync::Arc;

use hashbrown::HashMap;

use super::dfpn::{self, sum_of_parts};
use super::numbers::Numbers;
use crate::play::{Convention, Outcome, State};

/// A node of one [`Dag`]; by default the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

const ROOT: NodeId = NodeId(0);

/// Everything between a root and its jobs. Transpositions are one node.
pub struct Dag<C: Convention> {
    convention: Arc<C>,
    nodes: Vec<Node<C::Value>>,
    by_key: HashMap<u128, NodeId>,
}

struct Node<V> {
    state: State<V>,
    numbers: Numbers,
    locked: bool,
    tries: u32,
    below: Below,
    parents: Vec<NodeId>,
}

/// What is known below a node.
#[derive(Clone)]
enum Below {
    /// Nothing; the node can be a job.
    Leaf,
    /// One of these moves is to be chosen.
    Choice(Vec<NodeId>),
    /// All of these but the last are to be solved first.
    Parts(Vec<NodeId>),
    /// The state that the node's own has become, with lands folded into its value.
    Same(NodeId),
}

impl<C: Convention> Dag<C> {
    /// A DAG of the root alone.
    pub fn new(convention: Arc<C>, root: State<C::Value>) -> Self {
        let mut dag = Self {
            convention,
            nodes: Vec::new(),
            by_key: HashMap::new(),
        };
        dag.add(root, None);
        dag
    }

    /// The root's numbers.
    pub fn root(&self) -> Numbers {
        self.get(ROOT).numbers
    }

    /// The state of a node.
    pub fn state(&self, node: NodeId) -> &State<C::Value> {
        &self.get(node).state
    }

    /// Locks the most proving leaf that is not locked yet. `None` when the root is solved or all
    /// that matters is locked.
    pub fn lock(&mut self) -> Option<NodeId> {
        'descent: loop {
            let mut node = ROOT;
            loop {
                if self.get(node).locked || self.get(node).numbers.outcome().is_some() {
                    return None;
                }
                // Something may have been proved elsewhere since the numbers were made.
                if self.refresh(node) {
                    self.update_above(node);
                    continue 'descent;
                }
                match self.next(node) {
                    Some(child) => node = child,
                    None => break,
                }
            }
            self.get_mut(node).locked = true;
            self.update_above(node);
            return Some(node);
        }
    }

    /// Unlocks a leaf about which nothing new was found.
    pub fn unlock(&mut self, leaf: NodeId) {
        self.get_mut(leaf).locked = false;
        self.update_above(leaf);
    }

    /// Unlocks a leaf that turned out to be solved.
    pub fn solve(&mut self, leaf: NodeId, outcome: Outcome) {
        self.set_solved(leaf, outcome);
        self.update_above(leaf);
    }

    /// Unlocks a leaf that was not solved, and puts the children that a search of it found below
    /// it: all that are not proved to be wins. If there are none, the leaf is left as it is, to be
    /// tried again for longer.
    pub fn expand(&mut self, leaf: NodeId, children: Vec<(State<C::Value>, Numbers)>) {
        self.get_mut(leaf).locked = false;
        self.get_mut(leaf).tries += 1;
        let is_open = self.get(leaf).numbers.outcome().is_none();
        if is_open
            && !children.is_empty()
            && !self.refresh(leaf)
            && matches!(self.get(leaf).below, Below::Leaf)
        {
            let add = |(state, numbers)| self.add(state, Some(numbers));
            let children: Vec<NodeId> = children.into_iter().map(add).collect();
            self.adopt(leaf, &children);
            self.get_mut(leaf).below = Below::Choice(children);
            self.recompute(leaf);
        }
        self.update_above(leaf);
    }

    /// The same with the children found here. `false`, and nothing done, if `stop` became true
    /// meanwhile.
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

    /// How often a search of the leaf found neither its outcome nor its children.
    pub fn tries(&self, leaf: NodeId) -> u32 {
        self.get(leaf).tries
    }

    /// The child that a descent goes on to. `None` at a leaf.
    fn next(&self, node: NodeId) -> Option<NodeId> {
        let free = |child: &&NodeId| {
            let child = self.get(**child);
            !child.locked && child.numbers.outcome().is_none()
        };
        match &self.get(node).below {
            Below::Leaf => None,
            Below::Choice(children) => {
                let free = children.iter().filter(free);
                free.min_by_key(|&&child| self.get(child).numbers.disproof)
                    .copied()
            }
            Below::Parts(parts) => parts[..parts.len() - 1].iter().find(free).copied(),
            Below::Same(node) => Some(*node),
        }
    }

    /// The node of a state, made if there is none yet.
    fn add(&mut self, mut state: State<C::Value>, numbers: Option<Numbers>) -> NodeId {
        let outcome = self.convention.resolve(&mut state);
        let key = self.convention.key(&state);
        if let Some(&node) = self.by_key.get(&key) {
            return node;
        }
        let estimate = || Numbers::of_leaf(self.convention.effort(&state));
        let known = outcome.map(Numbers::solved).or(numbers);
        let node = NodeId(u32::try_from(self.nodes.len()).expect("a DAG this large has no memory"));
        self.nodes.push(Node {
            numbers: known.unwrap_or_else(estimate),
            state,
            locked: false,
            tries: 0,
            below: Below::Leaf,
            parents: Vec::new(),
        });
        self.by_key.insert(key, node);
        if outcome.is_none() {
            self.split(node);
        }
        node
    }

    /// Takes in what became known about the node's own state. True if anything did.
    fn refresh(&mut self, node: NodeId) -> bool {
        let mut state = self.state(node).clone();
        if let Some(outcome) = self.convention.resolve(&mut state) {
            self.set_solved(node, outcome);
            return true;
        }
        let is_same = matches!(self.get(node).below, Below::Same(_));
        if is_same || state == *self.state(node) && !self.has_solved_part(node) {
            return false;
        }
        if self.convention.parts(&state).is_some() {
            self.get_mut(node).state = state;
            self.split(node);
        } else {
            let same = self.add(state, None);
            self.adopt(node, &[same]);
            self.get_mut(node).below = Below::Same(same);
            self.recompute(node);
        }
        true
    }

    /// Whether the parts have to be made anew: one has ended, this way or that.
    fn has_solved_part(&self, node: NodeId) -> bool {
        let solved = |&part: &NodeId| self.get(part).numbers.outcome().is_some();
        match &self.get(node).below {
            Below::Parts(parts) => parts[..parts.len() - 1].iter().any(solved),
            _ => false,
        }
    }

    /// Puts a node's parts below it, if it has any.
    fn split(&mut self, node: NodeId) {
        if let Some(parts) = self.convention.parts(self.state(node)) {
            let add = |part| self.add(part, None);
            let parts: Vec<NodeId> = parts.into_iter().map(add).collect();
            self.adopt(node, &parts);
            self.get_mut(node).below = Below::Parts(parts);
            self.recompute(node);
        }
    }

    fn adopt(&mut self, parent: NodeId, children: &[NodeId]) {
        for &child in children {
            let parents = &mut self.get_mut(child).parents;
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
    }

    /// Makes a node's numbers and lock anew from what is below it. True if they changed.
    fn recompute(&mut self, node: NodeId) -> bool {
        let before = (self.get(node).numbers, self.get(node).locked);
        if before.0.outcome().is_some() {
            return false;
        }
        match self.get(node).below.clone() {
            Below::Leaf => return false,
            Below::Same(same) => {
                let Node {
                    numbers, locked, ..
                } = *self.get(same);
                match numbers.outcome() {
                    Some(outcome) => self.set_solved(node, outcome),
                    None => {
                        let node = self.get_mut(node);
                        node.numbers = numbers;
                        node.locked = locked;
                    }
                }
            }
            Below::Choice(children) => {
                let open = || {
                    let children = children.iter().map(|&child| self.get(child));
                    children.filter(|child| child.numbers.outcome() != Some(Outcome::Win))
                };
                if open().any(|child| child.numbers.outcome().is_some()) {
                    self.set_solved(node, Outcome::Win);
                } else if open().next().is_none() {
                    self.set_solved(node, Outcome::Loss);
                } else {
                    let locked = open().all(|child| child.locked);
                    let proof = open().filter(|child| locked || !child.locked);
                    let proof = proof.map(|child| child.numbers.disproof).min();
                    let disproof = open().map(|child| child.numbers.proof);
                    let numbers = Numbers {
                        proof: proof.unwrap_or(Numbers::INFINITE),
                        disproof: disproof.fold(0, Numbers::add),
                    };
                    let node = self.get_mut(node);
                    node.numbers = numbers;
                    node.locked = locked;
                }
            }
            Below::Parts(mut parts) => {
                if self.has_solved_part(node) {
                    return self.refresh(node);
                }
                let before_last = &parts[..parts.len() - 1];
                let locked = before_last.iter().all(|&part| self.get(part).locked);
                let numbers = sum_of_parts(&mut parts, |part| self.get(*part).numbers);
                let node = self.get_mut(node);
                node.numbers = numbers;
                node.locked = locked;
            }
        }
        before != (self.get(node).numbers, self.get(node).locked)
    }

    /// Brings everything above a node that changed up to date.
    fn update_above(&mut self, node: NodeId) {
        let mut waiting = self.get(node).parents.clone();
        while let Some(node) = waiting.pop() {
            if self.recompute(node) {
                waiting.extend_from_slice(&self.get(node).parents);
            }
        }
    }

    fn set_solved(&mut self, node: NodeId, outcome: Outcome) {
        self.convention
            .settle(&self.nodes[node.0 as usize].state, outcome);
        let node = self.get_mut(node);
        node.numbers = Numbers::solved(outcome);
        node.locked = false;
        node.below = Below::Leaf;
    }

    fn get(&self, node: NodeId) -> &Node<C::Value> {
        &self.nodes[node.0 as usize]
    }

    fn get_mut(&mut self, node: NodeId) -> &mut Node<C::Value> {
        &mut self.nodes[node.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Lands, Sprouts};
    use crate::play::{Misere, Normal};
    use crate::search::{Control, Search, Table};

    /// Solves a position with jobs of a few visits, several out at a time, ended in random order.
    fn outcome_by_jobs<C: Convention>(text: &str, seed: u64) -> Outcome {
        let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
        let convention = Arc::new(C::new(lands));
        let position = Sprouts.parse(text).expect("a position");
        let mut dag = Dag::new(Arc::clone(&convention), convention.state(&position));
        let table = Table::new(1 << 20).expect("memory");
        let mut random = seed;
        let mut out = Vec::new();
        loop {
            if let Some(outcome) = dag.root().outcome() {
                return outcome;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            if out.len() < 4
                && let Some(leaf) = dag.lock()
            {
                out.push(leaf);
                continue;
            }
            assert!(!out.is_empty(), "unsolved, yet nothing to do");
            let leaf = out.swap_remove((random >> 33) as usize % out.len());
            let control = Control::with_visits(20);
            let numbers = Search::new(&*convention, &table, &control).run(dag.state(leaf));
            match numbers.outcome() {
                Some(outcome) => dag.solve(leaf, outcome),
                None if random >> 60 == 0 => dag.unlock(leaf),
                None => assert!(dag.expand_here(leaf, &|| false)),
            }
        }
    }

    #[test]
    fn small_jobs_in_any_order_end_in_the_right_outcome() {
        use Outcome::{Loss, Win};
        let normal = [Loss, Loss, Win, Win, Win, Loss, Loss];
        let misere = [Win, Loss, Loss, Loss, Win, Win, Loss];
        for seed in 1..=3 {
            for spots in 1..=7 {
                let text = Sprouts.start_text(spots);
                let i = spots as usize - 1;
                assert_eq!(
                    outcome_by_jobs::<Normal>(&text, seed),
                    normal[i],
                    "normal {text}"
                );
                assert_eq!(
                    outcome_by_jobs::<Misere>(&text, seed),
                    misere[i],
                    "misere {text}"
                );
            }
        }
    }

    #[test]
    fn sums_are_solved_part_by_part() {
        // Nimbers 1, 1 and 0: a loss. No two of the lands are equal.
        let sum = "0*4+0*5+0*6";
        assert_eq!(outcome_by_jobs::<Normal>(sum, 1), Outcome::Loss);
        assert_eq!(outcome_by_jobs::<Normal>("0*4+0*6", 1), Outcome::Win);
    }
}
