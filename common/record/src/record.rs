//! Solved records in portable form.
//!
//! A key is the code of the game, the code of the convention, and the subject: the canonical bytes of
//! a land under normal play, or of a state under misère play. A value is a [`Fact`] as one number.

use sproutnet_notation::{GameCode, Play};

use crate::{Fact, Worth};

/// One solved fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// The key.
    pub key: Box<[u8]>,
    /// The value: see [`Fact::value`].
    pub value: u64,
    /// The order of magnitude of the work of its proof.
    pub worth: Worth,
}

/// Why a record was rejected.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The record does not belong to this game and convention, or is malformed.
    #[error("malformed record: {0}")]
    Malformed(String),
    /// The position of the record cannot occur.
    #[error("{0}")]
    Impossible(String),
    /// The record contradicts a known one.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// Two records that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("contradiction: the known value of the record {key:02x?} is {known}, the new one {new}")]
pub struct Contradiction {
    /// The key of both.
    pub key: Box<[u8]>,
    /// The known value.
    pub known: u64,
    /// The other value.
    pub new: u64,
}

impl Record {
    /// A record about `subject` in a game and convention, of the least worth.
    pub fn new(game: GameCode, play: Play, subject: &[u8], value: u64) -> Self {
        Self {
            key: key(game, play, subject),
            value,
            worth: Worth::LEAST,
        }
    }

    /// The subject, if the record is of this game and convention.
    pub fn subject(&self, game: GameCode, play: Play) -> Option<&[u8]> {
        subject(&self.key, game, play)
    }
}

/// The key of the record about `subject` in a game and convention.
pub fn key(game: GameCode, play: Play, subject: &[u8]) -> Box<[u8]> {
    [&prefix(game, play)[..], subject].concat().into()
}

/// The subject of a key of this game and convention; `None` for other keys.
pub fn subject(key: &[u8], game: GameCode, play: Play) -> Option<&[u8]> {
    key.strip_prefix(&prefix(game, play))
}

/// The first bytes of the keys of all records of a game and convention.
pub fn prefix(game: GameCode, play: Play) -> [u8; 2] {
    [game.0, play_code(play)]
}

fn play_code(play: Play) -> u8 {
    match play {
        Play::Normal => b'n',
        Play::Misere => b'm',
    }
}

/// The convention of a key, if its code is known.
pub fn play_of(key: &[u8]) -> Option<Play> {
    let code = *key.get(1)?;
    Play::ALL.into_iter().find(|&play| play_code(play) == code)
}

/// The fact of a value about the subject of a key. `None` if it is malformed.
pub fn fact(key: &[u8], value: u64) -> Option<Fact> {
    Fact::read(play_of(key)?, value)
}

/// Combines two values of one key.
///
/// # Errors
/// They contradict each other.
pub fn merge(key: &[u8], known: u64, new: u64) -> Result<u64, Contradiction> {
    let facts = || fact(key, known).zip(fact(key, new));
    let merged = if known == new {
        Some(known)
    } else {
        facts().and_then(|(known, new)| Some(known.merge(new)?.value()))
    };
    merged.ok_or_else(|| Contradiction {
        key: key.into(),
        known,
        new,
    })
}

/// The unknown part of an accepted value: see [`Fact::beyond`].
pub fn news(key: &[u8], known: Option<u64>, new: u64) -> u64 {
    let known = known.and_then(|known| fact(key, known));
    match known.zip(fact(key, new)) {
        Some((known, fact)) => fact.beyond(known).value(),
        None => new,
    }
}
