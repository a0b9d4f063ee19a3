use super::*;
use sproutnet_game as game;
use sproutnet_solver::play::Outcome;

fn known(text: &str, play: Play) -> Option<(Outcome, Source)> {
    let (game, position) = game::parse(text).expect("a position");
    let standing = published(&*game, &position, play)?;
    assert!(standing.citation.is_some(), "{text}");
    Some((standing.outcome.outcome()?, standing.source?))
}

#[test]
fn published_outcomes_are_found_by_position() {
    use Outcome::{Loss, Win};
    use Source::{Atlas, Literature};
    assert_eq!(known("0*38", Play::Normal), Some((Loss, Literature)));
    assert_eq!(known("0*21", Play::Misere), Some((Loss, Atlas)));
    assert_eq!(
        known("0*21", Play::Normal).map(|(outcome, _)| outcome),
        Some(Win)
    );
    assert_eq!(known("0*63", Play::Normal), None);
    assert_eq!(known("0*3.1a1a", Play::Normal), None);
    assert_eq!(known("kayles:5", Play::Normal), None);
}

#[test]
fn certificates_tell_the_outcome_after_their_winning_moves() {
    assert_eq!(
        known("0*9.AB|0*2.AB", Play::Misere),
        Some((Outcome::Loss, Source::Atlas))
    );
    assert_eq!(known("0*9.AB|0*2.AB", Play::Normal), None);
    for proof in proofs() {
        let Some(text) = proof.winning_move else {
            let is_small = ["!", "0*1"].contains(&proof.position);
            assert!(proof.outcome == Outcome::Loss || is_small, "{}", proof.name);
            continue;
        };
        assert_eq!(
            known(text, proof.play),
            Some((Outcome::Loss, Source::Atlas))
        );
        let after = winning_move(&Sprouts, proof.position, proof.play).expect("a move");
        let (game, start) = game::parse(proof.position).expect("a position");
        // It is a move.
        let knowledge = sproutnet_solver::play::Knowledge::default();
        let options = crate::options(knowledge.game(game.name()).expect("known"), &start);
        assert!(options.expect("few").contains(after), "{}", proof.name);
    }
}
