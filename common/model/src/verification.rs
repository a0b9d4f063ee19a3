//! What a store keeps of a certificate that was accepted.

use serde::{Deserialize, Serialize};

use sproutnet_notation::{Outcome, Play};

/// A certificate of a position's outcome that was accepted, as kept in the store. The facts in it are
/// marked there one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// The game's name.
    pub game: String,
    /// The position's canonical text.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Who wins, seen from the player to move.
    pub outcome: Outcome,
    /// The number of facts that the certificate rests on.
    pub facts: u64,
    /// The certificate's own checksum, in hexadecimal digits.
    pub sha256: String,
    /// The program that accepted it, and its version.
    pub checker: String,
    /// When it was accepted, in seconds since 1970 (UTC).
    pub verified_at: u64,
}

impl Verification {
    /// The name under which it is kept.
    pub fn name(&self) -> String {
        Self::name_of(&self.game, self.play, &self.position)
    }

    /// The name under which one is kept, unique for game, convention and position.
    pub fn name_of(game: &str, play: Play, canonical: &str) -> String {
        format!("{}{play}/{canonical}", Self::prefix(game))
    }

    /// What the names of all of a game start with.
    pub fn prefix(game: &str) -> String {
        format!("verified/{game}/")
    }
}
