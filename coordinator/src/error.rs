//! What can go wrong in a call.

use std::sync::Arc;
use std::time::Duration;

use sproutnet_store::StoreError;
use sproutnet_system::disk::DiskFull;

/// What can go wrong in a call.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Arc<StoreError>),
    /// The disk is full. Nothing is written until there is room; then a retry succeeds.
    #[error(transparent)]
    DiskFull(#[from] DiskFull),
    /// A document in the store cannot be read or written.
    #[error("the document `{0}` in the store")]
    Document(String, #[source] serde_json::Error),
    /// The folder of checkpoints cannot be used.
    #[error("the folder of checkpoints")]
    Checkpoints(#[source] std::io::Error),
    /// A search on the spot could not be made.
    #[error("a search on the spot")]
    Search(#[source] std::io::Error),
    /// The named thing, such as a computation or a worker, is unknown.
    #[error("unknown {0}")]
    Unknown(&'static str),
    /// No worker of this name or number delivered records.
    #[error("no worker called `{0}` ever delivered a record")]
    UnknownSource(String),
    /// The input is not acceptable.
    #[error("{0}")]
    Invalid(String),
    /// The request is not possible in the current state.
    #[error("{0}")]
    NotNow(String),
    /// The role of the caller does not allow it.
    #[error("{0}")]
    Denied(String),
    /// The check of a certificate exceeded its time limit.
    #[error(
        "stopped after {0:?}, the coordinator's --verify-limit; `sproutnet verify` has no limit, nor has \
         `sproutnet mark --data` on the coordinator's store while the coordinator is down"
    )]
    TooLong(Duration),
    /// A file arrived too slowly, and others had to wait meanwhile.
    #[error("the file arrived too slowly: at least {0} KiB/s is required; use a faster connection")]
    TooSlow(u32),
    /// The work on a file was stopped: its caller stopped waiting, or the coordinator ends.
    #[error("the work was stopped")]
    Stopped,
    /// The worker is quarantined: its records are refused.
    #[error(
        "this worker is quarantined: {0}. Nothing is taken from it any more; once the machine is \
         right again, it may come back as another worker, with an empty folder"
    )]
    Quarantined(String),
    /// A limit is reached, such as the number of workers.
    #[error("{0}")]
    Full(&'static str),
}

impl CoordinatorError {
    /// Whether the cause is a full disk.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::DiskFull(_) => true,
            Self::Store(error) => error.is_disk_full(),
            Self::Checkpoints(error) => sproutnet_store::is_disk_full(error),
            _ => false,
        }
    }

    /// Whether [`Health`](crate::Health) reports it, so that calls need not log it.
    pub(crate) fn is_reported_by_health(&self) -> bool {
        match self {
            Self::DiskFull(_) => true,
            Self::Store(error) => matches!(**error, StoreError::WriteFailed),
            _ => false,
        }
    }
}

impl From<StoreError> for CoordinatorError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}
