//! The collection of puzzles. Each line of the file is a puzzle: its grade, its convention, its position, and the
//! position after the only winning move. The tests make the file, and prove each line by the rules alone.

use std::sync::LazyLock;

use sproutnet_solver::play::Play;

use super::task::{Grade, Puzzle};

/// What the collection says of a puzzle. Positions are in canonical form.
pub(super) struct Entry {
    pub(super) play: Play,
    pub(super) position: &'static str,
    /// The position after the only winning move.
    pub(super) answer: &'static str,
}

/// The puzzles of each grade.
static COLLECTION: LazyLock<[Vec<Entry>; 3]> = LazyLock::new(|| {
    let lines = include_str!("puzzles.txt").lines();
    let lines: Vec<_> = lines.filter(|line| !line.starts_with('#')).collect();
    let of = |grade: Grade| lines.iter().filter_map(move |&line| entry(line, grade));
    Grade::ALL.map(|grade| of(grade).collect())
});

/// The entry in a line; `None` if it is one of another grade.
fn entry(line: &'static str, grade: Grade) -> Option<Entry> {
    let rest = line.strip_prefix(grade.name())?;
    let mut parts = rest.split_whitespace();
    let play = parts.next()?;
    Some(Entry {
        play: Play::ALL.into_iter().find(|of| of.name() == play)?,
        position: parts.next()?,
        answer: parts.next()?,
    })
}

/// The number of puzzles of a grade.
pub(super) fn count(grade: Grade) -> u32 {
    COLLECTION[grade as usize].len() as u32
}

/// What the collection says of a puzzle.
pub(super) fn entry_of(puzzle: Puzzle) -> &'static Entry {
    &COLLECTION[puzzle.grade as usize][puzzle.number as usize - 1]
}
