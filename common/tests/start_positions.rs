//! Outcomes of the start positions, against the published ones.
//!
//! With `SPROUTNET_SLOW_TESTS=1` in the environment larger ones are solved too.

use sproutnet_common::game::{Game, Sprouts};
use sproutnet_common::play::{Convention, Misere, Normal};

use crate::reference::{number, rows, slow_tests};
use crate::solver::Solver;

/// Solves the start positions of up to `most` spots, the largest last.
fn check<C: Convention>(outcomes: &[(u32, &str)], most: u32) {
    let solver = Solver::<C>::new(Sprouts);
    let rows: Vec<_> = outcomes
        .iter()
        .filter(|&&(spots, _)| spots <= most)
        .collect();
    assert_eq!(
        rows.len() as u32,
        most + 1,
        "a row for every number of spots"
    );
    for (spots, outcome) in rows {
        let position = Sprouts.start_text(*spots);
        let found = solver.outcome(&position);
        assert_eq!(found.name(), *outcome, "{} {position}", C::PLAY);
    }
}

#[test]
fn normal() {
    let rows = rows::<4>(include_str!("reference/normal_outcomes.tsv"));
    let outcomes: Vec<_> = rows.iter().map(|row| (number(row[0]), row[1])).collect();
    check::<Normal>(&outcomes, if slow_tests() { 16 } else { 14 });
}

#[test]
fn misere() {
    let rows = rows::<2>(include_str!("reference/misere_outcomes.tsv"));
    let outcomes: Vec<_> = rows.iter().map(|row| (number(row[0]), row[1])).collect();
    check::<Misere>(&outcomes, if slow_tests() { 13 } else { 11 });
}
