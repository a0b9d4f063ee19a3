//! Small positions are searched on the spot.

use std::io;
use std::time::Instant;

use sproutnet_game::Position;
use sproutnet_solver::play::{Convention, GameKnowledge, Outcome, Play};
use sproutnet_solver::search::{Control, Search, Table};

/// Positions with at most so many moves left are small: `0*12` has 35.
pub const MOST_MOVES_ON_THE_SPOT: u32 = 35;

/// The most bytes of the table of one search; it takes them only as it fills.
const TABLE: usize = 64 << 20;

/// Whether a position is small enough to be searched on the spot.
pub fn is_small(known: &GameKnowledge, position: &Position) -> bool {
    known.game().max_moves_of(position) <= MOST_MOVES_ON_THE_SPOT
}

/// Finds out who wins: from what is known, else by a search on this thread's behalf that ends at the
/// latest then. What it proves, the convention knows from then on.
///
/// # Errors
/// A thread could not be started, or there is no memory for the search.
pub fn find_out(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    until: Instant,
) -> io::Result<Option<Outcome>> {
    match play {
        Play::Normal => find_out_in(&*known.normal, position, until),
        Play::Misere => find_out_in(&*known.misere, position, until),
    }
}

fn find_out_in<C: Convention>(
    convention: &C,
    position: &Position,
    until: Instant,
) -> io::Result<Option<Outcome>> {
    let mut state = convention.state(position);
    if let Some(outcome) = convention.resolve(&mut state) {
        return Ok(Some(outcome));
    }
    let table = Table::new(TABLE).ok_or(io::ErrorKind::OutOfMemory)?;
    let control = Control::until(Some(until));
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
