//! Sums kept as multisets, against merged sums.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use proptest::prelude::*;

use super::super::bag::{Bag, Bags};
use super::super::encoding::TreeError;
use super::super::encoding::{self, MAX_SUMMANDS};
use super::super::tree::{Tree, Trees};
use super::{brute_force, build, recipe};

fn new_bags() -> Bags {
    Bags::new(Arc::new(Trees::new()))
}

fn bag_of(bags: &Bags, summands: impl IntoIterator<Item = Tree>) -> Bag {
    summands
        .into_iter()
        .fold(Bag::ZERO, |bag, t| bags.add(bag, t))
}

fn merged(bags: &Bags, bag: Bag) -> Tree {
    bags.summands(bag)
        .fold(Tree::ZERO, |sum, t| bags.trees().add(sum, t))
}

/// A few of the games of a recipe, each perhaps with + *1.
fn picked(games: &[Tree], picks: &[(prop::sample::Index, bool)]) -> Vec<Tree> {
    picks
        .iter()
        .map(|(i, one)| i.get(games).plus_one_if(*one))
        .collect()
}

fn picks(most: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, bool)>> {
    prop::collection::vec(any::<(prop::sample::Index, bool)>(), 0..=most)
}

#[test]
fn only_ones_cancel() {
    let bags = new_bags();
    let [one, two, three] = [1, 2, 3].map(|k| bags.trees().heap(k));
    assert_eq!(bag_of(&bags, [one, one]), Bag::ZERO);
    assert_eq!(bag_of(&bags, [one]), Bag::ZERO.plus_one());
    assert_eq!(bag_of(&bags, [three]), bag_of(&bags, [two]).plus_one());
    assert_ne!(bag_of(&bags, [two, two]), Bag::ZERO);
    assert_eq!(
        bags.summands(bag_of(&bags, [three, two]))
            .collect::<Vec<_>>(),
        [two, two, one]
    );
    assert!(bags.mover_wins(Bag::ZERO));
    assert!(!bags.mover_wins(bag_of(&bags, [one])));
}

#[test]
fn an_outcome_that_takes_long_is_not_sought_again() {
    let bags = new_bags();
    let trees = bags.trees();
    let [two, three] = [2, 3].map(|k| trees.heap(k));
    let games = [
        trees.simplify(&[two]),
        trees.simplify(&[two, three]),
        trees.simplify(&[three]),
    ];
    let bag = bag_of(&bags, games.into_iter().cycle().take(6));
    assert_eq!(bags.mover_wins_quickly(bag, 10), None);
    assert_eq!(bags.mover_wins_quickly(bag, u64::MAX), None);
    let wins = bags.mover_wins(bag);
    assert_eq!(wins, trees.mover_wins(merged(&bags, bag)));
    assert_eq!(bags.mover_wins_quickly(bag, 10), Some(wins));
}

#[test]
fn misere_nim_is_known_in_closed_form() {
    let bags = new_bags();
    for heaps in (0..6 * 6 * 6).map(|i| [i % 6, i / 6 % 6, i / 36]) {
        let bag = bag_of(&bags, heaps.map(|k| bags.trees().heap(k)));
        let wins = bags.trees().mover_wins(merged(&bags, bag));
        let before = bags.count();
        assert_eq!(bags.mover_wins(bag), wins, "{heaps:?}");
        assert_eq!(bags.count(), before, "no search");
    }
}

#[test]
fn sums_agree_with_merged_sums() {
    let bags = new_bags();
    let trees = bags.trees();
    proptest!(|(recipe in recipe(), picks in picks(4))| {
        let summands = picked(&build(trees, &recipe), &picks);
        let bag = bag_of(&bags, summands.iter().copied());
        let value = merged(&bags, bag);
        prop_assert_eq!(value, summands.iter().fold(Tree::ZERO, |sum, &t| trees.add(sum, t)));
        prop_assert_eq!(bags.mover_wins(bag), trees.mover_wins(value));
        prop_assert_eq!(bags.depth(bag), summands.iter().map(|&t| trees.depth(t)).sum::<u32>()
            - 2 * (summands.iter().filter(|t| t.has_one()).count() as u32 / 2));

        let options: Vec<Bag> = bags.options(bag).collect();
        prop_assert_eq!(options.iter().collect::<BTreeSet<_>>().len(), options.len());
        let longest = options.iter().map(|&o| bags.depth(o) + 1).max().unwrap_or(0);
        prop_assert_eq!(longest, bags.depth(bag));
        let values: Vec<Tree> = options.iter().map(|&o| merged(&bags, o)).collect();
        prop_assert_eq!(trees.simplify(&values), value);
    });
}

