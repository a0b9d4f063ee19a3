//! The one mapping between [`model`](sproutnet_model) types and wire types, in both directions.
//!
//! A value from a newer program that is unknown here reads as unknown. A request without a required
//! field is an error: see [`play`].

use sproutnet_model::{Basis, Known, Source};
use sproutnet_notation::{Outcome, Play};

use crate::v1;

/// Maps a model type and a message to each other, in both directions. A field with the same name and type on both sides
/// is given by its name; another also by the function that makes the message's field, and the function that reads it.
/// Those with two names come last.
macro_rules! twins {
    ($model:ident, $message:ident {
        $($same:ident),* $(,)?
        $(;
            $($field:ident: $write:expr, $read:expr;)*
            $(=> $named:ident = $other:ident: $write_other:expr, $read_other:expr;)*
        )?
    }) => {
        impl From<$model> for v1::$message {
            fn from(value: $model) -> Self {
                Self {
                    $($same: value.$same,)*
                    $(
                        $($field: $write(value.$field),)*
                        $($other: $write_other(value.$named),)*
                    )?
                }
            }
        }

        impl From<v1::$message> for $model {
            fn from(message: v1::$message) -> Self {
                Self {
                    $($same: message.$same,)*
                    $(
                        $($field: $read(message.$field),)*
                        $($named: $read_other(message.$other),)*
                    )?
                }
            }
        }
    };
}

/// Maps two enums to each other, variant by variant.
macro_rules! variants {
    ($model:ident, $message:ident { $($variant:ident),* }) => {
        impl From<$model> for v1::$message {
            fn from(value: $model) -> Self {
                match value {
                    $($model::$variant => Self::$variant,)*
                }
            }
        }

        impl v1::$message {
            /// The model's variant, if this program knows it.
            fn known(self) -> Option<$model> {
                match self {
                    $(Self::$variant => Some($model::$variant),)*
                    Self::Unspecified => None,
                }
            }
        }
    };
}

mod answer;
mod computation;
mod explanation;
mod fleet;
#[cfg(test)]
mod tests;

pub use answer::line;

variants!(Play, Play { Normal, Misere });
variants!(Outcome, Outcome { Win, Loss });
variants!(
    Source,
    Source {
        Search,
        Store,
        Derived,
        Atlas,
        Literature
    }
);
variants!(
    Basis,
    Basis {
        PlayedOut,
        Theorem,
        Sequence,
        Period,
        Quotient,
        Sum,
        Records,
        Search,
        Computation,
        Certificate,
        Publication
    }
);

/// A convention; `None` if it is missing or unknown.
pub fn play(play: i32) -> Option<Play> {
    v1::Play::try_from(play).ok()?.known()
}

/// The convention as a field.
pub fn play_field(play: Play) -> i32 {
    v1::Play::from(play).into()
}

/// The convention of an answer, which always has one.
fn play_of(field: i32) -> Play {
    play(field).unwrap_or(Play::Normal)
}

/// An outcome; `None` if it is unknown.
pub fn outcome(outcome: i32) -> Option<Outcome> {
    v1::Outcome::try_from(outcome).ok()?.known()
}

fn outcome_field(outcome: Option<Outcome>) -> i32 {
    outcome.map_or(v1::Outcome::Unspecified, Into::into).into()
}

/// The known outcome, if any. Whether a computation is under way is in another field.
fn known(field: i32) -> Known {
    outcome(field).into()
}

fn known_field(known: Known) -> i32 {
    outcome_field(known.outcome())
}

/// The source of an outcome; `None` if it is unknown.
pub fn source(source: i32) -> Option<Source> {
    v1::Source::try_from(source).ok()?.known()
}

fn source_field(source: Option<Source>) -> i32 {
    source.map_or(v1::Source::Unspecified, Into::into).into()
}

/// An optional text; empty on the wire if missing.
fn text(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn text_field(text: Option<String>) -> String {
    text.unwrap_or_default()
}

/// An optional part of a message.
fn optional<A: Into<B>, B>(part: Option<A>) -> Option<B> {
    part.map(Into::into)
}

/// A required part of a message; the default if it is missing.
fn part<A: Into<B> + Default, B>(part: Option<A>) -> B {
    part.unwrap_or_default().into()
}

/// A list of messages or values.
pub fn list<A: Into<B>, B>(list: Vec<A>) -> Vec<B> {
    list.into_iter().map(Into::into).collect()
}
