//! The knowledge about a position, without a search.

use sproutnet_game::{self as game, Position};
use sproutnet_model::Verdict;
use sproutnet_solver::play::misere::genus::Genus;
use sproutnet_solver::play::{GameKnowledge, Play, ProvedOutcomes, Rules};

/// The verdict on a position from knowledge and direct evaluation of small lands, without a search.
pub fn verdict(known: &GameKnowledge, position: &Position) -> Verdict {
    let game = known.game().as_ref();
    let mut normal = known.normal.state(position);
    let mut misere = known.misere.state(position);
    let normal_outcome = known.normal.resolve(&mut normal);
    let misere_outcome = known.misere.resolve(&mut misere);
    let genus = match misere.lands[..] {
        [] => known.misere.genus(misere.value),
        _ => None,
    };
    Verdict {
        canonical: game::qualified(game, &game.print(position)),
        normal: normal_outcome.into(),
        misere: misere_outcome.into(),
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