#[test]
fn sums_agree_with_brute_force() {
    let bags = new_bags();
    let memo = RefCell::new(HashMap::new());
    proptest!(ProptestConfig::with_cases(64), |(recipe in recipe(), picks in picks(3))| {
        let summands = picked(&build(bags.trees(), &recipe), &picks);
        let bag = bag_of(&bags, summands.iter().copied());
        let wins = brute_force(bags.trees(), &summands, &mut memo.borrow_mut());
        prop_assert_eq!(bags.mover_wins(bag), wins);
    });
}

#[test]
fn decoding_undoes_encoding_in_any_table() {
    let (bags, other) = (new_bags(), new_bags());
    proptest!(|(recipe in recipe(), picks in picks(5), tail in any::<u8>())| {
        let bag = bag_of(&bags, picked(&build(bags.trees(), &recipe), &picks));
        let mut bytes = bags.encode(bag, usize::MAX).unwrap();
        let len = bytes.len();
        prop_assert_eq!(bags.encode(bag, len), Some(bytes.clone()));
        prop_assert_eq!(bags.encode(bag, len - 1), None);
        bytes.push(tail);
        prop_assert_eq!(encoding::check_sum(&bytes), Ok(len));
        prop_assert_eq!(bags.decode(&bytes), Ok((bag, len)));
        let (same, used) = other.decode(&bytes).unwrap();
        prop_assert_eq!(used, len);
        prop_assert_eq!(other.encode(same, len).unwrap(), &bytes[..len]);
        prop_assert_eq!(bags.decode(&bytes[..len - 1]), Err(TreeError::Truncated));
    });
}

/// Equal sums have equal marks in any table, and different ones have different marks.
#[test]
fn marks_identify_sums_in_any_table() {
    let (bags, other) = (new_bags(), new_bags());
    let met = RefCell::new(HashMap::new());
    proptest!(|(recipe in recipe(), before in recipe(), picks in picks(5))| {
        // Elsewhere values are met in another order.
        build(other.trees(), &before);
        let bag = bag_of(&bags, picked(&build(bags.trees(), &recipe), &picks));
        let bytes = bags.encode(bag, usize::MAX).unwrap();
        let (same, _) = other.decode(&bytes).unwrap();
        for (option, there) in [(bag, same), (bag.plus_one(), same.plus_one())] {
            prop_assert_eq!(bags.mark(option), other.mark(there));
        }
        let mut met = met.borrow_mut();
        for sum in bags.options(bag).chain([bag, bag.plus_one()]) {
            prop_assert_eq!(*met.entry(bags.mark(sum)).or_insert(sum), sum);
        }
    });
}

#[test]
fn marks_of_repeated_summands_differ() {
    let bags = new_bags();
    let two = bags.trees().heap(2);
    assert_eq!(bags.mark(Bag::ZERO), 0);
    let grow = |bag: &Bag| Some(bags.add(*bag, two));
    let sums = std::iter::successors(Some(Bag::ZERO), grow).take(100);
    let marks = sums.flat_map(|bag| [bag, bag.plus_one()].map(|bag| bags.mark(bag)));
    assert_eq!(marks.collect::<BTreeSet<_>>().len(), 200);
}

