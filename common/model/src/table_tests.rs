use super::*;

#[test]
fn all_published_outcomes_are_read() {
    assert_eq!(published(Play::Normal).count(), 90);
    assert_eq!(published(Play::Misere).count(), 21);
    let last = published(Play::Normal).last().expect("some");
    assert_eq!(
        (last.spots, last.outcome, last.citation),
        (104, Outcome::Loss, "SPOTS 2025")
    );
    // Unknown in the publication.
    assert!(!published(Play::Normal).any(|known| known.spots == 63));
}
