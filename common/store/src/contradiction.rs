//! Contradictions, kept as documents so that neither record is lost.

use super::{Conflict, Sources};
use serde::{Deserialize, Serialize};

/// The prefix of the names of contradictions.
pub(crate) const CONTRADICTIONS: &str = "contradiction/";

/// Two records of one key that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptContradiction {
    /// The key in hexadecimal digits.
    pub key: String,
    /// The value that was known, and stays.
    pub known: u64,
    /// Its source, as text.
    pub known_from: String,
    /// The other value.
    pub new: u64,
    /// The source of the other value, as text.
    pub new_from: String,
    /// When the contradiction was found, in seconds since 1970.
    pub met_at: u64,
}

impl KeptContradiction {
    /// The document of a conflict.
    pub fn of(conflict: &Conflict, sources: &Sources, met_at: u64) -> Self {
        Self {
            key: conflict.key.iter().map(|b| format!("{b:02x}")).collect(),
            known: conflict.known,
            known_from: sources.describe(conflict.known_source),
            new: conflict.new,
            new_from: sources.describe(conflict.new_source),
            met_at,
        }
    }

    /// The name of the document.
    pub fn name(&self) -> String {
        format!("{CONTRADICTIONS}{}/{}/{}", self.key, self.known, self.new)
    }
}
