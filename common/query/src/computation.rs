//! Computations and the fleet, as people and programs are told of them.

use serde::{Deserialize, Serialize};

use super::{Known, Source};
use sproutnet_solver::play::Play;

/// A position on its way to an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub state: ComputationState,
}

/// How far a computation is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComputationState {
    /// `running`, `paused`, `solved`, `cancelled`, `expired` or `failed`.
    pub status: String,
    /// Who wins, seen from the player to move.
    pub outcome: Known,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// Where the outcome comes from.
    pub source: Option<Source>,
    /// The proof number of the state that is being proved; 4,294,967,295 stands for infinity.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
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
