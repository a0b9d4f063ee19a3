//! Short addresses of matches on the board, whose own addresses contain every line.
//!
//! The callers make names at random, and know what an address of a match is.
//!
//! **Invariant:** readers see a short address only as it is on disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::core::Core;
use super::lifetime;
use crate::CoordinatorError;
use crate::ledger::{Ledger, WriteRequest};
use crate::locks::{Lock, Rank};

/// The prefix of the document names.
const PREFIX: &str = "link/";

/// A short address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShortLink {
    /// Where it leads.
    to: String,
    /// The time when the match was last shared, in seconds since 1970.
    shared_at: u64,
}

/// Short addresses by name. They are few, and made seldom, so all wait while one is written.
pub struct ShortLinks {
    core: Arc<Core>,
    all: Lock<BTreeMap<String, ShortLink>>,
}

impl ShortLinks {
    /// The short addresses in the store, by name.
    pub(super) fn restore(
        ledger: &Ledger,
    ) -> Result<BTreeMap<String, ShortLink>, CoordinatorError> {
        let kept = ledger.documents(PREFIX);
        let name = |(name, of): (String, ShortLink)| (name[PREFIX.len()..].to_owned(), of);
        kept.map(|found| found.map(name)).collect()
    }

    pub(super) fn new(core: Arc<Core>, all: BTreeMap<String, ShortLink>) -> Self {
        Self {
            core,
            all: Lock::new(Rank::ShortLinks, all),
        }
    }

    /// The name of the short address that leads to this one. It is the given name, unless there is one already.
    ///
    /// # Errors
    /// [`CoordinatorError::Full`] if there are too many; the disk is full; the store failed.
    pub fn share(&self, name: &str, to: &str) -> Result<String, CoordinatorError> {
        let now = crate::seconds_since_1970();
        let mut all = self.all.lock();
        let known = all.iter().find(|(_, link)| link.to == to);
        let known = known.map(|(name, _)| name.clone());
        let forgotten = match &known {
            Some(_) => Vec::new(),
            None => forgotten(&all, now)?,
        };
        let name = known.unwrap_or_else(|| name.to_owned());
        let link = ShortLink {
            to: to.to_owned(),
            shared_at: now,
        };
        let mut request = WriteRequest::default();
        request.document(format!("{PREFIX}{name}"), &link)?;
        let documents = forgotten.iter().map(|name| format!("{PREFIX}{name}"));
        request.removed = documents.collect();
        self.core.ledger.commit(request)?;
        all.retain(|name, _| !forgotten.contains(name));
        all.insert(name.clone(), link);
        Ok(name)
    }

    /// Where the short address with this name leads.
    pub fn get(&self, name: &str) -> Option<String> {
        self.all.lock().get(name).map(|link| link.to.clone())
    }
}

/// The short addresses to remove when another one is made.
fn forgotten(all: &BTreeMap<String, ShortLink>, now: u64) -> Result<Vec<String>, CoordinatorError> {
    let idle = all
        .iter()
        .map(|(name, link)| (now.saturating_sub(link.shared_at), name));
    lifetime::forgotten(
        idle,
        "too many short addresses were made here; try again tomorrow",
    )
}

#[cfg(test)]
mod tests;
