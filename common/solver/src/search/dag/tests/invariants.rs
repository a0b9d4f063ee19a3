//! What has to hold between any two calls.

use super::*;
use crate::search::dag::node::Standing;
use crate::search::dag::update::capped;
use crate::search::dfpn::sum_of_parts;
use crate::search::steering::SumRule;

/// Checks a DAG of which exactly the leaves `out` are locked.
pub(super) fn check<C: Convention>(dag: &Dag<C>, out: &[NodeId]) {
    dag.slab.check();
    assert!(dag.queue.is_empty());
    let mut locked = Vec::new();
    for node in dag.slab.live() {
        let standing = dag.slab.standing(node);
        assert!(!standing.queued && !standing.stale);
        check_edges(dag, node);
        match standing.numbers.outcome() {
            Some(outcome) => check_solved(dag, node, outcome),
            None => check_open(dag, node),
        }
        if standing.below == Below::Leaf && standing.locked {
            locked.push(dag.slab.id(node));
        }
    }
    let mut out = out.to_vec();
    out.sort_unstable();
    locked.sort_unstable();
    assert_eq!(locked, out, "locked leaves");
}

/// Checks that no choice lacks a child that could matter: it would be lost falsely. The convention
/// must still know all that was proved.
pub(super) fn check_choices<C: Convention>(dag: &Dag<C>) {
    let choices = dag.slab.live();
    for node in choices.filter(|&node| dag.slab.standing(node).below == Below::Choice) {
        let node = dag.slab.node(node);
        let found = dfpn::children(&*dag.convention, &node.state, &|| false);
        let Some(states) = found.expect("never told to stop").open() else {
            continue;
        };
        let as_known_now = |child: &Slot| {
            let mut state = dag.slab.node(*child).state.clone();
            dag.convention.resolve(&mut state);
            state
        };
        let children: Vec<_> = node.children.iter().map(as_known_now).collect();
        for state in states {
            assert!(children.contains(&state), "{state:?} is missing");
        }
    }
}

fn children<C: Convention>(dag: &Dag<C>, node: Slot) -> Vec<&Standing> {
    let children = dag.slab.node(node).children.iter();
    children.map(|&child| dag.slab.standing(child)).collect()
}

fn check_edges<C: Convention>(dag: &Dag<C>, node: Slot) {
    let below = dag.slab.standing(node).below;
    let rank = dag.slab.standing(node).rank;
    let own = &dag.slab.node(node).children;
    assert_eq!(own.is_empty(), below == Below::Leaf);
    for &child in own {
        let parents = dag.slab.node(child).parents.iter();
        let named = parents.filter(|&&parent| parent == node).count();
        assert!(named == 1, "a child names its parent once");
        let falls = dag.slab.standing(child).rank < rank;
        assert!(falls || below == Below::Choice && dag.slab.standing(child).rank == rank);
    }
    for &parent in &dag.slab.node(node).parents {
        let is_child = dag.slab.node(parent).children.contains(&node);
        let standing = dag.slab.standing(parent);
        // Edges of a choice or a leaf are exact; others may be left over until the next trim.
        let is_over = standing.is_solved() || matches!(standing.below, Below::Parts | Below::Same);
        assert!(is_child || is_over, "a parent without the child");
    }
}

fn check_solved<C: Convention>(dag: &Dag<C>, node: Slot, outcome: Outcome) {
    let standing = dag.slab.standing(node);
    assert_eq!(standing.below, Below::Leaf);
    assert!(!standing.locked);
    let mut state = dag.slab.node(node).state.clone();
    assert_eq!(dag.convention.resolve(&mut state), Some(outcome));
}

fn check_open<C: Convention>(dag: &Dag<C>, node: Slot) {
    let standing = dag.slab.standing(node);
    let children = children(dag, node);
    let (numbers, locked) = match standing.below {
        Below::Vacant => unreachable!("only live nodes are checked"),
        Below::Leaf => {
            assert!(dag.convention.parts(&dag.slab.node(node).state).is_none());
            let Numbers { proof, disproof } = standing.numbers;
            assert!(proof < Numbers::INFINITE && disproof < Numbers::INFINITE);
            return;
        }
        Below::Choice => {
            let won = |child: &Standing| child.numbers.outcome() == Some(Outcome::Win);
            let open: Vec<_> = children.into_iter().filter(|child| !won(child)).collect();
            assert!(!open.is_empty(), "lost");
            assert!(open.iter().all(|child| !child.is_solved()), "won");
            let locked = open.iter().all(|child| child.locked);
            let free: Vec<_> = open.iter().filter(|child| !child.locked).collect();
            assert_eq!(standing.free as usize, free.len());
            let candidates = open.iter().filter(|child| locked || !child.locked);
            let sum: u64 = open
                .iter()
                .map(|child| u64::from(child.numbers.proof))
                .sum();
            assert_eq!(standing.sum, sum);
            let numbers = Numbers {
                proof: candidates
                    .map(|child| child.numbers.disproof)
                    .min()
                    .expect("open"),
                disproof: capped(sum),
            };
            (numbers, locked)
        }
        Below::Parts => {
            let before = &children[..children.len() - 1];
            assert!(before.iter().all(|part| !part.is_solved()));
            let locked = before.iter().all(|part| part.locked);
            let mut parts = children.clone();
            (
                sum_of_parts(SumRule::Losses, &mut parts, |part| part.numbers),
                locked,
            )
        }
        Below::Same => (children[0].numbers, children[0].locked),
    };
    assert_eq!((standing.numbers, standing.locked), (numbers, locked));
}
