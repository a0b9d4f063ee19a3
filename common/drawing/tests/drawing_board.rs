//! Joining spots of a sheet gives the same positions as moves.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use sproutnet_drawing::sheet::{Choice, Sheet};
use sproutnet_game::{Game, Position, Sprouts};

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

fn positions(choices: Vec<Choice>) -> BTreeSet<Position> {
    let count = choices.len();
    let positions: BTreeSet<Position> = choices.into_iter().map(|of| of.position).collect();
    assert_eq!(positions.len(), count, "each position comes once");
    positions
}

fn joins(sheet: &Sheet) -> BTreeSet<Position> {
    let mut joins = BTreeSet::new();
    for one in 0..sheet.spots().len() {
        for other in 0..=one {
            let found = positions(sheet.options(one, other));
            assert_eq!(found, positions(sheet.options(other, one)));
            joins.extend(found);
        }
    }
    joins
}

fn sheet_of(text: &str) -> Sheet {
    Sheet::of(&position(text)).expect("it can be drawn")
}

/// Returns whether the position is small enough to be drawn on a sheet.
fn check(from: &Position) -> bool {
    let sheet = Sheet::of(from);
    if let Ok(sheet) = &sheet {
        assert_eq!(joins(sheet), moves(from), "{}", Sprouts.print(from));
    }
    sheet.is_ok()
}

#[test]
fn all_joins_are_all_moves_from_three_spots_on() {
    let mut met = HashSet::new();
    let mut open = vec![position("0*3")];
    while let Some(from) = open.pop() {
        assert!(check(&from), "{}", Sprouts.print(&from));
        open.extend(moves(&from).into_iter().filter(|to| met.insert(to.clone())));
    }
    assert!(met.len() > 30, "{}", met.len());
}

#[test]
fn all_joins_are_all_moves_in_random_games() {
    let count = if cfg!(debug_assertions) { 60 } else { 500 };
    let met = met(count, 4..=8, 0x1234_5678_9abc_def1);
    let drawn = met.iter().filter(|from| check(from)).count();
    assert!(10 * drawn > 9 * count, "{drawn} of {count}");
}

#[test]
fn what_is_enclosed_is_told() {
    let sheet = sheet_of("0*5");
    let joined = positions(sheet.options(0, 1));
    assert_eq!(joined, [position("0*3.1a1a")].into());
    let loops = sheet.options(2, 2);
    assert_eq!(loops.len(), 3);
    let around_one = position("0*3.AB|0.AB");
    let around_one = loops.iter().find(|of| of.position == around_one);
    let around_one = around_one.expect("a loop around one");
    let sides = around_one.sides().expect("a loop has two sides");
    let mut counts = sides.each_ref().map(Vec::len);
    counts.sort_unstable();
    assert_eq!(counts, [1, 3], "{sides:?}");
    assert!(!sides.iter().flatten().any(|&spot| spot == 2));
}

#[test]
fn many_spots_are_no_hindrance() {
    for spots in [12, 36] {
        let sheet = sheet_of(&format!("0*{spots}"));
        assert_eq!(sheet.options(0, 0).len(), spots / 2);
        assert_eq!(sheet.options(0, 1).len(), 1);
    }
}

#[test]
fn too_many_ways_are_not_listed() {
    let loops = ".2".repeat(20);
    let sheet = sheet_of(&format!("0*2{loops}"));
    assert!(sheet.partners(0).contains(&0));
    assert_eq!(sheet.options(0, 0).len(), 0);
}
