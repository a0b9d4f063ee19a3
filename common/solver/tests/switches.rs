//! The outcome depends on no switch, seed or bound on memory, nor on the number of threads.
//!
//! With `SPROUTNET_FULL_TESTS=1` in the environment larger start positions are solved too, and each
//! seed with each bound on memory; otherwise seeds and bounds take turns.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sproutnet_game::{Game, Lands, Sprouts};
use sproutnet_solver::play::{Convention, Misere, Normal, Switch, Switches};
use sproutnet_solver::search::Table;

use sproutnet_testkit::reference::{number, rows, slow_tests};
use sproutnet_testkit::solver::Solver;

/// The maximum number of lives of the positions to choose from at random.
const FEW_LIVES: u32 = 12;

/// The number of chosen positions.
const CHOSEN: usize = 300;

/// The table has room for some thousand states, or for all.
const MEMORIES: [usize; 2] = [0, 16 << 20];

/// The numbers of threads, used in turn.
const THREADS: [usize; 3] = [1, 2, 3];

/// All switches on, each off alone, and all off; with seeds and bounds on memory.
fn grid() -> Vec<(Switches, usize)> {
    let all_on = Switches::default();
    let all_off = Switch::ALL.into_iter().fold(all_on, Switches::without);
    let each_off = Switch::ALL.map(|switch| all_on.without(switch));
    let choices = [all_on, all_off].into_iter().chain(each_off);
    let seeded = choices.flat_map(|mut switches: Switches| {
        (0..4).map(move |seed| {
            switches.seed = seed;
            switches
        })
    });
    let bounds = |switches: Switches| {
        let turn = switches.seed as usize % MEMORIES.len();
        let every = if slow_tests() { MEMORIES.len() } else { 1 };
        let memories = MEMORIES.into_iter().cycle().skip(turn).take(every);
        memories.map(move |memory| (switches, memory))
    };
    seeded.flat_map(bounds).collect()
}

/// The outcomes of positions, found by one solver for each point of the grid.
fn check<C: Convention>(with: fn(Arc<Lands>, Switches) -> C, expected: &[(String, &str)]) {
    for (i, (switches, memory)) in grid().into_iter().enumerate() {
        let threads = THREADS[i % THREADS.len()];
        let table = Table::new(memory).expect("memory");
        let solver = Solver::of(Sprouts, table, |lands| with(lands, switches));
        for (position, outcome) in expected {
            let found = solver.outcome_by(threads, position).name();
            let play = C::PLAY;
            assert_eq!(
                found, *outcome,
                "{play} {position} {switches:?} {memory} {threads}"
            );
        }
    }
}

fn normal(lands: Arc<Lands>, switches: Switches) -> Normal {
    Normal::new(lands).with(switches)
}

fn misere(lands: Arc<Lands>, switches: Switches) -> Misere {
    Misere::new(lands).with(switches)
}

/// The start positions and their outcomes.
fn starts<const COLUMNS: usize>(table: &'static str) -> Vec<(String, &'static str)> {
    let most = if slow_tests() { 12 } else { 9 };
    let rows = rows::<COLUMNS>(table).into_iter();
    rows.map(|row| (number(row[0]), row[1]))
        .filter(|&(spots, _)| spots <= most)
        .map(|(spots, outcome)| (Sprouts::start(spots), outcome))
        .collect()
}

#[test]
fn start_positions_under_normal_play() {
    let starts = starts::<4>(include_str!("reference/normal_outcomes.tsv"));
    check(normal, &starts);
}

#[test]
fn start_positions_under_misere_play() {
    let starts = starts::<2>(include_str!("reference/misere_outcomes.tsv"));
    check(misere, &starts);
}

#[test]
fn random_positions() {
    let rows = rows::<3>(include_str!("reference/misere_positions.tsv"));
    let few_lives = |text: &str| {
        let position = Sprouts.parse(text).expect("the table holds positions");
        let lands = position.lands().iter();
        lands.map(|land| Sprouts.max_moves(land) + 1).sum::<u32>() <= FEW_LIVES
    };
    let rows: Vec<_> = rows.into_iter().filter(|row| few_lives(row[0])).collect();
    let chosen = subsequence(rows, CHOSEN).new_tree(&mut TestRunner::deterministic());
    let chosen = chosen.expect("there are as many").current();
    let outcomes = chosen
        .iter()
        .map(|&[position, outcome, _]| (position.to_owned(), outcome));
    check(misere, &outcomes.collect::<Vec<_>>());
    let outcomes = chosen.iter().map(|&[position, _, nimber]| {
        let outcome = if number(nimber) == 0 { "loss" } else { "win" };
        (position.to_owned(), outcome)
    });
    check(normal, &outcomes.collect::<Vec<_>>());
}
