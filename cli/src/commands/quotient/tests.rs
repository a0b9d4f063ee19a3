//! The printed form of a quotient.

use sproutnet_notation::brief::brief;

use super::*;

fn found(rules: &str, largest: u32) -> Found {
    let (game, heap) = game::heap(rules).expect("a game of heaps");
    let quotient = Quotient::of(&*heap, largest).expect("a quotient");
    let presentation = Presentation::of(&quotient.monoid, quotient.values.iter().copied());
    Found {
        game,
        quotient: query::quotient(&quotient, &presentation),
        further: None,
    }
}

#[test]
fn a_quotient_of_some_heaps_as_text() {
    assert_eq!(
        found("nim", 3).text(),
        "0 |  1  a  b ab

nim: the misère quotient of heaps up to 3 has order 6
no period is proved by these heaps
generators: a is heap 1, b is heap 2
relations: a² = 1, b³ = b
lost (P-portion): a, b²
elements: 1, a, b, ab, b², ab²
"
    );
}

#[test]
fn a_quotient_of_a_whole_game_as_text() {
    let text = found("octal(0.123)", 100).text();
    for part in [
        "octal(0.123): the misère quotient of the whole game has order 20\n",
        "period 5 from 5 on, proved by heaps up to 12",
    ] {
        assert!(text.contains(part), "{text}");
    }
    // A line holds two periods.
    assert!(text.starts_with(" 0 | "), "{text}");
    assert!(text.contains("\n10 | "), "{text}");
}

#[test]
fn sums_are_read_with_and_without_the_game() {
    for text in ["5+3+2", "kayles:5+3+2", " 5 + 3+2"] {
        assert_eq!(sizes("kayles", text).ok(), Some(vec![5, 3, 2]), "{text}");
    }
    for text in ["", "x", "nim:5", "5,3"] {
        assert!(sizes("kayles", text).is_err(), "{text}");
    }
}

#[test]
fn without_a_period_larger_heaps_are_proposed() {
    let mut found = found("octal(0.115)", 200);
    found.further = Some(LARGEST);
    let text = found.text();
    let hint = "no period is proved by these heaps; `sproutnet quotient \"octal(0.115)\" 1000` looks further\n";
    assert!(text.contains(hint), "{text}");
}

#[test]
fn a_refusal_names_a_command_that_can_be_copied() {
    let (game, heap) = game::heap("octal(0.07)").expect("a game of heaps");
    let limits = Limits {
        looks: 1000,
        ..Limits::default()
    };
    let too_large = Quotient::limited(&*heap, 30, limits).expect_err("too few looks");
    let BadInput(text) = refusal(&game, &too_large);
    let command = "`sproutnet quotient \"octal(0.07)\" ";
    assert!(brief(&text).contains(command), "{text}");
}
