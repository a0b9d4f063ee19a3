//! The laws of every game, and consistency of its texts.

use std::collections::BTreeSet;

use super::*;
use crate::{Land, OptionSink, Position, by_name, heap, parse, qualified, split_game};
use std::ops::ControlFlow;

mod reach;

/// The maximum number of positions reached from each example.
const MOST: usize = 400;

/// The positions that play reaches from the examples of a game, up to [`MOST`] from each.
fn reached(game: &dyn Game) -> BTreeSet<Position> {
    let mut all = BTreeSet::new();
    for example in game.info().examples {
        let start = game.parse(example).expect("an example is a position");
        let mut met = BTreeSet::from([start.clone()]);
        let mut left = vec![start];
        while let Some(position) = left.pop().filter(|_| met.len() < MOST) {
            for option in options(game, &position) {
                if met.insert(option.clone()) {
                    left.push(option);
                }
            }
        }
        all.append(&mut met);
    }
    all
}

/// The options of a position.
pub(super) fn options(game: &dyn Game, position: &Position) -> BTreeSet<Position> {
    let mut options = BTreeSet::new();
    let end = game.moves(position, &mut |option| {
        options.insert(option);
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    options
}

#[test]
fn names_and_codes_are_unique_and_can_be_read() {
    let mut names = BTreeSet::new();
    let mut codes = BTreeSet::new();
    for game in all() {
        let others = game.other_names();
        for name in others.iter().map(|(name, _)| *name).chain([game.name()]) {
            assert!(
                name.split('-').all(|part| !part.is_empty()
                    && part.bytes().all(|letter| letter.is_ascii_lowercase())),
                "{name}"
            );
            assert!(names.insert(name), "{name}");
        }
        assert!(codes.insert(game.code()), "{}", game.name());
        assert!(by_name(game.name()).is_some());
        for line in [game.info().rules, game.info().notation] {
            assert!(!line.is_empty() && !line.contains('\n'), "{line}");
        }
        assert!(!game.info().examples.is_empty());
        for (name, parameters) in others {
            let (of_name, _) = heap(name).expect("a game of heaps");
            assert_eq!(of_name, format!("{}{parameters}", game.name()));
        }
    }
}

#[test]
fn text_and_bytes_are_read_as_what_was_written() {
    for game in all() {
        let game = &*game;
        for position in reached(game) {
            let text = game.print(&position);
            assert_eq!(game.parse_stored(&text).as_ref(), Ok(&position), "{text}");
            let shown = qualified(game, &text);
            let (read, of_shown) = parse(&shown).unwrap_or_else(|error| panic!("{shown}: {error}"));
            assert_eq!(
                (read.name(), &of_shown),
                (game.name(), &position),
                "{shown}"
            );
            assert_eq!(qualified(&*read, &read.print(&of_shown)), shown);
            // The lands may be written in any order, where each names its game.
            let lands = position.lands().iter().rev();
            let alone = |land: &Land| game.print(&Position::new(vec![land.clone()]));
            let turned: Vec<String> = lands.map(alone).collect();
            if !turned.is_empty() && game.name() != "sum" {
                let turned = turned.join("+");
                assert_eq!(
                    game.parse_stored(&turned).as_ref(),
                    Ok(&position),
                    "{turned}"
                );
            }
            for land in position.lands() {
                assert_eq!(game.land(land.as_bytes()).as_ref(), Ok(land), "{text}");
                assert!(game.check_possible(land.as_bytes()).is_ok(), "{text}");
            }
        }
    }
}

#[test]
fn options_are_canonical_and_have_fewer_moves() {
    for game in all() {
        let game = &*game;
        for position in reached(game) {
            let text = game.print(&position);
            let options = options(game, &position);
            assert_eq!(options.is_empty(), position.lands().is_empty(), "{text}");
            for option in &options {
                assert!(
                    game.max_moves_of(option) < game.max_moves_of(&position),
                    "{text}"
                );
                for land in option.lands() {
                    assert!(game.max_moves(land) > 0);
                    assert_eq!(game.land(land.as_bytes()).as_ref(), Ok(land), "from {text}");
                }
            }
        }
    }
}

/// Checks the results of a generator for each land.
struct Told<'a> {
    game: &'a dyn Game,
    options: usize,
}

impl OptionSink for Told<'_> {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        assert_eq!(self.game.check(canonical), Ok(max_moves));
    }

    fn end(&mut self) -> ControlFlow<()> {
        self.options += 1;
        match self.options {
            1 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

#[test]
fn generators_tell_lands_with_their_moves_and_stop_when_they_are_told() {
    for game in all() {
        let game = &*game;
        let generator = game.generator();
        for position in reached(game) {
            for land in position.lands() {
                let mut told = Told { game, options: 0 };
                let _ = generator.each_option(land.as_bytes(), &mut told);
                assert!((1..=2).contains(&told.options), "{}", game.print(&position));
            }
        }
    }
}

#[test]
fn tables_have_different_start_positions() {
    for game in all() {
        let mut met = BTreeSet::new();
        for start in game.starts() {
            let position = game.parse(&start);
            let position = position.unwrap_or_else(|error| panic!("{start}: {error}"));
            // Several small heaps have no move.
            let is_new = position.lands().is_empty() || met.insert(position);
            assert!(is_new, "{}: {start} is there twice", game.name());
        }
        assert!(met.len() > 10, "{}", game.name());
    }
}

#[test]
fn wrong_bytes_are_refused() {
    for game in all() {
        for wrong in [&[][..], &[0], &[0, 0], &[0xFF; 4], &[0xFF; 40]] {
            assert!(game.check(wrong).is_err(), "{}: {wrong:?}", game.name());
            assert!(game.land(wrong).is_err(), "{}: {wrong:?}", game.name());
        }
    }
}

#[test]
fn positions_are_written_in_one_way() {
    for (text, canonical) in [
        ("nim:7+5+3+0", "nim:3+5+7"),
        ("bash:21/3 + 4/2+0/9", "bash:4/2+21/3"),
        ("subtraction{ 4,1,3 }:21+2", "subtraction{1,3,4}:2+21"),
        ("subtraction{2}:1+7", "subtraction{2}:7"),
        (
            "take-and-break{2,1|1..2||}:9+3",
            "take-and-break{1,2|1,2}:3+9",
        ),
        ("explicit:{{*2},0}", "explicit:{0,{*2}}"),
        ("octal(.770):5+3", "octal(0.77):3+5"),
        ("octal(0.07):1+(0.77):2", "octal(0.77):2"),
        ("octal(0.07):6+4+(0.77):5", "octal(0.07):4+6+(0.77):5"),
        ("octal(4.):3+1", "octal(4.0):3"),
        ("dawson:5+3", "octal(0.137):3+5"),
        ("octal(0.07):1", "octal:0"),
        ("octal:0", "octal:0"),
        ("grundy:9+2+1", "grundy:9"),
        ("wythoff:5,3+2,1+0,0", "wythoff:1,2+3,5"),
        ("kayles:5+3", "kayles:3+5"),
        ("cram:4x3+1x1", "cram:3x4"),
        ("cram:oooo/oooo / oooo", "cram:3x4"),
        ("cram:ooo/-oo", "cram:-oo/ooo"),
        ("cram:oo/oo/o", "cram:-oo/ooo"),
        ("cram:oo-oo/-o---", "cram:1x2+-o/oo"),
        ("cram:o-o/-o-", "cram:0"),
        ("cram:0x7", "cram:0"),
        ("node-kayles:D?{", "node-kayles:star(4)"),
        ("node-kayles:petersen", "node-kayles:petersen"),
        (
            "node-kayles:path(3) + cycle(4)",
            "node-kayles:path(3)+cycle(4)",
        ),
        ("node-kayles:grid(2,2)", "node-kayles:cycle(4)"),
        (
            "node-kayles:C?",
            "node-kayles:path(1)+path(1)+path(1)+path(1)",
        ),
        ("node-kayles:?", "node-kayles:0"),
        ("clique:complete(3)", "clique:path(1)+path(1)+path(1)"),
        ("clique:complement(path(6))", "clique:Erv_"),
        ("surfaces:0*3@1", "surfaces:0*3@1"),
        ("surfaces:0*3@0", "surfaces:0*3"),
        ("surfaces:0*1@-2", "surfaces:0*1"),
        ("surfaces: 0 . 1C2.C @ -2 | 3@7", "surfaces:0.12A.A@-2"),
        ("surfaces:0.AB@1|AB@1+1111}@4", "surfaces:AB|0.AB@1+1111}@4"),
        ("surfaces:33}@1", "surfaces:!"),
        ("switching:path(4)/short", "switching:0-3,1-2,2-3/0,1/short"),
        (
            "switching: 5-3, 3-8*2,3-4 / 8,5 / cut",
            "switching:0-2,1-2*2/0,1/cut",
        ),
        ("switching:path(4)/1,0/cut", "switching:0-1/0,1/cut"),
        ("switching:path(4)/2,2/cut", "switching:0"),
        ("switching:gale(5)/short", "switching:gale(5)/short"),
        (
            "switching:0-2,0-3,2-3,2-1,1-3/0,1/cut",
            "switching:gale(2)/cut",
        ),
    ] {
        let (game, position) = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            qualified(&*game, &game.print(&position)),
            canonical,
            "{text}"
        );
    }
}

#[test]
fn refusals_name_the_column_and_what_is_expected() {
    for (text, column, expected) in [
        ("nim:3+x", 7, "size of a heap"),
        ("nim:10001", 5, "up to 10000"),
        ("bash:21", 6, "bash:SIZE/MOST"),
        ("bash:21/0", 6, "number from 1"),
        ("bash:9/2+21/x", 10, "number from 1"),
        ("subtraction:21", 13, "subtraction{A,B,…}"),
        ("subtraction{}:21", 12, "such as `{1,3,4}`"),
        ("subtraction{0,1}:21", 12, "such as `{1,3,4}`"),
        ("octal(0.78):5", 6, "an octal code"),
        ("octal(1.7):5", 6, "0 or 4"),
        ("octal(0.0):5", 6, "some digit"),
        ("octal(0.77)", 6, "size of a heap"),
        ("octal(0.77):5+x", 15, "size of a heap"),
        ("dawson:5+x", 10, "size of a heap"),
        ("grundy:-1", 8, "size of a heap"),
        ("wythoff:3", 9, "such as `3,5`"),
        ("wythoff:1,2+1,1001", 13, "up to 1000"),
        ("cram:3", 6, "such as `3x4`"),
        ("cram:3x4+ooy", 10, "such as `3x4`"),
        ("cram:3x65", 6, "up to 64 rows and columns"),
        ("node-kayles:D?", 13, "2 symbols"),
        ("node-kayles:path(3)+wheel(4)", 21, "path(N), cycle(N)"),
        ("clique:grid(9,9)", 8, "up to 64 vertices"),
        ("surfaces:0*3@torus", 14, "number of handles"),
        ("surfaces:0*3.1@1|1@61", 20, "up to 60"),
        ("surfaces:0*3@1@2", 15, "after a surface, found `@`"),
        ("surfaces:0*2+5@1", 14, "`0*5` is 5 spots"),
        ("surfaces:0*2.1A@1|AB", 20, "`B` occurs once"),
        ("surfaces:0*2.x@1", 14, "occurs once"),
        ("surfaces:0*2.1?@1", 15, "expected a spot"),
        ("surfaces:0.AB}1", 12, "occurs once"),
        ("surfaces:0*334@1", 14, "more than 1000 lives"),
        ("switching:gale(3)", 11, "and who moves"),
        ("switching:gale(33)/short", 11, "from 1 to 32"),
        ("switching:gale(3)/black", 19, "`short` or `cut`"),
        ("switching:D?{/0,5/cut", 15, "from 0 to 4"),
        ("switching:0-1,1-1/0,1/cut", 11, "different ends"),
        ("switching:0-1*4097/cut", 11, "up to 1024 vertices"),
        ("switching:?/cut", 11, "without vertices"),
        ("switching:path(2)/cut+path(2)/cut", 22, "do not add up"),
    ] {
        let Err(crate::PositionError::Parse(error)) = parse(text) else {
            panic!("`{text}` is no position");
        };
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.problem.contains(expected), "{text}: {error}");
    }
}

