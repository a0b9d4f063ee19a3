//! The moves of a position.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_model::{Known, Verdict};

use super::verdict;
use sproutnet_game::Position;
use sproutnet_solver::play::{GameKnowledge, Play};

/// The largest number of moves that are listed.
pub const MAX_MOVES: usize = 20_000;

/// The position has more moves than are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the position has more than {MAX_MOVES} moves, too many to list")]
pub struct TooManyMoves;

/// All options of a position, each once.
///
/// # Errors
/// There are more than [`MAX_MOVES`].
pub(super) fn options(
    known: &GameKnowledge,
    position: &Position,
) -> Result<BTreeSet<Position>, TooManyMoves> {
    let mut options = BTreeSet::new();
    let end = known.game().moves(position, &mut |option| {
        options.insert(option);
        match options.len() > MAX_MOVES {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    match end.is_break() {
        true => Err(TooManyMoves),
        false => Ok(options),
    }
}

/// The moves of a position with their verdicts without a search, sorted: moves that win under the convention
/// first, moves that lose last.
///
/// # Errors
/// There are more than [`MAX_MOVES`].
pub fn moves(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
) -> Result<Vec<Verdict>, TooManyMoves> {
    let options = options(known, position)?;
    let here = verdict(known, position);
    let verdict_of = |option: &Position| {
        let mut verdict = verdict(known, option).reversed();
        // In a lost position every move loses, even if its option has never been searched.
        for (play, here_is, option_is) in [
            (Play::Normal, here.normal, &mut verdict.normal),
            (Play::Misere, here.misere, &mut verdict.misere),
        ] {
            if here_is == Known::Loss {
                *option_is = Known::Loss;
                if here.verified.contains(&play) && !verdict.verified.contains(&play) {
                    verdict.verified.push(play);
                }
            }
        }
        verdict
    };
    let mut moves: Vec<Verdict> = options.iter().map(verdict_of).collect();
    // Among equals, moves that win under the other convention come first, then short texts.
    moves.sort_by(|a, b| {
        let key = |of: &Verdict| (of.outcome(play), of.normal, of.misere, of.canonical.len());
        key(a)
            .cmp(&key(b))
            .then_with(|| a.canonical.cmp(&b.canonical))
    });
    Ok(moves)
}

#[cfg(test)]
mod tests;
