//! Jobs reported in any order end in the right outcome.

use super::*;
use crate::play::Rules;

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
            let text = Sprouts::start(spots);
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

/// A state with its open children, as a search would report it.
fn with_children<C: Convention>(convention: &C, state: &State<C::Value>) -> StateBelow<C::Value> {
    let children = dfpn::children(convention, state, &|| false).expect("nothing stops it");
    let children = children.open().expect("it is not decided").into_iter();
    let numbers = Numbers {
        proof: 7,
        disproof: 9,
    };
    (
        state.clone(),
        children.map(|child| (child, numbers)).collect(),
    )
}

#[test]
fn a_report_reaches_several_levels_below_its_leaf_and_no_further() {
    let (convention, root) = start::<Normal>("0*9");
    let mut dag = Dag::new(Arc::clone(&convention), root.clone());
    let leaf = dag.lock().expect("the root");
    let (_, children) = with_children(&*convention, &root);
    let single = |(state, _): &(State<u32>, Numbers)| state.lands.len() == 1;
    let child = &children.iter().find(|child| single(child)).expect("one").0;
    let below = with_children(&*convention, child);
    let grandchild = &below.1.iter().find(|child| single(child)).expect("one").0;
    let further = with_children(&*convention, grandchild);
    // Of another position.
    let strange = convention.state(&Sprouts.parse("0*8.1a1a").expect("a position"));
    let strange = with_children(&*convention, &strange);
    // A state that comes before its parent is not below the leaf yet.
    let reported = vec![further.clone(), strange, below.clone()];
    dag.expand_deeply(leaf, children.clone(), reported);
    invariants::check(&dag, &[]);
    invariants::check_choices(&dag);
    let node_of = |dag: &Dag<Normal>, state: &State<u32>| dag.slab.find(convention.key(state));
    let below_of = |dag: &Dag<Normal>, state: &State<u32>| {
        node_of(dag, state).map(|node| dag.slab.standing(node).below)
    };
    assert_eq!(below_of(&dag, child), Some(Below::Choice));
    assert_eq!(below_of(&dag, grandchild), Some(Below::Leaf));
    // Reported of another leaf, the rest is passed over too.
    let other = dag.lock().expect("a leaf");
    dag.expand_deeply(other, Vec::new(), vec![further.clone()]);
    assert_eq!(below_of(&dag, grandchild), Some(Below::Leaf));

    let mut dag = Dag::new(Arc::clone(&convention), root);
    let leaf = dag.lock().expect("the root");
    dag.expand_deeply(leaf, children, vec![below.clone(), further]);
    invariants::check(&dag, &[]);
    invariants::check_choices(&dag);
    assert_eq!(below_of(&dag, grandchild), Some(Below::Choice));
}

#[test]
fn a_leaf_is_wanted_until_all_ways_to_the_root_are_closed() {
    let (convention, root) = start::<Normal>("0*9");
    let mut dag = Dag::new(Arc::clone(&convention), root);
    let leaf = dag.lock().expect("the root");
    assert!(dag.is_wanted(leaf));
    dag.expand_here(leaf, &|| false);
    // Two leaves below one child of the root.
    let child = dag.lock().expect("a child");
    dag.expand_here(child, &|| false);
    let slot = dag.slab.slot(child).expect("it is there");
    let below = dag.slab.node(slot).children.clone();
    let single = |slot: &&Slot| dag.slab.node(**slot).parents.len() == 1;
    let below: Vec<NodeId> = below
        .iter()
        .filter(single)
        .map(|&slot| dag.slab.id(slot))
        .collect();
    assert!(below.len() > 1 && below.iter().all(|&leaf| dag.is_wanted(leaf)));
    dag.solve(below[0], Outcome::Win);
    assert!(!dag.is_wanted(below[0]) && dag.is_wanted(below[1]));
    dag.solve(child, Outcome::Win);
    assert!(below.iter().all(|&leaf| !dag.is_wanted(leaf)));
    assert_eq!(dag.root().outcome(), None);
}
