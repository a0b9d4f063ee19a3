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
            Self::Quotient(order) => write!(f, "the misère quotient of order {order}"),
        }
    }
}

/// What theory tells of a position, if anything: by Lehman's theorem for the switching game and by nimbers for heaps
/// under normal play; by Bouton's theorem for Nim and by the quotient for other heaps under misère play.
pub fn told(game: &dyn Game, position: &Position, play: Play, effort: Effort) -> Option<Told> {
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
