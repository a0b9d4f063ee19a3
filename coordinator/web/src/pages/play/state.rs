//! A match, as its address describes it.

use std::ops::ControlFlow;

use serde::Deserialize;
use sproutnet_game::{Game, Position, Sprouts};
use sproutnet_solver::play::Play;

use crate::extract;
use crate::links;
use crate::problem::Problem;

/// The separator of the positions in an address. No position contains it.
const BETWEEN: &str = "_";

/// The maximum number of moves in an address. No match here has as many.
const LONGEST: usize = 64;

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::pages) enum Side {
    First,
    Second,
}

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// What an address says beside the position.
#[derive(Deserialize)]
pub(in crate::pages) struct Address {
    play: Option<Play>,
    you: Option<Side>,
    /// The positions before.
    so: Option<String>,
    /// The chosen spots.
    pub(super) spot: Option<usize>,
    pub(super) to: Option<usize>,
    /// Whether a winning move is to be shown.
    pub(super) hint: Option<u8>,
}

/// A match.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) play: Play,
    pub(super) you: Side,
    /// All positions before this one.
    pub(super) before: Vec<String>,
    /// The canonical text of the position now.
    pub(super) text: String,
}

impl Match {
    pub(super) fn new(text: String, asked: Address) -> Result<Self, Problem> {
        let so = asked.so.unwrap_or_default();
        let before = so.split(BETWEEN).filter(|text| !text.is_empty());
        let before: Vec<String> = before.map(str::to_owned).collect();
        if before.len() > LONGEST {
            return Err(Problem::bad("a match never has that many moves"));
        }
        let mut last: Option<Position> = None;
        for text in before.iter().chain([&text]) {
            let (_, position) = extract::position(text)?;
            if last.is_some_and(|last| !leads_to(&last, &position)) {
                return Err(Problem::bad(
                    "this is the address of no match: a move is not possible",
                ));
            }
            last = Some(position);
        }
        Ok(Self {
            play: asked.play.unwrap_or(Play::Normal),
            you: asked.you.unwrap_or(Side::First),
            before,
            text,
        })
    }

    pub(super) fn is_your_turn(&self) -> bool {
        self.is_yours_after(self.before.len())
    }

    /// Whether it was your turn after so many moves.
    pub(super) fn is_yours_after(&self, moves: usize) -> bool {
        moves.is_multiple_of(2) == (self.you == Side::First)
    }

    /// Whether you have won, once nothing is left to play.
    pub(super) fn have_you_won(&self) -> bool {
        // In normal play, the player to move has lost.
        self.is_your_turn() == (self.play == Play::Misere)
    }

    /// Its address.
    pub(super) fn link(&self) -> String {
        self.address(&self.text, &self.before, "")
    }

    /// Its address with chosen spots, or with a hint.
    pub(super) fn with(&self, more: &str) -> String {
        self.address(&self.text, &self.before, more)
    }

    /// The address after a move to that position.
    pub(super) fn after(&self, text: &str) -> String {
        let mut before = self.before.clone();
        before.push(self.text.clone());
        self.address(text, &before, "")
    }

    /// The address as it was after so many moves.
    pub(super) fn as_after(&self, moves: usize) -> String {
        match self.before.get(moves) {
            Some(text) => self.address(text, &self.before[..moves], ""),
            None => self.link(),
        }
    }

    /// The address of your turn before this one.
    pub(super) fn taken_back(&self) -> Option<String> {
        let mut moves = (0..self.before.len()).rev();
        let last = moves.find(|&moves| self.is_yours_after(moves))?;
        Some(self.as_after(last))
    }

    /// The address of a new match from the same start.
    pub(super) fn again(&self, you: Side) -> String {
        let start = self.before.first().unwrap_or(&self.text);
        let again = Self {
            you,
            ..self.clone()
        };
        again.address(start, &[], "")
    }

    fn address(&self, text: &str, before: &[String], more: &str) -> String {
        let so = before.join(BETWEEN);
        links::a_match(text, self.play, self.you.name(), &so, more)
    }
}

/// Whether one of the moves of a position leads to the other.
fn leads_to(position: &Position, next: &Position) -> bool {
    let end = Sprouts.moves(position, &mut |option| match option == *next {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    end.is_break()
}

#[cfg(test)]
mod tests;
