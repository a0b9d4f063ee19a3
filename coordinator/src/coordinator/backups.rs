//! When the store was last backed up, by each of those who back it up.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::locks::{Lock, Rank};

/// The maximum number of names that are kept. There may be any number of tokens.
const MOST_NAMES: usize = 64;

/// The ends of the last backups that were sent in full since the coordinator started.
#[derive(Debug)]
pub(crate) struct Backups(Lock<BTreeMap<Arc<str>, u64>>);

impl Backups {
    pub(super) fn new() -> Self {
        Self(Lock::new(Rank::Innermost, BTreeMap::new()))
    }

    /// Notes a backup by a caller of this name that ended now, in seconds since 1970. If there are too many names, the one
    /// with the oldest backup is forgotten.
    pub(crate) fn note(&self, by: Arc<str>, now: u64) {
        let mut ends = self.0.lock();
        ends.insert(by, now);
        if ends.len() <= MOST_NAMES {
            return;
        }
        let oldest = ends.iter().min_by_key(|&(_, &end)| end);
        if let Some(oldest) = oldest.map(|(by, _)| Arc::clone(by)) {
            ends.remove(&oldest);
        }
    }

    /// The names of the callers, each with the end of its last backup.
    pub(super) fn ends(&self) -> BTreeMap<Arc<str>, u64> {
        BTreeMap::clone(&self.0.lock())
    }
}

#[cfg(test)]
mod tests;
