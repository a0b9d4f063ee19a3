//! What a trim keeps and what it drops.

use super::invariants::{check, check_choices};
use super::*;
use crate::play::Rules;

#[test]
fn no_more_nodes_are_left_than_asked_for() {
    fn in_play<C: Convention>(text: &str) {
        let mut dag = grown::<C>(text, 400);
        dag.trim(usize::MAX);
        let whole = dag.nodes();
        assert!(whole > 1000, "{whole} nodes");
        let root = dag.root();
        for most in [whole, whole / 2, whole / 10, 100, 10, 1] {
            dag.trim(most);
            check(&dag, &[]);
            check_choices(&dag);
            assert!(dag.nodes() <= most, "{} of {most}", dag.nodes());
            assert!(
                dag.nodes() > most / 3 || most < 200,
                "{} of {most}",
                dag.nodes()
            );
            assert_eq!(dag.root(), root, "numbers sum up what was learnt");
        }
        dag.trim(0);
        assert_eq!((dag.nodes(), dag.root()), (1, root));
        assert_eq!(
            dag.lock(),
            Some(NodeId::default()),
            "the root is a job again"
        );
        assert!(dag.expand_here(NodeId::default(), &|| false));
        check(&dag, &[]);
    }
    in_play::<Normal>("0*14");
    in_play::<Misere>("0*12");
}

#[test]
fn the_most_proving_leaves_stay() {
    let mut dag = grown::<Misere>("0*12", 500);
    let leaf = dag.lock().expect("a leaf");
    dag.unlock(leaf);
    dag.trim(dag.nodes() / 4);
    assert_eq!(dag.lock(), Some(leaf));
}

#[test]
fn leaves_under_lease_stay_with_a_way_to_each() {
    let mut dag = grown::<Normal>("0*14", 300);
    let out: Vec<NodeId> = (0..50).map_while(|_| dag.lock()).collect();
    assert_eq!(out.len(), 50);
    dag.trim(0);
    check(&dag, &out);
    let reachable = dag.children_first();
    for leaf in &out {
        assert!(reachable.contains(&leaf.slot));
        dag.unlock(*leaf);
    }
    check(&dag, &[]);
    dag.trim(0);
    assert_eq!(dag.nodes(), 1);
    assert!(out.iter().all(|&leaf| dag.state(leaf).is_none()));
}

#[test]
fn a_lease_below_a_solved_node_keeps_its_leaf() {
    let mut dag = grown::<Misere>("0*9", 1);
    let children = dag.slab.node(Slot::ROOT).children.clone();
    let below = dag.lock().expect("a leaf");
    assert!(dag.expand_here(below, &|| false));
    let grandchild = dag.slab.node(below.slot).children[0];
    let leaf = dag.slab.id(grandchild);
    let before = dag.slab.standing(grandchild).view();
    dag.slab.standing_mut(grandchild).locked = true;
    dag.update_above(grandchild, before);
    // Another job found that its parent is won, so nothing needs it any more.
    let convention = Arc::clone(&dag.convention);
    let table = Table::new(1 << 20).expect("memory");
    let control = Control::default();
    let numbers =
        Search::new(&*convention, &table, &control).run(dag.state(below).expect("it is there"));
    dag.solve(below, numbers.outcome().expect("solved"));
    dag.trim(usize::MAX);
    check(&dag, &[leaf]);
    assert!(dag.state(leaf).is_some() && !dag.children_first().contains(&leaf.slot));
    assert!(!children.is_empty());
    dag.unlock(leaf);
    dag.trim(usize::MAX);
    assert!(dag.state(leaf).is_none());
}

#[test]
fn what_loses_a_job_below_is_free_again() {
    // Two ways lead to one leaf; the nodes are not really options of each other.
    let ways = [
        ("0*9", &["0*8", "0*7"][..]),
        ("0*8", &["0*6"]),
        ("0*7", &["0*5"]),
        ("0*6", &["0*4"]),
        ("0*5", &["0*4"]),
    ];
    let (convention, root) = start::<Misere>("0*9");
    let state = |text| convention.state(&Sprouts.parse(text).expect("a position"));
    let mut dag = Dag::new(Arc::clone(&convention), root);
    for _ in 0..ways.len() {
        let next = |dag: &mut Dag<Misere>| {
            let leaf = dag.lock().expect("a leaf");
            let way = ways
                .iter()
                .find(|(from, _)| state(from) == *dag.state(leaf).expect("it is there"));
            (leaf, way)
        };
        let (leaf, way) = next(&mut dag);
        // The common leaf is tried again until all else is expanded.
        let (leaf, way) = match way {
            Some(way) => (leaf, way),
            None => {
                let (other, way) = next(&mut dag);
                dag.unlock(leaf);
                (other, way.expect("to be expanded"))
            }
        };
        let numbers = Numbers {
            proof: 5,
            disproof: 5,
        };
        let children = way.1.iter().map(|to| (state(to), numbers));
        dag.expand(leaf, children.collect());
        check(&dag, &[]);
    }
    let leaf = dag.lock().expect("the common leaf");
    assert_eq!(*dag.state(leaf).expect("it is there"), state("0*4"));
    assert_eq!(dag.lock(), None, "all that matters is locked");
    dag.trim(0);
    check(&dag, &[leaf]);
    assert_eq!(dag.nodes(), 5, "one of the ways is cut");
    let free = dag.lock().expect("the end of the other way");
    check(&dag, &[leaf, free]);
}

#[test]
fn a_late_report_does_not_hit_who_took_the_slot() {
    let mut dag = grown::<Normal>("0*14", 100);
    let out: Vec<NodeId> = (0..20).map_while(|_| dag.lock()).collect();
    for &leaf in &out {
        dag.unlock(leaf);
    }
    dag.trim(1);
    grow(&mut dag, 100);
    assert!(dag.nodes() > 20);
    let before = (dag.root(), dag.nodes(), dag.checkpoint());
    for &leaf in &out {
        assert!(dag.state(leaf).is_none());
        dag.solve(leaf, Outcome::Win);
        dag.expand(leaf, Vec::new());
        dag.unlock(leaf);
        assert_eq!(dag.tries(leaf), 0);
    }
    assert_eq!((dag.root(), dag.nodes(), dag.checkpoint()), before);
    check(&dag, &[]);
}

#[test]
fn memory_is_bounded_by_the_limit_not_by_the_time() {
    const MOST: usize = 3000;
    let mut dag = grown::<Misere>("0*12", 10);
    let mut most_slots = 0;
    let mut most_bytes = 0;
    for round in 0..60 {
        while dag.nodes() < MOST {
            grow(&mut dag, 1);
        }
        most_bytes = most_bytes.max(dag.bytes());
        dag.trim(MOST / 2);
        check(&dag, &[]);
        if round == 0 {
            most_slots = dag.slab.slots();
        }
    }
    assert!(dag.slab.slots() < most_slots + MOST / 10);
    assert!(
        most_bytes / MOST < 400,
        "{} bytes a node",
        most_bytes / MOST
    );
}
