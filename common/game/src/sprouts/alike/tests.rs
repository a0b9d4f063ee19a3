//! Turns of boundaries, and the pairs of places that they leave.

use sproutnet_notation::text;

use super::*;

/// The first region of a text, and the number of the kind of boundary with the most spots.
fn longest(text: &str, check: impl FnOnce(&Kinds<'_>, usize)) {
    let raw = text::parse(text).expect("a position");
    let kinds = Kinds::of(&raw, 0);
    let length = |&kind: &usize| kinds.all[kind].boundaries[0].len();
    let longest = (0..kinds.all.len()).max_by_key(length);
    check(&kinds, longest.expect("a boundary"));
}

#[test]
fn one_of_the_pairs_that_a_turn_maps_to_each_other_is_left() {
    for (text, pairs) in [
        // All places are alike; the second one is next to the first or opposite.
        ("0.2222", vec![[0, 0], [0, 1], [0, 2]]),
        // Both copies of each letter are on the boundary, so its name does not matter.
        ("0.abab|2.2", vec![[0, 0], [0, 1], [0, 2]]),
        // The reflection at two letters exchanges the last and the second place.
        (
            "0.A2B2|0.A|0.B",
            vec![[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [1, 3], [2, 2]],
        ),
        // A boundary without a reflection next to it excludes all reflections.
        (
            "0.A2B2.CDE|0.A|0.B|0.C|0.D|0.E",
            (0..4).flat_map(|i| (i..4).map(move |j| [i, j])).collect(),
        ),
    ] {
        longest(text, |kinds, kind| {
            let size = kinds.all[kind].boundaries[0].len();
            let all = (0..size).flat_map(|i| (i..size).map(move |j| [i, j]));
            let left = all.filter(|&pair| !kinds.has_earlier_pair(kind, pair));
            assert_eq!(left.collect::<Vec<_>>(), pairs, "{text}");
        });
    }
}

#[test]
fn sides_are_equal_if_a_turn_exchanges_them() {
    for (text, pair, are_equal) in [
        ("0.AB|0.A|0.B", [0, 1], true),
        ("0.A2B2|0.A|0.B", [0, 2], true),
        ("0.A2B2|0.A|0.B", [1, 3], false),
        ("0.2222", [0, 2], true),
        ("0.2222", [0, 1], false),
        ("0.AB.CDE|0.A|0.B|0.C|0.D|0.E", [0, 1], false),
        // A rotation exchanges them, whatever the others are.
        ("0.2222.CDE|0.C|0.D|0.E", [0, 2], true),
    ] {
        let raw = text::parse(text).expect("a position");
        let kinds = Kinds::of(&raw, 0);
        let first_spots = |kind: &Kind<'_>| kind.boundaries[0].len() > 1;
        let kind = kinds.all.iter().position(first_spots).expect("a boundary");
        assert_eq!(kinds.has_equal_sides(kind, pair), are_equal, "{text}");
    }
}

#[test]
fn places_on_two_boundaries_are_turned_together() {
    let raw = text::parse("A2B2.C2D2|0.A|0.B|0.C|0.D").expect("a position");
    let kinds = Kinds::of(&raw, 0);
    // A reflection of both boundaries maps the last places to the second ones, but not one of them alone.
    assert!(kinds.has_earlier_places([0, 1], [3, 3]));
    assert!(!kinds.has_earlier_places([0, 1], [1, 3]));
    assert!(!kinds.has_earlier_places([0, 1], [1, 1]));
}
