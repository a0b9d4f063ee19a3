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
