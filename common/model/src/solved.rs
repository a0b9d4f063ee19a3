//! The documents of a store about positions: results of computations, and accepted certificates.

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

/// The source of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The search for this query.
    Search,
    /// The stored result of an earlier computation.
    Store,
    /// Derived from proved records, or evaluated directly.
    Derived,
    /// A certificate of the atlas: proved by Sproutnet, but not in this store.
    Atlas,
    /// A publication of others.
    Literature,
}

impl Source {
    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Store => "store",
            Self::Derived => "derived",
            Self::Atlas => "atlas",
            Self::Literature => "literature",
        }
    }

    /// Whether the outcome rests on this store, and not on proofs from elsewhere.
    pub fn is_here(self) -> bool {
        match self {
            Self::Search | Self::Store | Self::Derived => true,
            Self::Atlas | Self::Literature => false,
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
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// The time that it took, in seconds.
    pub seconds: f64,
    /// The number of lands whose options were generated.
    pub expansions: u64,
    /// The number of records added to the store.
    pub records: u64,
    /// The time of the result, in seconds since 1970 (UTC).
    pub solved_at: u64,
    /// The number of the computation that found it, if known.
    #[serde(default)]
    pub computation: Option<u64>,
}

impl Solved {
    /// The name of a result in the store, unique for each game, convention and position.
    pub fn name(game: &str, play: Play, canonical: &str) -> String {
        format!("{}{play}/{canonical}", Self::prefix(game))
    }

    /// The prefix of the names of all results of a game.
    pub fn prefix(game: &str) -> String {
        format!("result/{game}/")
    }
}

/// An accepted certificate of a position's outcome, as kept in the store. Its facts are also flagged there one
/// by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// The game's name.
    pub game: String,
    /// The position's canonical text.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The number of facts in the certificate.
    pub facts: u64,
    /// The checksum in the certificate, in hexadecimal digits.
    pub sha256: String,
    /// The name and version of the program that accepted it.
    pub checker: String,
    /// The time of the check, in seconds since 1970 (UTC).
    pub verified_at: u64,
}

impl Verification {
    /// Its name in the store.
    pub fn name(&self) -> String {
        Self::name_of(&self.game, self.play, &self.position)
    }

    /// The name of a verification in the store, unique for each game, convention and position.
    pub fn name_of(game: &str, play: Play, canonical: &str) -> String {
        format!("{}{play}/{canonical}", Self::prefix(game))
    }

    /// The prefix of the names of all verifications of a game.
    pub fn prefix(game: &str) -> String {
        format!("verified/{game}/")
    }
}
