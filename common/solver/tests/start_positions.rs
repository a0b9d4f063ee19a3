//! Outcomes of the start positions, against the published ones.
//!
//! With `SPROUTNET_FULL_TESTS=1` in the environment larger ones are solved too, and with
//! `SPROUTNET_MISERE_SPOTS=20` all that were ever published for misère play, which takes far longer.

use sproutnet_game::Sprouts;
use sproutnet_solver::play::{Convention, Misere, Normal};
use sproutnet_solver::search::Table;

use sproutnet_testkit::reference::{number, rows, slow_tests};
use sproutnet_testkit::solver::Solver;

/// Solves the start positions of up to `most` spots, the largest last.
fn check<C: Convention>(outcomes: &[(u32, &str)], most: u32) {
    // It takes memory as it fills.
    let table = Table::new(1 << 30).expect("memory");
    let solver = Solver::<C>::with_table(Sprouts, table);
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
        let position = Sprouts::start(*spots);
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
    let most = std::env::var("SPROUTNET_MISERE_SPOTS").map(|most| number(&most));
    let usual = if slow_tests() { 17 } else { 14 };
    check::<Misere>(&outcomes, most.unwrap_or(usual));
}
