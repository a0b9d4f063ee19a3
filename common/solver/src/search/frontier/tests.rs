use std::sync::Arc;

use super::*;
use crate::play::{Misere, Normal, ProvedOutcomes, Rules};
use crate::search::{Control, Search};
use sproutnet_game::{Game, Lands, Sprouts};

/// A convention, a table, and the state of a position after so many visits.
fn searched<C: Convention>(text: &str, visits: u64) -> (C, Table, State<C::Value>) {
    let convention = C::new(Arc::new(Lands::new(Arc::new(Sprouts))));
    let state = convention.state(&Sprouts.parse(text).expect("a position"));
    let table = Table::new(1 << 22).expect("memory");
    let control = Control::with_visits(visits);
    let numbers = Search::new(&convention, &table, &control).run(&state);
    assert_eq!(numbers.outcome(), None, "{text} takes more visits");
    (convention, table, state)
}

fn frontier_of<C: Convention>(text: &str, visits: u64) -> (C, Frontier) {
    let (convention, table, state) = searched::<C>(text, visits);
    let frontier = Frontier::of(&convention, &table, state, visits, &|| false);
    (convention, frontier)
}

#[test]
fn each_state_comes_with_all_its_open_children() {
    fn in_play<C: Convention>(text: &str) {
        let (convention, frontier) = frontier_of::<C>(text, 2_000);
        assert!(!frontier.below.is_empty(), "{text}");
        for (bytes, listed) in &frontier.below {
            let mut state = State::decode(bytes, &convention).expect("a state");
            assert_eq!(convention.resolve(&mut state), None);
            let open = dfpn::children(&convention, &state, &|| false).expect("nothing stops it");
            let mut open: Vec<Vec<u8>> = open
                .open()
                .expect("it is not decided")
                .into_iter()
                .filter_map(|mut child| match convention.resolve(&mut child) {
                    None => child.encode(&convention),
                    Some(_) => None,
                })
                .collect();
            let mut listed: Vec<Vec<u8>> = listed.iter().map(|(child, _)| child.clone()).collect();
            open.sort();
            listed.sort();
            assert_eq!(listed, open, "{text}");
        }
    }
    in_play::<Normal>("0*14");
    in_play::<Misere>("0*12");
}

#[test]
fn states_come_after_one_that_leads_to_them_and_once() {
    let (convention, frontier) = frontier_of::<Normal>("0*14", 2_000);
    let mut met: HashSet<Vec<u8>> = HashSet::new();
    let mut note = |children: &OpenChildren| {
        for (child, _) in children {
            let mut child = State::decode(child, &convention).expect("a state");
            assert_eq!(convention.resolve(&mut child), None);
            let parts = convention.parts(&child).unwrap_or_else(|| vec![child]);
            for mut part in parts {
                if convention.resolve(&mut part).is_none() {
                    met.extend(part.encode(&convention));
                }
            }
        }
    };
    note(&frontier.children);
    let mut before: Vec<Vec<u8>> = Vec::new();
    let mut follows = Vec::new();
    for (state, children) in &frontier.below {
        follows.push((state.clone(), before.len()));
        before.push(state.clone());
        note(children);
    }
    for (state, place) in follows {
        assert!(met.contains(&state), "the state at {place} has no parent");
        let same = before.iter().filter(|&other| *other == state).count();
        assert_eq!(same, 1);
    }
}

#[test]
fn only_states_that_took_a_share_of_the_work_are_listed() {
    let (convention, table, state) = searched::<Normal>("0*14", 4_000);
    let of = |visits| Frontier::of(&convention, &table, state.clone(), visits, &|| false);
    let work = |state: &[u8]| {
        let mut state = State::decode(state, &convention).expect("a state");
        assert_eq!(convention.resolve(&mut state), None);
        table.work(convention.key(&state))
    };
    let some = of(4_000);
    let least = some.below.iter().map(|(state, _)| work(state)).min();
    assert!(least.expect("there are some") >= 4_000 / LEAST_SHARE);
    let all = of(1);
    assert_eq!(all.below.len(), MOST_BELOW);
    let none = of(4_000 * LEAST_SHARE);
    assert!(none.below.is_empty());
    assert_eq!(none.children, some.children);
}

#[test]
fn a_sum_and_a_solved_state_have_no_frontier() {
    let convention = Normal::new(Arc::new(Lands::new(Arc::new(Sprouts))));
    let table = Table::new(1 << 16).expect("memory");
    for text in ["0*12+0*13", "!", "0*1"] {
        let state = convention.state(&Sprouts.parse(text).expect("a position"));
        let frontier = Frontier::of(&convention, &table, state, 1, &|| false);
        assert_eq!(frontier, Frontier::default(), "{text}");
    }
}

#[test]
fn what_takes_too_much_space_is_left_out() {
    let (convention, table, state) = searched::<Normal>("0*14", 4_000);
    let within = |most| Frontier::within(&convention, &table, state.clone(), 1, most, &|| false);
    let size = |children: &OpenChildren| -> usize {
        let bytes = children.iter().map(|(child, _)| child.len());
        bytes.map(|bytes| bytes + STATE_OVERHEAD).sum()
    };
    let all = within(MOST_BYTES);
    let children = size(&all.children);
    assert_eq!(within(children - 1), Frontier::default());
    assert!(within(children).below.is_empty());
    let below = |frontier: &Frontier| -> usize {
        let below = frontier.below.iter();
        below.map(|(_, open)| size(open)).sum()
    };
    let half = below(&all) / 2;
    let some = within(children + half);
    assert!(!some.below.is_empty());
    assert!(below(&some) <= half);
}
