//! A proof-number DAG without the type of its convention, as computations hold it.

use std::sync::Arc;

use hashbrown::HashMap;
use sproutnet_common::play::{Convention, Outcome, State};
use sproutnet_common::search::{Dag, NodeId, Numbers};

/// The proof of one state's outcome, in the making.
pub(crate) trait Proof: Send {
    /// Locks the most proving leaf: the node and the canonical bytes of its state. `None` when
    /// the proof is complete or nothing is left that is not locked.
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>)>;

    /// Unlocks a leaf about which nothing new was found.
    fn unlock(&mut self, leaf: NodeId);

    /// Unlocks a leaf with what a search found out: its outcome, or else the numbers of children
    /// by the bytes of their states.
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
    fn lock(&mut self) -> Option<(NodeId, Vec<u8>)> {
        loop {
            let leaf = self.dag.lock()?;
            match self.dag.state(leaf).encode(&*self.convention) {
                Some(bytes) => return Some((leaf, bytes)),
                // Too large to travel; its children are smaller.
                None => self.dag.expand(leaf, &HashMap::new()),
            }
        }
    }

    fn unlock(&mut self, leaf: NodeId) {
        self.dag.unlock(leaf);
    }

    fn report(&mut self, leaf: NodeId, found: Result<Outcome, Vec<(Vec<u8>, Numbers)>>) {
        match found {
            Ok(outcome) => self.dag.solve(leaf, outcome),
            Err(children) => {
                let by_key = children.into_iter().filter_map(|(bytes, numbers)| {
                    // What cannot be read is estimated anew.
                    let state = State::decode(&bytes, &*self.convention).ok()?;
                    Some((self.convention.key(&state), numbers))
                });
                self.dag.expand(leaf, &by_key.collect());
            }
        }
    }

    fn numbers(&self) -> Numbers {
        self.dag.root()
    }
}
