//! Tables of start positions.

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

use crate::Source;

/// The outcome of one start position under one convention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableEntry {
    /// The size of the start position: the number of spots.
    pub size: u32,
    /// The convention.
    pub play: Play,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// `store` if solved here, `derived` if a certificate proved it here, else `literature`.
    pub source: Source,
    /// The publication, if that is the source.
    pub citation: Option<String>,
    /// Whether a checker that shares no code with the search confirmed it.
    pub verified: bool,
}
