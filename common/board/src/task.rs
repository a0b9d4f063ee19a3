//! The name of a task in an address.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;

use crate::collection::Puzzle;

/// The number of steps of the lesson.
pub(crate) const STEPS: usize = 5;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Task {
    /// A step of the lesson, counted from 1.
    Lesson(usize),
    /// The only winning move.
    Puzzle(Puzzle),
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
