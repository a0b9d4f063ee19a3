use super::*;

fn bars(samples: &[(f64, u64)]) -> String {
    let mut history = History::default();
    for &(seconds, count) in samples {
        history.add(seconds, count);
    }
    history.bars()
}

#[test]
fn a_bar_for_two_seconds() {
    assert_eq!(bars(&[]), "");
    assert_eq!(bars(&[(75.0, 1000), (76.9, 1100)]), "");
    assert_eq!(bars(&[(75.0, 1000), (77.0, 1100)]), "█");
    let samples = [(0.0, 0), (2.0, 70), (4.0, 140), (8.0, 140), (10.0, 150)];
    assert_eq!(bars(&samples), "██▁▁▂");
    assert_eq!(bars(&[(0.0, 5), (6.0, 5)]), "▁▁▁");
}

#[test]
fn the_last_minute_counts() {
    let samples: Vec<(f64, u64)> = (0..200).map(|i| (f64::from(i), 1000)).collect();
    assert_eq!(bars(&samples), "▁".repeat(30));
    // Older counts do not matter, however large.
    let mut samples = vec![(0.0, 0), (1.0, 1 << 40)];
    samples.extend((1..=100).map(|i| (f64::from(i), (1 << 40) + 10 * i as u64)));
    assert_eq!(bars(&samples), "█".repeat(30));
}

#[test]
fn a_count_that_begins_anew() {
    assert_eq!(bars(&[(0.0, 0), (50.0, 500), (1.0, 10), (5.0, 50)]), "██");
}

/// The rate after each point, in whole expansions per second.
fn rates(points: &[(f64, u64)]) -> Vec<u64> {
    let mut history = History::default();
    let rates = points.iter().map(|&(seconds, expansions)| {
        history.add(seconds, expansions);
        history.rate() as u64
    });
    rates.collect()
}

#[test]
fn the_average_at_first_then_what_is_recent() {
    assert_eq!(rates(&[(0.0, 0), (1.0, 10), (2.0, 40)]), [0, 10, 20]);
    // The first sample is after an hour at 1,000 expansions per second; from then on there are 10 per second.
    let points = [
        (3600.0, 3_600_000),
        (3605.0, 3_600_050),
        (3608.0, 3_600_080),
        (3611.0, 3_600_110),
    ];
    assert_eq!(rates(&points), [1000, 10, 10, 10]);
}

#[test]
fn a_rate_after_a_count_that_begins_anew() {
    assert_eq!(rates(&[(100.0, 1000), (2.0, 10), (4.0, 20)]), [10, 5, 5]);
}
