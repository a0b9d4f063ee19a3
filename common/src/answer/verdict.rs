//! What is known of a position and of its options.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::game::{self, Position};
use crate::play::{Convention, GameKnowledge, Outcome};

/// What is known of one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Its canonical text, with the game's name unless it is Sprouts.
    pub canonical: String,
    /// Who wins under normal play, seen from the player to move.
    pub normal: Option<Outcome>,
    /// Who wins under misère play, seen from the player to move.
    pub misere: Option<Outcome>,
    /// The nimber.
    pub nimber: Option<u32>,
    /// The [genus](crate::play::misere::genus::Genus), if the position has few moves left.
    pub genus: Option<String>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The game's name.
    pub game: String,
    /// What is known of the position.
    pub verdict: Verdict,
    /// What is known of each of its lands alone, when there are several.
    pub lands: Vec<Verdict>,
    /// What is known of each of its options, when asked for.
    pub moves: Option<Vec<Verdict>>,
}

/// The most options that an answer lists.
const MOST_MOVES: usize = 20_000;

/// Looks a position up. Lands small enough are valued on the spot; nothing is searched.
///
/// # Errors
/// Moves are asked for, and there are too many to list; the text says so.
pub fn answer(
    known: &GameKnowledge,
    position: &Position,
    with_moves: bool,
) -> Result<Answer, String> {
    let lands = match position.lands() {
        [] | [_] => Vec::new(),
        lands => {
            let alone = lands.iter().map(|land| Position::new(vec![land.clone()]));
            alone.map(|land| verdict(known, &land)).collect()
        }
    };
    let moves = match with_moves {
        true => Some(moves(known, position)?),
        false => None,
    };
    Ok(Answer {
        game: known.game().name().to_owned(),
        verdict: verdict(known, position),
        lands,
        moves,
    })
}

fn verdict(known: &GameKnowledge, position: &Position) -> Verdict {
    let game = known.game().as_ref();
    let mut normal = known.normal.state(position);
    let normal_outcome = known.normal.resolve(&mut normal);
    let mut misere = known.misere.state(position);
    let misere_outcome = known.misere.resolve(&mut misere);
    let genus = match misere.lands[..] {
        [] => known.misere.genus(misere.value),
        _ => None,
    };
    Verdict {
        canonical: game::qualified(game, &game.print(position)),
        normal: normal_outcome,
        misere: misere_outcome,
        nimber: normal.lands.is_empty().then_some(normal.value),
        genus: genus.map(|genus| genus.to_string()),
    }
}

fn moves(known: &GameKnowledge, position: &Position) -> Result<Vec<Verdict>, String> {
    let mut options = BTreeSet::new();
    let end = known.game().moves(position, &mut |option| {
        options.insert(option);
        if options.len() > MOST_MOVES {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if end.is_break() {
        return Err(format!(
            "the position has more than {MOST_MOVES} moves, too many to list"
        ));
    }
    Ok(options
        .iter()
        .map(|option| verdict(known, option))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Knowledge;

    #[test]
    fn small_positions_are_known_at_sight_and_large_ones_are_not() {
        let knowledge = Knowledge::default();
        let sprouts = knowledge.game("sprouts").expect("a game");
        let position = |text: &str| sprouts.game().parse(text).expect("a position");
        let small = answer(sprouts, &position("0*2"), true).expect("few moves");
        assert_eq!(small.verdict.normal, Some(Outcome::Loss));
        assert_eq!(small.verdict.misere, Some(Outcome::Loss));
        assert_eq!(small.verdict.nimber, Some(0));
        assert_eq!(small.verdict.genus.as_deref(), Some("0^02"));
        assert_eq!(small.moves.map(|moves| moves.len()), Some(2));
        let large = answer(sprouts, &position("0*9+0*2"), false).expect("few moves");
        assert_eq!(large.verdict.normal, None);
        assert_eq!(large.verdict.genus, None);
        assert_eq!(large.lands.len(), 2);
        assert_eq!(
            large
                .lands
                .iter()
                .filter(|land| land.nimber.is_some())
                .count(),
            1
        );
    }
}
