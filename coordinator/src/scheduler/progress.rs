//! How far a computation is, as watchers see it.

use sproutnet_query::Source;
use sproutnet_solver::play::Outcome;
use sproutnet_solver::search::Numbers;

/// How far a computation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waiting, or being searched.
    Running,
    /// Waiting to be resumed.
    Paused,
    /// Done.
    Solved,
    /// Ended by request.
    Cancelled,
    /// Ended by its deadline.
    Expired,
    /// Ended by a contradiction among records.
    Failed,
}

impl Status {
    /// Each of them.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Paused,
        Self::Solved,
        Self::Cancelled,
        Self::Expired,
        Self::Failed,
    ];

    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Solved => "solved",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// Whether it goes on only if it is resumed, or never.
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Running | Self::Paused)
    }
}

/// What watchers see of a computation.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How far it is.
    pub status: Status,
    /// The outcome, once known.
    pub outcome: Option<Outcome>,
    /// The nimber, where known.
    pub nimber: Option<u32>,
    /// Where the result comes from, once there is one.
    pub source: Option<Source>,
    /// Time of work, in seconds.
    pub seconds: f64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// The numbers of the state being proved.
    pub root: Numbers,
    /// Nodes of the proof-number DAG.
    pub nodes: usize,
    /// Jobs that are out.
    pub jobs: u32,
    /// Why it failed.
    pub fault: Option<String>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            status: Status::Running,
            outcome: None,
            nimber: None,
            source: None,
            seconds: 0.0,
            expansions: 0,
            records: 0,
            root: Numbers::UNLIMITED,
            nodes: 0,
            jobs: 0,
            fault: None,
        }
    }
}
