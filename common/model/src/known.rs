//! Known and unknown outcomes.

use std::fmt;

use serde::{Deserialize, Serialize};

use sproutnet_notation::Outcome;

/// The knowledge of an outcome, never a guess. The order is that in which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// The player in question wins.
    Win,
    /// Not known yet. A computation is running.
    #[serde(rename = "in progress")]
    InProgress,
    /// Not known.
    Unknown,
    /// The player in question loses.
    Loss,
}

impl Known {
    /// `win`, `loss`, `unknown` or `in progress`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::InProgress => "in progress",
            Self::Unknown => "unknown",
            Self::Loss => "loss",
        }
    }

    /// The outcome, if it is known.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Win => Some(Outcome::Win),
            Self::Loss => Some(Outcome::Loss),
            Self::InProgress | Self::Unknown => None,
        }
    }

    /// The same for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            other => other,
        }
    }
}

impl From<Option<Outcome>> for Known {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win) => Self::Win,
            Some(Outcome::Loss) => Self::Loss,
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
