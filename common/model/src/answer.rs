//! The answer about a position.

use serde::{Deserialize, Serialize};

use super::{Standing, Verdict};
use sproutnet_notation::Play;

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// The game's name.
    pub game: String,
    /// No play from here has more moves.
    pub most_moves: u32,
    /// Under normal play.
    pub normal: Standing,
    /// Under misère play.
    pub misere: Standing,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// The genus, if the position has few moves left.
    pub genus: Option<String>,
    /// What is known at sight of each of its lands alone, when there are several.
    pub lands: Vec<Verdict>,
}

impl Answer {
    /// Who wins under a convention, and how that is known.
    pub fn standing(&self, play: Play) -> &Standing {
        match play {
            Play::Normal => &self.normal,
            Play::Misere => &self.misere,
        }
    }
}
