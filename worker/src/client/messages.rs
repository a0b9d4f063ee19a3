//! The arguments and results of calls, without wire types.

use std::time::Duration;

use sproutnet_notation::{Epoch, LeaseId, WorkerId};
use sproutnet_solver::play::{Contradiction, LeastWorth};
use sproutnet_solver::search::News;
use sproutnet_store::History;
use tonic::{Code, Status};

use crate::job::{Finding, Job};

/// Why a call failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The coordinator does not accept this worker. A retry cannot help.
    #[error("{0}")]
    Refused(String),
    /// The coordinator does not know this worker. The worker must register.
    #[error("the coordinator does not know this worker")]
    Unknown,
    /// The coordinator does not accept the content of the call. A retry cannot help.
    #[error("{0}")]
    Rejected(String),
    /// The coordinator is overloaded.
    #[error("the coordinator is busy: {0}")]
    Busy(String),
    /// The coordinator cannot be reached or cannot answer.
    #[error("{0}")]
    Unreachable(String),
}

impl From<Status> for CallError {
    fn from(status: Status) -> Self {
        // The message of an error of the transport names its causes.
        let text = status.message().to_owned();
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => Self::Refused(text),
            Code::NotFound => Self::Unknown,
            Code::InvalidArgument | Code::OutOfRange | Code::FailedPrecondition => {
                Self::Rejected(text)
            }
            Code::ResourceExhausted => Self::Busy(text),
            Code::Unavailable => Self::Unreachable(text),
            code => Self::Unreachable(format!("{text} ({code:?})")),
        }
    }
}

/// A worker's description of itself.
#[derive(Clone, Debug)]
pub struct Introduction {
    /// The number of search threads.
    pub cores: usize,
    /// The number of concurrent jobs.
    pub slots: usize,
    /// A display name.
    pub name: String,
    /// A random number that survives restarts.
    pub identity: u64,
}

/// A coordinator's store in one of its epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreEpoch {
    /// The id of the store.
    pub store: u64,
    /// The epoch. Facts from an earlier epoch may rest on revoked records.
    pub epoch: Epoch,
    /// The number of rollbacks of stores that this process noticed. Facts from before one are not all in the store.
    pub rollbacks: u32,
}

/// The answer to a registration.
#[derive(Clone, Debug)]
pub struct Registered {
    /// The worker's id.
    pub worker: WorkerId,
    /// The id of the coordinator's store.
    pub store: u64,
    /// Its epoch.
    pub epoch: Epoch,
    /// The states that the store had, if the coordinator tells them.
    pub history: Option<History>,
}

/// A worker's registration with a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The worker's id.
    pub worker: WorkerId,
    /// The coordinator's store.
    pub store_epoch: StoreEpoch,
}

/// A worker's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Lands whose options were generated.
    pub(crate) expansions: u64,
    /// States visited.
    pub(crate) visits: u64,
    /// Memory in use, in bytes.
    pub(crate) memory: u64,
}

/// A leased job.
#[derive(Debug)]
pub enum Leased {
    /// A job.
    Job(Job),
    /// The lease of a job that cannot be read, and the reason.
    Unreadable(LeaseId, &'static str),
}

/// A message about jobs or records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Report<'a> {
    /// The result of a job.
    Finding(LeaseId, &'a Finding),
    /// Blocks of records.
    Records(&'a [Vec<u8>]),
    /// Two facts contradict each other. Ends the job, if there is one.
    Fault(Option<LeaseId>, &'a Contradiction),
    /// The worker returns a job without a result.
    Release {
        /// The lease.
        lease: LeaseId,
        /// Whether the search failed.
        failed: bool,
    },
}

/// The news of other workers.
#[derive(Debug)]
pub(crate) struct Told {
    /// The cursor for the next call.
    pub(crate) cursor: u64,
    /// The answer has all places of others, and all own places are to be sent.
    pub(crate) starts_over: bool,
    pub(crate) news: News,
    /// The least work of an entry to send, in visits.
    pub(crate) least_work: u64,
    /// The pause before the next call.
    pub(crate) pause: Duration,
}

/// The answer to a renewal.
#[derive(Debug)]
pub(crate) struct Renewed {
    /// The leases of jobs that are no longer wanted.
    pub(crate) unwanted: Vec<LeaseId>,
    /// The least worth of the facts that the coordinator wants.
    pub(crate) least_worth: LeastWorth,
}

#[cfg(test)]
mod tests;
