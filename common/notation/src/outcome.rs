//! The outcome of a position.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The outcome of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
}

impl Outcome {
    /// `Win` if `wins` is true, else `Loss`.
    #[inline]
    pub fn win_if(wins: bool) -> Self {
        if wins { Self::Win } else { Self::Loss }
    }

    /// The outcome for the other player.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Self {
        Self::win_if(self == Self::Loss)
    }

    /// `win` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
