//! Computations.

use serde::{Deserialize, Serialize};

use super::{Known, Source};
use sproutnet_notation::{Numbers, Play};

/// A position on its way to an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Computation {
    /// Its number, counted from 1 in each store.
    pub id: u64,
    /// The position's canonical text, with the game's name unless it is Sprouts.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted beside the outcome.
    pub nimber_wanted: bool,
    /// Higher ones get workers first.
    pub priority: i32,
    /// When it was started, in seconds since 1970 (UTC).
    pub started_at: u64,
    /// How far it is.
    #[serde(flatten)]
    pub progress: Progress,
}

/// Whether a computation runs, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is searched, or waits for its turn.
    Running,
    /// It waits until it is resumed.
    Paused,
    /// It would run, but no coordinator has its store open. Coordinators never say this.
    Waiting,
    /// The outcome is known, and the nimber if it was wanted.
    Solved,
    /// Somebody ended it.
    Cancelled,
    /// Its deadline passed.
    Expired,
    /// Records contradicted each other, or a search failed.
    Failed,
}

impl Status {
    /// Every status of a coordinator.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Paused,
        Self::Solved,
        Self::Cancelled,
        Self::Expired,
        Self::Failed,
    ];

    /// The name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Waiting => "waiting",
            Self::Solved => "solved",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// Whether it makes no progress any more.
    pub fn has_ended(self) -> bool {
        !matches!(self, Self::Running | Self::Paused | Self::Waiting)
    }
}

/// How far a computation is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// Whether it runs, or how it ended.
    pub status: Status,
    /// Who wins, seen from the player to move.
    pub outcome: Known,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// Where the outcome comes from.
    pub source: Option<Source>,
    /// The numbers of the state that is being proved.
    #[serde(flatten)]
    pub root: Numbers,
    /// Time of work, in seconds.
    pub seconds: f64,
    /// Lands whose options were looked at.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// Nodes of the proof-number DAG.
    pub nodes: u64,
    /// Jobs that are out.
    pub jobs: u32,
    /// Why it failed.
    pub fault: Option<String>,
}

impl Default for Progress {
    /// Nothing is done and nothing is known yet.
    fn default() -> Self {
        Self {
            status: Status::Running,
            outcome: Known::Unknown,
            nimber: None,
            source: None,
            root: Numbers::UNLIMITED,
            seconds: 0.0,
            expansions: 0,
            records: 0,
            nodes: 0,
            jobs: 0,
            fault: None,
        }
    }
}
