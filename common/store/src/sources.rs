//! The sources of records: numbers in the records of a store, and documents `source/NUMBER` that
//! describe them.

use super::{
    OWN, Store, StoreError,
    documents::{Document, json},
    number_of,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The prefix of the names of documents of sources.
pub const PREFIX: &str = "source/";

/// The document of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOfRecords {
    /// The random number that a worker keeps across restarts, or a hash of the origin of an imported
    /// source.
    pub identity: u64,
    /// The name of the source when it first reported.
    pub name: String,
    /// The address of its first call, or empty.
    pub peer: String,
    /// The source in another store, if it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The cursor of the store before the first record of this source. Zero in stores of earlier
    /// versions.
    #[serde(default)]
    pub since: u64,
    /// Set if records of this source are no longer accepted.
    #[serde(rename = "aside", default, skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<Quarantine>,
}

/// The quarantine of a source: its records are no longer accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// The reason, as text.
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

/// All sources of a store. [`OWN`] has no document.
#[derive(Debug, Default)]
pub struct Sources {
    known: BTreeMap<u32, SourceOfRecords>,
}

impl Sources {
    /// Reads the sources of a store.
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

    /// Adds a source under its number.
    pub(super) fn restore(&mut self, number: u32, source: SourceOfRecords) {
        self.known.insert(number, source);
    }

    /// The number of the source with this identity, if known.
    pub fn known(&self, identity: u64) -> Option<u32> {
        let mut sources = self.known.iter().rev();
        let found = sources.find(|(_, source)| source.identity == identity);
        found.map(|(&number, _)| number)
    }

    /// The number of a source, and the name of its document if the source is new.
    pub fn number(&mut self, source: SourceOfRecords) -> (u32, Option<String>) {
        if let Some(number) = self.known(source.identity) {
            return (number, None);
        }
        let number = self.known.last_key_value().map_or(1, |(last, _)| last + 1);
        self.restore(number, source);
        (number, Some(document(number)))
    }

    /// Maps a source of another store to one of this store, whose id is `here`, and returns its number,
    /// and its document if the source is new. A source that returns to its original store keeps its
    /// number there. `since` is the current cursor.
    ///
    /// # Errors
    /// The document cannot be written as JSON.
    pub fn import(
        &mut self,
        here: u64,
        since: u64,
        origin: Origin,
        theirs: &Self,
    ) -> Result<(u32, Option<Document>), StoreError> {
        let Origin { store, source } = origin;
        let described = theirs.get(source);
        let identity = described.map(|source| source.identity);
        let original = described.and_then(|source| source.origin);
        let returns = match original {
            Some(first) => first.store == here && self.has(first.source),
            None => {
                let is_here = store == here && self.has(source);
                is_here && self.get(source).map(|source| source.identity) == identity
            }
        };
        if returns {
            return Ok((original.map_or(source, |first| first.source), None));
        }
        let bytes = [store, u64::from(source), identity.unwrap_or_default()].map(u64::to_be_bytes);
        let source = match described {
            Some(described) => described.clone(),
            None => SourceOfRecords {
                name: theirs.describe(source),
                ..SourceOfRecords::default()
            },
        };
        let source = SourceOfRecords {
            identity: original.map_or(xxh3_64(bytes.as_flattened()), |_| source.identity),
            origin: original.or(Some(origin)),
            since,
            quarantine: None,
            ..source
        };
        let bytes = json(&source)?;
        let (number, name) = self.number(source);
        Ok((number, name.map(|name| (name, bytes))))
    }

    /// Applies a rollback to a cursor, and quarantines a source if one is given. Returns the names and
    /// contents of changed documents.
    pub fn revoke(
        &mut self,
        cursor: u64,
        quarantine: Option<(u32, &Quarantine)>,
    ) -> Vec<(String, SourceOfRecords)> {
        let mut changed = Vec::new();
        for (&number, source) in &mut self.known {
            let mut now = source.clone();
            // Later cursors mean nothing in the new epoch.
            now.since = now.since.min(cursor);
            if let Some((_, quarantine)) = quarantine.filter(|(of, _)| *of == number) {
                now.quarantine = Some(quarantine.clone());
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

    /// The source with this number.
    pub fn get(&self, number: u32) -> Option<&SourceOfRecords> {
        self.known.get(&number)
    }

    /// All sources in ascending order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &SourceOfRecords)> {
        self.known.iter().map(|(&number, source)| (number, source))
    }

    /// A source as text.
    pub fn describe(&self, source: u32) -> String {
        let number = number_of(source);
        match self.known.get(&number) {
            Some(source) => source.to_string(),
            None if number == OWN => "the coordinator".to_owned(),
            None => format!("source {number}"),
        }
    }
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

/// Parses the document of a source.
pub(super) fn read(name: &str, bytes: &[u8]) -> Result<(u32, SourceOfRecords), String> {
    let number = name.strip_prefix(PREFIX).and_then(|n| n.parse().ok());
    let number = number.ok_or("its name has no number")?;
    let source = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok((number, source))
}