#[test]
fn bytes_are_fixed_and_wrong_bytes_refused() {
    let bags = new_bags();
    let [two, three, four] = [2, 3, 4].map(|k| bags.trees().heap(k));
    let lonely_two = bags.trees().simplify(&[two]);
    let bag = bag_of(&bags, [lonely_two, four, three, two]);
    assert_eq!(bags.encode(bag, 100).unwrap(), [4, 2, 2, 4, 0xF0, 1, 2, 1]);
    assert_eq!(bags.encode(Bag::ZERO, 2).unwrap(), [0, 0]);
    let cases: &[(&[u8], TreeError)] = &[
        (&[], TreeError::Truncated),
        (&[0], TreeError::Truncated),
        (&[2, 2, 4], TreeError::Truncated),
        (&[0, 2], TreeError::Tag(2)),
        (&[1, 0xE0, 0], TreeError::Tag(0xE0)),
        (&[1, 0, 0], TreeError::NotCanonical),
        (&[1, 3, 0], TreeError::NotCanonical),
        (&[1, 0xF1, 1, 2, 0], TreeError::NotCanonical),
        (&[2, 4, 2, 0], TreeError::Unsorted),
        (&[0x80, 0x00, 0], TreeError::Count),
        (&[0x81, 0x08], TreeError::TooMany),
    ];
    for (bytes, error) in cases {
        assert_eq!(bags.decode(bytes), Err(*error), "{bytes:02x?}");
    }
    let most = bag_of(&bags, std::iter::repeat_n(two, MAX_SUMMANDS));
    let bytes = bags.encode(most, usize::MAX).unwrap();
    assert_eq!(bags.decode(&bytes), Ok((most, bytes.len())));
    assert_eq!(bags.encode(bags.add(most, two), usize::MAX), None);
}

#[test]
fn random_bytes_decode_to_what_encodes_to_them_or_not_at_all() {
    let bags = new_bags();
    let byte = prop_oneof![3 => 0..6_u8, 1 => 0xF0..0xF2_u8, 1 => any::<u8>()];
    proptest!(|(bytes in prop::collection::vec(byte, 0..24))| {
        if let Ok((bag, used)) = bags.decode(&bytes) {
            prop_assert_eq!(bags.encode(bag, usize::MAX).unwrap(), &bytes[..used]);
            prop_assert_eq!(encoding::check_sum(&bytes), Ok(used));
            prop_assert_eq!(bags.find(&bytes[..used]), Some(bag));
        } else {
            prop_assert_eq!(bags.find(&bytes), None);
        }
    });
}

#[test]
fn only_known_sums_are_found_and_none_is_added() {
    let bags = new_bags();
    proptest!(|(recipe in recipe(), picks in picks(5))| {
        let bag = bag_of(&bags, picked(&build(bags.trees(), &recipe), &picks));
        let bytes = bags.encode(bag, usize::MAX).unwrap();
        prop_assert_eq!(bags.find(&bytes), Some(bag));
        prop_assert_eq!(bags.find(&bytes[..bytes.len() - 1]), None);
        prop_assert_eq!(bags.find(&[&bytes[..], &[0]].concat()), None);

        let other = new_bags();
        let before = (other.count(), other.trees().count(), other.bytes());
        let is_empty = bag.plus_one_if(bag.has_one()) == Bag::ZERO;
        prop_assert_eq!(other.find(&bytes).is_some(), is_empty);
        prop_assert_eq!((other.count(), other.trees().count(), other.bytes()), before);
        let (same, _) = other.decode(&bytes).unwrap();
        prop_assert_eq!(other.find(&bytes), Some(same));
    });
}

#[test]
fn what_is_not_canonical_may_pass_but_is_never_found() {
    let bags = new_bags();
    // {1} = 0, {0 1} = *2, and an even heap that is replaced by its options.
    for bytes in [
        &[1, 0xF0, 1, 1, 0][..],
        &[1, 0xF0, 2, 0, 1, 0],
        &[1, 0xF0, 4, 0, 1, 2, 3, 1],
    ] {
        assert_eq!(encoding::check_sum(bytes), Ok(bytes.len()));
        assert_eq!(bags.find(bytes), None, "{bytes:02x?}");
        assert_eq!(bags.decode(bytes), Err(TreeError::NotCanonical));
    }
}

#[test]
fn threads_agree() {
    let bags = new_bags();
    let work = || {
        let trees = bags.trees();
        let [two, four] = [2, 4].map(|k| trees.heap(k));
        let lonely = trees.simplify(&[two]);
        let odd = trees.simplify(&[lonely.plus_one(), four]);
        (0..81)
            .map(|i| {
                let counts = [i % 3, i / 3 % 3, i / 9 % 3, i / 27];
                let parts = [two, four.plus_one(), lonely, odd];
                let bag = bag_of(
                    &bags,
                    (0..4).flat_map(|j| std::iter::repeat_n(parts[j], counts[j])),
                );
                (bag, bags.mover_wins(bag))
            })
            .collect::<Vec<_>>()
    };
    let (first, second) = std::thread::scope(|scope| {
        let handle = scope.spawn(work);
        let second = work();
        (handle.join().unwrap(), second)
    });
    assert_eq!(first, second);
}
