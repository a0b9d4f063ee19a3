//! The coordinator of a Sproutnet cluster.
//!
//! It keeps the [`computations`](computation), splits each into jobs, leases these to workers,
//! takes in what they report, makes it durable, and answers clients.
//!
//! - [`Coordinator`]: all of that, as plain blocking calls.
//! - [`computation`]: one position on its way to an outcome.
//! - [`leases`]: which job is out to whom; a state machine with the clock handed in.
//! - [`rpc`]: the gRPC services. Only there are wire types known.

pub mod computation;
mod coordinator;
pub mod leases;
mod ledger;
mod proof;
pub mod rpc;

pub use coordinator::{Coordinator, CoordinatorError, Grant, Report};
pub use proof::Found;
