//! A proof-number DAG without the type of its convention, as computations hold it.

use std::sync::Arc;

use sproutnet_game::{self as game, Position};
use sproutnet_solver::play::{Convention, Outcome, State};
use sproutnet_solver::search::{Dag, Frontier, NodeId, Numbers, OpenChildren};

/// What the search of a state found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Searched {
    /// The outcome of the state.
    Solved(Outcome),
    /// Where others can go on.
    Open(Frontier),
}

/// The most branches that are shown: people read no more, and each has to be written.
const MOST_SHOWN: usize = 24;

/// An open state right below the one to be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The canonical text of the lands that are not valued yet, with the game's name unless it is
    /// Sprouts.
    pub position: String,
    /// What the others are worth, if it is worth anything and can be written.
    pub value: Option<String>,
    /// Its numbers, for the player to move there.
    pub numbers: Numbers,
    /// Jobs for it that are out.
    pub jobs: usize,
}

/// What is right below the state to be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// What is open, the hardest first, as far as it is shown.
    pub open: Vec<Branch>,
    /// How many more are open.
    pub more: usize,
    /// How many are solved.
    pub solved: usize,
    /// Whether they are parts, of which each has to be solved, and not moves.
    pub are_parts: bool,
}

/// The proof of one state's outcome, in the making.
pub(super) trait Proof: Send {
    /// Locks the most proving leaf: the node, the canonical bytes of its state, and how often it was
    /// tried in vain. `None` when the proof is complete or nothing is left that is not locked.
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>, u32)>;

    /// The canonical bytes of the state of a leaf, if it is still there.
    fn state(&self, leaf: NodeId) -> Option<Vec<u8>>;

    /// Whether the proof may still depend on a leaf.
    fn is_wanted(&self, leaf: NodeId) -> bool;

    /// Unlocks a leaf about which nothing new was found.
    fn unlock(&mut self, leaf: NodeId);

    /// Unlocks a leaf with what a search found out. A leaf that is not to stay whole, and not solved,
    /// is expanded, and so are leaves below it. Children that cannot be read are ignored.
    fn report(&mut self, leaf: NodeId, searched: Searched, stays_whole: bool);

    /// The numbers of the state to be proved.
    fn numbers(&self) -> Numbers;

    /// How many nodes there are.
    fn len(&self) -> usize;

    /// The memory that the nodes take, in bytes.
    fn bytes(&self) -> usize;

    /// What is open right below the state to be proved; `out` are the leaves of jobs that are out.
    fn branches(&self, out: &[NodeId]) -> Branches;

    /// Drops nodes until about that many are left.
    fn trim(&mut self, most_nodes: usize);

    /// Portable bytes from which the proof can be taken up again.
    fn checkpoint(&self) -> Vec<u8>;
}

/// Starts the proof of a state's outcome, or takes it up again from a checkpoint of it.
pub(super) fn begin<C: Convention>(
    convention: &Arc<C>,
    state: State<C::Value>,
    checkpoint: Option<&[u8]>,
) -> Box<dyn Proof> {
    let convention = Arc::clone(convention);
    let restore = |bytes| Dag::restore(Arc::clone(&convention), state.clone(), bytes);
    let restored = checkpoint.and_then(|checkpoint| match restore(checkpoint) {
        Ok(dag) => {
            tracing::info!(nodes = dag.nodes(), "a proof is taken up again");
            Some(dag)
        }
        Err(error) => {
            tracing::warn!(%error, "the checkpoint of a proof is of no use; the proof starts over");
            None
        }
    });
    let dag = restored.unwrap_or_else(|| Dag::new(Arc::clone(&convention), state));
    Box::new(ProofOf { convention, dag })
}

struct ProofOf<C: Convention> {
    convention: Arc<C>,
    dag: Dag<C>,
}

impl<C: Convention> Proof for ProofOf<C> {
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>, u32)> {
        loop {
            let leaf = self.dag.lock()?;
            if let Some(bytes) = self.dag.state(leaf)?.encode(&*self.convention) {
                return Some((leaf, bytes, self.dag.tries(leaf)));
            }
            // Too large to travel; its children are smaller.
            self.dag.expand_here(leaf, &|| false);
        }
    }

    fn state(&self, leaf: NodeId) -> Option<Vec<u8>> {
        self.dag.state(leaf)?.encode(&*self.convention)
    }

    fn is_wanted(&self, leaf: NodeId) -> bool {
        self.dag.is_wanted(leaf)
    }

    fn unlock(&mut self, leaf: NodeId) {
        self.dag.unlock(leaf);
    }

    fn report(&mut self, leaf: NodeId, searched: Searched, stays_whole: bool) {
        match searched {
            Searched::Solved(outcome) => self.dag.solve(leaf, outcome),
            Searched::Open(Frontier { children, below }) if !stays_whole => {
                let convention = Arc::clone(&self.convention);
                let read = |bytes: &[u8]| State::decode(bytes, &*convention).ok();
                // A child missing could make a loss of a win, so it is all or none.
                let open = |children: OpenChildren| -> Option<Vec<_>> {
                    let children = children.iter();
                    children
                        .map(|(bytes, numbers)| Some((read(bytes)?, *numbers)))
                        .collect()
                };
                let below = below.into_iter();
                let below =
                    below.filter_map(|(state, children)| Some((read(&state)?, open(children)?)));
                let below = below.collect();
                let children = open(children).unwrap_or_default();
                self.dag.expand_deeply(leaf, children, below);
            }
            Searched::Open(frontier) if frontier.children.is_empty() => self.dag.unlock(leaf),
            Searched::Open(frontier) => {
                let numbers = frontier.children.iter().map(|(_, numbers)| *numbers);
                self.dag.appraise(leaf, Numbers::of_children(numbers));
            }
        }
    }

    fn numbers(&self) -> Numbers {
        self.dag.root()
    }

    fn len(&self) -> usize {
        self.dag.nodes()
    }

    fn bytes(&self) -> usize {
        self.dag.bytes()
    }

    fn branches(&self, out: &[NodeId]) -> Branches {
        let found = self.dag.branches(out.iter().copied());
        let lands = self.convention.lands();
        let game = lands.game().as_ref();
        let branch = |branch: &sproutnet_solver::search::Branch<C::Value>| {
            let of_state = branch.state.lands.iter();
            let position = Position::new(of_state.map(|&id| lands.land(id).clone()).collect());
            Branch {
                position: game::qualified(game, &game.print(&position)),
                value: self.convention.describe_value(branch.state.value),
                numbers: branch.numbers,
                jobs: branch.leaves,
            }
        };
        Branches {
            open: found.open.iter().take(MOST_SHOWN).map(branch).collect(),
            more: found.open.len().saturating_sub(MOST_SHOWN),
            solved: found.solved,
            are_parts: found.are_parts,
        }
    }

    fn trim(&mut self, most_nodes: usize) {
        self.dag.trim(most_nodes);
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.dag.checkpoint()
    }
}
