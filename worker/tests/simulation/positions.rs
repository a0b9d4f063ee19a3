//! The positions to solve, with their known outcomes.

use sproutnet_proto::v1::Outcome::{self, Loss, Win};
use sproutnet_proto::v1::Play::{self, Misere, Normal};

/// A position to solve, by its canonical text, and its outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Root {
    pub(crate) text: &'static str,
    pub(crate) play: Play,
    pub(crate) outcome: Outcome,
    /// The nimber under normal play.
    nimber: Option<u32>,
}

/// Start positions with published results, and sums of them; Kayles by exhaustive play.
pub(crate) const ROOTS: [Root; 19] = [
    normal("0*5", 1),
    normal("0*6", 0),
    normal("0*7", 0),
    normal("0*8", 0),
    normal("0*4+0*5", 0),
    normal("0*3+0*6", 1),
    normal("0*5+0*6", 1),
    misere("0*5", Win),
    misere("0*6", Win),
    misere("0*7", Loss),
    normal("kayles:3+5", 7),
    normal("kayles:7+7", 0),
    normal("kayles:4+9", 5),
    normal("kayles:4+5+6", 6),
    normal("kayles:3+12", 7),
    misere("kayles:3+5", Win),
    misere("kayles:7+7", Loss),
    misere("kayles:4+9", Win),
    misere("kayles:4+5+6", Win),
];

const fn normal(text: &'static str, nimber: u32) -> Root {
    Root {
        text,
        play: Normal,
        outcome: if nimber == 0 { Loss } else { Win },
        nimber: Some(nimber),
    }
}

const fn misere(text: &'static str, outcome: Outcome) -> Root {
    Root {
        text,
        play: Misere,
        outcome,
        nimber: None,
    }
}

impl Root {
    /// Whether an outcome and a nimber, if given, are right.
    pub(crate) fn allows(&self, outcome: i32, nimber: Option<u32>) -> bool {
        let is_right = |nimber| Some(nimber) == self.nimber;
        outcome == i32::from(self.outcome) && nimber.is_none_or(is_right)
    }

    /// The number of spots, if it is a start position.
    pub(crate) fn spots(&self) -> Option<u32> {
        self.text.strip_prefix("0*")?.parse().ok()
    }
}
