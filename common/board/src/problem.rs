//! Why an address leads to no page.

use sproutnet_drawing::Point;
use sproutnet_game::PositionError;

use crate::solver::SolverError;

/// The reason why there is no page. The texts are ends of sentences.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The address is wrong.
    #[error("{0}")]
    Bad(String),
    /// There is no such thing.
    #[error("{0}")]
    Missing(String),
    /// The match has gone on, or has ended.
    #[error("{0}")]
    Conflict(String),
    /// The line cannot be drawn.
    #[error("{why}")]
    Refused {
        /// The reason.
        why: String,
        /// The place on the sheet that the reason is about.
        at: Option<Point>,
    },
    /// A text, which is not a position, and the reason.
    #[error("{1}")]
    Position(String, PositionError),
    /// The solver fails.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl Problem {
    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self::Bad(text.into())
    }

    pub(crate) fn missing(text: impl Into<String>) -> Self {
        Self::Missing(text.into())
    }
}
