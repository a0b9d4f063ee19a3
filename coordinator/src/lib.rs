//! The coordinator of a Sproutnet cluster.
//!
//! It keeps the [`computations`](scheduler::computation), splits each into jobs, leases these to
//! workers, takes in what they report, makes it durable, and answers clients.
//!
//! - [`Coordinator`]: all of that, as plain blocking calls.
//! - [`scheduler`]: which leaf of which proof is out to whom; a state machine without input, output
//!   or clock.
//! - [`Health`]: whether it can do its work.
//! - `audit`: which of the records that workers report are audited.
//! - `ledger`: what is kept, and how it gets to disk.
//! - `locks`: the order in which locks are taken.
//! - `record_budget`: which facts workers are to withhold.
//! - [`rpc`]: the gRPC services. Only there are wire types known.
//!
//! API boundary: nothing here knows HTML or HTTP; pages, JSON and metrics are in `sproutnet-web`.

mod audit;
mod coordinator;
mod error;
mod feed_counts;
mod following;
mod health;
mod ledger;
mod locks;
mod record_budget;
pub mod rpc;
pub mod scheduler;

pub use audit::AuditCounts;
pub use audit::share::{AuditShare, AuditShareError};
pub use coordinator::{
    Audits, Certificates, Computations, Config, Coordinator, Detail, Distribution, Fault, Finding,
    Jobs, Lookup, Matches, Queries, RecordSources, Report, ReportContent, SharedMatch, Start,
    State, Timings, Verified, WorkerState,
};
pub use error::CoordinatorError;
pub use feed_counts::FeedCounts;
pub use following::until_ended;
pub use health::Health;
pub use sproutnet_solver::play::LeastWorth;

fn seconds_since_1970() -> u64 {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since_1970.unwrap_or_default().as_secs()
}
