use std::collections::BTreeSet;

use super::*;
use crate::games::tests::options;
use crate::{parse, qualified};

fn canonical(text: &str) -> String {
    let (game, position) = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    qualified(&*game, &game.print(&position))
}

#[test]
fn equal_games_have_one_text() {
    for (text, expected) in [
        ("explicit:{0,*1,{*2}}", "explicit:{0,*1,{*2}}"),
        ("explicit: { { *2 } , *1, 0, *1 }", "explicit:{0,*1,{*2}}"),
        ("explicit:{{{},{0}},{{{0},0}}}", "explicit:{*2,{*2}}"),
        ("explicit:{{0,{0}},{{{0},{}}}}", "explicit:{*2,{*2}}"),
        ("explicit:{}", "explicit:0"),
        ("explicit:0+{}+*0", "explicit:0"),
        ("explicit:{0}", "explicit:*1"),
        ("explicit:{*}", "explicit:{*1}"),
        ("explicit:{*2,*1,0}", "explicit:*3"),
        ("explicit:{{*2}}+{0,*1}+*3", "explicit:*2+*3+{{*2}}"),
        ("{0,*1,{*2}}", "explicit:{0,*1,{*2}}"),
        ("{{*2}}+{*2}+*3", "explicit:*3+{*2}+{{*2}}"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
        assert_eq!(canonical(expected), expected);
    }
}

#[test]
fn braces_belong_to_other_games_after_their_names() {
    for (text, expected) in [
        ("0*5+{*2}", "0*5+explicit:{*2}"),
        ("*3+{*2}", "nim:3+explicit:{*2}"),
        ("{*2}+kayles:5+*2", "kayles:5+nim:2+explicit:{*2}"),
        ("explicit:{*2}+nim:3", "nim:3+explicit:{*2}"),
        ("subtraction{1,3}:5+{2}:4", "subtraction{1,3}:5+{2}:4"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
        assert_eq!(canonical(expected), expected);
    }
    assert!(parse("subtraction{1,3}:5+{2}").is_err());
    assert!(parse("kayles:5+{2}").is_err());
}

#[test]
fn refusals_name_the_column() {
    for (text, column, expected) in [
        ("{0,1}", 4, "a heap has a star, found `1`"),
        ("{0,*256}", 5, "up to 255"),
        ("{0 *1}", 4, "expected `,` or `}`, found `*`"),
        ("{0,*1", 6, "found the end"),
        ("{0,}", 4, "expected `0`"),
        ("{0}}", 4, "expected `+` or the end"),
        ("{0}+", 5, "expected `0`"),
        ("explicit:", 10, "expected `0`"),
        ("explicit:{0,{x}}", 14, "expected `0`"),
        ("0*2+{0,x}", 8, "expected `0`"),
    ] {
        let Err(crate::PositionError::Parse(error)) = parse(text) else {
            panic!("{text} is read, or refused as a whole");
        };
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(expected), "{text}: {error}");
    }
}

#[test]
fn limits_are_kept_in_texts_and_bytes() {
    let nested = |sets: usize| format!("{}*2{}", "{".repeat(sets), "}".repeat(sets));
    let (_, deepest) = parse(&nested(DEEPEST)).expect("as deep as allowed");
    assert_eq!(Explicit.max_moves_of(&deepest), 2 + DEEPEST as u32);
    let bytes = deepest.lands()[0].as_bytes();
    assert!(Explicit.check(bytes).is_ok());
    let deeper = [&[1], bytes].concat();
    assert!(Explicit.check(&deeper).is_err());
    assert!(parse(&nested(DEEPEST + 1)).is_err());
    assert!(parse(&nested(100_000)).is_err());
    // 300 different games.
    let many: Vec<String> = (1..=20)
        .flat_map(|one| (2..17).map(move |two| format!("{{*{one},{{*{two}}},{{*1,*3}}}}")))
        .collect();
    let error = parse(&format!("{{{}}}", many.join(",")))
        .err()
        .expect("too many");
    assert!(error.to_string().contains("at most 255 options"), "{error}");
    let long = parse(&format!("{{{}}}", many[..250].join(",")))
        .err()
        .expect("too long");
    assert!(long.to_string().contains("at most 2000 bytes"), "{long}");
}

#[test]
fn bytes_have_one_form() {
    for wrong in [
        &[0, 0][..],
        &[0],
        &[1],
        &[1, 0],
        // `*1` and `*2` as sets.
        &[1, 0, 0],
        &[2, 0, 0, 0, 1],
        // Options twice, and in the wrong order.
        &[2, 0, 1, 0, 1],
        &[2, 0, 2, 0, 1],
        // Two games.
        &[0, 1, 0, 2],
        &[1, 0, 2, 0],
        &[2, 0, 1, 1, 0, 0],
    ] {
        assert!(Explicit.check(wrong).is_err(), "{wrong:?}");
    }
    assert_eq!(Explicit.check(&[2, 0, 1, 1, 0, 2]), Ok(4));
}

#[test]
fn a_move_leads_to_an_option() {
    let after = |text: &str| -> BTreeSet<String> {
        let position = Explicit.parse(text).expect("a position");
        let options = options(&Explicit, &position);
        options
            .iter()
            .map(|option| Explicit.print(option))
            .collect()
    };
    let of = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(after("{0,*1,{*2}}"), of(&["0", "*1", "{*2}"]));
    assert_eq!(after("*3"), of(&["0", "*1", "*2"]));
    assert_eq!(after("{*2}+*1"), of(&["*1+*2", "{*2}"]));
    assert_eq!(after("0"), of(&[]));
}

#[test]
fn the_table_has_the_games_with_up_to_three_moves() {
    let starts = Explicit.starts();
    assert_eq!(starts.len(), 15);
    assert!(starts.contains(&"*3".to_owned()) && starts.contains(&"{*2}".to_owned()));
    for start in starts {
        let position = Explicit.parse(&start).expect("a position");
        assert!(Explicit.max_moves_of(&position) <= 3, "{start}");
    }
}
