use super::*;

fn refused(text: &str) -> ParseError {
    parse_unambiguous(text).expect_err(text)
}

#[test]
fn a_land_that_is_a_number_is_refused_with_what_it_may_mean() {
    for (text, column, readings) in [
        ("21", 1, &["`0*21`", "`21}`"][..]),
        (" 12 ", 2, &["`0*12`", "`12}`"]),
        ("0", 1, &["`!`", "`0*1`"]),
        ("1", 1, &["`0*1`", "`1}`"]),
        ("11", 1, &["`0*11`", "`11}`"]),
        ("457", 1, &["`0*457`"]),
        ("0*3+12", 5, &["`0*12`", "`12}`"]),
        ("1a1a + 1 + 0", 8, &["`0*1`", "`1}`"]),
    ] {
        let error = refused(text);
        assert_eq!(error.column, column, "{text}: {error}");
        for reading in readings {
            assert!(error.problem.contains(reading), "{text}: {error}");
        }
    }
    for text in [
        "21}", "12}+1}", "12]", "12!", "0*1", "12.1", "0.12", "1.A|2A", "0*3+12}",
    ] {
        assert!(parse_unambiguous(text).is_ok(), "{text}");
    }
    // Certificates and stores have such texts.
    assert!(parse("21").is_ok() && parse("0+1").is_ok());
}

#[test]
fn letters_come_in_pairs() {
    for (text, column, name) in [
        ("1a1A", 2, "`a`"),
        ("0*8.a", 5, "`a`"),
        ("AB|AC", 2, "`B`"),
        ("0.m(30)1", 3, "`m(30)`"),
        ("1.n(2)|1", 3, "`n(2)`"),
        ("kayles", 1, "`k`"),
        // Names of small letters hold on a boundary, and of capitals in a land.
        ("1a.1a", 2, "`a`"),
        ("A1+A1", 1, "`A`"),
    ] {
        let error = refused(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(name), "{text}: {error}");
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn blanks_stand_at_the_ends_and_around_separators() {
    for text in [
        " 0*3.1a1a ",
        "0*3 . 1a1a",
        "AB | AB + 0*2",
        "0*2\t+ 0*3",
        "12 } ]",
        "0*3 !\n",
    ] {
        assert!(parse_unambiguous(text).is_ok(), "{text}");
    }
    for (text, column) in [
        ("12 spots", 3),
        ("1 2", 2),
        ("0*3.1a 1a", 7),
        ("0 0", 2),
        ("A B|AB", 2),
    ] {
        assert_eq!(refused(text).column, column, "{text}");
        assert_eq!(parse(text).expect_err(text).column, column, "{text}");
    }
}

#[test]
fn crosses_are_boundaries_of_their_own() {
    let parse = |text: &str| crosses::parse_drawable(text).expect(text);
    for (text, written) in [
        ("x", "x"),
        ("x*3.0*2", "0*2.x*3"),
        ("0*2.x.x", "0*2.x*2"),
        ("2222.22.x", "x*2.22"),
        ("0.x.1aBa|Bx1x", "0.x.1aAa|Aa1a"),
        ("222", "222"),
    ] {
        assert_eq!(crosses::print_land(&parse(text)), written, "{text}");
    }
    for (text, column, problem) in [
        ("x2", 2, "a separator after `0` or `x`"),
        ("x*", 3, "expected a number"),
        ("x.*", 3, "expected a spot"),
        ("x*251", 5, "more than 1000 lives"),
    ] {
        let error = crosses::parse_drawable(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(problem), "{text}: {error}");
    }
    // Without crosses, `x` is a letter, which occurs twice.
    assert!(parse_unambiguous("x").is_err() && parse_unambiguous("1x1x").is_ok());
}

#[test]
fn regions_have_surfaces() {
    for (text, written) in [
        ("0*3@1", "0*3@1"),
        ("0*3@0", "0*3"),
        (" 0.A.A @ -2 | 12@60 ", "0.A.A@-2|12@60"),
        ("12}@1", "12}@1"),
        ("33@7|1a1a@-1", "1a1a@-1"),
    ] {
        let read = surfaces::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(surfaces::print(&read), written, "{text}");
    }
    for (text, column, problem) in [
        ("0*3@", 5, "number of handles"),
        ("0*3@61", 5, "up to 60"),
        ("0*3@-x", 5, "number of handles"),
        ("0*3@1.0", 6, "after a surface"),
        ("0*3@1 1", 7, "after a surface"),
        ("@1", 1, "expected a spot"),
        ("12@1", 1, "misread"),
        ("0.A@1", 3, "occurs once"),
    ] {
        let error = surfaces::parse(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(problem), "{text}: {error}");
    }
    // Sprouts has none.
    assert!(parse("0*3@1").is_err() && parse("0.A.A").is_err());
}
