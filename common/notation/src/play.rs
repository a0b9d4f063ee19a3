//! The play conventions, and the outcome of a position.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A play convention, which decides the winner when no move is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// The player who makes the last move wins.
    Normal,
    /// The player who makes the last move loses.
    Misere,
}

impl Play {
    /// Both conventions.
    pub const ALL: [Self; 2] = [Self::Normal, Self::Misere];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Misere => "misere",
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Play {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|play| play.name() == text);
        found.ok_or_else(|| format!("expected normal or misere, found `{text}`"))
    }
}

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
