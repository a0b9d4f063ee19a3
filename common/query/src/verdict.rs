//! The knowledge about a position, without a search.

use sproutnet_game::{self as game, Position};
use sproutnet_model::Verdict;
use sproutnet_solver::play::misere::genus::Genus;
use sproutnet_solver::play::{Convention, GameKnowledge, Play};

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
mod tests {
    use super::*;
    use sproutnet_model::Known;
    use sproutnet_solver::play::Knowledge;

    #[test]
    fn small_positions_are_known_at_sight_and_large_ones_are_not() {
        let knowledge = Knowledge::default();
        let sprouts = knowledge.game("sprouts").expect("a game");
        let position = |text: &str| sprouts.game().parse(text).expect("a position");
        let small = verdict(sprouts, &position("0*2"));
        assert_eq!((small.normal, small.misere), (Known::Loss, Known::Loss));
        assert_eq!(small.nimber, Some(0));
        assert_eq!(small.genus.as_deref(), Some("0^02"));
        let sum = verdict(sprouts, &position("0*2+0*3"));
        assert_eq!((sum.nimber, sum.genus.is_some()), (Some(1), true));
        let large = verdict(sprouts, &position("0*9+0*2"));
        assert_eq!(large.normal, Known::Unknown);
        assert_eq!((large.nimber, large.genus), (None, None));
    }
}
