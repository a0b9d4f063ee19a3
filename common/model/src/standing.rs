//! The outcome under one convention, and its source.

use serde::{Deserialize, Serialize};

use super::{Known, Solved, Source};

/// The outcome of a position under one convention, and its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The outcome for the player to move.
    pub outcome: Known,
    /// The source of the outcome, if it is known.
    pub source: Option<Source>,
    /// The publication, if that is the source.
    pub citation: Option<String>,
    /// The computation that found it, if that is the source.
    pub solved: Option<Provenance>,
    /// The number of the running computation, if there is one.
    pub computation: Option<u64>,
    /// Whether a checker that shares no code with the search confirmed it.
    pub verified: bool,
}

/// The origin of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Provenance {
    /// The number of the computation, if known.
    pub computation: Option<u64>,
    /// The time of its end, in seconds since 1970 (UTC).
    pub solved_at: u64,
    /// The time that it took, in seconds.
    pub seconds: f64,
    /// The number of lands whose options were generated.
    pub expansions: u64,
    /// The number of records added to the store.
    pub records: u64,
}

impl Standing {
    /// An unknown outcome, with the number of the running computation.
    pub fn open(computation: Option<u64>) -> Self {
        Self {
            outcome: match computation {
                Some(_) => Known::InProgress,
                None => Known::Unknown,
            },
            source: None,
            citation: None,
            solved: None,
            computation,
            verified: false,
        }
    }

    /// Whether the outcome is known and was proved here.
    pub fn is_proved(&self) -> bool {
        self.source
            .is_some_and(|source| source != Source::Literature)
    }

    /// An outcome from that source.
    pub fn known(outcome: impl Into<Known>, source: Source) -> Self {
        Self {
            outcome: outcome.into(),
            source: Some(source),
            ..Self::open(None)
        }
    }

    /// The result of a computation.
    pub fn solved(solved: &Solved) -> Self {
        Self {
            solved: Some(Provenance {
                computation: solved.computation,
                solved_at: solved.solved_at,
                seconds: solved.seconds,
                expansions: solved.expansions,
                records: solved.records,
            }),
            ..Self::known(Some(solved.outcome), Source::Store)
        }
    }
}
