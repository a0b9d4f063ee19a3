//! What is shown of the root's children.

use super::*;

/// The hardness by which branches are sorted.
fn hardness(branch: &Branch<u32>) -> u32 {
    branch.numbers.proof.min(branch.numbers.disproof)
}

#[test]
fn a_root_alone_has_no_branches() {
    let (convention, root) = start::<Normal>("0*7");
    let dag = Dag::new(convention, root);
    let branches = dag.branches([]);
    assert!(branches.open.is_empty());
    assert_eq!((branches.solved, branches.are_parts), (0, false));
}

#[test]
fn branches_are_open_and_the_hardest_comes_first() {
    let dag = grown::<Normal>("0*8", 40);
    let branches = dag.branches([]);
    assert!(branches.open.len() > 1);
    assert!(
        branches
            .open
            .is_sorted_by(|a, b| hardness(a) >= hardness(b))
    );
    let is_open = |branch: &Branch<u32>| branch.numbers.outcome().is_none();
    assert!(branches.open.iter().all(is_open));
    // Of a choice, the root's number is the least of its children's.
    let least = branches
        .open
        .iter()
        .map(|branch| branch.numbers.disproof)
        .min();
    assert_eq!(least, Some(dag.root().proof));
}

#[test]
fn each_leaf_that_is_out_is_counted_once() {
    let mut dag = grown::<Normal>("0*8", 40);
    let locked: Vec<NodeId> = std::iter::from_fn(|| dag.lock()).take(5).collect();
    let branches = dag.branches(locked.iter().copied());
    let counted: usize = branches.open.iter().map(|branch| branch.leaves).sum();
    assert_eq!(counted, locked.len());
}

#[test]
fn a_sum_shows_its_parts() {
    let (convention, root) = start::<Normal>("0*8+0*9");
    let dag = Dag::new(convention, root);
    let branches = dag.branches([]);
    assert!(branches.are_parts);
    assert!(!branches.open.is_empty() && branches.solved == 0);
}
