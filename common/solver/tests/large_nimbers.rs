//! Lands of nimbers above those that a set of excluded nimbers can have. A search ends there too, and all that it
//! reaches is in records.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_game::{self as game, Land};
use sproutnet_solver::play::{
    Convention, Exchange, NimberStep, Normal, Outcome, Play, ProvedOutcomes, Record, Switch,
    Switches,
};
use sproutnet_solver::search::{Control, Search, Table};

use sproutnet_testkit::solver::Solver;

/// Far more than any search here takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The largest nimber in a set.
const LARGEST: u32 = 61;

/// Sums whose lands have nimbers around and above the largest in a set, and the nimbers of their lands.
fn sums() -> Vec<(String, Vec<u32>)> {
    let mut sums = vec![
        ("nim:62+1".to_owned(), vec![62, 1]),
        ("nim:63+64".to_owned(), vec![63, 64]),
        ("nim:64+65".to_owned(), vec![64, 65]),
        ("nim:62+65+127".to_owned(), vec![62, 65, 127]),
        ("nim:100+101".to_owned(), vec![100, 101]),
        // The remainders by 101.
        ("bash:200/100+199/100".to_owned(), vec![99, 98]),
        ("bash:200/100+301/100".to_owned(), vec![99, 99]),
    ];
    let nimbers = wythoff(90);
    for lands in [
        [(40, 50), (50, 90)],
        [(24, 58), (26, 59)],
        [(17, 58), (33, 55)],
        [(80, 81), (1, 60)],
    ] {
        let text = lands.map(|(one, other)| format!("{one},{other}")).join("+");
        let nimbers = lands.map(|(one, other)| nimbers[one][other]);
        sums.push((format!("wythoff:{text}"), nimbers.to_vec()));
    }
    sums
}

/// The nimbers of the pairs of Wythoff's game up to a size, each the smallest that no option has.
fn wythoff(most: usize) -> Vec<Vec<u32>> {
    let mut nimbers = vec![vec![0; most + 1]; most + 1];
    for one in 0..=most {
        for other in 0..=most {
            let of_one = (0..one).map(|left| nimbers[left][other]);
            let of_other = (0..other).map(|left| nimbers[one][left]);
            let of_both = (1..=one.min(other)).map(|taken| nimbers[one - taken][other - taken]);
            let met: Vec<u32> = of_one.chain(of_other).chain(of_both).collect();
            let free = (0..=met.len() as u32).find(|nimber| !met.contains(nimber));
            nimbers[one][other] = free.expect("one more than there are options");
        }
    }
    nimbers
}

fn outcome(nimbers: &[u32]) -> Outcome {
    let sum = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
    Outcome::win_if(sum != 0)
}

/// A solver without facts of the game of a text, and the text without the game.
fn solver_of(text: &str) -> (Solver<Normal>, &str) {
    let (game, position) = text.split_once(':').expect("the name of a game");
    let table = Table::new(1 << 20).expect("memory");
    let game = game::by_name(game).expect("a game");
    (Solver::shared(game, table, Normal::new), position)
}

fn within_patience() -> Control {
    Control::until(Some(Instant::now() + PATIENCE))
}

/// The record of a false fact: the only heap has no nimber up to the largest in a set.
fn lie_about(solver: &Solver<Normal>, heap: &str) -> Record {
    let position = solver.position(heap);
    let subject = position.lands().first().map(Land::as_bytes);
    let all = ((1 << (LARGEST + 1)) - 1) << 1;
    let subject = subject.expect("a heap");
    Record::new(solver.game.code(), Play::Normal, subject, all)
}

#[test]
fn sums_of_large_nimbers_end() {
    for (text, nimbers) in sums() {
        assert!(nimbers.iter().any(|&nimber| nimber > LARGEST), "{text}");
        let (solver, position) = solver_of(&text);
        let control = within_patience();
        let found = solver.search(&solver.state(position), &control);
        let visits = control.visits();
        assert_eq!(found.outcome(), Some(outcome(&nimbers)), "{text}: {visits}");
        assert!(visits < 100_000, "{text}: {visits}");
        assert_eq!(solver.convention.contradiction(), None, "{text}");
    }
}

#[test]
fn sums_of_large_nimbers_end_on_two_threads() {
    for (text, nimbers) in sums() {
        let (solver, position) = solver_of(&text);
        let control = within_patience();
        let search = Search::new(&solver.convention, &solver.table, &control);
        let found = search.run_on(2, &solver.state(position)).expect("threads");
        assert_eq!(found.outcome(), Some(outcome(&nimbers)), "{text}");
        assert_eq!(solver.convention.contradiction(), None, "{text}");
    }
}

/// Each search starts with nothing but the records of those before, and is stopped soon.
#[test]
fn a_search_with_the_records_goes_on() {
    for (text, nimbers) in sums() {
        let mut records: Vec<Record> = Vec::new();
        let found = (0..200).find_map(|_| {
            let (solver, position) = solver_of(&text);
            for record in &records {
                solver.learn(record);
            }
            let control = Control::with_visits(1000);
            let found = solver.search(&solver.state(position), &control);
            records.extend(solver.convention.take_records());
            found.outcome()
        });
        assert_eq!(found, Some(outcome(&nimbers)), "{text}");
    }
}

#[test]
fn large_nimbers_are_found_and_kept() {
    let nimbers = wythoff(50);
    for (text, nimber) in [
        ("nim:61", 61),
        ("nim:62", 62),
        ("nim:130", 130),
        ("bash:300/70", 16),
        ("wythoff:40,50", nimbers[40][50]),
    ] {
        let (solver, position) = solver_of(text);
        assert_eq!(solver.nimber(position), nimber, "{text}");
        let (other, position) = solver_of(text);
        for record in solver.convention.take_records() {
            other.learn(&record);
        }
        let land = other.land(position);
        let known = other.convention.nimber(land).and_then(NimberStep::known);
        assert_eq!(known, Some(nimber), "{text}");
    }
}

#[test]
fn guided_searches_end() {
    for (text, nimbers) in sums() {
        let (first, position) = solver_of(&text);
        let expected = outcome(&nimbers);
        assert_eq!(first.outcome(position), expected, "{text}");
        let guide = Arc::new(first.convention);
        for switches in [
            Switches::default(),
            Switches::default().without(Switch::Partial),
        ] {
            let table = Table::new(1 << 20).expect("memory");
            let guided = Solver::shared(Arc::clone(&first.game), table, |_| {
                Normal::guided_by(Arc::clone(&guide)).with(switches)
            });
            let found = guided.search(&guided.state(position), &within_patience());
            assert_eq!(found.outcome(), Some(expected), "{text}");
        }
    }
}

#[test]
fn a_false_fact_about_a_large_nimber_is_contradicted() {
    // The remainders by 70 are 0 and 65.
    let (solver, position) = solver_of("bash:140/69+65/69");
    let lie = lie_about(&solver, "140/69");
    solver.learn(&lie);
    let control = within_patience();
    solver.search(&solver.state(position), &control);
    let contradiction = solver.convention.contradiction().expect("a lie");
    assert_eq!(contradiction.key, lie.key);
    assert!(control.visits() < 100_000, "{}", control.visits());
}
