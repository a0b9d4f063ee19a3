//! Results of whole computations.

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

/// Where an outcome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Found by the search just made.
    Search,
    /// Kept in the store as the result of an earlier search.
    Store,
    /// It follows from what was proved earlier, or is so small that it is seen at sight.
    Derived,
    /// Published by others.
    Literature,
}

impl Source {
    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Store => "store",
            Self::Derived => "derived",
            Self::Literature => "literature",
        }
    }
}

/// A position that a computation solved, as kept in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The game's name.
    pub game: String,
    /// The position's canonical text.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Who wins, seen from the player to move.
    pub outcome: Outcome,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// When it was solved, in seconds since 1970 (UTC).
    pub solved_at: u64,
    /// The number of the computation that found it, if that was kept.
    #[serde(default)]
    pub computation: Option<u64>,
}

impl Solved {
    /// The name under which a result is kept, unique for game, convention and position.
    pub fn name(game: &str, play: Play, canonical: &str) -> String {
        format!("{}{play}/{canonical}", Self::prefix(game))
    }

    /// What the names of all results of a game start with.
    pub fn prefix(game: &str) -> String {
        format!("result/{game}/")
    }
}
