//! Kayles, whose nimbers have been known since 1956 and whose misère outcomes are easily found by
//! brute force.

use std::collections::HashMap;

use sproutnet_game::Kayles;
use sproutnet_solver::play::{Misere, Normal, Outcome};

use sproutnet_testkit::solver::Solver;

/// Nimbers of the rows of 0 to 83 pins, twelve a line (Guy and Smith 1956; from 72 pins on the last
/// line repeats).
const NIMBERS: [[u32; 12]; 7] = [
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6],
    [4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7],
    [4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7],
    [4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 6, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7],
];

/// Outcomes by trying everything.
#[derive(Default)]
struct BruteForce {
    /// Whether the player to move wins the rows, which are sorted and not empty.
    wins: HashMap<(bool, Vec<u32>), bool>,
}

impl BruteForce {
    fn wins(&mut self, misere: bool, rows: &[u32]) -> bool {
        let mut rows: Vec<u32> = rows.iter().copied().filter(|&pins| pins > 0).collect();
        rows.sort_unstable();
        if rows.is_empty() {
            return misere;
        }
        let key = (misere, rows);
        if let Some(&wins) = self.wins.get(&key) {
            return wins;
        }
        let (_, rows) = &key;
        let wins = (0..rows.len()).any(|i| {
            // The pins from `first` on, below `end`, are knocked down.
            (0..rows[i]).any(|first| {
                (first + 1..=rows[i].min(first + 2)).any(|end| {
                    let mut after = rows.clone();
                    after[i] = first;
                    after.push(rows[i] - end);
                    !self.wins(misere, &after)
                })
            })
        });
        self.wins.insert(key, wins);
        wins
    }

    fn outcome(&mut self, misere: bool, rows: &[u32]) -> Outcome {
        Outcome::win_if(self.wins(misere, rows))
    }
}

fn text(rows: &[u32]) -> String {
    let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
    rows.join("+")
}

#[test]
fn nimbers_of_rows() {
    let solver = Solver::<Normal>::new(Kayles);
    for (pins, &nimber) in NIMBERS.as_flattened().iter().enumerate() {
        assert_eq!(solver.nimber(&pins.to_string()), nimber, "{pins}");
    }
}

#[test]
fn nimber_of_a_long_row_from_nothing() {
    assert_eq!(Solver::<Normal>::new(Kayles).nimber("83"), NIMBERS[6][11]);
}

#[test]
fn normal_outcomes_of_sums() {
    let solver = Solver::<Normal>::new(Kayles);
    let mut brute_force = BruteForce::default();
    for_sums(16, 12, |rows| {
        let expected = brute_force.outcome(false, rows);
        assert_eq!(solver.outcome(&text(rows)), expected, "{rows:?}");
    });
}

#[test]
fn misere_outcomes_of_rows() {
    let solver = Solver::<Misere>::new(Kayles);
    let mut brute_force = BruteForce::default();
    for pins in 0..=45 {
        let expected = brute_force.outcome(true, &[pins]);
        assert_eq!(solver.outcome(&pins.to_string()), expected, "{pins}");
    }
}

#[test]
fn misere_outcomes_of_sums() {
    let solver = Solver::<Misere>::new(Kayles);
    let mut brute_force = BruteForce::default();
    for_sums(18, 12, |rows| {
        let expected = brute_force.outcome(true, rows);
        assert_eq!(solver.outcome(&text(rows)), expected, "{rows:?}");
    });
}

/// Sums of two rows of up to `of_two` pins, and of three rows of up to `of_three` pins.
fn for_sums(of_two: u32, of_three: u32, mut check: impl FnMut(&[u32])) {
    for a in 1..=of_two {
        (a..=of_two).for_each(|b| check(&[a, b]));
    }
    for a in 1..=of_three {
        for b in a..=of_three {
            (b..=of_three).for_each(|c| check(&[a, b, c]));
        }
    }
}
