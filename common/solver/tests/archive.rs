//! A convention over an archive is as good as one that has learned all its records.

use std::sync::Arc;

use sproutnet_game::{Game, Sprouts, expansions_by_this_thread};
use sproutnet_solver::play::{
    Archive, Convention, Knowledge, Misere, Normal, Outcome, Play, Record,
};

use sproutnet_testkit::solver::{Shelf, Solver};

/// All facts proved on the way to an outcome, the outcome included.
fn records_of<C: Convention>(position: &str) -> (Outcome, Vec<Record>) {
    let solver = Solver::<C>::new(Sprouts);
    let outcome = solver.outcome(position);
    solver.convention.settle(&solver.state(position), outcome);
    (outcome, solver.convention.take_records())
}

fn answers_like_one_that_learned<C: Convention>(position: &str, others: &[&str]) {
    let (outcome, records) = records_of::<C>(position);
    let learned = Solver::<C>::new(Sprouts);
    for record in &records {
        learned.learn(record);
    }
    let behind = Solver::<C>::over(Sprouts, &Shelf::of(&records));
    let expanded_before = expansions_by_this_thread();
    assert_eq!(learned.known(position), Some(outcome), "{position}");
    assert_eq!(behind.known(position), Some(outcome), "{position}");
    assert_eq!(expansions_by_this_thread(), expanded_before);
    assert!(behind.convention.take_records().is_empty());
    for other in others {
        assert_eq!(behind.outcome(other), learned.outcome(other), "{other}");
    }
    assert_eq!(behind.convention.contradiction(), None);
}

#[test]
fn normal_play_over_an_archive() {
    answers_like_one_that_learned::<Normal>("0*11", &["0*10", "0*8", "0*9.1a1a", "0*7+0*9"]);
}

#[test]
fn misere_play_over_an_archive() {
    answers_like_one_that_learned::<Misere>("0*10", &["0*9", "0*8.1a1a", "0*4+0*5"]);
}

#[test]
fn nothing_is_kept_of_what_was_not_met() {
    let (_, mut records) = records_of::<Normal>("0*12");
    records.extend(records_of::<Misere>("0*10").1);
    assert!(records.len() > 500, "{}", records.len());
    let shelf: Arc<dyn Archive> = Shelf::of(&records);
    let behind = Knowledge::over(shelf);
    let before = behind.bytes();
    for record in &records {
        behind
            .learn(&record.key, record.value)
            .expect("a true record");
    }
    assert_eq!(behind.bytes(), before);
    assert!(behind.game("sprouts").expect("sprouts").lands.is_empty());

    let learned = Knowledge::default();
    for record in &records {
        learned
            .learn(&record.key, record.value)
            .expect("a true record");
    }
    assert!(learned.bytes() > before + 30 * records.len());
}

/// A record that comes after a fruitless look-up of its state is learned nonetheless.
fn learns_what_comes_later<C: Convention>(position: &str) {
    let (outcome, records) = records_of::<C>(position);
    let shelf = Shelf::of(&[]);
    let behind = Solver::<C>::over(Sprouts, &shelf);
    assert_eq!(behind.known(position), None, "{position}");
    for record in &records {
        shelf.put(record);
        behind.learn(record);
    }
    assert_eq!(behind.known(position), Some(outcome), "{position}");
}

#[test]
fn an_archive_may_grow() {
    learns_what_comes_later::<Normal>("0*9");
    learns_what_comes_later::<Normal>("0*8");
    learns_what_comes_later::<Misere>("0*9");
    learns_what_comes_later::<Misere>("0*10");
}

#[test]
fn malformed_values_of_an_archive_say_nothing() {
    for value in [2 * 9 + 1, u64::MAX] {
        // 0*3 has 9 lives, hence 8 moves at most.
        let normal = Solver::<Normal>::new(Sprouts);
        let position = normal.position("0*3");
        let record = Record::new(
            Sprouts.code(),
            Play::Normal,
            position.lands()[0].as_bytes(),
            value,
        );
        let behind = Solver::<Normal>::over(Sprouts, &Shelf::of(&[record]));
        assert_eq!(behind.nimber("0*3"), 1);

        let misere = Solver::<Misere>::new(Sprouts);
        let subject = misere.state("0*9").encode(&misere.convention);
        let subject = subject.expect("the value of nothing is short");
        let record = Record::new(Sprouts.code(), Play::Misere, &subject, value);
        let behind = Solver::<Misere>::over(Sprouts, &Shelf::of(&[record]));
        assert_eq!(behind.outcome("0*9"), Outcome::Loss);
    }
}
