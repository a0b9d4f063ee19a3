//! What is known of a position, or of a move, without a search.

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;

use crate::Known;

/// What is known of a position without a search; or of a move, by the position that it leads to. The
/// outcomes of a move are those of the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// Who wins under normal play, seen from the player to move.
    pub normal: Known,
    /// Who wins under misère play, seen from the player to move.
    pub misere: Known,
    /// The nimber.
    pub nimber: Option<u32>,
    /// The genus, if the position has few moves left.
    pub genus: Option<String>,
    /// The conventions under which a checker that shares no code with the search confirmed who wins.
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

    /// The same with the outcomes seen from the other player: the verdict of the move that leads here.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            normal: self.normal.reversed(),
            misere: self.misere.reversed(),
            ..self
        }
    }
}
