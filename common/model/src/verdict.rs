//! The knowledge about a position, or about a move, without a search.

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;

use crate::Known;

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
    /// The conventions under which a checker that shares no code with the search confirmed the outcome.
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
