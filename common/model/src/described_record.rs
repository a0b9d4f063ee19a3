//! Records in words.

use std::fmt;

use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;

/// A record in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedRecord {
    /// The canonical text of its lands, with the game's name unless it is Sprouts.
    pub position: String,
    /// The genus of the other lands in the sum. Null if there are none, or if it cannot be written.
    pub value: Option<String>,
    /// The convention.
    pub play: Play,
    /// `nimber 2`, `nimber not 0, 1`, `win` or `loss`.
    pub says: String,
}

impl fmt::Display for DescribedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            value,
            play,
            says,
        } = self;
        match value {
            Some(value) => write!(f, "{play} {position} beside {value}: {says}"),
            None => write!(f, "{play} {position}: {says}"),
        }
    }
}
