//! Results from the theory of a game, without a search.
//!
//! - [`sequence`]: the nimbers of heaps of 0, 1, 2, … tokens.
//! - [`period`]: proofs that such a sequence repeats for ever.
//! - [`quotient`]: the winner of sums of heaps under misère play.
//! - [`lehman`]: the winner of the Shannon switching game, and a winning move.

pub mod lehman;
pub mod period;
pub mod quotient;
pub mod sequence;

use sproutnet_game::{Game, Position};
use sproutnet_notation::{Outcome, Play};

use quotient::Effort;

/// The outcome of a position, if theory gives it: by Lehman's theorem for the switching game under normal play, by
/// their quotient for heaps under misère play.
pub fn outcome(
    game: &dyn Game,
    position: &Position,
    play: Play,
    effort: Effort,
) -> Option<Outcome> {
    match play {
        Play::Normal => lehman::outcome(game, position),
        Play::Misere => quotient::outcome(game, position, effort),
    }
}
