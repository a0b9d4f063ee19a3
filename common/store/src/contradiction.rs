//! Records that contradict each other, as documents: neither is lost.

use super::{Conflict, Sources};
use serde::{Deserialize, Serialize};

/// What the names of all kept contradictions start with.
pub const CONTRADICTIONS: &str = "contradiction/";

/// Two records that cannot both be right, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptContradiction {
    /// The key in hexadecimal digits.
    pub key: String,
    /// The value that was known, and stays.
    pub known: u64,
    /// Who proved it, for people to read.
    pub known_from: String,
    /// The other value.
    pub new: u64,
    /// Who says so.
    pub new_from: String,
    /// When it was met, in seconds since 1970.
    pub met_at: u64,
}

impl KeptContradiction {
    /// What is to be kept of a conflict.
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

    /// The name of its document.
    pub fn name(&self) -> String {
        format!("{CONTRADICTIONS}{}/{}/{}", self.key, self.known, self.new)
    }
}
