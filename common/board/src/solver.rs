//! The questions that a board asks a solver.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Verdict};
use sproutnet_solver::play::Play;

/// The reason why a solver does not answer.
pub type SolverError = Box<dyn Error + Send + Sync>;

/// The limits of the searches for a question. A solver without a clock counts its work in place of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The time limit for this question.
    pub each: Duration,
    /// The time limit for this question and all before it, since the page was asked for.
    pub all: Duration,
}

impl Effort {
    /// No search.
    pub const NONE: Self = Self {
        each: Duration::ZERO,
        all: Duration::ZERO,
    };
}

/// A position that a question is about, and the limits of the searches for it.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The rules.
    pub game: &'a Arc<dyn Game>,
    /// The position.
    pub position: &'a Position,
    /// The limits.
    pub effort: Effort,
}

/// The knowledge about positions, asked for one page.
pub trait Solver {
    /// The answer about a position. If it is small, it is searched under these conventions. A search that found no outcome
    /// is not repeated soon.
    ///
    /// # Errors
    /// The solver fails.
    fn answer(&self, about: Question<'_>, plays: &[Play]) -> Result<Answer, SolverError>;

    /// The moves of a position with this answer, those that win under the convention first. The outcomes are those of
    /// the player who makes the move. Small positions after a move are searched. `None` if there are too many to list.
    ///
    /// # Errors
    /// The solver fails.
    fn moves(
        &self,
        about: Question<'_>,
        answer: &Answer,
        play: Play,
    ) -> Result<Option<Vec<Verdict>>, SolverError>;

    /// The text of the position after a winning move, given the answer that there is one; `None` if none is found.
    ///
    /// # Errors
    /// The solver fails.
    fn winning_move(
        &self,
        about: Question<'_>,
        answer: &Answer,
        play: Play,
    ) -> Result<Option<String>, SolverError>;
}
