//! The games with crosses against the planar map, which does not use strings, and against their lengths.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::super::tests::options;
use super::Crosses;
use crate::sprouts::planar::PlanarMap;
use crate::{Game, Position, Sprouts};

const GAMES: [Crosses; 2] = [Crosses::BRUSSELS, Crosses::MIXED];

fn position(game: Crosses, map: &PlanarMap) -> Position {
    let text = map.text();
    let read = game.parse_stored(&text);
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The maps after one move.
fn moves(game: Crosses, map: &PlanarMap) -> Vec<PlanarMap> {
    let mut maps = map.moves_with_crosses();
    if game.rules.has_spots() {
        maps.extend(map.moves());
    }
    maps
}

/// Compares the options of a map with those of its position, and returns the maps of the options.
fn checked_moves(game: Crosses, map: &PlanarMap) -> Vec<PlanarMap> {
    assert_eq!(map.check(), Ok(()));
    let maps = moves(game, map);
    let on_the_map: BTreeSet<Position> = maps.iter().map(|map| position(game, map)).collect();
    let found = options(&game, &position(game, map));
    assert_eq!(on_the_map, found, "{}: {}", game.name(), map.text());
    maps
}

#[test]
fn options_are_those_of_the_planar_map_at_every_position_below_small_starts() {
    for (game, starts) in [
        (Crosses::BRUSSELS, &[(0, 1), (0, 2), (0, 3)][..]),
        (Crosses::MIXED, &[(1, 0), (2, 0), (0, 1), (1, 1)]),
    ] {
        let mut met = BTreeSet::new();
        for &(dots, crosses) in starts {
            let mut left = vec![PlanarMap::start_with_crosses(dots, crosses)];
            while let Some(map) = left.pop() {
                if met.insert(position(game, &map)) {
                    left.append(&mut checked_moves(game, &map));
                }
            }
        }
        assert!(met.len() > 20, "{}: {}", game.name(), met.len());
    }
}

#[test]
fn the_results_of_joining_all_pairs_of_spots_are_all_options() {
    let game = Crosses::MIXED;
    let mut random = fastrand::Rng::with_seed(3);
    for (dots, crosses) in [(1, 1), (2, 1), (0, 2)] {
        let mut map = PlanarMap::start_with_crosses(dots, crosses);
        loop {
            let mut joined = BTreeSet::new();
            for one in 0..map.lives_of_spots().len() {
                for other in 0..=one {
                    let with_dot = map.joins(one, other, usize::MAX);
                    let with_cross = map.joins_with_crosses(one, other, usize::MAX);
                    let all = [with_dot, with_cross].into_iter().flatten().flatten();
                    joined.extend(all.map(|joined| game.on_map(&joined.map)));
                }
            }
            let mut maps = moves(game, &map);
            let expected: BTreeSet<Position> = maps.iter().map(|map| position(game, map)).collect();
            assert_eq!(joined, expected, "{}", map.text());
            if maps.is_empty() {
                break;
            }
            map = maps.swap_remove(random.usize(..maps.len()));
        }
    }
}

#[test]
fn options_are_those_of_the_planar_map_along_random_plays() {
    let mut random = fastrand::Rng::with_seed(7);
    for game in GAMES {
        for round in 0..60 {
            let crosses = 1 + round % 3;
            let dots = if game.rules.has_spots() { round % 4 } else { 0 };
            let mut map = PlanarMap::start_with_crosses(dots, crosses);
            loop {
                // Early in a play there are too many options to compare them each time.
                let maps = match position(game, &map).lands() {
                    lands if lands.len() > 1 || round % 5 == 0 => checked_moves(game, &map),
                    _ => moves(game, &map),
                };
                let Some(next) = random.choice(maps) else {
                    break;
                };
                map = next;
            }
        }
    }
}

/// The lengths of all plays from a position.
fn lengths(
    game: &dyn Game,
    from: &Position,
    known: &mut BTreeMap<Position, BTreeSet<u32>>,
) -> BTreeSet<u32> {
    if let Some(lengths) = known.get(from) {
        return lengths.clone();
    }
    let mut found = BTreeSet::new();
    for option in options(game, from) {
        let after = lengths(game, &option, known);
        found.extend(after.into_iter().map(|length| length + 1));
    }
    if found.is_empty() {
        found.insert(0);
    }
    known.insert(from.clone(), found.clone());
    found
}

#[test]
fn every_play_of_brussels_sprouts_from_n_crosses_has_5n_minus_2_moves() {
    let game = Crosses::BRUSSELS;
    let mut known = BTreeMap::new();
    for n in 1..=4 {
        let start = game.parse(&format!("x*{n}")).expect("a start");
        let length = 5 * n - 2;
        assert_eq!(lengths(&game, &start, &mut known), [length].into());
        assert_eq!(game.max_moves_of(&start), length);
    }
    // Long plays, one move after the other.
    let mut random = fastrand::Rng::with_seed(1);
    for n in 5..=12 {
        let mut now = game.parse(&format!("x*{n}")).expect("a start");
        for left in (0..5 * n - 2).rev() {
            // Any of the first hundred options, for all of them are many.
            let mut first = Vec::new();
            let _ = game.moves(&now, &mut |option| {
                first.push(option);
                match first.len() {
                    100 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            now = random.choice(first).expect("the play is not over");
            assert_eq!(game.max_moves_of(&now), left);
        }
        assert_eq!(now, Position::default());
    }
}

#[test]
fn plays_of_mixed_sprouts_have_at_most_4d_plus_5c_minus_2_moves() {
    let game = Crosses::MIXED;
    let mut known = BTreeMap::new();
    for (text, least, most) in [
        ("0", 2, 2),
        ("0*2", 4, 6),
        ("x", 2, 3),
        ("0*3", 6, 10),
        ("0.x", 4, 7),
        ("x*2", 5, 8),
    ] {
        let start = game.parse(text).expect("a start");
        let lengths = lengths(&game, &start, &mut known);
        assert_eq!(
            (lengths.first(), lengths.last()),
            (Some(&least), Some(&most)),
            "{text}: {lengths:?}"
        );
        assert!(game.max_moves_of(&start) >= most, "{text}");
    }
}

/// Rules that hold for dots alone, each with an example.
#[test]
fn equivalences_that_crosses_break() {
    let count = |game: &dyn Game, text: &str| {
        let position = game.parse_stored(text).expect(text);
        lengths(game, &position, &mut BTreeMap::new())
    };
    let mixed = Crosses::MIXED;
    // The boundaries of a region with two or three lives.
    assert_eq!(count(&Sprouts, "2.2"), count(&Sprouts, "22"));
    assert_eq!(count(&mixed, "2.2"), [1, 2].into());
    assert_eq!(count(&mixed, "22"), [1].into());
    assert_ne!(count(&mixed, "2.22"), count(&mixed, "222"));
    // A pair on such a boundary counts as one spot, but its second place outlives the first.
    assert_eq!(Sprouts.parse_stored("12a2a"), Sprouts.parse_stored("12a2a"));
    // Lands with two lives have one move if they have one boundary in each region, so that they are equal in value; but
    // their strings differ.
    for text in ["1", "22", "AB|AB"] {
        assert_eq!(count(&mixed, text), [1].into(), "{text}");
        assert_eq!(Sprouts.parse_stored(text), Sprouts.parse_stored("1"));
    }
    assert_ne!(mixed.parse_stored("1"), mixed.parse_stored("22"));
}

#[test]
fn what_brussels_sprouts_refuses() {
    for (text, column) in [
        ("0", 1),
        ("x.0", 3),
        ("x*10.0*2", 6),
        ("x.21", 4),
        ("x.AB|AB", 3),
        ("x*2+2a2a", 6),
    ] {
        let error = Crosses::BRUSSELS.parse(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains("crosses alone"), "{text}: {error}");
    }
    let ambiguous = Crosses::BRUSSELS
        .parse_unambiguous("22")
        .expect_err("a number");
    assert!(
        ambiguous.problem.contains("`22}` a boundary"),
        "{ambiguous}"
    );
    assert!(Crosses::BRUSSELS.parse_unambiguous("22}").is_ok());
}
