//! Why a computation is not finished.

use serde::Serialize;

use crate::Computation;
use sproutnet_notation::Numbers;

/// An open state directly below the state to be proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Branch {
    /// The canonical text of the lands without a known value, with the game's name unless it is Sprouts.
    pub position: String,
    /// The value of the other lands, if it is not zero and can be written.
    pub value: Option<String>,
    /// Its proof and disproof numbers, for the player to move there.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The number of its leased jobs.
    pub jobs: u32,
}

/// The states directly below the state to be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Branches {
    /// The open states, the hardest first, up to the number that is shown.
    pub open: Vec<Branch>,
    /// The number of other open states.
    pub more: u64,
    /// Whether they are parts that all have to be solved, and not moves.
    pub are_parts: bool,
}

/// The work that workers reported for a computation since the coordinator started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Effort {
    /// Expansions.
    pub expansions: u64,
    /// Those of jobs that were no longer wanted when their report arrived.
    pub unwanted_expansions: u64,
    /// Records that the store did not have.
    pub new_records: u64,
    /// Records that another report had brought before.
    pub repeated_records: u64,
}

impl Effort {
    /// The share of the expansions that were wanted, times the share of the records that were new. More workers repeat
    /// more work, so another worker adds at most this share of its own speed. `None` before the first report.
    pub fn yields(&self) -> Option<f64> {
        let wanted = 1.0 - share(self.unwanted_expansions, self.expansions)?;
        let arrived = self.new_records + self.repeated_records;
        Some(wanted * share(self.new_records, arrived).unwrap_or(1.0))
    }

    /// The share of the records that were known before; `None` if there were none.
    pub fn repeated(&self) -> Option<f64> {
        share(
            self.repeated_records,
            self.new_records + self.repeated_records,
        )
    }

    /// The share of the expansions that were not wanted; `None` if there were none.
    pub fn unwanted(&self) -> Option<f64> {
        share(self.unwanted_expansions, self.expansions)
    }
}

fn share(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// The speed of a computation over the last part of its work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pace {
    /// The length of this part, in seconds of work.
    pub seconds: f64,
    /// Expansions a second.
    pub expansions: f64,
    /// New records a second.
    pub records: f64,
    /// The proof and disproof numbers of the state to be proved, at its beginning.
    #[serde(flatten)]
    pub before: Numbers,
}

/// Why a computation is not finished: what is open, what its work brings, and how fast it goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explanation {
    /// The computation.
    pub computation: Computation,
    /// The open states directly below the state to be proved; `None` if no proof is under way.
    pub branches: Option<Branches>,
    /// The reported work.
    pub effort: Effort,
    /// Its speed over the last minute, the last hour and all of its work, as far as they differ.
    pub paces: Vec<Pace>,
}

#[cfg(test)]
mod tests;
