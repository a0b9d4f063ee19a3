//! Lines of play in which the winner plays to win.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use sproutnet_model::{Line, Step};

use super::{is_small, moves, solve_small};
use sproutnet_game::{self as game, Position};
use sproutnet_solver::play::{GameKnowledge, Outcome, Play, ProvedOutcomes, Rules};

/// The time limit of the first search of an option.
const FIRST_SEARCH: Duration = Duration::from_millis(2);

/// A line of play from a position: the winner makes winning moves, the loser short ones. If no winning move is
/// known, small options are searched until the deadline.
///
/// # Errors
/// A search cannot be made.
pub fn line(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    deadline: Instant,
) -> io::Result<Line> {
    let game = known.game().as_ref();
    let mut position = position.clone();
    let mut outcome = resolved(known, &position, play);
    let mut steps = Vec::new();
    loop {
        steps.push(Step {
            canonical: game::qualified(game, &game.print(&position)),
            outcome: outcome.into(),
            verified: known.is_verified(play, &position),
        });
        let complete = position.lands().is_empty();
        let next = match outcome {
            Some(outcome) if !complete => next(known, &position, play, outcome, deadline)?,
            _ => None,
        };
        let Some(next) = next else {
            return Ok(Line {
                play,
                steps,
                complete,
            });
        };
        outcome = outcome.map(Outcome::reversed);
        position = next;
    }
}

/// The next position of a line, if there is one.
fn next(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    outcome: Outcome,
    deadline: Instant,
) -> io::Result<Option<Position>> {
    let Ok(options) = moves::options(known, position) else {
        return Ok(None);
    };
    match outcome {
        Outcome::Win => lost_option(known, options, play, deadline),
        // All moves lose. The end is known soonest after the one that leaves the fewest moves.
        Outcome::Loss => {
            let length = |option: &Position| known.game().max_moves_of(option);
            Ok(options.into_iter().min_by_key(length))
        }
    }
}

/// An option in which the player to move loses.
fn lost_option(
    known: &GameKnowledge,
    options: BTreeSet<Position>,
    play: Play,
    deadline: Instant,
) -> io::Result<Option<Position>> {
    let mut open = Vec::new();
    for option in options {
        match resolved(known, &option, play) {
            Some(Outcome::Loss) => return Ok(Some(option)),
            None if is_small(known, &option) => open.push(option),
            Some(Outcome::Win) | None => {}
        }
    }
    open.sort_by_cached_key(|option| known.game().max_moves_of(option));
    let mut time = FIRST_SEARCH;
    while !open.is_empty() && Instant::now() < deadline {
        let mut left = Vec::new();
        for option in open {
            let end = deadline.min(Instant::now() + time);
            match solve_small(known, &option, play, end)? {
                Some(Outcome::Loss) => return Ok(Some(option)),
                Some(Outcome::Win) => {}
                None => left.push(option),
            }
        }
        open = left;
        time *= 4;
    }
    Ok(None)
}

/// The outcome of a position, if it is known without a search.
fn resolved(known: &GameKnowledge, position: &Position, play: Play) -> Option<Outcome> {
    match play {
        Play::Normal => known.normal.resolve(&mut known.normal.state(position)),
        Play::Misere => known.misere.resolve(&mut known.misere.state(position)),
    }
}

#[cfg(test)]
mod tests;
