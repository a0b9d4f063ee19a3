//! A worker of a Sproutnet cluster: leases jobs from the coordinator, searches them with
//! several threads that share all they learn, and reports what came of them.
//!
//! - [`Worker`]: the threads and their life.
//! - [`client`]: the calls to the coordinator. Only there are wire types known.
//! - [`job`]: the search of one job.

pub mod client;
pub mod job;
mod memory;
mod worker;

pub use memory::{Memory, MemoryError};
pub use worker::{Config, Worker, WorkerError};
