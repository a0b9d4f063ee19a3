//! The moves of a position.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;

use sproutnet_model::{Answer, Known, Verdict};

use super::OnTheSpot;
use super::outcome::Looks;
use super::published::winning_move;
use super::verdict::verdict_by;
use super::work;
use sproutnet_game::Position;
use sproutnet_solver::play::{GameKnowledge, Play};

/// The maximum number of listed moves.
pub const MAX_MOVES: usize = 20_000;

/// The reason why the moves of a position cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum MovesError {
    /// There are too many.
    #[error("the position has more than {MAX_MOVES} moves, too many to list")]
    TooMany,
    /// A search could not be made.
    #[error(transparent)]
    Search(#[from] io::Error),
}

/// All options of a position, each once.
///
/// # Errors
/// There are more than [`MAX_MOVES`].
pub fn options(
    known: &GameKnowledge,
    position: &Position,
) -> Result<BTreeSet<Position>, MovesError> {
    let mut options = BTreeSet::new();
    let end = known.lands.moves(position, &mut |option| {
        options.insert(option);
        if options.len() > MAX_MOVES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if end.is_break() {
        Err(MovesError::TooMany)
    } else {
        Ok(options)
    }
}

/// Whether making all options of a position takes longer than a reader of a page should wait.
pub fn are_slow_to_list(known: &GameKnowledge, position: &Position) -> bool {
    if work::length(position) < work::LARGE {
        return false;
    }
    let mut done = 0;
    let end = known.lands.moves(position, &mut |option| {
        done += work::of(&option);
        if done > work::MOST {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    end.is_break()
}

/// The moves of a position with their verdicts, sorted: moves that win under the convention first, moves that lose
/// last. The consequences of the answer for the moves are included. Small options are searched on the spot.
///
/// # Errors
/// There are more than [`MAX_MOVES`], or a search cannot be made.
pub fn moves(
    on_the_spot: &OnTheSpot<'_>,
    position: &Position,
    answer: &Answer,
    play: Play,
) -> Result<Vec<Verdict>, MovesError> {
    let known = on_the_spot.known();
    let options = options(known, position)?;
    let mut plays = Play::ALL;
    plays.sort_by_key(|&other| other != play);
    for play in plays {
        if answer.standing(play).outcome != Known::Loss {
            on_the_spot.solve_each(position, &options, play, |_, _| ControlFlow::Continue(()))?;
        }
    }
    Ok(sorted_moves(known, &options, answer, play))
}

/// The same for these options, from what is known, without a search.
pub fn sorted_moves(
    known: &GameKnowledge,
    options: &BTreeSet<Position>,
    answer: &Answer,
    play: Play,
) -> Vec<Verdict> {
    let mut looks = Looks::default();
    let verdict_of = |option| verdict_by(known, option, &mut looks).reversed();
    let mut moves: Vec<Verdict> = options.iter().map(verdict_of).collect();
    let game = known.game().as_ref();
    for play in Play::ALL {
        if let Some(proved) = winning_move(game, &answer.canonical, play) {
            let proved = game.print(proved);
            let mut moves = moves.iter_mut();
            if let Some(of) = moves.find(|of| of.canonical == proved) {
                *of.outcome_mut(play) = Known::Win;
            }
        }
        follow(answer, play, &mut moves);
    }
    // Among equals, moves that win under the other convention come first, then short texts.
    moves.sort_by(|a, b| {
        let key = |of: &Verdict| (of.outcome(play), of.normal, of.misere, of.canonical.len());
        key(a)
            .cmp(&key(b))
            .then_with(|| a.canonical.cmp(&b.canonical))
    });
    moves
}

/// Adds the consequences of the outcome of a position for its moves.
fn follow(answer: &Answer, play: Play, moves: &mut [Verdict]) {
    let here = answer.standing(play);
    match here.outcome {
        // Every move loses, even if its option has never been searched.
        Known::Loss => {
            for of in moves {
                *of.outcome_mut(play) = Known::Loss;
                if here.verified && !of.verified.contains(&play) {
                    of.verified.push(play);
                }
            }
        }
        // If all moves but one lose, that one wins.
        Known::Win => {
            let mut others = moves
                .iter_mut()
                .filter(|of| of.outcome(play) != Known::Loss);
            if let (Some(only), None) = (others.next(), others.next()) {
                *only.outcome_mut(play) = Known::Win;
            }
        }
        Known::InProgress | Known::Unknown => {}
    }
}

#[cfg(test)]
mod tests;
