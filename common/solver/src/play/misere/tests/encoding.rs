//! Portable bytes and text of values.

use std::collections::HashMap;

use proptest::prelude::*;

use super::super::encoding::{MAX_NESTING, SMALL_HEAPS, TreeError};
use super::super::tree::{Tree, Trees};
use super::{build, literal_values, recipe};

fn encode(trees: &Trees, t: Tree) -> Vec<u8> {
    trees.encode(t, usize::MAX).unwrap()
}

#[test]
fn bytes_and_text_are_fixed() {
    let trees = Trees::new();
    let two = trees.heap(2);
    let lonely_two = trees.simplify(&[two]);
    let four = trees.add(two, two);
    let cases: [(Tree, &[u8], &str); 7] = [
        (Tree::ZERO, &[0], "0"),
        (two.plus_one(), &[3], "3"),
        (trees.heap(SMALL_HEAPS - 1), &[0xDF], "223"),
        (lonely_two, &[0xF0, 1, 2], "(2)"),
        (four, &[0xF0, 2, 2, 3], "(2 3)"),
        (four.plus_one(), &[0xF1, 2, 2, 3], "(2 3)+1"),
        (
            trees.simplify(&[lonely_two.plus_one(), four, two]),
            &[0xF0, 3, 2, 0xF1, 1, 2, 0xF0, 2, 2, 3],
            "(2 (2)+1 (2 3))",
        ),
    ];
    for (value, bytes, text) in cases {
        assert_eq!(encode(&trees, value), bytes);
        assert_eq!(trees.display(value), text);
    }
    let large = encode(&trees, trees.heap(SMALL_HEAPS));
    assert_eq!(large[..4], [0xF0, 0xE0, 1, 0]);
    assert_eq!(trees.display(trees.heap(SMALL_HEAPS + 3)), "227");
}

#[test]
fn decoding_undoes_encoding_in_any_table() {
    let (trees, other) = (Trees::new(), Trees::new());
    proptest!(|(recipe in recipe(), one in any::<bool>(), tail in any::<[u8; 2]>())| {
        for game in build(&trees, &recipe) {
            let game = game.plus_one_if(one);
            let mut bytes = encode(&trees, game);
            let len = bytes.len();
            prop_assert_eq!(trees.encoded_len(game), Some(len));
            prop_assert_eq!(trees.encode(game, len), Some(bytes.clone()));
            prop_assert_eq!(trees.encode(game, len - 1), None);
            bytes.extend(tail);
            prop_assert_eq!(trees.decode(&bytes), Ok((game, len)));
            let (same, used) = other.decode(&bytes).unwrap();
            prop_assert_eq!(used, len);
            prop_assert_eq!(encode(&other, same), &bytes[..len]);
            prop_assert_eq!(other.display(same), trees.display(game));
            for cut in 0..len {
                prop_assert_eq!(trees.decode(&bytes[..cut]), Err(TreeError::Truncated));
            }
        }
    });
}

#[test]
fn the_order_of_creation_does_not_show() {
    let (forward, backward) = (Trees::new(), Trees::new());
    // The second table meets sums and larger games first.
    backward.add(
        backward.simplify(&[backward.heap(5), backward.heap(2)]),
        backward.heap(4),
    );
    let values = literal_values(&forward, 1 << 12);
    let mut codes: HashMap<Vec<u8>, Tree> = HashMap::new();
    for &a in values.iter().rev().step_by(97) {
        for &b in values.iter().step_by(131) {
            let sum = forward.add(a, b);
            let [a, b] = [a, b].map(|t| backward.decode(&encode(&forward, t)).unwrap().0);
            let code = encode(&forward, sum);
            assert_eq!(encode(&backward, backward.add(b, a)), code);
            assert_eq!(*codes.entry(code).or_insert(sum), sum);
        }
    }
}

