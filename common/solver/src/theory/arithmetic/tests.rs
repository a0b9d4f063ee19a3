//! Arithmetic periods that hold, and ones that do not.

use sproutnet_game as game;

use super::*;
use crate::theory::sequence::Sequence;

fn heap(text: &str) -> Box<dyn Heap> {
    game::heap(text).expect("a game of heaps").1
}

fn nimbers(text: &str, terms: usize) -> Vec<u32> {
    Sequence::of(&*heap(text), terms).nimbers
}

/// What the theorem says of these nimbers.
fn found(text: &str, nimbers: &[u32]) -> Option<(u32, u32, u32)> {
    let heap = heap(text);
    let period = find(nimbers, &*heap, heap.reach().expect("a code"), u64::MAX)?;
    Some((period.start, period.length, period.saltus))
}

#[test]
fn nim_and_laskers_nim() {
    assert_eq!(found("nim", &nimbers("nim", 64)), Some((0, 1, 1)));
    assert_eq!(found("lasker", &nimbers("lasker", 64)), Some((1, 4, 4)));
    // Too few to tell.
    assert_eq!(found("lasker", &nimbers("lasker", 9)), None);
}

#[test]
fn other_nimbers_than_those_of_the_game_are_refused() {
    // Those of Nim for Lasker's Nim, and the other way round.
    assert_eq!(found("lasker", &nimbers("nim", 200)), None);
    assert_eq!(found("nim", &nimbers("lasker", 200)), None);
    // Twice the nimbers leave out odd ones.
    let twice: Vec<u32> = (0..200).map(|size| 2 * size).collect();
    assert_eq!(found("nim", &twice), None);
    // A game that takes few tokens.
    assert_eq!(found("octal(0.333)", &nimbers("nim", 200)), None);
}

#[test]
fn each_condition_is_needed() {
    let heap = heap("lasker");
    let nimbers = nimbers("lasker", 200);
    let steps = Cell::new(u64::MAX);
    let claim = |start, length, saltus| Claim {
        nimbers: &nimbers,
        heap: &*heap,
        reach: heap.reach().expect("a code"),
        start,
        length,
        saltus,
        steps: &steps,
    };
    let holds = |claim: Claim<'_>, limit| {
        claim
            .window(limit)
            .all(|size| any_number::holds(&claim, size))
    };
    assert!(holds(claim(1, 4, 4), 40));
    assert!(holds(claim(1, 8, 8), 40));
    // The heap of the limit is not above those of the first period.
    assert!(!holds(claim(1, 40, 40), 40));
    // From 5 on, too, but then F(3) = 4 is not below the saltus.
    assert!(claim(1, 4, 4).may_split());
    assert!(!claim(5, 4, 4).may_split());
    assert!(!claim(1, 12, 12).may_split());
}

#[test]
fn hexadecimal_games_with_arithmetic_periods() {
    for (code, expected) in [
        ("0.8", Some((1, 3, 1))),
        ("0.08", Some((1, 4, 1))),
        ("0.8A", Some((1, 2, 1))),
        ("0.C", Some((1, 2, 1))),
        ("0.1A", Some((4, 2, 1))),
        ("0.137F", Some((0, 2, 1))),
        ("0.1F8", Some((4, 3, 2))),
        // The saltus is 3, of which no multiple is a power of two.
        ("0.3F", None),
        // No regularity is known to this program.
        ("0.9", None),
        ("0.E", None),
    ] {
        let text = format!("hexadecimal({code})");
        let all = nimbers(&text, 256);
        assert_eq!(found(&text, &all[..128]), expected, "{code}");
        if let Some((start, length, saltus)) = expected {
            for size in (start + length) as usize..256 {
                assert_eq!(
                    all[size],
                    all[size - length as usize] + saltus,
                    "{code} {size}"
                );
            }
        }
    }
}

#[test]
fn what_is_proved_holds_further_on() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut proved = 0;
    for _ in 0..40 {
        let digits: String = (0..random.usize(1..4))
            .map(|_| char::from_digit(random.u32(0..16), 16).expect("a digit"))
            .collect();
        let repeated = if random.bool() { "1..." } else { "" };
        let text = format!(
            "hexadecimal({}.{digits}8{repeated})",
            ["0", "4", "8", "C"][random.usize(0..4)]
        );
        let all = nimbers(&text, 150);
        let Some((start, length, saltus)) = found(&text, &all[..100]) else {
            continue;
        };
        proved += 1;
        for size in (start + length) as usize..150 {
            assert_eq!(
                all[size],
                all[size - length as usize] + saltus,
                "{text} {size}"
            );
        }
    }
    println!("{proved} of 40 proved");
    assert!(proved > 2, "{proved}");
}
