//! Searches guided by the facts of another convention, true or false.

use std::sync::Arc;

use sproutnet_game::Sprouts;
use sproutnet_solver::play::{Convention, Exchange, Normal, Outcome, Record, Switch, Switches};
use sproutnet_solver::search::Table;

use sproutnet_testkit::solver::Solver;

/// A solver without facts, guided by another.
fn guided_by(guide: &Arc<Normal>, switches: Switches) -> Solver<Normal> {
    let table = Table::new(64 << 20).expect("memory");
    Solver::of(Sprouts, table, |_| {
        Normal::guided_by(Arc::clone(guide)).with(switches)
    })
}

fn without_partial() -> Switches {
    Switches::default().without(Switch::Partial)
}

#[test]
fn a_guide_shortens_the_search() {
    let table = Table::new(64 << 20).expect("memory");
    let first = Solver::of(Sprouts, table, |lands| {
        Normal::new(lands).with(without_partial())
    });
    let (_, visits) = first.outcome_and_visits("0*14");
    let guided = guided_by(&Arc::new(first.convention), without_partial());
    assert_eq!(guided.known("0*14"), None);
    let (outcome, fewer) = guided.outcome_and_visits("0*14");
    assert_eq!(outcome, Outcome::Loss);
    assert!(fewer * 2 < visits, "{fewer} of {visits}");
}

#[test]
fn a_wrong_guide_proves_nothing() {
    let first = Solver::<Normal>::new(Sprouts);
    assert_eq!(first.outcome("0*10"), Outcome::Win);
    let wrong = Solver::<Normal>::new(Sprouts);
    let mut learned = 0;
    for Record { key, value, .. } in first.convention.take_records() {
        // Nimbers are odd values: each is replaced by another.
        if value & 1 == 1 && wrong.convention.learn(&key, value ^ 2).is_ok() {
            learned += 1;
        }
    }
    assert!(learned > 20, "{learned}");
    let wrong = Arc::new(wrong.convention);
    for switches in [without_partial(), Switches::default()] {
        let guided = guided_by(&wrong, switches);
        for (position, outcome) in [
            ("0*8", Outcome::Loss),
            ("0*9", Outcome::Win),
            ("0*10", Outcome::Win),
        ] {
            assert_eq!(guided.outcome(position), outcome, "{position}");
        }
        for record in guided.convention.take_records() {
            first.learn(&record);
        }
    }
}
