use super::*;

/// The rates, in whole expansions a second, seen at these points.
fn rates(points: &[(f64, u64)]) -> Vec<u64> {
    let mut rate = Rate::default();
    let rates = points
        .iter()
        .map(|&(seconds, expansions)| rate.at(seconds, expansions) as u64);
    rates.collect()
}

#[test]
fn the_average_at_first_then_what_is_recent() {
    assert_eq!(rates(&[(0.0, 0), (1.0, 10), (2.0, 40)]), [0, 10, 20]);
    // Joined after an hour at 1,000 a second; now it goes at 10 a second.
    let points = [
        (3600.0, 3_600_000),
        (3605.0, 3_600_050),
        (3608.0, 3_600_080),
        (3611.0, 3_600_110),
    ];
    assert_eq!(rates(&points), [1000, 10, 10, 10]);
}

#[test]
fn a_count_that_begins_anew() {
    assert_eq!(rates(&[(100.0, 1000), (2.0, 10), (4.0, 20)]), [10, 5, 5]);
}
