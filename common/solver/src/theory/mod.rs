//! Results from the theory of a game, without a search.
//!
//! - [`told`]: what theory tells of a position, and by which theorem.
//! - [`sequence`]: the nimbers of heaps of 0, 1, 2, … tokens.
//! - [`period`]: proofs that such a sequence repeats for ever, and [`arithmetic`] that it repeats and grows.
//! - [`written`]: the rules of a game as a code.
//! - [`quotient`]: the winner of sums of heaps under misère play.
//! - [`lehman`]: the winner of the Shannon switching game, and a winning move.

mod arithmetic;
mod heaps;
pub mod lehman;
pub mod period;
pub mod quotient;
pub mod sequence;
pub mod written;

#[cfg(test)]
mod tests;

use std::fmt;

use sproutnet_game::{Game, Position};
use sproutnet_notation::{Outcome, Play};

use quotient::Effort;

/// What theory tells of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The nimber, if that is how the outcome is known.
    pub nimber: Option<u32>,
    /// The theorem that gives the outcome.
    pub theorem: Theorem,
}

/// A theorem that gives the outcome of a position. Its text follows "follows from".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Lehman's theorem about the Shannon switching game (1964).
    Lehman,
    /// Bouton's theorem about Nim (1901).
    Bouton,
    /// A formula for the nimber of a heap.
    Formula,
    /// The nimbers of heaps, which repeat with this period.
    Period(u32),
    /// The nimbers of heaps, which grow by this saltus with each period of this length.
    ArithmeticPeriod {
        /// The length of the period.
        length: u32,
        /// The saltus.
        saltus: u32,
    },
    /// The nimbers of heaps, each from those of smaller heaps or by another of these theorems.
    Heaps,
    /// The misère quotient of this order.
    Quotient(usize),
    /// A symmetry of the board.
    Symmetry,
    /// The number of moves, which is that of every play.
    Parity,
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lehman => write!(f, "Lehman's theorem"),
            Self::Bouton => write!(f, "Bouton's theorem"),
            Self::Formula => write!(f, "the formula for the nimber of a heap"),
            Self::Period(length) => {
                write!(
                    f,
                    "the nimbers of its heaps, whose period {length} is proved"
                )
            }
            Self::ArithmeticPeriod { length, saltus } => write!(
                f,
                "the nimbers of its heaps, whose arithmetic period {length} with saltus {saltus} is proved"
            ),
            Self::Heaps => write!(f, "the nimbers of its heaps"),
            Self::Symmetry => write!(
                f,
                "the symmetry of the board: the winner answers each move by its image"
            ),
            Self::Parity => write!(
                f,
                "the number of moves, which is the same in every line of play"
            ),
            Self::Quotient(order) => write!(f, "the misère quotient of order {order}"),
        }
    }
}

/// What the shape of a whole board tells, if anything: by the number of moves if all plays have the same, or by a
/// symmetry under normal play. That takes no time.
pub fn told_at_sight(game: &dyn Game, position: &Position, play: Play) -> Option<Told> {
    if let Some(moves) = game.moves_of_each_play(position) {
        let is_odd = moves % 2 == 1;
        return Some(Told {
            outcome: Outcome::win_if(is_odd == (play == Play::Normal)),
            // Each option has the same nimber, of the other parity.
            nimber: (play == Play::Normal).then_some(moves % 2),
            theorem: Theorem::Parity,
        });
    }
    let by_symmetry = (play == Play::Normal).then(|| game.by_symmetry(position));
    let outcome = by_symmetry.flatten()?;
    Some(Told {
        outcome,
        nimber: (outcome == Outcome::Loss).then_some(0),
        theorem: Theorem::Symmetry,
    })
}

/// What theory tells of a position, if anything: at sight; by Lehman's theorem for the switching game and by nimbers for
/// heaps under normal play; by Bouton's theorem for Nim and by the quotient for other heaps under misère play.
pub fn told(game: &dyn Game, position: &Position, play: Play, effort: Effort) -> Option<Told> {
    let at_sight = told_at_sight(game, position, play);
    if at_sight.is_some() {
        return at_sight;
    }
    let without_nimber = |(outcome, theorem)| Told {
        outcome,
        nimber: None,
        theorem,
    };
    match play {
        Play::Normal => match lehman::outcome(game, position) {
            Some(outcome) => Some(without_nimber((outcome, Theorem::Lehman))),
            None => {
                let (nimber, theorem) = heaps::nimber(game, position)?;
                Some(Told {
                    outcome: Outcome::win_if(nimber != 0),
                    nimber: Some(nimber),
                    theorem,
                })
            }
        },
        Play::Misere => heaps::misere_nim(game, position)
            .map(|outcome| (outcome, Theorem::Bouton))
            .or_else(|| quotient::told(game, position, effort))
            .map(without_nimber),
    }
}
