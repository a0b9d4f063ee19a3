//! Values of lands by proving them to be heaps.

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

/// Lands with 12 or 13 moves left, met by random plays from a position.
fn met_with_12_or_13_moves(lands: &Lands, position: &str, plays: u32) -> BTreeSet<LandId> {
    let position = Sprouts.parse(position).expect("a position");
    let mut random = fastrand::Rng::with_seed(1);
    let mut met = BTreeSet::new();
    for _ in 0..plays {
        let mut largest = lands.intern_position(&position)[0];
        while lands.max_moves(largest) > 13 {
            let options = lands
                .options(largest, &|| false)
                .expect("never told to stop");
            let option = random.choice(options.iter().collect::<Vec<_>>());
            let option = option.expect("moves are left");
            let moves = |&&land: &&LandId| lands.max_moves(land);
            let Some(&next) = option.iter().max_by_key(moves) else {
                break;
            };
            largest = next;
        }
        if (12..=13).contains(&lands.max_moves(largest)) {
            met.insert(largest);
        }
    }
    met
}

#[test]
fn what_is_proved_a_heap_is_one() {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let trees = Arc::new(Trees::new());
    let values = |limits| Values::new(Arc::clone(&lands), Arc::clone(&trees), limits);
    let in_full = Limits {
        in_full: Limits::USUAL.heaps,
        ..Limits::USUAL
    };
    let small = Limits {
        in_full: 3,
        expansions: 500,
        ..Limits::USUAL
    };
    let mut all = reached(&lands, "0*5");
    all.extend(met_with_12_or_13_moves(&lands, "0*7", 1_000));
    let medium = all
        .into_iter()
        .filter(|&land| lands.max_moves(land) <= in_full.in_full);
    let full = values(in_full);
    let value = |land| (land, full.known(land));
    let expected: Vec<_> = medium.map(value).collect();
    // The least number of proved heaps: of all lands, and of those with 12 or 13 moves.
    for (limits, least) in [(Limits::USUAL, [1_500, 30]), (small, [10_000, 30])] {
        let values = values(limits);
        let (mut found, mut large) = (0, 0);
        for &(land, expected) in &expected {
            if let Some(value) = values.seek(land) {
                assert_eq!(Some(value), expected);
                found += u32::from(lands.max_moves(land) > limits.in_full);
                large += u32::from(lands.max_moves(land) >= 12);
            }
        }
        let enough = found >= least[0] && large >= least[1];
        assert!(
            enough,
            "{found} heaps were proved, {large} with 12 or 13 moves"
        );
        let start = lands.intern_position(&Sprouts.parse("0*4").expect("a position"))[0];
        // It is no heap, nor even tame.
        assert_eq!(values.seek(start), None);
    }
}
