//! The outcome of a position in one call.

use std::io;
use std::sync::Arc;

use sproutnet_game::{self as game, Lands, PositionError};
use sproutnet_notation::{Outcome, Play};

use crate::play::{Convention, Misere, Normal};
use crate::search::{Control, Search, Table};

/// The size of the transposition table, in bytes.
const TABLE: usize = 64 << 20;

/// Why a position was not solved.
#[derive(Debug, thiserror::Error)]
pub enum NotSolved {
    /// The text is not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The search could not begin: there is no memory for its table, or no thread.
    #[error("the search could not begin")]
    Start(#[from] io::Error),
}

/// The outcome of a position for the player to move, by a search on `threads` threads. The position is a text as
/// `text` or `game:text`, such as `0*9` or `kayles:5+3`.
///
/// The search goes on until the position is solved, keeps all facts in memory, and forgets them at the end. Use
/// [`Search`] to bound its time and memory, or to keep facts from one search to the next.
///
/// ```
/// use sproutnet_notation::{Outcome, Play};
/// use sproutnet_solver::solve;
///
/// assert_eq!(solve("0*8", Play::Normal, 1)?, Outcome::Loss);
/// assert_eq!(solve("kayles:5+3", Play::Misere, 2)?, Outcome::Win);
/// assert!(solve("0*x", Play::Normal, 1).is_err());
/// # Ok::<(), sproutnet_solver::NotSolved>(())
/// ```
///
/// # Errors
/// The text is not a position, or the search could not begin.
pub fn solve(text: &str, play: Play, threads: usize) -> Result<Outcome, NotSolved> {
    match play {
        Play::Normal => solve_by::<Normal>(text, threads),
        Play::Misere => solve_by::<Misere>(text, threads),
    }
}

fn solve_by<C: Convention>(text: &str, threads: usize) -> Result<Outcome, NotSolved> {
    let (game, position) = game::parse(text)?;
    let convention = C::new(Arc::new(Lands::new(game)));
    let table = Table::new(TABLE).ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let control = Control::until(None);
    let state = convention.state(&position);
    let numbers = Search::new(&convention, &table, &control).run_on(threads.max(1), &state)?;
    Ok(numbers
        .outcome()
        .expect("a search without limits ends with an outcome"))
}
