//! The collection of puzzles. Each line of the file is a puzzle: its grade, its convention, its position, and the
//! position after the only winning move. The tests make the file, and prove each line by the rules alone.

use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use serde::Deserialize;
use sproutnet_solver::play::Play;

/// A puzzle: its grade, and its number in this grade, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Puzzle {
    pub(crate) grade: Grade,
    pub(crate) number: u32,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Grade {
    Easy,
    Medium,
    Hard,
}

impl Grade {
    pub(crate) const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl TryFrom<String> for Puzzle {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const EXPECTED: &str = "a puzzle is expected, such as easy-1";
        let (grade, number) = text.split_once('-').ok_or(EXPECTED)?;
        let grade = Grade::ALL.into_iter().find(|of| of.name() == grade);
        let grade = grade.ok_or(EXPECTED)?;
        let number = number.parse().ok();
        let number = number.filter(|number| (1..=count(grade)).contains(number));
        Ok(Self {
            grade,
            number: number.ok_or(EXPECTED)?,
        })
    }
}

impl Display for Puzzle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.grade.name(), self.number)
    }
}

/// What the collection says of a puzzle. Positions are in canonical form.
pub(crate) struct Entry {
    pub(crate) play: Play,
    pub(crate) position: &'static str,
    /// The position after the only winning move.
    pub(crate) answer: &'static str,
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
pub(crate) fn count(grade: Grade) -> u32 {
    COLLECTION[grade as usize].len() as u32
}

/// What the collection says of a puzzle.
pub(crate) fn entry_of(puzzle: Puzzle) -> &'static Entry {
    &COLLECTION[puzzle.grade as usize][puzzle.number as usize - 1]
}
