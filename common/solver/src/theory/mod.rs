//! Results from the theory of a game, without a search.
//!
//! - [`sequence`]: the nimbers of heaps of 0, 1, 2, … tokens.
//! - [`nimber`](fn@nimber): the nimber of a sum of heaps, from these.
//! - [`period`]: proofs that such a sequence repeats for ever.
//! - [`quotient`]: the winner of sums of heaps under misère play.
//! - [`lehman`]: the winner of the Shannon switching game, and a winning move.

pub mod lehman;
mod nimber;
pub mod period;
pub mod quotient;
pub mod sequence;

use sproutnet_game::{Game, Position};
use sproutnet_notation::{Outcome, Play};

pub use nimber::nimber;
use quotient::Effort;

/// The outcome of a position, if theory gives it: by Lehman's theorem for the switching game and by their nimbers
/// for heaps under normal play, by their quotient for heaps under misère play.
pub fn outcome(
    game: &dyn Game,
    position: &Position,
    play: Play,
    effort: Effort,
) -> Option<Outcome> {
    match play {
        Play::Normal => lehman::outcome(game, position).or_else(|| {
            let nimber = nimber(game, position)?;
            Some(Outcome::win_if(nimber != 0))
        }),
        Play::Misere => {
            nimber::misere_nim(game, position).or_else(|| quotient::outcome(game, position, effort))
        }
    }
}

/// The theorem by which [`outcome`] gives an outcome, in words.
pub fn theorem(game: &dyn Game, position: &Position, play: Play) -> Option<String> {
    match play {
        Play::Normal if game.switching(position).is_some() => Some("Lehman's theorem".to_owned()),
        Play::Normal => nimber::theorem(game, position),
        Play::Misere if nimber::misere_nim(game, position).is_some() => {
            Some(nimber::BOUTON.to_owned())
        }
        Play::Misere => quotient::theorem(game, position),
    }
}
