use super::*;

#[test]
fn who_decides_on_colours() {
    type Case<'a> = (&'a [(&'a str, &'a str)], bool, bool);
    // Variables, then whether they give colours on a terminal and elsewhere.
    let cases: [Case<'_>; 8] = [
        (&[], true, false),
        (&[("NO_COLOR", "1")], false, false),
        (&[("NO_COLOR", "")], true, false),
        (&[("CLICOLOR_FORCE", "1")], true, true),
        (&[("CLICOLOR_FORCE", "0")], true, false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false, false),
        (&[("CLICOLOR", "0")], false, false),
        (&[("TERM", "dumb")], false, false),
    ];
    for (variables, terminal, elsewhere) in cases {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        };
        let wanted = [true, false].map(|is_terminal| wants_colours(variable, is_terminal));
        assert_eq!(wanted, [terminal, elsewhere], "{variables:?}");
    }
}

#[test]
fn nothing_is_painted_without_colours() {
    let look = Look::default();
    assert_eq!(look.paint(Tone::Win, "win"), "win");
    let look = Look {
        is_coloured: true,
        ..look
    };
    assert_eq!(look.paint(Tone::Win, "win"), "\u{1b}[32mwin\u{1b}[0m");
    assert_eq!(look.paint(Tone::Win, "  "), "  ");
    assert_eq!(look.paint(Tone::of("0*5"), "0*5"), "0*5");
}
