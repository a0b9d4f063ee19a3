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
    let (mut visits, mut fewer) = (0, 0);
    for (position, outcome) in [
        ("0*12", Outcome::Loss),
        ("0*13", Outcome::Loss),
        ("0*14", Outcome::Loss),
    ] {
        let table = Table::new(64 << 20).expect("memory");
        let first = Solver::of(Sprouts, table, |lands| {
            Normal::new(lands).with(without_partial())
        });
        let (found, alone) = first.outcome_and_visits(position);
        assert_eq!(found, outcome, "{position}");
        let guided = guided_by(&Arc::new(first.convention), without_partial());
        assert_eq!(guided.known(position), None);
        let (found, with_guide) = guided.outcome_and_visits(position);
        assert_eq!(found, outcome, "{position}");
        visits += alone;
        fewer += with_guide;
    }
    assert!(fewer * 4 < visits * 3, "{fewer} of {visits}");
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
