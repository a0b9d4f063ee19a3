use super::*;
use crate::parse;

#[test]
fn terms_belong_to_the_game_named_last() {
    for (text, game, canonical) in [
        ("0*5+*2", "sum", "0*5+nim:2"),
        ("*2+0*5", "sum", "0*5+nim:2"),
        ("kayles:5+3+*2+4", "sum", "kayles:3+4+5+nim:2"),
        ("1a1a+12}+kayles:5", "sum", "12}+1a1a+kayles:5"),
        ("nim:3+sprouts:0*2", "sum", "0*2+nim:3"),
        (
            "octal(0.77):4+(0.07):6+bash:9/2",
            "sum",
            "bash:9/2+octal(0.07):6+(0.77):4",
        ),
        (
            "cram:2x3+node-kayles:path(3)+cycle(4)",
            "sum",
            "cram:2x3+node-kayles:path(3)+cycle(4)",
        ),
        ("dawson:6+nim:1", "sum", "nim:1+octal(0.137):6"),
        ("sum:nim:3", "sum", "sum:nim:3"),
        ("sum:!", "sum", "sum:!"),
        ("*3", "nim", "nim:3"),
        ("*3+*5", "nim", "nim:3+5"),
        ("kayles:5+kayles:3", "kayles", "kayles:3+5"),
        (
            "octal(0.77):4+octal(0.07):6",
            "octal",
            "octal(0.07):6+(0.77):4",
        ),
        ("0*3+sprouts:0*2", "sprouts", "0*2+0*3"),
        ("0*3+{0,{*2}}", "sum", "0*3+explicit:{0,{*2}}"),
    ] {
        let (read, position) = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.name(), game, "{text}");
        assert_eq!(
            qualified(&*read, &read.print(&position)),
            canonical,
            "{text}"
        );
    }
}

#[test]
fn refusals_name_the_column_in_the_whole_text() {
    for (text, column, expected) in [
        ("0*5+kayles:x", 12, "size of a heap"),
        ("0*5+kales:3", 5, "did you mean `kayles`"),
        ("kayles:5+3+x+*2", 12, "size of a heap"),
        ("nim:3+switching:gale(2)/short", 7, "do not add up"),
        ("kayles:5+*2+0*3", 13, "size of a heap"),
    ] {
        let Err(PositionError::Parse(error)) = parse(text) else {
            panic!("{text} is read, or refused as a whole");
        };
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(expected), "{text}: {error}");
    }
}

#[test]
fn options_are_those_of_each_land_in_its_game() {
    let (game, position) = parse("0*2+kayles:3").expect("a sum");
    let mut options = std::collections::BTreeSet::new();
    let end = game.moves(&position, &mut |option| {
        options.insert(game.print(&option));
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    let spots = [
        "1a1a+kayles:3",
        "0.AB|AB+kayles:3",
        "0*2+kayles:1",
        "0*2+kayles:2",
        "0*2+kayles:1+1",
    ];
    assert!(
        spots[2..].iter().all(|option| options.contains(*option)),
        "{options:?}"
    );
    let of_spots = |option: &String| option.ends_with("+kayles:3");
    let sprouts = parse("0*2").expect("a start");
    let mut alone = 0;
    let end = sprouts.0.moves(&sprouts.1, &mut |_| {
        alone += 1;
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(
        options.iter().filter(|option| of_spots(option)).count(),
        alone,
        "{options:?}"
    );
    assert_eq!(options.len(), alone + 3, "{options:?}");
}

#[test]
fn facts_about_nimbers_are_filed_under_the_game_of_the_land() {
    let (game, position) = parse("0*3+nim:2").expect("a sum");
    for land in position.lands() {
        let (part, own) = game.part(land).expect("a land of a game");
        let (code, filed) = game.filed(land.as_bytes());
        assert_eq!((code, filed), (part.code(), own.as_bytes()));
        assert_eq!(part.filed(own.as_bytes()), (code, filed));
        let unfiled = game.unfiled(code, filed).expect("the land");
        assert_eq!(&*unfiled, land.as_bytes());
    }
    let switching = crate::by_name("switching").expect("a game");
    assert!(game.unfiled(switching.code(), &[]).is_none());
}

#[test]
fn a_new_game_leaves_sums_in_stores_readable() {
    // Only a change of the encoding of a game in sums changes this.
    assert_eq!(Sum.info().encoding_version, 17);
}
