//! Nimbers and outcomes of several thousand positions, against tables made with other solvers.
//!
//! Of the positions with many lives only a share is solved; with `SPROUTNET_FULL_TESTS=1` in the environment all are,
//! which takes a minute and a half in an optimised build.

use sproutnet_game::{Game, Sprouts};
use sproutnet_solver::play::{Misere, Normal};

use sproutnet_testkit::reference::{number, rows, slow_tests};
use sproutnet_testkit::solver::Solver;

/// The maximum number of lives of positions that are always solved.
const FEW_LIVES: u32 = 15;

/// One in this many of the others is solved.
const SHARE: usize = 8;

/// The rows to be solved. Each row starts with its position.
fn chosen<const COLUMNS: usize>(table: &str) -> Vec<[&str; COLUMNS]> {
    let mut rows = rows(table);
    let mut many_lives = 0;
    rows.retain(|row: &[&str; COLUMNS]| {
        if slow_tests() || lives(row[0]) <= FEW_LIVES {
            return true;
        }
        many_lives += 1;
        many_lives % SHARE == 0
    });
    rows
}

fn lives(text: &str) -> u32 {
    let position = Sprouts.parse(text).expect("the tables hold positions");
    let lands = position.lands().iter();
    lands.map(|land| Sprouts.max_moves(land) + 1).sum()
}

#[test]
fn everything_below_4_spots() {
    let normal = Solver::<Normal>::new(Sprouts);
    let misere = Solver::<Misere>::new(Sprouts);
    let rows = rows::<4>(include_str!("reference/all_below_4_spots.tsv"));
    assert_eq!(rows.len(), 1796);
    for [position, nimber, normal_outcome, misere_outcome] in rows {
        let outcome = normal.outcome(position);
        assert_eq!(outcome.name(), normal_outcome, "normal {position}");
        assert_eq!(normal.nimber(position), number(nimber), "{position}");
        let outcome = misere.outcome(position);
        assert_eq!(outcome.name(), misere_outcome, "misere {position}");
    }
}

#[test]
fn normal_nimbers() {
    let solver = Solver::<Normal>::new(Sprouts);
    let rows = chosen::<4>(include_str!("reference/normal_nimbers.tsv"));
    assert!(rows.len() > 900);
    for [position, nimber, ..] in rows {
        assert_eq!(solver.nimber(position), number(nimber), "{position}");
    }
}

#[test]
fn misere_positions() {
    let normal = Solver::<Normal>::new(Sprouts);
    let misere = Solver::<Misere>::new(Sprouts);
    let rows = chosen::<3>(include_str!("reference/misere_positions.tsv"));
    assert!(rows.len() > 900);
    for [position, outcome, nimber] in rows {
        assert_eq!(misere.outcome(position).name(), outcome, "{position}");
        assert_eq!(normal.nimber(position), number(nimber), "{position}");
    }
}
