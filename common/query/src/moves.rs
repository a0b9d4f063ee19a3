//! The moves of a position.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_model::{Known, Verdict};

use super::verdict;
use sproutnet_game::Position;
use sproutnet_solver::play::{GameKnowledge, Play};

/// The most moves that are listed.
pub const MOST_MOVES: usize = 20_000;

/// The position has more moves than are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the position has more than {MOST_MOVES} moves, too many to list")]
pub struct TooManyMoves;

/// All positions that a move leads to, each once.
///
/// # Errors
/// There are more than [`MOST_MOVES`].
pub(super) fn options(
    known: &GameKnowledge,
    position: &Position,
) -> Result<BTreeSet<Position>, TooManyMoves> {
    let mut options = BTreeSet::new();
    let end = known.game().moves(position, &mut |option| {
        options.insert(option);
        if options.len() > MOST_MOVES {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    match end {
        ControlFlow::Continue(()) => Ok(options),
        ControlFlow::Break(()) => Err(TooManyMoves),
    }
}

/// The moves of a position with what is known of them at sight, those that win under the
/// convention first, those that lose last.
///
/// # Errors
/// There are more than [`MOST_MOVES`].
pub fn moves(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
) -> Result<Vec<Verdict>, TooManyMoves> {
    let options = options(known, position)?;
    let here = verdict(known, position);
    let told = |option: &Position| {
        let mut told = verdict(known, option).reversed();
        // Of a position that is lost all moves lose, also those that nobody has searched.
        for (play, here_is, option_is) in [
            (Play::Normal, here.normal, &mut told.normal),
            (Play::Misere, here.misere, &mut told.misere),
        ] {
            if here_is == Known::Loss {
                *option_is = Known::Loss;
                if here.verified.contains(&play) && !told.verified.contains(&play) {
                    told.verified.push(play);
                }
            }
        }
        told
    };
    let mut moves: Vec<Verdict> = options.iter().map(told).collect();
    sort(&mut moves, play);
    Ok(moves)
}

/// Sorts moves: those that win under the convention first, those that lose last; of these those that
/// win under the other one first; of these the shortest text.
fn sort(moves: &mut [Verdict], play: Play) {
    moves.sort_by(|a, b| {
        let key = |of: &Verdict| match play {
            Play::Normal => (of.normal, of.misere, of.canonical.len()),
            Play::Misere => (of.misere, of.normal, of.canonical.len()),
        };
        key(a)
            .cmp(&key(b))
            .then_with(|| a.canonical.cmp(&b.canonical))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_solver::play::Knowledge;

    #[test]
    fn all_moves_of_a_lost_position_lose_and_others_are_unknown() {
        let knowledge = Knowledge::default();
        let sprouts = knowledge.game("sprouts").expect("a game");
        let position = |text: &str| sprouts.game().parse(text).expect("a position");
        // Equal lands cancel under normal play, whatever their nimbers are.
        let pair = moves(sprouts, &position("0*9+0*9"), Play::Normal).expect("few moves");
        assert!(pair.iter().all(|of| of.normal == Known::Loss));
        assert!(pair.iter().all(|of| of.misere == Known::Unknown));
        let open = moves(sprouts, &position("0*9"), Play::Normal).expect("few moves");
        assert!(open.iter().any(|of| of.normal == Known::Unknown));
    }
}
