use super::*;

fn bars(samples: &[(f64, u64)]) -> String {
    let mut spark = Spark::default();
    for &(seconds, count) in samples {
        spark.add(seconds, count);
    }
    spark.bars()
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
    // What went before is forgotten, be it ever so much.
    let mut samples = vec![(0.0, 0), (1.0, 1 << 40)];
    samples.extend((1..=100).map(|i| (f64::from(i), (1 << 40) + 10 * i as u64)));
    assert_eq!(bars(&samples), "█".repeat(30));
}

#[test]
fn a_count_that_begins_anew() {
    assert_eq!(bars(&[(0.0, 0), (50.0, 500), (1.0, 10), (5.0, 50)]), "██");
}
