//! The query in the address of a match: its convention and players, and what the reader wants to see.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;
use sproutnet_drawing::sheet::Mark;
use sproutnet_solver::play::Play;

use super::level::{Level, Seed};
use super::task::Task;

/// Which of the two players are people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::pages) enum People {
    First,
    Second,
    Both,
}

/// The convention, the players, and the task.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default)]
pub(in crate::pages) struct Terms {
    pub(in crate::pages) play: Play,
    pub(in crate::pages) you: People,
    pub(in crate::pages) level: Level,
    pub(in crate::pages) seed: Seed,
    /// What is asked for, if the match is a task.
    pub(in crate::pages) task: Option<Task>,
}

impl People {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Both => "both",
        }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Both => Self::Both,
        }
    }
}

impl Terms {
    /// The terms of a match between two people.
    pub(super) fn between_people(play: Play) -> Self {
        Self {
            play,
            you: People::Both,
            ..Self::default()
        }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            play: Play::Normal,
            you: People::First,
            level: Level::Perfect,
            seed: Seed::default(),
            task: None,
        }
    }
}

/// Writes the terms as in the query of an address.
impl Display for Terms {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (you, level) = (self.you.name(), self.level.name());
        let (play, seed) = (self.play, self.seed);
        write!(f, "play={play}&you={you}&level={level}{seed}")?;
        match self.task {
            Some(task) => write!(f, "&task={task}"),
            None => Ok(()),
        }
    }
}

/// The part of the solver's knowledge that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::pages) enum Show {
    /// Who wins.
    Verdict,
    /// A winning move.
    Hint,
}

/// What the reader wants on the next line, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::pages) enum OnLine {
    #[default]
    Spot,
    Cross,
}

impl OnLine {
    pub(super) fn mark(self) -> Mark {
        match self {
            Self::Spot => Mark::Spot,
            Self::Cross => Mark::Cross,
        }
    }

    /// Its part of the query of an address.
    pub(super) fn query(self) -> &'static str {
        match self {
            Self::Spot => "&mark=spot",
            Self::Cross => "&mark=cross",
        }
    }
}

/// The query in the address of a match.
#[derive(Deserialize)]
pub(in crate::pages) struct Address {
    #[serde(flatten)]
    pub(super) terms: Terms,
    /// The chosen spots, counted from 1.
    pub(super) spot: Option<usize>,
    pub(super) to: Option<usize>,
    /// The index of the way to join them, counted from 0.
    pub(super) way: Option<usize>,
    /// A line drawn by hand, as text.
    pub(super) hand: Option<String>,
    /// What a line by hand gets.
    pub(super) mark: Option<OnLine>,
    /// The number of moves before the line.
    pub(super) moves: Option<usize>,
    pub(super) show: Option<Show>,
    /// In a review, the number of moves of the position to show.
    pub(super) at: Option<usize>,
    /// Whether a picture is drawn line by line; 0 means no.
    pub(super) animated: Option<u8>,
}
