//! The query in the address of a match: its convention and players, and what the reader wants to see.

use std::fmt::{self, Display, Formatter};

use serde::Deserialize;
use sproutnet_drawing::sheet::Mark;
use sproutnet_solver::play::Play;

use crate::level::{Level, Seed};
use crate::task::Task;

/// Which of the two players are people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum People {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both.
    Both,
}

/// The convention, the players, and the task.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// The convention.
    pub play: Play,
    /// The people among the players.
    pub you: People,
    pub(crate) level: Level,
    pub(crate) seed: Seed,
    /// What is asked for, if the match is a task.
    pub(crate) task: Option<Task>,
}

impl People {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Both => "both",
        }
    }

    pub(crate) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Both => Self::Both,
        }
    }
}

impl Terms {
    /// The usual terms, with these people.
    pub fn with(you: People) -> Self {
        Self {
            you,
            ..Self::default()
        }
    }

    /// The usual terms under this convention.
    pub fn under(play: Play) -> Self {
        Self {
            play,
            ..Self::default()
        }
    }

    /// The terms of a match between two people.
    pub fn between_people(play: Play) -> Self {
        Self {
            play,
            ..Self::with(People::Both)
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
pub(crate) enum Show {
    /// Who wins.
    Verdict,
    /// A winning move.
    Hint,
}

/// What the reader wants on the next line, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnLine {
    /// A spot.
    #[default]
    Spot,
    /// A cross.
    Cross,
}

impl OnLine {
    pub(crate) fn mark(self) -> Mark {
        match self {
            Self::Spot => Mark::Spot,
            Self::Cross => Mark::Cross,
        }
    }

    /// Its part of the query of an address.
    pub(crate) fn query(self) -> &'static str {
        match self {
            Self::Spot => "&mark=spot",
            Self::Cross => "&mark=cross",
        }
    }
}

/// The query in the address of a match.
#[derive(Deserialize)]
pub struct Address {
    #[serde(flatten)]
    /// The convention, the players, and the task.
    pub terms: Terms,
    /// The chosen spots, counted from 1.
    pub(crate) spot: Option<usize>,
    pub(crate) to: Option<usize>,
    /// The index of the way to join them, counted from 0.
    pub(crate) way: Option<usize>,
    /// A line drawn by hand, as text.
    pub(crate) hand: Option<String>,
    /// What a line by hand gets.
    pub mark: Option<OnLine>,
    /// The number of moves before the line.
    pub moves: Option<usize>,
    pub(crate) show: Option<Show>,
    /// In a review, the number of moves of the position to show.
    pub(crate) at: Option<usize>,
    /// Whether a picture is drawn line by line; 0 means no.
    pub(crate) animated: Option<u8>,
}
