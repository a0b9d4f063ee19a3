//! Accepted certificates, as kept in the store.

use serde::{Deserialize, Serialize};

use sproutnet_notation::{Outcome, Play};

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
