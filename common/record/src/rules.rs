//! What a store has to ask about records, whoever answers.

use sproutnet_notation::Play;

use crate::RecordError;

/// The game and the convention that a record is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The game's name.
    pub game: &'static str,
    /// The convention.
    pub play: Play,
}

/// What a store has to ask about records. It knows keys and values as bytes and numbers alone.
pub trait RecordRules {
    /// The game and the convention of a key, if there are such.
    fn kind(&self, key: &[u8]) -> Option<Kind>;

    /// Whether a record is well-formed; not whether it is true.
    ///
    /// # Errors
    /// It is not, or it belongs to no game.
    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// The value that says what two values of a key say together. `None` if they contradict each other.
    fn merge(&self, key: &[u8], known: u64, new: u64) -> Option<u64>;

    /// The position and the convention of a key, or its hexadecimal digits if it cannot be read.
    fn describe_key(&self, key: &[u8]) -> String;

    /// What a value says of its key, in words.
    fn describe_value(&self, key: &[u8], value: u64) -> String;
}

/// Why a result is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultRefused {
    /// It is no result.
    Malformed(String),
    /// It cannot be true together with the one that is known.
    Contradiction {
        /// What is known: the value of a record that says the same, and as people read it.
        known: (u64, String),
        /// What was not taken.
        new: (u64, String),
    },
}
