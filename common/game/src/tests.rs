//! The two readers of positions: for queries of programs, and for people's input.

use super::*;

/// The canonical text of a program's query.
fn asked(text: &str) -> Result<String, String> {
    let (game, position) = parse(text).map_err(|error| error.to_string())?;
    Ok(qualified(&*game, &game.print(&position)))
}

#[test]
fn a_number_that_a_person_types_is_a_start_position() {
    for (text, meant) in [
        ("21", "0*21"),
        (" 12 ", "0*12"),
        ("1", "0*1"),
        ("0", "!"),
        ("007", "0*7"),
        ("sprouts:12", "0*12"),
        ("sprouts 12", "0*12"),
        ("kayles:12", "kayles:12"),
        (" kayles  12 ", "kayles:12"),
        ("dawson 5", "octal(0.137):5"),
        ("Brussels 3", "brussels:x*3"),
        ("12}", "12}"),
        ("0*3.1a1a", "0*3.1a1a"),
    ] {
        assert_eq!(asked(&typed(text)), Ok(meant.to_owned()), "{text}");
    }
    for text in ["", "99999999999", "400", "11+12", "12 spotz", "hello"] {
        assert!(asked(&typed(text)).is_err(), "{text}");
    }
}

#[test]
fn a_zero_in_a_form_is_a_spot() {
    for (text, meant) in [
        (" 0 ", "0*1"),
        ("1", "0*1"),
        ("10", "0*10"),
        ("kayles:0", "kayles:0"),
    ] {
        assert_eq!(asked(&typed_in_form(text)), Ok(meant.to_owned()), "{text}");
    }
}

#[test]
fn what_a_person_types_is_read_if_one_reading_is_left() {
    for (text, meant) in [
        (" 0 * 8 ", "0*8"),
        ("0x8", "0*8"),
        ("0×8", "0*8"),
        ("O*8", "0*8"),
        ("5 spots", "0*5"),
        ("０*８", "0*8"),
        ("１２", "0*12"),
        ("０＊３．ＡＢ｜０．ＡＢ", "0*3.AB|0.AB"),
        ("1 spot", "0*1"),
        ("0*3.ab|0.ab", "0*3.AB|0.AB"),
        ("0*2 | 0*3", "0*2|0*3"),
        ("0x2 + 0x3", "0*2+0*3"),
    ] {
        let expected = asked(meant);
        assert!(expected.is_ok(), "{meant}");
        assert_eq!(asked(&typed(text)), expected, "{text}");
    }
    // Two numbers are not one.
    for text in ["0*1 2", "0 8", "0*3.a b", "8*0", "1a1A", "0*8.a", "ab|Ab"] {
        assert_eq!(typed(text), text);
    }
}

#[test]
fn a_number_that_a_program_asks_about_is_refused() {
    for text in ["21", "0", "1", "sprouts:12", "0*3+12"] {
        let error = asked(text).expect_err(text);
        assert!(error.contains("can be misread"), "{text}: {error}");
    }
    assert_eq!(asked("kayles:12"), Ok("kayles:12".to_owned()));
    assert_eq!(asked("21}"), Ok("12}".to_owned()));
}

#[test]
fn a_refusal_says_what_was_probably_meant() {
    for (text, meant) in [
        (
            "12 spots",
            "column 3: a blank stands between spots; did you mean `0*12`?",
        ),
        ("12spots", "did you mean `0*12`?"),
        ("kayles", "such as `kayles:5+3`"),
        ("octal", "such as `octal(0.77):5+3`"),
        ("sprouts", "such as `0*2`"),
        (
            "hello",
            "column 1: `hello` is not a position, such as `0*5`: the letter `h`",
        ),
        ("Hello", "`Hello` is not a position"),
        ("0*8.a", "column 5: the letter `a`"),
        ("chess:5", "there is no game called `chess`"),
    ] {
        let error = asked(text).expect_err(text);
        assert!(error.contains(meant), "{text}: {error}");
    }
}
