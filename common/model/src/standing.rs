//! Who wins under one convention, and how that is known.

use serde::{Deserialize, Serialize};

use super::{Known, Solved, Source};

/// Who wins a position under one convention, and how that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Standing {
    /// Who wins, seen from the player to move.
    pub outcome: Known,
    /// Where the outcome comes from, if it is known.
    pub source: Option<Source>,
    /// Who published it, if that is the source.
    pub citation: Option<String>,
    /// The computation of this position that found it, if that is the source.
    pub solved: Option<Provenance>,
    /// The number of the computation under way, if there is one.
    pub computation: Option<u64>,
    /// Whether a checker that shares no code with the search confirmed it.
    pub verified: bool,
}

/// How a result was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Provenance {
    /// The number of the computation, unless it is older than such numbers are kept.
    pub computation: Option<u64>,
    /// When it ended, in seconds since 1970 (UTC).
    pub solved_at: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Lands whose options were looked at.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
}

impl Standing {
    /// Nobody knows who wins; the number is that of the computation under way.
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
        match self.source {
            Some(Source::Search | Source::Store | Source::Derived) => true,
            Some(Source::Literature) | None => false,
        }
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
