//! Searches of small positions while the client waits.

use std::io;
use std::time::Instant;

use sproutnet_game::Position;
use sproutnet_solver::play::{Convention, GameKnowledge, Outcome, Play};
use sproutnet_solver::search::{Control, Search, Table};

/// The largest number of moves left in a small position. `0*12` has 35.
pub const MAX_MOVES_OF_SMALL: u32 = 35;

/// The size of a search table in bytes. Memory is taken only as the table fills.
const TABLE: usize = 64 << 20;

/// Whether a position is small enough to be searched while the client waits.
pub fn is_small(known: &GameKnowledge, position: &Position) -> bool {
    known.game().max_moves_of(position) <= MAX_MOVES_OF_SMALL
}

/// The outcome of a position: from knowledge, or by a search with one thread until the deadline. The knowledge
/// keeps what the search proves.
///
/// # Errors
/// A thread cannot be started, or there is not enough memory.
pub fn solve_small(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    deadline: Instant,
) -> io::Result<Option<Outcome>> {
    match play {
        Play::Normal => solve(&*known.normal, position, deadline),
        Play::Misere => solve(&*known.misere, position, deadline),
    }
}

fn solve<C: Convention>(
    convention: &C,
    position: &Position,
    deadline: Instant,
) -> io::Result<Option<Outcome>> {
    let mut state = convention.state(position);
    if let Some(outcome) = convention.resolve(&mut state) {
        return Ok(Some(outcome));
    }
    let table = Table::new(TABLE).ok_or(io::ErrorKind::OutOfMemory)?;
    let control = Control::until(Some(deadline));
    let search = Search::new(convention, &table, &control);
    let outcome = search.run_on(1, &state)?.outcome();
    if convention.contradiction().is_some() {
        return Ok(None);
    }
    if let Some(outcome) = outcome {
        convention.resolve(&mut state);
        convention.settle(&state, outcome);
    }
    Ok(outcome)
}
