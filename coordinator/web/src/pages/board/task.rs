//! The name of a task in an address.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;

use super::collection;

/// The number of steps of the lesson.
pub(super) const STEPS: usize = 5;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::pages) enum Task {
    /// A step of the lesson, counted from 1.
    Lesson(usize),
    /// The only winning move.
    Puzzle(Puzzle),
}

/// A puzzle: its grade, and its number in this grade, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::pages) struct Puzzle {
    pub(super) grade: Grade,
    pub(super) number: u32,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Grade {
    Easy,
    Medium,
    Hard,
}

impl Grade {
    pub(super) const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    pub(super) fn name(self) -> &'static str {
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
        let number = number.filter(|number| (1..=collection::count(grade)).contains(number));
        Ok(Self {
            grade,
            number: number.ok_or(EXPECTED)?,
        })
    }
}

impl TryFrom<String> for Task {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let Some(step) = text.strip_prefix("lesson-") else {
            return Puzzle::try_from(text).map(Self::Puzzle);
        };
        let step = step.parse().ok();
        let step = step.filter(|step| (1..=STEPS).contains(step));
        step.map(Self::Lesson).ok_or("there is no such lesson")
    }
}

impl Display for Puzzle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.grade.name(), self.number)
    }
}

impl Display for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lesson(step) => write!(f, "lesson-{step}"),
            Self::Puzzle(puzzle) => write!(f, "{puzzle}"),
        }
    }
}

#[cfg(test)]
mod tests;
