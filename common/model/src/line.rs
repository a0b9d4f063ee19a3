//! Lines of play.

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;

use crate::Known;

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
    /// Whether a checker that shares no code with the search confirmed it.
    pub verified: bool,
}
