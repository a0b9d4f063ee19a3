//! The games, as they are listed.

use serde::Serialize;
use sproutnet_notation::Play;

/// A game and what there is for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "properties that do not depend on each other"
)]
pub struct Game {
    /// The name, as before the colon in `kayles:5`.
    pub game: &'static str,
    /// The effect of a move, in one line.
    pub rules: &'static str,
    /// The notation of positions, in one line; placeholders are in capital letters.
    pub notation: &'static str,
    /// Small positions that show the notation.
    pub examples: Vec<String>,
    /// Other names for the game with certain parameters.
    pub other_names: Vec<OtherName>,
    /// The conventions under which positions are solved.
    pub plays: Vec<Play>,
    /// Whether a number alone names a start position.
    pub starts: bool,
    /// Whether positions have nimbers: both players have the same moves.
    pub nimbers: bool,
    /// Whether it is a game of heaps: it has a sequence of nimbers, and perhaps a misère quotient.
    pub heaps: bool,
    /// Whether positions can be drawn.
    pub drawn: bool,
    /// Whether certificates of positions can be made.
    pub proved: bool,
}

/// Another name for a game with certain parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OtherName {
    /// The name, such as `dawson`.
    pub name: &'static str,
    /// The game and its parameters, such as `octal(0.137)`.
    pub means: String,
}
