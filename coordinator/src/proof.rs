//! A proof-number DAG without the type of its convention, as computations hold it.

use std::sync::Arc;

use sproutnet_common::play::{Convention, Outcome, State};
use sproutnet_common::search::{Dag, NodeId, Numbers};

/// What a search of a state found out: its outcome, or else the bytes of the states of its children
/// and their numbers, all but those proved to be wins. No children: none were told.
pub type Found = Result<Outcome, Vec<(Vec<u8>, Numbers)>>;

/// The proof of one state's outcome, in the making.
pub(crate) trait Proof: Send {
    /// Locks the most proving leaf: the node, the canonical bytes of its state, and how often it was
    /// tried in vain. `None` when the proof is complete or nothing is left that is not locked.
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>, u32)>;

    /// Unlocks a leaf about which nothing new was found.
    fn unlock(&mut self, leaf: NodeId);

    /// Unlocks a leaf with what a search found out. Children that cannot be read count as not told.
    fn report(&mut self, leaf: NodeId, found: Found);

    /// The numbers of the state to be proved.
    fn numbers(&self) -> Numbers;
}

/// Starts the proof of a state's outcome.
pub(crate) fn begin<C: Convention>(convention: Arc<C>, state: State<C::Value>) -> Box<dyn Proof> {
    Box::new(ProofOf {
        dag: Dag::new(Arc::clone(&convention), state),
        convention,
    })
}

struct ProofOf<C: Convention> {
    convention: Arc<C>,
    dag: Dag<C>,
}

impl<C: Convention> Proof for ProofOf<C> {
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>, u32)> {
        loop {
            let leaf = self.dag.lock()?;
            if let Some(bytes) = self.dag.state(leaf).encode(&*self.convention) {
                return Some((leaf, bytes, self.dag.tries(leaf)));
            }
            // Too large to travel; its children are smaller.
            self.dag.expand_here(leaf, &|| false);
        }
    }

    fn unlock(&mut self, leaf: NodeId) {
        self.dag.unlock(leaf);
    }

    fn report(&mut self, leaf: NodeId, found: Found) {
        let children = match found {
            Ok(outcome) => return self.dag.solve(leaf, outcome),
            Err(children) => children,
        };
        let read = |(bytes, numbers): (Vec<u8>, Numbers)| {
            Some((State::decode(&bytes, &*self.convention).ok()?, numbers))
        };
        // A child missing could make a loss of a win, so it is all or none.
        let children: Option<Vec<_>> = children.into_iter().map(read).collect();
        self.dag.expand(leaf, children.unwrap_or_default());
    }

    fn numbers(&self) -> Numbers {
        self.dag.root()
    }
}
