//! The knowledge about a position, without a search.

use super::outcome::Looks;
use sproutnet_game::{self as game, Position};
use sproutnet_model::Verdict;
use sproutnet_solver::play::misere::genus::Genus;
use sproutnet_solver::play::{GameKnowledge, Play, ProvedOutcomes, Rules};

/// The verdict on a position without a search: from knowledge, direct evaluation of small lands, and the known outcomes
/// of its options.
pub fn verdict(known: &GameKnowledge, position: &Position) -> Verdict {
    verdict_by(known, position, &mut Looks::default())
}

/// Like [`verdict`], with looks that several verdicts share.
pub(super) fn verdict_by(known: &GameKnowledge, position: &Position, looks: &mut Looks) -> Verdict {
    let game = known.game().as_ref();
    let mut normal = known.normal.state(position);
    let mut misere = known.misere.state(position);
    known.normal.fold(&mut normal);
    known.misere.fold(&mut misere);
    let genus = match misere.lands[..] {
        [] => known.misere.genus(misere.value),
        _ => None,
    };
    Verdict {
        canonical: game::qualified(game, &game.print(position)),
        normal: looks.outcome(known, position, Play::Normal).into(),
        misere: looks.outcome(known, position, Play::Misere).into(),
        nimber: match normal.lands[..] {
            [] => Some(normal.value),
            _ => genus.as_ref().map(Genus::nimber),
        },
        genus: genus.map(|genus| genus.to_string()),
        verified: Play::ALL
            .into_iter()
            .filter(|&play| known.is_verified(play, position))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
