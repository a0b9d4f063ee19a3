use super::*;

fn texts(argument: &str) -> Result<Vec<String>, String> {
    let roots = read(&[argument.to_owned()]).map_err(|error| error.0)?;
    roots
        .map(|root| root.map(|root| root.text).map_err(|error| error.problem.0))
        .collect()
}

#[test]
fn ranges_and_positions() {
    for range in ["0..=2", "0..2", "0-2", "0 - 2"] {
        assert_eq!(
            texts(range),
            Ok(vec!["!".into(), "0*1".into(), "0*2".into()]),
            "{range}"
        );
    }
    for range in ["kayles:1..2", "kayles:1-2", "kayles:1..=2"] {
        assert_eq!(
            texts(range),
            Ok(vec!["kayles:1".into(), "kayles:2".into()]),
            "{range}"
        );
    }
    for range in ["octal(4.3...):1-2", "octal(4.3...):1..=2"] {
        assert_eq!(
            texts(range),
            Ok(vec!["octal(4.3...):1".into(), "octal(4.3...):2".into()]),
            "{range}"
        );
    }
    assert_eq!(
        texts("octal(4.3...):5+3"),
        Ok(vec!["octal(4.3...):5+3".into()])
    );
    for one in ["5..5", "5-5", "5"] {
        assert_eq!(texts(one), Ok(vec!["0*5".into()]));
    }
    assert_eq!(texts("0*3.1a1a"), Ok(vec!["0*3.1a1a".into()]));
    for bad in [
        "0..x",
        "0-x",
        "12-spots",
        "..=3",
        "-3",
        "0-2-4",
        "chess:0..3",
        "0*3.",
        "0..=99999",
        "0-400",
        "3..1",
        "3-1",
    ] {
        assert!(texts(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_caret_stands_under_the_place() {
    let error = texts("0*3.x-").expect_err("not a position");
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(
        lines[1].chars().nth(lines[2].find('^').expect("a caret")),
        Some('-')
    );
}

#[test]
fn what_was_understood_is_said_unless_the_text_is_canonical() {
    let said = |text: &str| {
        let (game, position) = parse(&game::typed(text)).expect(text);
        understood(text, &*game, &position)
    };
    for (text, expected) in [
        ("21", "`21` is 0*21: 21 spots, 63 lives"),
        ("1", "`1` is 0*1: 1 spot, 3 lives"),
        ("1b1b.0*3", "`1b1b.0*3` is 0*3.1a1a: 6 spots, 14 lives"),
        ("21}", "`21}` is 12}: 2 spots, 3 lives"),
        ("kayles:5+3", "`kayles:5+3` is kayles:3+5"),
    ] {
        assert_eq!(said(text).as_deref(), Some(expected), "{text}");
    }
    assert_eq!(said("0*3.1a1a"), None);
}
