//! Answers about positions in the form of the HTTP API, for programs.

use std::io;

use serde::Serialize;
use sproutnet_game::{self as game, Game, Position, PositionError};
use sproutnet_model::{Answer, Searched, Verdict};
use sproutnet_notation::Play;
use sproutnet_notation::brief::brief;
use sproutnet_query::MovesError;
use sproutnet_solver::play::Knowledge;
use sproutnet_solver::search::Control;

use crate::answer::{self, answer, with_knowledge};

/// The knowledge about a position.
#[derive(Debug, Serialize)]
pub struct Queried {
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// What came of the searches.
    pub searched: Searched,
}

/// The reason why there is no answer, as in the HTTP API.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What is wrong, for people.
    pub error: String,
    /// What is wrong, for programs: `invalid-position`, `invalid-request` or `internal`.
    pub code: &'static str,
    /// The column of the fault in the position, in characters from 1.
    pub column: Option<usize>,
}

/// The knowledge about a position. If it is small, it is searched, with at most so many visits of states.
///
/// # Errors
/// The text is not a position, or there is not enough memory.
pub fn query(text: &str, most_visits: u64) -> Result<Queried, Problem> {
    with_position(text, most_visits, |knowledge, game, position, control| {
        let (answer, searched) = answer(knowledge, game, position, &Play::ALL, control)?;
        let searched = match most_visits {
            0 => Searched::No,
            _ => searched,
        };
        Ok(Queried { answer, searched })
    })
}

/// The moves of a position as the positions that they lead to, moves that win under the convention first. The outcomes
/// are those of the player who makes the move. Small positions are searched, with at most so many visits of states
/// together.
///
/// # Errors
/// The text is not a position, it has too many moves to list, or there is not enough memory.
pub fn moves(text: &str, play: Play, most_visits: u64) -> Result<Vec<Verdict>, Problem> {
    with_position(text, most_visits, |knowledge, game, position, control| {
        let (answer, _) = answer(knowledge, game, position, &Play::ALL, control)?;
        let mut plays = Play::ALL;
        plays.sort_by_key(|&other| other != play);
        let moves = answer::moves(knowledge, game, position, &answer, &plays, control);
        moves.map_err(|error| match error {
            MovesError::TooMany => Problem::new(error.to_string(), "invalid-request"),
            MovesError::Search(error) => error.into(),
        })
    })
}

impl Problem {
    fn new(error: String, code: &'static str) -> Self {
        let column = None;
        Self {
            error,
            code,
            column,
        }
    }
}

impl From<PositionError> for Problem {
    fn from(error: PositionError) -> Self {
        let column = match &error {
            PositionError::Parse(error) => Some(error.column),
            PositionError::UnknownGame(_) => None,
        };
        Self {
            column,
            ..Self::new(brief(&error.to_string()), "invalid-position")
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string(), "internal")
    }
}

/// Reads a position, and calls a function with it and the bound on its searches.
fn with_position<T>(
    text: &str,
    most_visits: u64,
    use_it: impl FnOnce(&Knowledge, &dyn Game, &Position, &Control) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let (game, position) = game::parse(text)?;
    let control = Control::with_visits(most_visits);
    with_knowledge(|knowledge| use_it(knowledge, &*game, &position, &control))
}
