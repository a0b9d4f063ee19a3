//! Values of lands that are found by proving them heaps.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::tree::Trees;
use super::super::values::{Limits, Values};
use sproutnet_game::{Game, LandId, Lands, Sprouts};

/// All lands that can be reached from a position, its own included.
fn reached(lands: &Lands, position: &str) -> BTreeSet<LandId> {
    let position = Sprouts.parse(position).expect("a position");
    let mut reached = BTreeSet::new();
    let mut open = lands.intern_position(&position).to_vec();
    while let Some(land) = open.pop() {
        if reached.insert(land) {
            let options = lands.options(land, &|| false).expect("never told to stop");
            open.extend(options.iter().flatten());
        }
    }
    reached
}

#[test]
fn what_is_proved_a_heap_is_one() {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let trees = Arc::new(Trees::new());
    let values = |limits| Values::new(Arc::clone(&lands), Arc::clone(&trees), limits);
    let in_full = Limits {
        in_full: 11,
        ..Limits::USUAL
    };
    let small = Limits {
        in_full: 3,
        expansions: 500,
        ..Limits::USUAL
    };
    let all = reached(&lands, "0*5").into_iter();
    let medium = all.filter(|&land| lands.max_moves(land) <= in_full.in_full);
    let full = values(in_full);
    let value = |land| (land, full.known(land));
    let expected: Vec<_> = medium.map(value).collect();
    for limits in [Limits::USUAL, small] {
        let values = values(limits);
        let (mut found, mut not_found) = (0, 0);
        for &(land, expected) in &expected {
            match values.seek(land) {
                Some(value) => {
                    assert_eq!(Some(value), expected);
                    found += u32::from(lands.max_moves(land) > limits.in_full);
                }
                None => not_found += 1,
            }
        }
        assert!(found > not_found, "{found} found, {not_found} not");
        let start = lands.intern_position(&Sprouts.parse("0*4").expect("a position"))[0];
        // It is no heap, nor even tame.
        assert_eq!(values.seek(start), None);
    }
}
