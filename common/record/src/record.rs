//! Solved records in portable form.
//!
//! A key is the code of the game, the code of the convention, and the subject: the canonical bytes of
//! a land under normal play, or of a state under misère play. A value is one number:
//!
//! - normal: `2g + 1` if the nimber of the land is `g`; `2m` if it is none of those in the bit mask
//!   `m`;
//! - misère: 0 if the player to move loses the state, 1 if that player wins.

use sproutnet_notation::{GameCode, Play};

/// One solved fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    /// The key.
    pub key: Box<[u8]>,
    /// The value.
    pub value: u64,
}

/// Why a record was rejected.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is not a record of this game and convention.
    #[error("malformed record: {0}")]
    Malformed(String),
    /// It contradicts a known record.
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
    /// A record about `subject` in a game and convention.
    pub fn new(game: GameCode, play: Play, subject: &[u8], value: u64) -> Self {
        Self {
            key: key(game, play, subject),
            value,
        }
    }

    /// The subject, if the record is of that game and convention.
    pub fn subject(&self, game: GameCode, play: Play) -> Option<&[u8]> {
        subject(&self.key, game, play)
    }
}

/// The key of the record about `subject` in a game and convention.
pub fn key(game: GameCode, play: Play, subject: &[u8]) -> Box<[u8]> {
    [&prefix(game, play)[..], subject].concat().into()
}

/// The subject of a key, if it is of that game and convention.
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

/// Combines two values of one key.
///
/// # Errors
/// They contradict each other.
pub fn merge(key: &[u8], known: u64, new: u64) -> Result<u64, Contradiction> {
    let merged = if key.get(1) == Some(&play_code(Play::Normal)) {
        merge_nimbers(known, new)
    } else {
        (known == new).then_some(known)
    };
    merged.ok_or_else(|| Contradiction {
        key: key.into(),
        known,
        new,
    })
}

/// The part of an accepted value that was not known: a mask may repeat known nimbers. Zero is also a
/// value: a loss under misère play.
pub fn news(key: &[u8], known: Option<u64>, new: u64) -> u64 {
    let is_mask = key.get(1) == Some(&play_code(Play::Normal)) && new & 1 == 0;
    match known {
        Some(known) if is_mask => new & !known,
        _ => new,
    }
}

/// Combines two values of normal play; `None` if they contradict each other.
pub fn merge_nimbers(a: u64, b: u64) -> Option<u64> {
    let excludes = |mask: u64, exact: u64| exact >> 1 < 63 && mask >> 1 >> (exact >> 1) & 1 == 1;
    match (a & 1, b & 1) {
        (1, 1) => (a == b).then_some(a),
        (1, _) => (!excludes(b, a)).then_some(a),
        (_, 1) => (!excludes(a, b)).then_some(b),
        _ => Some(a | b),
    }
}
