//! A worker of a Sproutnet cluster: leases jobs from the coordinator, searches them with
//! several threads that share all they learn, and reports what came of them.
//!
//! A [`Worker`] runs in tasks that share one *stint*, the life of all that is known in memory:
//! - `slot`: one for each job that is searched at a time; leases, searches, reports.
//! - `feed`: takes in what others proved.
//! - `outbox`: stores what is proved here and sends it; `owed` is what it keeps account of, `folder`
//!   where the store is.
//! - `heartbeat`: renews all leases and stops searches that are not wanted any more.
//!
//! They share the `mind` (facts and transpositions), the `searches` under way, and the `link` to the
//! coordinator, which makes calls of the [`client`] until they are through. [`job`] is the search of
//! one job; it runs on a thread of its own with a large stack, and makes no calls.
//!
//! Time is that of tokio, and nothing but searches and the store blocks, so that a whole worker runs
//! in a simulation on one thread too.

mod backoff;
pub mod client;
mod feed;
mod folder;
mod heartbeat;
pub mod job;
mod link;
mod mind;
mod outbox;
mod owed;
#[cfg(test)]
mod owed_tests;
mod searches;
mod slot;
mod stint;
mod worker;

pub use backoff::Backoff;
pub use folder::FolderError;
pub use worker::{Config, Worker, WorkerError};
