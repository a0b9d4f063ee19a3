//! The law that moves of heaps reach as far as their rule says.

use std::collections::BTreeMap;

use super::*;
use crate::heaps::{Heap, Reach};

/// Rules of heaps besides those of the examples and starts.
const MORE_RULES: [&str; 10] = [
    "bash/1",
    "subtraction{7}",
    "octal(0.1...)",
    "octal(0.05)",
    "octal(4.77)",
    "hexadecimal(C.0F)",
    "hexadecimal(0.C3...)",
    "take-and-break{5..|1}",
    "take-and-break{|2,4..6||1}",
    "take-and-break{3,7..|2..}",
];

/// The moves from the heaps of all games, by the names of the rules.
fn rules_of_heaps() -> BTreeMap<String, Box<dyn Heap>> {
    let mut rules: BTreeMap<_, _> = MORE_RULES.map(|text| heap(text).expect(text)).into();
    for game in all() {
        if game.heap("").is_none() {
            continue;
        }
        let examples = game.info().examples.iter().map(ToString::to_string);
        for text in examples.chain(game.starts()) {
            for land in game.parse(&text).expect("a position").lands() {
                let alone = game.heaps(&Position::new(vec![land.clone()]));
                let ((parameters, moves), _) = alone.expect("a heap");
                rules.insert(format!("{}{parameters}", game.name()), moves);
            }
        }
    }
    rules
}

/// The ways to split tokens into heaps of at least this size, ascending.
fn splits(tokens: u32, heaps: usize, least: u32) -> Vec<Vec<u32>> {
    match heaps {
        0 if tokens == 0 => vec![Vec::new()],
        0 => Vec::new(),
        _ => (least..=tokens)
            .flat_map(|first| {
                let rest = splits(tokens - first, heaps - 1, first);
                rest.into_iter()
                    .map(move |rest| [vec![first], rest].concat())
            })
            .collect(),
    }
}

/// The moves from a heap: the tokens that each takes, and the number of heaps that it leaves. Each way to split is there.
fn kinds_of_moves(name: &str, moves: &dyn Heap, size: u32) -> BTreeSet<(u32, usize)> {
    let mut all = BTreeSet::new();
    let end = moves.leaves(size, &mut |left| {
        all.extend(left.sizes().map(|sizes| {
            let left: Vec<u32> = sizes.into_iter().filter(|&left| left > 0).collect();
            (size - left.iter().sum::<u32>(), left)
        }));
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    let kinds: BTreeSet<_> = all
        .iter()
        .map(|(taken, left)| (*taken, left.len()))
        .collect();
    for &(taken, heaps) in &kinds {
        for left in splits(size - taken, heaps, 1) {
            let is_move = all.contains(&(taken, left.clone()));
            assert!(
                is_move,
                "{name}: from {size}, {taken} taken and {left:?} left"
            );
        }
    }
    kinds
}

/// Proofs of periods rest on it.
#[test]
fn moves_reach_as_far_as_the_rule_says() {
    for (name, moves) in rules_of_heaps() {
        let Some(reach) = moves.reach() else {
            continue;
        };
        let Reach {
            most_taken,
            most_left,
            takes_any,
        } = reach;
        let largest = 2 * most_taken + 12;
        let kinds = (0..=largest).map(|size| kinds_of_moves(&name, &*moves, size));
        let kinds: Vec<_> = kinds.collect();
        let has = |size: u32, taken, heaps| kinds[size as usize].contains(&(taken, heaps));
        let most = kinds.iter().flatten().map(|&(_, heaps)| heaps).max();
        assert_eq!(most.unwrap_or(0).max(1), most_left as usize, "{name}");
        for size in 0..=largest {
            for (taken, heaps) in (0..=size).flat_map(|taken| (0..=3).map(move |n| (taken, n))) {
                let left = size - taken;
                let least = heaps as u32;
                if left < least || (left == 0) != (heaps == 0) {
                    continue;
                }
                let is_beyond = taken > most_taken;
                let expected = match heaps {
                    // All such moves are alike.
                    0 if is_beyond => has(most_taken + 1, most_taken + 1, 0),
                    1 if is_beyond => takes_any,
                    _ if is_beyond => false,
                    // It depends on the tokens that are taken alone, as from the smallest heap.
                    _ => has(taken + least, taken, heaps),
                };
                let is_move = has(size, taken, heaps);
                assert_eq!(
                    is_move, expected,
                    "{name}: {size} to {heaps} heaps by {taken}"
                );
            }
        }
    }
}
