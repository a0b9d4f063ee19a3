//! The coordinator of a Sproutnet cluster.
//!
//! It keeps the [`computations`](scheduler::computation), splits each into jobs, leases these to
//! workers, takes in what they report, makes it durable, and answers clients.
//!
//! - [`Coordinator`]: all of that, as plain blocking calls.
//! - [`scheduler`]: computations, proofs, jobs and leases; a state machine without input, output or clock.
//! - [`Health`]: whether the coordinator can do its work.
//! - `audit`: the choice of workers' records that are audited.
//! - `audit_log`: who changed what.
//! - `ledger`: the content of the store, and how it is written.
//! - `locks`: the order in which locks are taken.
//! - `record_budget`: the least worth of the facts that workers send.
//! - `rules`: the rules that a store is used with.
//! - [`rpc`]: the gRPC services. Only there are wire types known.
//!
//! API boundary: nothing here knows HTML or HTTP; pages, JSON and metrics are in `sproutnet-web`.

mod audit;
mod audit_log;
mod coordinator;
mod error;
mod following;
mod health;
mod ledger;
mod locks;
mod record_budget;
pub mod rpc;
mod rules;
pub mod scheduler;

pub use audit::AuditCounts;
pub use audit::share::{AuditShare, AuditShareError};
pub use coordinator::{
    Audits, Certificates, Computations, Config, Coordinator, Detail, Distribution, Fault, Finding,
    Imports, Introduction, Jobs, Lookup, Matches, Queries, RecordSources, Report, ReportContent,
    SharedMatch, ShortLinks, Start, Started, State, Timings, Verified, WorkerState, check_names,
};
pub use error::CoordinatorError;
pub use following::until_ended;
pub use health::Health;
pub use rules::with_rules;
pub use sproutnet_certificate::Progress as CheckProgress;
pub use sproutnet_solver::play::LeastWorth;

fn seconds_since_1970() -> u64 {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since_1970.unwrap_or_default().as_secs()
}
