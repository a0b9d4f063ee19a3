//! A Sproutnet worker: leases jobs from the coordinator, searches them on several threads that share
//! all facts, and reports the results.
//!
//! A [`Worker`] runs tasks that share one *session*, the life of one search context:
//! - `slot`: one per concurrent job; leases, searches, reports.
//! - `feed`: imports the coordinator's records.
//! - `outbox`: stores and sends new records, at the intervals of `pace`. `delivery_queue` holds those that the
//!   coordinator lacks, and `own_store` keeps them on disk. `marks` tells when the coordinator lost some.
//! - `heartbeat`: renews leases and cancels unwanted searches. `fleet_worth` holds the least worth that it learns.
//!
//! They share the `search_context` (facts and transpositions), the running `searches`, and the `link`
//! to the coordinator, which retries the calls of the [`client`]. [`job`] is the search of one job; it
//! makes no calls.
//!
//! All waiting uses tokio's clock, and only searches and the store block. A whole worker therefore
//! runs in a simulation on one thread too.

pub mod client;
mod config;
mod delivery_queue;
#[cfg(test)]
mod delivery_queue_tests;
mod feed;
mod fleet_worth;
mod heartbeat;
pub mod job;
mod link;
mod marks;
mod message;
mod outbox;
mod own_archive;
mod own_store;
mod pace;
mod search_context;
mod searches;
mod session;
mod slot;
mod teamwork;
mod worker;

pub use config::Config;
pub use own_store::FolderError;
pub use worker::{Worker, WorkerError};

use sproutnet_transport::backoff;
