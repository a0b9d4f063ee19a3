//! Matches with crosses.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_drawing::sheet::{
    MOST_WITH_CROSSES, Mark, Sheet, SheetGame, SheetPicture, Stroke, StrokeError,
};
use sproutnet_game::Position;

use crate::drawing_sheet::check_lines;

/// The positions after all moves, by the rules.
fn moves(sheet: &Sheet) -> BTreeSet<Position> {
    let mut moves = BTreeSet::new();
    let all = sheet
        .game()
        .rules()
        .moves(&sheet.position(), &mut |option| {
            moves.insert(option);
            ControlFlow::Continue(())
        });
    assert!(all.is_continue());
    moves
}

/// All pairs of spots that a line can join.
fn pairs(sheet: &Sheet) -> Vec<(usize, usize)> {
    let of = |one: usize| {
        let others = sheet.partners(one).into_iter();
        others
            .filter(move |&other| other >= one)
            .map(move |other| (one, other))
    };
    (0..sheet.spots().len()).flat_map(of).collect()
}

/// A random move that has room, and the position after it; `None` if there is none.
fn random_move(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Stroke, Position)> {
    let pairs = pairs(sheet).into_iter();
    let mut choices: Vec<_> = pairs
        .flat_map(|(one, other)| sheet.options(one, other))
        .collect();
    random.shuffle(&mut choices);
    choices
        .into_iter()
        .find_map(|choice| Some((sheet.route(&choice)?, choice.position)))
}

/// Plays a random match to its end, and returns its number of moves.
fn play(start: Sheet, seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut sheet = start.clone();
    let mut code = String::new();
    while let Some((stroke, position)) = random_move(&sheet, &mut random) {
        code += &stroke.code();
        sheet = sheet.play(&stroke).expect("it can be drawn");
        check_lines(&sheet);
        assert_eq!(sheet.position(), position, "{code}");
    }
    assert!(sheet.is_over(), "no room: {code}");
    let strokes = Stroke::decode(&code).expect("a code");
    let replayed = strokes.iter().fold(start, |sheet, stroke| {
        sheet.play(stroke).expect("the same move")
    });
    assert_eq!(replayed, sheet);
    assert_eq!(sheet.moves(), strokes.len());
    sheet.moves()
}

#[test]
fn a_start_is_drawn_as_it_is() {
    for (game, spots, crosses, text) in [
        (SheetGame::Brussels, 0, 1, "brussels:x"),
        (SheetGame::Brussels, 0, 2, "brussels:x*2"),
        (SheetGame::Brussels, 0, MOST_WITH_CROSSES, "brussels:x*5"),
        (SheetGame::Mixed, 2, 1, "mixed:0*2.x"),
        (SheetGame::Mixed, 3, 0, "mixed:0*3"),
        (SheetGame::Mixed, 0, 2, "mixed:x*2"),
    ] {
        let sheet = Sheet::start_with_crosses(game, spots, crosses);
        check_lines(&sheet);
        let (rules, position) = sproutnet_game::parse(text).expect(text);
        assert_eq!(rules.name(), game.rules().name(), "{text}");
        assert_eq!(sheet.position(), position, "{text}");
        assert_eq!(sheet.all_lives(), 3 * spots + 4 * crosses, "{text}");
        assert_eq!((sheet.moves(), sheet.crosses_at_start()), (0, crosses));
        // Middles are not shown.
        let shown = sheet
            .svg(SheetPicture::default())
            .matches("data-spot=")
            .count();
        assert_eq!(shown, spots + 4 * crosses, "{text}");
    }
}

#[test]
fn joins_are_all_moves() {
    for (game, spots, crosses) in [
        (SheetGame::Brussels, 0, 2),
        (SheetGame::Mixed, 1, 1),
        (SheetGame::Mixed, 2, 0),
    ] {
        let sheet = Sheet::start_with_crosses(game, spots, crosses);
        let pairs = pairs(&sheet).into_iter();
        let joins = pairs.flat_map(|(one, other)| sheet.options(one, other));
        let joins: BTreeSet<Position> = joins.map(|choice| choice.position).collect();
        assert_eq!(joins, moves(&sheet), "{game:?}");
    }
}

#[test]
fn every_match_from_n_crosses_has_5n_minus_2_moves() {
    for crosses in 1..=2 {
        for seed in 0..4 {
            let start = Sheet::start_with_crosses(SheetGame::Brussels, 0, crosses);
            assert_eq!(play(start, seed), 5 * crosses - 2, "seed {seed}");
        }
    }
}

#[test]
fn spots_and_crosses_are_mixed() {
    for (spots, crosses) in [(1, 0), (2, 0), (1, 1)] {
        for seed in 0..3 {
            let start = Sheet::start_with_crosses(SheetGame::Mixed, spots, crosses);
            assert!(play(start, seed) <= 5 * (spots + crosses) - 2);
        }
    }
}

#[test]
fn a_line_by_hand_gets_a_cross() {
    let sheet = Sheet::start_with_crosses(SheetGame::Brussels, 0, 2);
    let spots = sheet.spots().to_vec();
    // From the lower end of the upper cross to the upper end of the lower one.
    let at = |below: bool, end: usize| spots[4 * usize::from(below) + end];
    let stroke = sheet.by_hand(&[at(false, 1), at(true, 3)]).expect("a line");
    assert_eq!((stroke.mark, stroke.ends), (Mark::Cross, [1, 7]));
    let after = sheet.play(&stroke).expect("room");
    check_lines(&after);
    assert_eq!(after.spots().len(), spots.len() + 3);
    assert!(after.is_middle(spots.len()) && !after.is_middle(spots.len() + 1));
    assert_eq!([1, 7, 11, 12].map(|end| after.lives(end)), [0, 0, 1, 1]);
    // An end takes one line, and a move of Brussels Sprouts puts no spot on it.
    let again = after.by_hand(&[at(false, 1), at(true, 0)]);
    assert_eq!(again, Err(StrokeError::Taken(2)));
    let with_spot = stroke.with(Mark::Spot);
    assert_eq!(sheet.play(&with_spot), Err(StrokeError::Mark));
}
