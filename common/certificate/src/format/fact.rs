//! A line below the header.

use std::fmt;
use std::str::FromStr;

use super::{SyntaxError, Value};

/// The maximum length of the values of a fact, in bytes. It bounds the time to read them. Real certificates need a few
/// hundred bytes.
pub const MAX_VALUES: usize = 4096;

/// The claim of a line. Positions are in the notation of the game, without blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `LAND = VALUE`: the land has this nimber, or under misère play is equal to this game.
    Equals {
        /// One land.
        land: String,
        /// Its nimber or game.
        value: Value,
    },
    /// `POSITION & VALUE & VALUE lost`, with any number of values: under misère play, the player to move loses
    /// the sum.
    Lost {
        /// The lands without values, linked by `+`.
        position: String,
        /// The values of all other lands.
        values: Vec<Value>,
    },
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equals { land, value } => write!(f, "{land} = {value}"),
            Self::Lost { position, values } => {
                f.write_str(position)?;
                for value in values {
                    write!(f, " & {value}")?;
                }
                f.write_str(" lost")
            }
        }
    }
}

impl FromStr for Fact {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let position_end = text.find(' ').unwrap_or(text.len());
        if text.len() - position_end > MAX_VALUES {
            let problem = format!("more than {MAX_VALUES} bytes follow the position");
            return Err(SyntaxError::new(position_end + 1, problem));
        }
        if let Some((land, value)) = text.split_once(" = ") {
            let value: Result<Value, _> = value.parse();
            return Ok(Self::Equals {
                land: position(land)?,
                value: value.map_err(|error| error.after(land.len() + 3))?,
            });
        }
        let Some(sum) = text.strip_suffix(" lost") else {
            let problem = "expected `LAND = VALUE` or `POSITION & VALUE & … lost`";
            return Err(SyntaxError::new(1, problem));
        };
        let mut parts = sum.split(" & ");
        let lands = parts.next().unwrap_or_default();
        let mut before = lands.len();
        let mut values = Vec::new();
        for part in parts {
            let value: Result<Value, _> = part.parse();
            values.push(value.map_err(|error| error.after(before + 3))?);
            before += 3 + part.len();
        }
        Ok(Self::Lost {
            position: position(lands)?,
            values,
        })
    }
}

/// A position. For this format it is any text without blanks.
pub(super) fn position(text: &str) -> Result<String, SyntaxError> {
    let stray = text.bytes().position(|byte| !byte.is_ascii_graphic());
    match stray {
        Some(at) => {
            let problem = "a position is written without blanks";
            Err(SyntaxError::new(at + 1, problem))
        }
        None if text.is_empty() => Err(SyntaxError::new(1, "expected a position")),
        None => Ok(text.to_owned()),
    }
}
