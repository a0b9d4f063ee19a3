//! The knowledge about a position, without a search.

use super::outcome::Looks;
use sproutnet_game::{self as game, Position};
use sproutnet_model::{Known, Verdict};
use sproutnet_solver::play::misere::genus::Genus;
use sproutnet_solver::play::{GameKnowledge, Play, ProvedOutcomes, Rules};
use sproutnet_solver::theory::{self, quotient::Effort};

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
        [] if !game.is_partizan() => known.misere.genus(misere.value),
        _ => None,
    };
    let outcome = looks.outcome(known, position, Play::Normal);
    let nimber = match normal.lands[..] {
        _ if game.is_partizan() => None,
        [] => Some(normal.value),
        _ => genus
            .as_ref()
            .map(Genus::nimber)
            .or_else(|| theory::told(game, position, Play::Normal, Effort::Look)?.nimber)
            .or_else(|| nimber_of(outcome)),
    };
    Verdict {
        canonical: game::qualified(game, &game.print(position)),
        normal: outcome.into(),
        misere: looks.outcome(known, position, Play::Misere).into(),
        nimber,
        genus: genus.map(|genus| genus.to_string()),
        verified: Play::ALL
            .into_iter()
            .filter(|&play| known.is_verified(play, position))
            .collect(),
    }
}

/// The nimber that an outcome under normal play tells: a position is lost exactly if its nimber is 0.
pub fn nimber_of(outcome: impl Into<Known>) -> Option<u32> {
    (outcome.into() == Known::Loss).then_some(0)
}

#[cfg(test)]
mod tests;
