//! Tests of the DAG, one file for each concern.

mod branches;
mod checkpoints;
mod edges;
mod interleavings;
mod invariants;
mod jobs;
mod trimming;
mod unencodable;

use std::sync::Arc;

use super::*;
use crate::play::{Misere, Normal};
use crate::search::{Control, Search, Table};
use sproutnet_game::{Game, Lands, Sprouts};

/// A convention that knows nothing yet, and the state of a position.
fn start<C: Convention>(text: &str) -> (Arc<C>, State<C::Value>) {
    let convention = Arc::new(C::new(Arc::new(Lands::new(Arc::new(Sprouts)))));
    let position = Sprouts.parse(text).expect("a position");
    let root = convention.state(&position);
    (convention, root)
}

/// The DAG of a position after so many leaves were expanded or solved.
fn grown<C: Convention>(text: &str, leaves: usize) -> Dag<C> {
    let (convention, root) = start(text);
    let mut dag = Dag::new(convention, root);
    grow(&mut dag, leaves);
    dag
}

fn grow<C: Convention>(dag: &mut Dag<C>, leaves: usize) {
    for _ in 0..leaves {
        let Some(leaf) = dag.lock() else { break };
        assert!(dag.expand_here(leaf, &|| false));
    }
}

/// The outcome as one search finds it.
fn outcome_by_search<C: Convention>(text: &str) -> Outcome {
    let (convention, root) = start::<C>(text);
    let table = Table::new(1 << 20).expect("memory");
    let control = Control::default();
    let numbers = Search::new(&*convention, &table, &control).run(&root);
    numbers.outcome().expect("nothing stops the search")
}

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
