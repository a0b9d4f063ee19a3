//! The one mapping between [`model`](sproutnet_model) types and wire types, in both directions.
//!
//! A value from a newer program that is unknown here reads as unknown. A request without a required
//! field is an error: see [`play`].

mod answer;
mod computation;
mod fleet;
#[cfg(test)]
mod tests;

pub use answer::line;

use sproutnet_model::{Known, Source};
use sproutnet_notation::{Outcome, Play};

use crate::v1;

impl From<Play> for v1::Play {
    fn from(play: Play) -> Self {
        match play {
            Play::Normal => Self::Normal,
            Play::Misere => Self::Misere,
        }
    }
}

/// A convention; `None` if it is missing or unknown.
pub fn play(play: i32) -> Option<Play> {
    match v1::Play::try_from(play) {
        Ok(v1::Play::Normal) => Some(Play::Normal),
        Ok(v1::Play::Misere) => Some(Play::Misere),
        Ok(v1::Play::Unspecified) | Err(_) => None,
    }
}

/// The convention as a field.
pub fn play_field(play: Play) -> i32 {
    v1::Play::from(play).into()
}

/// The convention of an answer, which always has one.
fn play_of(field: i32) -> Play {
    play(field).unwrap_or(Play::Normal)
}

/// Whether a computation is under way is a field of its own, so it is not an outcome.
fn known_field(known: Known) -> i32 {
    outcome_field(known.outcome())
}

fn outcome_field(outcome: Option<Outcome>) -> i32 {
    match outcome {
        None => v1::Outcome::Unspecified.into(),
        Some(Outcome::Win) => v1::Outcome::Win.into(),
        Some(Outcome::Loss) => v1::Outcome::Loss.into(),
    }
}

/// An outcome; `None` if it is unknown.
pub fn outcome(outcome: i32) -> Option<Outcome> {
    match v1::Outcome::try_from(outcome) {
        Ok(v1::Outcome::Win) => Some(Outcome::Win),
        Ok(v1::Outcome::Loss) => Some(Outcome::Loss),
        Ok(v1::Outcome::Unspecified) | Err(_) => None,
    }
}

fn source_field(source: Option<Source>) -> i32 {
    match source {
        None => v1::Source::Unspecified.into(),
        Some(Source::Search) => v1::Source::Search.into(),
        Some(Source::Store) => v1::Source::Store.into(),
        Some(Source::Derived) => v1::Source::Derived.into(),
        Some(Source::Atlas) => v1::Source::Atlas.into(),
        Some(Source::Literature) => v1::Source::Literature.into(),
    }
}

/// Where an outcome comes from; `None` if that is unknown.
pub fn source(source: i32) -> Option<Source> {
    match v1::Source::try_from(source) {
        Ok(v1::Source::Search) => Some(Source::Search),
        Ok(v1::Source::Store) => Some(Source::Store),
        Ok(v1::Source::Derived) => Some(Source::Derived),
        Ok(v1::Source::Atlas) => Some(Source::Atlas),
        Ok(v1::Source::Literature) => Some(Source::Literature),
        Ok(v1::Source::Unspecified) | Err(_) => None,
    }
}

/// A text that may be missing: an empty one on the wire.
fn text(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
