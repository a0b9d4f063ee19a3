//! Lines of play in which the winner plays to win.

use std::io;
use std::ops::ControlFlow;

use sproutnet_model::{Known, Line, Step};

use super::outcome::{Looks, resolved};
use super::{OnTheSpot, moves};
use sproutnet_game::{self as game, Position};
use sproutnet_solver::play::{Outcome, Play};

/// A line of play from a position with an outcome: the winner makes winning moves, the loser short ones. If no
/// winning move is known, small options are searched on the spot.
///
/// # Errors
/// A search cannot be made.
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
    let mut steps = Vec::new();
    loop {
        steps.push(Step {
            canonical: game::qualified(game, &game.print(&position)),
            outcome,
            verified: known.is_verified(play, &position),
        });
        let complete = position.lands().is_empty();
        let next = match outcome.outcome() {
            Some(outcome) if !complete => next(on_the_spot, &position, play, outcome, &mut looks)?,
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

/// The next position of a line, if there is one.
fn next(
    on_the_spot: &OnTheSpot<'_>,
    position: &Position,
    play: Play,
    outcome: Outcome,
    looks: &mut Looks,
) -> io::Result<Option<Position>> {
    let known = on_the_spot.known();
    let Ok(options) = moves::options(known, position) else {
        return Ok(None);
    };
    match outcome {
        Outcome::Win => {
            let options: Vec<Position> = options.into_iter().collect();
            let lost = lost_option(on_the_spot, &options, play, looks)?;
            Ok(lost.cloned())
        }
        // All moves lose. The end is known soonest after the one that leaves the fewest moves.
        Outcome::Loss => {
            let length = |option: &Position| known.game().max_moves_of(option);
            Ok(options.into_iter().min_by_key(length))
        }
    }
}

/// An option of a won position in which the player to move loses.
fn lost_option<'p>(
    on_the_spot: &OnTheSpot<'_>,
    options: &'p [Position],
    play: Play,
    looks: &mut Looks,
) -> io::Result<Option<&'p Position>> {
    let known = on_the_spot.known();
    let is_lost = |option: &&Position| resolved(known, option, play) == Some(Outcome::Loss);
    if let Some(lost) = options.iter().find(is_lost) {
        return Ok(Some(lost));
    }
    let mut open = Vec::new();
    for option in options {
        match looks.outcome(known, option, play) {
            Some(Outcome::Loss) => return Ok(Some(option)),
            Some(Outcome::Win) => {}
            None => open.push(option),
        }
    }
    // All others are won.
    if let [lost] = open[..] {
        return Ok(Some(lost));
    }
    let mut lost = None;
    on_the_spot.solve_each(open, play, |option, outcome| {
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
