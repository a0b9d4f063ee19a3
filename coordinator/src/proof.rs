//! A proof-number DAG without the type of its convention, as computations hold it.

use std::sync::Arc;

use sproutnet_common::play::{Convention, Outcome, State, StateError};
use sproutnet_common::search::{Dag, NodeId, Numbers};

/// The proof of one state's outcome, in the making.
pub(crate) trait Proof: Send {
    /// Locks the most proving leaf: the node, the canonical bytes of its state, and how often it was
    /// tried in vain. `None` when the proof is complete or nothing is left that is not locked.
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>, u32)>;

    /// Unlocks a leaf about which nothing new was found.
    fn unlock(&mut self, leaf: NodeId);

    /// Unlocks a leaf with what a search found out: its outcome, or else the bytes of the states of
    /// its children and their numbers, all but those proved to be wins. No children: none were told.
    fn report(&mut self, leaf: NodeId, found: Result<Outcome, Vec<(Vec<u8>, Numbers)>>);

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

    fn report(&mut self, leaf: NodeId, found: Result<Outcome, Vec<(Vec<u8>, Numbers)>>) {
        match found {
            Ok(outcome) => self.dag.solve(leaf, outcome),
            Err(children) => {
                let read = |(bytes, numbers): (Vec<u8>, Numbers)| {
                    Ok((State::decode(&bytes, &*self.convention)?, numbers))
                };
                // A child missing could make a loss of a win, so it is all or none.
                let children: Result<_, StateError> = children.into_iter().map(read).collect();
                let children = children.unwrap_or_else(|error| {
                    tracing::warn!(%error, "a child in a report cannot be read");
                    Vec::new()
                });
                self.dag.expand(leaf, children);
            }
        }
    }

    fn numbers(&self) -> Numbers {
        self.dag.root()
    }
}
