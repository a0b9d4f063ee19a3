//! The rules of records, for a store.

use sproutnet_notation::Play;

use crate::RecordError;

/// The game and the convention of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The game's name.
    pub game: &'static str,
    /// The convention.
    pub play: Play,
}

/// The rules of records, for a store, to which keys are only bytes and values only numbers.
pub trait RecordRules {
    /// The game and the convention of a key, if known.
    fn kind(&self, key: &[u8]) -> Option<Kind>;

    /// Whether a record is well-formed; not whether it is true.
    ///
    /// # Errors
    /// It is malformed, or its game is unknown.
    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// Checks a record from elsewhere: it must be well-formed, and its position possible.
    ///
    /// # Errors
    /// The record fails [`Self::check`], or no drawing in the plane has the regions of its lands.
    fn admit(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// Combines two values of a key. `None` if they contradict each other.
    fn merge(&self, key: &[u8], known: u64, new: u64) -> Option<u64>;

    /// The position and the convention of a key, or its hexadecimal digits if it cannot be read.
    fn describe_key(&self, key: &[u8]) -> String;

    /// A value of a key, in words.
    fn describe_value(&self, key: &[u8], value: u64) -> String;
}

/// Why a result is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultRefused {
    /// It is malformed.
    Malformed(String),
    /// It contradicts the known result.
    Contradiction {
        /// The known result: the value of an equivalent record, and text.
        known: (u64, String),
        /// The rejected result.
        new: (u64, String),
    },
}