#[test]
fn wrong_bytes_are_refused() {
    let trees = Trees::new();
    let nested = |depth: u16| {
        // {…{{2}}…}
        let mut bytes: Vec<u8> = (0..depth).flat_map(|_| [0xF0, 1]).collect();
        bytes.push(2);
        bytes
    };
    let cases: &[(&[u8], TreeError)] = &[
        (&[], TreeError::Truncated),
        (&[0xF0], TreeError::Truncated),
        (&[0xF0, 2, 2], TreeError::Truncated),
        (&[0xF0, 0xFF, 0xFF, 0xFF, 0x7F], TreeError::Truncated),
        (&[0xE0], TreeError::Tag(0xE0)),
        (&[0xF2, 1, 2], TreeError::Tag(0xF2)),
        (&[0xF0, 1, 0xFF], TreeError::Tag(0xFF)),
        (&[0xF0, 0x82, 0, 2, 3], TreeError::Count),
        (&[0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 1], TreeError::Count),
        (&[0xF0, 2, 3, 2], TreeError::Unsorted),
        (&[0xF0, 2, 2, 2], TreeError::Unsorted),
        (&[0xF0, 2, 0xF0, 1, 2, 2], TreeError::Unsorted),
        // No options, *1, *2 and *3 in long form; {1} = 0; {0,2} = *1; 0 + *1 and {0,1} + *1.
        (&[0xF0, 0], TreeError::NotCanonical),
        (&[0xF0, 1, 0], TreeError::NotCanonical),
        (&[0xF0, 2, 0, 1], TreeError::NotCanonical),
        (&[0xF0, 3, 0, 1, 2], TreeError::NotCanonical),
        (&[0xF0, 1, 1], TreeError::NotCanonical),
        (&[0xF0, 2, 0, 2], TreeError::NotCanonical),
        (&[0xF1, 0], TreeError::NotCanonical),
        (&[0xF1, 2, 0, 1], TreeError::NotCanonical),
        // {2} + *1 written out.
        (&[0xF0, 2, 3, 0xF0, 1, 2], TreeError::NotCanonical),
        (&nested(MAX_NESTING + 1), TreeError::TooDeep),
        (&nested(60_000), TreeError::TooDeep),
    ];
    let before = trees.count();
    for (bytes, error) in cases {
        assert_eq!(trees.decode(bytes), Err(*error), "{bytes:02x?}");
    }
    // Only the canonical part {2} of the last but two was stored.
    assert_eq!(trees.count(), before + 1);
}

#[test]
fn values_nested_too_deep_have_no_encoding() {
    let trees = Trees::new();
    let mut game = trees.simplify(&[trees.heap(2)]);
    let mut nesting = 1;
    while nesting < MAX_NESTING {
        // {X} is canonical here: the one option of X's option is not X.
        game = trees.simplify(&[game]);
        nesting += 1;
    }
    let bytes = encode(&trees, game);
    assert_eq!(Trees::new().decode(&bytes).unwrap().1, bytes.len());
    let deeper = trees.simplify(&[game]);
    assert_eq!(trees.depth(deeper), trees.depth(game) + 1);
    assert_eq!(trees.encode(deeper, usize::MAX), None);
    assert_eq!(
        trees.display(deeper),
        format!("(…depth {})", trees.depth(deeper))
    );
}

#[test]
fn random_bytes_decode_to_what_encodes_to_them_or_not_at_all() {
    let trees = Trees::new();
    let byte = prop_oneof![3 => 0..6_u8, 1 => 0xF0..0xF2_u8, 1 => any::<u8>()];
    proptest!(|(bytes in prop::collection::vec(byte, 0..24))| {
        if let Ok((value, used)) = trees.decode(&bytes) {
            prop_assert_eq!(encode(&trees, value), &bytes[..used]);
        }
    });
}

#[test]
fn damaged_encodings_decode_to_what_encodes_to_them_or_not_at_all() {
    let trees = Trees::new();
    proptest!(|(recipe in recipe(), at in any::<prop::sample::Index>(), byte in any::<u8>())| {
        let mut bytes = build(&trees, &recipe).last().map(|&t| encode(&trees, t)).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok((value, used)) = trees.decode(&bytes) {
            prop_assert_eq!(encode(&trees, value), &bytes[..used]);
        }
    });
}
