//! Lines of play in which the winner plays to win.

use std::io;
use std::ops::ControlFlow;

use sproutnet_model::{Known, Line, Step};

use super::outcome::Looks;
use super::published::winning_move;
use super::{OnTheSpot, moves, work};
use sproutnet_game::{self as game, Position};
use sproutnet_solver::play::{GameKnowledge, Outcome, Play};

/// A line of play from a position with an outcome: the winner makes winning moves, the loser short ones. If no winning
/// move is known, small options are searched on the spot. The line stays incomplete if it needs more than
/// [`work::MOST`].
///
/// # Errors
/// A search is impossible.
pub fn line(
    on_the_spot: &OnTheSpot<'_>,
    position: &Position,
    play: Play,
    outcome: Known,
) -> io::Result<Line> {
    let known = on_the_spot.known();
    let game = known.game().as_ref();
    let mut position = position.clone();
    let mut outcome = outcome;
    let mut looks = Looks::default();
    let mut left = work::MOST;
    let mut steps = Vec::new();
    loop {
        steps.push(Step {
            canonical: game::qualified(game, &game.print(&position)),
            outcome,
            verified: known.is_verified(play, &position),
        });
        let complete = position.lands().is_empty();
        let next = match outcome.outcome() {
            Some(outcome) if !complete => {
                next(on_the_spot, &position, play, outcome, &mut looks, &mut left)?
            }
            _ => None,
        };
        let Some(next) = next else {
            return Ok(Line {
                play,
                steps,
                complete,
            });
        };
        outcome = outcome.reversed();
        position = next;
    }
}

/// The next position of a line, if it is found with the work that is left.
fn next(
    on_the_spot: &OnTheSpot<'_>,
    position: &Position,
    play: Play,
    outcome: Outcome,
    looks: &mut Looks,
    left: &mut usize,
) -> io::Result<Option<Position>> {
    let known = on_the_spot.known();
    match outcome {
        Outcome::Win => {
            let game = known.game().as_ref();
            if let Some(proved) = winning_move(game, &game.print(position), play) {
                return Ok(Some(proved.clone()));
            }
            let is_lost = |option: &Position| {
                let outcome = looks.at_once(known, option, play);
                outcome == Some(Outcome::Loss)
            };
            match first(known, position, left, is_lost) {
                None if *left > 0 => {}
                found => return Ok(found),
            }
            let Ok(options) = moves::options(known, position) else {
                return Ok(None);
            };
            let options: Vec<Position> = options.into_iter().collect();
            let lost = lost_option(on_the_spot, position, &options, play, looks)?;
            Ok(lost.cloned())
        }
        Outcome::Loss => Ok(shortest(known, position, left)),
    }
}

/// The first option that passes a test.
fn first(
    known: &GameKnowledge,
    position: &Position,
    left: &mut usize,
    mut holds: impl FnMut(&Position) -> bool,
) -> Option<Position> {
    let mut found = None;
    let _ = known.lands.moves(position, &mut |option| {
        take(left, &option)?;
        if holds(&option) {
            found = Some(option);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// The option with the fewest moves left. If all moves lose, the end is known soonest after this one.
fn shortest(known: &GameKnowledge, position: &Position, left: &mut usize) -> Option<Position> {
    let mut shortest: Option<(u32, Position)> = None;
    let all = known.lands.moves(position, &mut |option| {
        take(left, &option)?;
        let length = known.game().max_moves_of(&option);
        let is_shorter = |(least, of): &(u32, Position)| (length, &option) < (*least, of);
        if shortest.as_ref().is_none_or(is_shorter) {
            shortest = Some((length, option));
        }
        ControlFlow::Continue(())
    });
    shortest
        .filter(|_| all.is_continue())
        .map(|(_, option)| option)
}

/// Takes the work of an option from what is left. Breaks if that is too little.
fn take(left: &mut usize, option: &Position) -> ControlFlow<()> {
    match left.checked_sub(work::of(option)) {
        Some(less) => {
            *left = less;
            ControlFlow::Continue(())
        }
        None => {
            *left = 0;
            ControlFlow::Break(())
        }
    }
}

/// An option of a won position in which the player to move loses.
fn lost_option<'p>(
    on_the_spot: &OnTheSpot<'_>,
    position: &Position,
    options: &'p [Position],
    play: Play,
    looks: &mut Looks,
) -> io::Result<Option<&'p Position>> {
    let known = on_the_spot.known();
    let mut open = Vec::new();
    for option in options {
        match looks.outcome(known, option, play) {
            Some(Outcome::Loss) => return Ok(Some(option)),
            Some(Outcome::Win) => {}
            None => open.push(option),
        }
    }
    // All other options are won.
    if let [lost] = open[..] {
        return Ok(Some(lost));
    }
    let mut lost = None;
    on_the_spot.solve_each(position, open, play, |option, outcome| {
        if outcome == Outcome::Loss {
            lost = Some(option);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(lost)
}

#[cfg(test)]
mod tests;
