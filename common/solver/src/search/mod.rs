//! Proof-number search over the states of any [`Convention`](crate::play::Convention).
//!
//! - [`table`]: the transposition table, bounded in bytes.
//! - [`steering`]: what guides a search and can be switched off.
//! - [`control`]: when a search has to stop.
//! - [`dfpn`]: depth-first proof-number search, by one thread.
//! - [`frontier`]: what a search that was stopped leaves for others.
//! - [`threads`]: a search by one thread or several, which spread out by [`virtual_loss`].
//! - [`dag`]: the proof-number DAG whose leaves are the jobs of a coordinator.
//! - [`audit`]: records proved again.

mod audit;
mod control;
mod dag;
mod dfpn;
mod frontier;
mod steering;
mod table;
mod threads;
mod virtual_loss;

pub use sproutnet_notation::Numbers;

pub use audit::{Auditor, Size, Verdict};
pub use control::Control;
pub use dag::{Branch, Branches, CheckpointError, Dag, NodeId, StateBelow};
pub use dfpn::{Children, children, numbers_of};
pub use frontier::{Frontier, OpenChildren};
pub use table::Table;
pub use threads::{Means, Search};
pub use virtual_loss::Team;
