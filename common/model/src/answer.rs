//! The answer about a position.

use serde::{Deserialize, Serialize};

use super::{Standing, Verdict};
use sproutnet_notation::Play;

/// The knowledge about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// The game's name.
    pub game: String,
    /// The number of moves in the longest play.
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
