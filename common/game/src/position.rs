//! Positions as sums of canonical lands, and the errors of making one.

use smallvec::SmallVec;
use sproutnet_notation::ParseError;

/// A land, by its canonical bytes: two lands of one game are equal exactly when these are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Land(SmallVec<[u8; 24]>);

impl Land {
    /// Wraps bytes that a game's canonical form wrote. Bytes from elsewhere go through
    /// [`Game::land`](super::Game::land).
    pub(crate) fn from_canonical(bytes: &[u8]) -> Self {
        Self(SmallVec::from_slice(bytes))
    }

    /// The memory that its bytes take beyond its own size.
    pub(super) fn spilled(&self) -> usize {
        if self.0.spilled() {
            self.0.capacity()
        } else {
            0
        }
    }

    /// The canonical encoding.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A sum of lands, sorted. Without lands nothing is left to play.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(Vec<Land>);

impl Position {
    /// The sum of the given lands.
    pub fn new(mut lands: Vec<Land>) -> Self {
        lands.sort_unstable();
        Self(lands)
    }

    /// The lands, sorted by their bytes.
    pub fn lands(&self) -> &[Land] {
        &self.0
    }

    /// This position with the lands of another beside its own.
    #[must_use]
    pub fn plus(&self, other: &Position) -> Self {
        Self::new([self.lands(), other.lands()].concat())
    }
}

/// Bytes that are not the canonical encoding of a land.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset} of a land's encoding: {problem}")]
pub struct EncodingError {
    /// Where, counted from 0.
    pub offset: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// A position, given as `text` or `game:text`, that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// No game has that name.
    #[error("there is no game called `{0}`; known are sprouts and kayles")]
    UnknownGame(String),
    /// The text is not in the game's notation.
    #[error(transparent)]
    Parse(#[from] ParseError),
}
