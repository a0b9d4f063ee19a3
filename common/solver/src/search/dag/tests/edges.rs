//! Children as no honest report has them.

use super::invariants::check;
use super::*;
use crate::play::Rules;

fn leaf_numbers(number: u32) -> Numbers {
    Numbers {
        proof: number,
        disproof: number,
    }
}

#[test]
fn numbers_prove_nothing() {
    let (convention, root) = start::<Misere>("0*6");
    let mut dag = Dag::new(Arc::clone(&convention), root);
    let leaf = dag.lock().expect("the root");
    let states = dfpn::children(&*convention, dag.state(leaf).expect("it is there"), &|| {
        false
    })
    .expect("no stop");
    let states = states.open().expect("not decided at once");
    for outcome in [Outcome::Loss, Outcome::Win] {
        let claimed = |state: State<_>| (state, Numbers::solved(outcome));
        let mut dag = Dag::new(
            Arc::clone(&convention),
            dag.state(leaf).expect("it is there").clone(),
        );
        let leaf = dag.lock().expect("the root");
        dag.expand(leaf, states.iter().cloned().map(claimed).collect());
        assert_eq!(dag.root().outcome(), None, "{outcome}");
        assert!(dag.lock().is_some());
    }
}

#[test]
fn no_way_leads_around_in_a_circle() {
    let (convention, root) = start::<Normal>("0*6");
    let with_value = |value| State {
        lands: root.lands.clone(),
        value,
    };
    let mut dag = Dag::new(Arc::clone(&convention), root.clone());
    // The same lands with other values, as only moves in the value leave them.
    for (value, next) in [(0, 3), (3, 2), (2, 1)] {
        let leaf = dag.lock().expect("a leaf");
        assert_eq!(*dag.state(leaf).expect("it is there"), with_value(value));
        dag.expand(leaf, vec![(with_value(next), leaf_numbers(5))]);
        check(&dag, &[]);
    }
    for back in [0, 1, 2, 3] {
        let leaf = dag.lock().expect("a leaf");
        assert_eq!(
            (dag.state(leaf).expect("it is there").value, dag.tries(leaf)),
            (1, back)
        );
        dag.expand(leaf, vec![(with_value(back), leaf_numbers(5))]);
        assert_eq!(dag.tries(leaf), back + 1);
        check(&dag, &[]);
    }
    let (_, longer) = start::<Normal>("0*7");
    let longer = State {
        lands: convention
            .lands()
            .intern_position(&Sprouts.parse("0*7").expect("a position")),
        value: longer.value,
    };
    let leaf = dag.lock().expect("a leaf");
    dag.expand(leaf, vec![(longer, leaf_numbers(5))]);
    assert_eq!(dag.tries(leaf), 5);
    check(&dag, &[]);
}

#[test]
fn a_child_told_twice_counts_once() {
    let (convention, root) = start::<Normal>("0*8");
    let mut dag = Dag::new(Arc::clone(&convention), root);
    let leaf = dag.lock().expect("the root");
    let states = dfpn::children(&*convention, dag.state(leaf).expect("it is there"), &|| {
        false
    })
    .expect("no stop");
    let states = states.open().expect("not decided at once");
    let twice = states.iter().chain(&states).cloned();
    dag.expand(leaf, twice.map(|state| (state, leaf_numbers(7))).collect());
    check(&dag, &[]);
    assert_eq!(dag.root().disproof, 7 * states.len() as u32);
}
