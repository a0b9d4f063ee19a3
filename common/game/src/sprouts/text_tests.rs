//! Texts that may be wrong.

use super::Sprouts;
use super::random::Random;
use super::tests::parse;
use crate::Game;

#[test]
fn ten_thousand_mutated_texts_never_panic() {
    let good = [
        "0*12",
        "0*3.1a1a",
        "0*2.AB|0.AB",
        "0.0.}AB.}AB.}]!",
        "0.1aAa|ABC|BC+12",
        "m(3)1m(3).0",
        "0*5.n(2)|0.n(2)",
        "!",
    ];
    let mut random = Random(0xfeed);
    let (mut read, mut refused) = (0, 0);
    for round in 0..10_000 {
        let mut bytes: Vec<u8> = good[round % good.len()].into();
        match round % 3 {
            0 => {
                bytes = (0..round % 40).map(|_| random.below(256) as u8).collect();
            }
            1 => bytes.truncate(random.below(bytes.len() + 1)),
            _ => {
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    bytes[at] = b"0123abABmn()*.|+!}]9"[random.below(20)];
                }
            }
        }
        match Sprouts.parse(&String::from_utf8_lossy(&bytes)) {
            Ok(position) => {
                assert_eq!(parse(&Sprouts.print(&position)), position);
                read += 1;
            }
            Err(error) => {
                assert!(error.column >= 1 && !error.problem.is_empty());
                refused += 1;
            }
        }
    }
    assert!(
        read > 500 && refused > 500,
        "{read} read, {refused} refused"
    );
}

#[test]
fn errors_name_the_column() {
    for (text, column) in [
        ("", 1),
        ("0.", 3),
        ("0..0", 3),
        ("0*", 3),
        ("0*x", 3),
        ("00", 2),
        ("10", 2),
        ("0|", 3),
        ("0.?", 3),
        ("aAaa.0", 4),
        ("A.A|0", 3),
        ("!0", 2),
        ("m(0)", 3),
        ("m(1", 4),
        ("0*334", 5),
        ("0*99999", 7),
        ("+", 1),
        ("0++0", 3),
        ("é", 1),
    ] {
        match Sprouts.parse(text) {
            Ok(position) => panic!("{text} was read as {}", Sprouts.print(&position)),
            Err(error) => assert_eq!(error.column, column, "{text}: {error}"),
        }
    }
}
