//! Joining spots on a board gives the same positions as moves.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use sproutnet_drawing::{Board, Drawing, DrawingError};
use sproutnet_game::{self as game, Game, Position, Sprouts};

use crate::drawing_positions::{met, position};

fn moves(from: &Position) -> BTreeSet<Position> {
    let mut moves = BTreeSet::new();
    let all = Sprouts.moves(from, &mut |option| {
        moves.insert(option);
        ControlFlow::Continue(())
    });
    assert!(all.is_continue());
    moves
}

fn joins(board: &Board) -> BTreeSet<Position> {
    let spots: Vec<usize> = board.lives().map(|(number, _)| number).collect();
    let mut joins = BTreeSet::new();
    for (i, &one) in spots.iter().enumerate() {
        for &other in &spots[..=i] {
            let found = board.joins(one, other).expect("not too many");
            assert_eq!(found, board.joins(other, one).expect("not too many"));
            for join in found {
                let (_, position) = game::parse(&join.text).expect("a position");
                assert_eq!(position, join.position);
                assert!(!join.ways.is_empty());
                joins.insert(join.position);
            }
        }
    }
    joins
}

fn check(from: &Position) {
    let board = Board::of(from).expect("it can be drawn");
    assert_eq!(joins(&board), moves(from), "{}", Sprouts.print(from));
}

#[test]
fn all_joins_are_all_moves_from_three_spots_on() {
    let mut met = HashSet::new();
    let mut open = vec![position("0*3")];
    while let Some(from) = open.pop() {
        check(&from);
        open.extend(moves(&from).into_iter().filter(|to| met.insert(to.clone())));
    }
    assert!(met.len() > 30, "{}", met.len());
}

#[test]
fn all_joins_are_all_moves_in_random_games() {
    let count = if cfg!(debug_assertions) { 60 } else { 500 };
    met(count, 4..=8, 0x1234_5678_9abc_def1)
        .iter()
        .for_each(check);
}

#[test]
fn spots_have_the_numbers_of_the_drawing() {
    for from in met(60, 3..=9, 0x0dd0_5eed) {
        let board = Board::of(&from).expect("it can be drawn");
        let drawing = Drawing::of(&from).expect("it can be drawn");
        let drawn = drawing
            .spots()
            .into_iter()
            .map(|spot| (spot.number, spot.lives));
        assert!(board.lives().eq(drawn), "{}", Sprouts.print(&from));
    }
}

#[test]
fn what_is_enclosed_is_told() {
    let board = Board::of(&position("0*5")).expect("it can be drawn");
    let texts = |one, other| {
        let joins = board.joins(one, other).expect("few");
        joins
            .iter()
            .map(|join| join.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(1, 2), ["0*3.1a1a"]);
    let loops = board.joins(3, 3).expect("few");
    assert_eq!(loops.len(), 3);
    let one_alone = loops
        .iter()
        .find(|join| join.text == "0*3.AB|0.AB")
        .expect("a loop around one");
    for way in &one_alone.ways {
        let sides = way.sides.as_ref().expect("a loop has two sides");
        let mut counts = sides.each_ref().map(Vec::len);
        counts.sort_unstable();
        assert_eq!(counts, [1, 3], "{way:?}");
        assert!(!sides.iter().flatten().any(|&spot| spot == 3));
    }
    assert_eq!(texts(1, 6), Vec::<String>::new());
    assert_eq!(texts(0, 0), Vec::<String>::new());
}

#[test]
fn many_spots_are_no_hindrance() {
    for spots in [12, 60] {
        let board = Board::of(&position(&format!("0*{spots}"))).expect("it can be drawn");
        assert_eq!(
            board.joins(1, 1).expect("alike").len(),
            spots / 2 + spots % 2
        );
        assert_eq!(board.joins(1, 2).expect("one").len(), 1);
    }
}

#[test]
fn too_many_ways_are_refused() {
    let rings: String = (0..20).map(|_| ".1a1a").collect();
    let board = Board::of(&position(&format!("0*2{rings}"))).expect("it can be drawn");
    assert_eq!(board.joins(1, 1), Err(DrawingError::TooLarge));
}
