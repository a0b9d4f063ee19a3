//! Jobs reported in any order end in the right outcome.

use super::*;

/// Solves a position with jobs of a few visits, several out at a time, ended in random order.
fn outcome_by_jobs<C: Convention>(text: &str, seed: u64) -> Outcome {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let convention = Arc::new(C::new(lands));
    let position = Sprouts.parse(text).expect("a position");
    let mut dag = Dag::new(Arc::clone(&convention), convention.state(&position));
    let table = Table::new(1 << 20).expect("memory");
    let mut random = seed;
    let mut out = Vec::new();
    loop {
        if let Some(outcome) = dag.root().outcome() {
            return outcome;
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        if out.len() < 4
            && let Some(leaf) = dag.lock()
        {
            out.push(leaf);
            continue;
        }
        assert!(!out.is_empty(), "unsolved, yet nothing to do");
        let leaf = out.swap_remove((random >> 33) as usize % out.len());
        let control = Control::with_visits(20);
        let numbers =
            Search::new(&*convention, &table, &control).run(dag.state(leaf).expect("it is there"));
        match numbers.outcome() {
            Some(outcome) => dag.solve(leaf, outcome),
            None if random >> 60 == 0 => dag.unlock(leaf),
            None => assert!(dag.expand_here(leaf, &|| false)),
        }
    }
}

#[test]
fn small_jobs_in_any_order_end_in_the_right_outcome() {
    use Outcome::{Loss, Win};
    let normal = [Loss, Loss, Win, Win, Win, Loss, Loss];
    let misere = [Win, Loss, Loss, Loss, Win, Win, Loss];
    for seed in 1..=3 {
        for spots in 1..=7 {
            let text = Sprouts.start_text(spots);
            let i = spots as usize - 1;
            assert_eq!(
                outcome_by_jobs::<Normal>(&text, seed),
                normal[i],
                "normal {text}"
            );
            assert_eq!(
                outcome_by_jobs::<Misere>(&text, seed),
                misere[i],
                "misere {text}"
            );
        }
    }
}

#[test]
fn sums_are_solved_part_by_part() {
    // Nimbers 1, 1 and 0: a loss. No two of the lands are equal.
    let sum = "0*4+0*5+0*6";
    assert_eq!(outcome_by_jobs::<Normal>(sum, 1), Outcome::Loss);
    assert_eq!(outcome_by_jobs::<Normal>("0*4+0*6", 1), Outcome::Win);
}
