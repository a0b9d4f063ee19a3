//! The knowledge about positions: verdicts, answers and lines of play.

use std::fmt;

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

use crate::{Basis, Solved, Source};

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

/// The outcome of a position under one convention, and its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The outcome for the player to move.
    pub outcome: Known,
    /// The source of the outcome, if it is known.
    pub source: Option<Source>,
    /// The kind of reason for the outcome, if it is known.
    pub basis: Option<Basis>,
    /// The publication, the certificate of the atlas, or the theorem, if that is the source. Several are separated by
    /// semicolons.
    pub citation: Option<String>,
    /// The computation that found it, if that is the source.
    pub solved: Option<Provenance>,
    /// The number of the running computation, if there is one.
    pub computation: Option<u64>,
    /// Whether the checker of certificates confirmed it.
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
            basis: None,
            citation: None,
            solved: None,
            computation,
            verified: false,
        }
    }

    /// Whether the outcome is known and was proved here.
    pub fn is_proved(&self) -> bool {
        self.source.is_some_and(Source::is_here)
    }

    /// An outcome from that source.
    pub fn known(outcome: impl Into<Known>, source: Source) -> Self {
        Self {
            outcome: outcome.into(),
            source: Some(source),
            basis: Some(source.into()),
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

/// The knowledge about a position without a search, or about a move by the position after it. The outcomes of a
/// move are those of the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// The outcome under normal play for the player to move.
    pub normal: Known,
    /// The outcome under misère play for the player to move.
    pub misere: Known,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// The genus, if the position is small enough to compute it.
    pub genus: Option<String>,
    /// The conventions under which the checker of certificates confirmed the outcome.
    pub verified: Vec<Play>,
}

impl Verdict {
    /// The outcome under a convention.
    pub fn outcome(&self, play: Play) -> Known {
        match play {
            Play::Normal => self.normal,
            Play::Misere => self.misere,
        }
    }

    /// The outcome under a convention, to be changed.
    pub fn outcome_mut(&mut self, play: Play) -> &mut Known {
        match play {
            Play::Normal => &mut self.normal,
            Play::Misere => &mut self.misere,
        }
    }

    /// The same with the outcomes for the other player: the verdict of the move that leads here.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            normal: self.normal.reversed(),
            misere: self.misere.reversed(),
            ..self
        }
    }
}

/// The knowledge about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// The game's name.
    pub game: String,
    /// An upper bound on the number of moves that can still be made.
    pub most_moves: u32,
    /// Under normal play.
    pub normal: Standing,
    /// Under misère play.
    pub misere: Standing,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// The genus, if the position is small enough to compute it.
    pub genus: Option<String>,
    /// The verdict on each of its lands alone, if there are several.
    pub lands: Vec<Verdict>,
}

impl Answer {
    /// The outcome under a convention, and its source.
    pub fn standing(&self, play: Play) -> &Standing {
        match play {
            Play::Normal => &self.normal,
            Play::Misere => &self.misere,
        }
    }
}

/// Moves from a position to the end of the game, or as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Line {
    /// The convention.
    pub play: Play,
    /// The position itself, then the position after each move.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub steps: Vec<Step>,
    /// Whether the last step is the end of the game.
    pub complete: bool,
}

/// A position of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// The outcome for the player to move.
    pub outcome: Known,
    /// Whether the checker of certificates confirmed it.
    pub verified: bool,
}
