use super::*;

#[test]
fn worth_is_a_logarithm_of_visits() {
    for (visits, log2) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (u64::MAX, 63)] {
        let worth = Worth::of_visits(visits);
        assert_eq!(worth.log2(), log2, "{visits} visits");
        assert_eq!(Worth::from_log2(log2), Some(worth));
        assert!(worth.visits() <= visits.max(1), "{visits} visits");
    }
    assert_eq!(Worth::from_log2(64), None);
}
