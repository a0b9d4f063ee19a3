//! Numbers of computations, as people read and type them.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::Serialize;

/// The number of a computation, counted from 1 in each store. A text of digits alone is always such
/// a number, never a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Id(pub(crate) u64);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl FromStr for Id {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}