#[test]
fn an_unknown_game_is_told_with_the_nearest_one() {
    for (text, told) in [
        ("kales:5", "did you mean `kayles`?"),
        ("Nim:5", "did you mean `nim`?"),
        ("ocatl(0.77):5", "did you mean `octal`?"),
        ("dawsen:5", "did you mean `dawson`?"),
        ("nodekayles:path(5)", "did you mean `node-kayles`?"),
        ("chess:5", "there are sprouts, brussels, mixed,"),
    ] {
        let Err(error) = parse(text) else {
            panic!("`{text}` is no position");
        };
        let name = &text[..text.find([':', '(']).unwrap()];
        let error = error.to_string();
        assert!(
            error.contains(&format!("no game called `{name}`")),
            "{error}"
        );
        assert!(error.contains(told), "{text}: {error}");
    }
    assert_eq!(split_game("0*3.1a1a").unwrap().0.name(), "sprouts");
}

#[test]
fn rules_are_named_with_their_parameters() {
    for (text, canonical) in [
        ("kayles", "kayles"),
        ("octal(.77)", "octal(0.77)"),
        ("dawson", "octal(0.137)"),
        ("bash/3", "bash/3"),
        ("subtraction{4,1,3}", "subtraction{1,3,4}"),
        ("take-and-break{|1|0..,2}", "take-and-break{|1|0..}"),
    ] {
        assert_eq!(heap(text).map(|(text, _)| text), Ok(canonical.to_owned()));
    }
    for (text, problem) in [
        (
            "sprouts",
            "column 1: sprouts is not played with single heaps",
        ),
        ("wythoff", "not played with single heaps"),
        ("node-kayles", "not played with single heaps"),
        ("explicit", "not played with single heaps"),
        ("octal", "column 6: expected an octal code"),
        ("kayles(0.77)", "column 7: expected"),
        ("dawson(0.77)", "column 7: expected"),
        ("chess", "there is no game called `chess`"),
        (
            "0.77",
            "there is no game called `0.77`; the name comes first, as in `octal(0.77)`",
        ),
    ] {
        let error = heap(text).err().expect(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

#[test]
fn what_stores_have_stays_readable() {
    // A record names a land by these bytes. They change only together with `encoding_version`.
    for (text, bytes) in [
        ("kayles:5", &[0, 5][..]),
        ("nim:300", &[1, 44]),
        ("bash:21/3", &[0, 3, 0, 21]),
        ("subtraction{1,3}:21", &[0, 1, 0, 3, 0, 21]),
        ("octal(0.77):5", &[0, 7, 7, 0, 5]),
        ("take-and-break{|2..}:5", &[0, 1, 0, 2, 255, 255, 0, 5]),
        ("explicit:{0,{*2}}", &[2, 0, 0, 1, 0, 2]),
        ("octal(4.07):5", &[4, 0, 7, 0, 5]),
        ("grundy:9", &[0, 9]),
        ("wythoff:3,5", &[0, 3, 0, 5]),
        ("cram:ooo/-oo", &[2, 3, 0b0111_1100]),
        ("node-kayles:D?{", &[5, 0b0000_0011, 0b1100_0000]),
        ("clique:complement(path(3))", &[3, 0b0110_0000]),
        (
            "surfaces:0.1aAa@-1|1A",
            &[255, 1, 2, 1, 3, 5, 6, 5, 0, 1, 3, 6, 0, 1],
        ),
        ("switching:path(3)/short", &[0, 3, 0, 2, 1, 2]),
    ] {
        let (_, position) = parse(text).expect("a position");
        assert_eq!(position.lands()[0].as_bytes(), bytes, "{text}");
    }
}
