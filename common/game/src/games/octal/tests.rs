//! The texts, bytes and moves of codes.

use super::*;
use crate::{Game, Hexadecimal};

fn printed(game: &dyn Game, text: &str) -> Result<String, String> {
    let position = game.parse(text).map_err(|error| error.problem)?;
    for land in position.lands() {
        assert_eq!(game.land(land.as_bytes()).as_ref(), Ok(land), "{text}");
    }
    Ok(game.print(&position))
}

#[test]
fn codes_have_one_text() {
    for (text, canonical) in [
        ("(.770):5", "(0.77):5"),
        ("(4.):5", "(4.0):5"),
        ("(0.3...):5", "(0.3...):5"),
        ("(0.333...):5", "(0.3...):5"),
        ("(4.3333...):5", "(4.3...):5"),
        ("(0.137733...):5", "(0.13773...):5"),
        ("(0.770...):5", "(0.77):5"),
    ] {
        assert_eq!(printed(&Octal, text).as_deref(), Ok(canonical), "{text}");
        assert_eq!(
            printed(&Hexadecimal, text).as_deref(),
            Ok(canonical),
            "{text}"
        );
    }
    for (text, canonical) in [("(0.f):5", "(0.F):5"), ("(C.0a8):5", "(C.0A8):5")] {
        assert_eq!(
            printed(&Hexadecimal, text).as_deref(),
            Ok(canonical),
            "{text}"
        );
        assert!(printed(&Octal, text).is_err(), "{text}");
    }
}

#[test]
fn what_is_no_code_is_refused() {
    for (text, problem) in [
        ("(0.0):5", "some digit is not zero"),
        ("(0.0...):5", "some digit is not zero"),
        ("(3.3):5", "the digit before the point is 0 or 4"),
        ("(0.7...):5", "the repeated digit is 1, 2 or 3"),
        ("(4...):5", "expected an octal code"),
        ("(4....):5", "expected an octal code"),
        ("(0.3....):5", "expected an octal code"),
        ("(0.8):5", "expected an octal code"),
        ("(0.3..):5", "expected an octal code"),
    ] {
        let refused = printed(&Octal, text).expect_err(text);
        assert!(refused.contains(problem), "{text}: {refused}");
    }
    let refused = printed(&Hexadecimal, "(2.F):5").expect_err("a pass");
    assert!(refused.contains("0, 4, 8 or C"), "{refused}");
}

#[test]
fn bytes_that_no_code_has_are_refused() {
    for bytes in [
        &[][..],
        &[0],
        &[0, 7, 0],
        &[0, 0x80],
        &[0, 3, 0x83],
        &[0, 0x87],
        &[0, 0x83, 0x83],
        &[3, 7],
        &[0, 8],
        &[0x83],
    ] {
        assert_eq!(Code::<8>::from_bytes(bytes), None, "{bytes:?}");
    }
    assert!(Code::<16>::from_bytes(&[0, 8]).is_some());
    assert!(Code::<8>::from_bytes(&[0, 0x83]).is_some());
}

/// The remains of all moves by the definition: for each number of tokens taken, each list of heaps.
fn remains_by_definition(digit_of: impl Fn(u32) -> u32, size: u32) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for taken in 0..=size {
        let left = size - taken;
        let digit = digit_of(taken);
        if digit & 1 > 0 && left == 0 {
            all.push(vec![]);
        }
        if digit & 2 > 0 && left > 0 {
            all.push(vec![left]);
        }
        for one in 1..left {
            for other in one..left {
                if digit & 4 > 0 && one + other == left {
                    all.push(vec![one, other]);
                }
                for third in other..left {
                    if digit & 8 > 0 && one + other + third == left {
                        all.push(vec![one, other, third]);
                    }
                }
            }
        }
    }
    all.sort_unstable();
    all
}

#[test]
fn the_moves_are_those_of_the_digits() {
    for (text, digits, repeated) in [
        ("(0.F)", &[0, 15][..], 0),
        ("(8.0A)", &[8, 0, 10], 0),
        ("(C.1...)", &[12], 1),
        ("(4.3...)", &[4], 3),
        ("(0.572...)", &[0, 5, 7], 2),
    ] {
        let code = Code::<16>::from_text(text).expect(text);
        for size in 0..14 {
            let mut all = Vec::new();
            let _ = code.leaves(size, &mut |left| {
                all.extend(left.sizes().map(|sizes| {
                    let heaps = sizes.into_iter().filter(|&size| size > 0);
                    heaps.collect::<Vec<_>>()
                }));
                ControlFlow::Continue(())
            });
            all.sort_unstable();
            let digit = |taken: u32| digits.get(taken as usize).copied().unwrap_or(repeated);
            let expected = remains_by_definition(digit, size);
            assert_eq!(all, expected, "{text} {size}");
            assert_eq!(code.longest(size) > 0, !all.is_empty(), "{text} {size}");
        }
    }
}
