//! Searches with little memory and little time. A separate program, so that other tests do not take its time.

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use sproutnet_game::{Game, LandId, Sprouts};
use sproutnet_solver::play::{Convention, Misere, Normal, Outcome, Play, Record, Rules, State};
use sproutnet_solver::search::{Control, Table};

use sproutnet_testkit::solver::Solver;

/// The duration of a search before it has to stop.
const HEAD_START: Duration = Duration::from_millis(700);

/// The maximum time in which it has to stop then.
const PROMPT: Duration = Duration::from_secs(1);

/// The maximum number of checked records.
const CHECKED: usize = 40;

/// Solves with the smallest table there is, of about a thousand states.
fn solves_with_a_tiny_table<C: Convention>(position: &str, outcome: Outcome) {
    let solver = Solver::<C>::with_table(Sprouts, Table::new(4096).expect("memory"));
    let control = Control::until(Some(Instant::now() + Duration::from_secs(20)));
    let found = solver.search(&solver.state(position), &control).outcome();
    let visits = control.visits();
    assert_eq!(
        found,
        Some(outcome),
        "{} {position}: {visits} visits",
        C::PLAY
    );
}

#[test]
fn a_tiny_table_does() {
    solves_with_a_tiny_table::<Normal>("0*7", Outcome::Loss);
    solves_with_a_tiny_table::<Misere>("0*7", Outcome::Loss);
}

/// These visit many times more states than the table holds.
#[test]
fn a_table_that_forgets_does() {
    solves_with_a_tiny_table::<Normal>("0*8", Outcome::Loss);
    solves_with_a_tiny_table::<Normal>("0*10", Outcome::Win);
    solves_with_a_tiny_table::<Misere>("0*9", Outcome::Loss);
    solves_with_a_tiny_table::<Misere>("0*10", Outcome::Win);
}

/// Searches until cancelled by another thread.
fn cancelled<C: Convention>(solver: &Solver<C>, position: &str) {
    let state = solver.state(position);
    let control = Control::until(None);
    let (numbers, late) = thread::scope(|scope| {
        let search = scope.spawn(|| solver.search(&state, &control));
        thread::sleep(HEAD_START);
        assert!(!search.is_finished(), "{position} is not hard");
        let cancelled = Instant::now();
        control.cancel();
        let numbers = search.join().expect("the search does not panic");
        (numbers, cancelled.elapsed())
    });
    assert_eq!(numbers.outcome(), None, "{position}");
    assert!(late < PROMPT, "{position}: {late:?}");
}

/// Searches until the deadline.
fn overdue<C: Convention>(solver: &Solver<C>, position: &str) {
    let state = solver.state(position);
    let deadline = Instant::now() + HEAD_START;
    let numbers = solver.search(&state, &Control::until(Some(deadline)));
    assert!(Instant::now() >= deadline, "{position} is not hard");
    let late = deadline.elapsed();
    assert_eq!(numbers.outcome(), None, "{position}");
    assert!(late < PROMPT, "{position}: {late:?}");
}

/// Learns the records elsewhere, and checks that with them the position is solved as it should be.
fn solve_with<C: Convention>(records: &[Record], position: &str, outcome: Outcome) {
    let solver = Solver::<C>::new(Sprouts);
    for record in records {
        solver.learn(record);
    }
    assert_eq!(solver.outcome(position), outcome, "{position}");
}

/// Stops a search, again and again on a busy machine, until it came far enough to be checked.
fn enough_records<C: Convention>(
    solver: &Solver<C>,
    stop: fn(&Solver<C>, &str),
    position: &str,
) -> Vec<Record> {
    let mut records = Vec::new();
    while records.len() <= CHECKED {
        stop(solver, position);
        records.extend(solver.convention.take_records());
    }
    records
}

/// The states of records with the fewest moves left, which are quickly solved anew.
fn smallest<C: Convention>(
    convention: &C,
    records: &[Record],
    state: impl Fn(&Record) -> State<C::Value>,
) -> Vec<(Record, State<C::Value>)> {
    let mut states: Vec<_> = records
        .iter()
        .map(|record| (record.clone(), state(record)))
        .collect();
    let moves = |land: &LandId| convention.lands().max_moves(*land);
    states.sort_by_key(|(_, state)| state.lands.iter().map(moves).sum::<u32>());
    states.truncate(CHECKED);
    states
}

#[test]
fn a_normal_search_stops_at_once_and_its_records_are_true() {
    for stop in [cancelled, overdue] {
        let solver = Solver::<Normal>::new(Sprouts);
        let records = enough_records(&solver, stop, "0*30");
        solve_with::<Normal>(&records, "0*9", Outcome::Win);
        let fresh = Solver::<Normal>::new(Sprouts);
        let state = |record: &Record| {
            let subject = record.subject(Sprouts.code(), Play::Normal);
            let land = Sprouts.land(subject.expect("a record of normal play"));
            let land = land.expect("a record of a land");
            State::single(fresh.convention.lands().intern(&land), 0)
        };
        for (record, state) in smallest(&fresh.convention, &records, state) {
            let nimber = fresh.nimber_of(state.lands[0]);
            if record.value & 1 == 1 {
                assert_eq!(u64::from(nimber), record.value >> 1, "{record:?}");
            } else {
                assert_eq!(record.value >> 1 >> nimber & 1, 0, "{record:?}");
            }
        }
    }
}

#[test]
fn a_misere_search_stops_at_once_and_its_records_are_true() {
    for stop in [cancelled, overdue] {
        let solver = Solver::<Misere>::new(Sprouts);
        let records = enough_records(&solver, stop, "0*16");
        solve_with::<Misere>(&records, "0*9", Outcome::Loss);
        let fresh = Solver::<Misere>::new(Sprouts);
        let state = |record: &Record| {
            let subject = record.subject(Sprouts.code(), Play::Misere);
            let subject = subject.expect("a record of misere play");
            State::decode(subject, &fresh.convention).expect("a record of a state")
        };
        for (record, state) in smallest(&fresh.convention, &records, state) {
            let wins = fresh.solve(&state) == Outcome::Win;
            assert_eq!(u64::from(wins), record.value, "{record:?}");
        }
    }
}

/// One region with 25 boundaries, no two alike: dividing it is a choice of 2^24 sides for every
/// pair of spots of a boundary.
fn crowded_region() -> String {
    let mut text = String::from("0.0.0");
    for ends in 1..=12 {
        write!(text, ".{}2", "1".repeat(ends)).expect("strings take all that is written");
        write!(text, ".{}22", "1".repeat(ends)).expect("strings take all that is written");
    }
    text
}

#[test]
fn stops_amid_a_huge_expansion() {
    let crowded = crowded_region();
    let normal = Solver::<Normal>::new(Sprouts);
    cancelled(&normal, &crowded);
    overdue(&normal, &crowded);
    let lands = normal.convention.lands();
    assert!(lands.known_options(normal.land(&crowded)).is_none());
    let misere = Solver::<Misere>::new(Sprouts);
    cancelled(&misere, &crowded);
    overdue(&misere, &crowded);
    // A stopped search is no obstacle to the next one.
    assert_eq!(normal.outcome("0*7"), Outcome::Loss);
    assert_eq!(misere.outcome("0*7"), Outcome::Loss);
}
