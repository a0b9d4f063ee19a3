//! Computations.

use serde::{Deserialize, Serialize};

use crate::{Known, Source};
use sproutnet_notation::{Numbers, Play};

/// A position that is being solved, or was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Computation {
    /// Its number in the store, from 1.
    pub id: u64,
    /// The position's canonical text, with the game's name unless it is Sprouts.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Whether the nimber is wanted in addition to the outcome.
    pub nimber_wanted: bool,
    /// Computations with a higher priority get workers first.
    pub priority: i32,
    /// How much machine time it gets, relative to running computations of equal priority: 1 to 1000.
    pub weight: u32,
    /// For whom it is computed; empty if that is not known.
    pub owner: String,
    /// A short text to tell it from others; may be empty.
    pub label: String,
    /// The time of its start, in seconds since 1970 (UTC).
    pub started_at: u64,
    /// The machine time that its jobs used: seconds of one core.
    pub machine_seconds: f64,
    /// Why no worker has a job of it. Null if a worker has one or is about to get one, or if it has ended.
    pub waits_for: Option<WaitsFor>,
    /// Who paused it, if it is paused and that is known.
    pub paused_by: Option<String>,
    /// Its progress.
    #[serde(flatten)]
    pub progress: Progress,
}

/// What a computation without jobs waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WaitsFor {
    /// It is paused.
    Resumption,
    /// No worker is connected.
    Worker,
    /// It had no job to give when a worker asked last.
    Job,
    /// Workers have jobs of computations of higher priority.
    Priority,
    /// It used its share: others are due.
    Turn,
    /// The disk of the store is full.
    Disk,
    /// Workers are connected, but none of them takes jobs of its game.
    Game,
}

impl WaitsFor {
    /// The name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resumption => "resumption",
            Self::Worker => "worker",
            Self::Job => "job",
            Self::Priority => "priority",
            Self::Turn => "turn",
            Self::Disk => "disk",
            Self::Game => "game",
        }
    }

    /// What it means, as the end of the sentence "It waits: …".
    pub fn reason(self) -> &'static str {
        match self {
            Self::Resumption => "it is paused",
            Self::Worker => "no worker is connected",
            Self::Job => "it has no job to give",
            Self::Priority => "others have a higher priority",
            Self::Turn => "its share is used and others are due",
            Self::Disk => "the disk is full",
            Self::Game => "no connected worker takes jobs of its game",
        }
    }
}

/// The state of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It is being searched, or waits for workers.
    Running,
    /// It does nothing until it is resumed.
    Paused,
    /// The outcome is known, and the nimber if it was wanted.
    Solved,
    /// A user cancelled it.
    Cancelled,
    /// Its deadline passed.
    Expired,
    /// Records contradicted each other, or a search failed.
    Failed,
}

impl Status {
    /// Every status.
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
            Self::Solved => "solved",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// Whether it has ended.
    pub fn has_ended(self) -> bool {
        !matches!(self, Self::Running | Self::Paused)
    }
}

/// The time that a computation may take, judging by smaller start positions of the same game and convention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Estimate {
    /// The least time, in seconds. Four in five computations should take from `low` to `high`.
    pub low: f64,
    /// The most time, in seconds.
    pub high: f64,
    /// The number of solved start positions that it rests on.
    pub behind: u32,
}

/// The progress of a computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// The state.
    pub status: Status,
    /// The outcome for the player to move.
    pub outcome: Known,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// The source of the outcome.
    pub source: Option<Source>,
    /// The proof and disproof numbers of the state that is being proved.
    #[serde(flatten)]
    pub root: Numbers,
    /// The time spent, in seconds.
    pub seconds: f64,
    /// The number of lands whose options were generated.
    pub expansions: u64,
    /// The number of records added to the store.
    pub records: u64,
    /// How many states there are whose numbers all workers share, those of other computations included.
    pub nodes: u64,
    /// The number of leased jobs.
    pub jobs: u32,
    /// The reason, if it failed.
    pub fault: Option<String>,
    /// The time that it was expected to take, if enough smaller starts were solved when it was started or soon after.
    pub estimate: Option<Estimate>,
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
            estimate: None,
        }
    }
}
