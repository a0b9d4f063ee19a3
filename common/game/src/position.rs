//! Positions as sums of canonical lands, and the errors of reading them.

use smallvec::SmallVec;
use sproutnet_notation::ParseError;

/// A land as its canonical bytes. Two lands of a game are equal if and only if their bytes are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Land(SmallVec<[u8; 24]>);

impl Land {
    /// Wraps canonical bytes. For untrusted bytes, use [`Game::land`](super::Game::land).
    pub(crate) fn from_canonical(bytes: &[u8]) -> Self {
        Self(SmallVec::from_slice(bytes))
    }

    /// The canonical encoding.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A sorted sum of lands. Without lands no move is left.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(Vec<Land>);

impl Position {
    /// The sum of the given lands.
    pub fn new(mut lands: Vec<Land>) -> Self {
        lands.sort_unstable();
        Self(lands)
    }

    /// The lands, sorted by their bytes.
    #[inline]
    pub fn lands(&self) -> &[Land] {
        &self.0
    }

    /// The sum of this position and another.
    #[must_use]
    pub fn plus(&self, other: &Position) -> Self {
        Self::new([self.lands(), other.lands()].concat())
    }
}

/// The bytes are not the canonical encoding of a land.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset} of a land's encoding: {problem}")]
pub struct EncodingError {
    /// The offset of the problem, from 0.
    pub offset: usize,
    /// The problem.
    pub problem: &'static str,
}

/// The text is not a position of a known game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// No game has that name.
    #[error("there is no game called `{0}`; {hint}", hint = crate::hints::unknown_game(.0))]
    UnknownGame(String),
    /// The text is not in the game's notation.
    #[error(transparent)]
    Parse(#[from] ParseError),
}
