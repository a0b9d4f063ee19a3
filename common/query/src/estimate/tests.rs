use super::*;
use sproutnet_notation::{Outcome, Play};

fn solved(size: u32, seconds: f64, expansions: u64) -> (u32, Solved) {
    let solved = Solved {
        game: "sprouts".to_owned(),
        position: format!("0*{size}"),
        play: Play::Normal,
        outcome: Outcome::Win,
        nimber: None,
        seconds,
        expansions,
        records: 0,
        solved_at: 0,
        computation: None,
    };
    (size, solved)
}

/// Exactly tenfold with each size, a thousand expansions a second.
fn tenfold(sizes: impl IntoIterator<Item = u32>) -> Vec<(u32, Solved)> {
    let of = |size: u32| {
        let expansions = 10_u64.pow(size);
        solved(size, expansions as f64 / 1_000.0, expansions)
    };
    sizes.into_iter().map(of).collect()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-4 * b.abs().max(1.0)
}

#[test]
fn a_perfect_line_has_no_spread() {
    let estimate = estimate(tenfold(2..6), 7).expect("four are behind it");
    assert!(
        is_near(estimate.low, 1e4) && is_near(estimate.high, 1e4),
        "{estimate:?}"
    );
    assert_eq!(estimate.behind, 4);
}

#[test]
fn the_interval_of_a_textbook() {
    // y = 1, 3, 2, 5, 4 at x = 1, …, 5: slope 0.8, mean 3; residuals −0.4, 0.8, −1, 1.2, −0.6; s² = 3.6 ÷ 3. At x = 7 the
    // line is at 3 + 0.8·4 = 6.2, and the error is √(1.2·(1 + 1/5 + 16/10)) = √3.36.
    let points = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 5.0), (5.0, 4.0)];
    let (middle, spread) = predicted(&points, 7.0).expect("enough points");
    assert!(
        is_near(middle, 6.2) && is_near(spread, 1.638 * 3.36_f64.sqrt()),
        "{middle} {spread}"
    );
}

#[test]
fn nothing_is_said_from_too_little() {
    assert_eq!(estimate(tenfold(2..4), 5), None);
    // Larger ones do not count, nor those that took no work.
    assert_eq!(estimate(tenfold([2, 3, 6, 7]), 5), None);
    let mut known = tenfold([2, 3]);
    known.push(solved(4, 0.0, 0));
    assert_eq!(estimate(known, 5), None);
    // Too far beyond the largest solved start.
    assert_eq!(estimate(tenfold(2..6), 12), None);
    assert!(estimate(tenfold(2..6), 11).is_some());
    assert_eq!(estimate(Vec::new(), 5), None);
}

#[test]
fn a_range_that_says_nothing_is_not_told() {
    let known = |middle| [(2, 100), (3, middle), (4, 10_000)].map(|(size, n)| solved(size, 1.0, n));
    assert!(estimate(known(1_200), 5).is_some());
    assert_eq!(estimate(known(10), 5), None);
}

#[test]
fn the_largest_eight_count() {
    let mut known = tenfold(4..12);
    // Small ones that would bend the line.
    known.extend([solved(1, 1.0, 1_000_000), solved(2, 1.0, 1_000_000)]);
    let estimate = estimate(known, 12).expect("enough are behind it");
    assert_eq!(estimate.behind, 8);
    assert!(is_near(estimate.low / estimate.high, 1.0));
}

#[test]
fn four_of_five_fall_within() {
    // Independent of the formula: efforts are drawn by the law, and the share of those within is counted.
    let mut random = fastrand::Rng::with_seed(3);
    let normal =
        |random: &mut fastrand::Rng| -> f64 { (0..12).map(|_| random.f64()).sum::<f64>() - 6.0 };
    let (mut within, rounds) = (0, 4_000);
    for _ in 0..rounds {
        let k = random.usize(LEAST..=MOST);
        let x = f64::from(random.u32(9..12));
        let y = |x: f64, random: &mut fastrand::Rng| 2.0 + 1.3 * x + 0.7 * normal(random);
        let points: Vec<_> = (0..k)
            .map(|i| (i as f64, y(i as f64, &mut random)))
            .collect();
        let (middle, spread) = predicted(&points, x).expect("enough points");
        within += u32::from((y(x, &mut random) - middle).abs() <= spread);
    }
    let share = f64::from(within) / f64::from(rounds);
    assert!((0.77..0.83).contains(&share), "{share}");
}
