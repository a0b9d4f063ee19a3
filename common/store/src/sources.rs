//! Who proved what: the numbers that stand for sources in the records of a store, and the documents
//! `source/NUMBER` that tell who they are.

use super::{OWN, Store, StoreError, number_of};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use xxhash_rust::xxh3::xxh3_64;

/// What the names of the documents of all sources start with.
pub(super) const PREFIX: &str = "source/";

/// What is kept of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOfRecords {
    /// The random number that the worker keeps across restarts; one made of its origin if its
    /// records were imported.
    pub identity: u64,
    /// The name it gave first, for people to read.
    pub name: String,
    /// From where it called first; empty if it did not call.
    pub peer: String,
    /// Where its records were proved, if not for this store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The store's cursor before any record came in from it. Zero in stores of earlier versions.
    #[serde(default)]
    pub since: u64,
    /// Why nothing is taken from it any more, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<Aside>,
}

/// That a source was set aside: nothing is taken from it any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// Why, for people to read.
    pub why: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// A source of another store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The [id](Store::id) of the store.
    pub store: u64,
    /// The number of the source there.
    pub source: u32,
}

/// All sources of a store, by their numbers; [`OWN`] is the process that proves for it.
#[derive(Debug, Default)]
pub struct Sources {
    by_identity: HashMap<u64, u32>,
    known: BTreeMap<u32, SourceOfRecords>,
    last: u32,
}

impl Sources {
    /// The sources that a store has documents of.
    ///
    /// # Errors
    /// [`StoreError::Database`], or [`StoreError::Corrupt`] if a document is not one of a source.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let mut sources = Self::default();
        for document in store.scan_documents(PREFIX) {
            let (name, bytes) = document?;
            let (number, source) = read(&name, &bytes).map_err(|problem| {
                StoreError::Corrupt(format!("its document `{name}` is malformed: {problem}"))
            })?;
            sources.restore(number, source);
        }
        Ok(sources)
    }

    /// Takes up a source that has that number.
    pub(super) fn restore(&mut self, number: u32, source: SourceOfRecords) {
        self.last = self.last.max(number);
        self.by_identity.insert(source.identity, number);
        self.known.insert(number, source);
    }

    /// The number of the source with that identity, if it is known.
    pub fn known(&self, identity: u64) -> Option<u32> {
        self.by_identity.get(&identity).copied()
    }

    /// The number of a source. With the name under which it is to be kept if it is new.
    pub fn number(&mut self, source: SourceOfRecords) -> (u32, Option<String>) {
        if let Some(number) = self.known(source.identity) {
            return (number, None);
        }
        let number = self.last + 1;
        self.restore(number, source);
        (number, Some(document(number)))
    }

    /// The source in this store, `here`, that stands for a source of another: one that is sent back
    /// to where it came from is itself again. Nothing came in from it before the cursor is `since`.
    pub(super) fn imported(
        &self,
        here: u64,
        since: u64,
        origin: Origin,
        source: Option<&Self>,
    ) -> Imported {
        let theirs = source.and_then(|sources| sources.get(origin.source));
        if let Some(theirs) = theirs
            && let Some(first) = theirs.origin
        {
            return match first.store == here && self.has(first.source) {
                true => Imported::Known(first.source),
                false => Imported::Other(SourceOfRecords {
                    since,
                    aside: None,
                    ..theirs.clone()
                }),
            };
        }
        let identity = |source: Option<&SourceOfRecords>| source.map(|source| source.identity);
        let is_own = origin.store == here && self.has(origin.source);
        if is_own && identity(self.get(origin.source)) == identity(theirs) {
            return Imported::Known(origin.source);
        }
        let (name, peer) = match theirs {
            Some(theirs) => (theirs.name.clone(), theirs.peer.clone()),
            None if origin.source == OWN => ("the coordinator".to_owned(), String::new()),
            None => (format!("source {}", origin.source), String::new()),
        };
        let identity = identity(theirs).unwrap_or_default();
        let bytes = [origin.store, u64::from(origin.source), identity].map(u64::to_be_bytes);
        Imported::Other(SourceOfRecords {
            identity: xxh3_64(bytes.as_flattened()),
            name,
            peer,
            origin: Some(origin),
            since,
            aside: None,
        })
    }

    /// Takes it that what came in after a cursor is gone, and that a source was set aside, if one was.
    /// Returns the documents that changed, each with its name.
    pub fn withdraw(
        &mut self,
        cursor: u64,
        aside: Option<(u32, &Aside)>,
    ) -> Vec<(String, SourceOfRecords)> {
        let mut changed = Vec::new();
        for (&number, source) in &mut self.known {
            let mut now = source.clone();
            // The numbers of blocks above may come up again.
            now.since = now.since.min(cursor);
            if let Some((set_aside, aside)) = aside
                && set_aside == number
            {
                now.aside = Some(aside.clone());
            }
            if now != *source {
                *source = now.clone();
                changed.push((document(number), now));
            }
        }
        changed
    }

    fn has(&self, number: u32) -> bool {
        number == OWN || self.known.contains_key(&number)
    }

    /// What is known of the source with that number.
    pub fn get(&self, number: u32) -> Option<&SourceOfRecords> {
        self.known.get(&number)
    }

    /// All sources with their numbers, which ascend.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &SourceOfRecords)> {
        self.known.iter().map(|(&number, source)| (number, source))
    }

    /// A source for people to read.
    pub fn describe(&self, source: u32) -> String {
        let number = number_of(source);
        match self.known.get(&number) {
            Some(source) => source.to_string(),
            None if number == OWN => "the coordinator".to_owned(),
            None => format!("source {number}"),
        }
    }
}

/// What a source of another store is here.
#[derive(Debug)]
pub(super) enum Imported {
    /// One that has a number here.
    Known(u32),
    /// This one, which may have a number.
    Other(SourceOfRecords),
}

impl std::fmt::Display for SourceOfRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(Origin { store, .. }) = self.origin {
            write!(f, "imported from store {store:016x}: ")?;
        }
        match self.peer.as_str() {
            "" => f.write_str(&self.name),
            peer => write!(f, "{} ({peer})", self.name),
        }
    }
}

/// The name of the document of a source.
pub(super) fn document(number: u32) -> String {
    format!("{PREFIX}{number:010}")
}

/// A source and its number from its document.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<(u32, SourceOfRecords), String> {
    let number = name.strip_prefix(PREFIX).and_then(|n| n.parse().ok());
    let number = number.ok_or("its name has no number")?;
    let source = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok((number, source))
}
