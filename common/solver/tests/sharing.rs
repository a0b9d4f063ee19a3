//! Facts proved by one convention save searches by another, and threads may share one convention.

use std::collections::HashSet;
use std::thread;

use proptest::prelude::*;

use sproutnet_game::{Game, Sprouts, expansions_by_this_thread};
use sproutnet_solver::play::{
    Convention, Exchange, Misere, NimberStep, Normal, Outcome, Play, ProvedOutcomes, Record, Rules,
};

use sproutnet_testkit::solver::{Solver, cases};

fn learn_all<'a, C: Convention>(solver: &Solver<C>, records: impl IntoIterator<Item = &'a Record>) {
    for record in records {
        solver.learn(record);
    }
}

#[test]
fn what_normal_play_learned_it_need_not_search() {
    let first = Solver::<Normal>::new(Sprouts);
    let (outcome, visits) = first.outcome_and_visits("0*12");
    assert_eq!(outcome, Outcome::Loss);
    let records = first.convention.take_records();
    assert!(first.convention.take_records().is_empty(), "taken once");

    let second = Solver::<Normal>::new(Sprouts);
    let expanded_before = expansions_by_this_thread();
    assert_eq!(second.known("0*12"), None);
    learn_all(&second, &records);
    assert_eq!(second.known("0*12"), Some(Outcome::Loss));
    assert_eq!(expansions_by_this_thread(), expanded_before);
    assert!(
        second.convention.take_records().is_empty(),
        "not proved there"
    );

    // Without the record about the root the others still save nearly all the work.
    let third = Solver::<Normal>::new(Sprouts);
    let position = third.position("0*12");
    let root = Record::new(
        Sprouts.code(),
        Play::Normal,
        position.lands()[0].as_bytes(),
        0,
    )
    .key;
    learn_all(&third, records.iter().filter(|record| record.key != root));
    let (outcome, fewer_visits) = third.outcome_and_visits("0*12");
    assert_eq!(outcome, Outcome::Loss);
    assert!(fewer_visits * 20 < visits, "{fewer_visits} of {visits}");
}

#[test]
fn what_misere_play_learned_it_need_not_search() {
    for (position, expected) in [("0*9", Outcome::Loss), ("0*10", Outcome::Win)] {
        let first = Solver::<Misere>::new(Sprouts);
        let (outcome, visits) = first.outcome_and_visits(position);
        assert_eq!(outcome, expected, "{position}");
        let mut records = first.convention.take_records();

        // The losses found are enough to find the root's outcome again with little work.
        let second = Solver::<Misere>::new(Sprouts);
        learn_all(&second, &records);
        let (outcome, fewer_visits) = second.outcome_and_visits(position);
        assert_eq!(outcome, expected, "{position}");
        assert!(fewer_visits * 20 < visits, "{fewer_visits} of {visits}");

        first.convention.settle(&first.state(position), outcome);
        records.extend(first.convention.take_records());
        let third = Solver::<Misere>::new(Sprouts);
        assert_eq!(third.known(position), None);
        learn_all(&third, &records);
        assert_eq!(third.known(position), Some(expected), "{position}");
    }
}

/// Two threads with one convention and one table.
fn solve_side_by_side<C: Convention>(work: [&[(&str, Outcome)]; 2]) {
    let solver = Solver::<C>::new(Sprouts);
    thread::scope(|scope| {
        for positions in work {
            let solver = &solver;
            scope.spawn(move || {
                for &(position, outcome) in positions {
                    assert_eq!(solver.outcome(position), outcome, "{} {position}", C::PLAY);
                }
            });
        }
    });
    assert_eq!(solver.convention.contradiction(), None);
}

#[test]
fn threads_share_a_convention() {
    use Outcome::{Loss, Win};
    for _ in 0..2 {
        solve_side_by_side::<Normal>([
            &[("0*8", Loss), ("0*10", Win)],
            &[("0*9", Win), ("0*7", Loss), ("0*8", Loss), ("0*11", Win)],
        ]);
        solve_side_by_side::<Misere>([
            &[("0*9", Loss), ("0*10", Win)],
            &[("0*8", Loss), ("0*9", Loss), ("0*11", Win)],
        ]);
    }
}

/// The known facts about the lands in records.
fn known_nimbers(solver: &Solver<Normal>, records: &[Record]) -> Vec<Result<u32, u32>> {
    let lands = solver.convention.lands();
    let about = |record: &Record| {
        let subject = record.subject(Sprouts.code(), Play::Normal);
        let land = Sprouts.land(subject.expect("a record of normal play"));
        let land = lands.intern(&land.expect("a record of a land"));
        let nimber = solver.convention.nimber(land);
        // The value that is probed next shows the excluded ones.
        match nimber.expect("normal play has nimbers") {
            NimberStep::Known(nimber) => Ok(nimber),
            NimberStep::Next(probe) => Err(probe.value),
        }
    };
    records.iter().map(about).collect()
}

#[test]
fn the_order_of_normal_records_does_not_matter() {
    let first = Solver::<Normal>::new(Sprouts);
    let mut records = Vec::new();
    // Taken now and then, so that some lands have several records, each saying more.
    for position in ["0*6", "0*4.1a1a", "0*7", "0*8", "0*9", "0*10"] {
        first.outcome(position);
        records.extend(first.convention.take_records());
    }
    let keys: HashSet<_> = records.iter().map(|record| &record.key).collect();
    assert!(keys.len() < records.len(), "no land has two records");
    let in_order = Solver::<Normal>::new(Sprouts);
    learn_all(&in_order, &records);
    let expected = known_nimbers(&in_order, &records);
    proptest!(cases(12), |(shuffled in Just(records.clone()).prop_shuffle())| {
        let solver = Solver::<Normal>::new(Sprouts);
        learn_all(&solver, &shuffled);
        prop_assert_eq!(&known_nimbers(&solver, &records), &expected);
        prop_assert_eq!(solver.outcome("0*8"), Outcome::Loss);
        prop_assert_eq!(solver.outcome("0*10"), Outcome::Win);
        prop_assert_eq!(solver.outcome("0*11"), Outcome::Win);
    });
}

#[test]
fn the_order_of_misere_records_does_not_matter() {
    let first = Solver::<Misere>::new(Sprouts);
    first.outcome("0*9");
    first.outcome("0*10");
    let records = first.convention.take_records();
    assert!(records.len() > 100);
    proptest!(cases(12), |(shuffled in Just(records).prop_shuffle())| {
        let solver = Solver::<Misere>::new(Sprouts);
        learn_all(&solver, &shuffled);
        prop_assert_eq!(solver.known("0*9"), Some(Outcome::Loss));
        let (outcome, visits) = solver.outcome_and_visits("0*10");
        prop_assert_eq!(outcome, Outcome::Win);
        prop_assert!(visits < 1000, "{} visits", visits);
    });
}
