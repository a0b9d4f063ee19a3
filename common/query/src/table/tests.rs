use super::*;
use sproutnet_solver::play::Outcome;

#[test]
fn published_outcomes_are_found_by_position() {
    let of_one = |spots: &str, play| published_of(spots, play).map(|(outcome, ..)| outcome);
    let source = |spots: &str, play| published_of(spots, play).map(|(_, source, _)| source);
    assert_eq!(of_one("0*38", Play::Normal), Some(Outcome::Loss));
    assert_eq!(source("0*38", Play::Normal), Some(Source::Literature));
    assert_eq!(of_one("0*21", Play::Misere), Some(Outcome::Loss));
    assert_eq!(source("0*21", Play::Misere), Some(Source::Atlas));
    assert_eq!(of_one("0*21", Play::Normal), Some(Outcome::Win));
    assert_eq!(of_one("0*63", Play::Normal), None);
    assert_eq!(of_one("0*3.1a1a", Play::Normal), None);
}
